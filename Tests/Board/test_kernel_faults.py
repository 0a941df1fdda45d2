"""What happens to real devices: unplugged, taken over by others, read too late, numbered anew, the clock set."""
import itertools
import json

import pytest

from harness.poses import check_order
from rig.daemon import Daemon
from rig.hub import NAMES, SENSORS, SLOW, SLOW_RATES
from rig.recording import Recorder

ALL = tuple(NAMES.values())


@pytest.fixture(scope="module")
def running(guest, sensors):
    """A running daemon that the tests of this module share, and leave streaming."""
    sensors.rest(**SLOW_RATES)
    daemon = Daemon(guest, SLOW).start()
    daemon.wait_for_streams()
    yield daemon
    daemon.stop()


def wait_for_more(running, names=ALL, count=10):
    """Waits until each of these devices has handed over this number of further samples; returns all devices."""
    before = running.devices()
    return running.wait_for_devices(lambda devices: all(
        devices[name]["state"] == "streaming" and devices[name]["samples"] >= before[name]["samples"] + count
        for name in names))


def assert_poses_go_on(running):
    """Also after whatever happened to the sensors: later and later, none twice."""
    check_order(running.poses(3))


def folder_of(running, name):
    return f"/sys/bus/iio/devices/{running.devices()[name]['identifier']}"


def test_the_command_prints_of_the_devices_what_the_daemon_replies(running):
    printed = {device["name"]: device for device in json.loads(running.waymark("devices", "--json").output)["devices"]}
    replied = running.devices()
    assert sorted(printed) == sorted(replied) and set(ALL) <= set(printed)
    for name in ALL:
        assert (printed[name]["identifier"], printed[name]["state"]) == (replied[name]["identifier"], "streaming")


@pytest.mark.parametrize("sensor", SENSORS)
def test_a_sensor_that_is_unplugged_is_missed_and_taken_up_again(running, sensor):
    name = NAMES[sensor]
    running.guest.hub.unplug(sensor)
    running.wait_for_devices(lambda devices: devices[name]["state"] == "searching")
    others = [other for other in ALL if other != name]
    wait_for_more(running, others)
    running.guest.hub.plug(sensor)
    wait_for_more(running)
    assert_poses_go_on(running)


def test_all_sensors_that_go_at_once_are_taken_up_again(running):
    hub = running.guest.hub
    hub.unplug()
    hub.plug(together=True)
    wait_for_more(running)
    hub.unplug()
    running.wait_for_devices(lambda devices: all(devices[name]["state"] == "searching" for name in ALL))
    assert running.waymark("status", check=False).code == 0
    hub.plug()
    wait_for_more(running)
    assert_poses_go_on(running)


def test_whatever_numbers_the_devices_have_their_names_decide(running):
    hub = running.guest.hub
    orders = set()
    for order in (SENSORS[::-1], ("gyroscope", "magnetometer", "accelerometer")):
        hub.unplug()
        # A device keeps its number for as long as a program holds it open.
        running.wait_for_devices(lambda devices: all(devices[name]["state"] == "searching" for name in ALL))
        running.guest.wait_for("! ls /sys/bus/iio/devices | grep -q iio:device")
        for sensor in order:
            hub.plug(sensor)
            running.guest.wait_for(f"grep -q {NAMES[sensor]} /sys/bus/iio/devices/iio:device*/name")
        devices = wait_for_more(running)
        identifiers = [devices[NAMES[sensor]]["identifier"] for sensor in order]
        assert identifiers == sorted(identifiers)
        orders.add(tuple(devices[name]["identifier"] for name in ALL))
    assert len(orders) == 2
    with Recorder(running) as recorder:
        wait_for_more(running)
    # What `rest` plays, in m/s², rad/s and µT.
    for sensor, size in (("accelerometer", 9.80665), ("gyroscope", 0), ("magnetometer", 47.518)):
        first = recorder.samples[sensor][0].values
        assert sum(part * part for part in first) ** 0.5 == pytest.approx(size, abs=0.05)


def test_a_buffer_that_another_program_ends_is_set_up_anew(running):
    folder = folder_of(running, "accel_3d")
    running.guest.run(f"echo 0 > {folder}/buffer/enable")
    running.wait_for_devices(lambda devices: devices["accel_3d"]["state"] != "streaming" or "1" in running.guest.run(
        f"cat {folder}/buffer/enable").output)
    wait_for_more(running)
    assert_poses_go_on(running)


