"""`waymark-bridge` serves the clients of other programs: gpsd's, readers of NMEA 0183, and listeners of OpenTrack's and MAVLink's
datagrams."""
import contextlib
import json
import math
import os
import re
import signal
import socket
import struct
import subprocess
import time

import gpxpy
import numpy
import pynmea2
import pytest
from pymavlink.dialects.v20 import common as mavlink
from waymark_interface import POSE_GET_POSE

from harness.daemon import SIMULATION
from harness.outside import PYTHON, QGIS, display, needs
from harness.paths import PROGRAMS, ROOT
from harness.process import Program
from harness.tmux import Terminal
from harness.waiting import PATIENCE, wait_until

BRIDGE = PROGRAMS / "waymark-bridge"
# Height of the geoid EGM96 where the simulated wearer walks. Unit: metres.
GEOID = 47.56


class Bridge:
    """A bridge with all outputs, to a daemon of its own that can be restarted."""

    def __init__(self, daemon):
        self.daemon = daemon
        self.folder = daemon.folder
        self.nmea_socket, self.terminal = self.folder / "nmea", self.folder / "tty"
        self.listener, self.vehicle = (socket.socket(socket.AF_INET, socket.SOCK_DGRAM) for _ in range(2))
        for each in (self.listener, self.vehicle):
            each.bind(("127.0.0.1", 0))
            each.settimeout(PATIENCE)
        self.start()

    def start(self, *arguments):
        self.program = Program(
            [BRIDGE, "--config", self.daemon.config, "--gpsd", "127.0.0.1:0", "--nmea-tcp", "127.0.0.1:0", "--nmea-socket",
             self.nmea_socket, "--nmea-terminal", self.terminal, "--rate", "10", "--opentrack",
             f"127.0.0.1:{self.listener.getsockname()[1]}", "--mavlink",
             f"udp:127.0.0.1:{self.vehicle.getsockname()[1]}", *arguments], self.folder / "bridge.log")
        self.gpsd = self.port(r"gpsd's clients at 127.0.0.1:(\d+)")
        self.nmea = self.port(r"NMEA 0183 at 127.0.0.1:(\d+)")

    def port(self, pattern):
        found = wait_until(
            lambda: re.findall(pattern, self.program.log), what=lambda: f"{pattern} in the log:\n{self.program.log}")
        return int(found[-1])

    def tcp(self, port):
        connection = socket.create_connection(("127.0.0.1", port), timeout=PATIENCE)
        return connection, connection.makefile("r", encoding="ascii", newline="\r\n")

    def watch(self, request='{"enable":true,"json":true}'):
        """A connection as gpsd's clients make it, past the greeting."""
        connection, lines = self.tcp(self.gpsd)
        connection.sendall(f"?WATCH={request};".encode())
        return connection, lines

    def fresh_datagram(self):
        """A datagram that is sent from now on; those that lie in the socket are thrown away."""
        self.forget(self.listener)
        return self.listener.recv(100)

    def forget(self, listener):
        listener.setblocking(False)
        with contextlib.suppress(BlockingIOError):
            while True:
                listener.recv(300)
        listener.settimeout(PATIENCE)

    def pose(self):
        return self.daemon.call(POSE_GET_POSE)["pose"]

    def remove(self):
        self.program.end()
        self.listener.close()
        self.vehicle.close()


@pytest.fixture
def bridge(daemon):
    made = Bridge(daemon(SIMULATION).start())
    made.daemon.wait_for_state("localized")
    yield made
    made.remove()


def report(lines, kind):
    """The next report of a class."""
    while True:
        found = json.loads(lines.readline())
        if found["class"] == kind:
            return found


def has_fix(lines):
    return wait_until(lambda: (found := report(lines, "TPV"))["mode"] == 3 and found, interval=0)


def assert_close(latitude, longitude, pose):
    """Position is the pose's to a hundred metres: the wearer walks on meanwhile."""
    assert abs(latitude - pose["geo"]["latitude"]) < 1e-3 and abs(longitude - pose["geo"]["longitude"]) < 1e-3


# gpsd's clients

