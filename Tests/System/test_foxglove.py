"""Recordings as others' tools see them: messages by the schemas that Foxglove publishes, on a time line of UTC.

The schemas are those of the package `foxglove-schemas-protobuf` of PyPI, of which JSON schemas are another form.
"""
import datetime
import json
import math
import os

import numpy
import pytest
from google.protobuf import json_format
from google.protobuf.unknown_fields import UnknownFieldSet
from mcap.reader import make_reader
from waymark_interface import RECORDING_STOP

from harness.command import waymark
from harness.daemon import SIMULATION
from harness.foxglove import (
    as_protobuf, decoded, described, descriptor_differences, differences, matrix, published, vector)
from harness.iio import IIOServer
from harness.recording import check_pose_rate, messages, summary, write_tables
from harness.rig import Rig
from harness.stalls import now
from harness.waiting import wait_until

pytestmark = pytest.mark.library


def raw(file):
    """Schema's name, topic, message and its content of each message."""
    with open(file, "rb") as stream:
        return [
            (schema.name, channel.topic, message,
             decoded(message.data, channel.message_encoding, schema.name, schema.data))
            for schema, channel, message in make_reader(stream, validate_crcs=True).iter_messages()]


def metadata(file):
    with open(file, "rb") as stream:
        return {record.name: record.metadata for record in make_reader(stream).iter_metadata()}


@pytest.fixture(scope="module")
def recorded(walk, tmp_path_factory):
    """Eight seconds in the middle of the walk, which follows a route."""
    file = tmp_path_factory.mktemp("foxglove") / "walk.mcap"
    walk.wait_until(lambda: walk.status()["readiness"] == "ready")
    result = waymark("record", "--duration", 8, file, socket=walk.socket)
    assert result.returncode == 0, result.stderr
    return file


def test_the_schemas_in_a_recording_are_those_that_foxglove_publishes(recorded):
    schemas = [schema for schema in summary(recorded).schemas.values() if schema.name.startswith("foxglove.")]
    names = {schema.name for schema in schemas}
    assert names == {
        "foxglove.LocationFix", "foxglove.FrameTransform", "foxglove.PoseInFrame", "foxglove.GeoJSON", "foxglove.Log"}
    for schema in schemas:
        assert differences(json.loads(schema.data), published(schema.name).DESCRIPTOR) == [], schema.name


def test_every_message_is_one_of_its_published_schema(recorded):
    counts = {}
    required = {schema.name: json.loads(schema.data)["required"] for schema in summary(recorded).schemas.values()}
    for name, topic, _, content in raw(recorded):
        if name.startswith("foxglove."):
            # Refuses members that the schema has not, and values of other types.
            json_format.ParseDict(as_protobuf(content), published(name)())
            assert set(required[name]) <= set(content)
            counts[topic] = counts.get(topic, 0) + 1
    assert counts["/location"] > 60 and counts["/scene/pose"] > 60, "ten a second"
    assert counts["/tf"] > counts["/scene/pose"], "the scene on the earth and the body in the scene"
    assert counts["/gnss/location"] >= 6 and counts["/map/route"] == 1 <= counts["/map/places"] and counts["/log"] >= 1


def test_the_time_line_is_utc_once_it_is_known(recorded):
    about = metadata(recorded)["waymark"]
    assert about["log_time"] == "utc"
    offset = int(about["utc_minus_boot_nanoseconds"])
    poses = [(message, content) for _, topic, message, content in raw(recorded) if topic == "/pose"]
    assert len(poses) > 60
    for message, content in poses:
        assert message.publish_time == content["time"]["sec"] * 1_000_000_000 + content["time"]["nsec"] + offset
        # The simulated board's samples are dated to the instants of their grid, fractions of a millisecond off.
        assert message.log_time > message.publish_time - 10_000_000
        whole = datetime.datetime.fromisoformat(content["utc"][:19] + "+00:00").timestamp()
        assert abs(message.publish_time * 1e-9 - whole) <= 1
    stamps = [content["timestamp"] for name, _, _, content in raw(recorded) if "timestamp" in content]
    first, last = summary(recorded).statistics.message_start_time, summary(recorded).statistics.message_end_time
    for stamp in stamps:
        assert first - 2_000_000_000 <= stamp["sec"] * 1_000_000_000 + stamp["nsec"] <= last


