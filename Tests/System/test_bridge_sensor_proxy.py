"""`waymark-bridge` serves clients of iio-sensor-proxy, on a bus of the tests' own: the real monitor-sensor, busctl, gdbus, and
connections that a test holds, breaks or floods."""
import os
import re
import subprocess

import pytest

from harness.bus import BUS, CLOSED, COMPASS, SENSOR, SENSOR_NAME, Bus
from harness.daemon import SIMULATION
from harness.paths import PROGRAMS, ROOT
from harness.process import Program
from harness.waiting import PATIENCE, wait_until

pytestmark = pytest.mark.library

# The walk is at Zurich, where magnetic north lies 3.5° east of true north. Degrees.
DECLINATION = 3.5
# One without rights, of any number.
OTHER_USER = {"user": 65534, "group": 65534, "extra_groups": []}


class Bridge:
    """A bridge with this output alone."""

    def __init__(self, daemon, bus, **options):
        daemon.configure({"bridge": {"sensor_proxy": True}})
        self.daemon, self.bus = daemon, bus
        self.program = Program(
            [PROGRAMS / "waymark-bridge", "--config", daemon.config], daemon.folder / "bridge.log", env=bus.environment,
            **options)

    def said(self, text, count=1):
        wait_until(lambda: self.program.log.count(text) >= count, what=lambda: f"{text!r} in:\n{self.program.log}")

    def serves(self, count=1):
        self.said(f"clients are served as {SENSOR_NAME}", count)
        return self

    def has_accelerometer(self, client):
        wait_until(lambda: client.get(SENSOR, "HasAccelerometer") is True, what="an accelerometer")


@pytest.fixture
def bus(tmp_path, daemon):
    # The folder of a daemon, since the path of a socket is short there.
    made = Bus(daemon().folder)
    yield made
    made.remove()


@pytest.fixture
def bridge(daemon, bus):
    made = Bridge(daemon(SIMULATION).start(), bus).serves()
    made.has_accelerometer(bus.client())
    yield made
    made.program.end()


@pytest.fixture(scope="module")
def monitor_sensor():
    done = subprocess.run([ROOT / "scripts/monitor-sensor"], capture_output=True, text=True)
    if done.returncode != 0:
        pytest.skip(done.stderr.strip())
    return done.stdout.strip()


@pytest.fixture
def monitor(bus, monitor_sensor, tmp_path):
    """A running monitor-sensor, and what it has printed."""
    with open(tmp_path / "monitor", "wb") as output:
        program = Program(["stdbuf", "-oL", monitor_sensor], tmp_path / "errors", env=bus.environment, stdout=output)
    yield lambda: (tmp_path / "monitor").read_text()
    program.end()


def busctl(bus, *arguments, **options):
    return subprocess.run(
        ["busctl", f"--address={bus.address}", *arguments], capture_output=True, text=True, timeout=PATIENCE, **options)


def ring_clients(daemon):
    return daemon.status()["poseRing"]["clients"]


def holds_poses(daemon, expected):
    wait_until(lambda: ring_clients(daemon) == expected, what=lambda: f"{expected} clients, not {ring_clients(daemon)}")


def test_monitor_sensor_shows_the_orientation_of_a_display_that_is_worn_upright(bridge, monitor):
    wait_until(
        lambda: re.search(r"orientation(?: changed)?: normal", monitor()), what=lambda: f"an orientation in {monitor()}")
    assert "=== Has accelerometer (orientation: " in monitor()
    assert "=== No ambient light sensor" in monitor() and "=== No proximity sensor" in monitor()


def test_monitor_sensor_sees_the_sensors_go_with_the_daemon_and_come_with_the_next(bridge, monitor):
    wait_until(lambda: "orientation: normal" in monitor() or "changed: normal" in monitor(), what=monitor)
    bridge.daemon.stop()
    wait_until(lambda: "--- Accelerometer disappeared" in monitor(), what=monitor)
    bridge.daemon.start()
    wait_until(
        lambda: re.search(r"disappeared.*\+\+\+ Accelerometer appeared.*changed: normal", monitor(), re.DOTALL), what=monitor)


