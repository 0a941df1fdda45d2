"""Samples that a program offers in place of IIO devices: a phone's recording by the example script, on a real daemon."""
import csv
import json
import math
import random
import re
import signal
import subprocess
import sys
import time

import pytest
from test_calibration import Live
from test_recording import check_replayed
from waymark_interface import (
    AID_BATCH_TOO_LARGE, AID_CLOSE, AID_LIST, AID_OFFER_SAMPLES, AID_OPEN, AID_OUT_OF_ORDER, AID_OUT_OF_RANGE,
    AID_SAMPLES_NOT_CONFIGURED, AID_SOURCE_NOT_OPEN, AID_TIME_IN_FUTURE, AID_TOO_OLD, CALIBRATION_LIST,
    SERVICE_INVALID_PARAMETER)

from harness.client_programs import PYTHON_CLIENT, python_environment
from harness.command import waymark
from harness.daemon import SIMULATION
from harness.process import Program
from harness.recording import messages
from harness.varlink import CallFailed

pytestmark = pytest.mark.library

EXAMPLE = PYTHON_CLIENT / "examples/sensor_logger.py"
# A phone that lies flat with its top ahead: body x is its x, body y its z, body z its -y.
FLAT = [1, 0, 0, 0, 0, 1, 0, -1, 0]
PHONE = {"source": {"samples": "phone"}, "iio": {"mount_matrix": FLAT}, "gnss": {"enabled": False}}
KINDS = ["accelerometer", "gyroscope", "magnetometer"]
RATE = 100
EPOCH = 1_700_000_000_000_000_000


def write_table(path, rate, seconds, offset, columns, row):
    """A table of the app: as many rows, the first `offset` seconds after the start."""
    with open(path, "w", newline="", encoding="utf-8") as file:
        table = csv.writer(file)
        table.writerow(["time", "seconds_elapsed", *columns])
        for index in range(int(rate * seconds)):
            at = offset + index / rate
            table.writerow([EPOCH + round(at * 1e9), f"{at:.9f}", *(f"{value:.9g}" for value in row(at))])


@pytest.fixture
def export(tmp_path):
    """Makes exports of Sensor Logger: a phone that lies still, and turns slowly after a while; columns z, y, x."""
    def make(seconds, still):
        folder = tmp_path / "export"
        folder.mkdir()
        chance = random.Random(7)

        def rate(at):
            return 0.5 * math.sin(at - still) if at > still else 0.0

        def heading(at):
            return 0.5 * (1 - math.cos(at - still)) if at > still else 0.0

        def noisy(deviation, *values):
            return [value + chance.gauss(0, deviation) for value in values]

        axes = ["z", "y", "x"]
        write_table(folder / "TotalAcceleration.csv", RATE, seconds, 0.003, axes, lambda at: noisy(0.02, 9.80665, 0, 0))
        write_table(folder / "Gyroscope.csv", RATE, seconds, 0, axes, lambda at: noisy(0.001, rate(at), 0, 0))
        write_table(
            folder / "MagnetometerUncalibrated.csv", RATE / 2, seconds, 0.001, axes,
            lambda at: noisy(0.3, -42, 21 * math.cos(heading(at)), 21 * math.sin(heading(at))))
        write_table(folder / "Barometer.csv", 5, seconds, 0.05, ["relativeAltitude", "pressure"], lambda at: [0, 950.25])
        return folder

    return make


def run_example(board, folder, **options):
    return subprocess.run(
        [sys.executable, "-W", "error", EXAMPLE, folder], env=python_environment(WAYMARK_SOCKET=str(board.socket)),
        capture_output=True, text=True, timeout=120, **options)


def reports(board):
    """Reports of the sensors by the last word of their identifiers."""
    return {device["identifier"].split()[-1]: device for device in board.status()["devices"]}


def nanoseconds(message):
    return message["time"]["sec"] * 10**9 + message["time"]["nsec"]


def test_a_recording_of_a_phone_gives_poses_and_replays_to_the_same(daemon, export, tmp_path):
    board = daemon(PHONE, {"recording": {"at_start": True, "pose_rate_hz": 0}}).start()
    missing = reports(board)
    assert {name: device["state"] for name, device in missing.items()} == dict.fromkeys(KINDS, "searching")
    assert all("no program has opened the source phone" in device["detail"] for device in missing.values())
    folder = export(seconds=5, still=2)
    done = run_example(board, folder)
    assert (done.returncode, done.stdout) == (0, f"{int(5 * (2 * RATE + RATE / 2 + 5))} samples\n"), done.stderr
    board.wait_until(lambda: "has gone" in reports(board)["gyroscope"].get("detail", ""))
    found = reports(board)
    counts = {"accelerometer": 500, "gyroscope": 500, "magnetometer": 250, "barometer": 25}
    assert {name: device["samples"] for name, device in found.items()} == counts
    for name, device in found.items():
        assert (device["name"], device["sampling"], device["clock"]) == (f"phone {name}", "program", "boottime")
        assert abs(device["grantedRate"] - counts[name] / 5) < 0.01 * counts[name] and device["gaps"] == 0
        assert name == "barometer" or device["axes"][0]["mountMatrix"] == FLAT
    board.end_recording()
    assert board.stop() == 0
    [file] = board.recordings.iterdir()
    check_rows(file, folder)
    published = [pose for topic, _, pose in messages(file) if topic == "/pose"]
    check_replayed(published, file, tmp_path / "poses.csv")
    assert waymark("replay", file, "--output", tmp_path / "again.csv").returncode == 0
    assert (tmp_path / "again.csv").read_bytes() == (tmp_path / "poses.csv").read_bytes()


