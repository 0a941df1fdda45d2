"""What Rerun makes of an export: its own program converts it, and prints what it has understood."""
import ast
import os
import subprocess

import numpy
import pytest

from harness.command import waymark
from harness.foxglove import vector
from harness.outside import VIEWERS, needs
from harness.paths import ROOT
from harness.recording import messages

pytestmark = needs(VIEWERS / "viewers.txt", "scripts/venv --large")

# What is exported: a minute of a simulated walk, of which the estimator makes a pose a second.
WALK = ("export", ROOT / "examples/walk.mcap", "--what", "replayed", "--rate", 1)


@pytest.fixture
def rerun(tmp_path):
    """Runs Rerun without a home of the user, and without its analytics."""
    def run(*words):
        variables = {**os.environ, "HOME": str(tmp_path), "XDG_CONFIG_HOME": str(tmp_path), "XDG_DATA_HOME": str(tmp_path)}
        result = subprocess.run(
            [VIEWERS / "rerun_cli/rerun", *map(str, words)], capture_output=True, text=True, env=variables)
        assert result.returncode == 0, result.stderr
        return result.stdout

    run("analytics", "disable")
    return run


def components(printed):
    """Values of each component, from the tables that Rerun prints."""
    found, names = {}, []
    for line in printed.splitlines():
        cells = [cell.strip(" │") for cell in line.split("┆")]
        if cells[0] == "RowId":
            names = cells
        elif cells[0].startswith("row_"):
            for name, cell in zip(names, cells):
                found.setdefault(name, []).append(cell)
    return found


@pytest.fixture
def understood(rerun, tmp_path):
    """Values of each component of a topic that Rerun has understood of an export."""
    def convert(*options):
        assert waymark(*WALK, *options, "--output", tmp_path / "walk.mcap").returncode == 0
        rerun("mcap", "convert", tmp_path / "walk.mcap", "--output", tmp_path / "walk.rrd")
        return lambda topic: components(rerun("rrd", "print", "-vvv", "--entity", topic, tmp_path / "walk.rrd"))

    return convert


def test_an_export_has_transforms_poses_and_points_on_the_earth(understood, tmp_path):
    component = understood()
    poses = [content for topic, _, content in messages(tmp_path / "walk.mcap") if topic == "/pose"]
    points = numpy.array([ast.literal_eval(each)[0] for each in component("/location")["GeoPoints:positions"]])
    places = numpy.array([[pose["geo"]["latitude"], pose["geo"]["longitude"]] for pose in poses if "geo" in pose])
    assert len(places) > 40 and points == pytest.approx(places, abs=1e-8)
    transforms = component("/tf")
    frames = set(zip(transforms["Transform3D:parent_frame"], transforms["Transform3D:child_frame"]))
    assert frames == {("[enu]", "[scene]"), ("[scene]", "[body]")}
    scene = component("/scene/pose")
    positions = numpy.array([ast.literal_eval(each)[0] for each in scene["InstancePoses3D:translations"]])
    assert set(scene["CoordinateFrame:frame"]) == {"[scene]"}
    assert positions == pytest.approx(numpy.array([vector(pose["position"]) for pose in poses]), abs=1e-3)


def test_an_export_for_ros_has_transforms_fields_and_points_on_the_earth(understood):
    component = understood("--format", "ros2")
    transforms = component("/tf")
    frames = set(zip(transforms["Transform3D:parent_frame"], transforms["Transform3D:child_frame"]))
    assert frames == {("[map]", "[odom]"), ("[odom]", "[base_link]")}
    assert len(component("/gps/filtered")["GeoPoints:positions"]) > 40
    assert len(component("/imu/mag")["Arrows3D:vectors"]) > 500
