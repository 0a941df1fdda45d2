"""The Debian package of the programs built last."""
import shutil
import subprocess

import pytest

from .paths import ROOT


def debian_package(purpose):
    """Its file, built where it is older than the programs; skips the test, with the purpose, where it cannot be built.

    lintian has checked it: `scripts/deb` fails where that has a complaint.
    """
    if not shutil.which("dpkg-deb"):
        pytest.skip(f"{purpose}: this is no Debian system, so there is no package")
    needed = subprocess.run([ROOT / "scripts/require", "build", "package"], capture_output=True, text=True)
    if needed.returncode:
        lines = needed.stderr.strip().splitlines() or ["scripts/require failed"]
        # Between what was wanted and what came of it, apt's complaints fill pages.
        pytest.skip(f"{purpose}: " + "; ".join(dict.fromkeys([lines[0], lines[-1]])))
    made = subprocess.run([ROOT / "scripts/deb", "--if-older"], capture_output=True, text=True)
    assert made.returncode == 0, made.stdout + made.stderr
    [path] = (ROOT / ".build/deb").glob("waymark_*.deb")
    return path
