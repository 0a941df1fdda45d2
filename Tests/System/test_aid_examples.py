"""The examples that offer measurements, with the real daemon: what they offer is accepted, and its values are right.

What arrived is read from a recording, which has the offers as the estimator gets them: of the board, in axes of the body.
"""
import contextlib
import importlib.util
import itertools
import math
import os
import pty
import shutil
import subprocess
import sys
import threading
import time

import numpy as np
import pytest
from pymavlink.dialects.v20 import common as mavlink
from scipy.spatial.transform import Rotation
from waymark_interface import AID_LIST, RECORDING_START, RECORDING_STOP

from harness import recording
from harness.client_programs import compile_library, compile_program, python_environment
from harness.paths import ROOT
from harness.process import Program
from harness.server import local_listener
from harness.waiting import PATIENCE, wait_until

pytestmark = pytest.mark.library

EXAMPLES = ROOT / "clients/python/examples"
# From a frame with z up to one with y up.
UPRIGHT = Rotation.from_matrix([[1, 0, 0], [0, 0, 1], [0, -1, 0]])
# Of the axes of an optical frame, y down and z ahead, in those of the body.
OPTICAL = Rotation.from_matrix(np.diag([1, -1, -1]))


@contextlib.contextmanager
def recorded(daemon, name, topic):
    """A list that has the messages of the topic at the end of the `with`."""
    found = []
    path = daemon.call(RECORDING_START, {"path": name})["path"]
    try:
        yield found
    finally:
        daemon.call(RECORDING_STOP)
    found += [content for _, _, content in recording.messages(path, {topic})]


def vector(content):
    return np.array([content["position"][axis] for axis in "xyz"])


def rotation(content):
    return Rotation.from_quat([content["orientation"][axis] for axis in "xyzw"])


def is_rotation(found, expected):
    return (found * expected.inv()).magnitude() < 1e-6


def steps(contents):
    """Times between the stamps. Unit: seconds."""
    times = [content["time"]["sec"] + content["time"]["nsec"] * 1e-9 for content in contents]
    return np.diff(times)


def accepted(daemon, source):
    """Number of accepted offers of a source, None while it is not open; nothing may be refused."""
    found = next((each for each in daemon.call(AID_LIST)["sources"] if each["source"] == source), None)
    assert not found or found["refused"] == []
    return found and found["accepted"]


class Running(Program):
    """An example in Python that runs while the test goes on; input and errors are pipes."""

    def __init__(self, folder, daemon, name, *arguments):
        super().__init__(
            [sys.executable, "-W", "error", EXAMPLES / f"{name}.py", *map(str, arguments)], folder / f"{name}.log",
            stdin=subprocess.PIPE, text=True, bufsize=1, env=python_environment(WAYMARK_SOCKET=str(daemon.socket)))

    def write(self, line):
        self.process.stdin.write(line + "\n")
        self.process.stdin.flush()

    def finish(self):
        self.process.stdin.close()
        self.wait()
        assert self.end() == 0, self.log


def example(name):
    """The module of an example."""
    made = importlib.util.spec_from_file_location(name, EXAMPLES / f"{name}.py")
    module = importlib.util.module_from_spec(made)
    made.loader.exec_module(module)
    return module


# Trajectories of cameras


@pytest.fixture(scope="module")
def programs(tmp_path_factory):
    """The compiled examples in C."""
    if not shutil.which("cc"):
        pytest.skip("needs a C compiler")
    folder = compile_library(tmp_path_factory.mktemp("library"))
    return {"odometry_tum": compile_program(folder, ROOT / "clients/c/examples/odometry_tum.c")}


def trajectory(count=30):
    """Poses of a camera that moves, turns and tilts, in a frame with z up: time, position, rotation."""
    for number in range(count):
        seconds = number / 60
        turn = Rotation.from_euler("ZYX", [2 * seconds, 0.5 * seconds, -1.5 + seconds])
        yield 1305031102.1758 + seconds, np.array([seconds, seconds**2, 1.6]), turn


def write_trajectory(path):
    lines = ["# timestamp tx ty tz qx qy qz qw"]
    lines += [" ".join(f"{value:.9f}" for value in (time, *place, *turn.as_quat())) for time, place, turn in trajectory()]
    path.write_text("\n".join([*lines, ""]))
    return path


