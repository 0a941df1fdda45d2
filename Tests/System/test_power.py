"""Sensors do less without a subscriber, and all they can as soon as one comes."""
import contextlib
import math
import os
import subprocess
import time

import pytest
from waymark_interface import (
    POSE_GET_POSE, RECORDING_START, RECORDING_STOP, SCENE_SERVE_NAVIGATION, SCENE_SUBSCRIBE)

from harness.paths import PROGRAMS
from harness.pose_ring import PoseRing
from harness.poses import longest_gap, stamp
from harness.rig import Rig, lacks_motion_alone
from harness.varlink import Connection
from harness.waiting import PATIENCE, wait_until

IDLE = {"power": {"idle_after_seconds": 1}}
# Between two samples at full rate, the next slower rate of the board being a quarter of it. Unit: s.
FULL = 0.008


@pytest.fixture(scope="module")
def sleeper():
    """A board of real parts that goes idle after a second; the tests share it."""
    rig = Rig(IDLE)
    rig.placed()
    yield rig
    rig.remove()


def mode(rig):
    return rig.daemon.status()["power"]["mode"]


def is_idle(rig):
    status = rig.daemon.status()
    rates = {device["name"]: device.get("grantedRate") for device in status["devices"]}
    return status["power"]["mode"] == "idle" and rates["imu_6axis"] == 50 and rates["magn_3axis"] == 10


def wait_for_idle(rig):
    wait_until(lambda: is_idle(rig), 2 * PATIENCE, lambda: f"idle sensors; they are {rig.daemon.status()}")


def least_interval(poses):
    times = [stamp(pose) for pose in poses]
    return min((later - earlier for earlier, later in zip(times, times[1:])), default=math.inf)


def test_sensors_go_idle_when_nobody_is_there_and_the_status_says_so(sleeper):
    # A navigator serves the daemon, and wants no poses.
    with Connection(sleeper.daemon.socket) as navigator:
        navigator.send_call(SCENE_SERVE_NAVIGATION, {}, more=True)
        assert navigator.reply() == {}
        wait_for_idle(sleeper)
    said = sleeper.daemon.said("power: idle")
    assert said.endswith("inertial sensors at 50.0 Hz, magnetometer at 10.0 Hz, if supported")
    text = subprocess.run(
        [PROGRAMS / "waymark", "--socket", sleeper.daemon.socket, "status"], capture_output=True, text=True, check=True)
    assert "idle for" in text.stdout
    # To ask how the daemon does is no reason to wake it.
    assert mode(sleeper) == "idle"


def test_a_client_of_the_pose_ring_has_the_full_rate(sleeper):
    wait_for_idle(sleeper)
    with PoseRing(f"{sleeper.daemon.socket}.ring"):
        assert mode(sleeper) == "active"
    wait_for_idle(sleeper)


def test_a_subscriber_has_the_full_rate_and_poses_go_on_over_the_switch(sleeper):
    sleeper.placed()
    wait_for_idle(sleeper)
    generation = sleeper.daemon.status()["generation"]
    with sleeper.daemon.subscribe(rate=1000) as reader:
        wait_until(lambda: least_interval(list(reader.poses)) < FULL, what="poses at full rate")
        assert mode(sleeper) == "active"
        assert sleeper.daemon.device("imu_6axis")["grantedRate"] == 200
        reader.wait_for_more(100)
        # The order is looked at as well; the time that a busy machine holds all of this up is not.
        longest_gap(reader)
        assert lacks_motion_alone(reader.poses[0])
        reader.wait_for(lacks_motion_alone)
        assert {pose["generation"] for pose in reader.poses} == {generation}
        positions = [(pose["position"]["x"], pose["position"]["y"], pose["position"]["z"]) for pose in reader.poses]
        steps = [max(abs(a - b) for a, b in zip(*pair)) for pair in zip(positions, positions[1:])]
        assert max(steps) < 0.25, "a board at rest does not jump"
    wait_for_idle(sleeper)
    sleeper.placed()


def test_a_call_for_a_pose_is_answered_at_once_and_wakes_the_sensors(sleeper):
    wait_for_idle(sleeper)
    wakes = sleeper.daemon.status()["power"]["wakes"]
    pose = sleeper.daemon.call(POSE_GET_POSE)["pose"]
    assert lacks_motion_alone(pose)
    assert sleeper.daemon.status()["power"]["wakes"] == wakes + 1
    wait_for_idle(sleeper)


