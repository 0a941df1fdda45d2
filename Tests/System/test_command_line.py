"""The program `waymark` against a stand-in daemon: what it prints, what it ends with, and how it meets mishaps."""

import json
import os
import re
import pathlib
import signal
import subprocess
import threading
import time

import pytest
from waymark_interface import (
    POSE_GET_POSE, POSE_NOT_READY, POSE_SUBSCRIBE, RECORDING_ALREADY_RECORDING, RECORDING_CANNOT_RECORD,
    RECORDING_START, RECORDING_STOP, SCENE_GET_AHEAD, SERVICE_PERMISSION_DENIED, STATUS_GET_STATUS,
    STATUS_LIST_DEVICES)

from harness import sample_messages as sample
from harness.account import OTHER_USER, needs_root
from harness.command import PROGRAM, environment
from harness.paths import ROOT
from harness.process import Program
from harness.stand_in import CLOSE, Error, Foreign, StandIn, waymark  # noqa: F401


# The command line

def offered_commands():
    text = subprocess.run([PROGRAM, "--help"], capture_output=True, text=True).stdout
    return re.findall(r"^  ([a-z]+(?: [a-z]+)?)  +[A-Z]", text.split("Commands:")[1], re.MULTILINE)


@pytest.mark.parametrize("command", [
    "waymark", "waymarkd", "waymark-bridge", "waymark-mqtt", "waymark-beacon", "waymark-voice", *(f"waymark {command}" for command in offered_commands())])
def test_help_is_as_it_was_agreed(command):
    program, *words = command.split()
    done = subprocess.run([PROGRAM.parent / program, *words, "--help"], capture_output=True, text=True)
    assert done.returncode == 0
    assert done.stderr == ""
    snapshot = ROOT / f"Tests/System/help/{'-'.join(words) or program}.txt"
    if os.environ.get("WAYMARK_RECORD") and snapshot.exists() and snapshot.read_text() != done.stdout:
        snapshot.write_text(done.stdout)
        pytest.fail(f"{snapshot} was recorded anew; look at the difference")
    assert done.stdout == snapshot.read_text()


@pytest.mark.parametrize("words", [[], ["record"], ["route"], ["route", "set"]])
def test_help_as_a_command_is_the_help_as_an_option(words):
    command = subprocess.run([PROGRAM, "help", *words], capture_output=True, text=True)
    option = subprocess.run([PROGRAM, *words, "--help"], capture_output=True, text=True)
    assert (command.returncode, command.stdout, command.stderr) == (0, option.stdout, "")


@pytest.mark.parametrize("arguments, reason", [
    ([], "missing COMMAND"),
    (["dance"], "unknown command 'dance'"),
    (["wacth"], "unknown command 'wacth'; did you mean 'watch'?"),
    (["route", "sett"], "unknown command 'sett'; did you mean 'set'?"),
    (["help", "recrod"], "unknown command 'recrod'; did you mean 'record'?"),
    (["record", "--duration", "5days", "x.mcap"], "--duration: '5days' is not a time from 0.1 to 86400 seconds"),
    (["--loud"], "unknown option '--loud'"),
    (["watch", "-n", "0"], "--count: '0' is not a whole number of at least 1"),
    (["watch", "-n", "many"], "--count: 'many' is not a whole number of at least 1"),
    (["watch", "--rate", "1001"], "--rate: '1001' is not a number from 1 to 1000"),
    (["watch", "now"], "'now' is an unexpected argument"),
    (["pose", "--format", "xml"], "--format: 'xml' is not one of: json, geopose"),
    (["record"], "missing FILE"),
    (["wait", "--yaw", "-3"], "--yaw: '-3' is not a number from 0.1 to 180"),
    (["wait", "--timeout"], "option '--timeout' needs a value"),
])
def test_a_wrong_command_line_ends_with_2_and_says_what_is_wrong(arguments, reason):
    done = subprocess.run([PROGRAM, *arguments], capture_output=True, text=True)
    assert done.returncode == 2
    assert done.stdout == ""
    assert reason in done.stderr
    assert "--help'." in done.stderr


# The daemon out of reach

