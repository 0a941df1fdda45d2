"""libiio's local backend reads devices as on a board; how often the daemon then wakes and calls the system."""
import contextlib
import json
import shutil

import pytest
from load_measurement.calls import count_calls, sent_between
from load_measurement.cost import spent
from waymark_interface import POSE_GET_POSE, SCENE_SUBSCRIBE

from harness.daemon import Daemon
from harness.iio import DeviceFiles
from harness.subscriber import Subscriber
from harness.waiting import wait_until

pytestmark = pytest.mark.library

TURNED = [0, 1, 0, -1, 0, 0, 0, 0, 1]
DEVICES = json.dumps({"devices": [
    {"name": "imu_6axis", "rate": 100, "mount_matrix": "0, 1, 0; -1, 0, 0; 0, 0, 1", "clock": "realtime", "channels": [
        {"kind": "accel", "scale": 0.000598}, {"kind": "gyro", "scale": 0.000152716}]},
    {"name": "magn_3axis", "rate": 20, "channels": [{"kind": "magn", "scale": 0.0005}]}]})
# Inertial samples over which calls and wakes are counted.
COUNTED = 600


@pytest.fixture(scope="module")
def board(tmp_path_factory):
    """Device files, and a daemon on them; the tests share both."""
    with contextlib.ExitStack() as stack:
        files = DeviceFiles(tmp_path_factory.mktemp("board"), "--json", DEVICES)
        stack.callback(files.stop)
        settings = {"iio": {"context": "local:"}, "gnss": {"enabled": False}, "power": {"idle_after_seconds": 1}}
        made = Daemon(settings, environment=files.environment)
        stack.callback(made.remove)
        made.files = files
        made.start().wait_for_streams("imu_6axis", "magn_3axis")
        yield made


@contextlib.contextmanager
def readers(board, count, rate):
    """Subscribers that have had enough poses for the sensors to have the pace that they need."""
    with contextlib.ExitStack() as stack:
        made = [stack.enter_context(Subscriber(board.socket, rate)) for _ in range(count)]
        made[0].wait_for_more(max(3, int(rate)))
        yield


def samples(board):
    return len(board.files.sent.read_text().splitlines())


def wait_for_samples(board, count=COUNTED):
    end = samples(board) + count
    wait_until(lambda: samples(board) >= end, what=f"{count} samples more")


def count_wakes(board, count=COUNTED):
    """How often the daemon's threads wake for each sample."""
    def sleeps():
        return sum(each[2] for each in spent(board.program.pid).values())

    before, first = sleeps(), samples(board)
    wait_for_samples(board, count)
    return (sleeps() - before) / (samples(board) - first)


def test_one_reader_at_1_hz_wakes_the_daemon_seldom(board):
    # No reader has wanted more before, for which the daemon would wake more often for a while.
    with readers(board, 1, 1):
        assert count_wakes(board) <= 0.3


def test_the_pace_is_a_quarter_of_the_shortest_interval_at_which_a_client_takes_poses(board):
    with board.subscribe(rate=1), board.connect() as reader:
        reader.send_call(SCENE_SUBSCRIBE, {"rate": 10}, more=True)
        board.said("power: active, samples are delivered within 25.0 ms")
        board.call(POSE_GET_POSE)
        board.said("power: active, samples are delivered within 10.0 ms")
        with readers(board, 1, 60):
            board.said("power: active, samples are delivered within 4.2 ms")


def test_devices_have_the_rates_scales_mount_matrices_and_clocks_of_their_files(board):
    with readers(board, 1, 60):
        devices = board.devices()
    imu, magnetometer = devices["imu_6axis"], devices["magn_3axis"]
    assert (imu["requestedRate"], imu["grantedRate"], imu["clock"]) == (200, 200, "boottime")
    assert (magnetometer["requestedRate"], magnetometer["grantedRate"]) == (50, 50)
    assert imu["mountMatrix"] == TURNED, imu
    assert {channel["name"]: channel["scale"] for channel in imu["channels"]}["anglvel_z"] == 0.000152716
    assert imu["dropped"] == magnetometer["dropped"] == 0, devices
    assert imu["sampling"] == magnetometer["sampling"] == "deviceTrigger", devices


