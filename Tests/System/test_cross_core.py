"""The numeric core on another processor: compiled for arm64, run under QEMU, the same numbers as here."""

import platform
import shutil
import subprocess

import pytest

from harness.paths import ROOT

pytestmark = pytest.mark.long


def test_the_core_gives_the_same_numbers_on_arm64():
    if platform.machine() == "aarch64":
        pytest.skip("this is arm64: every test here is one of it")
    if not shutil.which("swiftc") or not (ROOT / ".build/release/Modules").exists():
        pytest.skip("NOT TESTED ON ARM64: Swift or what it built for this machine is not here")
    needed = subprocess.run([ROOT / "scripts/require", "arm64"], capture_output=True, text=True)
    if needed.returncode:
        pytest.skip(f"NOT TESTED ON ARM64: {needed.stderr.strip()}")
    done = subprocess.run([ROOT / "scripts/cross-core"], capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "9060 rows" in done.stdout