ASKING = [
    ["watch", "--timeout", "0.2"], ["status"], ["pose"], ["devices"], ["ahead"], ["share"], ["wait", "--timeout", "0.2"]]


@pytest.mark.parametrize("arguments", ASKING)
def test_a_daemon_that_does_not_run_is_3_and_how_to_start_it(arguments, tmp_path):
    done = subprocess.run(
        [PROGRAM, *arguments], env=environment(tmp_path / "none.sock"), capture_output=True, text=True)
    assert done.returncode == 3
    assert "systemctl start waymarkd" in done.stderr and "waymarkd --demo" in done.stderr


@pytest.mark.parametrize("path, kind", [("/etc", "/etc is a directory"), ("/etc/hostname", "/etc/hostname is a file")])
def test_what_is_no_socket_is_named_as_what_it_is(path, kind):
    done = subprocess.run([PROGRAM, "status", "--socket", path], capture_output=True, text=True)
    assert done.returncode == 3
    assert f"{kind}, not a socket" in done.stderr and "start" not in done.stderr


@pytest.mark.parametrize("arguments", [["watch", "-n", "1"], ["wait"]])
def test_what_waits_for_poses_waits_for_a_daemon_that_is_only_starting(arguments, tmp_path):
    path = tmp_path / "daemon.sock"
    program = Program([PROGRAM, "--socket", path, *arguments], tmp_path / "log", stdout=subprocess.PIPE)
    try:
        # It has found no socket by then, or finds one at once: both are to work.
        time.sleep(0.2)
        with StandIn(path, {POSE_SUBSCRIBE: sample.poses()}):
            assert program.wait() == 0, program.log
    finally:
        program.end()


def test_a_socket_nobody_listens_on_is_3(tmp_path):
    path = tmp_path / "left.sock"
    with StandIn(path, {}):
        pass
    done = subprocess.run([PROGRAM, "status"], env=environment(path), capture_output=True, text=True)
    assert done.returncode == 3
    assert "systemctl start waymarkd" in done.stderr


@needs_root
def test_a_socket_without_permission_is_3_and_names_the_group(tmp_path):
    path = pathlib.Path(f"/tmp/waymark-test-{os.getpid()}.sock")
    program = pathlib.Path(f"/tmp/waymark-test-{os.getpid()}")
    program.write_bytes(PROGRAM.read_bytes())
    program.chmod(0o755)
    try:
        with StandIn(path, {}):
            path.chmod(0o660)
            done = subprocess.run(
                [program, "status"], env=environment(path), capture_output=True, text=True, user=OTHER_USER, group=OTHER_USER,
                extra_groups=[])
    finally:
        path.unlink()
        program.unlink()
    assert done.returncode == 3
    assert "usermod -aG waymark" in done.stderr


def test_the_option_socket_goes_before_the_environment_on_either_side_of_the_command(waymark, tmp_path):
    for arguments in [["--socket", "none.sock", "status"], ["status", "--socket", "none.sock"]]:
        done = waymark(*arguments, replies={STATUS_GET_STATUS: {"status": sample.STATUS}}, cwd=tmp_path)
        assert done.returncode == 3
        assert "none.sock" in done.stderr


def test_a_daemon_that_closes_the_connection_is_3(waymark):
    done = waymark("pose", replies={POSE_GET_POSE: CLOSE})
    assert done.returncode == 3
    assert "closed" in done.stderr


def test_a_reply_that_is_no_reply_fails_and_says_so(waymark):
    done = waymark("status", replies={STATUS_GET_STATUS: Foreign({"status": {"version": 7}})})
    assert done.returncode == 1
    assert done.stderr != "" and done.stdout == ""


def test_a_method_the_daemon_lacks_fails_and_names_it(waymark):
    done = waymark("status")
    assert done.returncode == 1
    assert "GetStatus" in done.stderr


# One answer

def test_pose_prints_the_pose_as_it_came(waymark):
    done = waymark("pose", replies={POSE_GET_POSE: {"pose": sample.POSE}})
    assert done.returncode == 0
    assert json.loads(done.stdout) == sample.POSE


