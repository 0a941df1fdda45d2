"""Clients that know nothing of Waymark: the `varlink` package of PyPI lists, introspects, calls and streams; a few lines for
Node call and stream."""
import contextlib
import json
import re
import subprocess

import pytest
import varlink
from waymark_interface import (
    POSE, POSE_GET_POSE, POSE_SUBSCRIBE, SCENE, SERVICE, SERVICE_EXPECTED_MORE, SERVICE_INVALID_PARAMETER, STATUS,
    STATUS_LIMIT_EXCEEDED)

from harness import interfaces
from harness.outside import needs
from harness.paths import ROOT, SUPPORT
from harness.waiting import PATIENCE

FILES = {file.stem: file.read_text() for file in (ROOT / "Sources/Wire/WaymarkInterface").glob("org.waymark.*.varlink")}


@pytest.fixture
def client(walk):
    with varlink.Client(f"unix:{walk.socket}") as connected:
        yield connected


def test_all_interfaces_are_listed(client):
    assert sorted(client.get_interfaces()) == sorted([*FILES, SERVICE])
    assert set(client.info) == {"vendor", "product", "version", "url", "interfaces"}
    assert client.info["product"] and re.match(r"\d+\.\d+\.\d+", client.info["version"])


@pytest.mark.parametrize("name", sorted(FILES))
def test_a_description_is_the_interface_file(client, name):
    assert client.get_interface(name).description.strip() == FILES[name].strip()


def test_an_unknown_interface_is_an_error_by_name(client):
    with pytest.raises(varlink.InterfaceNotFound):
        client.get_interface("org.waymark.Nothing")


def test_every_reading_method_answers_as_described(client):
    with client.open(STATUS) as status:
        assert status.GetStatus()["status"]["source"] == "simulation"
        assert len(status.ListDevices()["devices"]) > 0
    with client.open(POSE) as pose:
        assert pose.GetPose()["pose"]["frame"] == "scene"


def test_what_lies_ahead_comes_nearest_first(client, walk):
    walk.wait_for_state("localized")
    with client.open(SCENE) as scene:
        items = scene.GetAhead(limit=5, radius=1000)["items"]
        stream = scene.GetAhead(limit=3, _more=True)
        assert 0 < len(next(stream)["items"]) <= 3 and 0 < len(next(stream)["items"]) <= 3
    assert 0 < len(items) <= 5
    assert [item["distance"] for item in items] == sorted(item["distance"] for item in items)


def test_streams_are_generators_with_growing_sequence(client):
    with client.open(POSE) as pose:
        replies = pose.Subscribe(rate=50, frame=True, _more=True)
        sequences = [reply["pose"]["sequence"] for reply, _ in zip(replies, range(20)) if "pose" in reply]
    assert len(sequences) > 10 and sequences == sorted(set(sequences))


def test_a_stream_has_to_be_asked_for_as_one(client):
    with client.open(POSE) as pose, pytest.raises(varlink.VarlinkError) as raised:
        pose.Subscribe(rate=5)
    assert raised.value.error() == SERVICE_EXPECTED_MORE


def test_a_rate_out_of_range_is_an_error_that_names_the_parameter(client):
    for rate in (0, -1, 1e9):
        with client.open(POSE) as pose, pytest.raises(varlink.VarlinkError) as raised:
            next(pose.Subscribe(rate=rate, _more=True))
        assert raised.value.error() == SERVICE_INVALID_PARAMETER
        assert "rate" in json.dumps(raised.value.parameters())


def seconds(pose):
    return pose["time"]["sec"] + pose["time"]["nsec"] / 1e9


