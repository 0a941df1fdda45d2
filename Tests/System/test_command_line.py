"""The program `waymark` against a stand-in daemon: what it prints, what it ends with, and how it meets mishaps."""

import json
import os
import pathlib
import pty
import re
import signal
import subprocess
import sys
import threading
import time

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "Tests/Support"))

import stand_in_daemon as daemon  # noqa: E402
from stand_in_daemon import CLOSE, Error, StandIn  # noqa: E402

PROGRAM = ROOT / ".build/release/waymark"
GET_POSE = "org.waymark.Pose.GetPose"
SUBSCRIBE = "org.waymark.Pose.Subscribe"
GET_STATUS = "org.waymark.Status.GetStatus"
LIST_DEVICES = "org.waymark.Status.ListDevices"
GET_AHEAD = "org.waymark.Scene.GetAhead"
START = "org.waymark.Recording.Start"
STOP = "org.waymark.Recording.Stop"


def environment(path):
    return {**os.environ, "WAYMARK_SOCKET": str(path)}


@pytest.fixture
def waymark(tmp_path):
    """Runs the program with a stand-in daemon that gives these replies."""
    def run(*arguments, replies=None, **options):
        path = tmp_path / "daemon.sock"
        path.unlink(missing_ok=True)
        with StandIn(path, replies or {}) as stand_in:
            done = subprocess.run(
                [PROGRAM, *arguments], env=environment(path), capture_output=True, text=True, timeout=20, **options)
            done.calls = stand_in.calls
            return done
    return run


# The command line

def offered_commands():
    text = subprocess.run([PROGRAM, "--help"], capture_output=True, text=True).stdout
    return re.findall(r"^  ([a-z]+)  +[A-Z]", text.split("Commands:")[1], re.MULTILINE)


@pytest.mark.parametrize("command", ["", *offered_commands()])
def test_help_is_as_it_was_agreed(command):
    done = subprocess.run([PROGRAM, *command.split(), "--help"], capture_output=True, text=True)
    assert done.returncode == 0
    assert done.stderr == ""
    snapshot = ROOT / f"Tests/System/help/{command or 'waymark'}.txt"
    if os.environ.get("WAYMARK_RECORD") and snapshot.exists() and snapshot.read_text() != done.stdout:
        snapshot.write_text(done.stdout)
        pytest.fail(f"{snapshot} was recorded anew; look at the difference")
    assert done.stdout == snapshot.read_text()


def test_every_option_is_in_the_manual_page_and_the_other_way_round():
    page = (ROOT / "man/waymark.1").read_text()
    told = set(re.findall(r"Fl -([a-z]+)", page))
    offered = set()
    for command in ["", *offered_commands()]:
        text = subprocess.run([PROGRAM, *command.split(), "--help"], capture_output=True, text=True).stdout
        offered |= set(re.findall(r"--([a-z]+)", text.split("Commands:")[0]))
    assert told == offered


def test_every_option_of_the_daemon_is_in_its_manual_page():
    text = subprocess.run([ROOT / ".build/release/waymarkd", "--help"], capture_output=True, text=True).stdout
    told = set(re.findall(r"Fl -([a-z-]+)", (ROOT / "man/waymarkd.8").read_text()))
    assert told == set(re.findall(r"--([a-z-]+)", text))


def test_every_command_is_in_the_manual_page():
    page = (ROOT / "man/waymark.1").read_text()
    assert set(offered_commands()) == set(re.findall(r"^\.It Cm ([a-z]+)", page, re.MULTILINE))


@pytest.mark.parametrize("arguments, reason", [
    ([], "COMMAND is missing"),
    (["dance"], "there is no command 'dance'"),
    (["--loud"], "there is no option '--loud'"),
    (["watch", "-n", "0"], "--count: '0' is not a whole number of at least 1"),
    (["watch", "-n", "many"], "--count: 'many' is not a whole number of at least 1"),
    (["watch", "--rate", "1001"], "--rate: '1001' is not a number from 1 to 1000"),
    (["watch", "now"], "'now' is one argument too many"),
    (["pose", "--format", "xml"], "--format: 'xml' is not one of: json, geopose"),
    (["record"], "FILE is missing"),
    (["wait", "--yaw", "-3"], "--yaw: '-3' is not a number from 0.1 to 180"),
    (["wait", "--timeout"], "option '--timeout' needs a value"),
])
def test_a_wrong_command_line_ends_with_2_and_says_what_is_wrong(arguments, reason):
    done = subprocess.run([PROGRAM, *arguments], capture_output=True, text=True)
    assert done.returncode == 2
    assert done.stdout == ""
    assert reason in done.stderr
    assert "--help'." in done.stderr


