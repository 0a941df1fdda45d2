"""`waymark calibrate` against a stand-in daemon: what it shows while it goes on, how it ends, and how it meets mishaps."""

import json
import os
import signal
import termios
import threading
import time
import xml.etree.ElementTree

import pytest
from waymark_interface import (
    CALIBRATION_ALREADY_CALIBRATING, CALIBRATION_EXPORT, CALIBRATION_FINISH, CALIBRATION_IMPORT,
    CALIBRATION_INVALID_DOCUMENT, CALIBRATION_LIST, CALIBRATION_NO_SUCH_SENSOR, CALIBRATION_RESET,
    CALIBRATION_SENSOR_MISSING, CALIBRATION_START, CALIBRATION_WORSE_THAN_PRESENT, SERVICE_INTERFACE_NOT_FOUND,
    SERVICE_PERMISSION_DENIED)

from harness import command
from harness.stand_in import CLOSE, Error, Last, StandIn, waymark  # noqa: F401
from test_command_stream import Screen

START, FINISH, LIST = CALIBRATION_START, CALIBRATION_FINISH, CALIBRATION_LIST
RESET, EXPORT, IMPORT = CALIBRATION_RESET, CALIBRATION_EXPORT, CALIBRATION_IMPORT

STEP = {
    "instruction": "turnThroughDirections", "fraction": 0.25, "seconds": 12.5, "predictedHeadingError": 2.25,
    "predictedTiltError": 0.5, "coverage": 0.03, "regions": [0, 50, 99], "poses": [], "direction": [0.0, 1.0, 0.0],
    "missing": [-1.0, 0.0, 0.0],
}
PARAMETERS = {"bias": [12.25, -3.5, 0.125], "matrix": [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]]}
RESULT = {
    "kind": "mag", "accepted": True, "reason": "92 of 100 directions were seen.", "parameters": PARAMETERS,
    "standardDeviations": {"bias": [0.25, 0.25, 0.25], "matrix": [[0.01] * 3] * 3}, "residualRMS": 0.25,
    "residualRMSBefore": 9.5, "residualUnit": "µT", "predictedHeadingError": 0.25, "predictedTiltError": 0.125,
    "coverage": 0.92, "noise": [], "samples": 6000, "seconds": 60.0, "stored": True,
}
REFUSED = {
    "kind": "mag", "accepted": False, "refusal": "coverageTooSmall", "reason": "Only 8 of 100 directions were seen.",
    "residualUnit": "µT", "coverage": 0.08, "noise": [], "samples": 600, "seconds": 6.0, "stored": False,
}


def calibration(result=RESULT, steps=3, interval=0.02, kind=None):
    def replies(parameters, _file):
        for number in range(steps):
            yield {"progress": {**STEP, "fraction": number / steps}}
            time.sleep(interval)
        yield Last({"result": {**result, "kind": kind or parameters["kind"]}})
    return replies


class Patient:
    """A calibration that goes on until it is asked to finish."""

    def __init__(self, interval=0.05):
        self.finished = threading.Event()
        self.interval = interval

    def start(self, parameters, _file):
        while not self.finished.is_set():
            yield {"progress": STEP}
            time.sleep(self.interval)
        yield Last({"result": {**RESULT, "kind": parameters["kind"]}})

    def finish(self, _parameters, _file):
        self.finished.set()
        return {}

    @property
    def replies(self):
        return {START: self.start, FINISH: self.finish}


# Without a terminal

def test_json_is_the_steps_and_then_the_result(waymark):
    done = waymark("calibrate", "mag", "--json", replies={START: calibration()})
    assert done.returncode == 0, done.stderr
    lines = [json.loads(line) for line in done.stdout.splitlines()]
    assert [line["fraction"] for line in lines[:3]] == [0, 1 / 3, 2 / 3]
    assert lines[-1] == RESULT and sum("accepted" in line for line in lines) == 1
    call = done.calls[0]
    assert call["more"] is True and call["parameters"] == {"kind": "mag"}