def test_gpspipe_reads_the_fused_position_with_errors_of_95_percent(bridge):
    done = subprocess.run(
        ["gpspipe", "-w", "-n", "40", f"127.0.0.1:{bridge.gpsd}"], capture_output=True, text=True, timeout=PATIENCE)
    reports = [json.loads(line) for line in done.stdout.splitlines()]
    assert [each["class"] for each in reports[:3]] == ["VERSION", "DEVICES", "WATCH"]
    # The newest: the accuracy of the first seconds changes fast.
    tpv = [each for each in reports if each["class"] == "TPV" and each["mode"] == 3][-1]
    pose = bridge.pose()
    assert_close(tpv["lat"], tpv["lon"], pose)
    # A simulation, by gpsd's own number for one.
    assert tpv["status"] == 8 and tpv["device"] == "waymark"
    assert tpv["geoidSep"] == pytest.approx(GEOID, abs=0.01)
    assert tpv["altMSL"] == pytest.approx(tpv["altHAE"] - tpv["geoidSep"], abs=1e-3)
    sky = next(each for each in reports if each["class"] == "SKY")
    assert sum(each["used"] for each in sky["satellites"]) == 10 and len(sky["satellites"]) == 12
    deviation = pose["accuracy"]["horizontalAccuracy"] / 1.51
    assert tpv["epx"] == pytest.approx(1.96 * deviation, rel=0.2) and tpv["eph"] == pytest.approx(2.4477 * deviation, rel=0.2)
    assert any(each["class"] == "ATT" and "heading" in each and abs(each["pitch"]) < 90 for each in reports)


def test_gpspipe_reads_nmea_as_qgis_does(bridge):
    done = subprocess.run(
        ["gpspipe", "-r", "-n", "20", f"127.0.0.1:{bridge.gpsd}"], capture_output=True, text=True, timeout=PATIENCE)
    sentences = [line for line in done.stdout.splitlines() if line.startswith("$")]
    messages = [pynmea2.parse(each, check=True) for each in sentences]
    assert {each.sentence_type for each in messages} >= {"GGA", "RMC", "VTG"}
    # QGIS takes GP and GN alone.
    assert {each.talker for each in messages} == {"GP"}


def test_sentences_begin_with_the_talker_of_the_settings(daemon):
    bridge = Bridge(daemon(SIMULATION | {"bridge": {"nmea_talker": "IN"}}).start())
    try:
        _, lines = bridge.tcp(bridge.nmea)
        assert pynmea2.parse(lines.readline().strip(), check=True).talker == "IN"
    finally:
        bridge.remove()


def test_cgps_shows_the_position(bridge):
    with Terminal(["cgps", "-s", f"127.0.0.1:{bridge.gpsd}"], rows=40, columns=100) as screen:
        wait_until(
            lambda: re.search(r"Latitude.*47\.37", screen.text) and re.search(r"Status.*3D", screen.text),
            what=lambda: f"the position on the screen; there is:\n{screen.text}")


@pytest.mark.long
def test_gpsmon_shows_the_position(bridge):
    with Terminal(["gpsmon", f"127.0.0.1:{bridge.gpsd}"], rows=40, columns=400) as screen:
        wait_until(
            lambda: re.search(r'"lat":47\.37.*"altMSL"', screen.text),
            what=lambda: f"the position on the screen; there is:\n{screen.text}")


@pytest.mark.long
def test_gpxlogger_writes_a_track(bridge, tmp_path):
    file = tmp_path / "track.gpx"
    with open(file, "wb") as track:
        logger = subprocess.Popen(["gpxlogger", f"127.0.0.1:{bridge.gpsd}"], stdout=track)
    try:
        wait_until(lambda: file.read_text().count("</trkpt>") > 2, what="points of a track")
    finally:
        logger.terminate()
        logger.wait(PATIENCE)
    points = [point for segment in gpxpy.parse(file.read_text()).tracks[0].segments for point in segment.points]
    pose = bridge.pose()
    for point in points:
        assert abs(point.latitude - pose["geo"]["latitude"]) < 1e-3 and point.type_of_gpx_fix == "3d"
        # It writes heights above the ellipsoid.
        assert abs(point.elevation - pose["geo"]["height"]) < 20 and point.satellites == 10


@pytest.mark.long
@needs(QGIS)
def test_qgis_has_the_position_and_its_height(bridge):
    done = subprocess.run(
        [PYTHON, ROOT / "Tests/Support/qgis_gps.py", str(bridge.gpsd), str(PATIENCE)], capture_output=True, text=True,
        env=os.environ | {"QT_QPA_PLATFORM": "offscreen"}, timeout=2 * PATIENCE)
    assert done.stdout, f"QGIS has no position: {done.stderr}"
    found, pose = json.loads(done.stdout), bridge.pose()
    assert_close(found["latitude"], found["longitude"], pose)
    assert abs(found["elevation"] - (pose["geo"]["height"] - GEOID)) < 20
    assert found["satellitesUsed"] == 10 and found["quality"] in (1, 6)


