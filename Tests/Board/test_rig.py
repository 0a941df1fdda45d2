"""The rig itself: what the other tests take for granted of a guest."""
import pytest
from waymark_interface import STATUS_GET_STATUS

from rig import prepare, shared as sharing
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


def test_a_question_to_a_server_that_is_not_there_has_no_answer(guest):
    assert guest.ask("/run/no-such-socket", STATUS_GET_STATUS) is None


def test_a_guest_is_put_back_between_modules(guest, shared):
    guest.hub.plug()
    guest.hub.rest()
    left = guest.run("echo of a test | tee /etc/left >/run/left; sleep 3600 & echo $!").output.strip()
    (guest.share / "left").write_text("of a test")
    assert shared["guest"].take() is guest
    guest.run(f"! test -e /etc/left && ! test -e /run/left && ! test -e /job/left && ! test -d /proc/{left}")
    assert guest.run("ls /sys/bus/iio/devices").output == ""
    assert not guest.hub.status()["runs"]


class Imitation:
    """Of a guest: whether it was ended is all there is to it."""

    def __init__(self):
        self.is_spoiled = self.is_ended = False

    def end(self):
        self.is_ended = True


def test_a_guest_in_which_a_test_failed_is_not_used_again(monkeypatch):
    monkeypatch.setattr(sharing, "State", lambda guest: None)
    guests = sharing.Shared(Imitation)
    first = guests.take()
    first.is_spoiled = True
    assert guests.take() is not first
    assert first.is_ended


def test_a_guest_that_cannot_be_put_back_is_not_used_again(monkeypatch):
    class State:
        def __init__(self, guest):
            pass

        def restore(self):
            raise GuestFailed("a file is gone")

    monkeypatch.setattr(sharing, "State", State)
    guests = sharing.Shared(Imitation)
    first = guests.take()
    with pytest.warns(UserWarning, match="a file is gone"):
        assert guests.take() is not first
    assert first.is_ended


def test_the_kernel_has_a_device_for_each_plugged_sensor(guest):
    guest.hub.plug()
    guest.wait_for("test $(cat /sys/bus/iio/devices/iio:device*/name | wc -l) = 3")
    names = guest.run("cat /sys/bus/iio/devices/iio:device*/name").output.split()
    assert sorted(names) == ["accel_3d", "gyro_3d", "magn_3d"]
    guest.hub.unplug()
    guest.wait_for("! ls /sys/bus/iio/devices | grep -q iio:device")


@pytest.mark.long
def test_a_board_has_systemd_udev_and_the_installed_programs(board):
    assert board.run("cat /proc/1/comm").output == "systemd\n"
    board.run("systemctl is-system-running --wait", check=False)
    assert board.run("systemctl list-units --failed --plain --no-legend").output == ""
    assert board.run("waymarkd --check-config").code == 0
    board.plug_sensors()


@pytest.mark.long
def test_a_board_is_put_back_between_modules(board, shared):
    board.run("""set -e
        echo of a test >/etc/left
        echo of a test >>/etc/waymark/waymark.toml
        mkdir -p /var/lib/waymark/left
        mount -t tmpfs left /var/lib/waymark
        systemd-run --quiet --unit=left sleep 3600
        rm /etc/hostname
        date --set=@1000000000""")
    assert shared["board"].take_installed() is board
    board.run("! test -e /etc/left && ! test -e /var/lib/waymark && test $(cat /etc/hostname) = board")
    assert "of a test" not in board.run("cat /etc/waymark/waymark.toml").output
    assert board.run("systemctl is-active left.service", check=False).output != "active\n"
    assert int(board.run("date +%s").output) > 1_100_000_000
