"""The estimator against recordings with truth: the score suites, held a little looser than what was reached.

The suites are no part of this repository: they are read where they lie, next to the recordings. `pytest -rP` shows the
figures.
"""
import concurrent.futures
import json
import os
import statistics
import subprocess
import sys

import pytest

from harness.process import PROGRAMS
from test_replay import DATA

SCORE = DATA.parent / "eval/score.py"

pytestmark = pytest.mark.skipif(
    not (DATA.is_dir() and SCORE.is_file()), reason=f"no recordings at {DATA} with {SCORE}; set WAYMARK_DATA")

# The long ones first. The walks go by fours: the suite takes the place of a walk from its position in the list.
SUITES = [
    *[("simulated", "--seeds", seeds) for seeds in ("1,2,3,4", "5,6,7,8", "9,10,11,12")],
    ("gnss",), ("orientation",), ("pedestrian",), ("causal",),
]
DISTURBED = ("broad_25", "broad_30", "broad_35")


def mean(rows, column):
    return statistics.fmean(row[column] for row in rows)


def ratio(rows, column, other):
    if other not in rows[0]:
        pytest.skip(f"no {other} in the score: the peer is not installed")
    return mean(rows, column) / mean(rows, other)


def disturbed(rows):
    return [row for row in rows if row["trial"].startswith(DISTURBED)]


def recording(rows, name):
    return [row for row in rows if row["recording"].startswith(name)]


# What is scored: suite, what of it, from its rows, the least and the most that pass.
TABLE = [
    ("orientation", "total against VQF", lambda rows: ratio(rows, "total_deg", "vqf_total"), 0, 0.86),
    ("orientation", "heading against VQF", lambda rows: ratio(rows, "heading_deg", "vqf_heading"), 0, 0.8),
    ("orientation", "inclination against VQF", lambda rows: ratio(rows, "inclination_deg", "vqf_inclination"), 0, 0.92),
    ("orientation", "total against VQF, disturbed",
     lambda rows: ratio(disturbed(rows), "total_deg", "vqf_total"), 0, 0.92),
    ("simulated", "horizontal against GNSS alone", lambda rows: ratio(rows, "horizontal_m", "gnss_alone_m"), 0, 0.7),
    ("simulated", "drift over 30 s without GNSS, metres", lambda rows: mean(rows, "outage_drift_m"), 0, 1.1),
    ("simulated", "yaw, degrees", lambda rows: mean(rows, "yaw_deg"), 0, 0.33),
    ("simulated", "walks within 5° of yaw from 25 s on",
     lambda rows: sum(row["yaw_max_25_60_deg"] <= 5 for row in rows), 12, 12),
    ("simulated", "position within its accuracy", lambda rows: mean(rows, "covered_68"), 0.6, 0.82),
    ("simulated", "yaw within its accuracy", lambda rows: mean(rows, "yaw_covered_68"), 0.5, 0.87),
    ("simulated", "jump of the scene, metres", lambda rows: max(row["scene_jump_m"] for row in rows), -1, 0.02),
    ("simulated", "turn of the scene, degrees", lambda rows: max(row["scene_turn_deg"] for row in rows), 0, 0.3),
    ("simulated", "path in the scene against the true one", lambda rows: mean(rows, "scene_path_ratio"), 0.97, 1.03),
    ("gnss", "walk: drift over 10 s without GNSS, metres",
     lambda rows: mean(recording(rows, "walk"), "outage_drift_m"), 0, 2.9),
    ("gnss", "drive: horizontal against GNSS alone",
     lambda rows: ratio(recording(rows, "drive"), "horizontal_m", "gnss_alone_m"), 0, 0.87),
    ("gnss", "drive: drift over 15 s without GNSS against constant velocity",
     lambda rows: ratio(recording(rows, "drive"), "outage_drift_m", "constant_velocity_drift_m"), 0, 0.3),
    ("pedestrian", "aligned error, per cent of the way", lambda rows: mean(rows, "aligned_percent"), 0, 2.8),
    ("pedestrian", "end error, per cent of the way", lambda rows: mean(rows, "end_percent"), 0, 8.5),
    ("causal", "difference of poses by what follows them", lambda rows: rows[0]["largest_difference"], 0, 0),
]


@pytest.fixture(scope="module")
def scores(tmp_path_factory):
    """The rows of each suite, without the rows of means."""
    folder = tmp_path_factory.mktemp("score")

    def run(suite, *options):
        output = folder / f"{'_'.join((suite, *options))}.json"
        command = [
            sys.executable, SCORE, "--replay", f"{PROGRAMS / 'waymark'} replay", "--data", DATA, "--json", output,
            *options, suite]
        # One thread each: the suites run side by side already.
        done = subprocess.run(
            command, capture_output=True, text=True, timeout=600, env=os.environ | {"OMP_NUM_THREADS": "1"})
        assert done.returncode == 0, done.stderr[-2000:]
        return suite, [row for row in json.loads(output.read_text())[suite] if "mean" not in row.values()]

    rows = {}
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        for suite, found in pool.map(lambda arguments: run(*arguments), SUITES):
            rows.setdefault(suite, []).extend(found)
    return rows


@pytest.mark.parametrize(
    "suite, what, reading, least, most", TABLE, ids=[f"{suite}: {what}" for suite, what, *_ in TABLE])
def test_the_score_is_what_was_reached(scores, suite, what, reading, least, most):
    value = reading(scores[suite])
    print(f"{what}: {value:.3f}, allowed from {least:g} to {most:g}")
    assert least <= value <= most
