"""The kernel's own drivers without a subscriber: slower, and with nothing lost of what they held when one comes."""
import pytest

from rig.daemon import Daemon
from rig.hub import NAMES, SENSORS, resting

# A silent sensor is left in peace for this long: nothing but a waking ends a read then.
SETTINGS = {"power": {"enabled": True, "idle_after_seconds": 1}, "iio": {"silence_seconds": 60}}
# Of `SENSORS`, in ms.
IDLE_INTERVALS = [20, 20, 100]


@pytest.fixture(scope="module")
def running(guest, sensors):
    """A running daemon that the tests of this module share."""
    daemon = Daemon(guest, SETTINGS).start()
    sensors.rest(seconds=1)
    daemon.wait_for_streams()
    yield daemon
    sensors.stop()
    daemon.stop()


def power(running):
    return running.status()["power"]


def intervals(sensors):
    """What the drivers asked of the hub, in ms."""
    status = sensors.status()
    return [status[sensor]["interval"] for sensor in SENSORS]


def wait_for_idle(running, sensors):
    running.guest.wait_for(
        lambda: power(running)["mode"] == "idle" and intervals(sensors) == IDLE_INTERVALS,
        what=lambda: f"idle sensors; they are {sensors.status()}, {power(running)}; the log is:\n{running.log}")


def end_reads_at_full_rate(sensors):
    """Plays a batch of the full rates, after which a sensor becomes idle: without one it waits for a silence."""
    awake = [sensor for sensor, now, idle in zip(SENSORS, intervals(sensors), IDLE_INTERVALS) if now != idle]
    rows = resting(seconds=0.04, inertial_rate=50, magnetic_rate=25)
    sensors.play([row for row in rows if row.sensor in awake])
    sensors.wait_until_played()


def samples(running):
    devices = running.devices()
    return [devices[NAMES[sensor]]["samples"] for sensor in SENSORS]


def test_drivers_are_asked_for_the_idle_rates_and_for_the_full_ones_when_a_subscriber_comes(running, sensors):
    wait_for_idle(running, sensors)
    before = running.devices()
    assert [before[NAMES[sensor]]["state"] for sensor in SENSORS] == 3 * ["streaming"]
    # A recording, because it lasts: a guest is slow.
    running.waymark("record", "/job/power.mcap", "--duration", 3)
    assert power(running)["wakes"] >= 1
    wait_for_idle(running, sensors)
    poses = running.poses(20)
    assert len(poses) == 20
    running.wait_for_devices(lambda devices: all(
        devices[NAMES[sensor]]["samples"] > before[NAMES[sensor]]["samples"] + 20 for sensor in SENSORS))
    wait_for_idle(running, sensors)
    assert "interrupted" not in running.log and "silent" not in running.log


def test_what_the_kernel_holds_of_a_batch_is_taken_when_a_subscriber_comes(running, sensors):
    sensors.stop()
    # Takes what waits by now.
    running.waymark("pose")
    running.guest.wait_for(lambda: power(running)["mode"] == "idle")
    end_reads_at_full_rate(sensors)
    wait_for_idle(running, sensors)
    running.guest.wait_for(lambda: all(sensors.status()[sensor]["on"] for sensor in SENSORS))
    before = samples(running)
    # Less than the three of a batch: in a slow guest the running may also find them when it looks after a silence.
    sensors.play(resting(seconds=0.04, inertial_rate=50, magnetic_rate=25))
    sensors.wait_until_played()
    running.waymark("pose")
    running.guest.wait_for(
        lambda: samples(running) == [before[0] + 2, before[1] + 2, before[2] + 1],
        what=lambda: f"two more than {before}; there are {samples(running)}; the log is:\n{running.log}")
    sensors.rest(seconds=1)