# The daemon out of reach

ASKING = [["watch"], ["status"], ["pose"], ["devices"], ["ahead"], ["wait"]]


@pytest.mark.parametrize("arguments", ASKING)
def test_a_daemon_that_does_not_run_is_3_and_how_to_start_it(arguments, tmp_path):
    done = subprocess.run(
        [PROGRAM, *arguments], env=environment(tmp_path / "none.sock"), capture_output=True, text=True)
    assert done.returncode == 3
    assert "systemctl start waymarkd" in done.stderr and "waymarkd --demo" in done.stderr


def test_a_socket_nobody_listens_on_is_3(tmp_path):
    path = tmp_path / "left.sock"
    with StandIn(path, {}):
        pass
    done = subprocess.run([PROGRAM, "status"], env=environment(path), capture_output=True, text=True)
    assert done.returncode == 3
    assert "systemctl start waymarkd" in done.stderr


@pytest.mark.skipif(os.getuid() != 0, reason="needs root to become somebody else")
def test_a_socket_without_permission_is_3_and_names_the_group(tmp_path):
    path = pathlib.Path(f"/tmp/waymark-test-{os.getpid()}.sock")
    program = pathlib.Path(f"/tmp/waymark-test-{os.getpid()}")
    program.write_bytes(PROGRAM.read_bytes())
    program.chmod(0o755)
    try:
        with StandIn(path, {}):
            path.chmod(0o660)
            done = subprocess.run(
                [program, "status"], env=environment(path), capture_output=True, text=True, user=65534, group=65534,
                extra_groups=[])
    finally:
        path.unlink()
        program.unlink()
    assert done.returncode == 3
    assert "usermod -aG waymark" in done.stderr


def test_the_option_socket_goes_before_the_environment_on_either_side_of_the_command(waymark, tmp_path):
    for arguments in [["--socket", "none.sock", "status"], ["status", "--socket", "none.sock"]]:
        done = waymark(*arguments, replies={GET_STATUS: {"status": daemon.STATUS}}, cwd=tmp_path)
        assert done.returncode == 3
        assert "none.sock" in done.stderr


def test_a_daemon_that_closes_the_connection_is_3(waymark):
    done = waymark("pose", replies={GET_POSE: CLOSE})
    assert done.returncode == 3
    assert "closed" in done.stderr


def test_a_reply_that_is_no_reply_fails_and_says_so(waymark):
    done = waymark("status", replies={GET_STATUS: {"status": {"version": 7}}})
    assert done.returncode == 1
    assert done.stderr != "" and done.stdout == ""


def test_a_method_the_daemon_lacks_fails_and_names_it(waymark):
    done = waymark("status")
    assert done.returncode == 1
    assert "GetStatus" in done.stderr


# One answer

def test_pose_prints_the_pose_as_it_came(waymark):
    done = waymark("pose", replies={GET_POSE: {"pose": daemon.POSE}})
    assert done.returncode == 0
    assert json.loads(done.stdout) == daemon.POSE


def test_pose_before_the_first_sample_fails_with_the_reason(waymark):
    done = waymark("pose", replies={GET_POSE: Error("org.waymark.Pose.NotReady", reason="no sample yet")})
    assert done.returncode == 1
    assert "no sample yet" in done.stderr


def test_geopose_turns_the_scene_onto_the_earth(waymark):
    done = waymark(
        "pose", "--format", "geopose",
        replies={GET_POSE: {"pose": daemon.POSE}, SUBSCRIBE: daemon.poses(frame=daemon.FRAME)})
    assert done.returncode == 0
    found = json.loads(done.stdout)
    assert found["position"] == {"lat": 47.3765, "lon": 8.5481, "h": 431.25}
    # Scene axes to ENU: a quarter turn about x brings up from y to z; then the quarter turn of the alignment about up.
    assert found["quaternion"] == pytest.approx({"x": 0.5, "y": 0.5, "z": 0.5, "w": 0.5}, abs=1e-12)


@pytest.mark.parametrize("missing", ["geo", "heading"])
def test_geopose_without_position_or_true_heading_is_refused(waymark, missing):
    pose = {key: value for key, value in daemon.POSE.items() if key != missing}
    if missing == "heading":
        pose["headingReference"] = "none"
    done = waymark(
        "pose", "--format", "geopose", replies={SUBSCRIBE: daemon.poses(first=pose, frame=daemon.FRAME)})
    assert done.returncode == 1
    assert "waymark wait" in done.stderr


