"""Poses of past moments, and positions that clients find by themselves, against a running daemon."""
import json
import math
import time

import pytest
import varlink
from waymark_interface import (
    POSE, POSE_GET_POSE, POSE_NOT_READY, POSE_SUBSCRIBE, POSE_TOO_EARLY, POSE_TOO_LATE, SCENE_ESTIMATE_AT,
    SERVICE_INVALID_PARAMETER, STATUS_GET_STATUS)

from harness.command import waymark
from harness.varlink import CallFailed
from harness.waiting import wait_until


def nanoseconds(stamp):
    return stamp["sec"] * 10**9 + stamp["nsec"]


def stamp(count):
    return {"sec": count // 10**9, "nsec": count % 10**9}


@pytest.fixture(scope="module")
def poses(walk):
    """Some seconds of published poses, each by its own time."""
    walk.wait_for_state("localized")
    with walk.connect() as connection:
        connection.send_call(POSE_SUBSCRIBE, {"rate": 1000}, more=True)
        return [connection.reply()["pose"] for _ in range(600)]


def refusal(walk, method, parameters):
    with walk.connect() as connection, pytest.raises(CallFailed) as raised:
        connection.call(method, parameters)
    return raised.value.name, raised.value.parameters


def angle(a, b):
    """Between two orientations, degrees."""
    dot = min(1.0, abs(sum(a[axis] * b[axis] for axis in "xyzw")))
    return math.degrees(2 * math.acos(dot))


def apart(a, b):
    return math.dist([a[axis] for axis in "xyz"], [b[axis] for axis in "xyz"])


def test_each_pose_can_be_had_again_by_its_time(walk, poses):
    """behaviour 50: each pose can be had again by its time"""
    for number in range(4, len(poses), 20):
        pose = poses[number]
        past = walk.call(POSE_GET_POSE, {"time": pose["time"]})["pose"]
        assert past["time"] == pose["time"] and past["sequence"] == pose["sequence"]
        assert past["generation"] == pose["generation"]
        assert apart(past["position"], pose["position"]) < 1e-3
        assert angle(past["orientation"], pose["orientation"]) < 0.05
        # The history looks at every fourth pose for a correction, such as that by a fix.
        recent = poses[number - 4:number + 1]
        accuracies = [each["accuracy"]["horizontalAccuracy"] for each in recent]
        assert 0.85 * min(accuracies) < past["accuracy"]["horizontalAccuracy"] < 1.15 * max(accuracies)
        assert any(past["geo"]["latitude"] == pytest.approx(each["geo"]["latitude"], abs=1e-6) for each in recent)


def test_between_two_poses_lies_what_is_between_them(walk, poses):
    """behaviour 50: between two poses lies what is between them"""
    pairs = [pair for pair in zip(poses, poses[1:]) if pair[1]["sequence"] == pair[0]["sequence"] + 1]
    assert len(pairs) > 20
    for first, second in pairs[::15]:
        begin, end = nanoseconds(first["time"]), nanoseconds(second["time"])
        middle = walk.call(POSE_GET_POSE, {"time": stamp((begin + end) // 2)})["pose"]
        mean = {axis: (first["position"][axis] + second["position"][axis]) / 2 for axis in "xyz"}
        assert apart(middle["position"], mean) < 1e-3
        assert angle(middle["orientation"], first["orientation"]) <= (
            angle(first["orientation"], second["orientation"]) + 0.05)


def test_a_stamp_of_the_realtime_clock_is_taken_as_such(walk, poses):
    """behaviour 50: a stamp of the realtime clock is taken as such"""
    pose = poses[100]
    offset = time.clock_gettime_ns(time.CLOCK_REALTIME) - time.clock_gettime_ns(time.CLOCK_BOOTTIME)
    asked = {"time": stamp(nanoseconds(pose["time"]) + offset), "clock": "realtime"}
    past = walk.call(POSE_GET_POSE, asked)["pose"]
    assert abs(nanoseconds(past["time"]) - nanoseconds(pose["time"])) < 1_000_000
    assert apart(past["position"], pose["position"]) < 5e-3
    name, _ = refusal(walk, POSE_GET_POSE, {"time": pose["time"], "clock": "realtime"})
    assert name == POSE_TOO_EARLY


def test_what_is_not_to_be_had_is_told_by_name_with_what_is(walk, poses):
    """behaviour 50: what is not to be had is an error that names what is"""
    name, early = refusal(walk, POSE_GET_POSE, {"time": {"sec": 0, "nsec": 0}})
    assert name == POSE_TOO_EARLY
    ahead = time.clock_gettime_ns(time.CLOCK_BOOTTIME) + 10**10
    name, late = refusal(walk, POSE_GET_POSE, {"time": stamp(ahead)})
    assert name == POSE_TOO_LATE
    assert nanoseconds(early["oldest"]) == nanoseconds(late["oldest"]) < nanoseconds(poses[0]["time"])
    assert nanoseconds(late["newest"]) >= nanoseconds(early["newest"]) >= nanoseconds(poses[-1]["time"])
    assert walk.call(POSE_GET_POSE, {"time": late["oldest"]})["pose"]["time"] == late["oldest"]


@pytest.mark.parametrize("parameters, culprit", [
    ({"time": {"sec": 1, "nsec": 0}, "predictAhead": 0.01}, "predictAhead"),
    ({"time": {"sec": -1, "nsec": 0}}, "time"), ({"time": {"sec": 1, "nsec": -1}}, "time"),
    ({"time": {"sec": 1, "nsec": 10**9}}, "time"), ({"time": {"sec": 2**63 - 1, "nsec": 999_999_999}}, "time"),
    ({"time": {"sec": 9_223_372_036, "nsec": 854_775_808}}, "time"), ({"time": {"sec": 2**70, "nsec": 0}}, ""),
    ({"time": {"sec": 1.5, "nsec": 0}}, ""), ({"time": 5}, "time"), ({"time": {"sec": 1}}, "nsec"),
    ({"clock": "realtime"}, "clock"), ({"time": {"sec": 1, "nsec": 0}, "clock": "tai"}, "clock"),
], ids=str)
def test_odd_times_are_refused_by_the_parameter(walk, parameters, culprit):
    """behaviour 50: odd times are refused by the parameter"""
    name, details = refusal(walk, POSE_GET_POSE, parameters)
    assert name == SERVICE_INVALID_PARAMETER and culprit in json.dumps(details)


def test_an_outside_client_gets_them_too(walk, poses):
    """behaviour 50: an outside client gets them too"""
    with varlink.Client(f"unix:{walk.socket}") as client, client.open(POSE) as connection:
        assert connection.GetPose(time=poses[5]["time"])["pose"]["sequence"] == poses[5]["sequence"]
        with pytest.raises(varlink.VarlinkError) as raised:
            connection.GetPose(time={"sec": 0, "nsec": 1})
        assert raised.value.error() == POSE_TOO_EARLY


def test_the_command_shows_them(walk, poses):
    """behaviour 50: the command shows them"""
    pose = poses[200]
    at = f'{pose["time"]["sec"]}.{pose["time"]["nsec"]:09d}'
    printed = json.loads(waymark("pose", "--at", at, socket=walk.socket).stdout)
    assert printed["sequence"] == pose["sequence"] and apart(printed["position"], pose["position"]) < 1e-3
    asked = time.clock_gettime_ns(time.CLOCK_BOOTTIME)
    recent = json.loads(waymark("pose", "--at=-0.5", "--clock", "realtime", socket=walk.socket).stdout)
    assert asked - 0.6e9 < nanoseconds(recent["time"]) < time.clock_gettime_ns(time.CLOCK_BOOTTIME) - 0.49e9
    early = waymark("pose", "--at", "0.5", socket=walk.socket)
    assert early.returncode == 1 and "stored poses range from" in early.stderr
    for arguments in (["--clock", "realtime"], ["--at", "5", "--predict", "5"], ["--at", "5", "--format", "geopose"],
                      ["--at", "five"], ["--at", "--5"], ["--at", "1.0000000001"], ["--at", "1e3"], ["--at", "."]):
        assert waymark("pose", *arguments, socket=walk.socket).returncode == 2, arguments


def test_a_clients_own_fix_is_paired_with_the_pose_of_its_moment(walk, poses):
    """behaviour 5: a client's own fix is paired with the pose of its moment"""
    pose = poses[300]
    geo = pose["geo"]
    north = {**geo, "latitude": geo["latitude"] + 10 / 111_180}
    asked = {"time": pose["time"], "geo": north, "horizontalAccuracy": 0.5}
    estimate = walk.call(SCENE_ESTIMATE_AT, asked)["estimate"]
    assert estimate["time"] == pose["time"] and estimate["generation"] == pose["generation"]
    assert apart(estimate["position"], pose["position"]) < 1e-3
    # The frame may have been corrected by some metres since.
    assert estimate["north"] == pytest.approx(10, abs=5) and estimate["east"] == pytest.approx(0, abs=5)
    assert estimate["distance"] == pytest.approx(math.hypot(estimate["east"], estimate["north"]), abs=1e-5)
    assert apart(estimate["fixPosition"], estimate["position"]) == pytest.approx(
        math.hypot(estimate["distance"], estimate["up"]), abs=1e-2)
    scale = math.hypot(estimate["horizontalAccuracy"], 0.5) / 1.51
    assert estimate["deviations"] == pytest.approx(estimate["distance"] / scale, rel=1e-3)
    ahead = walk.call(SCENE_ESTIMATE_AT, {**asked, "offset": {"x": 0, "y": 0, "z": -3}})["estimate"]
    assert apart(ahead["position"], estimate["position"]) == pytest.approx(3, abs=1e-6)
    flat = walk.call(SCENE_ESTIMATE_AT, {**asked, "geo": {"latitude": 47.0, "longitude": 8.0}})["estimate"]
    assert "up" not in flat and flat["deviations"] > 1000


@pytest.mark.parametrize("change, culprit", [
    ({"horizontalAccuracy": 0}, "horizontalAccuracy"), ({"horizontalAccuracy": 1e6}, "horizontalAccuracy"),
    ({"horizontalAccuracy": -1}, "horizontalAccuracy"), ({"geo": {"latitude": 91, "longitude": 0}}, "geo"),
    ({"geo": {"latitude": 1}}, "longitude"), ({"offset": {"x": 1e9, "y": 0, "z": 0}}, "offset"),
    # Across the earth: on a plane here it would be under the wearer's feet. And so far out that squares are no numbers.
    ({"geo": {"latitude": -47.377, "longitude": -171.458}}, "geo"),
    ({"geo": {"latitude": 47.377, "longitude": 8.542, "height": 1e200}}, "geo"),
    ({"time": {"sec": -5, "nsec": 0}}, "time"),
], ids=str)
def test_an_odd_fix_is_refused_by_the_parameter(walk, poses, change, culprit):
    """behaviour 5: an odd fix is refused by the parameter"""
    fix = {"time": poses[0]["time"], "geo": {"latitude": 47, "longitude": 8}, "horizontalAccuracy": 1, **change}
    name, details = refusal(walk, SCENE_ESTIMATE_AT, fix)
    assert name == SERVICE_INVALID_PARAMETER and culprit in json.dumps(details)


def test_a_fix_of_no_moment_is_refused_by_the_pose(walk, poses):
    """behaviour 5: a fix of no moment is refused by the pose"""
    fix = {"time": {"sec": 0, "nsec": 0}, "geo": {"latitude": 47, "longitude": 8}, "horizontalAccuracy": 1}
    name, details = refusal(walk, SCENE_ESTIMATE_AT, fix)
    assert name == POSE_TOO_EARLY and details["newest"]


def test_before_the_first_pose_there_is_none(daemon):
    """behaviour 50: before the first pose there is none"""
    nothing = daemon({"iio": {"enabled": False}, "gnss": {"enabled": False}}).start()
    wait_until(lambda: nothing.call(STATUS_GET_STATUS), what="an answer")
    name, _ = refusal(nothing, POSE_GET_POSE, {"time": {"sec": 5, "nsec": 0}})
    assert name == POSE_NOT_READY
