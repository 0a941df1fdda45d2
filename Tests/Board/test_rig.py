"""The rig itself: what the other tests take for granted of a guest."""
import pytest

from rig import prepare
from rig.machine import GuestFailed


def test_where_there_is_no_qemu_the_reason_is_told(monkeypatch):
    monkeypatch.setattr(prepare, "QEMU", "no-such-machine")
    assert "QEMU" in prepare.obstacle()


def test_a_command_gives_its_code_and_both_of_its_outputs(guest):
    result = guest.run("echo out; echo err >&2; exit 3", check=False)
    assert (result.code, result.output) == (3, "out\nerr\n")


def test_a_command_that_takes_too_long_is_ended_and_the_guest_goes_on(guest):
    with pytest.raises(GuestFailed, match="not within 1 s"):
        guest.run("sleep 3600", timeout=1)
    assert guest.run("echo on").output == "on\n"


def test_what_a_command_leaves_in_the_background_does_not_hold_back_its_answer(guest):
    assert guest.run("sleep 3600 & echo at once", timeout=60).output == "at once\n"


def test_both_sides_see_the_shared_folder(guest):
    (guest.share / "note").write_text("from the host")
    assert guest.run("cat /job/note && echo from the guest > /job/note").output == "from the host"
    assert (guest.share / "note").read_text() == "from the guest\n"


def test_the_kernel_has_a_device_for_each_plugged_sensor(guest):
    guest.hub.plug()
    guest.wait_for("test $(cat /sys/bus/iio/devices/iio:device*/name | wc -l) = 3")
    names = guest.run("cat /sys/bus/iio/devices/iio:device*/name").output.split()
    assert sorted(names) == ["accel_3d", "gyro_3d", "magn_3d"]
    guest.hub.unplug()
    guest.wait_for("! ls /sys/bus/iio/devices | grep -q iio:device")


def test_a_board_has_systemd_udev_and_the_installed_programs(board):
    assert board.run("cat /proc/1/comm").output == "systemd\n"
    board.run("systemctl is-system-running --wait", check=False)
    assert board.run("systemctl list-units --failed --plain --no-legend").output == ""
    assert board.run("waymarkd --check-config").code == 0
    board.hub.plug()
    board.wait_for("test $(ls -d /dev/iio:device* | wc -l) = 3")
