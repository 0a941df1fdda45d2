"""Replays a recording of the app Sensor Logger on a phone to the daemon, as the samples of its inertial unit.

    python3 sensor_logger.py FOLDER [SOURCE]

FOLDER is the unpacked export: TotalAcceleration.csv (of an iPhone AccelerometerUncalibrated.csv and Metadata.csv, so log
the uncalibrated sensors there), Gyroscope.csv, and where there are some MagnetometerUncalibrated.csv (else
Magnetometer.csv) and Barometer.csv. SOURCE is the name that the daemon's setting source.samples has, "phone" by
default. The recording goes on as if it happened now; the script ends with it, or with the daemon. Rows that are damaged,
or that the daemon refuses with those beside them, are left out and counted; the exit status is 1 then.

Each table has the columns `time` (ns since 1970), `seconds_elapsed`, and `z`, `y`, `x` in m/s², rad/s or µT, a barometer
`pressure` in mbar, which is hPa.

Android: switch on the accelerometer, the gyroscope, the magnetometer with the uncalibrated sensors, and the barometer.
TotalAcceleration.csv has gravity in it, as the daemon needs it; Accelerometer.csv has not. The uncalibrated field is
best, because the daemon learns the hard iron itself, while Android's corrections of it jump.

iPhone: switch on the same, and the uncalibrated sensors in any case: gravity is in AccelerometerUncalibrated.csv alone.
It is in g and with the opposite sign, unless the setting "Standardise Units & Frames" is on. Either will do:
Metadata.csv says which it was.

Axes of a phone: x to the right of the screen, y to its top, z out of it. Those are the axes of the body while the phone
is held upright with its screen towards the wearer:

    [source]
    samples = "phone"
    [iio]
    mount_matrix = [1, 0, 0, 0, 1, 0, 0, 0, 1]

Of a phone that lies flat with its top ahead, up is z and the wearer is at -y: [1, 0, 0, 0, 0, 1, 0, -1, 0].
"""

import collections.abc
import csv
import heapq
import math
import pathlib
import sys
import time
import typing

import waymark_pose as waymark

#: Time for which samples are collected before they are offered. Unit: ns.
SPAN = 20_000_000
#: Largest number of samples of one call.
LARGEST = 256
#: Delay beyond which the recording goes on later, as after the computer has slept. Unit: ns.
PATIENCE = 1_000_000_000

#: Of an iPhone, the only table of accelerations that has gravity in it.
UNCALIBRATED = "AccelerometerUncalibrated.csv"
#: The g of the app. Unit: m/s².
GRAVITY = 9.80665

#: Parameter of OfferSamples, and the tables that it may come from, the best first.
TABLES = {
    "accelerometer": ["TotalAcceleration.csv", UNCALIBRATED],
    "gyroscope": ["Gyroscope.csv"],
    "magnetometer": ["MagnetometerUncalibrated.csv", "Magnetometer.csv"],
    "barometer": ["Barometer.csv"],
}


class Sample(typing.NamedTuple):
    """A row of a table: its time by the phone's clock, its sensor and its values by their columns."""

    time: int
    sensor: str
    values: dict[str, float]


def factor(path: pathlib.Path) -> float:
    """What turns the values of a table into those of Android."""
    if path.name != UNCALIBRATED:
        return 1
    metadata = path.with_name("Metadata.csv")
    with metadata.open(encoding="utf-8", errors="replace") as file:
        said = next(csv.DictReader(file), {})
    platform, standard = (str(said.get(name)).lower() for name in ("platform", "standardisation"))
    if platform not in ("ios", "android") or standard not in ("true", "false"):
        raise csv.Error(f"{metadata} does not tell the platform and the standardisation")
    return -GRAVITY if (platform, standard) == ("ios", "false") else 1