def test_a_predicted_pose_is_for_that_much_later_and_less_certain(client, walk):
    walk.wait_for_state("localized")
    with client.open(POSE) as pose:
        # The newest pose goes on between two calls: some that came together are there to be compared.
        for _ in range(50):
            now, later = pose.GetPose()["pose"], pose.GetPose(predictAhead=0.05)["pose"]
            if now["sequence"] == later["sequence"]:
                break
    assert now["sequence"] == later["sequence"]
    assert seconds(later) - seconds(now) == pytest.approx(0.05, abs=1e-6)
    for name in ("horizontalAccuracy", "orientationYawAccuracy", "horizontalVelocityAccuracy", "angularVelocityAccuracy"):
        assert later["accuracy"][name] >= now["accuracy"][name] > 0
    moved = [later["position"][axis] - now["position"][axis] for axis in "xyz"]
    assert max(map(abs, moved)) < 0.2


def test_subscribers_get_the_poses_of_the_time_ahead_that_they_asked_for(walk):
    def poses(connection, count=8):
        return {pose["sequence"]: pose for pose in (connection.reply()["pose"] for _ in range(count))}

    with walk.connect() as plain, walk.connect() as ahead, walk.connect() as same:
        for connection, request in ((plain, {}), (ahead, {"predictAhead": 0.02}), (same, {"predictAhead": 0.0201})):
            connection.send_call(POSE_SUBSCRIBE, {"rate": 1000, **request}, more=True)
        measured, predicted, shared = poses(plain, 300), poses(ahead, 300), poses(same, 300)
    both = measured.keys() & predicted.keys()
    assert both
    for number in both:
        assert seconds(predicted[number]) - seconds(measured[number]) == pytest.approx(0.02, abs=1e-6)
    common = predicted.keys() & shared.keys()
    assert common
    for number in common:
        assert {**predicted[number], "missed": 0} == {**shared[number], "missed": 0}


@pytest.mark.parametrize("ahead", [-0.001, 0.1001, 1e9])
def test_a_time_ahead_out_of_range_is_an_error_that_names_the_parameter(client, ahead):
    for call in (lambda pose: pose.GetPose(predictAhead=ahead),
                 lambda pose: next(pose.Subscribe(predictAhead=ahead, _more=True))):
        with client.open(POSE) as pose, pytest.raises(varlink.VarlinkError) as raised:
            call(pose)
        assert raised.value.error() == SERVICE_INVALID_PARAMETER
        assert "predictAhead" in json.dumps(raised.value.parameters())


def test_there_are_sixteen_different_times_ahead_at_a_time(walk):
    with contextlib.ExitStack() as stack:
        def subscribe(milliseconds):
            connection = stack.enter_context(walk.connect())
            request = {"rate": 1, "predictAhead": milliseconds / 1000}
            connection.send_call(POSE_SUBSCRIBE, request, more=True)
            return connection

        # None ahead is not predicted, and what is known may be asked for again.
        for milliseconds in [*range(17), 16]:
            assert "pose" in subscribe(milliseconds).reply()
        other = subscribe(17)
        message = json.loads(other.message())
        assert message["error"] == STATUS_LIMIT_EXCEEDED
        assert message["parameters"] == {"limit": "predictions", "maximum": 16}
        assert other.call(POSE_GET_POSE, {"predictAhead": 0.017})["pose"]


@pytest.mark.long
@needs("node")
def test_a_few_lines_for_node_call_and_stream(walk):
    def replies(count, method, **call):
        done = subprocess.run(
            ["node", SUPPORT / "varlink_client.js", walk.socket, str(count), json.dumps({"method": method, **call})],
            capture_output=True, text=True, timeout=PATIENCE)
        assert (done.returncode, done.stderr) == (0, "")
        found = [json.loads(line)["parameters"] for line in done.stdout.splitlines()]
        assert len(found) == count
        for each in found:
            interfaces.check_reply(method, each)
        return [each["pose"]["sequence"] for each in found]

    first = replies(1, POSE_GET_POSE)
    sequences = first + replies(20, POSE_SUBSCRIBE, parameters={"rate": 50}, more=True)
    assert sequences == sorted(set(sequences))
