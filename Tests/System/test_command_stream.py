"""`waymark watch` against a stand-in daemon: the stream on terminals, pipes and full disks."""

import json
import os
import pty
import signal
import subprocess
import threading
import time

import pytest
from waymark_interface import POSE_SUBSCRIBE, SCENE_GET_AHEAD, SCENE_NOT_LOCALIZED, SERVICE_INVALID_PARAMETER

from harness import sample_messages as sample
from harness.command import PROGRAM, environment
from harness.stand_in import CLOSE, Error, StandIn, waymark  # noqa: F401
from harness.waiting import PATIENCE, wait_until


def test_watch_json_is_one_object_a_line_and_ends_after_the_count(waymark):
    done = waymark("watch", "--json", "-n", "3", "--rate", "50", replies={POSE_SUBSCRIBE: sample.poses()})
    assert done.returncode == 0
    assert [json.loads(line)["sequence"] for line in done.stdout.splitlines()] == [1, 2, 3]
    assert done.calls[0]["parameters"]["rate"] == 50


def test_watch_without_a_terminal_prints_plain_lines(waymark):
    done = waymark("watch", "-n", "2", replies={POSE_SUBSCRIBE: sample.poses()})
    assert done.returncode == 0
    assert len(done.stdout.splitlines()) == 2
    assert "\x1b" not in done.stdout
    assert "12.0° N from true north" in done.stdout


# Seconds until a program gives up: on a busy machine nothing may have come in a short time, and it is tried once more.
TIMEOUTS = (0.5, 4, 32)


def test_watch_with_a_timeout_ends_with_0_when_poses_came(waymark):
    for timeout in TIMEOUTS:
        begun = time.monotonic()
        done = waymark("watch", "--json", "--timeout", timeout, replies={POSE_SUBSCRIBE: sample.poses()})
        assert time.monotonic() - begun >= timeout
        if len(done.stdout.splitlines()) > 2:
            break
    assert done.returncode == 0 and len(done.stdout.splitlines()) > 2


def test_watch_times_out_with_4_when_too_few_poses_came(waymark):
    done = waymark("watch", "-n", "1000", "--timeout", "0.3", replies={POSE_SUBSCRIBE: sample.poses(count=3)})
    assert done.returncode == 4
    assert "of 1000 poses" in done.stderr


def test_watch_says_when_a_daemon_falls_silent(waymark):
    def silent(*_):
        yield {"pose": sample.POSE}
        time.sleep(4)
        yield {"pose": sample.POSE}

    done = waymark("watch", "-n", "2", replies={POSE_SUBSCRIBE: silent})
    assert done.returncode == 0 and len(done.stdout.splitlines()) == 2
    assert done.stderr.count("no pose for 3 s") == 1


def test_watch_asks_for_one_line_of_text_a_second_and_for_ten_objects(tmp_path):
    for arguments, rate in (([], 1), (["--json"], 10), (["--rate", "5"], 5)):
        with StandIn(tmp_path / f"{rate}.sock", {POSE_SUBSCRIBE: sample.poses(count=1)}) as daemon:
            subprocess.run(
                [PROGRAM, "watch", "-n", "1", *arguments], env=environment(tmp_path / f"{rate}.sock"), capture_output=True)
        assert daemon.calls[-1]["parameters"]["rate"] == rate


def test_watch_times_out_with_4_when_no_pose_came(waymark):
    done = waymark("watch", "--timeout", "0.3", replies={POSE_SUBSCRIBE: sample.poses(count=0)})
    assert done.returncode == 4


def test_watch_ends_with_3_when_the_daemon_goes(waymark):
    done = waymark("watch", "--json", replies={POSE_SUBSCRIBE: lambda *_: iter([{"pose": sample.POSE}, CLOSE])})
    assert done.returncode == 3
    assert len(done.stdout.splitlines()) == 1


