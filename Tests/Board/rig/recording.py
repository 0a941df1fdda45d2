"""What the daemon in a guest recorded, read on the host."""
import dataclasses
import math
import shlex

from harness.paths import PROGRAMS
from harness.recording import messages

from .hub import UNIT_OF_COUNT

TOPICS = {
    "accelerometer": "/imu/specific_force", "gyroscope": "/imu/angular_rate", "magnetometer": "/magnetic_field"}
# From the kernel's unit to that of the recording.
FACTORS = {"accelerometer": 1, "gyroscope": 1, "magnetometer": 100}
# Samples are rounded to a part of the unit: docs/recordings.md.
STEPS = {"accelerometer": 1e6, "gyroscope": 1e7, "magnetometer": 1e4}


@dataclasses.dataclass(frozen=True)
class Sample:
    """Boot time in nanoseconds, and values with every bit, in m/s², rad/s or µT."""
    time: int
    values: tuple


def expected(row, base):
    """The sample that a played row has to become, to the last bit."""
    # In the order of the kernel's rule and then the unit: floating point does not commute.
    exact = [part * UNIT_OF_COUNT[row.sensor] * FACTORS[row.sensor] for part in row.counts]
    steps = STEPS[row.sensor]
    # Of a tie both neighbours are as near; the daemon takes the one away from zero, as C does.
    return Sample(base + row.time, tuple(math.copysign(math.floor(abs(part) * steps + 0.5), part) / steps for part in exact))


class Recorder:
    """`waymark record` in a guest, from entering to leaving the block; then `samples`."""

    def __init__(self, daemon):
        self.daemon, self.guest = daemon, daemon.guest
        self.samples = {}

    def __enter__(self):
        command = [f"{PROGRAMS}/waymark", "--socket", self.daemon.socket, "record", "/run/recorded.mcap"]
        self.guest.run("rm -f /run/recorded.mcap")
        started = self.guest.run(f"{shlex.join(command)} >/run/record.log 2>&1 & echo $!")
        self.pid = int(started.output)
        self.guest.wait_for(
            lambda: "recording" in self.daemon.status(),
            what=lambda: self.guest.run("cat /run/record.log").output)
        return self

    def __exit__(self, kind, *_):
        self.guest.run(f"kill -INT {self.pid}")
        self.guest.wait_for(f"! test -d /proc/{self.pid}")
        if kind is None:
            self.guest.run("cp /run/recorded.mcap /job/recorded.mcap")
            self.samples = read(self.guest.share / "recorded.mcap")


def read(file):
    """Samples by sensor, in their order."""
    sensor_of = {topic: sensor for sensor, topic in TOPICS.items()}
    samples = {sensor: [] for sensor in TOPICS}
    for topic, _, content in messages(file, list(sensor_of)):
        time = content["time"]["sec"] * 1_000_000_000 + content["time"]["nsec"]
        values = (content["x"], content["y"], content["z"])
        samples[sensor_of[topic]].append(Sample(time, values))
    return samples