def test_a_recording_has_the_full_rate(sleeper, tmp_path):
    wait_for_idle(sleeper)
    sleeper.daemon.call(RECORDING_START, {"path": "power.mcap"})
    assert mode(sleeper) == "active"
    wait_until(lambda: sleeper.daemon.device("imu_6axis")["grantedRate"] == 200)
    # As long as it goes on, nothing else has to be there; four times the time set.
    time.sleep(4)
    assert mode(sleeper) == "active"
    sleeper.daemon.call(RECORDING_STOP)
    wait_for_idle(sleeper)


def test_settings_hold_from_a_reload_on(sleeper):
    wait_for_idle(sleeper)
    sleeper.daemon.configure({"power": {"idle_inertial_rate_hz": 100}})
    sleeper.daemon.reload()
    wait_until(lambda: sleeper.daemon.device("imu_6axis")["grantedRate"] == 100)
    sleeper.daemon.configure({"power": {"idle_inertial_rate_hz": 50, "enabled": False}})
    sleeper.daemon.reload()
    wait_until(lambda: mode(sleeper) == "active" and sleeper.daemon.device("imu_6axis")["grantedRate"] == 200)
    sleeper.daemon.configure({"power": {"enabled": True}})
    sleeper.daemon.reload()
    wait_for_idle(sleeper)


def test_a_client_that_comes_and_goes_again_and_again_fills_no_journal(sleeper):
    wait_for_idle(sleeper)
    before, wakes = sleeper.daemon.log.count("power: "), sleeper.daemon.status()["power"]["wakes"]
    descriptors = sleeper.daemon.program.settled_descriptors()
    for _ in range(100):
        with sleeper.daemon.subscribe() as reader:
            reader.wait_for_more(1)
    assert sleeper.daemon.status()["power"]["wakes"] > wakes, "they woke the sensors"
    assert sleeper.daemon.log.count("power: ") - before <= 12
    assert lacks_motion_alone(sleeper.daemon.status())
    wait_until(
        lambda: sleeper.daemon.program.descriptors() <= descriptors + 2, 2 * PATIENCE,
        lambda: f"{descriptors} descriptors; there are {os.listdir(f'/proc/{sleeper.daemon.program.pid}/fd')}")


def batches(rig):
    """Numbers of samples for which the buffer of the inertial sensors was opened, in order."""
    lines = (line.split() for line in rig.board.program.log.splitlines())
    return [int(words[3]) for words in lines if words[1:3] == ["OPEN", "iio:device0"]]


def test_a_display_has_each_sample_by_itself_and_may_come_and_go():
    rig = Rig({"power": {"idle_after_seconds": 3600}}, board=("--preset", "board", "--log"))
    try:
        rig.placed()
        with rig.daemon.subscribe(rate=20) as reader:
            reader.wait_for_more(5)
            assert batches(rig)[-1] == 3
            before = len(batches(rig))
        generation = rig.daemon.status()["generation"]
        with rig.daemon.subscribe(rate=60) as reader:
            wait_until(lambda: batches(rig)[before:] == [1], what="a buffer of single samples")
            rig.daemon.said("delivered within 4.2 ms")
            reader.wait_for_more(50)
            longest_gap(reader)
            assert {pose["generation"] for pose in reader.poses} == {generation}
        for _ in range(20):
            with rig.daemon.subscribe(rate=60) as reader:
                reader.wait_for_more(1)
        assert batches(rig)[before:] == [1], "the sensors were not started again"
        assert mode(rig) == "active"
    finally:
        rig.remove()


def test_the_daemon_is_small():
    """It has 5 MB with four subscribers, and 15 MB of files; some 4 MB more while its queues took their memory at once."""
    rig = Rig()
    try:
        rig.placed()
        with contextlib.ExitStack() as stack:
            readers = [stack.enter_context(rig.daemon.subscribe(rate=60)) for _ in range(4)]
            for reader in readers:
                reader.wait_for_more(100)
            assert rig.daemon.program.anonymous_kib() < 7 * 1024
            # It has about 5 MB. With more, run scripts/function-order/measure: new functions lie apart from the others.
            assert 1024 < rig.daemon.program.code_kib() < 8 * 1024
    finally:
        rig.remove()


def test_a_scene_at_a_displays_rate_counts_as_one():
    rig = Rig(board=("--preset", "board", "--log"))
    try:
        with Connection(rig.daemon.socket) as reader:
            reader.send_call(SCENE_SUBSCRIBE, {"rate": 60}, more=True)
            wait_until(lambda: batches(rig)[-1:] == [1], what="a buffer of single samples")
    finally:
        rig.remove()


def test_a_simulated_walk_has_no_sensors_to_pace(walk):
    assert "power" not in walk.status()
