"""Real gpsd, real libiio and the real programs together: poses come out, and all ways to ask agree."""
import itertools
import json
import math

import pytest
import varlink
from waymark_interface import POSE

from harness.command import waymark
from harness.gps import PLACE
from harness.rig import AT_REST, Rig, lacks_motion_alone
from harness.waiting import wait_until

pytestmark = pytest.mark.library

SOURCES = {"inertial", "magnetometer", "gnssPosition"}
METRES_PER_DEGREE = 111_195.0  # of latitude; a sphere will do for a few metres


def metres_from_place(geo):
    north = (geo["latitude"] - PLACE[0]) * METRES_PER_DEGREE
    east = (geo["longitude"] - PLACE[1]) * METRES_PER_DEGREE * math.cos(math.radians(PLACE[0]))
    return math.hypot(east, north)


def test_a_python_client_receives_poses_of_its_place_from_real_gpsd_and_real_libiio(rig):
    rig.placed()
    # Where this is the first test on the rig, the gyroscope's bias may take a moment longer.
    wait_until(
        lambda: set(rig.daemon.status()["reasons"]) == AT_REST, 60, lambda: f"motion missing; it is {rig.daemon.status()}")
    with varlink.Client(f"unix:{rig.daemon.socket}") as client, client.open(POSE) as pose_interface:
        replies = pose_interface.Subscribe(rate=20, _more=True)
        # On a busy machine the receiver may fall silent for seconds, and its poses are those without it.
        minute = (reply["pose"] for reply in itertools.islice(replies, 20 * 60))
        complete = (pose for pose in minute if SOURCES <= set(pose["sources"]))
        poses = list(itertools.islice(complete, 10))
    assert len(poses) == 10, "poses without the receiver, for a minute"
    for pose in poses:
        assert pose["state"] == "aligning" and set(pose["reasons"]) == AT_REST
        assert pose["headingReference"] == "trueNorth"
        assert pose["tracking"] == {"orientation": "tracked", "position": "tracked"}
        accuracy = pose["accuracy"]
        assert 0 < accuracy["horizontalAccuracy"] < 20 and 0 < accuracy["verticalAccuracy"] < 40
        # Nothing but the compass shows the heading of a board at rest.
        assert accuracy["orientationYawAccuracy"] == pytest.approx(60, abs=0.01)
        # The receiver's fixes are without error: what is left is the filter's own.
        assert metres_from_place(pose["geo"]) < max(3 * accuracy["horizontalAccuracy"], 3)
        assert abs(pose["geo"]["height"] - PLACE[2]) < max(3 * accuracy["verticalAccuracy"], 5)
        # The board at rest looks along magnetic north, which lies about 4° east of true north at this place.
        assert abs((pose["heading"] - 4 + 180) % 360 - 180) < 10
        assert abs(math.hypot(*pose["orientation"].values()) - 1) < 1e-6
    assert [pose["sequence"] for pose in poses] == sorted({pose["sequence"] for pose in poses})


def test_a_still_board_without_a_calibration_knows_no_north_until_it_has_one():
    raw = Rig({"power": {"enabled": False}}, calibrated=False)
    try:
        def is_placed():
            status = raw.daemon.status()
            return (
                set(status["reasons"]) == AT_REST | {"headingUncertain"} and "gnssPosition" in status["sources"]
                and status)
        status = wait_until(is_placed, what=lambda: f"only the heading missing; it is {raw.daemon.status()}")
        assert status["readiness"] != "ready"
        with raw.daemon.subscribe(rate=20) as reader:
            reader.wait_for_more(60)
            # A hard iron of half the field leaves no direction out, and waiting makes none better.
            assert all(pose["state"] == "aligning" for pose in reader.poses)
            assert all("headingUncertain" in pose["reasons"] for pose in reader.poses)
        raw.take_calibration_in()
        raw.daemon.wait_until(lambda: "magnetometer" in raw.placed()["sources"])
    finally:
        raw.remove()


def test_a_board_at_rest_stays_where_it_is(rig):
    rig.placed()
    with rig.daemon.subscribe(rate=20) as reader:
        reader.wait_for_more(40)
        speeds = [math.hypot(*pose["linearVelocity"].values()) for pose in reader.poses]
        turns = [math.hypot(*pose["angularVelocity"].values()) for pose in reader.poses]
    assert max(speeds) < 1 and max(turns) < 0.1


def test_the_status_names_every_device_with_rates_scale_and_clock(rig):
    rig.placed()
    devices = {device["name"]: device for device in rig.daemon.status()["devices"]}
    imu, magnetometer, barometer = devices["imu_6axis"], devices["magn_3axis"], devices["baro"]
    for device in (imu, magnetometer, barometer):
        assert device["state"] == "streaming" and device["samples"] > 0 and device["age"] < 5
    assert (imu["requestedRate"], imu["grantedRate"]) == (200, 200)
    assert (magnetometer["requestedRate"], magnetometer["grantedRate"]) == (50, 50)
    assert imu["clock"] == "boottime"
    formats = {channel["name"]: channel.get("format", "").lower() for channel in imu["channels"]}
    assert formats["accel_x"] == "le:s16/16>>0"
    scales = {channel["name"]: channel["scale"] for channel in imu["channels"] + magnetometer["channels"]}
    assert scales["accel_x"] == 0.000598 and scales["anglvel_z"] == 0.000152716 and scales["magn_y"] == 0.0005
    receiver = rig.daemon.device("gpsd")
    assert receiver["state"] == "streaming" and str(rig.receiver.port) in receiver["identifier"]


def test_all_commands_agree_on_the_state(rig):
    rig.placed()
    socket = rig.daemon.socket
    waited = waymark("wait", "--horizontal", 20, "--yaw", 70, "--timeout", 1, socket=socket)
    assert waited.returncode == 4 and "walk a few steps" in waited.stderr, waited

    status = waymark("status", "--json", socket=socket)
    assert status.returncode == 0 and status.stderr == ""
    status = json.loads(status.stdout)
    status = status.get("status", status)
    assert lacks_motion_alone(status) and status["source"] == "sensors"

    pose = json.loads(waymark("pose", "--format", "json", socket=socket).stdout)
    assert lacks_motion_alone(pose)
    assert metres_from_place(pose["geo"]) < 20

    geopose = json.loads(waymark("pose", "--format", "geopose", socket=socket).stdout)
    assert set(geopose) >= {"position", "quaternion"}
    assert metres_from_place({"latitude": geopose["position"]["lat"], "longitude": geopose["position"]["lon"]}) < 20
    assert abs(math.hypot(*geopose["quaternion"].values()) - 1) < 1e-6

    watched = waymark("watch", "--json", "-n", 3, socket=socket)
    assert watched.returncode == 0
    poses = [json.loads(line) for line in watched.stdout.splitlines()]
    assert len(poses) == 3 and all(map(lacks_motion_alone, poses))
    assert poses[0]["sequence"] >= pose["sequence"]

    assert "only the compass shows where north is" in waymark("status", socket=socket).stdout
    devices = waymark("devices", socket=socket).stdout
    for name in ("imu_6axis", "magn_3axis", "baro", "GNSS receiver"):
        assert name in devices