def test_a_daemon_that_knows_no_motion_is_served_by_every_command(waymark):
    pose, status = ({name: value for name, value in whole.items() if name != "motion"}
                    for whole in (sample.POSE, sample.STATUS))
    replies = {
        POSE_GET_POSE: {"pose": pose}, STATUS_GET_STATUS: {"status": status},
        POSE_SUBSCRIBE: sample.poses(first=pose)}
    assert json.loads(waymark("pose", replies=replies).stdout) == pose
    assert json.loads(waymark("status", "--json", replies=replies).stdout) == status
    assert "\nmotion     -\n" in waymark("status", replies=replies).stdout
    assert waymark("watch", "-n", "1", replies=replies).stdout.endswith("  motion 1.40 m/s towards 10° N\n")


@pytest.mark.parametrize("motion", [
    {"mode": "swim", "probability": 1.0}, {"mode": "foot"}, {"mode": "foot", "probability": "1"}, "foot", []])
def test_a_motion_that_is_none_is_named_as_what_is_not_proper(waymark, motion):
    pose = Foreign({"pose": {**sample.POSE, "motion": motion}})
    for arguments in (["pose"], ["watch", "-n", "1"]):
        done = waymark(*arguments, replies={POSE_GET_POSE: pose, POSE_SUBSCRIBE: lambda *_: iter([pose])})
        assert done.returncode == 1 and done.stdout == "" and "pose.motion" in done.stderr, done


def test_watch_and_status_tell_how_the_wearer_moves(waymark):
    replies = {STATUS_GET_STATUS: {"status": sample.STATUS}, POSE_SUBSCRIBE: sample.poses()}
    assert "\nmotion     on foot (97 %)\n" in waymark("status", replies=replies).stdout
    line = waymark("watch", "-n", "1", replies=replies).stdout
    assert line.endswith("  motion on foot (97 %), 1.40 m/s towards 10° N\n")


def test_pose_before_the_first_sample_fails_with_the_reason(waymark):
    done = waymark("pose", replies={POSE_GET_POSE: Error(POSE_NOT_READY, reason="no sample yet")})
    assert done.returncode == 1
    assert "no sample yet" in done.stderr


def test_geopose_turns_the_scene_onto_the_earth(waymark):
    done = waymark(
        "pose", "--format", "geopose",
        replies={POSE_GET_POSE: {"pose": sample.POSE}, POSE_SUBSCRIBE: sample.poses(frame=sample.FRAME)})
    assert done.returncode == 0
    found = json.loads(done.stdout)
    assert found["position"] == {"lat": 47.3765, "lon": 8.5481, "h": 431.25}
    # Scene axes to ENU: a rotation of 90° about x brings up from y to z; then that of the alignment about up.
    assert found["quaternion"] == pytest.approx({"x": 0.5, "y": 0.5, "z": 0.5, "w": 0.5}, abs=1e-12)


@pytest.mark.parametrize("missing", ["geo", "heading"])
def test_geopose_without_position_or_true_heading_is_refused(waymark, missing):
    pose = {key: value for key, value in sample.POSE.items() if key != missing}
    if missing == "heading":
        pose["headingReference"] = "none"
    done = waymark(
        "pose", "--format", "geopose", replies={POSE_SUBSCRIBE: sample.poses(first=pose, frame=sample.FRAME)})
    assert done.returncode == 1
    assert "waymark wait" in done.stderr


def test_status_is_words_or_json(waymark):
    replies = {STATUS_GET_STATUS: {"status": sample.STATUS}}
    words = waymark("status", replies=replies)
    assert words.returncode == 0
    assert "waymarkd   9.9, up 1 min 15 s, on sensors\nstate      localized\n" in words.stdout
    assert json.loads(waymark("status", "--json", replies=replies).stdout) == sample.STATUS


def test_devices_are_a_table_or_json(waymark):
    replies = {STATUS_LIST_DEVICES: {"devices": [sample.DEVICE]}}
    table = waymark("devices", replies=replies).stdout
    assert re.search(r"^lsm6dsx_gyro +streaming +200.0 Hz +208.0 Hz +boottime +41600 +2 +0 +0.0 s$", table, re.MULTILINE)
    assert "mount matrix [1 0 0; 0 1 0; 0 0 1], from udev" in table
    assert json.loads(waymark("devices", "--json", replies=replies).stdout) == {"devices": [sample.DEVICE]}


