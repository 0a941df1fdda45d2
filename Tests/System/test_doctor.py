"""`waymark doctor` finds each fault and names it rightly. The faults and their names:

| Fault | Finding |
|---|---|
| the accelerometer's scale is twice too large | scale.gravity-wrong |
| the accelerometer is a tenth off | scale.gravity-off |
| the magnetometer's scale is ten times too large | scale.field-wrong |
| iron beside the magnetometer | scale.field-off |
| a gyroscope that turns at rest, by its bias or by a wrong unit | scale.turn-rate-off, scale.turn-rate-wrong |
| a mirrored mount matrix | mount.refused |
| a mount matrix turned by a quarter, or upside down | mount.tilted, mount.upside-down |
| an accelerometer of the other sign, a compass upside down | mount.accelerometer-sign, mount.magnetometer |
| no mount matrix at all | mount.unknown |
| a driver that grants another rate | signal.other-rate |
| a driver that refuses the rate, a buffer without a trigger | signal.rate-refused, signal.polled |
| samples that come more slowly than the driver says | signal.slow |
| stamps that jitter, samples that are missing, samples that never change | signal.jitter, signal.gaps, signal.stuck |
| no gyroscope, no magnetometer, none of the name in the settings | device.missing, device.not-called |
| a sensor without a buffer, a silent one, no server of devices | kernel.no-buffers, device.silent, device.unreachable |
| gpsd is off, has no receiver, refuses the one in the settings | gnss.unreachable, gnss.no-receiver, gnss.refused |
| a receiver without a fix, one that says nothing | gnss.no-fix, gnss.silent |
| a daemon that cannot reach the gpsd that others reach | gnss.cut-off |
| a receiver whose clock stands still or goes back, one without a time, one that simulates | gnss.clock-stuck, gnss.no-time, gnss.simulated |
| a clock beside that of the satellites | clock.offset |
| no calibration, an old or damaged one, or of another mount | calibration.missing, .old, .damaged, .other-mount |
| a routing service that is off, silent, another one, or does not know the profile; no libcurl | routing.* |

Those of the computer, of the service and of its socket are in test_doctor_host.py.
"""
import contextlib
import json
import time

import pytest
from waymark_interface import CALIBRATION_IMPORT

from harness.command import waymark
from harness.doctor import Patient, play
from harness.gps import GREETING, ClockOfGPSD, Receiver, StandInGPSD, receivers
from harness.routing import FakeService, answering
from harness.waiting import wait_until
from harness import doctor, settings
from test_calibration import document

RIGHT_ANGLE = [0.0, -1.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0]
HEADSTAND = [1.0, 0.0, 0.0, 0.0, -1.0, 0.0, 0.0, 0.0, -1.0]
# What a board has that is not set up yet; and the daemon that does not run.
USUAL = ("socket", "calibration", "configuration")
MOUNTED = {"mount_matrix": "1, 0, 0; 0, 1, 0; 0, 0, 1"}


def mounted(**changes):
    """A board whose matrices are known, and that is otherwise as described."""
    imu, magnetometer = changes.pop("imu", {}), changes.pop("magnetometer", {})
    return doctor.board(
        imu={**MOUNTED, **imu}, magnetometer={**MOUNTED, **magnetometer}, **changes)


def scaled(name, factor, usual):
    return {"attributes": {f"in_{name}_scale": repr(usual * factor)}}


SENSOR_FAULTS = [
    ("scale.gravity-wrong", "failure", {"imu": scaled("accel", 2, 0.000598)}, {}, ()),
    ("scale.gravity-off", "warning", {"imu": scaled("accel", 1.1, 0.000598)}, {}, ()),
    ("scale.field-wrong", "failure", {"magnetometer": scaled("magn", 10, 0.0005)}, {}, ()),
    ("scale.field-off", "warning", {"magn": {"value": [0.0, -90.0, -20.0]}}, {}, ()),
    ("scale.turn-rate-off", "warning", {"gyro": {"value": [0.0, 0.2, 0.0]}}, {}, ()),
    ("scale.turn-rate-wrong", "failure", {"gyro": {"value": [0.0, 2.0, 0.0]}}, {}, ()),
    ("mount.refused", "failure", {"imu": {"mount_matrix": "-1, 0, 0; 0, 1, 0; 0, 0, 1"}}, {}, ()),
    ("mount.tilted", "warning", {}, {"mount_matrix": RIGHT_ANGLE}, ()),
    ("mount.tilted", "failure", {}, {"mount_matrix": RIGHT_ANGLE}, ("--worn",)),
    ("mount.upside-down", "failure", {}, {"mount_matrix": HEADSTAND}, ("--worn",)),
    ("signal.other-rate", "warning", {"imu": {"rates": [25, 50]}}, {}, ()),
    ("signal.rate-refused", "warning", {"imu": {"rate": 50, "rate_fixed": True}}, {}, ()),
    ("signal.polled", "warning", {"magnetometer": {"trigger": None}}, {}, ()),
    ("signal.stuck", "failure", {"noise": False}, {}, ()),
    ("device.missing", "failure", {"gyro": False}, {}, ()),
    ("device.missing", "warning", {"magn": False}, {}, ()),
    ("device.not-called", "failure", {}, {"magnetometer": {"device": "ak8963"}}, ()),
    ("device.not-called", "failure", {}, {"accelerometer": {"label": "display"}}, ()),
    ("kernel.no-buffers", "warning", {"magnetometer": {"buffer": False}}, {}, ()),
    ("device.silent", "failure", {"magnetometer": {"faults": {"silent": True}}}, {}, ()),
]


