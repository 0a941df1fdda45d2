"""`waymark calibrate … --from`: the recordings with published results, and what must be refused by name."""
import gzip
import csv
import json
import math
import statistics
import xml.etree.ElementTree

import pytest

from harness.command import waymark
from harness.handled_board import Board, turned
from harness.paths import DATA

with_data = pytest.mark.skipif(not DATA.is_dir(), reason=f"no recordings at {DATA}; set WAYMARK_DATA")

FORCE = ["t_s", "ax", "ay", "az"]
INERTIAL = FORCE + ["gx", "gy", "gz"]
FIELD = ["t_s", "mx", "my", "mz"]


def calibrate(kind, path, *options, code=0):
    """The result object, which is the only line."""
    done = waymark("calibrate", kind, "--from", path, "--json", *options)
    assert done.returncode == code, done.stdout + done.stderr
    lines = done.stdout.splitlines()
    assert len(lines) == 1, done.stdout
    result = json.loads(lines[0])
    assert result["kind"] == kind and result["accepted"] == (code == 0) and len(result["reason"]) > 10
    assert result["stored"] is False and result["samples"] >= 0
    return result


def refused(kind, path, *refusals):
    result = calibrate(kind, path, code=1)
    assert result["refusal"] in refusals, result["reason"]
    # Shown to people, too, in a sentence.
    done = waymark("calibrate", kind, "--from", path)
    assert done.returncode == 1 and "refused" in done.stdout and result["reason"].split()[0] in done.stdout
    return result


def reference(name):
    return json.loads((DATA / name / "reference.json").read_text())


def table(name, file):
    with gzip.open(DATA / name / file, "rt") as text:
        return list(csv.DictReader(text))


def columns(rows, *names):
    return [[float(row[name]) for name in names] for row in rows]


def applied(parameters, raw):
    return turned(parameters["matrix"], [value - bias for value, bias in zip(raw, parameters["bias"])])


def norm(vector):
    return math.sqrt(sum(part * part for part in vector))


# Recordings with published results

@with_data
def test_poses_of_raw_counts_are_brought_to_gravity():
    result = calibrate("accel", DATA / "cal_imutk_xsens", "--gravity", "9.81744")
    # 0.0010 is what a plain fit of 38 poses reaches.
    assert result["residualRMS"] <= 0.0011 and result["residualUnit"] == "m/s²"
    assert 30 <= result["poses"] <= 45
    expected = reference("cal_imutk_xsens")["computed_here"]
    for bias, other, scale in zip(result["parameters"]["bias"], expected["bias"], expected["scale"], strict=True):
        # Of the bias in m/s²; the shear's sign and place differ between models.
        assert abs(bias - other) * scale < 0.03
    for axis in range(3):
        row = result["parameters"]["matrix"][axis]
        assert abs(norm(row) / expected["scale"][axis] - 1) < 0.005
    deviations = result["standardDeviations"]["bias"]
    assert len(deviations) == 3 and min(deviations) > 0
    assert result["gyroscope"]["parameters"] and result["predictedTiltError"] < 1


@with_data
def test_few_short_poses_come_out_as_published():
    result = calibrate("accel", DATA / "cal_mpu6050_poses")
    published = reference("cal_mpu6050_poses")
    rows = columns(table("cal_mpu6050_poses", "imu_raw.csv.gz"), "ax", "ay", "az")
    assert len(published["still_intervals"]) > 5
    for start, end in published["still_intervals"]:
        middle = [statistics.fmean(axis) for axis in zip(*rows[start:end])]
        # The shortest interval has two samples.
        tolerance = 0.01 if end - start > 20 else 0.05
        assert abs(norm(applied(result["parameters"], middle)) - 9.80665) < tolerance, (start, end)
    for axis in range(3):
        bias, other = result["parameters"]["bias"][axis], -published["published"]["bias"][axis]
        scale = published["published"]["scale"][axis]
        # The published bias is added, ours subtracted. 0.06 m/s² between two fits of ten poses.
        assert abs(bias - other) * scale < 0.06
        assert abs(norm(result["parameters"]["matrix"][axis]) / scale - 1) < 0.02


