"""Measurements from files for the IIOD emulator: a CSV of events, or a folder of sensor CSV files."""
import bisect
import csv
import gzip
import os

LETTERS = {"a": "accel", "g": "gyro", "m": "magn", "p": "pressure"}
FOLDER = {  # file: (kind, columns)
    "imu": (("accel", ("ax", "ay", "az")), ("gyro", ("gx", "gy", "gz"))),
    "mag": (("magn", ("mx", "my", "mz")),),
    "mag_uncalibrated": (("magn", ("mx", "my", "mz")),),
    "baro": (("pressure", ("pressure_hpa",)), ("pressure", ("hpa",))),
}


def open_text(path):
    if path.endswith(".gz"):
        return gzip.open(path, "rt", encoding="utf-8")
    return open(path, encoding="utf-8")


class Play:
    """Per kind the times in nanoseconds from the first measurement on, and the values."""

    def __init__(self, path):
        events = self.read_folder(path) if os.path.isdir(path) else self.read_events(path)
        if not events:
            raise SystemExit(f"iiod_emulator: {path} holds no measurement")
        events.sort(key=lambda event: event[0])
        first, last = events[0][0], events[-1][0]
        self.times, self.values = {}, {}
        for time_ns, kind, value in events:
            self.times.setdefault(kind, []).append(time_ns - first)
            self.values.setdefault(kind, []).append(value)
        # When it loops, the first follows the last after one mean interval of the densest kind.
        densest = max(self.times.values(), key=len)
        self.period = last - first + max((last - first) // max(len(densest) - 1, 1), 1)

    @staticmethod
    def read_events(path):
        events = []
        with open_text(path) as file:
            for row in csv.reader(file):
                if len(row) < 3 or row[1].strip() not in LETTERS:
                    continue
                kind = LETTERS[row[1].strip()]
                count = 1 if kind == "pressure" else 3
                events.append((int(row[0]), kind, [float(v) for v in row[2:2 + count]]))
        return events

    @staticmethod
    def read_folder(path):
        events = []
        for name, parts in FOLDER.items():
            if name == "mag_uncalibrated" and any(kind == "magn" for _, kind, _ in events):
                continue
            file = next((f for f in (f"{path}/{name}.csv", f"{path}/{name}.csv.gz") if os.path.exists(f)), None)
            if file is None:
                continue
            with open_text(file) as text:
                for row in csv.DictReader(text):
                    for kind, columns in parts:
                        if all(row.get(column) for column in columns):
                            values = [float(row[column]) for column in columns]
                            events.append((round(float(row["t_s"]) * 1e9), kind, values))
        return events

    def rows(self, kinds, since_ns, loop):
        """(time, {kind: value}) from `since_ns` on, at the times of the first of `kinds` that is there."""
        leader = next((kind for kind in kinds if kind in self.times), None)
        if leader is None:
            return
        times = self.times[leader]
        turn = max(since_ns, 0) // self.period if loop else 0
        index = bisect.bisect_left(times, since_ns - turn * self.period)
        while True:
            while index < len(times):
                yield turn * self.period + times[index], self.values_at(kinds, times[index])
                index += 1
            if not loop:
                return
            turn, index = turn + 1, 0

    def at(self, kinds, time_ns, loop):
        """The newest values at a time, None after the end."""
        if time_ns > self.period and not loop:
            return None
        return self.values_at(kinds, time_ns % self.period)

    def values_at(self, kinds, time_ns):
        values = {}
        for kind in kinds:
            if kind in self.times:
                index = max(bisect.bisect_right(self.times[kind], time_ns) - 1, 0)
                values[kind] = self.values[kind][index]
            else:
                values[kind] = [0.0] * (1 if kind == "pressure" else 3)
        return values