@pytest.mark.skipif(not shutil.which("strace"), reason="strace is not installed: scripts/require test")
def test_four_readers_at_60_hz_cost_few_system_calls_a_sample(board):
    with readers(board, 4, 60):
        counted = count_calls(board.program.pid, lambda: wait_for_samples(board))
    assert not isinstance(counted, str), counted
    calls, began, ended = counted
    assert calls.total() / sent_between(board.files.sent, began, ended) <= 4.5, calls


def test_idle_sensors_are_read_a_few_times_a_second_and_lose_nothing_when_a_reader_comes(board):
    def rate():
        return board.device("imu_6axis")["grantedRate"]

    wait_until(lambda: rate() == 50, what="the idle rate")
    gaps = board.device("imu_6axis")["gaps"]
    # 50 samples a second; a heartbeat is four wakes of them.
    assert count_wakes(board, 150) <= 0.4
    with readers(board, 1, 60):
        wait_until(lambda: rate() == 200, what="the full rate")
    imu = board.device("imu_6axis")
    assert imu["dropped"] == 0 and imu["gaps"] <= gaps + 1, imu


def wait_for_state(board, state):
    return board.wait_for_devices(lambda devices: devices["imu_6axis"]["state"] == state)


@contextlib.contextmanager
def reading(board, is_read):
    """The buffers are read as samples arrive, or wait for a while between two readings."""
    if is_read:
        with readers(board, 1, 60):
            yield
    else:
        board.wait_until(lambda: board.status()["power"]["mode"] == "idle", what="idle sensors")
        yield


# A kernel may let a waiting reader know that a device has gone, or not.
@pytest.mark.parametrize("is_read", [True, False], ids=["while_read", "while_waiting"])
def test_a_device_that_goes_is_used_again_when_it_returns_and_the_magnetometer_goes_on_alone(board, is_read):
    with reading(board, is_read):
        before = board.device("imu_6axis")["samples"]
        board.files.unplug("iio:device0")
        if is_read:
            board.files.fail("iio:device0")
        alone = wait_for_state(board, "searching")["magn_3axis"]["samples"]
        board.wait_for_devices(lambda devices: devices["magn_3axis"]["samples"] > alone + 10)
        board.files.plug("iio:device0")
        devices = wait_for_state(board, "streaming")
        board.wait_for_devices(lambda devices: devices["imu_6axis"]["samples"] > before + 100)
    assert devices["magn_3axis"]["state"] == "streaming" and devices["magn_3axis"]["dropped"] == 0, devices


def test_a_read_that_fails_is_reported_and_the_buffer_opened_again(board):
    with readers(board, 1, 60):
        before = board.device("imu_6axis")["samples"]
        board.files.fail("iio:device0")
        board.said("imu_6axis (iio:device0): failed, reading imu_6axis: ")
        wait_for_state(board, "streaming")
        board.wait_for_devices(lambda devices: devices["imu_6axis"]["samples"] > before + 100)


@pytest.mark.parametrize("state", ["read", "waiting", "unplugged"])
def test_it_ends_its_buffers_before_it_stops_whatever_they_are_doing(board, state):
    files = board.files
    with reading(board, state == "read") if state != "unplugged" else contextlib.nullcontext():
        if state == "unplugged":
            files.unplug("iio:device0")
            wait_for_state(board, "searching")
        # The buffers are made anew for another pace.
        board.wait_until(lambda: files.enables("iio:device1"), what="an enabled buffer")
        assert board.stop() == 0
        assert not files.enables("iio:device1")
    if state == "unplugged":
        files.plug("iio:device0")
    else:
        assert not files.enables("iio:device0")
    board.start().wait_for_streams("imu_6axis", "magn_3axis")
