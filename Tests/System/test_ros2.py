"""Exports for ROS 2 as others read them: mcap-ros2-support and rosbags, each by nothing but what the file says.

Values are compared with those of the same recording as JSON, axes with REP-103 and frames with REP-105.
"""
import itertools
import math

import numpy
import pytest
from mcap.reader import make_reader
from mcap_ros2.decoder import DecoderFactory
from rosbags.highlevel import AnyReader
from rosbags.interfaces import QosDurability, QosReliability
from rosbags.typesys import Stores, get_types_from_msg, get_typestore

from harness.command import waymark
from harness.earth import in_plane_of_earth
from harness.foxglove import instant, matrix, vector
from harness.paths import ROOT
from harness.recording import messages, summary, write_tables

TOPICS = {
    "/imu/data_raw": "sensor_msgs/msg/Imu", "/imu/mag": "sensor_msgs/msg/MagneticField",
    "/gps/fix": "sensor_msgs/msg/NavSatFix", "/gps/filtered": "sensor_msgs/msg/NavSatFix",
    "/odometry/local": "nav_msgs/msg/Odometry", "/odometry/global": "nav_msgs/msg/Odometry",
    "/tf": "tf2_msgs/msg/TFMessage", "/tf_static": "tf2_msgs/msg/TFMessage"}
# What is exported: a minute of a simulated walk, of which the estimator makes ten poses a second.
WALK = ("export", ROOT / "examples/walk.mcap", "--what", "replayed", "--rate", 10)
# Axes of ROS (REP-103) of a vector of the body, which is right, up and back, and of one of the scene: east, up, south.
BASE = numpy.array([[0, 0, -1], [-1, 0, 0], [0, 1, 0]])
WORLD = numpy.array([[1, 0, 0], [0, 0, -1], [0, 1, 0]])


@pytest.fixture(scope="module")
def bag(tmp_path_factory):
    file = tmp_path_factory.mktemp("ros2") / "walk.mcap"
    result = waymark(*WALK, "--format", "ros2", "--output", file)
    assert result.returncode == 0 and "warning" not in result.stderr, result.stderr
    return file


@pytest.fixture(scope="module")
def content(tmp_path_factory):
    """The same as JSON: contents by topics."""
    file = tmp_path_factory.mktemp("json") / "walk.mcap"
    assert waymark(*WALK, "--encoding", "json", "--output", file).returncode == 0
    found = {}
    for topic, _, part in messages(file):
        found.setdefault(topic, []).append(part)
    return found


@pytest.fixture(scope="module")
def decoded(bag):
    """Messages as mcap-ros2-support decodes them, by topics."""
    found = {}
    with open(bag, "rb") as stream:
        reader = make_reader(stream, validate_crcs=True, decoder_factories=[DecoderFactory()])
        for _, channel, _, message in reader.iter_decoded_messages():
            found.setdefault(channel.topic, []).append(message)
    return found


def stamp(header):
    return header.stamp.sec * 10**9 + header.stamp.nanosec


def xyz(part):
    return numpy.array([part.x, part.y, part.z])


def turn(part):
    return matrix({axis: getattr(part, axis) for axis in "xyzw"})


def offset(bag):
    with open(bag, "rb") as stream:
        about = {record.name: record.metadata for record in make_reader(stream).iter_metadata()}["waymark"]
    return int(about["utc_minus_boot_nanoseconds"])


def test_the_file_is_as_rosbag2_writes_it(bag):
    with open(bag, "rb") as stream:
        assert make_reader(stream).get_header().profile == "ros2"
    found = summary(bag)
    assert {channel.topic: found.schemas[channel.schema_id].name for channel in found.channels.values()} == TOPICS
    for channel in found.channels.values():
        assert channel.message_encoding == "cdr" and found.schemas[channel.schema_id].encoding == "ros2msg"
    with AnyReader([bag]) as reader:
        for connection in reader.connections:
            [profile] = connection.ext.offered_qos_profiles
            lasting = connection.topic == "/tf_static"
            assert profile.reliability == QosReliability.RELIABLE
            assert profile.durability == (QosDurability.TRANSIENT_LOCAL if lasting else QosDurability.VOLATILE)