def check_trajectory(found, expected):
    """Whether the board's poses are those of the camera, by its mount on the right temple."""
    assert len(found) == len(expected)
    for content, (_, place, turn) in zip(found, expected):
        body = UPRIGHT * turn * OPTICAL.inv()
        assert is_rotation(rotation(content), body)
        assert np.allclose(vector(content), UPRIGHT.apply(place) - body.apply([0.06, 0, -0.02]), atol=1e-6)
        assert content["tracking"] == 1 and content["reset"] == 0
    assert np.allclose(steps(found), np.diff([time for time, _, _ in expected]), atol=1e-6)


def run_c(program, daemon, *arguments):
    return subprocess.run(
        [program, *arguments], capture_output=True, text=True, timeout=PATIENCE,
        env={**os.environ, "WAYMARK_SOCKET": str(daemon.socket)})


def test_a_trajectory_of_the_tum_format_arrives_pose_by_pose_upright_and_of_the_board(walk, programs, tmp_path):
    file = write_trajectory(tmp_path / "trajectory.txt")
    with recorded(walk, "tum", "/aid/odometry") as found:
        done = run_c(programs["odometry_tum"], walk, file)
    assert (done.returncode, done.stdout) == (0, "30 accepted, 0 refused \n"), done.stderr
    check_trajectory(found, list(trajectory()))


def test_comments_and_empty_lines_of_a_trajectory_may_be_of_any_length_and_have_ends_of_windows(walk, programs, tmp_path):
    file = tmp_path / "trajectory.txt"
    file.write_bytes(b"# " + b"1 " * 600 + b"\r\n\r\n5 0 0 0 0 0 0 1\r\n \n\n5.01 0 0 0 0 0 0 1\n\r\n")
    done = run_c(programs["odometry_tum"], walk, file)
    assert (done.returncode, done.stdout) == (0, "2 accepted, 0 refused \n"), done.stderr


@pytest.mark.parametrize("line", ["1 2 3", "nan 0 0 0 0 0 0 1", "1e300 0 0 0 0 0 0 1", "x" * 600])
def test_a_trajectory_with_a_line_that_is_none_ends_there(walk, programs, tmp_path, line):
    file = tmp_path / "trajectory.txt"
    file.write_text(f"5 0 0 0 0 0 0 1\n{line}\n6 0 0 0 0 0 0 1\n")
    done = run_c(programs["odometry_tum"], walk, file)
    assert (done.returncode, done.stdout) == (1, "1 accepted, 0 refused \n") and done.stderr


# Ranges

ANCHORS = """# address,latitude,longitude,height
1151,47.3700,8.5400,452.0
0ca8,47.3701,8.5401,452.5
"""
LINES = [
    "DIST,2,AN0,1151,5.00,8.00,2.25,6.48,AN1,0CA8,0.00,8.00,2.25,6.51,POS,6.95,5.37,-1.97,52",
    "DIST,1,AN0,0CA8,0.00,8.00,2.25,6.40",
    # Of an anchor that is in no table, one that the tag has not measured, and none.
    "DIST,2,AN0,FFFF,5.00,8.00,2.25,6.48,AN1,0CA8,0.00,8.00,2.25,0.00",
    "DIST,0",
    # Garbled, cut off, and other output.
    "DIST,4,AN0,0090,0.00,0.00,0.00,3.25,AN3,15BA,0.00,0,AN3,15BA,0.00,0.00,0.00,0.00",
    "DIST,2,AN0,1151,5.00,8.00,2.25,6.48,AN1,0CA8,0.00,8.0",
    "DIST,1,AN0,1151,5.00,8.00,2.25,nan",
    "DIST,99999999999,AN0,1151",
    "dwm> lec", "", "x" * 5000,
    "DIST,1,AN0,1151,5.00,8.00,2.25,7.25,POS,6.95,5.37,-1.97,52\r",
]


def check_ranges(found):
    assert [(round(content["latitude"], 4), content["height"], content["range"]) for content in found] == [
        (47.37, 452.0, 6.48), (47.3701, 452.5, 6.51), (47.3701, 452.5, 6.4), (47.37, 452.0, 7.25)]
    assert {content["standardDeviation"] for content in found} == {0.15}