def test_a_closed_pipe_ends_watch_quietly(tmp_path):
    path = tmp_path / "daemon.sock"
    with StandIn(path, {POSE_SUBSCRIBE: sample.poses()}):
        watch = subprocess.Popen(
            [PROGRAM, "watch", "--json"], env=environment(path), stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        watch.stdout.readline()
        watch.stdout.close()
        assert watch.wait(PATIENCE) == 0
        assert watch.stderr.read() == b""


def test_a_closed_pipe_ends_replay_quietly(tmp_path):
    # Long enough that the table does not fit into the pipe.
    rows = [f"{number * 0.005:.3f},0,9.81,0,0,0,0\n" for number in range(20_000)]
    (tmp_path / "imu.csv").write_text("t_s,ax,ay,az,gx,gy,gz\n" + "".join(rows))
    replay = subprocess.Popen(
        [PROGRAM, "replay", "--output", "-", tmp_path], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    assert replay.stdout.readline().startswith(b"t_s,")
    replay.stdout.close()
    assert replay.wait(PATIENCE) == 0
    assert replay.stderr.read() == b""


def test_an_output_that_others_made_non_blocking_gets_every_line(tmp_path):
    path = tmp_path / "daemon.sock"
    reader, writer = os.pipe()
    os.set_blocking(writer, False)
    with StandIn(path, {POSE_SUBSCRIBE: sample.poses(interval=0)}):
        watch = subprocess.Popen(
            [PROGRAM, "watch", "--json", "-n", "500"], env=environment(path), stdout=writer, stderr=subprocess.PIPE)
        os.close(writer)
        # Until the pipe is full, which takes about 64 KiB.
        time.sleep(1)
        with open(reader) as lines:
            found = [json.loads(line)["sequence"] for line in lines]
        assert watch.wait(PATIENCE) == 0, watch.stderr.read()
    assert found == list(range(1, 501))


def test_a_full_disk_is_told(waymark):
    with open("/dev/full", "w") as full:
        done = subprocess.run([PROGRAM, "--help"], stdout=full, stderr=subprocess.PIPE, text=True)
    assert done.returncode == 1
    assert "No space left" in done.stderr


# Line breaks at the border, the cursor, and the screen of before.
LEFT = "\x1b[?7h\x1b[?25h\x1b[?1049l"


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
        self.reader = threading.Thread(target=self.read, daemon=True)
        self.reader.start()

    def read(self):
        try:
            while data := os.read(self.terminal, 65536):
                self.text += data.decode(errors="replace")
        except OSError:
            pass

    def wait_for(self, text):
        wait_until(lambda: text in self.text, what=lambda: f"{text!r} on the screen: {self.text!r}")

    def end(self):
        """Waits for the program's end and for all that it wrote; the program's status."""
        _, status = wait_until(
            lambda: (found := os.waitpid(self.process, os.WNOHANG))[0] and found, what="the program to end")
        self.reader.join(PATIENCE)
        return status


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_the_live_view_has_the_whole_terminal_and_a_signal_gives_it_back(tmp_path, number):
    path = tmp_path / "daemon.sock"
    replies = {POSE_SUBSCRIBE: sample.poses(frame=sample.FRAME), SCENE_GET_AHEAD: {"items": [sample.ITEM]}}
    with StandIn(path, replies):
        screen = Screen(["watch"], path)
        screen.wait_for("left into Mill Lane")
        screen.wait_for("generation 1, settled")
        os.kill(screen.process, number)
        status = screen.end()
        assert os.WIFSIGNALED(status) and os.WTERMSIG(status) == number
        assert screen.text.endswith(LEFT)


def test_the_live_view_goes_on_where_nothing_ahead_is_known(tmp_path):
    path = tmp_path / "daemon.sock"
    replies = {
        POSE_SUBSCRIBE: sample.poses(), SCENE_GET_AHEAD: Error(SCENE_NOT_LOCALIZED, reason="no position is known yet")}
    with StandIn(path, replies):
        screen = Screen(["watch", "-n", "5"], path)
        assert os.waitstatus_to_exitcode(screen.end()) == 0
        assert "nothing ahead" in screen.text
        assert screen.text.endswith(LEFT)


def test_on_a_terminal_too_few_poses_end_with_4(tmp_path):
    path = tmp_path / "daemon.sock"
    with StandIn(path, {POSE_SUBSCRIBE: sample.poses(count=3)}):
        for timeout in TIMEOUTS:
            screen = Screen(["watch", "-n", "1000", "--timeout", str(timeout)], path)
            assert os.waitstatus_to_exitcode(screen.end()) == 4
            said = screen.text.partition(LEFT)[2]
            if "only 3 of" in said:
                break
        assert "only 3 of 1000 poses" in said


def test_on_a_terminal_a_refusal_ends_the_view_with_its_reason(tmp_path):
    path = tmp_path / "daemon.sock"
    refusal = Error(SERVICE_INVALID_PARAMETER, parameter="rate")
    with StandIn(path, {POSE_SUBSCRIBE: refusal}):
        screen = Screen(["watch", "--rate", "1000"], path)
        assert os.waitstatus_to_exitcode(screen.end()) == 1
        assert "rate" in screen.text


def test_a_terminal_that_cannot_be_drawn_on_gets_plain_lines(tmp_path):
    path = tmp_path / "daemon.sock"
    with StandIn(path, {POSE_SUBSCRIBE: sample.poses()}):
        screen = Screen(["watch", "-n", "2"], path, kind="dumb")
        assert os.waitstatus_to_exitcode(screen.end()) == 0
        assert "from true north" in screen.text
        assert "\x1b" not in screen.text