def test_a_good_board_has_no_fault(iio_server, tmp_path):
    patient = Patient(tmp_path, {"iio": {"context": iio_server(*mounted()).uri}})
    report = patient.look("--worn")
    assert report.besides(*USUAL) == {}
    seen = {finding["id"] for finding in report.findings if finding["level"] == "ok"}
    assert {"device.found", "signal.rate", "scale.gravity", "scale.field", "mount.known", "mount.upright"} <= seen


@pytest.mark.parametrize("name, level, changes, settings, options", SENSOR_FAULTS)
def test_a_fault_of_a_sensor_is_named(iio_server, tmp_path, name, level, changes, settings, options):
    patient = Patient(tmp_path, {"iio": {"context": iio_server(*mounted(**changes)).uri, **settings}})
    report = patient.look(*options)
    # Samples come as evenly, and as often, as this machine is idle.
    busy = {"signal.jitter", "signal.gaps", "signal.slow"} - {name}
    assert report.besides(*USUAL, *busy) == {name: level}
    finding = report.find(name)
    assert finding["meaning"] and finding["remedy"]


def test_inertial_sensors_that_are_polled_are_not_held_against_a_rate_at_which_nobody_polls(iio_server, tmp_path):
    device = iio_server(*mounted(imu={"buffer": False, "rate": 400}))
    patient = Patient(tmp_path, {"iio": {"context": device.uri}}, settings.rates(inertial=400))
    report = patient.look()
    rates = [f for f in report.findings if f["id"].startswith("signal.") and f["subject"].startswith("imu")]
    # On a busy machine some polls are late, but never half of them.
    assert rates and not [finding for finding in rates if finding["level"] == "failure"]


def test_a_board_of_which_nothing_says_how_it_is_mounted_is_told(iio_server, tmp_path):
    patient = Patient(tmp_path, {"iio": {"context": iio_server(*doctor.board()).uri}})
    assert patient.look().besides(*USUAL) == {"mount.unknown": "warning"}


def jittery():
    return [0.01 * number + (0.003 if number % 2 else 0) for number in range(400)]


def holey():
    return [0.01 * number for number in range(400) if number % 40 > 4]


def slow():
    return [0.02 * number for number in range(400)]


@pytest.mark.parametrize("name, times, asked", [
    ("signal.jitter", jittery(), 100), ("signal.gaps", holey(), 90), ("signal.slow", slow(), 200)])
def test_samples_at_other_times_than_they_should_be_are_told(iio_server, tmp_path, name, times, asked):
    device = iio_server(*mounted(), *play(tmp_path / "play.csv", times))
    patient = Patient(tmp_path, {"iio": {"context": device.uri}}, settings.rates(inertial=asked, magnetic=25))
    named = [finding for finding in patient.look(seconds=2).findings if finding["level"] != "ok"]
    assert name in {finding["id"] for finding in named if finding["subject"].startswith("imu")}
    others = {"signal.jitter", "signal.gaps"} - {name}
    assert not others & {finding["id"] for finding in named if finding["subject"].startswith("imu")}


def test_a_server_of_devices_that_is_not_there_is_told(tmp_path):
    patient = Patient(tmp_path, {"iio": {"context": "ip:127.0.0.1:9"}})
    assert patient.look().besides(*USUAL) == {"device.unreachable": "failure"}


# Beside a running daemon