@with_data
def test_a_box_turned_about_its_edges_gives_the_axes_of_ferraris():
    result = calibrate(
        "accel", DATA / "cal_ferraris_imucal", "--faces", "--turn=-360", "--rate", "204.8", "--gravity", "9.81")
    # The reference turns to the right.
    published = reference("cal_ferraris_imucal")["published"]
    # raw = K·R·true + b, so that our matrix has to undo K·R.
    for axis in range(3):
        scale = published["K_a"][axis][axis]
        assert abs(result["parameters"]["bias"][axis] - published["b_a"][axis]) < 0.01 * 9.81 * scale
    model = [[published["K_a"][i][i] * published["R_a"][i][j] for j in range(3)] for i in range(3)]
    sensed = [result["gyroscope"]["parameters"], [[
        math.degrees(1) * published["K_g"][i][i] * published["R_g"][i][j] for j in range(3)] for i in range(3)]]
    for parameters, response in [(result["parameters"], model), sensed]:
        columns_ = [turned(parameters["matrix"], [response[i][j] for i in range(3)]) for j in range(3)]
        for i in range(3):
            for j in range(3):
                assert abs(columns_[j][i] - (1 if i == j else 0)) < 0.01, columns_


@with_data
def test_an_ellipsoid_far_off_the_centre_is_fitted_as_well_as_it_can_be():
    result = calibrate("mag", DATA / "cal_mag_qmc5883l")
    assert result["residualRMS"] <= 0.0281 and result["residualUnit"] == "1"
    rows = columns(table("cal_mag_qmc5883l", "mag.csv.gz"), "mx", "my", "mz")
    published = reference("cal_mag_qmc5883l")["published"]
    ours = statistics.median(abs(norm(applied(result["parameters"], raw)) - 1) for raw in rows)
    theirs = statistics.median(
        abs(norm([a + b for a, b in zip(turned(published["A"], raw), published["B"])]) - 1) for raw in rows)
    assert ours < theirs
    assert result["coverage"] > 0.5


@with_data
def test_the_noise_of_seven_minutes_is_the_reference_s(tmp_path):
    scales = ["--accel-scale", str(9.80665 / 16384), "--gyro-scale", str(math.radians(1 / 131))]
    drawing = tmp_path / "allan.svg"
    result = calibrate("noise", DATA / "static_mpu6050_7min", *scales, "--svg", drawing)
    assert xml.etree.ElementTree.parse(drawing).getroot().tag.endswith("svg")
    expected = reference("static_mpu6050_7min")["computed_here"]
    assert [axis["axis"] for axis in result["noise"]] == ["gx", "gy", "gz", "ax", "ay", "az"]
    for axis in result["noise"]:
        point = min(axis["curve"], key=lambda point: abs(point["tau"] - 1))
        assert abs(point["tau"] - 1) < 0.05
        assert abs(point["deviation"] / expected[axis["axis"]]["adev_1s"] - 1) < 0.02, axis["axis"]
        assert axis["unit"] == ("rad/s" if axis["axis"].startswith("g") else "m/s²")


@with_data
def test_all_goes_through_what_a_recording_holds():
    done = waymark("calibrate", "all", "--from", DATA / "cal_imutk_xsens", "--gravity", "9.81744", "--json")
    # The board is handled, so that it does not lie still for the gyroscope, and no wearer walks.
    assert done.returncode == 1, done.stderr
    lines = [json.loads(line) for line in done.stdout.splitlines()]
    assert [line["kind"] for line in lines][-1] == "all"
    assert [line["kind"] for line in lines[:-1]] == [result["kind"] for result in lines[-1]["results"]]
    assert [line["kind"] for line in lines if line["accepted"]] == ["accel"]


# A board of our own

@pytest.fixture
def poses(tmp_path):
    return Board().poses(12)


def test_a_handled_board_is_calibrated_and_its_document_written(poses, tmp_path):
    path = poses.write(tmp_path / "a.csv", INERTIAL)
    document = tmp_path / "calibration.json"
    result = calibrate("accel", path, "--output", document)
    assert result["parameters"]["bias"] == pytest.approx([0.12, -0.2, 0.3], abs=0.02)
    written = json.loads(document.read_text())
    sensors = {sensor["sensor"]: sensor["present"] for device in written["devices"] for sensor in device["sensors"]}
    assert sensors["accelerometer"]["parameters"] == result["parameters"]
    # One that exists is left alone.
    done = waymark("calibrate", "accel", "--from", path, "--output", document)
    assert done.returncode == 1 and "already exists" in done.stderr