def test_options_reach_the_daemon(waymark):
    done = waymark("calibrate", "gyro", "--json", "--force", "--dry-run", replies={START: calibration()})
    assert done.returncode == 0
    assert done.calls[0]["parameters"] == {"kind": "gyro", "force": True, "store": False}


def test_without_a_terminal_there_are_plain_lines_and_the_result(waymark):
    done = waymark("calibrate", "mag", replies={START: calibration()})
    assert done.returncode == 0 and "\x1b" not in done.stdout
    assert "Point its left side to where its top side points" in done.stdout
    assert "Magnetometer: accepted" in done.stdout and "+12.25 ±0.25" in done.stdout
    assert "heading ±0.25°, tilt ±0.13°" in done.stdout and "by the daemon, and applied" in done.stdout


def test_what_is_refused_ends_with_1(waymark):
    done = waymark("calibrate", "mag", replies={START: calibration(REFUSED)})
    assert done.returncode == 1
    assert "Magnetometer: refused" in done.stdout and "Only 8 of 100 directions were seen." in done.stdout


def test_it_times_out_with_4(waymark):
    done = waymark("calibrate", "mag", "--timeout", "0.5", replies={START: calibration(steps=10_000)})
    assert done.returncode == 4 and "nothing was stored" in done.stderr


def test_noise_ends_after_the_seconds_that_were_asked_for(waymark):
    done = waymark("calibrate", "noise", "--json", "--seconds", "1", replies=Patient().replies)
    assert done.returncode == 0
    assert [call["method"] for call in done.calls] == [START, FINISH]
    assert json.loads(done.stdout.splitlines()[-1])["kind"] == "noise"


def test_the_noise_that_the_daemon_found_is_drawn(waymark, tmp_path):
    curve = [{"tau": 0.01 * 2 ** step, "deviation": 0.01 / 2 ** (step / 2), "uncertainty": 0.1} for step in range(12)]
    noise = [{"axis": axis, "unit": "rad/s" if axis[0] == "g" else "m/s²", "randomWalk": 0.001, "curve": curve}
             for axis in ["gx", "gy", "gz", "ax", "ay", "az"]]
    drawing = tmp_path / "allan.svg"
    done = waymark("calibrate", "noise", "--svg", drawing, replies={START: calibration({**RESULT, "noise": noise})})
    assert done.returncode == 0, done.stderr
    assert xml.etree.ElementTree.parse(drawing).getroot().tag.endswith("svg")
    # One that exists is left alone, before anything is measured.
    done = waymark("calibrate", "noise", "--svg", drawing, replies={START: calibration(RESULT)})
    assert done.returncode == 1 and "already exists" in done.stderr and done.calls == []


def test_a_daemon_that_goes_is_told_with_3(waymark):
    done = waymark("calibrate", "mag", replies={START: lambda *_: iter([{"progress": STEP}, CLOSE])})
    assert done.returncode == 3 and "closed the connection" in done.stderr


@pytest.mark.parametrize("error, message", [
    (Error(CALIBRATION_ALREADY_CALIBRATING, kind="gyro"), "a calibration is already running (gyro)"),
    (Error(CALIBRATION_SENSOR_MISSING, kind="mag", detail="no magnetometer is there"), "no magnetometer is there"),
    (Error(SERVICE_PERMISSION_DENIED), "permission denied"),
    (Error(SERVICE_INTERFACE_NOT_FOUND, interface="x"), "version mismatch"),
])
def test_what_the_daemon_refuses_is_told_with_1(waymark, error, message):
    done = waymark("calibrate", "mag", "--json", replies={START: error})
    assert done.returncode == 1 and message in done.stderr and done.stdout == ""


def test_no_daemon_is_told_with_3(tmp_path):
    done = command.waymark("calibrate", "gyro", socket=tmp_path / "nothing.sock")
    assert done.returncode == 3 and "no daemon answers" in done.stderr


def test_all_goes_through_four_and_sums_up(waymark):
    done = waymark("calibrate", "all", "--json", replies={START: calibration(steps=1)})
    assert done.returncode == 0, done.stderr
    results = [line for line in map(json.loads, done.stdout.splitlines()) if "accepted" in line]
    assert [line["kind"] for line in results] == ["gyro", "accel", "mag", "mount", "all"]
    assert len(results[-1]["results"]) == 4 and results[-1]["reason"] == "4 of 4 accepted"