def test_busctl_and_gdbus_see_the_documented_objects(bridge):
    seen = busctl(bridge.bus, "introspect", SENSOR_NAME, "/net/hadess/SensorProxy", SENSOR_NAME).stdout
    members = {tuple(line.split()[:3]) for line in seen.splitlines()[1:]}
    for sensor in ["Accelerometer", "Light", "Proximity"]:
        assert {(f".Claim{sensor}", "method", "-"), (f".Release{sensor}", "method", "-")} <= members
    for name, kind in {
            "HasAccelerometer": "b", "AccelerometerOrientation": "s", "AccelerometerTilt": "s", "HasAmbientLight": "b",
            "LightLevelUnit": "s", "LightLevel": "d", "HasProximity": "b", "ProximityNear": "b"}.items():
        assert (f".{name}", "property", kind) in members
    seen = subprocess.run(
        ["gdbus", "introspect", "--address", bridge.bus.address, "--dest", SENSOR_NAME, "--object-path",
         "/net/hadess/SensorProxy/Compass"], capture_output=True, text=True, timeout=PATIENCE).stdout
    for part in ["ClaimCompass();", "ReleaseCompass();", "readonly b HasCompass", "readonly d CompassHeading"]:
        assert part in seen


def test_a_claim_is_answered_with_the_reading_there(bridge):
    client = bridge.bus.client()
    assert client.get(SENSOR, "AccelerometerOrientation") == "undefined"
    assert client.call(SENSOR, "ClaimAccelerometer") == ()
    assert client.get(SENSOR, "AccelerometerOrientation") == "normal"
    assert client.get(SENSOR, "AccelerometerTilt") in ("vertical", "tilted-up", "tilted-down")
    assert client.get(SENSOR, "HasAmbientLight") is False and client.get(SENSOR, "HasProximity") is False


def test_the_compass_counts_from_magnetic_north(bridge):
    bridge.daemon.wait_for_state("localized")
    client = bridge.bus.client()
    assert client.get(COMPASS, "CompassHeading") == -1
    assert client.call(COMPASS, "ClaimCompass") == ()
    assert client.get(COMPASS, "HasCompass") is True

    def agrees():
        compass = client.get(COMPASS, "CompassHeading")
        pose = bridge.daemon.call("org.waymark.Pose.GetPose")["pose"]
        assert compass == -1 or (0 <= compass < 360 and compass == int(compass))
        if compass == -1 or pose["headingReference"] != "trueNorth":
            return False
        difference = (pose["heading"] - compass - DECLINATION + 180) % 360 - 180
        # A degree of rounding, and the walker's head in a fifth of a second.
        return abs(difference) < 1.5

    wait_until(agrees, what="a heading from magnetic north")


def test_readings_are_sent_to_clients_that_claim_them_and_to_no_other(bridge):
    claiming, listening = bridge.bus.client(), bridge.bus.client()
    rule = f"type='signal',sender='{SENSOR_NAME}'"
    for client in (claiming, listening):
        client.call(BUS, "AddMatch", "s", (rule,))
    claiming.call(SENSOR, "ClaimAccelerometer")
    claiming.call(COMPASS, "ClaimCompass")
    assert claiming.changes(SENSOR)["AccelerometerOrientation"] == "normal"
    assert set(claiming.changes(COMPASS)) == {"CompassHeading"}
    bridge.daemon.stop()
    seen = listening.changes(SENSOR)
    # It may have seen the sensors come, too.
    while seen.get("HasAccelerometer", True):
        seen = listening.changes(SENSOR)
    assert seen == {"HasAccelerometer": False}


def test_poses_are_held_only_while_a_sensor_of_poses_is_claimed(bridge):
    client = bridge.bus.client()
    client.call(SENSOR, "ClaimLight")
    client.call(SENSOR, "ClaimProximity")
    holds_poses(bridge.daemon, 0)
    client.call(SENSOR, "ClaimAccelerometer")
    client.call(COMPASS, "ClaimCompass")
    holds_poses(bridge.daemon, 1)
    client.call(SENSOR, "ReleaseAccelerometer")
    assert client.get(COMPASS, "HasCompass") is True
    holds_poses(bridge.daemon, 1)
    client.call(COMPASS, "ReleaseCompass")
    holds_poses(bridge.daemon, 0)


def test_claims_end_with_their_client(bridge):
    client = bridge.bus.client(closes=False)
    client.call(SENSOR, "ClaimAccelerometer")
    client.call(COMPASS, "ClaimCompass")
    holds_poses(bridge.daemon, 1)
    client.close()
    holds_poses(bridge.daemon, 0)