def test_without_a_fix_the_time_line_is_that_of_the_boot_and_says_so(daemon, tmp_path):
    board = IIOServer(tmp_path / "board.log", "--preset", "board").start()
    try:
        made = daemon({"iio": {"context": board.uri}, "gnss": {"enabled": False}}).start()
        # So that its sensors are known.
        with made.subscribe(rate=10) as reader:
            reader.wait_for_more(5)
        file = tmp_path / "indoors.mcap"
        begun = now()
        assert waymark("record", "--duration", 2, file, socket=made.socket).returncode == 0
    finally:
        board.stop()
    about = metadata(file)
    assert about["waymark"]["log_time"] == "boot" and "utc_minus_boot_nanoseconds" not in about["waymark"]
    assert about["waymark"]["version"] and about["waymark"]["host"] == os.uname().nodename
    assert about["waymark"]["gyroscope"] and "receiver" not in about["waymark"]
    assert about["waymark/end"]["gyroscope"] == about["waymark"]["gyroscope"]
    assert "utc_minus_boot_nanoseconds" not in about["waymark/end"]
    assert begun < summary(file).statistics.message_end_time * 1e-9 < now()
    topics = {topic for _, topic, _, _ in raw(file)}
    assert {"/tf", "/scene/pose", "/pose"} <= topics and not topics & {"/location", "/gnss/location"}


def test_a_recording_from_the_daemons_start_names_its_sensors_at_the_end():
    rig = Rig({"recording": {"at_start": True}})
    try:
        rig.placed()
        # What has changed is recorded every ten seconds.
        status = wait_until(lambda: (status := rig.daemon.status())["uptime"] > 21 and status, what="some seconds")
        rig.daemon.call(RECORDING_STOP)
        about = metadata(status["recording"]["path"])
    finally:
        rig.remove()
    assert about["waymark/end"]["gyroscope"] and about["waymark/end"]["receiver"]
    assert int(about["waymark/end"]["utc_minus_boot_nanoseconds"]) > 0


def test_the_frames_lead_from_the_earth_by_the_scene_to_the_body(recorded):
    content = raw(recorded)
    transforms = {}
    times = []
    for _, topic, message, part in content:
        if topic == "/tf":
            transforms.setdefault((part["parent_frame_id"], part["child_frame_id"]), []).append(part)
            if part["child_frame_id"] == "scene":
                times.append(message.log_time)
    assert set(transforms) == {("enu", "scene"), ("scene", "body")}
    # Up in the scene is up on the earth, east is east but for the alignment's yaw, south is against north.
    for part in transforms["enu", "scene"]:
        turn = matrix(part["rotation"])
        assert turn @ [0, 1, 0] == pytest.approx([0, 0, 1], abs=1e-5)
    frames = [(message.log_time, part) for _, topic, message, part in content if topic == "/frame"]
    for time, frame in frames:
        nearest = transforms["enu", "scene"][min(range(len(times)), key=lambda index: abs(times[index] - time))]
        yaw = math.radians(frame["published"]["yaw"])
        assert matrix(nearest["rotation"]) @ [1, 0, 0] == pytest.approx(
            [math.cos(yaw), math.sin(yaw), 0], abs=2e-3)
    # The pose in the scene is the published one, and so is the transform of the body.
    poses = {part["sequence"]: part for _, topic, _, part in content if topic == "/pose"}
    bodies = transforms["scene", "body"]
    assert len(bodies) == len(poses)
    for body, pose in zip(bodies, poses.values()):
        assert vector(body["translation"]) == pytest.approx(vector(pose["position"]), abs=1e-4)
        assert matrix(body["rotation"]) == pytest.approx(matrix(pose["orientation"]), abs=1e-5)