def test_a_running_daemon_keeps_its_buffers_and_gives_the_samples(iio_server, daemon):
    device = iio_server(*mounted(), "--log")
    # A buffer that pauses on a busy machine must not be opened anew meanwhile.
    settings = {"iio": {"context": device.uri, "silence_seconds": 60}, "gnss": {"enabled": False}}
    running = daemon(settings).start()
    running.wait_for_state("aligning", "localized", "limited")

    def openings():
        return sum(" OPEN " in line for line in device.program.log.splitlines())

    before = openings()
    done = waymark("doctor", "--json", "--config", running.config, "--seconds", 2)
    report = json.loads(done.stdout)
    found = {finding["id"]: finding for finding in report["findings"]}
    assert {"socket.answers", "daemon.version", "signal.rate", "scale.gravity", "mount.upright"} <= set(found), found
    assert openings() == before > 0
    assert done.returncode == 0 and report["summary"]["failures"] == 0
    assert running.status().get("recording") is None


def test_a_daemon_with_a_wrong_scale_is_told_as_well(iio_server, daemon):
    device = iio_server(*mounted(imu=scaled("accel", 2, 0.000598)))
    running = daemon({"iio": {"context": device.uri}, "gnss": {"enabled": False}}).start()
    done = waymark("doctor", "--json", "--config", running.config, "--seconds", 1)
    named = {finding["id"] for finding in json.loads(done.stdout)["findings"] if finding["level"] == "failure"}
    assert done.returncode == 1 and "scale.gravity-wrong" in named


# Satellites

@pytest.fixture(scope="module")
def receiver(tmp_path_factory):
    shared = Receiver(tmp_path_factory.mktemp("receiver") / "log")
    yield shared
    shared.stop()


@pytest.fixture
def gpsd():
    """Makes servers that send these lines as gpsd; gives the port."""
    with contextlib.ExitStack() as stack:
        yield lambda *lines: stack.enter_context(StandInGPSD(*lines)).port


def listening(folder, port, **settings):
    receiver = {"enabled": True, "host": "127.0.0.1", "port": port, "silence_seconds": 3, **settings}
    return Patient(folder, {"iio": {"enabled": False}, "gnss": receiver})


INVERTED = {"accel": {"value": [0.0, -9.80665, 0.0]}}
RISING = {"magn": {"value": [0.0, 43.0, -20.0]}}


@pytest.mark.parametrize("board, axes, name", [
    (INVERTED, {}, "mount.accelerometer-sign"), ({**INVERTED, **RISING}, {}, "mount.upside-down"),
    (RISING, {}, "mount.magnetometer"), (INVERTED, {"accelerometer": {"sign": -1}}, None)])
def test_a_worn_board_upside_down_has_a_wrong_mount_or_an_accelerometer_of_the_other_sign(
        iio_server, receiver, tmp_path, board, axes, name):
    patient = Patient(
        tmp_path, {"iio": {"context": iio_server(*mounted(**board)).uri, **axes}},
        {"gnss": {"enabled": True, "host": "127.0.0.1", "port": receiver.port, "silence_seconds": 3}})

    def report():
        found = patient.look("--worn", seconds=2)
        # Without a fix the dip of the magnetic field is not known.
        return found if "gnss.fix" in {finding["id"] for finding in found.findings} else None

    found = wait_until(report)
    assert {each for each in found.troubles if each.startswith("mount.")} == ({name} if name else set())
    if name == "mount.accelerometer-sign":
        assert "[iio.accelerometer] sign = -1" in found.find(name)["remedy"]
    if name == "mount.upside-down":
        assert "not the sign" in found.find(name)["meaning"]


def test_a_receiver_with_a_fix_is_well_and_proves_the_clock(receiver, tmp_path):
    patient = listening(tmp_path, receiver.port)

    def with_young_fix():
        report = patient.look()
        names = {finding["id"] for finding in report.findings}
        # On a busy machine a fix may be seconds old before anybody reads it.
        return report if "gnss.fix" in names and "clock.offset" not in names else None

    report = wait_until(with_young_fix, 60.0, "a fix as young as it should be")
    assert report.besides(*USUAL) == {}
    assert "GNSS time" in report.find("clock.set")["what"]


def test_a_receiver_without_a_fix_and_one_that_falls_silent_are_told(receiver, tmp_path):
    patient = listening(tmp_path, receiver.port)

    def becomes(name, level):
        # What was on its way when it changed still arrives.
        wait_until(lambda: patient.look().besides(*USUAL) == {name: level}, 60.0, name)

    receiver.command("nofix")
    try:
        becomes("gnss.no-fix", "warning")
        receiver.command("pause")
        becomes("gnss.silent", "failure")
    finally:
        receiver.command("resume")
        receiver.command("fix")


def test_gpsd_that_is_off_is_told(tmp_path):
    assert listening(tmp_path, 9).look().besides(*USUAL) == {"gnss.unreachable": "failure"}


