"""Samples and hardware stamps come through the kernel's buffers as they were played, at the rates the driver grants."""
import math

import pytest

from rig.daemon import Daemon
from rig.hub import SENSORS, Row
from rig.recording import Recorder, expected


@pytest.fixture(scope="module")
def sensors(guest):
    guest.hub.plug()
    guest.wait_for("test $(ls -d /dev/iio:device* | wc -l) = 3")
    return guest.hub


@pytest.fixture
def daemon(guest, sensors):
    """Makes daemons, started."""
    made = []

    def make(**sections):
        made.append(Daemon(guest, **sections).start())
        return made[-1]

    yield make
    sensors.stop()
    for each in made:
        each.stop()


def motion(seconds, inertial_rate, magnetic_rate):
    """Rows of which no two are alike, with the largest counts that can be worn among them."""
    rows = []
    for sensor in SENSORS:
        rate = magnetic_rate if sensor == "magnetometer" else inertial_rate
        for k in range(round(seconds * rate)):
            counts = (k * 977 - 40_000, round(9e5 * math.sin(k / 7)), -1_000_000 + k)
            rows.append(Row(round(k * 1e9 / rate) + 1000 * SENSORS.index(sensor), sensor, counts))
    return sorted(rows, key=lambda row: row.time)


def test_every_sample_and_hardware_stamp_arrives_to_the_last_bit(daemon, sensors):
    running = daemon()
    sensors.rest(seconds=1)
    running.wait_for_streams()
    sensors.stop()
    before = running.devices()
    rows = motion(3, 100, 50)
    with Recorder(running) as recorder:
        sensors.play(rows)
        base = sensors.status()["base"]
        sensors.wait_until_played()
        wanted = {name: count for name, count in zip(("accel_3d", "gyro_3d", "magn_3d"), (300, 300, 150))}
        running.wait_for_devices(lambda devices: all(
            devices[name]["samples"] - before[name]["samples"] >= count for name, count in wanted.items()))
    for sensor in SENSORS:
        played = [expected(row, base) for row in rows if row.sensor == sensor]
        assert [sample for sample in recorder.samples[sensor] if sample.time >= base] == played


@pytest.mark.parametrize("rate", [50, 100, 200, 400])
def test_the_driver_sets_the_rate_and_its_word_counts(daemon, sensors, rate):
    running = daemon(iio={"inertial_rate_hz": rate, "magnetometer_rate_hz": 50})
    sensors.rest(seconds=1, inertial_rate=rate)
    devices = running.wait_for_streams()
    # The hub takes whole milliseconds: of 400 Hz the driver makes 500.
    interval = 1000 // rate
    for name, sensor in (("accel_3d", "accelerometer"), ("gyro_3d", "gyroscope")):
        assert sensors.status()[sensor]["interval"] == interval
        assert devices[name]["requestedRate"] == rate
        assert devices[name]["grantedRate"] == 1000 / interval
    assert sensors.status()["magnetometer"]["interval"] == 20
