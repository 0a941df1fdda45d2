"""`waymark doctor` and the computer around the sensors. The faults and their names:

| Fault | Finding |
|---|---|
| mistakes in the settings, closed settings, the simulated walk | configuration.invalid, .unreadable, .simulation |
| no socket, one without a server, a file in its place | socket.missing, socket.stale, socket.not-a-socket |
| a socket for others, one that never answers, another service at it | socket.denied, socket.mute, socket.foreign |
| a daemon with as many clients as it may have | socket.full |
| a daemon of another version, without poses, or that keeps its samples | daemon.other-version, .no-poses, .no-samples |
| a unit that failed, is stopped, disabled, masked, missing, restarted | service.failed, .stopped, .disabled, … |
| a kernel without IIO, a chip without a driver | kernel.no-iio, kernel.no-driver |
| closed nodes or attributes, no node, no rules, no user | access.node, .attributes, .no-node, .no-rules, .no-account |
| another program that has the sensor | device.taken |
| who asks may not look at sensors or calibrations | access.limited |
| a socket, sensors or state that more users can open than needed | socket.open, access.open, disk.open |
| a group for changes or aiding that does not exist | access.no-change-group, access.no-aid-group |
| a clock that was never set | clock.unset |
| a disk that is full, read-only, or closed; recordings without room | disk.full, .read-only, .denied, .no-recordings |
"""
import json
import os
import pathlib
import pty
import shutil
import signal
import socket
import subprocess
import tempfile
import threading

import pytest
from waymark_interface import (
    RECORDING_ALREADY_RECORDING, RECORDING_CANNOT_RECORD, RECORDING_START, RECORDING_STOP, SERVICE_PERMISSION_DENIED,
    SCENE_GET_ROUTE, STATUS_GET_STATUS, STATUS_LIMIT_EXCEEDED, STATUS_LIST_DEVICES)

from harness import doctor
from harness import sample_messages as sample
from harness.account import IS_ROOT, needs_root
from harness.command import waymark
from harness.doctor import Computer, Patient, Report
from harness.paths import PROGRAMS
from harness.server import unix_listener
from harness.stand_in import CLOSE, Error, StandIn
from harness.waiting import wait_until

NOTHING = {"iio": {"enabled": False}}
EXPECTED = {"configuration.no-sensors": "warning", "configuration.no-receiver": "warning"}


@pytest.fixture
def patient(tmp_path):
    """One whose sensors and receiver are switched off: the computer alone is looked at."""
    return Patient(tmp_path, NOTHING)


@pytest.fixture
def open_folder():
    """A folder into which others may look; pytest's own are closed."""
    folder = tempfile.mkdtemp(prefix="wm-doctor-", dir="/tmp")
    os.chmod(folder, 0o755)
    yield pathlib.Path(folder)
    shutil.rmtree(folder)


def without(report, *groups):
    """Its troubles but for those of these groups and those that such a patient always has."""
    return {name: level for name, level in report.besides(*groups).items() if name not in EXPECTED}


# Settings

def test_each_mistake_in_the_settings_is_told_with_its_line(patient):
    patient.config.write_text(patient.config.read_text() + "[pose]\ncolour = 3\nmax_rate_hz = -1\n")
    report = patient.look("--socket", patient.socket)
    mistakes = [finding for finding in report.findings if finding["id"] == "configuration.invalid"]
    assert len(mistakes) == 2 and report.code == 1
    assert "colour" in mistakes[0]["what"] and "waymark.toml:" in mistakes[0]["what"]


def test_settings_that_ask_for_the_simulated_walk_are_told(tmp_path):
    report = Patient(tmp_path, {"source": {"kind": "simulation"}}).look()
    assert without(report) == {"configuration.simulation": "warning", "socket.missing": "failure"}


@needs_root
def test_settings_that_may_not_be_read_are_told(open_folder):
    patient = Patient(open_folder, NOTHING)
    patient.config.chmod(0o600)
    report = patient.look_as_stranger("--socket", patient.socket)
    assert report.troubles["configuration.unreadable"] == "warning"


# The socket