@pytest.mark.parametrize("store", [Stores.ROS2_HUMBLE, Stores.LATEST])
def test_the_definitions_are_those_of_ros(bag, store):
    known = get_typestore(store).fielddefs
    for schema in summary(bag).schemas.values():
        for name, (_, fields) in get_types_from_msg(schema.data.decode(), schema.name).items():
            assert fields == known[name][1], name


def test_both_readers_decode_every_message_alike(bag, decoded):
    def same(one, other):
        if hasattr(one, "__slots__"):
            return all(same(getattr(one, name), getattr(other, name)) for name in one.__slots__)
        if isinstance(one, (list, tuple)):
            return len(one) == len(other) and all(map(same, one, other))
        return one == other or one != one and other != other

    counts = dict.fromkeys(TOPICS, 0)
    with AnyReader([bag]) as reader:
        for connection, _, data in reader.messages():
            message = reader.deserialize(data, connection.msgtype)
            assert same(decoded[connection.topic][counts[connection.topic]], message), connection.topic
            counts[connection.topic] += 1
    assert counts == {topic: len(parts) for topic, parts in decoded.items()}
    assert min(counts[topic] for topic in TOPICS if topic != "/tf_static") >= 50 and counts["/tf_static"] == 1


def test_inertial_samples_are_those_of_the_recording_in_the_axes_of_the_board(bag, content, decoded):
    utc = offset(bag)
    rates = {instant(part["time"]) + utc: vector(part) for part in content["/imu/angular_rate"]}
    forces = {instant(part["time"]) + utc: vector(part) for part in content["/imu/specific_force"]}
    common = 0
    for message in decoded["/imu/data_raw"]:
        assert message.header.frame_id == "base_link"
        assert xyz(message.angular_velocity) == pytest.approx(BASE @ rates[stamp(message.header)], abs=1e-12)
        if stamp(message.header) in forces:
            assert xyz(message.linear_acceleration) == pytest.approx(BASE @ forces[stamp(message.header)], abs=1e-9)
            common += 1
        # By sensor_msgs: there is no orientation, and the covariances of the others are not known.
        assert message.orientation_covariance[0] == -1
        assert not any(message.angular_velocity_covariance) and not any(message.linear_acceleration_covariance)
    assert len(decoded["/imu/data_raw"]) > 0.99 * len(rates) and common > 100
    fields = [vector(part) for part in content["/magnetic_field"]]
    for message, field in zip(decoded["/imu/mag"], fields, strict=True):
        assert xyz(message.magnetic_field) == pytest.approx(BASE @ field * 1e-6, abs=1e-15)
    # At rest or not: on the mean what is measured is up.
    up = numpy.mean([xyz(message.linear_acceleration) for message in decoded["/imu/data_raw"]], axis=0)
    assert up[2] > 9 and abs(up[0]) < 3 and abs(up[1]) < 3


def test_fixes_and_fused_positions_have_their_covariances(bag, content, decoded):
    for message, fix in zip(decoded["/gps/fix"], content["/gnss/fix"], strict=True):
        assert stamp(message.header) == instant(fix["epoch"]) + offset(bag) and message.header.frame_id == "gps"
        assert (message.latitude, message.longitude) == (fix["latitude"], fix["longitude"])
        assert message.altitude == fix["height"] or math.isnan(message.altitude) and fix["heightKind"] != "ellipsoidal"
        sigmas = numpy.array([fix[f"sigma{axis}"] for axis in ("East", "North", "Up")])
        assert numpy.reshape(message.position_covariance, (3, 3)) == pytest.approx(numpy.diag(sigmas**2))
        assert message.position_covariance_type == 2 and message.status.status == 0
    poses = [pose for pose in content["/pose"] if "geo" in pose]
    for message, pose in zip(decoded["/gps/filtered"], poses, strict=True):
        assert message.header.frame_id == "base_link" and message.altitude == pytest.approx(pose["geo"]["height"], abs=1e-3)
        assert message.latitude == pytest.approx(pose["geo"]["latitude"], abs=1e-9)
        sigma = pose["accuracy"]["horizontalAccuracy"] / 1.51
        assert message.position_covariance[0] == message.position_covariance[4] == pytest.approx(sigma**2, rel=1e-3)
        assert message.position_covariance_type == 1