def test_a_second_reader_takes_the_buffer_away_only_for_a_moment(running):
    # It gets the error that the device is busy, and has switched the buffer off by then.
    result = running.guest.run("timeout 20 iio_readdev -u local: -T 2000 -b 4 -s 4 accel_3d >/dev/null", check=False)
    assert result.code != 0 and "busy" in result.output
    wait_for_more(running)
    assert_poses_go_on(running)


def test_a_device_that_another_program_holds_is_said_to_be_busy_and_taken_as_soon_as_it_is_free(running):
    hub, guest = running.guest.hub, running.guest
    hub.unplug("gyroscope")
    running.wait_for_devices(lambda devices: devices["gyro_3d"]["state"] == "searching")
    running.signal("STOP")
    hub.plug("gyroscope")
    guest.wait_for("grep -l gyro_3d /sys/bus/iio/devices/iio:device*/name")
    place = guest.run("grep -l gyro_3d /sys/bus/iio/devices/iio:device*/name").output.split("/")[5]
    holder = guest.run(f"sleep 3600 < /dev/{place} >/dev/null 2>&1 & echo $!").output.strip()
    running.signal("CONT")
    devices = running.wait_for_devices(lambda devices: devices["gyro_3d"]["state"] == "failed")
    assert "busy" in devices["gyro_3d"]["detail"].lower()
    # Through several tries.
    guest.run("sleep 6")
    assert running.devices()["gyro_3d"]["state"] == "failed"
    guest.run(f"kill {holder}")
    wait_for_more(running)
    assert_poses_go_on(running)


def test_samples_that_the_kernel_had_to_throw_away_are_counted_as_a_gap(running):
    before = running.devices()
    sent = running.guest.hub.status()
    running.signal("STOP")
    # The kernel keeps four samples of these rates.
    running.guest.wait_for(lambda: all(
        now["sent"] >= sent[sensor]["sent"] + 10
        for sensor, now in running.guest.hub.status().items() if sensor in SENSORS))
    running.signal("CONT")
    after = wait_for_more(running)
    for name in ALL:
        assert after[name]["gaps"] > before[name]["gaps"]
    assert_poses_go_on(running)


def test_a_clock_that_is_set_by_an_hour_leaves_stamps_and_poses_alone(running):
    hub, guest = running.guest.hub, running.guest
    # Stamps by the kernel, on the clock that the daemon asked for.
    hub.set(stamps=False)
    devices = wait_for_more(running)
    assert {devices[name]["clock"] for name in ALL} == {"boottime"}
    try:
        with Recorder(running) as recorder:
            begin = boot_seconds(guest)
            for step in ("+1 hour", "-2 hours", "+1 hour"):
                guest.run(f"date -s '{step}' >/dev/null")
                wait_for_more(running)
            end = boot_seconds(guest)
    finally:
        hub.set(stamps=True)
    for samples in recorder.samples.values():
        times = [sample.time * 1e-9 for sample in samples]
        assert times == sorted(set(times))
        # Each lies where boot time has it, before, between and after the steps.
        assert sum(begin < time < end for time in times) >= 30
        assert all(begin - 60 < time < end + 60 for time in times)
    assert_poses_go_on(running)


def boot_seconds(guest):
    return float(guest.run("cut -d' ' -f1 /proc/uptime").output)


def test_a_magnetometer_without_stamps_is_stamped_on_arrival(running):
    hub = running.guest.hub
    hub.unplug("magnetometer")
    running.wait_for_devices(lambda devices: devices["magn_3d"]["state"] == "searching")
    hub.set("magnetometer", time_field=False)
    try:
        hub.plug("magnetometer")
        devices = wait_for_more(running)
        channels = running.guest.run(f"ls {folder_of(running, 'magn_3d')}/scan_elements").output
        assert "in_magn_x_en" in channels and "timestamp" not in channels
        assert devices["magn_3d"]["clock"] == "host"
        with Recorder(running) as recorder:
            wait_for_more(running)
    finally:
        hub.set("magnetometer", time_field=True)
    times = [sample.time for sample in recorder.samples["magnetometer"]]
    assert len(times) >= 10
    assert all(earlier < later for earlier, later in itertools.pairwise(times))
    hub.unplug("magnetometer")
    hub.plug("magnetometer")
    running.wait_for_devices(
        lambda devices: (devices["magn_3d"]["state"], devices["magn_3d"]["clock"]) == ("streaming", "boottime"))