def check_rows(file, folder):
    """Whether the samples of the tables are recorded, each in axes of the body, with the intervals of the tables."""
    with open(folder / "TotalAcceleration.csv", newline="", encoding="utf-8") as table:
        rows = list(csv.DictReader(table))
    forces = [content for topic, _, content in messages(file) if topic == "/imu/specific_force"]
    assert len(forces) == len(rows)
    shifts = {nanoseconds(force) - int(row["time"]) for force, row in zip(forces, rows)}
    assert len(shifts) == 1, "the intervals are those of the phone"
    for force, row in zip(forces, rows):
        expected = (float(row["x"]), float(row["z"]), -float(row["y"]))
        assert [force[axis] for axis in "xyz"] == pytest.approx(expected, abs=6e-7)


def test_a_program_that_offers_samples_is_treated_as_a_sensor(daemon, export, tmp_path):
    board = daemon(PHONE).start()
    # Longer than all that is waited for: the program is ended before it.
    folder = export(seconds=600, still=600)
    program = Program(
        [sys.executable, EXAMPLE, folder], tmp_path / "example.log",
        env=python_environment(WAYMARK_SOCKET=str(board.socket)))
    try:
        board.wait_for_streams(*(f"phone {kind}" for kind in KINDS))
        listed = waymark("devices", socket=board.socket).stdout
        assert re.search(r"^phone gyroscope +streaming", listed, re.MULTILINE), listed
        assert "offered by a program" in listed and "accel_x offered" in listed
        doctor = waymark("doctor", "--json", "--seconds", "2", "--config", board.config, socket=board.socket).stdout
        findings = {(each["id"], each["subject"]) for each in json.loads(doctor)["findings"]}
        assert {("device.found", f"phone {kind}, {kind}") for kind in KINDS} <= findings
        assert not [each for each in findings if each[0].startswith("kernel.") or each[0] == "device.missing"]
        # It lies still.
        live = Live(board, "gyro")
        live.end()
        assert live.failure is None and live.result is not None, (live.failure, live.progress[-1:])
        stored = board.call(CALIBRATION_LIST)["calibrations"]
        assert "phone gyroscope" in json.dumps(stored)
        # Its silence is that of a sensor.
        program.send(signal.SIGSTOP)
        board.wait_until(lambda: reports(board)["gyroscope"]["state"] == "silent")
        board.said("phone gyroscope (aid phone gyroscope): silent, no sample for 1.0 s")
        board.wait_until(lambda: "noInertialData" in board.status()["reasons"])
        program.send(signal.SIGCONT)
        board.wait_until(lambda: reports(board)["gyroscope"]["state"] == "streaming")
    finally:
        program.send(signal.SIGCONT)
        program.end()
    board.wait_until(lambda: reports(board)["gyroscope"]["state"] == "searching")


