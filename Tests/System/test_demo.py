"""scripts/demo, which `make demo` runs: it shows the walk, ends by itself or on Ctrl-C, and leaves nothing behind."""

import os
import pathlib
import signal
import subprocess

import pytest

from harness.paths import PROGRAMS, ROOT

# Seconds that no test waits for.
LONG = 120


def start(folder, seconds, programs=PROGRAMS):
    return subprocess.Popen(
        [ROOT / "scripts/demo", programs], env={**os.environ, "DEMO_SECONDS": str(seconds), "TMPDIR": str(folder)},
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True)


def running_in(folder):
    """Command lines of processes that know this folder."""
    found = []
    for process in pathlib.Path("/proc").glob("[0-9]*"):
        try:
            line = (process / "cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace")
        except OSError:
            continue
        if str(folder) in line:
            found.append(line)
    return found


def test_the_demo_shows_poses_and_ends_by_itself(tmp_path):
    demo = start(tmp_path, 4)
    out, err = demo.communicate(timeout=60)
    assert demo.returncode == 0, err
    assert len(out.splitlines()) > 10
    assert "in the scene" in out
    assert list(tmp_path.iterdir()) == []
    assert running_in(tmp_path) == []


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_the_demo_leaves_nothing_when_it_is_ended(tmp_path, number):
    demo = start(tmp_path, LONG)
    demo.stdout.readline()
    assert running_in(tmp_path), "a daemon with its folder there"
    # As the terminal does it: to everybody in the foreground.
    os.killpg(demo.pid, number)
    # By itself it would go on for as long again.
    demo.communicate(timeout=LONG / 2)
    assert list(tmp_path.iterdir()) == []
    assert running_in(tmp_path) == []


def test_a_daemon_that_does_not_start_is_told_with_its_own_words(tmp_path):
    programs = tmp_path / "bin"
    programs.mkdir()
    (programs / "waymarkd").write_text("#!/bin/sh\necho 'no walk today' >&2\nexit 1\n")
    (programs / "waymarkd").chmod(0o755)
    demo = start(tmp_path, 5, programs)
    _, err = demo.communicate(timeout=60)
    assert demo.returncode == 1
    assert "no walk today" in err
    assert list(tmp_path.iterdir()) == [programs]
