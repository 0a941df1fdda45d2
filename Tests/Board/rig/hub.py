"""The guest's virtual sensors, as the kernel's HID drivers see them, under the tests' command."""
import dataclasses
import itertools

from harness.settings import rates
from harness.waiting import wait_until

from .machine import PATIENCE, GuestFailed

LETTERS = {"accelerometer": "a", "gyroscope": "g", "magnetometer": "m"}
# What the kernel calls them, and the SI unit or gauss of one count.
NAMES = {"accelerometer": "accel_3d", "gyroscope": "gyro_3d", "magnetometer": "magn_3d"}
UNIT_OF_COUNT = {"accelerometer": 1e-4, "gyroscope": 1e-5, "magnetometer": 1e-4}
SENSORS = tuple(LETTERS)
# Rates of a resting board, in Hz, and the settings for them, where rates do not matter: the guest is slow.
SLOW_RATES = {"inertial_rate": 25, "magnetic_rate": 10}
SLOW = {"iio": {"silence_seconds": 2}, **rates(inertial=25, magnetic=10)}
# Of the virtual sensors before a driver sets another one, in ms.
FIRST_INTERVAL = 10


@dataclasses.dataclass(frozen=True)
class Row:
    """One measurement: nanoseconds since the start of the rows, and three counts."""
    time: int
    sensor: str
    counts: tuple

    def __str__(self):
        return f"{self.time} {LETTERS[self.sensor]} {self.counts[0]} {self.counts[1]} {self.counts[2]}"


def counts(sensor, values):
    """Values in m/s², rad/s or gauss as counts."""
    return tuple(round(value / UNIT_OF_COUNT[sensor]) for value in values)


def resting(seconds=1.0, inertial_rate=100, magnetic_rate=50, specific_force=(0, 9.80665, 0), field=(0.2, -0.43, 0.03)):
    """Rows of a board that lies still; body axes: y up."""
    def series(sensor, rate, values):
        still = counts(sensor, values)
        # Noise of a few counts, as no real sensor is without.
        return [
            Row(
                round(k * 1e9 / rate), sensor,
                tuple(part + (7 * k + 3 * axis) % 5 - 2 for axis, part in enumerate(still)))
            for k in range(round(seconds * rate))]

    return sorted(
        itertools.chain(
            series("accelerometer", inertial_rate, specific_force), series("gyroscope", inertial_rate, (0, 0, 0)),
            series("magnetometer", magnetic_rate, field)),
        key=lambda row: (row.time, row.sensor))


class Hub:
    """Plugs, unplugs and plays. Sensors are named as in `SENSORS`; none named means all."""

    def __init__(self, port, share):
        self.port, self.share = port, share
        self.files = 0

    def command(self, text):
        self.port.send(text.encode() + b"\n")
        answer = self.port.line()
        if not answer.startswith("ok"):
            raise GuestFailed(f"the sensor hub says {answer!r}")
        return answer[2:].strip()

    def plug(self, *sensors, together=False):
        """Plugs sensors in, in this order: each by itself, or all as one hub."""
        letters = [LETTERS[sensor] for sensor in sensors or SENSORS]
        for part in ["".join(letters)] if together else letters:
            self.command(f"plug {part}")

    def unplug(self, *sensors):
        for sensor in sensors or SENSORS:
            self.command(f"unplug {LETTERS[sensor]}")

    def set(self, *sensors, interval=None, stamps=None, time_field=None):
        """`interval` in ms; `stamps`: hardware stamps or 0; `time_field`: a place for stamps, from the next plug on."""
        letters = "".join(LETTERS[sensor] for sensor in sensors or SENSORS)
        for name, value in (("interval", interval), ("stamps", stamps), ("field", time_field)):
            if value is not None:
                self.command(f"{name} {letters} {int(value)}")

    def play(self, rows, again_after=0):
        """Plays rows from now on; with `again_after` (s) for ever, each round this long after the one before."""
        self.files += 1
        name = f"rows{self.files}"
        (self.share / name).write_text("".join(f"{row}\n" for row in rows))
        self.command(f"play /job/{name} {round(again_after * 1e9)}")
        (self.share / name).unlink()

    def rest(self, **options):
        """A board that lies still, for as long as nothing else is played."""
        self.play(resting(**options), again_after=options.get("seconds", 1.0))

    def stop(self):
        self.command("stop")

    def status(self):
        """`runs`, `base` (boot time of row time 0, ns), `rounds`, and of each sensor `plugged`, `on`, `interval`,
        `sent`, `unsent`, such as `status["accelerometer"]["sent"]`."""
        sensor_of = {letter: sensor for sensor, letter in LETTERS.items()}
        result = {sensor: {} for sensor in SENSORS}
        for word in self.command("status").split():
            name, _, value = word.partition("=")
            letter, _, key = name.rpartition(".")
            (result[sensor_of[letter]] if letter else result)[key] = int(value)
        return result

    def wait_until_played(self, timeout=PATIENCE):
        wait_until(
            lambda: not self.status()["runs"], timeout, lambda: f"all rows are played; {self.status()}",
            interval=0.2, failure=GuestFailed)
