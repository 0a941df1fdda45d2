"""What udev makes of sensors: permissions, units, the start of the service, and the mount matrix of the board."""
import json
import re

import pytest

from harness.paths import ROOT
from rig.hub import NAMES, SLOW_RATES
from rig.service import Service

SENSOR = "/sys/bus/iio/devices/iio:device0"


def as_user(user, group, command):
    """The command with one user's and one group's rights."""
    return f"setpriv --reuid {user} --regid {group} --clear-groups sh -c '{command}'"


@pytest.fixture(scope="module")
def service(board):
    """The service of a board on which nothing ran before the three sensors were plugged in."""
    running = Service(board)
    board.hub.unplug()
    board.run("systemctl stop waymarkd.service", timeout=600)
    assert running.value("ActiveState") == "inactive"
    board.hub.rest(**SLOW_RATES)
    board.plug_sensors()
    board.run("udevadm settle")
    return running


@pytest.fixture
def streaming_board(service):
    """The board while all of its sensors stream."""
    service.wait_for_streams()
    return service.board


def test_the_first_sensor_starts_the_service(streaming_board):
    # It is not enabled: the sensor's unit wants it.
    assert streaming_board.run("systemctl is-enabled waymarkd.service", check=False).output == "disabled\n"
    wants = streaming_board.run(f"systemctl show --property Wants --value $(readlink -f {SENSOR})").output
    assert wants.split() == ["waymarkd.service"]


def test_udev_reports_of_each_sensor_that_it_is_ours(streaming_board):
    for number in range(3):
        properties = streaming_board.run(f"udevadm info --query=property /dev/iio:device{number}").output.splitlines()
        assert "WAYMARK_SENSOR=1" in properties
        assert "SYSTEMD_WANTS=waymarkd.service" in properties
        assert any(re.fullmatch(r"TAGS=.*:systemd:.*", line) for line in properties)


def test_udev_has_nothing_to_say_against_the_rules(streaming_board):
    # `udevadm test` ends with 0 whatever it finds: its words count.
    said = streaming_board.run(f"udevadm test {SENSOR} 2>&1").output
    ours = [line for line in said.splitlines() if "waymark" in line]
    assert any("OWNER" in line for line in ours) and any("MODE 0600" in line for line in ours), said
    assert "run: '/usr/lib/udev/waymark-iio-permissions /sys/devices/" in said
    for line in ours:
        assert not re.search(r"(?i)invalid|unknown|ignor|fail|error", line), said


def test_the_service_may_write_what_buffers_need_and_nothing_else(streaming_board):
    find = f"find -L {SENSOR}/ -maxdepth 2 -type f -writable 2>/dev/null"
    writable = streaming_board.run(as_user("waymark", 65534, find), check=False).output
    names = sorted(line.removeprefix(f"{SENSOR}/") for line in writable.split())
    [kind] = set(re.findall(r"in_(\w+)_x_en", writable))
    assert names == sorted([
        "buffer/enable", "buffer/length", "buffer/watermark", "current_timestamp_clock",
        f"in_{kind}_sampling_frequency", "trigger/current_trigger", "scan_elements/in_timestamp_en",
        *(f"scan_elements/in_{kind}_{axis}_en" for axis in "xyz")])
    streaming_board.run(as_user("waymark", 65534, "test -r /dev/iio:device0 -a -w /dev/iio:device0"))


@pytest.mark.parametrize("group", ["waymark", "waymark-change", 65534])
def test_others_may_not_touch_a_sensor_and_those_who_read_poses_are_others(streaming_board, group):
    find = f"find -L {SENSOR}/ /dev/iio:device0 -maxdepth 2 -writable 2>/dev/null"
    assert streaming_board.run(as_user(65534, group, find), check=False).output == ""
    streaming_board.run(as_user(65534, group, "! test -r /dev/iio:device0"))
    assert streaming_board.run("stat -c '%U %G %a' /dev/iio:device0").output == "waymark root 600\n"


