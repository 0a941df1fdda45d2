"""The drill's motion as tables, with spans in which sensors are missing: half an hour is replayed in a few seconds."""
import csv
import dataclasses
import json
import math
import random

from rig.hub import UNIT_OF_COUNT

from . import motion

# What may be missing at one time, and the durations; then all is there for as long as poses have to become right and
# be checked. Seconds.
GROUPS = (
    ("accelerometer",), ("gyroscope",), ("magnetometer",), ("receiver",),
    ("accelerometer", "gyroscope", "magnetometer"), ("accelerometer", "gyroscope", "magnetometer", "receiver"))
LENGTHS, WHOLE = (0.1, 0.5, 1, 2, 5, 15), (13, 25)
# Devices are opened one after the other as they are found again: how much later than the first. Seconds.
ONE_AFTER_ANOTHER = 0.3
FIRST = 60.0
SIGMAS = {"sdn_m": 2.1, "sde_m": 1.9, "sdu_m": 3.3}


@dataclasses.dataclass(frozen=True)
class Absence:
    """Sensors that are missing from one moment on, and when each is back. Seconds."""
    begin: float
    ends: dict

    @property
    def end(self):
        """All are back."""
        return max(self.ends.values())


def absences(duration, seed):
    """Spans at random."""
    source = random.Random(seed)
    result, now = [], FIRST
    while now < duration:
        first = now + source.choice(LENGTHS) * source.uniform(0.7, 1.3)
        group = source.choice(GROUPS)
        order = source.sample(group, len(group))
        delays = [0, *(source.uniform(0, ONE_AFTER_ANOTHER) for _ in order[1:])]
        absence = Absence(now, {sensor: first + delay for sensor, delay in zip(order, delays)})
        result.append(absence)
        now = absence.end + source.uniform(*WHOLE)
    return result


def write(folder, duration, spans, start):
    """The tables `imu.csv`, `mag.csv` and `gnss.csv` of a calibrated board, for `duration` seconds from `start` on."""
    def there(sensor, seconds):
        return not any(sensor in span.ends and span.begin <= seconds < span.ends[sensor] for span in spans)

    (folder / "meta.json").write_text(json.dumps({"magnetometer": "calibrated"}))
    with open(folder / "imu.csv", "w", newline="") as imu, open(folder / "mag.csv", "w", newline="") as mag:
        inertial, magnetic = csv.writer(imu), csv.writer(mag)
        inertial.writerow(["t_s", "ax", "ay", "az", "gx", "gy", "gz"])
        magnetic.writerow(["t_s", "mx", "my", "mz"])
        for seconds, measured in moments(duration):
            time = f"{start + seconds:.6f}"
            parts = [
                measured[sensor] if there(sensor, seconds) else [""] * 3 for sensor in ("accelerometer", "gyroscope")]
            if any(part[0] != "" for part in parts):
                inertial.writerow([time, *parts[0], *parts[1]])
            if "magnetometer" in measured and there("magnetometer", seconds):
                # Gauss to microtesla.
                magnetic.writerow([time, *(100 * part for part in measured["magnetometer"])])
    with open(folder / "gnss.csv", "w", newline="") as gnss:
        fixes = csv.writer(gnss)
        fixes.writerow(["t_s", "arrival_s", "lat_deg", "lon_deg", "alt_m", "utc_s", *SIGMAS])
        for second in range(1, math.floor(duration)):
            if there("receiver", second):
                place = (start + second, start + second + 0.2, *motion.PLACE, 1.8e9 + second)
                fixes.writerow([*place, *SIGMAS.values()])


def moments(duration):
    """Seconds, and what each sensor measures then."""
    period = {}
    for row in motion.rows():
        period.setdefault(row.time, {})[row.sensor] = [
            round(count * UNIT_OF_COUNT[row.sensor], 6) for count in row.counts]
    turn = 0
    while True:
        for time, measured in period.items():
            seconds = turn * motion.PERIOD + time * 1e-9
            if seconds >= duration:
                return
            yield seconds, measured
        turn += 1