def test_a_socket_that_is_not_there_is_told(patient):
    assert without(patient.look()) == {"socket.missing": "failure"}


def test_a_socket_that_a_dead_daemon_left_is_told(patient):
    with socket.socket(socket.AF_UNIX) as left:
        left.bind(str(patient.socket))
    report = patient.look()
    assert without(report) == {"socket.stale": "failure"}
    assert report.find("socket.stale")["remedy"].startswith(f"rm {patient.socket}")


def test_a_file_in_the_place_of_the_socket_is_told(patient):
    patient.socket.write_text("")
    assert without(patient.look()) == {"socket.not-a-socket": "failure"}


def test_a_socket_for_others_is_told(open_folder):
    patient = Patient(open_folder, NOTHING)
    with unix_listener(patient.socket):
        patient.socket.chmod(0o600 if IS_ROOT else 0)
        report = patient.look_as_stranger()
    assert report.troubles["socket.denied"] == "failure"


def test_a_socket_that_every_user_can_connect_to_is_told(patient):
    with unix_listener(patient.socket):
        for mode, found in ((0o660, False), (0o666, True)):
            patient.socket.chmod(mode)
            assert ("socket.open" in patient.look().troubles) == found


def test_whoever_never_answers_at_the_socket_is_told(patient):
    with unix_listener(patient.socket):
        assert without(patient.look()) == {"socket.mute": "failure"}


def test_another_service_at_the_socket_is_told(patient):
    def talk(server):
        client, _ = server.accept()
        client.recv(4096)
        client.sendall(b"220 mail.example ESMTP\0")
        client.recv(4096)
        client.close()

    with unix_listener(patient.socket) as server:
        thread = threading.Thread(target=talk, args=(server,), daemon=True)
        thread.start()
        assert without(patient.look()) == {"socket.foreign": "failure"}
        thread.join(10)


def test_a_daemon_that_has_no_room_for_another_client_is_told(patient):
    turned_away = Error(STATUS_LIMIT_EXCEEDED, limit="clients", maximum=128)
    with StandIn(patient.socket, {STATUS_GET_STATUS: turned_away}):
        report = patient.look()
    assert without(report) == {"socket.full": "failure"}
    assert "128" in report.find("socket.full")["what"]


# The daemon

def recording(start, **changes):
    """A stand-in's replies, with what it does when it is asked to record."""
    return {
        STATUS_GET_STATUS: {"status": sample.STATUS}, STATUS_LIST_DEVICES: {"devices": [sample.DEVICE]},
        RECORDING_START: start, RECORDING_STOP: {"path": "samples", "messages": 1, "bytes": 9, "dropped": 0}, **changes}


def test_a_recording_that_cannot_be_read_is_told_beside_the_rest(patient):
    def scribble(_, file):
        os.write(file, b"no recording")
        return {"path": "samples"}

    with StandIn(patient.socket, recording(scribble)):
        report = patient.look()
    assert report.troubles["daemon.no-samples"] == "warning"
    assert "cannot be read" in report.find("daemon.no-samples")["what"]
    assert {"clock.set", "disk.room"} <= {finding["id"] for finding in report.findings}


NOT_PERMITTED = Error(SERVICE_PERMISSION_DENIED)


@pytest.mark.parametrize("refusal, remedy", [
    (NOT_PERMITTED, "sudo waymark doctor"),
    (Error(RECORDING_ALREADY_RECORDING, path="/x.mcap"), "waymark status"),
    (Error(RECORDING_CANNOT_RECORD, path="/x.mcap", reason="the disk is full"), "df -h")])
def test_what_keeps_samples_away_decides_what_mends_it(patient, refusal, remedy):
    with StandIn(patient.socket, recording(refusal)):
        report = patient.look()
    assert report.find("daemon.no-samples")["remedy"].startswith(remedy)


# Groups that every Debian system has, and one that none has.
@pytest.mark.parametrize("group, remedy", [
    ("tape", 'sudo usermod -aG tape "$USER"  # then log in again'),
    ("waymark-of-no-one", "sudo groupadd --system waymark-of-no-one")])
