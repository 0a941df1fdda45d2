"""What udev makes of sensors: permissions, units, the start of the service, and the mount matrix of the board."""
import re

import pytest

from rig.paths import ROOT
from rig.service import NAMES, Service

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
    board.hub.plug()
    # Few samples: the guest is slow, and rates are other tests' matter.
    board.hub.rest(inertial_rate=25, magnetic_rate=10)
    board.wait_for("test -e /dev/iio:device2")
    board.run("udevadm settle")
    return running


@pytest.fixture
def sensors(service):
    """The board while all of its sensors stream."""
    service.wait_until_all_stream()
    return service.board


def test_the_first_sensor_starts_the_service(sensors):
    # Nobody enabled it: the sensor's unit wants it.
    assert sensors.run("systemctl is-enabled waymarkd.service", check=False).output == "disabled\n"
    wants = sensors.run(f"systemctl show --property Wants --value $(readlink -f {SENSOR})").output
    assert wants.split() == ["waymarkd.service"]


def test_udev_tells_of_each_sensor_that_it_is_ours(sensors):
    for number in range(3):
        told = sensors.run(f"udevadm info --query=property /dev/iio:device{number}").output.splitlines()
        assert "WAYMARK_SENSOR=1" in told
        assert "SYSTEMD_WANTS=waymarkd.service" in told
        assert any(re.fullmatch(r"TAGS=.*:systemd:.*", line) for line in told)


def test_udev_has_nothing_to_say_against_the_rules(sensors):
    # `udevadm test` ends with 0 whatever it finds: its words count.
    said = sensors.run(f"udevadm test {SENSOR} 2>&1").output
    ours = [line for line in said.splitlines() if "waymark" in line]
    assert any("GROUP" in line for line in ours) and any("MODE 0660" in line for line in ours), said
    assert "run: '/usr/lib/udev/waymark-iio-permissions /sys/devices/" in said
    for line in ours:
        assert not re.search(r"(?i)invalid|unknown|ignor|fail|error", line), said


def test_the_service_may_write_what_buffers_need_and_nothing_else(sensors):
    find = f"find -L {SENSOR}/ -maxdepth 2 -type f -writable 2>/dev/null"
    writable = sensors.run(as_user("waymark", "waymark", find), check=False).output
    names = sorted(line.removeprefix(f"{SENSOR}/") for line in writable.split())
    [kind] = set(re.findall(r"in_(\w+)_x_en", writable))
    assert names == sorted([
        "buffer/enable", "buffer/length", "buffer/watermark", "current_timestamp_clock",
        f"in_{kind}_sampling_frequency", "trigger/current_trigger", "scan_elements/in_timestamp_en",
        *(f"scan_elements/in_{kind}_{axis}_en" for axis in "xyz")])
    sensors.run(as_user("waymark", "waymark", "test -r /dev/iio:device0 -a -w /dev/iio:device0"))


def test_others_may_not_touch_a_sensor(sensors):
    find = f"find -L {SENSOR}/ /dev/iio:device0 -maxdepth 2 -writable 2>/dev/null"
    assert sensors.run(as_user("nobody", "nogroup", find), check=False).output == ""
    assert sensors.run("stat -c '%U %G %a' /dev/iio:device0").output == "root waymark 660\n"


def test_a_plug_starts_a_service_that_was_stopped(service, sensors):
    sensors.hub.unplug()
    sensors.wait_for("! ls /dev/iio:device*")
    sensors.run("systemctl stop waymarkd.service waymark.socket")
    sensors.hub.plug()
    service.wait_until_all_stream()


def test_a_running_service_takes_replugged_sensors_up_by_their_buffers(service, sensors):
    process = service.value("MainPID")
    for _ in range(2):
        sensors.hub.unplug()
        sensors.wait_for("! ls /dev/iio:device*")
        sensors.hub.plug()
        found = service.wait_until_all_stream()
        # Before udev's rules have run, buffer, rate and clock are refused: a daemon that does not wait would read
        # attributes instead, or stamps of another clock.
        assert {found[name]["clock"] for name in NAMES} == {"boottime"}
    assert service.value("MainPID") == process
    assert "Permission denied" not in "\n".join(service.journal())


def test_a_sensor_that_goes_and_comes_is_a_line_each(service, sensors):
    mark = service.mark()
    sensors.hub.unplug("magnetometer")
    service.wait_for_devices(lambda devices: devices["magn_3d"]["state"] == "searching")
    sensors.hub.plug("magnetometer")
    service.wait_until_all_stream()
    lines = [line for line in service.journal(mark) if line.startswith("magn_3d (")]
    states = [re.match(r"magn_3d \(iio:device\d+\): (\w+)", line)[1] for line in lines]
    assert states == ["searching", "streaming"], lines


def test_the_mount_matrix_of_the_hardware_database_is_used(service, sensors):
    assert service.devices()["accel_3d"]["mountMatrixOrigin"] == "none"
    # The file that board makers start from, with the key of the guest's sensor.
    key = "sensor:modalias:platform:HID-SENSOR-200073:*"
    text, count = re.subn(r"^sensor:.*$", key, (ROOT / "docs/61-sensor-board.hwdb").read_text(), flags=re.MULTILINE)
    assert count == 1
    (sensors.share / "61-sensor-board.hwdb").write_text(text)
    sensors.run("cp /job/61-sensor-board.hwdb /etc/udev/hwdb.d/ && systemd-hwdb update")
    sensors.run("udevadm trigger --settle --subsystem-match=iio")
    service.restart()
    found = service.devices()
    assert found["accel_3d"]["mountMatrixOrigin"] == "udev"
    assert found["accel_3d"]["mountMatrix"] == [0, 1, 0, -1, 0, 0, 0, 0, 1]
    # The key names one of the three.
    assert found["gyro_3d"]["mountMatrixOrigin"] == "none"