def read(sensor: str, row: dict[str, str | None], scale: float) -> Sample | None:
    """The sample of a row; None of a damaged one."""
    columns = ["pressure"] if sensor == "barometer" else ["x", "y", "z"]
    try:
        values = {column: scale * float(row[column] or "") for column in columns}
        sample = Sample(int(row["time"] or ""), sensor, values)
    except (KeyError, ValueError):
        return None
    return sample if all(map(math.isfinite, sample.values.values())) else None


def rows(sensor: str, path: pathlib.Path, damaged: list[str]) -> collections.abc.Iterator[Sample]:
    """The rows of a table with increasing times: others are left out. The sensor of each damaged one is appended."""
    newest, scale = -1, factor(path)
    with path.open(encoding="utf-8", errors="replace") as file:
        # Without quotes, one of which would make the rest of the table a single field.
        for row in csv.DictReader(file, quoting=csv.QUOTE_NONE):
            sample = read(sensor, row, scale)
            if sample is None:
                damaged.append(sensor)
            elif sample.time > newest:
                newest = sample.time
                yield sample


def samples(folder: pathlib.Path, damaged: list[str]) -> collections.abc.Iterator[Sample]:
    """The samples of all sensors in the order of their times."""
    found = {}
    for sensor, names in TABLES.items():
        path = next((folder / name for name in names if (folder / name).is_file()), None)
        if path:
            found[sensor] = path
    for sensor in ("accelerometer", "gyroscope"):
        if sensor not in found:
            sys.exit(f"sensor_logger: {folder} has no {' or '.join(TABLES[sensor])}")
    return heapq.merge(*(rows(sensor, path, damaged) for sensor, path in found.items()), key=lambda sample: sample.time)


def batches(source: collections.abc.Iterable[Sample]) -> collections.abc.Iterator[list[Sample]]:
    """Samples by calls."""
    batch: list[Sample] = []
    for sample in source:
        if batch and (sample.time - batch[0].time >= SPAN or len(batch) == LARGEST):
            yield batch
            batch = []
        batch.append(sample)
    if batch:
        yield batch


def offer(client: waymark.Client, source: str, batch: list[Sample], offset: int) -> None:
    """Offers samples at their times on this computer's clock."""
    call: dict[str, typing.Any] = {"source": source}
    for sample in batch:
        seconds, nanoseconds = divmod(sample.time + offset, 1_000_000_000)
        stamp = {"sec": seconds, "nsec": nanoseconds}
        call.setdefault(sample.sensor, []).append({"time": stamp, **sample.values})
    client.call(waymark.AID_OFFER_SAMPLES, call)


def main(folder: pathlib.Path, source: str) -> int:
    count, refused, offset = 0, 0, None
    damaged: list[str] = []
    try:
        with waymark.Client() as client:
            client.call(waymark.AID_OPEN, {"source": source, "kinds": ["samples"]})
            for batch in batches(samples(folder, damaged)):
                newest = batch[-1].time
                # From the phone's clock to this computer's; later after a delay.
                late = 0 if offset is None else waymark.now() - (newest + offset)
                if offset is None or late > PATIENCE:
                    offset = waymark.now() - newest
                # Not ahead of its time.
                time.sleep(max(0, newest + offset - waymark.now()) * 1e-9)
                try:
                    offer(client, source, batch, offset)
                    count += len(batch)
                except waymark.AidOutOfRange as problem:
                    print(f"sensor_logger: {problem}", file=sys.stderr)
                    refused += len(batch)
    except (waymark.WaymarkError, csv.Error, OSError) as problem:
        print(f"sensor_logger: {problem}", file=sys.stderr)
        return 1
    print(f"{count} samples")
    if damaged or refused:
        print(f"sensor_logger: {len(damaged)} damaged rows, {refused} samples refused", file=sys.stderr)
    return 1 if damaged or refused else 0


if __name__ == "__main__":
    if len(sys.argv) not in (2, 3):
        sys.exit("usage: sensor_logger.py FOLDER [SOURCE]")
    sys.exit(main(pathlib.Path(sys.argv[1]), sys.argv[2] if len(sys.argv) == 3 else "phone"))