def test_the_ranges_of_a_dwm1001_arrive_with_the_positions_of_its_anchors(walk, tmp_path):
    (tmp_path / "anchors.csv").write_text(ANCHORS)
    with recorded(walk, "uwb", "/aid/range") as found:
        program = Running(tmp_path, walk, "ranges_dwm1001", tmp_path / "anchors.csv")
        for line in LINES:
            program.write(line)
        wait_until(lambda: accepted(walk, "uwb") == 4)
        program.finish()
    check_ranges(found)
    assert program.log.count("FFFF") == 1


def test_the_ranges_of_a_dwm1001_are_read_from_its_serial_line(walk, tmp_path):
    (tmp_path / "anchors.csv").write_text(ANCHORS)
    tag, device = pty.openpty()
    with recorded(walk, "serial", "/aid/range") as found:
        program = Running(tmp_path, walk, "ranges_dwm1001", tmp_path / "anchors.csv", os.ttyname(device))
        # The line is set as the device needs it before the source is opened.
        wait_until(lambda: accepted(walk, "uwb") == 0)
        for line in LINES:
            os.write(tag, line.encode() + b"\r\n")
        wait_until(lambda: accepted(walk, "uwb") == 4)
        # As when the device is unplugged.
        os.close(device)
        os.close(tag)
        program.finish()
    check_ranges(found)


# MAVLink

# Its axes in those of Waymark: ahead is -z, right x and down -y.
AXES = Rotation.from_matrix([[0, 1, 0], [0, 0, -1], [-1, 0, 0]])
# With z up: left is -x.
AXES_UP = Rotation.from_matrix([[0, -1, 0], [0, 0, 1], [-1, 0, 0]])
UNKNOWN = [math.nan] + [0.0] * 20


@pytest.fixture(scope="module")
def mavlink_example():
    return example("odometry_mavlink")


# System and component.
SENDER, ANOTHER = (1, 197), (1, 1)


def by_wire(message, sender=SENDER):
    """The message as it arrives: its numbers are of single precision."""
    sender = mavlink.MAVLink(None, *sender)
    return mavlink.MAVLink(None).parse_char(message.pack(sender))


def odometry(
        place, turn, stamp=0, frame=mavlink.MAV_FRAME_LOCAL_FRD, body=mavlink.MAV_FRAME_BODY_FRD, quality=0, reset=0):
    x, y, z, w = turn.as_quat()
    return mavlink.MAVLink_odometry_message(
        stamp, frame, body, *place, [w, x, y, z], 0, 0, 0, 0, 0, 0, UNKNOWN, UNKNOWN,
        reset_counter=reset, quality=quality)


def estimate(place, roll, pitch, yaw, stamp=0, reset=0):
    return mavlink.MAVLink_vision_position_estimate_message(
        stamp, *place, roll, pitch, yaw, UNKNOWN, reset_counter=reset)


# By their numbers where the definition keeps them reserved: names of before are MOCAP, VISION and ESTIM, and BODY_FLU.
FRAMES = [
    *((frame, AXES) for frame in (mavlink.MAV_FRAME_LOCAL_NED, mavlink.MAV_FRAME_LOCAL_FRD, 14, 16, 18)),
    *((frame, AXES_UP) for frame in (mavlink.MAV_FRAME_LOCAL_ENU, mavlink.MAV_FRAME_LOCAL_FLU, 15, 17, 19)),
]
BODIES = [
    *((body, AXES) for body in (
        mavlink.MAV_FRAME_BODY_FRD, mavlink.MAV_FRAME_BODY_NED, mavlink.MAV_FRAME_BODY_OFFSET_NED,
        mavlink.MAV_FRAME_LOCAL_NED, mavlink.MAV_FRAME_LOCAL_FRD)),
    (13, AXES_UP),
]


@pytest.mark.parametrize("frame, frame_axes", FRAMES)
@pytest.mark.parametrize("body, body_axes", BODIES)
def test_poses_of_mavlink_are_turned_in_frame_and_body(mavlink_example, frame, frame_axes, body, body_axes):
    chance = np.random.default_rng(7)
    for _ in range(20):
        place, turn = chance.uniform(-100, 100, 3), Rotation.from_quat(chance.normal(size=4))
        pose = mavlink_example.read_pose(by_wire(odometry(place, turn, frame=frame, body=body)))
        assert np.allclose(pose.position, frame_axes.apply(place), atol=1e-4)
        assert is_rotation(Rotation.from_quat(pose.orientation), frame_axes * turn * body_axes.inv())
        assert math.isclose(math.hypot(*pose.orientation), 1, abs_tol=1e-9)