def test_the_doctor_finds_a_rule_that_opens_the_sensors_to_readers(streaming_board):
    def open_to_others():
        # It ends with 1 where something else is wrong with the guest, which has no receiver.
        found = streaming_board.run("waymark doctor --json --seconds 1 2>/dev/null", timeout=600, check=False).output
        return {each["subject"] for each in json.loads(found)["findings"] if each["id"] == "access.open"}

    own, trigger = "/etc/udev/rules.d/99-own.rules", "udevadm control --reload && udevadm trigger --settle -s iio"
    (streaming_board.share / "own.rules").write_text('SUBSYSTEM=="iio", GROUP="waymark", MODE="0660"\n')
    streaming_board.run(f"cp /job/own.rules {own} && {trigger}")
    assert open_to_others() == {f"/dev/iio:device{number}" for number in range(3)}
    streaming_board.run(f"rm {own} && {trigger}")
    assert open_to_others() == set()


def test_a_plug_starts_a_service_that_was_stopped(service, streaming_board):
    streaming_board.hub.unplug()
    streaming_board.wait_for("! ls /dev/iio:device*")
    streaming_board.run("systemctl stop waymarkd.service waymark.socket")
    streaming_board.hub.plug()
    service.wait_for_streams()


@pytest.mark.parametrize("udev", ["in time", "late"])
def test_a_running_service_takes_replugged_sensors_up_by_their_buffers(service, streaming_board, udev):
    process = service.value("MainPID")
    # Then the kernel already shows the next sensors when the daemon learns that these are gone, some under their numbers.
    if udev == "late":
        streaming_board.run("udevadm control --stop-exec-queue")
    streaming_board.hub.unplug()
    streaming_board.wait_for("! ls /dev/iio:device*")
    streaming_board.hub.plug()
    if udev == "late":
        service.wait_for_devices(
            lambda devices: not {"streaming", "silent"} & {devices[name]["state"] for name in NAMES.values()})
        streaming_board.run("udevadm control --start-exec-queue")
    found = service.wait_for_streams()
    # Before udev's rules have run, buffer, rate and clock are refused: a daemon that does not wait would read
    # attributes instead, or stamps of another clock.
    assert {found[name]["clock"] for name in NAMES.values()} == {"boottime"}
    assert service.value("MainPID") == process
    # Not since its first start, either.
    assert [line for line in service.journal() if "Permission denied" in line] == []


def test_a_sensor_that_goes_and_comes_is_a_line_each(service, streaming_board):
    mark = service.mark()
    streaming_board.hub.unplug("magnetometer")
    service.wait_for_devices(lambda devices: devices["magn_3d"]["state"] == "searching")
    streaming_board.hub.plug("magnetometer")
    service.wait_for_streams()
    lines = [line for line in service.journal(mark) if line.startswith("magn_3d (")]
    states = [re.match(r"magn_3d \(iio:device\d+\): (\w+)", line)[1] for line in lines]
    assert states == ["searching", "streaming"], lines


def test_the_mount_matrix_of_the_hardware_database_is_used(service, streaming_board):
    assert service.devices()["accel_3d"]["mountMatrixOrigin"] == "none"
    # The file that board makers start from, with the key of the guest's sensor.
    key = "sensor:modalias:platform:HID-SENSOR-200073:*"
    text, count = re.subn(r"^sensor:.*$", key, (ROOT / "docs/61-sensor-board.hwdb").read_text(), flags=re.MULTILINE)
    assert count == 1
    (streaming_board.share / "61-sensor-board.hwdb").write_text(text)
    streaming_board.run("cp /job/61-sensor-board.hwdb /etc/udev/hwdb.d/ && systemd-hwdb update")
    streaming_board.run("udevadm trigger --settle --subsystem-match=iio")
    service.restart()
    found = service.devices()
    assert found["accel_3d"]["mountMatrixOrigin"] == "udev"
    assert found["accel_3d"]["mountMatrix"] == [0, 1, 0, -1, 0, 0, 0, 0, 1]
    # The key names one of the three.
    assert found["gyro_3d"]["mountMatrixOrigin"] == "none"
