"""What the daemon holds over time: descriptors, threads and memory, and whether that stays level."""
import dataclasses
import pathlib
import statistics

# The daemon keeps the poses of ten minutes: bytes each, of the rig's board a second, and the seconds.
PAST_POSE, PAST_RATE, PAST_SECONDS = 28, 200, 600


@dataclasses.dataclass(frozen=True)
class Reading:
    seconds: float
    descriptors: int
    threads: int
    # Unit: KiB. `own` is what no file backs.
    resident: int
    own: int


def read(program, seconds):
    fields = dict(
        line.split(":", 1) for line in pathlib.Path(f"/proc/{program.pid}/status").read_text().splitlines())
    return Reading(
        seconds, program.descriptors(), int(fields["Threads"]), int(fields["VmRSS"].split()[0]),
        int(fields["RssAnon"].split()[0]))


def growth(readings, name):
    """Middle of the last third less middle of the middle third: what is still growing after caches have filled."""
    middle, last = middles(readings, name)
    return last - middle


def growth_of_past_poses(readings):
    """What the past poses take more from the one middle to the other: nothing once there are ten minutes. Unit: KiB."""
    middle, last = (min(seconds, PAST_SECONDS) for seconds in middles(readings, "seconds"))
    return PAST_POSE * PAST_RATE * (last - middle) / 1024


def middles(readings, name):
    """Middles of the middle third and of the last."""
    third = len(readings) // 3
    values = [getattr(reading, name) for reading in readings]
    return statistics.median(values[third:2 * third]), statistics.median(values[2 * third:])


def table(readings, lines=12):
    """A few of the readings, evenly spread, as text."""
    step = max(1, len(readings) // lines)
    rows = [f"{'seconds':>8} {'descriptors':>12} {'threads':>8} {'resident KiB':>13} {'own KiB':>9}"]
    for reading in readings[::step]:
        rows.append(
            f"{reading.seconds:8.0f} {reading.descriptors:12} {reading.threads:8} {reading.resident:13} {reading.own:9}")
    return "\n".join(rows)