def test_status_is_words_or_json(waymark):
    replies = {GET_STATUS: {"status": daemon.STATUS}}
    words = waymark("status", replies=replies)
    assert words.returncode == 0
    assert "waymarkd   9.9, up 1 min 15 s, on sensors\nstate      localized\n" in words.stdout
    assert json.loads(waymark("status", "--json", replies=replies).stdout) == daemon.STATUS


def test_devices_are_a_table_or_json(waymark):
    replies = {LIST_DEVICES: {"devices": [daemon.DEVICE]}}
    table = waymark("devices", replies=replies).stdout
    assert re.search(r"^lsm6dsx_gyro +streaming +200.0 Hz +208.0 Hz +boottime +41600 +2 +0 +0.0 s$", table, re.MULTILINE)
    assert "mount matrix [1 0 0; 0 1 0; 0 0 1], from udev" in table
    assert json.loads(waymark("devices", "--json", replies=replies).stdout) == {"devices": [daemon.DEVICE]}


def test_ahead_asks_for_what_was_wanted_and_shows_it(waymark):
    done = waymark("ahead", "--limit", "3", "--radius", "250", replies={GET_AHEAD: {"items": [daemon.ITEM]}})
    assert done.returncode == 0
    assert "left into Mill Lane" in done.stdout
    assert done.calls[0]["parameters"] == {"limit": 3, "radius": 250}


# The stream

def test_watch_json_is_one_object_a_line_and_ends_after_the_count(waymark):
    done = waymark("watch", "--json", "-n", "3", "--rate", "50", replies={SUBSCRIBE: daemon.poses()})
    assert done.returncode == 0
    assert [json.loads(line)["sequence"] for line in done.stdout.splitlines()] == [1, 2, 3]
    assert done.calls[0]["parameters"]["rate"] == 50


def test_watch_without_a_terminal_prints_plain_lines(waymark):
    done = waymark("watch", "-n", "2", replies={SUBSCRIBE: daemon.poses()})
    assert done.returncode == 0
    assert len(done.stdout.splitlines()) == 2
    assert "\x1b" not in done.stdout
    assert "12.0° N from true north" in done.stdout


def test_watch_with_a_timeout_ends_with_0_when_poses_came(waymark):
    begun = time.monotonic()
    done = waymark("watch", "--json", "--timeout", "0.5", replies={SUBSCRIBE: daemon.poses()})
    assert done.returncode == 0
    assert 0.5 <= time.monotonic() - begun < 3
    assert len(done.stdout.splitlines()) > 2


def test_watch_times_out_with_4_when_too_few_poses_came(waymark):
    done = waymark("watch", "-n", "1000", "--timeout", "0.3", replies={SUBSCRIBE: daemon.poses()})
    assert done.returncode == 4
    assert "of 1000 poses" in done.stderr


def test_watch_times_out_with_4_when_no_pose_came(waymark):
    def silence(_parameters, _file):
        time.sleep(5)
        return []
    done = waymark("watch", "--timeout", "0.3", replies={SUBSCRIBE: silence})
    assert done.returncode == 4


def test_watch_ends_with_3_when_the_daemon_goes(waymark):
    done = waymark("watch", "--json", replies={SUBSCRIBE: lambda *_: iter([{"pose": daemon.POSE}, CLOSE])})
    assert done.returncode == 3
    assert len(done.stdout.splitlines()) == 1


