"""The examples of the tour: described, installed, and what they are described to be."""

import json
import re
import subprocess
import sys

import pytest
from mcap.reader import make_reader

from harness.command import waymark
from harness.paths import ROOT
from harness.recording import messages

EXAMPLES = ROOT / "examples"
# Seconds. The walk is recorded in real time, and the machine may be busy.
LONG = 300


def contents(folder, left_out=None):
    """What the files below a folder contain, but for those of one that lies in it."""
    names = [path.relative_to(folder) for path in folder.rglob("*") if path.is_file()]
    return {name: (folder / name).read_bytes() for name in names if name.parts[0] != left_out}


def test_the_tour_names_the_examples_where_they_are_installed(tmp_path):
    subprocess.run(
        ["make", "--no-print-directory", "install", f"DESTDIR={tmp_path}", "PREFIX=/usr"], cwd=ROOT, check=True,
        capture_output=True)
    [place] = re.findall(r"# as installed: (/usr/\S+)", (ROOT / "docs/tour.md").read_text())
    installed = tmp_path / place.removeprefix("/")
    # Beside them lies the folder of the brokers' configurations.
    assert contents(installed, "brokers") == contents(EXAMPLES)


def test_every_example_is_described_and_small():
    described = set(re.findall(r"^\| `([^`]+)` \|", (EXAMPLES / "README.md").read_text(), re.MULTILINE))
    assert described | {"README.md"} == {path.name for path in EXAMPLES.iterdir()}
    # All are in the package, whose size test_package.py limits, and in every clone.
    assert sum(len(content) for content in contents(EXAMPLES).values()) < 600_000


@pytest.mark.parametrize("kind", ["gyro", "accel", "mag"])
@pytest.mark.parametrize("made", ["kept", "anew"])
def test_the_tables_give_the_calibrations_that_they_are_described_by(kind, made, tmp_path):
    folder = EXAMPLES
    if made == "anew":
        folder = tmp_path
        subprocess.run([sys.executable, ROOT / "scripts/examples", "tables", folder], check=True)
    done = waymark("calibrate", kind, "--from", folder / f"{kind}.csv.gz", "--json")
    assert done.returncode == 0, done.stdout + done.stderr
    bias = {"gyro": (0.01, -0.02, 0.004), "accel": (0.12, -0.2, 0.3), "mag": (12, -25, 8)}[kind]
    assert json.loads(done.stdout)["parameters"]["bias"] == pytest.approx(bias, abs=0.02 * max(map(abs, bias)))


def seconds_of(recording):
    with open(recording, "rb") as file:
        summary = make_reader(file).get_summary()
    topics = {topic for topic, _, _ in messages(recording)}
    assert topics >= {"/imu/specific_force", "/imu/angular_rate", "/magnetic_field", "/pressure", "/gnss/fix"}
    return (summary.statistics.message_end_time - summary.statistics.message_start_time) * 1e-9


def test_the_recording_is_a_minute_from_which_the_estimator_finds_north_and_place():
    assert seconds_of(EXAMPLES / "walk.mcap") == pytest.approx(60, abs=2)
    done = waymark("replay", EXAMPLES / "walk.mcap", "--rate", "1", "--output", "-")
    assert done.returncode == 0 and "warning" not in done.stderr, done.stderr
    header, *rows = [line.split(",") for line in done.stdout.splitlines()]
    last = dict(zip(header, rows[-1], strict=True))
    assert len(rows) == 60 and float(last["hacc_m"]) < 10 and float(last["yaw_acc_deg"]) < 10
    assert last["motion"] == "foot"


@pytest.mark.long
def test_the_recording_is_made_of_the_simulated_walk(tmp_path):
    done = subprocess.run(
        [sys.executable, ROOT / "scripts/examples", "walk", tmp_path, "5"], capture_output=True, text=True, timeout=LONG)
    assert done.returncode == 0, done.stderr
    assert [path.name for path in tmp_path.iterdir()] == ["walk.mcap"]
    # A measurement or two may be lost at either end.
    assert 3 < seconds_of(tmp_path / "walk.mcap") < 7
    assert waymark("replay", tmp_path / "walk.mcap").returncode == 0


def turns(document, daemon):
    assert waymark("route", "set", EXAMPLES / document, socket=daemon.socket).returncode == 0
    shown = waymark("route", "show", "--json", socket=daemon.socket)
    return json.loads(shown.stdout)["route"]["turns"]


def test_the_routes_have_the_turns_that_they_are_described_by(simulation):
    assert turns("directions.json", simulation) == 3
    assert turns("way.gpx", simulation) == 4