def test_a_reader_that_may_not_record_is_told_which_group_it_lacks(open_folder, group, remedy):
    patient = Patient(open_folder, NOTHING, {"service": {"change_group": group}})
    with StandIn(patient.socket, recording(NOT_PERMITTED)):
        patient.socket.chmod(0o666)
        report = patient.look_as_stranger()
    assert report.find("daemon.no-samples")["remedy"].startswith(remedy)
    assert ("access.no-change-group" in report.troubles) == (group != "tape")


def test_a_daemon_may_count_as_it_likes(patient):
    # The second is the largest number of 64 bits that JSON, whose numbers are doubles, says exactly.
    samples, poses = iter([-2**63, 2**63 - 1024]), iter([-2**63, 2**63 - 1024])

    def devices(*_):
        count = next(samples, 0)
        return {"devices": [{**sample.DEVICE, "samples": count, "dropped": count}]}

    def status(*_):
        return {"status": {**sample.STATUS, "poses": next(poses, 0)}}

    with StandIn(patient.socket, recording(NOT_PERMITTED, **{STATUS_LIST_DEVICES: devices, STATUS_GET_STATUS: status})):
        report = patient.look()
    assert report.troubles["daemon.no-samples"] == "warning"


def test_a_daemon_of_another_version_is_told(patient):
    replies = {STATUS_GET_STATUS: {"status": sample.STATUS}, STATUS_LIST_DEVICES: {"devices": []}}
    with StandIn(patient.socket, replies):
        report = patient.look()
    assert report.troubles["daemon.other-version"] == "warning"
    assert sample.STATUS["version"] in report.find("daemon.other-version")["what"]


@pytest.mark.parametrize("found_by, navigator, is_reported", [
    ("navigator", False, True), ("navigator", True, False), ("straightLine", False, False)])
def test_a_route_whose_navigator_has_gone_is_told(patient, found_by, navigator, is_reported):
    destination = {"name": "Inn", "geo": {"latitude": 47, "longitude": 8}, "foundBy": found_by, "remainder": 0.0}
    reply = {"route": sample.ROUTE, "destination": destination, "navigator": navigator, "vertices": []}
    with StandIn(patient.socket, recording(NOT_PERMITTED, **{SCENE_GET_ROUTE: reply})):
        report = patient.look()
    assert ("routing.no-navigator" in report.troubles) == is_reported and "Inn" not in json.dumps(report.findings)


def test_a_daemon_that_ends_while_it_is_looked_at_is_told_beside_the_rest(patient):
    with StandIn(patient.socket, {STATUS_GET_STATUS: {"status": sample.STATUS}, STATUS_LIST_DEVICES: CLOSE}):
        report = patient.look()
    assert without(report) == {"socket.mute": "failure"}
    assert {"clock.set", "disk.room"} <= {finding["id"] for finding in report.findings}


def test_a_daemon_that_records_already_is_told_to_keep_its_samples(iio_server, daemon):
    settings = {"iio": {"context": iio_server(*doctor.board()).uri}, "gnss": {"enabled": False}}
    running = daemon(settings, {"recording": {"at_start": True}}).start()
    running.said("started")
    wait_until(lambda: running.device("imu") and running.device("mag"), what="both devices")
    report = Report(waymark("doctor", "--json", "--config", running.config, "--seconds", 1))
    assert report.troubles["daemon.no-samples"] == "warning"
    # The device's own count gives the rate.
    assert any(finding["id"].startswith("signal.") for finding in report.findings)
    assert running.status()["recording"] is not None


def test_a_daemon_without_poses_is_told(iio_server, daemon):
    device = iio_server(*doctor.board(gyro=False))
    running = daemon({"iio": {"context": device.uri}, "gnss": {"enabled": False}}).start()
    report = Report(waymark("doctor", "--json", "--config", running.config, "--seconds", 1))
    assert report.troubles["daemon.no-poses"] == "failure" and report.troubles["device.missing"] == "failure"