def test_hundreds_of_claims_are_served_and_too_many_are_refused(bridge):
    clients = [bridge.bus.client() for _ in range(301)]
    for client in clients[:300]:
        assert client.call(SENSOR, "ClaimAccelerometer") == ()
    assert clients[300].call(SENSOR, "ClaimAccelerometer") == "org.freedesktop.DBus.Error.LimitsExceeded"
    # Twice is once, and one that leaves makes room.
    assert clients[0].call(SENSOR, "ClaimAccelerometer") == ()
    clients[1].close()
    wait_until(lambda: clients[300].call(SENSOR, "ClaimAccelerometer") == (), what="room for another client")
    assert clients[300].get(SENSOR, "AccelerometerOrientation") == "normal"


def test_a_client_that_never_reads_disturbs_no_other(bridge):
    silent, other = bridge.bus.client(), bridge.bus.client()
    for _ in range(5000):
        silent.send(SENSOR, "ClaimAccelerometer")
        silent.send(COMPASS, "ClaimCompass")
    assert other.call(SENSOR, "ClaimAccelerometer") == ()
    assert other.get(SENSOR, "AccelerometerOrientation") == "normal"
    assert bridge.program.runs


def test_the_name_of_another_program_is_waited_for_and_the_log_says_how_to_end_that(daemon, bus):
    other = bus.client()
    assert other.call(BUS, "RequestName", "su", (SENSOR_NAME, 0)) == (1,)
    bridge = Bridge(daemon(SIMULATION).start(), bus)
    try:
        bridge.said("systemctl mask --now iio-sensor-proxy")
        other.call(BUS, "ReleaseName", "s", (SENSOR_NAME,))
        bridge.serves()
        bridge.has_accelerometer(other)
    finally:
        bridge.program.end()


def test_a_bus_that_ends_is_found_again(bridge):
    client = bridge.bus.client()
    client.call(SENSOR, "ClaimAccelerometer")
    holds_poses(bridge.daemon, 1)
    bridge.bus.program.end()
    bridge.said("sensor proxy: ")
    holds_poses(bridge.daemon, 0)
    bridge.bus.start()
    bridge.serves(2)
    client = bridge.bus.client()
    assert client.call(SENSOR, "ClaimAccelerometer") == ()
    assert client.get(SENSOR, "AccelerometerOrientation") == "normal"


@pytest.mark.skipif(os.geteuid() != 0, reason="takes the part of other users, as only root may")
def test_the_policy_gives_the_orientation_to_all_and_the_compass_to_few(daemon):
    made = daemon(SIMULATION, {"service": {"socket_mode": "0666"}}).start()
    made.folder.chmod(0o755)
    bus = Bus(made.folder, CLOSED.format(policy=ROOT / "dbus/org.waymark.SensorProxy.conf"))
    bridge = Bridge(made, bus)
    try:
        bridge.serves()
        claim = ["call", SENSOR_NAME, "/net/hadess/SensorProxy", SENSOR_NAME, "ClaimAccelerometer"]
        heading = ["get-property", SENSOR_NAME, "/net/hadess/SensorProxy/Compass", COMPASS.interface, "CompassHeading"]
        tilt = ["get-property", SENSOR_NAME, "/net/hadess/SensorProxy", SENSOR_NAME, "AccelerometerTilt"]
        assert [busctl(bus, *call).returncode for call in (claim, tilt, heading)] == [0, 0, 0]
        other = OTHER_USER
        assert [busctl(bus, *call, **other).returncode for call in (claim, tilt)] == [0, 0]
        refused = busctl(bus, *heading, **other)
        assert refused.returncode != 0 and "denied" in refused.stderr.lower()
    finally:
        bridge.program.end()
        bus.remove()


@pytest.mark.skipif(os.geteuid() != 0, reason="takes the part of another user, as only root may")
def test_a_user_who_may_not_own_the_name_is_told_of_the_policy(daemon):
    made = daemon(SIMULATION, {"service": {"socket_mode": "0666"}}).start()
    made.folder.chmod(0o755)
    made.config.chmod(0o644)
    bus = Bus(made.folder, CLOSED.format(policy=ROOT / "dbus/org.waymark.SensorProxy.conf"))
    bridge = Bridge(made, bus, **OTHER_USER)
    try:
        bridge.said("install org.waymark.SensorProxy.conf")
        assert bridge.program.runs
    finally:
        bridge.program.end()
        bus.remove()