def test_the_field_is_brought_to_its_strength(tmp_path):
    path = Board().sphere(90).write(tmp_path / "a.csv")
    result = calibrate("mag", path, "--field", "47.85")
    assert result["residualUnit"] == "µT" and result["residualRMS"] < 0.6
    assert result["parameters"]["bias"] == pytest.approx(Board().iron, abs=0.5)
    assert result["predictedHeadingError"] < 0.5 and result["coverage"] > 0.8


def test_a_board_at_rest_gives_the_gyroscope_s_bias(tmp_path):
    path = Board().still(60).write(tmp_path / "a.csv", INERTIAL)
    result = calibrate("gyro", path)
    assert result["parameters"]["bias"] == pytest.approx(Board().rate_bias, abs=5e-4)
    done = waymark("calibrate", "gyro", "--from", path)
    assert done.returncode == 0 and "Gyroscope: accepted" in done.stdout and "bias" in done.stdout


def test_degrees_beside_metres_are_told_and_scaled(tmp_path):
    def degrees(index, name, value):
        return math.degrees(value) if name[0] == "g" else value
    path = Board().poses(12).write(tmp_path / "a.csv", INERTIAL, degrees)
    done = waymark("calibrate", "accel", "--from", path, "--json")
    assert done.returncode == 0 and "--gyro-scale 0.0174533" in done.stderr
    gyroscope = json.loads(done.stdout)["gyroscope"]["parameters"]
    assert all(abs(gyroscope["matrix"][axis][axis] - math.radians(1)) < 1e-4 for axis in range(3))
    scaled = calibrate("accel", path, "--gyro-scale", str(math.radians(1)))
    assert all(abs(scaled["gyroscope"]["parameters"]["matrix"][axis][axis] - 1) < 0.005 for axis in range(3))
    assert all(abs(scaled["parameters"]["matrix"][axis][axis] - 1) < 0.05 for axis in range(3))


def test_a_document_on_standard_output_is_alone_there(tmp_path):
    path = Board().still(60).write(tmp_path / "a.csv", INERTIAL)
    done = waymark("calibrate", "gyro", "--from", path, "--output", "-")
    assert json.loads(done.stdout)["format"] == "waymark calibration"
    assert done.returncode == 0 and "Gyroscope: accepted" in done.stderr and "on standard output" in done.stderr
    path = Board().still(3).write(tmp_path / "b.csv", INERTIAL)
    done = waymark("calibrate", "gyro", "--from", path, "--output", "-")
    assert done.returncode == 1 and done.stdout == "" and "Gyroscope: refused" in done.stderr


def test_what_is_refused_leaves_no_document(tmp_path):
    path = Board().poses(3).write(tmp_path / "a.csv", INERTIAL)
    document = tmp_path / "calibration.json"
    calibrate("accel", path, "--output", document, "--force", code=1)
    assert not document.exists()


# Axes of a compass of its own

def write_rotated(board, path, matrix, columns_=None):
    """The board with a compass whose axes are `matrix` times those of the body."""
    for row in board.rows:
        row[7:10] = turned(matrix, row[7:10])
    return board.write(path, columns_)


QUARTER = [[0, 1, 0], [-1, 0, 0], [0, 0, 1]]


def test_a_compass_with_the_axes_of_the_others_is_said_to_have_them(tmp_path):
    result = calibrate("mag", Board().sphere(60).write(tmp_path / "a.csv"), "--field", "47.85")
    assert result["axes"] == {"sensor": "magnetometer", "agreement": "agree", "detail": result["axes"]["detail"]}


def test_a_compass_that_is_rotated_is_calibrated_in_the_axes_of_the_others(tmp_path):
    path = write_rotated(Board().sphere(60), tmp_path / "a.csv", QUARTER)
    document = tmp_path / "mag.json"
    result = calibrate("mag", path, "--field", "47.85", "--dip", "64", "--output", document)
    axes = result["axes"]
    assert axes["agreement"] == "rotated" and axes["rotation"] == [0, -1, 0, 1, 0, 0, 0, 0, 1]
    assert "its x along y, y along −x and z along z" in axes["detail"] and "assumes" not in axes["detail"]
    # The matrix contains it: near the rotation, which the compass itself knows nothing of.
    assert result["parameters"]["matrix"] == [
        pytest.approx([0, -1, 0], abs=0.05), pytest.approx([1, 0, 0], abs=0.05), pytest.approx([0, 0, 1], abs=0.05)]
    written = json.loads(document.read_text())["devices"][0]["sensors"][0]["present"]
    assert written["turn"] == axes["rotation"]
    done = waymark("calibrate", "mag", "--from", path)
    assert done.returncode == 0
    assert "[iio.magnetometer]" in done.stdout and "mount_matrix = [0, -1, 0, 1, 0, 0, 0, 0, 1]" in done.stdout