@pytest.mark.long
@needs("xgps")
@needs("Xvfb")
def test_xgps_shows_position_satellites_and_errors(bridge, tmp_path):
    with display(tmp_path) as name:
        done = subprocess.run(
            [PYTHON, ROOT / "Tests/Support/xgps_window.py", f"127.0.0.1:{bridge.gpsd}"], capture_output=True, text=True,
            env=os.environ | {"DISPLAY": name, "GPSD_UNITS": "metric"}, timeout=PATIENCE)
    assert done.stdout, f"xgps has no position: {done.stderr}"
    shown, pose = json.loads(done.stdout), bridge.pose()
    assert_close(float(shown["Latitude"].removesuffix(" N")), float(shown["Longitude"].removesuffix(" E")), pose)
    assert abs(float(shown["Altitude MSL"].removesuffix(" m")) - (pose["geo"]["height"] - GEOID)) < 20
    assert (shown["Status"], shown["Sats Used"], shown["Sats Seen"]) == ("3D SIM FIX", "10", "12")
    deviation = pose["accuracy"]["horizontalAccuracy"] / 1.51
    assert float(shown["EPX"].removesuffix(" m")) == pytest.approx(1.96 * deviation, rel=0.5)
    assert shown["Time"][:10] == pose["utc"][:10]


@pytest.mark.long
@needs("foxtrotgps")
@needs("Xvfb")
def test_foxtrotgps_records_the_track(bridge, tmp_path):
    # Unless set otherwise it asks for maps. The name of the file follows that of the folder without a separator.
    settings = tmp_path / "glib-2.0/settings/keyfile"
    settings.parent.mkdir(parents=True)
    settings.write_text(
        f"[org/foxtrotgps]\ngpsd-host='127.0.0.1'\ngpsd-port='{bridge.gpsd}'\nauto-download=false\ntracklog-on=true\n"
        f"track-dir='{tmp_path}/'\n")

    def points():
        """Latitude, longitude, height, fix and HDOP of each; the first come with a whole block of the file."""
        text = "".join(file.read_text() for file in tmp_path.glob("*.gpx"))
        return re.findall(
            r'<trkpt lat="(.*?)" lon="(.*?)">\s*<ele>(.*?)</ele>\s*<time>.*?</time>\s*<fix>(.*?)</fix>\s*<hdop>(.*?)</hdop>',
            text)

    with display(tmp_path) as name:
        program = Program(
            ["foxtrotgps"], tmp_path / "foxtrotgps.log", stdout=subprocess.DEVNULL, env=os.environ | {
                "DISPLAY": name, "HOME": str(tmp_path), "XDG_CONFIG_HOME": str(tmp_path), "GSETTINGS_BACKEND": "keyfile"})
        try:
            found = wait_until(points, what=lambda: f"points of a track; there is:\n{program.log}")
        finally:
            program.end()
    # The walker has gone on since the first ones.
    latitude, longitude, height, fix, dilution = found[-1]
    pose = bridge.pose()
    assert_close(float(latitude), float(longitude), pose)
    assert abs(float(height) - (pose["geo"]["height"] - GEOID)) < 20
    assert fix == "3d" and 0 < float(dilution) < 5


# NMEA 0183

def epochs(lines):
    """Groups of sentences as the outside parser has them, with their checksums."""
    found = {}
    while True:
        message = pynmea2.parse(lines.readline().strip(), check=True)
        if message.sentence_type == "GGA" and found:
            yield found
            found = {}
        found[message.sentence_type] = message


def agrees(epoch, bridge):
    pose = bridge.pose()
    gga, rmc = epoch["GGA"], epoch["RMC"]
    assert abs(gga.latitude - pose["geo"]["latitude"]) < 1e-3 and abs(rmc.longitude - pose["geo"]["longitude"]) < 1e-3
    assert rmc.status == "A" and gga.gps_qual in (1, 6)
    assert float(epoch["GST"].std_dev_latitude) == pytest.approx(pose["accuracy"]["horizontalAccuracy"] / 1.51, rel=0.3)
    assert 0 <= float(epoch["HDT"].heading) < 360
    assert str(rmc.datetime.date()) == pose["utc"][:10]


def with_heading(found):
    """The first group that has all sentences; the first of a connection may be of before the first pose."""
    for _, epoch in zip(range(600), found):
        if {"GGA", "GST", "RMC", "VTG", "HDT"} <= epoch.keys():
            return epoch
    raise AssertionError("no group of sentences with a heading")