def test_a_daemon_on_the_simulated_walk_has_nothing_wrong_but_that_it_is_one(simulation):
    done = waymark("doctor", "--json", "--config", simulation.config, "--seconds", 1)
    report = Report(done)
    assert {name for name, level in report.troubles.items() if level == "failure"} == set()
    assert report.troubles["configuration.simulation"] == "warning" and done.returncode == 0


# The unit

UNITS = [
    ("service.failed", "failure", {"ActiveState": "failed", "Result": "exit-code", "ExecMainStatus": "78"}),
    ("service.stopped", "failure", {"ActiveState": "inactive"}),
    ("service.disabled", "warning", {"UnitFileState": "disabled"}),
    ("service.masked", "failure", {"LoadState": "masked", "ActiveState": "inactive"}),
    ("service.missing", "warning", {"LoadState": "not-found", "ActiveState": "inactive"}),
    ("service.restarted", "warning", {"NRestarts": "4"}),
]


def with_unit(computer, folder, unit="waymarkd.service", **state):
    """The environment in which systemctl reports this of the unit, and that there is no other."""
    computer.file("/run/systemd/system/there", "")
    state = {
        "LoadState": "loaded", "ActiveState": "active", "Result": "success", "ExecMainStatus": "0", "User": "root",
        "UnitFileState": "enabled", "NRestarts": "0", **state}
    program = folder / "bin/systemctl"
    program.parent.mkdir()
    lines = "".join(f"{key}={value}\n" for key, value in state.items())
    none = "LoadState=not-found\\nActiveState=inactive\\n"
    program.write_text(f"#!/bin/sh\n[ \"$2\" = {unit} ] || exec printf '{none}'\ncat <<'END'\n{lines}END\n")
    program.chmod(0o755)
    return {**computer.environment, "PATH": f"{program.parent}:{os.environ['PATH']}"}


@pytest.mark.parametrize("name, level, state", UNITS)
def test_the_state_of_the_unit_is_told(patient, tmp_path, name, level, state):
    environment = with_unit(Computer(tmp_path / "root"), tmp_path, **state)
    assert without(patient.look(env=environment), "socket") == {name: level}


@pytest.mark.parametrize("state, words, remedy", [
    ({"ActiveState": "failed", "ExecMainStatus": "2"}, "no routing service is set", "waymarkd --check-config"),
    ({"ActiveState": "failed", "Result": "signal"}, "failed", "journalctl"),
    ({"ActiveState": "inactive"}, "inactive", "journalctl")])
def test_a_navigator_that_is_enabled_and_does_not_run_is_told(patient, tmp_path, state, words, remedy):
    environment = with_unit(Computer(tmp_path / "root"), tmp_path, "waymark-navigator.service", **state)
    report = patient.look(env=environment)
    assert report.troubles["routing.navigator-stopped"] == "warning"
    finding = report.find("routing.navigator-stopped")
    assert words in finding["what"] and finding["remedy"].startswith(remedy)


@pytest.mark.parametrize("state", [{}, {"ActiveState": "inactive", "UnitFileState": "disabled"}])
def test_a_navigator_that_runs_or_is_not_wanted_is_none(patient, tmp_path, state):
    environment = with_unit(Computer(tmp_path / "root"), tmp_path, "waymark-navigator.service", **state)
    assert not [name for name in patient.look(env=environment).troubles if name.startswith("routing.")]


def test_a_unit_whose_user_does_not_exist_is_told(tmp_path):
    computer = Computer(tmp_path / "root")
    computer.sensor(0, "bmi160", "accel", "anglvel")
    environment = with_unit(computer, tmp_path, User="waymark-of-no-one")
    report = Patient(tmp_path).look(env=environment)
    assert report.troubles["access.no-account"] == "failure"
    assert report.find("access.no-account")["remedy"] == "sudo systemd-sysusers"


# The kernel, permissions and other programs: a computer made of files

@pytest.fixture
def computer(tmp_path):
    return Computer(tmp_path / "root")


def looked_at(computer, folder, stranger=False):
    """Its troubles but for a daemon that does not run and what is kept of calibrations."""
    patient = Patient(folder)
    report = (patient.look_as_stranger if stranger else patient.look)(env=computer.environment)
    return report, {
        name: level for name, level in report.besides("socket", "calibration").items()
        if name != "configuration.no-receiver"}


