"""Programs of others that are large, and that only a full run of the check installs."""
import contextlib
import os
import platform
import shutil

import pytest

from .paths import ROOT
from .process import Program
from .waiting import wait_until

# Debian's Python, for which python3-qgis is.
PYTHON = "/usr/bin/python3"
QGIS = "/usr/lib/python3/dist-packages/qgis"
# Whole from PyPI where the list of what was asked for lies beside it.
VIEWERS, TRAJECTORIES = ROOT / ".build/viewers", ROOT / ".build/trajectories"
# Where they have to be: in a full run, as scripts/check makes it, on Debian 12.
ARE_REQUIRED = os.environ.get("WAYMARK_LONG") == "all" and platform.freedesktop_os_release().get("VERSION_ID") == "12"


def needs(program, script="scripts/require outside"):
    """For a test that runs a program of this name or path, which a script brings; skipped without it, but in a full run."""
    is_missing = not shutil.which(program) and not os.path.exists(program)
    return pytest.mark.skipif(is_missing and not ARE_REQUIRED, reason=f"{program} is missing: {script}")


@contextlib.contextmanager
def display(folder):
    """Name of an X display without a screen, for programs with windows."""
    number, log = folder / "display", folder / "Xvfb.log"
    with open(number, "w") as file:
        server = Program(
            ["Xvfb", "-displayfd", file.fileno(), "-nolisten", "tcp", "-screen", "0", "1280x1024x24"], log,
            pass_fds=[file.fileno()])
    try:
        wait_until(lambda: number.read_text().endswith("\n"), what=lambda: f"an X display:\n{server.log}")
        yield f":{number.read_text().strip()}"
    finally:
        server.end()