def test_ahead_asks_for_what_was_wanted_and_shows_it(waymark):
    done = waymark("ahead", "--limit", "3", "--radius", "250", replies={SCENE_GET_AHEAD: {"items": [sample.ITEM]}})
    assert done.returncode == 0
    assert "left into Mill Lane" in done.stdout
    assert done.calls[0]["parameters"] == {"limit": 3, "radius": 250}


def test_a_position_is_shared_as_a_geo_uri_with_its_accuracy(waymark):
    """behaviour 45: geo: URI with u= accuracy"""
    pose = {
        **sample.POSE, "geo": {"latitude": 48.2081743, "longitude": 16.3738189, "height": 183.246},
        "accuracy": {"horizontalAccuracy": 4.21, "verticalAccuracy": 9.95}, "tracking": {
            "orientation": "tracked", "position": "tracked"}}
    replies = {POSE_GET_POSE: {"pose": pose}}
    assert waymark("share", replies=replies).stdout == "geo:48.208174,16.373819,183.2;u=10\n"
    assert waymark("share", "--flat", replies=replies).stdout == "geo:48.208174,16.373819;u=4.3\n"
    shared = json.loads(waymark("share", "--format", "json", replies=replies).stdout)
    assert shared["uri"] == "geo:48.208174,16.373819,183.2;u=10"
    assert (shared["latitude"], shared["height"], shared["horizontalAccuracy"]) == (48.2081743, 183.246, 4.21)


NOWHERE = {name: value for name, value in sample.POSE.items() if name != "geo"}


@pytest.mark.parametrize("pose", [
    NOWHERE, {**sample.POSE, "tracking": {"orientation": "tracked", "position": "invalid"}},
], ids=["no position", "an invalid one"])
def test_what_is_not_known_is_not_shared(waymark, pose):
    done = waymark("share", replies={POSE_GET_POSE: {"pose": {**pose, "reasons": ["noGNSSData"]}}})
    assert done.returncode == 1 and done.stdout == ""
    assert "the position is not known yet; " in done.stderr and "'waymark wait'" in done.stderr


# wait

def test_wait_returns_once_the_pose_is_good_enough(waymark):
    returned = threading.Event()

    def improving(_parameters, _file):
        for accuracy in [50.0, 20.0, 9.0]:
            pose = {**sample.POSE, "accuracy": {"horizontalAccuracy": accuracy, "orientationYawAccuracy": 5.0}}
            yield {"pose": pose}
            time.sleep(0.05)
        # No further pose, nor the end of the stream, is what `wait` returns for.
        returned.wait(120)
    try:
        assert waymark("wait", replies={POSE_SUBSCRIBE: improving}).returncode == 0
    finally:
        returned.set()


@pytest.mark.parametrize("change, missing", [
    ({"state": "limited", "reasons": ["noGNSSData"]}, "no position fix"),
    ({"accuracy": {"horizontalAccuracy": 10.5, "orientationYawAccuracy": 5.0}}, "±10.5 m, ±5.0°"),
    ({"accuracy": {"horizontalAccuracy": 5.0, "orientationYawAccuracy": 15.5}}, "±5.0 m, ±15.5°"),
    ({"accuracy": {}}, "±?, ±?"),
])
def test_wait_times_out_with_4_and_says_what_is_missing(waymark, change, missing):
    done = waymark("wait", "--timeout", "0.3", replies={POSE_SUBSCRIBE: sample.poses(first={**sample.POSE, **change})})
    assert done.returncode == 4
    assert "the pose is " in done.stderr and missing in done.stderr


def test_wait_waits_for_a_daemon_that_is_not_ready(waymark):
    answers = iter([Error(POSE_NOT_READY, reason="no sample yet")])
    ready = sample.poses()
    done = waymark("wait", "--timeout", "5", replies={POSE_SUBSCRIBE: lambda *a: next(answers, None) or ready(*a)})
    assert done.returncode == 0


# record

RECORDING = {"path": "walk.mcap", "messages": 1200, "bytes": 34500, "dropped": 0}


