"""`waymark report`: one page from a recording, written whole or not at all, whatever the recording is called."""
import math
import xml.etree.ElementTree

import pytest

from harness.command import waymark
from harness.recording import write_tables


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """A minute of a board that is driven straight on, with fixes."""
    def imu(t):
        # From rest at 10 s up to 3 m/s, then back and forth by as much.
        forward = 0.6 * math.sin(2 * math.pi * (t - 10) / 10) if t > 10 else 0.0
        return f"{t:.2f},0.01,9.81,{-forward:.4f},0.001,0,0"

    def gnss(t):
        way = 0.96 * max(0, t - 10)
        return f"{t},{t + 0.2},{48.1 + way / 111200:.8f},11.5,566,3"

    return write_tables(tmp_path_factory.mktemp("recordings") / "a walk & <b>more", 60, {
        "imu.csv": ("t_s,ax,ay,az,gx,gy,gz", 100, imu),
        "gnss.csv": ("t_s,arrival_s,lat_deg,lon_deg,alt_m,hacc_m", 1, gnss),
    })


def page(text):
    return xml.etree.ElementTree.fromstring(text.removeprefix("<!DOCTYPE html>\n"))


def test_the_page_is_written_under_the_recordings_name_and_never_over_another_file(folder, tmp_path):
    result = waymark("report", folder, cwd=tmp_path)
    assert result.returncode == 0, result.stderr
    written = tmp_path / (folder.name + ".html")
    root = page(written.read_text())
    assert root.find("body/h1").text == folder.name
    assert root.find(".//svg//path[@class='line track a']") is not None
    assert root.find(".//svg//path[@class='line track scene']") is not None
    assert len(root.findall(".//tbody/tr")) > 0
    before = written.read_bytes()
    again = waymark("report", folder, cwd=tmp_path)
    assert again.returncode == 1 and "already exists" in again.stderr
    assert written.read_bytes() == before


def test_standard_output_takes_the_same_page(folder, tmp_path):
    output = tmp_path / "page.html"
    assert waymark("report", folder, "--output", output).returncode == 0
    shown = waymark("report", folder, "-o", "-")
    assert shown.returncode == 0 and shown.stdout == output.read_text()


def test_what_is_no_recording_leaves_no_page_behind(tmp_path):
    for source in [tmp_path / "none.mcap", tmp_path, "/dev/null"]:
        output = tmp_path / "page.html"
        result = waymark("report", source, "--output", output)
        assert result.returncode == 1 and str(source) in result.stderr
        assert not output.exists()


def test_a_page_that_cannot_be_written_is_told_with_the_reason(folder, tmp_path):
    result = waymark("report", folder, "--output", tmp_path / "no" / "page.html")
    assert result.returncode == 1 and "No such file or directory" in result.stderr


def test_a_recording_with_a_flaw_gives_the_page_up_to_it_and_an_error(folder, tmp_path):
    flawed = tmp_path / "flawed"
    flawed.mkdir()
    for name in ("imu.csv", "gnss.csv"):
        (flawed / name).write_text((folder / name).read_text())
    with open(flawed / "imu.csv", "a") as file:
        file.write("60.00,zero,0,0,0,0,0\n")
    output = tmp_path / "page.html"
    result = waymark("report", flawed, "--output", output)
    assert result.returncode == 1 and "imu.csv:6002" in result.stderr
    warnings = page(output.read_text()).findall(".//ul[@class='warnings']/li")
    assert any("imu.csv:6002" in warning.text for warning in warnings)


def test_of_two_recordings_both_are_named_and_neither_is_left_out_silently(folder, tmp_path):
    result = waymark("report", folder, folder, cwd=tmp_path)
    assert result.returncode == 0, result.stderr
    root = page((tmp_path / f"{folder.name}-{folder.name}.html").read_text())
    assert [cell.text for cell in root.findall(".//table[@class='figures']/thead/tr/th")] == [
        f"{folder.name} (1)", f"{folder.name} (2)"]
    none = tmp_path / "none.mcap"
    for pair in ((folder, none), (none, folder)):
        result = waymark("report", *pair, "--output", tmp_path / "page.html")
        assert result.returncode == 1 and str(none) in result.stderr
        assert not (tmp_path / "page.html").exists()
    result = waymark("report", folder, folder, folder)
    assert result.returncode == 2 and "unexpected argument" in result.stderr