def test_a_computer_with_all_that_is_needed_has_no_fault(computer, tmp_path):
    computer.sensor(3, "bmi160", "accel", "anglvel")
    computer.sensor(0, "bmm150", "magn")
    assert looked_at(computer, tmp_path)[1] == {}


def test_a_kernel_without_iio_is_told(computer, tmp_path):
    assert looked_at(computer, tmp_path)[1] == {"kernel.no-iio": "failure"}


def test_a_chip_without_a_driver_is_told_with_its_module(computer, tmp_path):
    computer.sensor(0, "bmm150", "magn")
    modules = "/lib/modules/6.1.0-test"
    aliases = "# made by depmod\nalias i2c:mpu6050 inv_mpu6050_i2c\nalias i2c:24c02 at24\n"
    computer.file(f"{modules}/modules.alias", aliases)
    computer.file(
        f"{modules}/modules.dep",
        "kernel/drivers/iio/imu/inv_mpu6050/inv-mpu6050-i2c.ko.xz: x.ko\nkernel/drivers/misc/eeprom/at24.ko.xz:\n")
    for place, chip in (("1-0068", "mpu6050"), ("1-0050", "24c02")):
        computer.file(f"/sys/bus/i2c/devices/{place}/name", chip + "\n")
        computer.file(f"/sys/bus/i2c/devices/{place}/modalias", f"i2c:{chip}\n")
    report, troubles = looked_at(computer, tmp_path)
    assert troubles["kernel.no-driver"] == "failure"
    orphans = [finding for finding in report.findings if finding["id"] == "kernel.no-driver"]
    assert [orphan["subject"] for orphan in orphans] == ["i2c 1-0068 (mpu6050)"]
    assert "modprobe inv_mpu6050_i2c" in orphans[0]["remedy"]


def test_nodes_and_attributes_that_are_closed_are_told(open_folder):
    computer = Computer(open_folder / "root")
    computer.sensor(0, "bmi160", "accel", "anglvel", node=0o600 if IS_ROOT else 0o400)
    computer.sensor(1, "bmm150", "magn")
    closed = computer.root / "sys/bus/iio/devices/iio:device1/buffer/enable"
    # The owner's own bits count first; as root another user looks.
    closed.chmod(0o644 if IS_ROOT else 0o466)
    report, troubles = looked_at(computer.open_to_all(), open_folder, stranger=True)
    assert troubles["access.node"] == "failure" and troubles["access.attributes"] == "failure"
    assert report.find("access.node")["subject"] == "/dev/iio:device0"
    assert "buffer/enable" in report.find("access.attributes")["what"]
    assert "udevadm trigger" in report.find("access.attributes")["remedy"]
    # Nothing was opened, so that nothing seems to have failed; and that is said.
    assert troubles["access.limited"] == "warning" and "device.failed" not in troubles
    assert report.find("access.limited")["remedy"].startswith("sudo waymark doctor --config ")


@needs_root
def test_sensors_and_state_that_more_users_can_open_than_the_services_own_are_told(tmp_path):
    computer = Computer(tmp_path / "root")
    computer.sensor(0, "bmi160", "accel", "anglvel", node=0o660)
    computer.sensor(1, "bmm150", "magn", node=0o600)
    (tmp_path / "state").mkdir(mode=0o750)
    environment = with_unit(computer, tmp_path, User="daemon")
    for path in [tmp_path / "state", *(computer.root / "dev").iterdir(), *(computer.root / "sys").rglob("*")]:
        shutil.chown(path, "daemon", "root")
        if path.is_file() and "sys" in path.parts:
            path.chmod(path.stat().st_mode & ~0o022)
    # An administrator's older rule, and a folder of a former version.
    shutil.chown(computer.root / "dev/iio:device0", "root", "tape")
    shutil.chown(computer.root / "sys/bus/iio/devices/iio:device1/buffer/enable", "games", "root")
    shutil.chown(tmp_path / "state", "daemon", "tape")

    report = Patient(tmp_path).look(env=environment)
    found = {(each["id"], each["subject"]): each for each in report.findings if each["id"].endswith(".open")}
    node, files, folder = (
        found.pop(key) for key in (("access.open", "/dev/iio:device0"), ("access.open", "bmm150"),
                                   ("disk.open", str(tmp_path / "state"))))
    assert found == {}
    assert node["what"].startswith("group tape can open") and node["level"] == "warning"
    assert files["what"] == "user games can write buffer/enable in /sys"
    assert folder["what"].startswith("group tape has access") and "chmod 0700" in folder["remedy"]


