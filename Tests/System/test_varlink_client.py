"""The `varlink` package of PyPI, which knows nothing of Waymark, lists, introspects, calls and streams."""
import json
import re

import pytest
import varlink

from harness.process import ROOT

FILES = {file.stem: file.read_text() for file in (ROOT / "Sources/Service/Interfaces").glob("*.varlink")}


@pytest.fixture
def client(walk):
    with varlink.Client(f"unix:{walk.socket}") as connected:
        yield connected


def test_all_interfaces_are_listed(client):
    assert sorted(client.get_interfaces()) == sorted([*FILES, "org.varlink.service"])
    assert set(client.info) == {"vendor", "product", "version", "url", "interfaces"}
    assert client.info["product"] and re.match(r"\d+\.\d+\.\d+", client.info["version"])


@pytest.mark.parametrize("name", sorted(FILES))
def test_a_description_is_the_interface_file(client, name):
    assert client.get_interface(name).description.strip() == FILES[name].strip()


def test_an_unknown_interface_is_an_error_by_name(client):
    with pytest.raises(varlink.InterfaceNotFound):
        client.get_interface("org.waymark.Nothing")


def test_every_reading_method_answers_as_described(client):
    with client.open("org.waymark.Status") as status:
        assert status.GetStatus()["status"]["source"] == "simulation"
        assert len(status.ListDevices()["devices"]) > 0
    with client.open("org.waymark.Pose") as pose:
        assert pose.GetPose()["pose"]["frame"] == "scene"


def test_what_lies_ahead_comes_nearest_first(client, walk):
    walk.wait_for_state("localized")
    with client.open("org.waymark.Scene") as scene:
        items = scene.GetAhead(limit=5, radius=1000)["items"]
        stream = scene.GetAhead(limit=3, _more=True)
        assert len(next(stream)["items"]) <= 3 and len(next(stream)["items"]) <= 3
    assert 0 < len(items) <= 5
    assert [item["distance"] for item in items] == sorted(item["distance"] for item in items)


def test_streams_are_generators_with_growing_sequence(client):
    with client.open("org.waymark.Pose") as pose:
        replies = pose.Subscribe(rate=50, frame=True, _more=True)
        sequences = [reply["pose"]["sequence"] for reply, _ in zip(replies, range(20)) if "pose" in reply]
    assert sequences == sorted(set(sequences))


def test_a_stream_has_to_be_asked_for_as_one(client):
    with client.open("org.waymark.Pose") as pose, pytest.raises(varlink.VarlinkError) as raised:
        pose.Subscribe(rate=5)
    assert raised.value.error() == "org.varlink.service.ExpectedMore"


def test_a_rate_out_of_range_is_an_error_that_names_the_parameter(client):
    for rate in (0, -1, 1e9):
        with client.open("org.waymark.Pose") as pose, pytest.raises(varlink.VarlinkError) as raised:
            next(pose.Subscribe(rate=rate, _more=True))
        assert raised.value.error() == "org.varlink.service.InvalidParameter"
        assert "rate" in json.dumps(raised.value.parameters())
