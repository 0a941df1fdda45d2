"""Programs of others that are large, and that only a full run of the check installs (scripts/require outside)."""
import os
import platform
import shutil

import pytest

# Debian's Python, for which python3-qgis is.
PYTHON = "/usr/bin/python3"
QGIS = "/usr/lib/python3/dist-packages/qgis"
# Where they have to be: in a full run, as scripts/check makes it, on Debian 12.
ARE_REQUIRED = os.environ.get("WAYMARK_LONG") == "all" and platform.freedesktop_os_release().get("VERSION_ID") == "12"


def needs(program):
    """For a test that runs a program of this name or path; skipped without it, but in a full run."""
    is_missing = not shutil.which(program) and not os.path.exists(program)
    return pytest.mark.skipif(is_missing and not ARE_REQUIRED, reason=f"{program} is missing: scripts/require outside")