def test_gpsd_without_a_receiver_is_told(gpsd, tmp_path):
    report = listening(tmp_path, gpsd(GREETING, receivers())).look()
    assert report.besides(*USUAL) == {"gnss.no-receiver": "failure"}
    assert "gpsdctl add" in report.find("gnss.no-receiver")["remedy"]


def test_gpsd_that_does_not_know_the_receiver_of_the_settings_is_told(gpsd, tmp_path):
    port = gpsd(GREETING, {"class": "ERROR", "message": "Do nothing: no such device /dev/ttyACM9"})
    report = listening(tmp_path, port, device="/dev/ttyACM9").look()
    assert report.besides(*USUAL) == {"gnss.refused": "failure"}


def test_something_else_at_the_port_of_gpsd_is_told(gpsd, tmp_path):
    report = listening(tmp_path, gpsd({"hello": "I am a printer"})).look()
    assert report.besides(*USUAL) == {"gnss.unreachable": "failure"}


@pytest.mark.parametrize("pace", [0.0, -0.1])
def test_a_receiver_whose_clock_does_not_go_on_is_told(tmp_path, pace):
    with ClockOfGPSD(pace) as server:
        report = listening(tmp_path, server.port).look()
    assert report.besides(*USUAL) == {"gnss.clock-stuck": "failure"}


@pytest.mark.parametrize("fields, name", [({}, "gnss.no-time"), ({"status": 8}, "gnss.simulated")])
def test_fixes_that_are_worth_less_than_they_seem_are_told(gpsd, tmp_path, fields, name):
    fix = {"class": "TPV", "device": "/dev/ttyACM0", "mode": 3, "lat": 48.1, "lon": 11.5, "altHAE": 566.0, **fields}
    report = listening(tmp_path, gpsd(GREETING, receivers("/dev/ttyACM0"), fix, fix)).look()
    assert report.besides(*USUAL) == {name: "warning"}


@pytest.mark.parametrize("offset, words", [(-3600, "ahead"), (60, "behind")])
def test_a_clock_that_is_not_the_satellites_is_told(gpsd, tmp_path, offset, words):
    moment = time.strftime("%Y-%m-%dT%H:%M:%S.000Z", time.gmtime(time.time() + offset))
    place = {"lat": 48.1, "lon": 11.5, "altHAE": 566.0}
    fix = {"class": "TPV", "device": "/dev/ttyACM0", "mode": 3, "time": moment, **place}
    report = listening(tmp_path, gpsd(GREETING, receivers("/dev/ttyACM0"), fix, fix)).look()
    assert report.besides(*USUAL) == {"clock.offset": "warning"}
    assert words in report.find("clock.offset")["what"]


def test_a_daemon_that_cannot_reach_the_gpsd_that_others_reach_is_told(receiver, daemon, tmp_path):
    running = daemon({"iio": {"enabled": False}, "gnss": {"host": "127.0.0.1", "port": 9}}).start()
    patient = listening(tmp_path, receiver.port)

    def named():
        return patient.look("--socket", running.socket).troubles.get("gnss.cut-off")

    # A daemon that has just begun is given time for its first fix.
    wait_until(lambda: named() == "failure", 60.0, "gnss.cut-off")


# Routes

def navigating(folder, service, **settings):
    return Patient(folder, {"iio": {"enabled": False}, "navigation": {"service": service, **settings}})


def test_a_routing_service_that_answers_is_well_and_is_told_nothing_of_the_wearer(tmp_path):
    with FakeService(answering({"code": "NoSegment"}, status="400 Bad Request")) as osrm:
        report = navigating(tmp_path, f"osrm+{osrm.address}/way").look()
    assert report.besides(*USUAL) == {} and report.find("routing.answers")["what"] == f"osrm+{osrm.address}/way answers"
    [request] = osrm.requests
    target = request.line.split()[1]
    assert target.startswith("/way/route/v1/foot/0.0000000,0.0000000;0.0000000,0.0000000?")
    answer = {"error_code": 171, "error": "No suitable edges near location"}
    with FakeService(answering(answer, status="400 Bad Request")) as valhalla:
        report = navigating(tmp_path, f"valhalla+{valhalla.address}", profile="bicycle").look()
    assert report.besides(*USUAL) == {} and "routing.answers" in {finding["id"] for finding in report.findings}
    assert json.loads(valhalla.requests[0].body) == {
        "locations": [{"lat": 0.0, "lon": 0.0}] * 2, "costing": "bicycle", "units": "kilometers"}