def stamp(milliseconds=0):
    now = time.clock_gettime_ns(time.CLOCK_BOOTTIME) + milliseconds * 1_000_000
    return {"sec": now // 10**9, "nsec": now % 10**9}


def sample(milliseconds, **values):
    return {"time": stamp(milliseconds), "x": 0.1, "y": 9.8, "z": 0.2, **values}


def test_samples_are_taken_from_the_source_of_the_settings_alone(daemon):
    simulation = daemon(SIMULATION).start()
    board = daemon(PHONE).start()
    for each, configured, source in ((simulation, "", "phone"), (board, "phone", "watch")):
        with each.connect() as client:
            for method, more in ((AID_OPEN, {"kinds": ["samples", "height"]}), (AID_OFFER_SAMPLES, {})):
                with pytest.raises(CallFailed) as raised:
                    client.call(method, {"source": source, **more})
                assert raised.value.name == AID_SAMPLES_NOT_CONFIGURED
                assert raised.value.parameters == {"setting": "source.samples", "source": configured}
    with board.connect() as client:
        assert client.error(AID_OFFER_SAMPLES, {"source": "phone", "gyroscope": [sample(0)]}) == AID_SOURCE_NOT_OPEN
        mount = {"bodyFromSensor": {"rotation": {"x": 1, "y": 0, "z": 0, "w": 0}}}
        assert client.error(AID_OPEN, {"source": "phone", "kinds": ["samples"], **mount}) == SERVICE_INVALID_PARAMETER
        # Its camera may be mounted as it likes.
        client.call(AID_OPEN, {"source": "phone", "kinds": ["samples", "odometry"], **mount})
        client.call(AID_CLOSE, {"source": "phone"})


def test_a_wrong_batch_is_refused_whole_and_by_name(daemon):
    board = daemon(PHONE).start()
    with board.connect() as client:
        client.call(AID_OPEN, {"source": "phone", "kinds": ["samples"]})

        def good():
            return {"accelerometer": [sample(-20)], "magnetometer": [sample(-20)]}

        def refused(**sensors):
            return client.error(AID_OFFER_SAMPLES, {"source": "phone", **(good() if sensors else {}), **sensors})

        assert refused(gyroscope=[sample(1000)]) == AID_TIME_IN_FUTURE
        assert refused(gyroscope=[sample(-3000)]) == AID_TOO_OLD
        assert refused(gyroscope=[sample(-10), sample(-500)]) == AID_OUT_OF_ORDER
        assert refused(gyroscope=[sample(-10, x=101)]) == AID_OUT_OF_RANGE
        assert refused(gyroscope=[sample(-10, x=1e300)]) == AID_OUT_OF_RANGE
        assert refused() == AID_OUT_OF_RANGE
        assert refused(gyroscope=[sample(number - 300) for number in range(256)]) == AID_BATCH_TOO_LARGE
        assert refused(gyroscope=[sample(-1500)]) == AID_BATCH_TOO_LARGE
        assert refused(gyroscope=[{"time": stamp(), "x": 0, "y": 0}]) == SERVICE_INVALID_PARAMETER
        assert all(device["samples"] == 0 for device in reports(board).values())
        client.send_call(AID_OFFER_SAMPLES, {"source": "phone", "gyroscope": [sample(-9)], **good()}, oneway=True)
        [listed] = client.call(AID_LIST)["sources"]
        assert (listed["accepted"], sum(each["number"] for each in listed["refused"])) == (1, 8)
        assert all(device["samples"] == 1 for device in reports(board).values())


def test_the_example_leaves_out_what_is_damaged_or_out_of_range(daemon, export):
    board = daemon(PHONE).start()
    folder = export(seconds=0.5, still=1)
    table = folder / "Gyroscope.csv"
    lines = table.read_text(encoding="utf-8").splitlines()
    lines[10:13] = ['"', lines[11][:20], lines[12].rsplit(",", 1)[0] + ",nan"]
    lines[40] = lines[40].rsplit(",", 1)[0] + ",1e9"
    table.write_bytes("\n".join([*lines[:-1], lines[-1][:30]]).encode() + b"\xff\0")
    done = run_example(board, folder)
    assert done.returncode == 1 and "4 damaged rows" in done.stderr, done.stderr
    refused = int(re.search(r"(\d+) samples refused", done.stderr)[1])
    assert refused > 0 and done.stdout == f"{50 + 46 + 25 + 2 - refused} samples\n"


IPHONE = "version,device name,platform,appVersion,sensors,standardisation\n3,An iPhone,ios,1.64,Gyroscope|Barometer,{}\n"


@pytest.mark.parametrize("standardised, factor", [("false", -1 / 9.80665), ("true", 1)])
def test_the_accelerations_of_an_iphone_become_those_of_android(daemon, export, standardised, factor):
    board = daemon(PHONE, {"recording": {"at_start": True}}).start()
    folder = export(seconds=1, still=1)
    table = folder / "TotalAcceleration.csv"
    with table.open(newline="", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    with (folder / "AccelerometerUncalibrated.csv").open("w", newline="", encoding="utf-8") as file:
        iphone = csv.DictWriter(file, rows[0])
        iphone.writeheader()
        iphone.writerows({**row, **{axis: float(row[axis]) * factor for axis in "xyz"}} for row in rows)
    (folder / "Metadata.csv").write_text(IPHONE.format(standardised))
    kept = table.rename(folder.parent / table.name)
    done = run_example(board, folder)
    assert done.returncode == 0, done.stderr
    board.end_recording()
    board.stop()
    [file] = board.recordings.iterdir()
    kept.rename(table)
    check_rows(file, folder)


@pytest.mark.parametrize("metadata", ["", IPHONE.format("perhaps"), IPHONE.replace("ios", "other").format("true")])
def test_the_example_does_not_guess_the_units_of_accelerations(daemon, export, metadata):
    board = daemon(PHONE).start()
    folder = export(seconds=1, still=1)
    (folder / "TotalAcceleration.csv").rename(folder / "AccelerometerUncalibrated.csv")
    (folder / "Metadata.csv").write_text(metadata)
    done = run_example(board, folder)
    assert done.returncode == 1 and "does not tell the platform" in done.stderr and "Traceback" not in done.stderr


def test_the_example_says_what_a_folder_lacks(daemon, tmp_path):
    board = daemon(PHONE).start()
    done = run_example(board, tmp_path)
    assert done.returncode == 1 and "has no TotalAcceleration.csv" in done.stderr
    other = daemon(SIMULATION).start()
    done = run_example(other, tmp_path)
    assert done.returncode == 1 and "SamplesNotConfigured" in done.stderr
