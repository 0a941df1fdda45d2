"""Which shared libraries the programs load, and what they say when one is missing."""
import re
import subprocess

import pytest

from harness.command import waymark
from harness.paths import PROGRAMS

# What every program loads. Each more takes a command that only asks the daemon about 0.1 ms; the command itself takes
# less than 1 ms.
LOADED = {
    "ld-linux", "libc", "libcminpack", "libexpat", "libgcc_s", "libm", "libpopt", "libz", "libzstd"}


@pytest.mark.parametrize("command", ["pose", "status", "devices", "scene"])
def test_a_command_that_asks_the_daemon_loads_no_library_of_others(walk, command, tmp_path):
    debug = {"LD_DEBUG": "files", "LD_DEBUG_OUTPUT": str(tmp_path / "loaded")}
    assert waymark(command, socket=walk.socket, env=debug).returncode == 0
    [log] = tmp_path.iterdir()
    found = re.findall(r"calling init: \S*/(ld-linux|\w+)[^/]*\.so", log.read_text())
    assert "libpopt" in found and set(found) <= LOADED


def test_a_program_says_which_library_is_missing(tmp_path):
    (tmp_path / "libsqlite3.so.0").touch()
    done = subprocess.run(
        [PROGRAMS / "waymarkd", "--demo", "--socket", tmp_path / "socket"], capture_output=True, text=True, timeout=60,
        env={"LD_LIBRARY_PATH": str(tmp_path), "STATE_DIRECTORY": str(tmp_path)})
    # As the dynamic linker does.
    assert done.returncode == 127
    assert "waymark: cannot open a library that it needs: " in done.stderr and "libsqlite3.so.0" in done.stderr