def test_one_pose_of_mavlink_is_the_same_with_z_down_and_up(mavlink_example):
    flip = Rotation.from_matrix(np.diag([1, -1, -1]))
    place, turn = np.array([1, 2, -3]), Rotation.from_euler("ZYX", [0.7, -0.3, 1.1])
    down = mavlink_example.read_pose(by_wire(odometry(place, turn)))
    # The same body in FLU, and itself FLU too.
    for body, own in ((mavlink.MAV_FRAME_BODY_FRD, Rotation.identity()), (13, flip)):
        message = odometry(flip.apply(place), flip * turn * own, frame=mavlink.MAV_FRAME_LOCAL_FLU, body=body)
        pose = mavlink_example.read_pose(by_wire(message))
        assert np.allclose(pose.position, down.position)
        assert is_rotation(Rotation.from_quat(pose.orientation), Rotation.from_quat(down.orientation))


@pytest.mark.parametrize("angles, line_of_sight, right", [
    ((0, 0, 0), (0, 0, -1), (1, 0, 0)),
    # A yaw to the right, with north ahead in the frame: the line of sight is east, which is x.
    ((0, 0, 90), (1, 0, 0), (0, 0, 1)),
    # A pitch up, and a roll to the right.
    ((0, 90, 0), (0, 1, 0), (1, 0, 0)),
    ((90, 0, 0), (0, 0, -1), (0, -1, 0)),
])
def test_angles_of_mavlink_turn_the_body_as_they_say(mavlink_example, angles, line_of_sight, right):
    pose = mavlink_example.read_pose(by_wire(estimate((1, 2, -3), *np.radians(angles), reset=4)))
    body = Rotation.from_quat(pose.orientation)
    # One metre north, two east and three up.
    assert np.allclose(pose.position, (2, 3, -1))
    assert np.allclose(body.apply([0, 0, -1]), line_of_sight, atol=1e-6)
    assert np.allclose(body.apply([1, 0, 0]), right, atol=1e-6)
    assert (pose.reset, pose.tracking) == (4, 1)


def test_both_messages_of_mavlink_give_the_same_pose(mavlink_example):
    turn = Rotation.from_euler("ZYX", [0.7, -0.3, 1.1])
    first = mavlink_example.read_pose(by_wire(odometry((1, 2, 3), turn, frame=mavlink.MAV_FRAME_LOCAL_NED)))
    second = mavlink_example.read_pose(by_wire(estimate((1, 2, 3), 1.1, -0.3, 0.7)))
    assert np.allclose(first.position, second.position)
    assert is_rotation(Rotation.from_quat(first.orientation), Rotation.from_quat(second.orientation))


@pytest.mark.parametrize("quality, tracking", [(-1, 0), (0, 1), (1, 0.01), (60, 0.6), (100, 1)])
def test_the_quality_of_mavlink_is_that_of_the_tracking_where_it_is_known(mavlink_example, quality, tracking):
    message = by_wire(odometry((0, 0, 0), Rotation.identity(), quality=quality, reset=3))
    pose = mavlink_example.read_pose(message)
    assert (pose.tracking, pose.reset) == (tracking, 3)


def test_poses_in_other_frames_or_without_numbers_are_passed_over(mavlink_example):
    level = Rotation.identity()
    # The origin of LOCAL_OFFSET_NED goes with the vehicle.
    for frame in (mavlink.MAV_FRAME_GLOBAL, mavlink.MAV_FRAME_LOCAL_OFFSET_NED, mavlink.MAV_FRAME_BODY_FRD, 99):
        assert mavlink_example.read_pose(by_wire(odometry((0, 0, 0), level, frame=frame))) is None
    # A velocity in a frame with z up does not say which the body is.
    for body in (mavlink.MAV_FRAME_LOCAL_ENU, mavlink.MAV_FRAME_LOCAL_FLU, mavlink.MAV_FRAME_GLOBAL, 99):
        assert mavlink_example.read_pose(by_wire(odometry((0, 0, 0), level, body=body))) is None
    assert mavlink_example.read_pose(by_wire(odometry((math.nan, 0, 0), level))) is None
    assert mavlink_example.read_pose(by_wire(estimate((0, 0, math.inf), 0, 0, 0))) is None
    assert mavlink_example.read_pose(by_wire(estimate((0, 0, 0), math.nan, 0, 0))) is None
    for angles in ((math.inf, 0, 0), (0, -math.inf, 0), (0, 0, math.inf)):
        assert mavlink_example.read_pose(by_wire(estimate((0, 0, 0), *angles))) is None
    nowhere = odometry((0, 0, 0), level)
    nowhere.q = [0, 0, 0, 0]
    assert mavlink_example.read_pose(by_wire(nowhere)) is None


