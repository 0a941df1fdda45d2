"""`waymarkd --demo`: the simulated board is handled as each calibration asks; the screens are whole at 80×24."""
import json

import pytest

from harness import command
from harness.command import PROGRAM
from harness.daemon import Daemon
from harness.tmux import Terminal
from harness.waiting import wait_until

# The board is put down or turned in real time; a busy machine needs some more.
LONG = 240


@pytest.fixture
def demo():
    """Makes demonstrations, each with a socket of its own and nothing else."""
    daemons = []

    def make():
        daemon = Daemon()
        daemons.append(daemon)
        return daemon.start("--demo", "--socket", daemon.socket)

    yield make
    for daemon in daemons:
        daemon.remove()


@pytest.mark.long
@pytest.mark.parametrize("kind", ["gyro", "accel", "mag", "mount"])
def test_a_calibration_succeeds_without_hardware(demo, kind):
    daemon = demo()
    done = command.waymark("calibrate", kind, "--json", socket=daemon.socket, timeout=LONG)
    assert done.returncode == 0, done
    steps = [json.loads(line) for line in done.stdout.splitlines()]
    result = steps.pop()
    assert result["accepted"] and result["stored"] and result["kind"] == kind
    # Covered directions remain covered, and most of the 100 are in the end.
    regions = [set(step["regions"]) for step in steps if "regions" in step]
    assert all(before <= after for before, after in zip(regions, regions[1:]))
    assert len(regions[-1]) >= 80 if kind == "mag" else not regions
    # The walk goes on, and the estimate with it.
    daemon.wait_for_state("localized", timeout=LONG)
    assert "the simulated board is handled as it asks" in daemon.log


@pytest.mark.long
def test_noise_takes_the_seconds_that_it_is_given(demo):
    daemon = demo()
    done = command.waymark("calibrate", "noise", "--seconds", "75", "--json", socket=daemon.socket, timeout=LONG)
    assert done.returncode == 0, done
    result = json.loads(done.stdout.splitlines()[-1])
    assert result["accepted"] and len(result["noise"]) == 6


def test_a_walk_that_a_cancelled_calibration_interrupted_goes_on(demo):
    daemon = demo()
    daemon.wait_for_state("localized")
    done = command.waymark("calibrate", "mag", "--timeout", "6", socket=daemon.socket)
    assert done.returncode == 4
    daemon.said("mag cancelled")
    before = daemon.call("org.waymark.Pose.GetPose")["pose"]

    def walks():
        pose = daemon.call("org.waymark.Pose.GetPose")["pose"]
        return sum((pose["position"][axis] - before["position"][axis]) ** 2 for axis in "xyz") > 9
    wait_until(walks, LONG, lambda: "three metres walked")


def whole(lines, first, last):
    """Whether a screen of 80×24 has its first and its last line, and none that fills the width: it may be cut off."""
    assert any(line.startswith(first) for line in lines), "\n".join(lines)
    assert any(last in line for line in lines), "\n".join(lines)
    assert len(lines) <= 24 and all(len(line) < 79 for line in lines), "\n".join(lines)


@pytest.mark.parametrize("kind, title, sight", [
    ("gyro", "Gyroscope", "Leave the board at rest"), ("accel", "Accelerometer", "Hold it with its"),
    ("mag", "Magnetometer", "of 100 directions"), ("mount", "How the board is worn", "look straight ahead"),
    ("noise", "Noise", "Leave the board at rest"),
])
def test_the_screen_of_a_calibration_is_whole(demo, kind, title, sight):
    daemon = demo()
    with Terminal([PROGRAM, "calibrate", kind], command.environment(daemon.socket)) as terminal:
        whole(terminal.wait_for(sight), title, "Enter finishes with the samples so far; Ctrl-C cancels")
        terminal.press("C-c")
        terminal.wait_for("ended with")


def test_the_introductions_of_all_are_whole(demo):
    daemon = demo()
    # Nothing is cut off within a word, where the terminal would break the line.
    with Terminal([PROGRAM, "calibrate", "all"], command.environment(daemon.socket)) as terminal:
        for title in ["1 of 4  Gyroscope", "2 of 4  Accelerometer", "3 of 4  Magnetometer", "4 of 4  How"]:
            lines = terminal.wait_for(title)
            assert all(len(line) < 80 for line in lines), terminal.text
            terminal.wait_for("Enter to start, s to skip, q to quit:")
            terminal.press("s", "Enter")
        terminal.wait_for("Summary:")


def test_the_scene_is_whole(demo):
    daemon = demo()
    daemon.wait_for_state("localized")
    with Terminal([PROGRAM, "scene", "--watch"], command.environment(daemon.socket)) as terminal:
        whole(terminal.wait_for("Old Town"), "frame ", "Old Town")