def test_a_node_that_is_missing_and_rules_that_are_missing_are_told(computer, tmp_path):
    computer.sensor(0, "bmi160", "accel", "anglvel", node=None)
    computer.sensor(1, "bmm150", "magn")
    (computer.root / "usr/lib/udev/rules.d/60-waymark-iio.rules").unlink()
    assert looked_at(computer, tmp_path)[1] == {"access.no-node": "failure", "access.no-rules": "failure"}


def test_a_program_that_has_a_sensor_is_told(computer, tmp_path):
    computer.sensor(0, "bmi160", "accel", "anglvel", buffer="1")
    computer.sensor(1, "bmm150", "magn")
    computer.file("/proc/412/comm", "iio-sensor-prox\n")
    computer.link("/proc/412/fd/7", "/dev/iio:device0")
    report, troubles = looked_at(computer, tmp_path)
    assert troubles == {"device.taken": "failure"}
    assert "iio-sensor-prox (412)" in report.find("device.taken")["what"]
    assert report.find("device.taken")["remedy"] == "sudo systemctl mask --now iio-sensor-proxy"


def test_a_buffer_that_is_on_without_a_daemon_is_told(computer, tmp_path):
    computer.sensor(0, "bmi160", "accel", "anglvel", buffer="1")
    computer.sensor(1, "bmm150", "magn")
    assert looked_at(computer, tmp_path)[1] == {"device.taken": "failure"}


def test_files_of_the_kernel_may_hold_anything(computer, tmp_path):
    computer.sensor(0, "bmi160", "accel", "anglvel")
    computer.file("/sys/bus/iio/devices/iio:device0/name", "\x1b[2J" + "x" * 100_000)
    computer.file("/sys/bus/iio/devices/iio:device0/buffer/enable", "")
    os.mkfifo(computer.root / "sys/bus/iio/devices/iio:device0/label")
    computer.file("/proc/99999999999999999999/comm", "waymarkd")
    computer.file("/proc/5/comm", "waymarkd")
    computer.file("/proc/5/status", "Uid:\tno\nGid:\t1\n")
    computer.link("/proc/6/fd/0", "/" + "y" * 3000)
    computer.file("/proc/6/comm", "")
    report, troubles = looked_at(computer, tmp_path)
    assert troubles.get("device.missing") == "warning"
    text = waymark("doctor", "--config", tmp_path / "waymark.toml", env=computer.environment).stdout
    assert "\x1b" not in text and max(map(len, text.splitlines())) < 1000


# Clock and disk

@pytest.mark.skipif(shutil.which("cc") is None, reason="needs a C compiler to set one program's clock")
def test_a_clock_that_was_never_set_is_told(patient, tmp_path):
    source = tmp_path / "clock.c"
    source.write_text("""
        #define _GNU_SOURCE
        #include <dlfcn.h>
        #include <time.h>
        int clock_gettime(clockid_t clock, struct timespec *now) {
            int (*real)(clockid_t, struct timespec *) = dlsym(RTLD_NEXT, "clock_gettime");
            return real(clock == CLOCK_REALTIME ? CLOCK_BOOTTIME : clock, now);
        }""")
    subprocess.run(["cc", "-shared", "-fPIC", "-o", tmp_path / "clock.so", source, "-ldl"], check=True)
    report = patient.look(env={"LD_PRELOAD": str(tmp_path / "clock.so")})
    assert without(report, "socket") == {"clock.unset": "failure"}
    assert "1970" in report.find("clock.unset")["what"]