def test_without_a_routing_service_in_the_settings_nothing_is_said_of_one(tmp_path):
    assert not [f for f in navigating(tmp_path, "").look().findings if f["id"].startswith("routing.")]


def silent(connection, _):
    connection.recv(1)


ROUTING_FAULTS = {
    "routing.silent": (silent, "1 s"),
    "routing.refused": (answering({"error_code": 125, "error": "No costing method found"}, status="400 Bad Request"),
                        "No costing method found (error 125)"),
    "routing.foreign": (answering({"code": "InvalidUrl"}, status="400 Bad Request"), "HTTP status 400"),
    "routing.unreachable": (lambda connection, _: connection.sendall(b"hello\r\n\r\n"), "cannot connect to"),
}


@pytest.mark.parametrize("name", ROUTING_FAULTS)
def test_a_routing_service_that_gives_no_routes_is_a_warning_and_no_failure(tmp_path, name):
    behave, words = ROUTING_FAULTS[name]
    with FakeService(behave) as service:
        report = navigating(tmp_path, f"valhalla+{service.address}", timeout_seconds=1.0).look()
    assert report.besides(*USUAL) == {name: "warning"}
    finding = report.find(name)
    assert words in finding["what"] and "sudoedit" in finding["remedy"] and "restart" not in finding["remedy"]


def test_a_routing_service_cannot_be_asked_without_the_library(tmp_path):
    (tmp_path / "libcurl.so.4").write_text("no library")
    report = navigating(tmp_path, "osrm").look(env={"LD_LIBRARY_PATH": str(tmp_path)})
    assert report.besides(*USUAL) == {"routing.no-library": "warning"}
    assert "libcurl4t64" in report.find("routing.no-library")["remedy"]


# Calibrations

def keep(patient, text, name="imu.json"):
    folder = patient.folder / "state/calibration"
    folder.mkdir(parents=True, exist_ok=True)
    (folder / name).write_text(text)


def test_calibrations_that_are_missing_old_or_damaged_are_told(iio_server, tmp_path):
    patient = Patient(tmp_path, {"iio": {"context": iio_server(*mounted()).uri}})
    keep(patient, document("gyroscope", device={"name": "imu"}, time=time.time() - 86_400))
    keep(patient, document("magnetometer", device={"name": "mag"}, time=time.time() - 3e7), "mag.json")
    keep(patient, "{", "damaged.json")
    found = patient.look()
    named = {(f["id"], f["subject"].split()[0]) for f in found.findings if f["id"].startswith("calibration.")}
    damaged = patient.folder / "state/calibration/damaged.json"
    assert named == {
        ("calibration.in-force", "gyroscope"), ("calibration.old", "magnetometer"),
        ("calibration.missing", "accelerometer"), ("calibration.damaged", str(damaged))}
    # The daemon moves such a file away; who only looks does not.
    assert damaged.read_text() == "{"


def test_a_calibration_of_another_mount_matrix_is_told(iio_server, daemon):
    device = iio_server(*mounted())
    running = daemon({"iio": {"context": device.uri}, "gnss": {"enabled": False}}).start()
    running.wait_for_state("aligning", "localized", "limited")
    running.call(CALIBRATION_IMPORT, {
        "document": document("gyroscope", bias=(0.001, 0.0, 0.0), mountMatrix=RIGHT_ANGLE, time=time.time())})
    # With the mount matrix that it was offered; it is corrected in axes of the others as before.
    compared = document("magnetometer", mountMatrix=RIGHT_ANGLE, turn=RIGHT_ANGLE, time=time.time())
    running.call(CALIBRATION_IMPORT, {"document": compared})
    done = waymark("doctor", "--json", "--config", running.config, "--seconds", 1)
    named = {(finding["id"], finding["subject"].split()[0]) for finding in json.loads(done.stdout)["findings"]}
    assert named >= {("calibration.other-mount", "gyroscope"), ("calibration.in-force", "magnetometer")}, named


def test_what_a_calibration_puts_right_is_no_fault(iio_server, daemon):
    device = iio_server(*mounted(gyro={"value": [0.0, 0.2, 0.0]}))
    running = daemon({"iio": {"context": device.uri}, "gnss": {"enabled": False}}).start()
    running.wait_for_state("aligning", "localized", "limited")
    running.call(CALIBRATION_IMPORT, {
        "document": document("gyroscope", bias=(0.0, 0.2, 0.0), time=time.time())})
    done = waymark("doctor", "--json", "--config", running.config, "--seconds", 1)
    named = {finding["id"]: finding["level"] for finding in json.loads(done.stdout)["findings"]}
    assert named.get("scale.turn-rate") == "ok", named