def test_the_fused_position_and_its_covariance_are_those_of_the_pose(recorded):
    content = raw(recorded)
    poses = [part for _, topic, _, part in content if topic == "/pose"]
    places = [part for _, topic, _, part in content if topic == "/location"]
    assert len(poses) == len(places)
    for pose, place in zip(poses, places):
        assert place["latitude"] == pytest.approx(pose["geo"]["latitude"], abs=1e-9)
        assert place["longitude"] == pytest.approx(pose["geo"]["longitude"], abs=1e-9)
        assert place["altitude"] == pytest.approx(pose["geo"]["height"], abs=1e-3)
        # A circle that holds 68 % is 1.51 standard deviations of one axis.
        sigma = pose["accuracy"]["horizontalAccuracy"] / 1.51
        covariance = numpy.array(place["position_covariance"]).reshape(3, 3)
        assert covariance[0, 0] == covariance[1, 1] == pytest.approx(sigma**2, abs=1e-3)
        assert covariance[2, 2] == pytest.approx(pose["accuracy"]["verticalAccuracy"]**2, abs=1e-2)
        assert numpy.count_nonzero(covariance - numpy.diag(numpy.diag(covariance))) == 0


def test_the_receivers_position_is_the_fix(recorded):
    content = raw(recorded)
    fixes = [part for _, topic, _, part in content if topic == "/gnss/fix"]
    places = [part for _, topic, _, part in content if topic == "/gnss/location"]
    assert len(fixes) == len(places) >= 6
    for fix, place in zip(fixes, places):
        assert place["latitude"] == pytest.approx(fix["latitude"], abs=1e-9)
        assert place["position_covariance"][0] == pytest.approx(fix["sigmaEast"]**2, abs=1e-6)
        assert place["position_covariance_type"] == 2


def test_the_map_has_the_route_and_what_stands_on_it(recorded):
    maps = {
        name: [json.loads(content["geojson"]) for _, topic, _, content in raw(recorded) if topic == f"/map/{name}"]
        for name in ("route", "places")}
    for document in maps["route"] + maps["places"]:
        assert document["type"] == "FeatureCollection"
    [route], places = maps["route"], maps["places"][0]
    assert [feature["properties"]["kind"] for feature in route["features"]] == ["route"]
    kinds = {feature["properties"]["kind"] for feature in places["features"]}
    assert "place" in kinds and not kinds & {"arrow", "node", "route"}
    line = route["features"][0]["geometry"]
    assert line["type"] == "LineString" and len(line["coordinates"]) > 2
    place = next(content for _, topic, _, content in raw(recorded) if topic == "/location")
    for feature in route["features"] + places["features"]:
        points = feature["geometry"]["coordinates"]
        longitude, latitude = (points[0] if isinstance(points[0], list) else points)[:2]
        assert abs(latitude - place["latitude"]) < 0.05 and abs(longitude - place["longitude"]) < 0.05


def test_the_journal_is_in_the_recording(simulation, tmp_path):
    file = tmp_path / "walk.mcap"
    result = waymark("record", "--duration", 2, file, socket=simulation.socket)
    assert result.returncode == 0
    lines = [content for _, topic, _, content in raw(file) if topic == "/log"]
    assert any("recording" in line["message"] and "started" in line["message"] for line in lines)
    assert all(line["level"] in (1, 2, 3, 4) and line["name"] == "waymarkd" for line in lines)


def test_an_hour_takes_at_most_fifty_megabytes(recorded):
    # What the estimator knew at the beginning is there once in an hour, on a busy machine not in the first chunk.
    found = summary(recorded)
    state = next(number for number, channel in found.channels.items() if channel.topic == "/estimator_state")
    chunks = sorted(found.chunk_indexes, key=lambda chunk: chunk.chunk_start_offset)
    count = 1 + next(index for index, chunk in enumerate(chunks) if state in chunk.message_index_offsets)
    begin, rest = chunks[:count], chunks[count:]
    begun = begin[-1].message_end_time
    # By their own times: a busy machine has them recorded later.
    times = [
        sample["time"]["sec"] + sample["time"]["nsec"] * 1e-9
        for topic, log_time, sample in messages(recorded) if topic == "/imu/angular_rate" and log_time > begun]
    seconds = times[-1] - times[0]
    assert 190 < len(times) / seconds < 210, "two hundred samples of the gyroscope a second"
    once = 100_000 + sum(chunk.chunk_length + chunk.message_index_length for chunk in begin)
    size = sum(chunk.chunk_length + chunk.message_index_length for chunk in rest)
    print(f"{size / seconds * 3600 / 1e6:.1f} MB an hour")
    assert once + size / seconds * 3600 < 50e6