def test_recordings_without_room_are_told(tmp_path):
    patient = Patient(tmp_path, NOTHING, {"recording": {"minimum_free_megabytes": 1048576}})
    if shutil.disk_usage(tmp_path).free >= 1 << 40:
        pytest.skip("this disk is larger than any that the settings can ask for")
    assert without(patient.look(), "socket") == {"disk.no-recordings": "warning"}


@pytest.fixture
def small_disk(tmp_path):
    folder = tmp_path / "disk"
    folder.mkdir()
    if subprocess.run(["mount", "-t", "tmpfs", "-o", "size=1M", "small", folder], capture_output=True).returncode:
        pytest.skip("no file system can be mounted here")
    yield folder
    subprocess.run(["umount", folder], check=True)


@needs_root
def test_a_disk_that_is_full_or_read_only_is_told(tmp_path, small_disk):
    patient = Patient(tmp_path, NOTHING, {"state": {"directory": str(small_disk)}})
    assert without(patient.look(), "socket") == {"disk.full": "failure"}
    subprocess.run(["mount", "-o", "remount,ro", small_disk], check=True)
    assert without(patient.look(), "socket") == {"disk.read-only": "failure"}


def test_a_folder_that_the_daemon_may_not_write_is_told(open_folder):
    computer = Computer(open_folder / "root").open_to_all()
    (open_folder / "state").mkdir(mode=0o755 if IS_ROOT else 0o555)
    report = Patient(open_folder, NOTHING).look_as_stranger(env=computer.environment)
    assert without(report, "socket") == {"disk.denied": "failure"}


# Its own manners

def test_the_text_has_no_colour_but_on_a_terminal(patient):
    command = [PROGRAMS / "waymark", "doctor", "--config", patient.config, "--seconds", "1"]
    plain = subprocess.run(command, capture_output=True, text=True, timeout=60)
    assert plain.returncode == 1 and plain.stderr == ""
    assert "\x1b" not in plain.stdout and "[socket.missing]" in plain.stdout
    assert "fix: waymarkd --config" in plain.stdout

    def coloured(**environment):
        master, slave = pty.openpty()
        with os.fdopen(master, "rb", buffering=0) as screen:
            done = subprocess.run(
                command, stdout=slave, stderr=subprocess.DEVNULL, timeout=60,
                env={**os.environ, "TERM": "xterm", "LANG": "C.UTF-8", **environment})
            os.close(slave)
            assert done.returncode == 1
            return b"\x1b[" in screen.read(65536)

    assert coloured() and not coloured(NO_COLOR="1")


def test_the_json_form_has_what_scripts_rely_on(patient):
    whole = patient.look().whole
    assert set(whole) == {"findings", "summary", "version"}
    assert set(whole["summary"]) == {"level", "ok", "warnings", "failures"} and whole["summary"]["level"] == "failure"
    assert sum(whole["summary"][count] for count in ("ok", "warnings", "failures")) == len(whole["findings"])
    for finding in whole["findings"]:
        keys = {"id", "level", "subject", "what"}
        assert set(finding) == (keys if finding["level"] == "ok" else keys | {"meaning", "remedy"})


@pytest.mark.parametrize("signal_number", [signal.SIGTERM, signal.SIGQUIT])
def test_a_doctor_that_is_interrupted_ends_the_recording_that_it_began(simulation, signal_number):
    command = [PROGRAMS / "waymark", "doctor", "--config", simulation.config, "--seconds", "60"]
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True) as process:
        wait_until(lambda: simulation.status().get("recording"), what="the recording of samples")
        process.send_signal(signal_number)
        assert process.wait(30) == 1 and "interrupted" in process.stderr.read()
    assert simulation.status().get("recording") is None


def test_a_doctor_that_is_interrupted_at_a_socket_that_never_answers_says_so(patient):
    with unix_listener(patient.socket) as server:
        command = [PROGRAMS / "waymark", "doctor", "--config", patient.config]
        with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
            client, _ = server.accept()
            with client:
                client.recv(1)
                process.send_signal(signal.SIGINT)
                output, errors = process.communicate(timeout=60)
    assert process.returncode == 1 and output == "" and "interrupted" in errors