def recorder(**more):
    """Replies of a daemon that takes the file it is handed and writes into it."""
    def start(_parameters, file):
        os.write(file, b"recorded")
        return {"path": "walk.mcap"}
    status = {**sample.STATUS, "recording": RECORDING}
    return {RECORDING_START: start, RECORDING_STOP: RECORDING, STATUS_GET_STATUS: {"status": status}, **more}


def test_record_hands_its_own_file_over_and_stops_in_time(waymark, tmp_path):
    done = waymark("record", "walk.mcap", "--duration", "0.3", replies=recorder(), cwd=tmp_path)
    assert done.returncode == 0
    assert (tmp_path / "walk.mcap").read_bytes() == b"recorded"
    assert (tmp_path / "walk.mcap").stat().st_mode & 0o777 == 0o600, "it says where a person was"
    assert done.stdout == "walk.mcap: 1200 messages, 34.5 kB\n"
    methods = [call["method"] for call in done.calls]
    assert [method for method in methods if method != STATUS_GET_STATUS] == [RECORDING_START, RECORDING_STOP]
    assert done.calls[0]["parameters"]["descriptor"] == 0


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_record_stops_the_recording_when_it_is_ended(tmp_path, number):
    path = tmp_path / "daemon.sock"
    with StandIn(path, recorder()) as stand_in:
        record = subprocess.Popen(
            [PROGRAM, "record", "walk.mcap"], env=environment(path), cwd=tmp_path, stdout=subprocess.PIPE,
            stderr=subprocess.PIPE, text=True, preexec_fn=lambda: signal.signal(number, signal.SIG_DFL))
        while not any(call["method"] == RECORDING_START for call in stand_in.calls):
            time.sleep(0.02)
        time.sleep(0.2)
        record.send_signal(number)
        out, _ = record.communicate(timeout=60)
        assert record.returncode == 0
        assert out.startswith("walk.mcap: 1200 messages")
        assert stand_in.calls[-1]["method"] == RECORDING_STOP


def test_nohup_keeps_a_recording_going_when_its_terminal_is_closed(tmp_path):
    path = tmp_path / "daemon.sock"
    with StandIn(path, recorder()) as stand_in:
        record = subprocess.Popen(
            ["nohup", PROGRAM, "record", "walk.mcap"], env=environment(path), cwd=tmp_path, stdout=subprocess.PIPE,
            stderr=subprocess.PIPE, stdin=subprocess.DEVNULL, text=True)
        while not any(call["method"] == RECORDING_START for call in stand_in.calls):
            time.sleep(0.02)
        record.send_signal(signal.SIGHUP)
        time.sleep(1)
        assert record.poll() is None and stand_in.calls[-1]["method"] != RECORDING_STOP
        record.send_signal(signal.SIGTERM)
        record.communicate(timeout=60)
        assert record.returncode == 0 and stand_in.calls[-1]["method"] == RECORDING_STOP


def test_record_never_writes_over_a_file(waymark, tmp_path):
    (tmp_path / "walk.mcap").write_text("mine")
    done = waymark("record", "walk.mcap", replies=recorder(), cwd=tmp_path)
    assert done.returncode == 1
    assert "walk.mcap" in done.stderr and "exists" in done.stderr
    assert (tmp_path / "walk.mcap").read_text() == "mine"
    assert done.calls == []


@pytest.mark.parametrize("error, hint", [
    (Error(RECORDING_ALREADY_RECORDING, path="other.mcap"), "other.mcap"),
    (Error(RECORDING_CANNOT_RECORD, path="walk.mcap", reason="the disk is full"), "the disk is full"),
    (Error(SERVICE_PERMISSION_DENIED), "configuration"),
])
def test_a_refused_recording_leaves_no_file_and_says_why(waymark, tmp_path, error, hint):
    done = waymark("record", "walk.mcap", replies=recorder(**{RECORDING_START: error}), cwd=tmp_path)
    assert done.returncode == 1
    assert hint in done.stderr
    assert not (tmp_path / "walk.mcap").exists()


def test_a_recording_that_the_daemon_ends_early_is_a_failure(waymark, tmp_path):
    done = waymark(
        "record", "walk.mcap", replies=recorder(**{STATUS_GET_STATUS: {"status": sample.STATUS}}), cwd=tmp_path)
    assert done.returncode == 1
    assert "journalctl" in done.stderr
