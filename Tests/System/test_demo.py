"""The demonstration, also by scripts/demo: it ends by itself or on Ctrl-C, and leaves nothing behind."""

import json
import fcntl
import os
import pathlib
import pty
import re
import shutil
import signal
import subprocess
import termios
import time

import pytest
from waymark_interface import AID_LIST, AID_OPEN, POSE_GET_POSE

from harness import command
from harness.paths import PROGRAMS, ROOT
from harness.process import Program
from harness.sources import copy_tracked
from harness.varlink import CallFailed, Connection
from harness.waiting import wait_until

# Seconds that no test waits for.
LONG = 120
# Three minutes on two processors, and more beside other builds.
BUILD_PATIENCE = 1800


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
    # The first lines of its status, and what to try next.
    assert "\nstate      " in out and "waymark serve" in out
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


def test_a_signal_at_any_time_of_the_start_of_the_demo_leaves_nothing(tmp_path):
    for milliseconds in range(0, 51, 2):
        demo = start(tmp_path, LONG)
        time.sleep(milliseconds / 1000)
        demo.terminate()
        demo.communicate(timeout=LONG / 2)
        assert list(tmp_path.iterdir()) == [], f"after {milliseconds} ms"


@pytest.mark.long
@pytest.mark.skipif(os.environ.get("WAYMARK_LONG") != "all", reason="builds for minutes; in full runs alone")
def test_one_command_builds_sources_quickly_and_shows_the_pose(tmp_path):
    variables = {key: value for key, value in os.environ.items() if key not in ("MAKEFLAGS", "MFLAGS", "MAKELEVEL")}
    try:
        demo = subprocess.Popen(
            ["make", "demo"], cwd=copy_tracked(tmp_path), env={**variables, "DEMO_SECONDS": "10"}, stdout=subprocess.PIPE,
            stderr=subprocess.PIPE, text=True, start_new_session=True)
        try:
            out, err = demo.communicate(timeout=BUILD_PATIENCE)
        except subprocess.TimeoutExpired:
            os.killpg(demo.pid, signal.SIGKILL)
            raise
        assert demo.returncode == 0, err[-2000:]
        assert "Build of product 'waymark' complete" in out and "in the scene" in out
        # What it says to try next is there.
        assert ".build/bin/waymark serve" in out
        assert "waymarkd" in subprocess.run(
            [tmp_path / ".build/bin/waymarkd", "--version"], capture_output=True, text=True, timeout=LONG).stdout
    finally:
        # It has 1 GB.
        shutil.rmtree(tmp_path / ".build", ignore_errors=True)


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


# What a demonstration keeps

def demonstration(folder, name, environment=None, log=None, arguments=(), **options):
    """A `waymarkd --demo` with its own socket and its temporary files in a folder; returns it and its log."""
    # One for each run: what it waits for is not that of the run before.
    log = log or folder / f"{name}.{len(list(folder.glob(f'{name}.*.log')))}.log"
    variables = {
        key: value for key, value in os.environ.items()
        if key not in ("STATE_DIRECTORY", "XDG_RUNTIME_DIR", "JOURNAL_STREAM")}
    program = Program(
        [PROGRAMS / "waymarkd", "--demo", "--socket", folder / name, *arguments], log,
        env={**variables, "TMPDIR": str(folder), **(environment or {})}, stdin=subprocess.DEVNULL, **options)
    wait_until(lambda: "serves poses" in program.log, what=lambda: f"a daemon that serves in:\n{program.log}")
    return program


def places(folder, name):
    done = command.waymark("places", "search", "café at home", "--json", socket=folder / name)
    assert done.returncode == 0, done
    return done.stdout


def test_a_demonstration_keeps_nothing_for_the_next_one_and_shares_nothing_with_another(tmp_path):
    town = tmp_path / "town.geojson"
    town.write_text(json.dumps({"type": "FeatureCollection", "features": [{
        "type": "Feature", "properties": {"name": "Café at home"},
        "geometry": {"type": "Point", "coordinates": [8.5417, 47.3769]}}]}))
    first = demonstration(tmp_path, "first")
    second = demonstration(tmp_path, "second")
    try:
        done = command.waymark("places", "import", town, socket=tmp_path / "first")
        assert done.returncode == 0, done
        done = command.waymark("route", "clear", socket=tmp_path / "first")
        assert done.returncode == 0, done
        assert "Café at home" in places(tmp_path, "first")
        assert "Café at home" not in places(tmp_path, "second")
        # Two at a time, each in a folder that is its user's alone.
        folders = list(tmp_path.glob("waymark-demo-*"))
        assert len(folders) == 2 and all(folder.stat().st_mode & 0o777 == 0o700 for folder in folders)
        assert first.end() == 0
        first = demonstration(tmp_path, "first")
        assert "Café at home" not in places(tmp_path, "first")
        # The route that the first run cleared is there again.
        assert command.waymark("route", "show", socket=tmp_path / "first").returncode == 0
        assert "on the simulated walk" in command.waymark("status", socket=tmp_path / "first").stdout
    finally:
        codes = [first.end(), second.end()]
    assert codes == [0, 0]
    assert list(tmp_path.glob("waymark-demo-*")) == []


