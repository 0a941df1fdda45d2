"""Half an hour of sensors that go and come back, in the time that a replay takes. No guest is needed."""
import bisect
import csv
import math
import subprocess

import pytest

from drill import oracle, tables
from harness import sample_messages as sample
from harness.paths import PROGRAMS
from harness.poses import stamp

DURATION, START = 1800.0, 1000.0
# A heading known worse keeps a board from being localized again; that of a compass which nothing has confirmed. Degrees.
DIRECTED, UNCONFIRMED = 15.0, 60.0


def poses(table):
    """The rows of a replay as poses of the wire, as far as the check looks at them."""
    with open(table, newline="") as rows:
        for row in csv.DictReader(rows):
            if not row["qw"] or not row["lat_deg"] or not row["hacc_m"] or not row["yaw_acc_deg"]:
                continue
            time = float(row["t_s"])
            w, x, y, z = (float(row[f"scene_q{name}"]) for name in "wxyz")
            ew, ex, ey, ez = (float(row[f"q{name}"]) for name in "wxyz")
            # The line of sight is the body's -z, here in east and north.
            heading = math.degrees(math.atan2(-2 * (ex * ez + ew * ey), -2 * (ey * ez - ew * ex))) % 360
            accuracy = float(row["yaw_acc_deg"])
            is_doubted = abs(accuracy - UNCONFIRMED) < 0.01
            is_directed = is_doubted or accuracy <= DIRECTED
            yield sample.pose(**{
                "time": {"sec": int(time), "nsec": round(time % 1 * 1e9)},
                "state": "aligning" if is_doubted else "localized" if is_directed else "limited",
                "reasons": ["headingUnconfirmed"] if is_doubted else [] if is_directed else ["headingUncertain"],
                "orientation": {"w": w, "x": x, "y": y, "z": z}, "heading": heading,
                "geo": {"latitude": float(row["lat_deg"]), "longitude": float(row["lon_deg"]),
                        "height": float(row["height_m"])},
                "accuracy": {"orientationYawAccuracy": float(row["yaw_acc_deg"]),
                             "horizontalAccuracy": float(row["hacc_m"]), "verticalAccuracy": float(row["vacc_m"])}})


@pytest.mark.parametrize("seed", (1, 2))
def test_poses_are_right_ten_seconds_of_samples_after_any_sensor_is_back(tmp_path, seed):
    spans = tables.absences(DURATION, seed)
    tables.write(tmp_path, DURATION, spans, START)
    table = tmp_path / "poses.csv"
    command = [PROGRAMS / "waymark", "replay", tmp_path, "--rate", "5", "--output", table]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    begins = [span.begin for span in spans]
    checked = 0
    for pose in poses(table):
        seconds = stamp(pose) - START
        index = bisect.bisect_right(begins, seconds) - 1
        if index >= 0 and seconds >= spans[index].end + oracle.Recovery.PROMISE:
            flaw = oracle.flaw(pose, START)
            assert not flaw, f"{seconds:.1f} s, after {spans[index]}: {flaw}"
            checked += 1
    # At least three seconds of each span are checked, at 5 Hz.
    assert checked > 10 * len(spans) > 300