def test_an_inverted_axis_is_named_where_the_inclination_is_given(tmp_path):
    path = write_rotated(Board().sphere(60), tmp_path / "a.csv", [[1, 0, 0], [0, 1, 0], [0, 0, -1]])
    result = calibrate("mag", path, "--dip", "64", code=1)
    assert result["refusal"] == "poorFit" and "its z axis is inverted" in result["reason"]
    assert result["axes"]["agreement"] == "mirrored"
    assert "assumes" in calibrate("mag", path)["axes"]["detail"]


def test_an_accelerometer_of_the_other_sign_is_proposed(tmp_path):
    board = Board().sphere(60)
    for row in board.rows:
        row[1:4] = [-value for value in row[1:4]]
    path = board.write(tmp_path / "a.csv")
    result = calibrate("mag", path, "--dip", "64", code=1)
    assert result["axes"]["agreement"] == "inverted" and result["axes"]["sign"] == -1
    done = waymark("calibrate", "mag", "--from", path, "--dip", "64")
    assert done.returncode == 1 and "[iio.accelerometer]" in done.stdout and "sign = -1" in done.stdout


@with_data
@pytest.mark.parametrize("name", ["android_rotation_vector", "broad_21_undisturbed_fast_combined"])
def test_recorded_compasses_have_the_axes_of_the_others(name):
    done = waymark("calibrate", "mag", "--from", DATA / name, "--json")
    assert json.loads(done.stdout)["axes"]["agreement"] == "agree"


# Bad input

def test_a_board_that_moves_while_it_should_be_still_is_refused(tmp_path):
    board = Board().still(1)
    for _ in range(30):
        board.any_turn(1.0)
    refused("gyro", board.write(tmp_path / "a.csv", INERTIAL), "moved")


@pytest.mark.parametrize("count, refusals", [(4, ["tooFewPoses"]), (2, ["tooFewPoses", "moved"])])
def test_too_few_poses_are_refused(tmp_path, count, refusals):
    refused("accel", Board().poses(count).write(tmp_path / "a.csv", INERTIAL), *refusals)


@pytest.mark.long
def test_a_magnet_that_passes_is_told(tmp_path):
    def magnet(second):
        return (0.0, 90.0, 60.0) if 20 <= second < 40 else (0, 0, 0)
    refused("mag", Board().sphere(60, magnet).write(tmp_path / "a.csv"), "disturbed", "poorFit")


@pytest.mark.long
def test_a_field_seen_from_level_alone_is_refused(tmp_path):
    board = Board()
    for index in range(8):
        # Up and down by ten degrees, as a hand does that means to hold it level.
        board.turn([1, 0, 0], math.radians(-20 if index % 2 else 20 if index else 10), 1)
        board.turn([0, 1, 0], 2 * math.pi, 10)
    refused("mag", board.write(tmp_path / "a.csv"), "coverageTooSmall", "predictedErrorTooLarge")


@pytest.mark.parametrize("kind, columns_, name", [("gyro", INERTIAL, "gy"), ("accel", INERTIAL, "ay"), ("mag", FIELD, "my")])
@pytest.mark.parametrize("flaw", ["saturated", "constantChannel", "notFinite"])
def test_a_channel_that_is_no_measurement_is_named(tmp_path, kind, columns_, name, flaw):
    board = {"gyro": lambda: Board().still(40), "accel": lambda: Board().poses(10), "mag": lambda: Board().sphere(60)}
    # The bias of -0.02 rad/s lies beyond the range of this gyroscope, but for its noise.
    ends = {"gyro": (-0.0195, 0.0195), "accel": (-3.0, 3.0), "mag": (-10.0, 10.0)}

    def change(index, column, value):
        if column != name:
            return value
        if flaw == "saturated":
            # What a converter with too small a range gives: its ends.
            low, high = ends[kind]
            return max(low, min(high, value))
        if flaw == "constantChannel":
            return 1.25
        return "nan" if index % 7 == 0 else value
    path = board[kind]().write(tmp_path / "a.csv", columns_, change)
    result = refused(kind, path, flaw)
    assert "'s y axis " in result["reason"]