def test_an_outside_parser_reads_nmea_over_tcp(bridge):
    connection, lines = bridge.tcp(bridge.nmea)
    agrees(with_heading(epochs(lines)), bridge)
    connection.close()


def test_an_outside_parser_reads_nmea_on_the_unix_socket(bridge):
    with socket.socket(socket.AF_UNIX) as connection:
        connection.settimeout(PATIENCE)
        connection.connect(str(bridge.nmea_socket))
        agrees(with_heading(epochs(connection.makefile("r", encoding="ascii", newline="\r\n"))), bridge)
    assert bridge.nmea_socket.stat().st_mode & 0o777 == 0o600


def test_an_outside_parser_reads_nmea_on_the_pseudo_terminal(bridge):
    assert os.readlink(bridge.terminal).startswith("/dev/pts/")
    with open(bridge.terminal, encoding="ascii") as lines:
        agrees(with_heading(epochs(lines)), bridge)


# OpenTrack

def quaternion(numbers):
    """Rotation scene from body as XRLinuxDriver makes it of a datagram: z-y-x Euler angles of axes north, west and up."""
    yaw, pitch, roll = (math.radians(each) / 2 for each in numbers[3:])
    (cy, cp, cr), (sy, sp, sr) = map(math.cos, (yaw, pitch, roll)), map(math.sin, (yaw, pitch, roll))
    w = cr * cp * cy + sr * sp * sy
    north, west, up = sr * cp * cy - cr * sp * sy, cr * sp * cy + sr * cp * sy, cr * cp * sy - sr * sp * cy
    return {"x": -west, "y": up, "z": -north, "w": w}


def angle_between(first, second):
    return 2 * math.degrees(math.acos(min(1, abs(sum(first[each] * second[each] for each in "xyzw")))))


def test_a_listener_of_opentracks_datagrams_has_the_orientation_of_the_pose(bridge):
    def agreed():
        data = bridge.fresh_datagram()
        assert len(data) == 48
        numbers = struct.unpack("<6d", data)
        assert numbers[:3] == (0, 0, 0)
        # The pose is a little later, and the wearer turns the head meanwhile.
        return angle_between(quaternion(numbers), bridge.pose()["orientation"]) < 3

    wait_until(agreed, what="a datagram that agrees with the pose to 3°")


def test_datagrams_come_at_their_rate_and_not_more_often(bridge):
    bridge.fresh_datagram()
    count, started = 0, time.monotonic()
    while time.monotonic() - started < 2:
        bridge.listener.recv(100)
        count += 1
    # 90 Hz; a busy machine sends fewer, and what it missed is not made up for.
    assert 20 < count <= 190


# MAVLink

def fresh_messages(bridge):
    """One message of each name as MAVLink's own library reads it, which checks the checksum; they are sent from now on."""
    bridge.forget(bridge.vehicle)
    reader, found = mavlink.MAVLink(None), {}

    def all_names():
        message = reader.parse_char(bridge.vehicle.recv(300))
        found[message.get_type()] = message
        return len(found) == 4

    wait_until(all_names, what=lambda: f"messages of four names, of which came {sorted(found)}", interval=0)
    return found


def pose_at(bridge, nanoseconds):
    """What the daemon says of that moment, once it can."""
    time_of = dict(zip(("sec", "nsec"), divmod(nanoseconds, 10**9)))
    wait_until(lambda: bridge.pose()["time"]["sec"] * 10**9 + bridge.pose()["time"]["nsec"] > nanoseconds)
    return bridge.daemon.call(POSE_GET_POSE, {"time": time_of})["pose"]


def turned(quaternion, vector):
    """A vector after the rotation w, x, y, z."""
    w, axis = quaternion[0], numpy.array(quaternion[1:])
    return numpy.array(vector) + 2 * w * numpy.cross(axis, vector) + 2 * numpy.cross(axis, numpy.cross(axis, vector))


def down(vector):
    """The scene's, or the body's, x, y and z in axes forward, right and down."""
    return [-vector["z"], vector["x"], -vector["y"]]


def test_mavlinks_own_library_reads_the_pose(bridge):
    found = fresh_messages(bridge)
    agrees_with_the_odometry(bridge, found["ODOMETRY"])
    agrees_with_the_attitude(bridge, found["ATTITUDE_QUATERNION"])
    agrees_with_the_position(bridge, found["GLOBAL_POSITION_INT"])
    heartbeat = found["HEARTBEAT"]
    assert (heartbeat.type, heartbeat.autopilot) == (mavlink.MAV_TYPE_ONBOARD_CONTROLLER, mavlink.MAV_AUTOPILOT_INVALID)
    assert heartbeat.system_status == mavlink.MAV_STATE_ACTIVE and heartbeat.mavlink_version == 3