def test_commands_find_a_demonstration_of_the_same_user_without_a_path(tmp_path):
    variables = {key: value for key, value in os.environ.items() if key not in ("STATE_DIRECTORY", "WAYMARK_SOCKET")}
    environment = {**variables, "XDG_RUNTIME_DIR": str(tmp_path), "TMPDIR": str(tmp_path)}
    program = Program([PROGRAMS / "waymarkd", "--demo"], tmp_path / "log", env=environment, stdin=subprocess.DEVNULL)
    try:
        waited = subprocess.run(
            [PROGRAMS / "waymark", "wait", "--horizontal", "100", "--yaw", "180"], env=environment, capture_output=True,
            text=True)
        assert waited.returncode == 0, waited.stderr
        status = subprocess.run([PROGRAMS / "waymark", "status"], env=environment, capture_output=True, text=True)
        assert "on the simulated walk" in status.stdout, status.stderr
    finally:
        assert program.end() == 0


def test_a_demonstration_keeps_its_state_where_it_is_told_to(tmp_path):
    state = tmp_path / "state"
    state.mkdir()
    program = demonstration(tmp_path, "socket", {"STATE_DIRECTORY": str(state)})
    assert program.end() == 0
    assert any(state.iterdir()) and list(tmp_path.glob("waymark-demo-*")) == []


# How it ends

def folders(place):
    return sorted(place.glob("waymark-demo-*"))


def test_a_demonstration_ends_with_its_terminal(tmp_path):
    ours, its = pty.openpty()
    program = demonstration(
        tmp_path, "socket", start_new_session=True, stdout=its,
        preexec_fn=lambda: fcntl.ioctl(its, termios.TIOCSCTTY, 0))
    os.close(its)
    assert folders(tmp_path)
    # As by the window's close button.
    os.close(ours)
    assert program.wait() == 0, program.log
    assert "stopped" in program.log and folders(tmp_path) == []
    program.end()


def test_a_demonstration_outlives_its_terminal_with_nohup(tmp_path):
    program = demonstration(
        tmp_path, "socket", preexec_fn=lambda: signal.signal(signal.SIGHUP, signal.SIG_IGN))
    program.send(signal.SIGHUP)
    # A pending SIGHUP would come before this answer.
    assert command.waymark("status", socket=tmp_path / "socket").returncode == 0
    assert program.runs and program.end() == 0
    assert folders(tmp_path) == []


def test_a_service_manager_cannot_end_a_demonstration_by_a_reload(tmp_path):
    program = demonstration(tmp_path, "socket", {"NOTIFY_SOCKET": str(tmp_path / "none")})
    program.send(signal.SIGHUP)
    wait_until(lambda: "reload ignored" in program.log, what=lambda: f"an answer in:\n{program.log}")
    assert program.runs and program.end() == 0