def test_the_rotation_takes_each_axis_of_the_board_where_the_pose_does(content, decoded):
    poses = content["/pose"]
    assert len(poses) == len(decoded["/odometry/local"]) > 500
    for message, pose in zip(decoded["/odometry/local"], poses, strict=True):
        assert (message.header.frame_id, message.child_frame_id) == ("odom", "base_link")
        body = matrix(pose["orientation"])
        rotation = turn(message.pose.pose.orientation)
        # Forward is the line of sight, which is the body's -z; left is its -x, and up its y.
        for axis, own in (([1, 0, 0], [0, 0, -1]), ([0, 1, 0], [-1, 0, 0]), ([0, 0, 1], [0, 1, 0])):
            assert rotation @ axis == pytest.approx(WORLD @ body @ own, abs=2e-6)
        assert xyz(message.pose.pose.position) == pytest.approx(WORLD @ vector(pose["position"]), abs=1e-4)
        # Velocities are those of the board in its own axes.
        assert rotation @ xyz(message.twist.twist.linear) == pytest.approx(WORLD @ vector(pose["linearVelocity"]), abs=1e-4)
        assert xyz(message.twist.twist.angular) == pytest.approx(BASE @ vector(pose["angularVelocity"]), abs=1e-6)
        # Unknown: accuracies are those of the place on the earth.
        assert numpy.reshape(message.pose.covariance, (6, 6)) == pytest.approx(1e6 * numpy.eye(6))
        accuracy = pose["accuracy"]
        across, up = (accuracy["horizontalVelocityAccuracy"] / 1.51)**2, accuracy["verticalVelocityAccuracy"]**2
        twist = numpy.reshape(message.twist.covariance, (6, 6))
        # Accuracies in JSON are rounded to 1e-4 m/s, so that variances differ by twice the deviation times that.
        assert rotation @ twist[:3, :3] @ rotation.T == pytest.approx(numpy.diag([across, across, up]), rel=1e-3, abs=1e-5)
        assert twist[3:, 3:] == pytest.approx(numpy.eye(3) * (accuracy["angularVelocityAccuracy"] / 1.87)**2, rel=1e-3)