def test_every_pose_is_recorded_on_request(simulation, tmp_path):
    simulation.wait_for_state("localized")
    for rate in (0, 50, 1):
        file = tmp_path / f"{rate}.mcap"
        assert waymark("record", "--poses", rate, "--duration", 3, file, socket=simulation.socket).returncode == 0
        check_pose_rate(messages(file), rate)


@pytest.mark.parametrize("rate", ["-1", "x", "2000", "nan"])
def test_a_rate_of_poses_that_cannot_be_is_refused(rate, tmp_path):
    result = waymark("record", "--poses", rate, tmp_path / "never.mcap")
    assert result.returncode == 2 and "--poses" in result.stderr
    assert not (tmp_path / "never.mcap").exists()


@pytest.fixture(scope="module")
def exported(recorded, tmp_path_factory):
    file = tmp_path_factory.mktemp("exported") / "walk.mcap"
    result = waymark("export", recorded, "--output", file)
    assert result.returncode == 0 and "warning" not in result.stderr, result.stderr
    return file


def test_an_export_has_a_message_for_each_sample_and_the_published_poses(recorded, exported):
    own, theirs = messages(recorded), messages(exported)
    assert not [topic for _, topic, _, _ in raw(exported) if topic == "/samples"]
    for topic in ("/imu/angular_rate", "/imu/specific_force", "/magnetic_field", "/gnss/fix", "/pose", "/frame", "/calibration"):
        assert [content for name, _, content in own if name == topic] == [
            content for name, _, content in theirs if name == topic], topic
    forms = {name for name, _, _, _ in raw(exported) if name.startswith("foxglove.")}
    assert {"foxglove.LocationFix", "foxglove.FrameTransform", "foxglove.PoseInFrame"} <= forms
    for name, _, _, content in raw(exported):
        if name.startswith("foxglove."):
            json_format.ParseDict(as_protobuf(content), published(name)())
    # What the recording says of itself goes along.
    assert metadata(exported)["waymark"].items() >= metadata(recorded)["waymark"].items()
    offset = int(metadata(exported)["waymark"]["utc_minus_boot_nanoseconds"])
    late = [
        message.log_time - content["time"]["sec"] * 10**9 - content["time"]["nsec"] - offset
        for name, _, message, content in raw(exported) if name == "org.waymark.AngularRate"]
    # Times of a file never go back: a sample that is older than the calibration before it has the time of that.
    assert min(late) >= 0 and sorted(late)[len(late) // 2] < 10_000_000


def test_an_export_has_protobuf_with_the_published_descriptors(exported):
    found = summary(exported)
    forms = {
        found.schemas[channel.schema_id].name: found.schemas[channel.schema_id]
        for channel in found.channels.values() if channel.message_encoding == "protobuf"}
    assert set(forms) == {schema.name for schema in found.schemas.values() if schema.name.startswith("foxglove.")}
    for name, schema in forms.items():
        assert schema.encoding == "protobuf"
        assert descriptor_differences(described(name, schema.data).DESCRIPTOR, published(name).DESCRIPTOR) == []
    for name, _, message, _ in raw(exported):
        if name in forms:
            known = published(name).FromString(message.data)
            assert len(UnknownFieldSet(known)) == 0 and known.IsInitialized()
            # The type that the descriptors give writes the same bytes from what the published one has read.
            own = described(name, forms[name].data)
            assert own.FromString(known.SerializeToString()) == own.FromString(message.data)


def close(one, other):
    """Whether contents are equal but for JSON's rounding."""
    if isinstance(one, dict):
        return one.keys() == other.keys() and all(close(part, other[name]) for name, part in one.items())
    if isinstance(one, list):
        return len(one) == len(other) and all(map(close, one, other))
    return one == pytest.approx(other, abs=6e-4) if isinstance(one, float) else one == other


def test_an_export_has_the_same_as_json_on_request(recorded, exported, tmp_path):
    file = tmp_path / "json.mcap"
    result = waymark("export", recorded, "--encoding", "json", "--output", file)
    assert result.returncode == 0, result.stderr
    assert {channel.message_encoding for channel in summary(file).channels.values()} == {"json"}
    own, other = raw(exported), raw(file)
    assert len(own) == len(other)
    for (name, topic, message, content), (name2, topic2, message2, content2) in zip(own, other):
        assert (name, topic, message.log_time, message.publish_time) == (name2, topic2, message2.log_time, message2.publish_time)
        assert close(content, content2), (content, content2)


def test_an_encoding_is_for_foxglove_alone(recorded):
    result = waymark("export", recorded, "--format", "csv", "--encoding", "json")
    assert result.returncode == 2 and "foxglove alone" in result.stderr


def test_an_export_replays_to_the_same_poses(recorded, exported, tmp_path):
    tables = []
    for number, file in enumerate((recorded, exported)):
        assert waymark("replay", file, "--output", tmp_path / f"{number}.csv").returncode == 0
        tables.append((tmp_path / f"{number}.csv").read_bytes())
    assert tables[0] == tables[1] and tables[0].count(b"\n") > 1000


def test_replayed_poses_are_exported_in_full(recorded, tmp_path):
    file = tmp_path / "replayed.mcap"
    result = waymark("export", recorded, "--format", "foxglove", "--what", "replayed", "--output", file)
    assert result.returncode == 0, result.stderr
    poses = [content for _, topic, _, content in raw(file) if topic == "/pose"]
    samples = [topic for _, topic, _, _ in raw(file) if topic == "/imu/angular_rate"]
    assert len(poses) == len(samples) > 1000
    assert len([topic for _, topic, _, _ in raw(file) if topic == "/location"]) > 1000


def test_a_folder_of_tables_is_exported_with_the_utc_of_its_fixes(tmp_path):
    folder = write_tables(tmp_path / "tables", 10, {
        "imu.csv": ("t_s,ax,ay,az,gx,gy,gz", 100, lambda t: f"{t:.2f},0.01,9.81,0.02,0.001,0,0"),
        "gnss.csv": ("t_s,lat_deg,lon_deg,alt_m,utc_s", 1, lambda t: f"{t},48.1,11.5,566,{1.78e9 + t if t > 3 else ''}"),
    })
    file = tmp_path / "tables.mcap"
    result = waymark("export", folder, "--what", "replayed", "--output", file)
    assert result.returncode == 0, result.stderr
    found = summary(file).statistics
    assert 1.78e9 <= found.message_start_time * 1e-9 <= found.message_end_time * 1e-9 <= 1.78e9 + 11
    warned = waymark("export", folder, "--output", tmp_path / "fused.mcap")
    assert warned.returncode == 0 and "no published poses: '--what replayed'" in warned.stderr


@pytest.mark.parametrize("arguments, reason", [
    (["--format", "foxglove"], "needs --output"),
    (["--format", "foxglove", "--output", "-"], "needs --output"),
    (["--output", "EXISTS"], "the file exists already"),
    (["--output", "/nowhere/a.mcap"], "cannot write"),
])
def test_an_export_to_a_wrong_place_is_refused(recorded, tmp_path, arguments, reason):
    (tmp_path / "a.mcap").write_text("mine")
    arguments = [str(tmp_path / "a.mcap") if word == "EXISTS" else word for word in arguments]
    result = waymark("export", recorded, *arguments)
    assert result.returncode != 0 and reason in result.stderr, result.stderr
    assert (tmp_path / "a.mcap").read_text() == "mine"


def test_a_recording_that_is_cut_is_exported_up_to_the_cut(recorded, tmp_path):
    last = max(summary(recorded).chunk_indexes, key=lambda chunk: chunk.chunk_start_offset)
    cut = last.chunk_start_offset + last.chunk_length // 2
    (tmp_path / "cut.mcap").write_bytes(recorded.read_bytes()[:cut])
    result = waymark("export", tmp_path / "cut.mcap", "--output", tmp_path / "a.mcap")
    assert "warning" in result.stderr and summary(tmp_path / "a.mcap").statistics.message_count > 100