def start_bare(folder):
    """One that is not waited for."""
    variables = {key: value for key, value in os.environ.items() if key not in ("STATE_DIRECTORY", "XDG_RUNTIME_DIR")}
    return subprocess.Popen(
        [PROGRAMS / "waymarkd", "--demo", "--socket", folder / "socket"], env={**variables, "TMPDIR": str(folder)},
        stdin=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_a_signal_at_any_time_of_the_start_leaves_no_folder(tmp_path, number):
    for milliseconds in range(0, 51, 2):
        program = start_bare(tmp_path)
        time.sleep(milliseconds / 1000)
        program.send_signal(number)
        program.wait(LONG)
        assert folders(tmp_path) == [], f"after {milliseconds} ms"
    # As soon as there is a folder.
    for _ in range(10):
        program = start_bare(tmp_path)
        while not folders(tmp_path):
            assert program.poll() is None
        program.send_signal(number)
        assert program.wait(LONG) == 0
        assert folders(tmp_path) == []


def test_a_demonstration_removes_what_killed_ones_left_and_spares_living_ones(tmp_path):
    killed, living = demonstration(tmp_path, "killed"), demonstration(tmp_path, "living")
    assert len(folders(tmp_path)) == 2
    assert killed.end(signal.SIGKILL) == -signal.SIGKILL
    [of_living] = set(folders(tmp_path)) - {
        folder for folder in folders(tmp_path) if str(folder) not in open_files(living)}
    assert len(folders(tmp_path)) == 2, "one is of the killed"
    next_one = demonstration(tmp_path, "next")
    assert of_living in folders(tmp_path) and len(folders(tmp_path)) == 2
    assert list(of_living.iterdir())
    assert [next_one.end(), living.end()] == [0, 0]
    assert folders(tmp_path) == []


def open_files(program):
    links = pathlib.Path(f"/proc/{program.pid}/fd").iterdir()
    return [os.readlink(link) for link in links]


def test_a_check_of_the_settings_makes_nothing(tmp_path):
    # Where there is no XDG_RUNTIME_DIR; it may be there from an earlier demonstration.
    chosen = pathlib.Path(f"/tmp/waymark-{os.geteuid()}")
    was_there = chosen.exists()
    variables = {key: value for key, value in os.environ.items() if key not in ("STATE_DIRECTORY", "XDG_RUNTIME_DIR")}
    done = subprocess.run(
        [PROGRAMS / "waymarkd", "--demo", "--check-config"], env={**variables, "TMPDIR": str(tmp_path)},
        capture_output=True, text=True, timeout=LONG)
    assert done.returncode == 0 and "compiled defaults" in done.stdout
    assert chosen.exists() == was_there and list(tmp_path.iterdir()) == []


def test_settings_that_a_demonstration_would_ignore_are_refused(tmp_path):
    settings = tmp_path / "waymark.toml"
    settings.write_text("")
    for more in ([], ["--check-config"]):
        done = subprocess.run(
            [PROGRAMS / "waymarkd", "--demo", "--config", settings, *more], capture_output=True, text=True, timeout=LONG)
        assert done.returncode == 2 and "leave out --config" in done.stderr, done


def test_errors_of_the_simulated_board_and_its_camera_need_a_demonstration():
    for options in (["--compass-off", "5"], ["--gyro-off", "5"], ["--camera"]):
        done = subprocess.run([PROGRAMS / "waymarkd", *options], capture_output=True, text=True, timeout=LONG)
        assert done.returncode == 2 and "need --demo" in done.stderr, done


def test_the_camera_of_a_demonstration_is_a_source_whose_poses_are_used(tmp_path):
    program = demonstration(tmp_path, "socket", arguments=["--camera"])
    with Connection(tmp_path / "socket") as client:
        def camera():
            [source] = client.call(AID_LIST)["sources"]
            return source["accepted"] > 60 and source["rate"] > 25 and source
        found = wait_until(camera, what="60 poses of the camera")
        assert found["source"] == "camera" and found["kinds"] == ["odometry"] and found["refused"] == []
        with pytest.raises(CallFailed, match="AlreadyOpen"):
            client.call(AID_OPEN, {"source": "camera", "kinds": ["odometry"]})
        wait_until(
            lambda: "camera" in client.call(POSE_GET_POSE)["pose"]["sources"], what="a pose that rests on the camera")
    assert program.end() == 0


@pytest.mark.long
def test_a_compass_and_a_gyroscope_that_are_off_are_found_by_the_first_steps(tmp_path):
    """The wearer stands for 18 s, in which a wrong compass looks like a right one, and then walks."""
    program = demonstration(tmp_path, "socket", arguments=["--compass-off", "180", "--gyro-off", "5"])
    # A correction is reported when content has come to rest, seconds after the heading was found.
    turned = wait_until(
        lambda: re.search(r"content turned ([0-9.]+)°", program.log), what=lambda: f"a turn of content in:\n{program.log}")
    status = json.loads(command.waymark("status", "--json", socket=tmp_path / "socket").stdout)
    assert program.end() == 0
    doubted, localized, found = program.log.partition("localized")
    assert "walk a few steps" in doubted and localized and "headingUnconfirmed" not in found
    assert float(turned[1]) > 90, program.log
    status = status.get("status", status)
    assert status["orientationYawAccuracy"] < 15


def test_the_doctor_looks_at_a_demonstration_and_not_at_the_board(tmp_path):
    program = demonstration(tmp_path, "socket")
    wait_until(lambda: "localized" in program.log, what=lambda: f"a localized wearer in:\n{program.log}")
    done = command.waymark("doctor", "--json", "--seconds", "1", socket=tmp_path / "socket")
    assert program.end() == 0
    found = {finding["id"]: finding["level"] for finding in json.loads(done.stdout)["findings"]}
    assert found["daemon.demonstration"] == "ok" and found["socket.answers"] == "ok"
    groups = {name.partition(".")[0] for name in found}
    assert groups <= {"socket", "daemon", "clock", "routing"}, found
    assert done.returncode == 0


# What it says

def test_lines_have_priorities_for_the_journal_alone(tmp_path):
    program = demonstration(tmp_path, "plain")
    assert program.end() == 0
    assert program.log.startswith("waymarkd ") and "<5>" not in program.log
    # As systemd does it: the variable names the file that standard error is.
    log = tmp_path / "journal.log"
    log.touch()
    status = log.stat()
    program = demonstration(tmp_path, "journal", {"JOURNAL_STREAM": f"{status.st_dev}:{status.st_ino}"}, log)
    assert program.end() == 0
    assert all(line.startswith("<5>") for line in program.log.splitlines())
    # One that was inherited, while standard error leads elsewhere.
    program = demonstration(tmp_path, "other", {"JOURNAL_STREAM": f"{status.st_dev}:{status.st_ino}"})
    assert program.end() == 0
    assert "<5>" not in program.log


def test_no_line_comes_twice_at_the_start(tmp_path):
    program = demonstration(tmp_path, "socket")
    wait_until(lambda: "localized" in program.log, what=lambda: f"a localized wearer in:\n{program.log}")
    assert program.end() == 0
    lines = program.log.splitlines()
    assert len(set(lines)) == len(lines), program.log