@pytest.mark.parametrize("kind, named", [("gyro", "gx, gy, gz"), ("mount", "ax, ay, az, gx, gy, gz"), ("noise", "gx, gy, gz")])
def test_a_table_without_samples_of_the_sensor_says_which_columns_it_lacks(tmp_path, kind, named):
    result = refused(kind, Board().still(1).write(tmp_path / "a.csv", FIELD), "noSamples")
    assert named in result["reason"] and "a.csv" in result["reason"] and "devices" not in result["reason"]


def test_rows_that_go_back_in_time_are_told(tmp_path):
    def back(index, name, value):
        return value - 20 if name == "t_s" and index >= 3000 else value
    path = Board().still(60).write(tmp_path / "a.csv", INERTIAL, back)
    done = waymark("calibrate", "noise", "--from", path)
    assert "a.csv:3002: from here on 1 row(s) are earlier than the row before" in done.stderr


def test_a_sensor_that_falls_silent_half_way_is_told(tmp_path):
    board = Board().poses(10)
    half = len(board.rows) // 2
    board.write(tmp_path / "imu.csv", INERTIAL)
    board.write(tmp_path / "mag.csv", FIELD, lambda index, name, value: value if index < half else None)
    refused("mag", tmp_path, "silent", "coverageTooSmall", "predictedErrorTooLarge", "tooFewSamples")


@pytest.mark.parametrize("content, message", [
    ("", "the file is empty"),
    ("t_s,speed\n1,2\n", "it has no columns of samples"),
    ("t_s,ax,ay\n1,2,3\n", "the column az is missing"),
    ("t_s,ax,ay,az\n0,1,2,3\n0,1,2,up\n", ":3:7: az is 'up'"),
    ("ax,ay,az\n1,2,3\n", "the column t_s (seconds) is missing"),
    ("t_s,ax,ay,az\n" + "1" * 10_000, "a line of more than 4096 bytes"),
])
def test_a_table_that_is_none_is_refused_with_its_line(tmp_path, content, message):
    path = tmp_path / "a.csv"
    path.write_text(content)
    done = waymark("calibrate", "accel", "--from", path, "--json")
    assert done.returncode == 1 and done.stdout == "" and "a.csv:" in done.stderr and message in done.stderr


def test_no_file_no_table_and_no_recording_are_told(tmp_path):
    done = waymark("calibrate", "gyro", "--from", tmp_path / "nothing.csv")
    assert done.returncode == 1 and "nothing.csv: No such file" in done.stderr
    done = waymark("calibrate", "gyro", "--from", tmp_path)
    assert done.returncode == 1 and "it has no tables" in done.stderr
    (tmp_path / "a.csv").write_bytes(bytes(range(1, 256)) * 400)
    done = waymark("calibrate", "gyro", "--from", tmp_path / "a.csv")
    assert done.returncode == 1 and "a.csv" in done.stderr
    (tmp_path / "a.mcap").write_bytes(b"\x00" * 100)
    done = waymark("calibrate", "gyro", "--from", tmp_path / "a.mcap")
    assert done.returncode == 1 and "it does not begin as an MCAP file does" in done.stderr


@pytest.mark.parametrize("arguments, message", [
    (["gyro", "--rate", "100"], "--rate requires --from"),
    (["accel", "--turn", "90", "--from", "x"], "--turn requires --faces"),
    (["noise", "--hours", "1", "--seconds", "5"], "exclude each other"),
    (["noise", "--hours", "1", "--from", "x"], "cannot be combined with --from"),
    (["noise", "--svg", "-", "--from", "x"], "standard output is used for the result"),
    (["gyro", "--faces"], "unknown option '--faces'"),
    (["mag", "--unit", "gauss", "--from", "x"], "is not one of: si, counts"),
    (["gyro", "--from", "x", "--json", "--output", "-"], "both use standard output"),
    (["dance"], "unknown command 'dance'"),
    ([], "missing COMMAND"),
])
def test_a_wrong_command_line_ends_with_2(arguments, message):
    done = waymark("calibrate", *arguments)
    assert done.returncode == 2 and message in done.stderr