def test_a_closed_pipe_ends_watch_quietly(tmp_path):
    path = tmp_path / "daemon.sock"
    with StandIn(path, {SUBSCRIBE: daemon.poses()}):
        watch = subprocess.Popen(
            [PROGRAM, "watch", "--json"], env=environment(path), stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        watch.stdout.readline()
        watch.stdout.close()
        assert watch.wait(timeout=10) == 0
        assert watch.stderr.read() == b""


def test_a_closed_pipe_ends_replay_quietly(tmp_path):
    # Long enough that the table does not fit into the pipe.
    rows = [f"{number * 0.005:.3f},0,9.81,0,0,0,0\n" for number in range(20_000)]
    (tmp_path / "imu.csv").write_text("t_s,ax,ay,az,gx,gy,gz\n" + "".join(rows))
    replay = subprocess.Popen(
        [PROGRAM, "replay", "--output", "-", tmp_path], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    assert replay.stdout.readline().startswith(b"t_s,")
    replay.stdout.close()
    assert replay.wait(timeout=20) == 0
    assert replay.stderr.read() == b""


def test_an_output_that_others_made_non_blocking_gets_every_line(tmp_path):
    path = tmp_path / "daemon.sock"
    reader, writer = os.pipe()
    os.set_blocking(writer, False)
    with StandIn(path, {SUBSCRIBE: daemon.poses(interval=0)}):
        watch = subprocess.Popen(
            [PROGRAM, "watch", "--json", "-n", "500"], env=environment(path), stdout=writer, stderr=subprocess.PIPE)
        os.close(writer)
        # Until the pipe is full, which takes about 64 KiB.
        time.sleep(1)
        with open(reader) as lines:
            found = [json.loads(line)["sequence"] for line in lines]
        assert watch.wait(timeout=10) == 0, watch.stderr.read()
    assert found == list(range(1, 501))


def test_a_full_disk_is_told(waymark):
    with open("/dev/full", "w") as full:
        done = subprocess.run([PROGRAM, "--help"], stdout=full, stderr=subprocess.PIPE, text=True)
    assert done.returncode == 1
    assert "No space left" in done.stderr


class Screen:
    """A terminal of 100 columns and 40 lines in which a program runs."""

    def __init__(self, arguments, path, kind="xterm"):
        self.process, self.terminal = pty.fork()
        if self.process == 0:
            os.environ.update({"WAYMARK_SOCKET": str(path), "TERM": kind})
            os.execv(PROGRAM, [str(PROGRAM), *arguments])
        import fcntl
        import struct
        import termios
        fcntl.ioctl(self.terminal, termios.TIOCSWINSZ, struct.pack("HHHH", 40, 100, 0, 0))
        self.text = ""
        threading.Thread(target=self.read, daemon=True).start()

    def read(self):
        try:
            while data := os.read(self.terminal, 65536):
                self.text += data.decode(errors="replace")
        except OSError:
            pass

    def wait_for(self, text, seconds=10):
        limit = time.monotonic() + seconds
        while text not in self.text:
            assert time.monotonic() < limit, f"{text!r} did not come: {self.text!r}"
            time.sleep(0.02)

    def end(self, seconds=5):
        limit = time.monotonic() + seconds
        while True:
            process, status = os.waitpid(self.process, os.WNOHANG)
            if process:
                break
            assert time.monotonic() < limit, "the program did not end"
            time.sleep(0.02)
        time.sleep(0.1)
        return status


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_the_live_view_is_redrawn_in_place_and_a_signal_gives_the_terminal_back(tmp_path, number):
    path = tmp_path / "daemon.sock"
    replies = {SUBSCRIBE: daemon.poses(frame=daemon.FRAME), GET_AHEAD: {"items": [daemon.ITEM]}}
    with StandIn(path, replies):
        screen = Screen(["watch"], path)
        screen.wait_for("left into Mill Lane")
        screen.wait_for("\x1b[10A")
        assert "generation 1, settled" in screen.text
        os.kill(screen.process, number)
        status = screen.end()
        assert os.WIFSIGNALED(status) and os.WTERMSIG(status) == number
        assert screen.text.rindex("\x1b[?25h") > screen.text.rindex("\x1b[?25l")


def test_the_live_view_goes_on_where_nothing_ahead_is_known(tmp_path):
    path = tmp_path / "daemon.sock"
    replies = {
        SUBSCRIBE: daemon.poses(), GET_AHEAD: Error("org.waymark.Scene.NotLocalized", reason="no position is known yet")}
    with StandIn(path, replies):
        screen = Screen(["watch", "-n", "5"], path)
        assert os.waitstatus_to_exitcode(screen.end(10)) == 0
        assert "nothing known" in screen.text
        assert screen.text.endswith("\x1b[?25h")


def test_a_terminal_that_cannot_be_drawn_on_gets_plain_lines(tmp_path):
    path = tmp_path / "daemon.sock"
    with StandIn(path, {SUBSCRIBE: daemon.poses()}):
        screen = Screen(["watch", "-n", "2"], path, kind="dumb")
        assert os.waitstatus_to_exitcode(screen.end(10)) == 0
        assert "from true north" in screen.text
        assert "\x1b" not in screen.text


# wait

def test_wait_returns_once_the_pose_is_good_enough(waymark):
    def improving(_parameters, _file):
        for accuracy in [50.0, 20.0, 9.0]:
            pose = {**daemon.POSE, "accuracy": {"horizontalAccuracy": accuracy, "orientationYawAccuracy": 5.0}}
            yield {"pose": pose}
            time.sleep(0.05)
        time.sleep(5)
    begun = time.monotonic()
    assert waymark("wait", replies={SUBSCRIBE: improving}).returncode == 0
    assert time.monotonic() - begun < 3


@pytest.mark.parametrize("change", [
    {"state": "limited", "reasons": ["noGNSSData"]},
    {"accuracy": {"horizontalAccuracy": 10.5, "orientationYawAccuracy": 5.0}},
    {"accuracy": {"horizontalAccuracy": 5.0, "orientationYawAccuracy": 15.5}},
    {"accuracy": {}},
])
def test_wait_times_out_with_4_and_says_what_is_missing(waymark, change):
    done = waymark("wait", "--timeout", "0.3", replies={SUBSCRIBE: daemon.poses(first={**daemon.POSE, **change})})
    assert done.returncode == 4
    assert "the pose is " in done.stderr
    if "reasons" in change:
        assert "no position fix" in done.stderr


def test_wait_waits_for_a_daemon_that_is_not_ready(waymark):
    answers = iter([Error("org.waymark.Pose.NotReady", reason="no sample yet")])
    ready = daemon.poses()
    done = waymark("wait", "--timeout", "5", replies={SUBSCRIBE: lambda *a: next(answers, None) or ready(*a)})
    assert done.returncode == 0


# record

RECORDING = {"path": "walk.mcap", "messages": 1200, "bytes": 34500, "dropped": 0}


def recorder(**more):
    """Replies of a daemon that takes the file it is handed and writes into it."""
    def start(_parameters, file):
        os.write(file, b"recorded")
        return {"path": "walk.mcap"}
    return {START: start, STOP: RECORDING, GET_STATUS: {"status": {**daemon.STATUS, "recording": RECORDING}}, **more}


def test_record_hands_its_own_file_over_and_stops_in_time(waymark, tmp_path):
    done = waymark("record", "walk.mcap", "--duration", "0.3", replies=recorder(), cwd=tmp_path)
    assert done.returncode == 0
    assert (tmp_path / "walk.mcap").read_bytes() == b"recorded"
    assert (tmp_path / "walk.mcap").stat().st_mode & 0o777 == 0o644
    assert done.stdout == "walk.mcap: 1200 messages, 34.5 kB\n"
    assert [call["method"] for call in done.calls if call["method"] != GET_STATUS] == [START, STOP]
    assert done.calls[0]["parameters"]["descriptor"] == 0


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_record_stops_the_recording_when_it_is_ended(tmp_path, number):
    path = tmp_path / "daemon.sock"
    with StandIn(path, recorder()) as stand_in:
        record = subprocess.Popen(
            [PROGRAM, "record", "walk.mcap"], env=environment(path), cwd=tmp_path, stdout=subprocess.PIPE,
            stderr=subprocess.PIPE, text=True)
        while not any(call["method"] == START for call in stand_in.calls):
            time.sleep(0.02)
        time.sleep(0.2)
        record.send_signal(number)
        out, _ = record.communicate(timeout=10)
        assert record.returncode == 0
        assert out.startswith("walk.mcap: 1200 messages")
        assert stand_in.calls[-1]["method"] == STOP


def test_record_never_writes_over_a_file(waymark, tmp_path):
    (tmp_path / "walk.mcap").write_text("mine")
    done = waymark("record", "walk.mcap", replies=recorder(), cwd=tmp_path)
    assert done.returncode == 1
    assert "walk.mcap" in done.stderr and "exists" in done.stderr
    assert (tmp_path / "walk.mcap").read_text() == "mine"
    assert done.calls == []


@pytest.mark.parametrize("error, hint", [
    (Error("org.waymark.Recording.AlreadyRecording", path="other.mcap"), "other.mcap"),
    (Error("org.waymark.Recording.CannotRecord", path="walk.mcap", reason="the disk is full"), "the disk is full"),
    (Error("org.varlink.service.PermissionDenied"), "configuration"),
])
def test_a_refused_recording_leaves_no_file_and_says_why(waymark, tmp_path, error, hint):
    done = waymark("record", "walk.mcap", replies=recorder(**{START: error}), cwd=tmp_path)
    assert done.returncode == 1
    assert hint in done.stderr
    assert not (tmp_path / "walk.mcap").exists()


def test_a_recording_that_the_daemon_ends_early_is_a_failure(waymark, tmp_path):
    done = waymark(
        "record", "walk.mcap", replies=recorder(**{GET_STATUS: {"status": daemon.STATUS}}), cwd=tmp_path)
    assert done.returncode == 1
    assert "journalctl" in done.stderr