def test_all_leaves_out_what_the_board_has_not_and_fails_where_one_is_refused(waymark):
    def start(parameters, file):
        if parameters["kind"] == "mag":
            return Error(CALIBRATION_SENSOR_MISSING, kind="mag", detail="no magnetometer is there")
        return calibration(REFUSED if parameters["kind"] == "accel" else RESULT, steps=1)(parameters, file)
    done = waymark("calibrate", "all", replies={START: start})
    assert done.returncode == 1 and "mag skipped: no magnetometer is there" in done.stderr
    assert "Summary: 2 of 3 accepted" in done.stdout and "accel  refused" in done.stdout


# On a terminal

def echoes(screen):
    return bool(termios.tcgetattr(screen.terminal)[3] & termios.ECHO)


def test_the_picture_is_redrawn_and_enter_ends_it_with_what_there_is(tmp_path):
    path = tmp_path / "daemon.sock"
    patient = Patient()
    with StandIn(path, patient.replies):
        screen = Screen(["calibrate", "mag"], path)
        screen.wait_for("3 of 100 directions")
        screen.wait_for("Point its left side to where its top side points")
        screen.wait_for("Enter finishes with the samples so far")
        assert not echoes(screen)
        os.write(screen.terminal, b"x")
        time.sleep(0.3)
        assert not patient.finished.is_set()
        os.write(screen.terminal, b"\n")
        screen.wait_for("Magnetometer: accepted")
        status = screen.end()
    assert os.WIFEXITED(status) and os.WEXITSTATUS(status) == 0
    assert screen.text.rindex("\x1b[?25h") > screen.text.rindex("\x1b[?25l")


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_gives_the_terminal_back_and_keeps_nothing(tmp_path, number):
    path = tmp_path / "daemon.sock"
    with StandIn(path, Patient().replies) as stand_in:
        screen = Screen(["calibrate", "mag"], path)
        screen.wait_for("3 of 100 directions")
        os.kill(screen.process, number)
        limit = time.monotonic() + 5
        while not echoes(screen) and time.monotonic() < limit:
            time.sleep(0.02)
        assert echoes(screen)
        status = screen.end()
        assert os.WIFSIGNALED(status) and os.WTERMSIG(status) == number
        assert screen.text.rindex("\x1b[?25h") > screen.text.rindex("\x1b[?25l")
        assert [call["method"] for call in stand_in.calls] == [START]


def test_all_waits_for_enter_and_skips_what_is_to_be_skipped(tmp_path):
    path = tmp_path / "daemon.sock"
    with StandIn(path, {START: calibration(steps=2)}) as stand_in:
        screen = Screen(["calibrate", "all"], path)
        screen.wait_for("1 of 4  Gyroscope")
        os.write(screen.terminal, b"\n")
        screen.wait_for("2 of 4  Accelerometer")
        os.write(screen.terminal, b"s\n")
        screen.wait_for("3 of 4  Magnetometer")
        os.write(screen.terminal, b"\n")
        screen.wait_for("4 of 4  How the board is worn")
        os.write(screen.terminal, b"q\n")
        screen.wait_for("Summary: 2 of 2 accepted")
        assert os.WEXITSTATUS(screen.end()) == 0
        assert [call["parameters"]["kind"] for call in stand_in.calls] == ["gyro", "mag"]


def test_without_letters_and_colours_the_picture_is_plain(tmp_path, monkeypatch):
    monkeypatch.setenv("LC_ALL", "C")
    monkeypatch.setenv("NO_COLOR", "1")
    path = tmp_path / "daemon.sock"
    with StandIn(path, Patient().replies):
        screen = Screen(["calibrate", "mag"], path)
        screen.wait_for("3 of 100 directions")
        screen.wait_for("## seen")
        os.kill(screen.process, signal.SIGTERM)
        screen.end()
    assert "\x1b[1m" not in screen.text and "█" not in screen.text and "┃" not in screen.text