def agrees_with_the_odometry(bridge, odometry):
    assert (odometry.get_srcSystem(), odometry.get_srcComponent()) == (1, mavlink.MAV_COMP_ID_ONBOARD_COMPUTER)
    pose = pose_at(bridge, 1000 * odometry.time_usec)
    assert (odometry.frame_id, odometry.child_frame_id) == (mavlink.MAV_FRAME_LOCAL_FRD, mavlink.MAV_FRAME_BODY_FRD)
    assert [odometry.x, odometry.y, odometry.z] == pytest.approx(down(pose["position"]), abs=0.02)
    w, north, east, below = odometry.q
    assert angle_between({"x": east, "y": -below, "z": -north, "w": w}, pose["orientation"]) < 1
    velocity = turned(odometry.q, [odometry.vx, odometry.vy, odometry.vz])
    assert list(velocity) == pytest.approx(down(pose["linearVelocity"]), abs=0.2)
    accuracy = pose["accuracy"]
    variances = [odometry.pose_covariance[each] for each in (0, 6, 11, 15, 18, 20)]
    axis, yaw = accuracy["horizontalAccuracy"] / 1.51, math.radians(accuracy["orientationYawAccuracy"])
    wanted = [axis, axis, accuracy["verticalAccuracy"], yaw, yaw, yaw]
    assert [math.sqrt(each) for each in variances] == pytest.approx(wanted, rel=0.2)
    speeds = [odometry.velocity_covariance[each] for each in (0, 6, 11)]
    axis = accuracy["horizontalVelocityAccuracy"] / 1.51
    assert sum(speeds) == pytest.approx(2 * axis**2 + accuracy["verticalVelocityAccuracy"]**2, rel=0.4)
    assert odometry.estimator_type == mavlink.MAV_ESTIMATOR_TYPE_GPS_INS and odometry.quality == 100


def agrees_with_the_attitude(bridge, attitude):
    pose = pose_at(bridge, 10**6 * attitude.time_boot_ms)
    north, east, _ = turned([attitude.q1, attitude.q2, attitude.q3, attitude.q4], [1, 0, 0])
    # The scene approaches the estimate, which the heading is of.
    assert abs((math.degrees(math.atan2(east, north)) - pose["heading"] + 180) % 360 - 180) < 5


def agrees_with_the_position(bridge, position):
    pose = pose_at(bridge, 10**6 * position.time_boot_ms)
    geo = pose["geo"]
    assert [position.lat / 1e7, position.lon / 1e7] == pytest.approx([geo["latitude"], geo["longitude"]], abs=1e-6)
    connection, reports = bridge.watch()
    separation = has_fix(reports)["geoidSep"]
    connection.close()
    assert position.alt / 1000 == pytest.approx(geo["height"] - separation, abs=0.2)
    assert math.hypot(position.vx, position.vy) / 100 == pytest.approx(pose["speed"], abs=0.2)
    assert (position.hdg / 100 - pose["heading"] + 180) % 360 - 180 == pytest.approx(0, abs=1)


# The daemon comes and goes

def test_all_outputs_go_on_when_the_daemon_is_restarted(bridge):
    watching, reports = bridge.watch()
    has_fix(reports)
    nmea, lines = bridge.tcp(bridge.nmea)
    before = with_heading(epochs(lines))
    assert before["RMC"].status == "A"
    resets = fresh_messages(bridge)["ODOMETRY"].reset_counter
    bridge.daemon.program.end(signal.SIGKILL)
    # What was known last is not repeated as if it were now.
    while report(reports, "TPV")["mode"] != 1:
        pass
    while pynmea2.parse(lines.readline().strip()).sentence_type != "RMC":
        pass
    bridge.daemon.start()
    has_fix(reports)
    assert with_heading(epochs(lines))["RMC"].status == "A"
    assert len(bridge.fresh_datagram()) == 48
    # Another daemon has another scene.
    assert fresh_messages(bridge)["ODOMETRY"].reset_counter != resets
    assert bridge.program.runs
    for each in (watching, nmea):
        each.close()