def test_the_frames_lead_from_the_map_to_the_place_on_the_earth(bag, content, decoded):
    frames = sorted((frame for frame in content["/frame"] if "origin" in frame), key=lambda each: instant(each["time"]))
    poses = {instant(pose["time"]) + offset(bag): pose for pose in content["/pose"]}
    transforms = [part for message in decoded["/tf"] for part in message.transforms]
    assert {(part.header.frame_id, part.child_frame_id) for part in transforms} == {("map", "odom"), ("odom", "base_link")}
    [antenna] = decoded["/tf_static"][0].transforms
    assert (antenna.header.frame_id, antenna.child_frame_id) == ("base_link", "gps")
    odometry = {stamp(message.header): message for message in decoded["/odometry/global"]}
    odom, compared = None, 0
    for part in transforms:
        if part.child_frame_id == "odom":
            odom = part
            # About the vertical alone.
            assert turn(part.transform.rotation) @ [0, 0, 1] == pytest.approx([0, 0, 1])
            continue
        pose, message = poses[stamp(part.header)], odometry.get(stamp(part.header))
        if not odom or not message:
            continue
        place = xyz(odom.transform.translation) + turn(odom.transform.rotation) @ xyz(part.transform.translation)
        rotation = turn(odom.transform.rotation) @ turn(part.transform.rotation)
        assert message.header.frame_id == "map" and xyz(message.pose.pose.position) == pytest.approx(place, abs=1e-6)
        assert turn(message.pose.pose.orientation) == pytest.approx(rotation, abs=1e-9)
        frame = next(each for each in reversed(frames) if instant(each["time"]) <= instant(pose["time"]))
        # A fix moves the estimate at once, and the frame message of it comes within a tenth of a second.
        if numpy.linalg.norm(place - in_plane_of_earth(frame["origin"], pose["geo"])) < 0.05:
            sight = rotation @ [1, 0, 0]
            heading = math.degrees(math.atan2(sight[0], sight[1]))
            compared += abs((heading - pose["heading"] + 180) % 360 - 180) < 0.5
        covariance = numpy.diag(numpy.reshape(message.pose.covariance, (6, 6)))
        sigma = pose["accuracy"]["horizontalAccuracy"] / 1.51
        assert covariance[:2] == pytest.approx([sigma**2, sigma**2], rel=1e-3)
        assert covariance[3:5] == pytest.approx([1e6, 1e6]), "not known"
    assert compared > 0.9 * len(odometry) > 400


def test_the_map_stays_where_it_began_on_a_long_way(tmp_path):
    """Three kilometres to the east, by tables: the estimator's own origin moves along with the wearer."""
    speed, degrees_per_metre = 20, 1 / (111_320 * math.cos(math.radians(60)))

    def imu(t):
        return f"{t:.2f},{2 if 20 <= t < 30 else 0},9.81,0,0,0,0"

    def fix(t):
        run = max(0, t - 20)
        east, pace = (run**2, 2 * run) if run < 10 else (100 + speed * (run - 10), speed)
        return f"{t:.2f},60,{8 + east * degrees_per_metre:.9f},500,{pace},0,0,2,2,3"

    folder = write_tables(tmp_path / "way", 180, {
        "imu.csv": ("t_s,ax,ay,az,gx,gy,gz", 50, imu),
        "gnss.csv": ("t_s,lat_deg,lon_deg,alt_m,ve_mps,vn_mps,vu_mps,sde_m,sdn_m,sdu_m", 1, fix)})
    result = waymark(
        "export", folder, "--what", "replayed", "--format", "ros2", "--rate", 1, "--output", tmp_path / "way.mcap")
    assert result.returncode == 0, result.stderr
    places, geos = {}, {}
    with open(tmp_path / "way.mcap", "rb") as stream:
        for _, channel, _, message in make_reader(stream, decoder_factories=[DecoderFactory()]).iter_decoded_messages():
            if channel.topic == "/odometry/global":
                places[stamp(message.header)] = xyz(message.pose.pose.position)
            elif channel.topic == "/gps/filtered":
                geos[stamp(message.header)] = {
                    "latitude": message.latitude, "longitude": message.longitude, "height": message.altitude}
    first, *rest = sorted(places)
    for time in rest:
        way = in_plane_of_earth(geos[first], geos[time])
        assert places[time] - places[first] == pytest.approx(way, abs=2)
    assert numpy.linalg.norm(way) > 2500


def test_times_never_go_back_and_are_utc(bag, content):
    with open(bag, "rb") as stream:
        times = [message.log_time for _, _, message in make_reader(stream).iter_messages(log_time_order=False)]
    assert all(before <= after for before, after in itertools.pairwise(times))
    assert times[0] * 1e-9 > 1.5e9


def test_a_replay_of_it_says_that_it_is_no_recording_of_waymark(bag, tmp_path):
    result = waymark("replay", bag, "--output", tmp_path / "a.csv")
    assert "the file holds no measurements of waymark" in result.stderr, result.stderr
