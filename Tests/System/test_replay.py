"""Recordings through the estimator again: the same bytes each time, and clear words where a file is damaged."""
import gzip
import re
import subprocess

import pytest

from harness.command import waymark
from harness.paths import DATA, PROGRAMS
from harness.recording import write_tables

WALK = DATA / "walk_ethz_phone"

needs_walk = pytest.mark.skipif(not WALK.is_dir(), reason=f"no recording at {WALK}; set WAYMARK_DATA")


def replay(recording, output):
    return waymark("replay", recording, "--output", output, timeout=300)


@needs_walk
def test_a_recorded_walk_replays_to_the_same_bytes_twice(tmp_path):
    outputs = [tmp_path / "first.csv", tmp_path / "second.csv"]
    for output in outputs:
        result = replay(WALK, output)
        assert result.returncode == 0, result.stderr
    first, second = (output.read_bytes() for output in outputs)
    assert first == second
    assert first.count(b"\n") > 10_000, "a row for each inertial sample"


@pytest.fixture
def folder(tmp_path):
    """A small recording: a board at rest for ten seconds, with fixes."""
    return write_tables(tmp_path / "recording", 10, {
        "imu.csv": ("t_s,ax,ay,az,gx,gy,gz", 100, lambda t: f"{t:.2f},0.01,9.81,0.02,0.001,0,0"),
        "gnss.csv": ("t_s,lat_deg,lon_deg,height_m,hacc_m,vacc_m", 1, lambda t: f"{t:.0f},48.1,11.5,566,2,3"),
    })


def test_a_folder_of_tables_replays(folder, tmp_path):
    output = tmp_path / "poses.csv"
    result = replay(folder, output)
    assert result.returncode == 0, result.stderr
    lines = output.read_text().splitlines()
    assert lines[0].startswith("t_s,qw,qx,qy,qz,lat_deg,lon_deg,height_m") and len(lines) == 1001


def test_poses_can_go_to_standard_output(folder):
    result = waymark("replay", folder, "--output", "-")
    assert result.returncode == 0 and result.stdout.startswith("t_s,")


def test_a_line_that_is_cut_is_named_by_file_and_line(folder, tmp_path):
    table = folder / "imu.csv"
    table.write_text("".join(table.read_text().splitlines(keepends=True)[:500]) + "5.00,0.0,9.8")
    poses = tmp_path / "poses.csv"
    result = replay(folder, poses)
    assert result.returncode == 0
    assert f"warning: {table}:501: the file is cut short here" in result.stderr
    assert len(poses.read_text().splitlines()) == 500, "a row for each of the 499 lines that are whole"


def test_a_compressed_table_that_is_cut_replays_up_to_the_cut_with_a_warning(folder, tmp_path):
    table = folder / "imu.csv"
    whole, poses = tmp_path / "whole.csv", tmp_path / "poses.csv"
    assert replay(folder, whole).returncode == 0
    data = gzip.compress(table.read_bytes())
    table.unlink()
    (folder / "imu.csv.gz").write_bytes(data[: len(data) // 2])
    result = replay(folder, poses)
    assert result.returncode == 0
    assert re.search(r"warning: .*imu\.csv\.gz:\d+: the file is cut short here", result.stderr)
    part = poses.read_text().splitlines()
    assert 100 < len(part) < 1001 and part == whole.read_text().splitlines()[:len(part)]


def with_cell(folder, cell):
    table = folder / "imu.csv"
    lines = table.read_text().splitlines()
    lines[300] = f"2.99,{cell},9.8,0,0,0,0"
    table.write_text("\n".join(lines) + "\n")


@pytest.mark.parametrize("cell", ["abc", "1e999", "0x10", "1,2", "9" * 400], ids=lambda cell: cell[:8])
def test_a_cell_that_is_no_number_is_an_error_by_file_and_line(folder, tmp_path, cell):
    with_cell(folder, cell)
    result = replay(folder, tmp_path / "poses.csv")
    assert result.returncode == 1 and "imu.csv:301" in result.stderr


@pytest.mark.parametrize("cell", ["nan", "inf", "-inf"])
def test_a_cell_that_is_not_finite_is_taken_as_unknown_with_a_warning(folder, tmp_path, cell):
    with_cell(folder, cell)
    result = replay(folder, tmp_path / "poses.csv")
    assert result.returncode == 0 and "imu.csv" in result.stderr and "warning" in result.stderr
    table = (tmp_path / "poses.csv").read_text()
    assert table.count("\n") == 1001 and "nan" not in table and "inf" not in table


@pytest.mark.parametrize("make", [
    lambda path: path.mkdir(), lambda path: path.write_bytes(b"not a recording"), lambda path: None,
], ids=["an empty folder", "another file", "nothing"])
def test_what_is_no_recording_is_told_so(tmp_path, make):
    path = tmp_path / "thing"
    make(path)
    result = replay(path, tmp_path / "poses.csv")
    assert result.returncode == 1 and "thing" in result.stderr


def test_a_full_disk_while_replaying_is_an_error(folder):
    with open("/dev/full", "w") as full:
        result = subprocess.run(
            [PROGRAMS / "waymark", "replay", folder, "--output", "-"], stdout=full, stderr=subprocess.PIPE, text=True,
            timeout=60)
    assert result.returncode == 1 and "No space left" in result.stderr