def test_a_bridge_before_the_daemon_waits_for_it(daemon):
    later = daemon(SIMULATION)
    made = Bridge(later)
    try:
        connection, lines = made.watch()
        assert report(lines, "TPV")["mode"] == 1
        later.start()
        has_fix(lines)
        connection.close()
    finally:
        made.remove()


# Clients that misbehave

def test_clients_that_never_read_disturb_no_other(bridge):
    stuck = []
    for _ in range(10):
        connection = socket.socket()
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 2048)
        connection.connect(("127.0.0.1", bridge.gpsd))
        connection.sendall(b'?WATCH={"enable":true,"json":true,"nmea":true};' + b"?POLL;" * 500)
        stuck.append(connection)
    good, lines = bridge.watch()
    for _ in range(20):
        has_fix(lines)
    assert bridge.program.resident_kib() < 60_000
    for each in [*stuck, good]:
        each.close()


HOSTILE = (
    b"\x00" * 5000, b"?" * 5000, b"GET / HTTP/1.1\r\nHost: x\r\n\r\n", b"?WATCH={" + b"[" * 4000, b"\xff\xfe;" * 1000,
    b'?WATCH={"enable":true,"device":"' + b"a" * 3000 + b'"};')


def test_hostile_bytes_end_or_are_refused_and_the_bridge_goes_on(bridge):
    for data in HOSTILE:
        for port in (bridge.gpsd, bridge.nmea):
            with socket.create_connection(("127.0.0.1", port), timeout=PATIENCE) as connection:
                with contextlib.suppress(ConnectionError):
                    connection.sendall(data)
                    connection.shutdown(socket.SHUT_WR)
    good, lines = bridge.watch()
    has_fix(lines)
    good.close()


# Settings

def run(*arguments, **environment):
    return subprocess.run(
        [BRIDGE, *arguments], capture_output=True, text=True, timeout=PATIENCE, env={**os.environ, **environment})


def test_the_bridge_takes_its_outputs_from_the_settings(daemon):
    made = daemon(SIMULATION)
    made.configure({"bridge": {"gpsd": "127.0.0.1:0", "rate_hz": 20}})
    program = Program([BRIDGE, "--config", made.config], made.folder / "bridge.log")
    wait_until(lambda: "gpsd's clients at 127.0.0.1:" in program.log, what=lambda: program.log)
    assert program.end() == 0


@pytest.mark.parametrize("arguments, code, words", [
    ([], 78, ["no output is turned on", "--gpsd 127.0.0.1:2948"]),
    (["--gpsd", "0.0.0.0:2948"], 78, ["reachable from other computers", "--allow-remote"]),
    (["--opentrack", "192.0.2.1:4242"], 78, ["reachable from other computers"]),
    (["--mavlink", "udp:192.0.2.1:14550"], 78, ["reachable from other computers"]),
    (["--mavlink", "udp:"], 78, ["bridge.mavlink", "port"]),
    (["--metrics", "0.0.0.0:9469"], 78, ["reachable from other computers"]),
    (["--gpsd", "localhost"], 78, ["bridge.gpsd", "ADDRESS:PORT"]),
    (["--nmea-tcp", "example.org:80"], 78, ["numeric address"]),
    (["--rate", "0"], 2, ["--rate"]),
    (["--gpsd"], 2, ["--gpsd"]),
    (["--nmea-socket", "/nonexistent/x"], 1, ["/nonexistent/x", "No such file"]),
    (["--nmea-terminal", "/etc/hostname"], 1, ["exists but is not a link"]),
    (["--gspd", "127.0.0.1:1"], 2, ["did you mean"]),
])
def test_wrong_settings_are_refused_with_what_to_do(tmp_path, arguments, code, words):
    empty = tmp_path / "waymark.toml"
    empty.write_text("")
    done = run("--config", str(empty), *arguments)
    assert done.returncode == code
    assert all(word in done.stderr for word in words), done.stderr
    assert done.stdout == ""


def test_an_output_at_a_port_in_use_is_tried_again_while_the_others_work(daemon):
    made = daemon(SIMULATION).start()
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        program = Program(
            [BRIDGE, "--config", made.config, "--gpsd", f"127.0.0.1:{port}", "--nmea-tcp", "127.0.0.1:0"],
            made.folder / "bridge.log")
        wait_until(lambda: "Address already in use" in program.log, what=lambda: program.log)
        wait_until(lambda: "NMEA 0183 at 127.0.0.1:" in program.log, what=lambda: program.log)
    wait_until(lambda: f"gpsd's clients at 127.0.0.1:{port}" in program.log, what=lambda: program.log)
    assert program.end() == 0