def test_the_difference_of_the_clocks_is_that_of_the_message_that_was_least_late(mavlink_example):
    clock = mavlink_example.ClockDifference()
    millisecond, offset = 1_000_000, 5_000_000_000_000
    delays = itertools.cycle([4, 1, 30, 2])
    times = []
    for number in range(40):
        stamp = number * 33 * millisecond
        times.append(clock.time(stamp, stamp + offset + next(delays) * millisecond) - stamp - offset)
    assert times == [4 * millisecond] + [millisecond] * 39
    # The link stood still for three seconds, and messages overtake each other.
    for stamp in (1400, 1300, 1500):
        late = stamp * millisecond + offset
        assert clock.time(stamp * millisecond, late + 3_000 * millisecond) == late + millisecond
    assert clock.epoch == 0
    # The sender was restarted, and its clock begins at zero.
    assert clock.time(0, 9 * offset) == 9 * offset and clock.epoch == 1
    # Ten seconds later what was least late counts no more.
    assert clock.time(11_000 * millisecond, 9 * offset + 11_005 * millisecond) == 9 * offset + 11_005 * millisecond


class Link:
    """A connection that keeps what is sent over it."""

    def __init__(self):
        self.mav = self
        self.sent = []

    def timesync_send(self, *numbers):
        self.sent.append(numbers)


