"""Samples come through the kernel's buffers as they were played: values, stamps, rates, axes."""
import math

import pytest

from harness.settings import rates
from rig.hub import NAMES, SENSORS, SLOW, SLOW_RATES, Row
from rig.recording import Recorder, expected

# Of a play at a rate that the guest may be too slow for.
ATTEMPTS = 5


@pytest.fixture(autouse=True)
def stopped_afterwards(sensors):
    """Nothing is played on when the test is over."""
    yield
    sensors.stop()


def motion(seconds, inertial_rate, magnetic_rate):
    """Rows of which no two are alike, with the largest counts that can be worn among them."""
    rows = []
    for sensor in SENSORS:
        rate = magnetic_rate if sensor == "magnetometer" else inertial_rate
        for k in range(round(seconds * rate)):
            counts = (k * 977 - 40_000, round(9e5 * math.sin(k / 7)), -1_000_000 + k)
            rows.append(Row(round(k * 1e9 / rate) + 1000 * SENSORS.index(sensor), sensor, counts))
    return sorted(rows, key=lambda row: row.time)


def record(running, sensors, rows):
    """Plays rows; what was recorded of them, by sensor: rows where a sample is one to the last bit, else the sample."""
    with Recorder(running) as recorder:
        sensors.play(rows)
        base = sensors.status()["base"]
        sensors.wait_until_played()
        sensors.rest(**SLOW_RATES)
        before = running.devices()
        # More than any buffer holds: what was played before is out of it.
        running.wait_for_devices(lambda devices: all(
            devices[name]["samples"] > before[name]["samples"] + (8 if name == "magn_3d" else 25) for name in devices))
    played = {(row.sensor, expected(row, base)): row for row in rows}
    end = base + rows[-1].time
    return {
        sensor: [played.get((sensor, sample), sample) for sample in samples if base <= sample.time <= end]
        for sensor, samples in recorder.samples.items()}


def test_every_sample_and_hardware_stamp_arrives_to_the_last_bit(daemon, sensors):
    running = daemon(SLOW).start()
    sensors.rest(**SLOW_RATES)
    running.wait_for_streams()
    rows = motion(4, 25, 10)
    for sensor, came in record(running, sensors, rows).items():
        assert came == [row for row in rows if row.sensor == sensor]


@pytest.mark.parametrize("rate", [50, 100, 200, 400])
def test_the_driver_sets_the_rate_and_samples_come_whole_at_it(daemon, sensors, rate):
    running = daemon(SLOW, rates(inertial=rate)).start()
    sensors.rest(**SLOW_RATES)
    devices = running.wait_for_streams()
    # The hub takes whole milliseconds: of 400 Hz the driver makes 500, and says so.
    interval = 1000 // rate
    for sensor in ("accelerometer", "gyroscope"):
        assert sensors.status()[sensor]["interval"] == interval
        assert devices[NAMES[sensor]]["requestedRate"] == rate
        assert devices[NAMES[sensor]]["grantedRate"] == 1000 / interval
    assert sensors.status()["magnetometer"]["interval"] == 100
    # Few, for the guest's processor is slow; where it is too slow the kernel throws samples away, but none is altered.
    rows = motion(0.4, 1000 / interval, 10)
    for _ in range(ATTEMPTS):
        taken = record(running, sensors, rows)
        for sensor, came in taken.items():
            assert came == [row for row in rows if row in set(came) and row.sensor == sensor]
        if sum(map(len, taken.values())) > len(rows) / 2:
            return
    pytest.fail(f"of {len(rows)} samples only {[len(came) for came in taken.values()]} came, {ATTEMPTS} times")


@pytest.mark.parametrize("in_database, configured, origin, detail", [
    ("0, 1, 0; -1, 0, 0; 0, 0, 1", [], "udev", ""),
    ("1, 0, 0; 0, 1, 0; 0, 0, -1", [], "udev", "is a mirror image"),
    ("1, 0, 0; 1, 0, 0; 0, 0, 1", [], "none", "is not orthonormal"),
    ("1, 0, 0; 0, 1, 0; 0, 0, -1", [0, 0, 1, 1, 0, 0, 0, 1, 0], "configuration", ""),
])
def test_the_hardware_databases_mount_matrix_counts_where_it_is_orthonormal_and_none_is_configured(
        daemon, sensors, guest, in_database, configured, origin, detail):
    # Where udev keeps what its rules found; there is no udev in this guest.
    place = guest.run("cat $(dirname $(grep -l accel_3d /sys/bus/iio/devices/iio:device*/name))/dev").output.strip()
    entry = f"/run/udev/data/c{place}"
    guest.run(f"mkdir -p /run/udev/data && echo 'E:ACCEL_MOUNT_MATRIX={in_database}' > {entry}")
    sensors.rest(**SLOW_RATES)
    device = daemon(SLOW, {"iio": {"mount_matrix": configured}}).start().wait_for_streams()["accel_3d"]
    guest.run(f"rm {entry}")
    assert device["mountMatrixOrigin"] == origin
    assert detail in device.get("detail", "")
    applied = {
        "0, 1, 0; -1, 0, 0; 0, 0, 1": [0, 1, 0, -1, 0, 0, 0, 0, 1],
        "1, 0, 0; 0, 1, 0; 0, 0, -1": configured or [-1, 0, 0, 0, -1, 0, 0, 0, 1],
        "1, 0, 0; 1, 0, 0; 0, 0, 1": [1, 0, 0, 0, 1, 0, 0, 0, 1]}
    assert device["mountMatrix"] == applied[in_database]