# What is kept

ENTRY = {
    "sensor": "magnetometer", "device": "mmc5983", "identity": "mmc5983, serial 7", "inForce": True, "time": 1.79e9,
    "age": 7300.0, "origin": "calibrate", "kind": "mag", "version": "1", "parameters": PARAMETERS, "residualRMS": 0.25,
    "residualUnit": "µT", "predictedHeadingError": 0.25, "predictedTiltError": 0.125, "coverage": 0.92, "noise": [],
    "temperature": 31.5, "samples": 6000, "history": 2,
}


def test_what_is_kept_is_shown(waymark):
    done = waymark("calibrate", "show", replies={LIST: {"calibrations": [ENTRY]}})
    assert done.returncode == 0
    for word in ["magnetometer", "mmc5983", "2 h 01 min", "heading ±0.25°", "31.5 °C"]:
        assert word in done.stdout
    done = waymark("calibrate", "show", "--json", replies={LIST: {"calibrations": [ENTRY]}})
    assert json.loads(done.stdout)["calibrations"] == [ENTRY]
    done = waymark("calibrate", "show", replies={LIST: {"calibrations": []}})
    assert "No sensor is calibrated" in done.stdout


def test_a_sensor_or_all_are_reset(waymark):
    done = waymark("calibrate", "reset", "mag", replies={RESET: {"reset": ["magnetometer of mmc5983"]}})
    assert done.returncode == 0 and "magnetometer of mmc5983" in done.stdout
    assert done.calls[0]["parameters"] == {"sensor": "mag"}
    done = waymark("calibrate", "reset", replies={RESET: {"reset": []}})
    assert done.calls[0]["parameters"] == {} and "No calibration was stored" in done.stdout
    done = waymark("calibrate", "reset", "nose", replies={RESET: Error(CALIBRATION_NO_SUCH_SENSOR, sensor="nose")})
    assert done.returncode == 1 and "no stored calibration of 'nose'" in done.stderr


def test_export_and_import_carry_the_same_document(waymark, tmp_path):
    document = '{"format":"waymark calibration","devices":[]}\n'
    path = tmp_path / "calibration.json"
    done = waymark("calibrate", "export", path, replies={EXPORT: {"document": document}})
    assert done.returncode == 0 and path.read_text() == document
    done = waymark("calibrate", "export", path, replies={EXPORT: {"document": document}})
    assert done.returncode == 1 and "already exists" in done.stderr and done.calls == []
    done = waymark("calibrate", "export", "-", replies={EXPORT: {"document": document}})
    assert done.stdout == document
    done = waymark("calibrate", "import", path, "--force", replies={IMPORT: {"imported": ["magnetometer"]}})
    assert done.returncode == 0 and "active: magnetometer" in done.stdout
    assert done.calls[0]["parameters"] == {"document": document, "force": True}
    done = waymark("calibrate", "import", "-", input=document, replies={IMPORT: {"imported": ["magnetometer"]}})
    assert done.returncode == 0 and done.calls[0]["parameters"] == {"document": document}


def test_an_import_that_is_refused_says_where_and_why(waymark, tmp_path):
    path = tmp_path / "calibration.json"
    path.write_text("{}")
    error = Error(CALIBRATION_INVALID_DOCUMENT, path="devices", reason="is missing")
    done = waymark("calibrate", "import", path, replies={IMPORT: error})
    assert done.returncode == 1 and "cannot be imported at devices: is missing; nothing was changed" in done.stderr
    error = Error(CALIBRATION_WORSE_THAN_PRESENT, sensor="magnetometer", reason="0.8° against 0.2°")
    done = waymark("calibrate", "import", path, replies={IMPORT: error})
    assert done.returncode == 1 and "0.8° against 0.2°" in done.stderr and "--force" in done.stderr
    path.write_bytes(b"\xff\xfe")
    done = waymark("calibrate", "import", path, replies={})
    assert done.returncode == 1 and "not text in UTF-8" in done.stderr
    done = waymark("calibrate", "import", tmp_path / "nothing", replies={})
    assert done.returncode == 1 and "cannot be read" in done.stderr