def test_the_difference_of_the_clocks_is_that_of_the_shortest_round_trip(mavlink_example):
    trips, link = mavlink_example.RoundTrips(), Link()
    second, offset, stamp = 1_000_000_000, 5_000_000_000_000, 42_000_000_000
    assert trips.time(SENDER, stamp, stamp + offset) is None
    for number, (there, back) in enumerate([(30, 10), (2, 4), (10, 30), (0, 900)]):
        asked = (1000 + number) * second
        trips.ask(link, asked)
        trips.ask(link, asked + 1)
        answer = mavlink.MAVLink_timesync_message(asked + there * second // 1000 - offset, asked)
        trips.take(by_wire(answer), asked + (there + back) * second // 1000)
        # To a request of another.
        trips.take(by_wire(mavlink.MAVLink_timesync_message(1, asked - 5)), asked + second // 1000)
        # Of another, whose clock is another one, in less time.
        trips.take(by_wire(mavlink.MAVLink_timesync_message(asked - 7, asked), ANOTHER), asked + 2)
        # A request of another, as new as the own one.
        trips.take(by_wire(mavlink.MAVLink_timesync_message(0, asked)), asked + 1)
    assert link.sent == [(0, (1000 + number) * second) for number in range(4)]
    arrived = 1004 * second
    stamp = arrived - offset
    # Half of the difference between the ways remains.
    assert trips.time(SENDER, stamp, arrived + 50_000_000) == arrived + 1_000_000
    # The other's clock is this computer's.
    assert trips.time(ANOTHER, arrived, arrived + 50_000_000) == arrived + 8
    # A stamp of another clock, or one ahead.
    assert trips.time(SENDER, stamp - 3 * second, arrived) is None
    assert trips.time(SENDER, stamp + second, arrived) is None
    # 30 s later only the last round trip counts, which took 0.9 s, and then none.
    later = arrived + 29 * second
    assert trips.time(SENDER, stamp + 29 * second, later + second // 2) == later + 450_000_000
    assert trips.time(SENDER, stamp + 31 * second, later + 3 * second) is None
    trips.restart(SENDER)
    assert trips.time(SENDER, stamp, arrived + 50_000_000) is None
    assert trips.time(ANOTHER, arrived, arrived + 50_000_000) == arrived + 8


def test_poses_of_mavlink_reach_the_daemon_by_a_clock_of_their_own(walk, tmp_path):
    turns = [Rotation.from_euler("ZYX", [0.02 * number, 0.3, -0.2]) for number in range(20)]
    with local_listener() as listener, recorded(walk, "mavlink", "/aid/odometry") as found:
        port = listener.getsockname()[1]
        program = Running(tmp_path, walk, "odometry_mavlink", f"tcp:127.0.0.1:{port}", 2 * len(turns))
        connection, _ = listener.accept()
        with connection:
            wait_until(lambda: accepted(walk, "mavlink") == 0)
            sender = mavlink.MAVLink(None, *SENDER)
            pause = threading.Event()
            for number, turn in enumerate(turns):
                yaw, pitch, roll = turn.as_euler("ZYX")
                stamp = 1_000_000_000 + 20_000 * number
                for message in (odometry((number, 0, 0), turn, stamp), estimate((number, 0, 0), roll, pitch, yaw, stamp + 10_000)):
                    connection.sendall(message.pack(sender))
                    pause.wait(0.01)
                if number == 10:
                    wait_until(lambda: accepted(walk, "mavlink") == 22)
            program.finish()
    # None is out of order: the time of each is at most that of its arrival, and so not after that of a later one.
    assert len(found) == 2 * len(turns) and min(steps(found)) > 0
    for content in found:
        number = round(-vector(content)[2])
        assert np.allclose(vector(content), (0, 0, -number))
        assert is_rotation(rotation(content), AXES * turns[number] * AXES.inv())


def next_message(connection):
    reader = mavlink.MAVLink(None)
    while True:
        byte = connection.recv(1)
        assert byte, "the example has hung up"
        if message := reader.parse_char(byte):
            return message


def test_the_difference_of_the_clocks_is_the_one_that_the_sender_answers(walk, tmp_path):
    # Of the sender's clock, which it answers to the first request alone. Stamps are a second older than a guess takes
    # them for, and come while the daemon still takes them, even if this machine stands still for a second.
    behind, age, count = 3_000_000_000_000, 1_000_000_000, 10
    stamps = []
    with local_listener() as listener, recorded(walk, "timesync", "/aid/odometry") as found:
        port = listener.getsockname()[1]
        program = Running(tmp_path, walk, "odometry_mavlink", f"tcp:127.0.0.1:{port}", count)
        connection, _ = listener.accept()
        with connection:
            connection.settimeout(PATIENCE)
            sender, another = (mavlink.MAVLink(None, *names) for names in (SENDER, ANOTHER))
            asked = next_message(connection)
            assert (asked.get_type(), asked.tc1) == ("TIMESYNC", 0)
            connection.sendall(mavlink.MAVLink_timesync_message(asked.ts1 - behind, asked.ts1).pack(sender))
            # Of an autopilot, whose clock is another one, and its own request, which is not answered.
            connection.sendall(mavlink.MAVLink_timesync_message(asked.ts1, asked.ts1).pack(another))
            connection.sendall(mavlink.MAVLink_timesync_message(0, 77).pack(another))
            # Passed over, and reported once.
            for _ in range(2):
                connection.sendall(odometry((0, 0, 0), Rotation.identity(), frame=99).pack(sender))
            for number in range(count):
                stamps.append((time.clock_gettime_ns(time.CLOCK_BOOTTIME) - behind - age) // 1000)
                connection.sendall(odometry((number, 0, 0), Rotation.identity(), stamps[-1]).pack(sender))
            wait_until(lambda: accepted(walk, "mavlink") in (count, None))
            taken = time.clock_gettime_ns(time.CLOCK_BOOTTIME)
            program.finish()
            rest = b"".join(iter(lambda: connection.recv(4096), b""))
    # Requests of its own, and no answer.
    assert all(message.tc1 == 0 for message in mavlink.MAVLink(None).parse_buffer(rest) or [])
    assert program.log.count("passed over: frame_id 99 with child_frame_id 12") == 1
    times = [content["time"]["sec"] * 10**9 + content["time"]["nsec"] for content in found]
    differences = {moment - 1000 * stamp for moment, stamp in zip(times, stamps, strict=True)}
    # Half of the round trip, which has ended before the poses, is ascribed to each way.
    assert len(found) == count and len(differences) == 1, differences
    assert 0 <= differences.pop() - behind <= (taken - asked.ts1) // 2
