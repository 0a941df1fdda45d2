"""`waymark export`: tracks of recordings as other programs read them, with the values that the recordings have."""
import csv
import io
import json
import math
import pathlib
import re
import signal
import socket
import subprocess
import sys
import warnings
import xml.etree.ElementTree

import geojson
import gpxpy
import numpy
import pytest
from evo.tools import file_interface

from harness.command import PROGRAM, environment, waymark
from harness.earth import earth
from harness.gps import Receiver
from harness.outside import TRAJECTORIES, needs
from harness.paths import ROOT, SUPPORT
from harness.recording import messages, write_tables
from harness.waiting import PATIENCE, wait_until

pytestmark = pytest.mark.library

with warnings.catch_warnings():
    # It writes XML more nicely with lxml, and only reads here.
    warnings.simplefilter("ignore")
    import fastkml

# It would round to six decimals.
geojson.geometry.DEFAULT_PRECISION = 15

SCHEMA = pathlib.Path(__file__).with_name("gpx-track.xsd")
GPX = "{http://www.topografix.com/GPX/1/1}"
# As many a second as a recording may have.
ALL = ("--rate", 100_000)
SEPARATION = 47.25


def export(recording, form, *arguments, code=0):
    result = waymark("export", recording, "--format", form, *arguments)
    assert result.returncode == code, result
    return result.stdout if code == 0 else result.stderr


def points_of_gpx(text):
    """Points by gpxpy, from all segments."""
    return [point for track in gpxpy.parse(text).tracks for segment in track.segments for point in segment.points]


def tracks_of_kml(text):
    """Geometries of all placemarks by fastkml."""
    document, = fastkml.KML.from_string(text).features
    return [placemark.kml_geometry for placemark in document.features]


def movements(text):
    """Features of a document that is what OGC 19-045r3 asks of the Prism encoding, and valid GeoJSON."""
    document = geojson.loads(text)
    assert document.is_valid and all(feature.is_valid for feature in document.features)
    root = json.loads(text)
    assert root["crs"] == {"type": "Name", "properties": {"name": "urn:ogc:def:crs:OGC:1.3:CRS84"}}
    assert root["trs"] == {"type": "Name", "properties": {"name": "urn:ogc:data:time:iso8601"}}
    for feature in root["features"]:
        geometry, (values,) = feature["temporalGeometry"], feature["temporalProperties"]
        assert (geometry["type"], geometry["interpolation"]) == ("MovingPoint", "Linear")
        times = geometry["datetimes"]
        assert len(times) == len(geometry["coordinates"]) >= 2
        assert all(before < after for before, after in zip(times, times[1:]))
        assert all(len(position) == 2 for position in geometry["coordinates"])
        assert feature["time"] == [times[0], times[-1]] and values.pop("datetimes") == times
        for name, value in values.items():
            assert value["type"] == "Measure" and value["interpolation"] in ("Discrete", "Linear"), name
            assert len(value["values"]) == len(times) and (len(value["form"]) == 3 or "://" in value["form"]), name
    return root["features"]


def positions_of_geojson(text):
    """Positions of all features, longitude first, of a document that is valid by the package geojson."""
    document = geojson.loads(text)
    assert document.is_valid, document.errors()
    for feature in document.features:
        assert feature.is_valid, feature.errors()
    return [position for feature in document.features for position in feature.geometry.coordinates]


def by_gpsd(text, tmp_path):
    """Positions that a real gpsd reports of a receiver that says these sentences."""
    file = tmp_path / "receiver.nmea"
    file.write_text(text, newline="")
    receiver = Receiver(tmp_path / "feeder.log", "--replay", file, "--baud", "115200")
    try:
        with socket.create_connection(("127.0.0.1", receiver.port)) as client:
            client.settimeout(PATIENCE)
            client.sendall(b'?WATCH={"enable":true,"json":true};\n')
            lines = client.makefile()
            while json.loads(lines.readline())["class"] != "WATCH":
                pass
            receiver.command("resume", "replayed")
            # The last epoch may wait for another: ends with the gpsd.
            receiver.command("stop")
            reports = [json.loads(line) for line in lines]
    finally:
        receiver.stop()
    return [report for report in reports if report["class"] == "TPV" and report["mode"] > 1]


def in_the_schema(text):
    done = subprocess.run(["xmllint", "--noout", "--schema", SCHEMA, "-"], input=text, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


@pytest.fixture(scope="module")
def recorded(walk, tmp_path_factory):
    """A recording by the daemon, whose wearer walks and whose receiver reports no separation of the geoid."""
    file = tmp_path_factory.mktemp("exported") / "walk.mcap"
    result = waymark("record", "--duration", 8, file, socket=walk.socket)
    assert result.returncode == 0, result.stderr
    return file


@pytest.fixture(scope="module")
def poses(recorded):
    """Published poses of the recording that have a position."""
    found = [pose for _, _, pose in messages(recorded, ["/pose"]) if "geo" in pose]
    assert len(found) > 10
    return found


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Two minutes of a board that is carried north and east, with fixes that have both heights and UTC."""
    def gnss(t):
        # Without a fix for half a minute, as in a tunnel.
        if 60 <= t < 90:
            return f"{t},,,,,,"
        return (
            f"{t},{t + 0.2},{-33.5 + t * 1e-5:.8f},{-70.25 + t * 1e-5:.8f},{566 + t:.2f},{566 + t - SEPARATION:.2f},"
            f"{1782000000 + t}")

    return write_tables(tmp_path_factory.mktemp("recordings") / "a walk & <b>more", 120, {
        "imu.csv": ("t_s,ax,ay,az,gx,gy,gz", 50, lambda t: f"{t:.2f},0.01,9.81,{0.02 + t % 1 * 0.01:.4f},0.001,0,0"),
        "gnss.csv": ("t_s,arrival_s,lat_deg,lon_deg,alt_m,alt_msl_m,utc_s", 1, gnss),
    })


def published(recorded, poses, form):
    """Longitude, latitude and height of the published poses as the reader of a format gives them."""
    text = export(recorded, form, *ALL)
    if form == "gpx":
        return [(point.longitude, point.latitude) for point in points_of_gpx(text)]
    if form == "geojson":
        return positions_of_geojson(text)
    if form == "mf-json":
        return [point for each in movements(text) for point in each["temporalGeometry"]["coordinates"]]
    return [(item.coord.x, item.coord.y) for track in tracks_of_kml(text) for item in track.track_items]


@pytest.mark.parametrize("form", ["gpx", "kml", "geojson", "mf-json"])
def test_published_poses_are_read_by_another_program_at_their_positions(recorded, poses, form):
    found = published(recorded, poses, form)
    assert len(found) == len(poses)
    for position, pose in zip(found, poses):
        # All have nine decimals of a degree.
        assert abs(position[0] - pose["geo"]["longitude"]) <= 1e-9
        assert abs(position[1] - pose["geo"]["latitude"]) <= 1e-9
        if form == "geojson":
            assert abs(position[2] - pose["geo"]["height"]) <= 1e-3


def test_replayed_poses_of_a_recording_begun_under_way_are_the_published_ones(recorded):
    tables = []
    for what in ("fused", "replayed"):
        rows = csv.DictReader(io.StringIO(export(recorded, "csv", "--what", what)))
        tables.append({row["t_s"]: (row["lat_deg"], row["lon_deg"], row["alt_m"]) for row in rows})
    found, replayed = tables
    known = {time: place for time, place in found.items() if all(place)}
    assert len(known) > 10
    # Recorded poses are rounded once more: to nine decimals of a degree, and to a tenth of a millimetre.
    decimals = (2e-9, 2e-9, 2e-4)
    for time, place in known.items():
        for cell, other, tolerance in zip(place, replayed[time], decimals, strict=True):
            assert abs(float(cell) - float(other)) < tolerance, time


def test_times_of_published_poses_are_theirs(recorded, poses):
    times = [pose["utc"][:26] for pose in poses]
    text = export(recorded, "gpx", *ALL)
    assert [f"{point.time:%Y-%m-%dT%H:%M:%S.%f}" for point in points_of_gpx(text)] == times
    tracks = tracks_of_kml(export(recorded, "kml", *ALL))
    assert [f"{item.when.dt:%Y-%m-%dT%H:%M:%S.%f}" for track in tracks for item in track.track_items] == times
    features = json.loads(export(recorded, "geojson", *ALL))["features"]
    assert [time[:26] for feature in features for time in feature["properties"]["coordTimes"]] == times
    features = movements(export(recorded, "mf-json", *ALL))
    assert [time[:26] for feature in features for time in feature["temporalGeometry"]["datetimes"]] == times


def test_gpx_is_in_its_schema_with_heights_above_mean_sea_level(folder, recorded):
    in_the_schema(export(recorded, "gpx"))
    text = export(folder, "gpx", "--what", "receiver")
    in_the_schema(text)
    root = xml.etree.ElementTree.fromstring(text)
    assert root.findtext(f"{GPX}trk/{GPX}name") == folder.name
    segments = root.findall(f"{GPX}trk/{GPX}trkseg")
    assert [len(segment) for segment in segments] == [60, 30], "a segment ends where fixes fail for half a minute"
    for second, point in zip([*range(60), *range(90, 120)], root.iter(f"{GPX}trkpt")):
        assert abs(float(point.get("lat")) - (-33.5 + second * 1e-5)) <= 1e-9
        assert abs(float(point.findtext(f"{GPX}ele")) - (566 + second - SEPARATION)) <= 1e-3
        assert abs(float(point.findtext(f"{GPX}geoidheight")) - SEPARATION) <= 1e-3
    in_the_schema(export(folder, "gpx", "--what", "replayed"))


def test_kml_has_heights_above_the_geoid(folder):
    tracks = tracks_of_kml(export(folder, "kml", "--what", "receiver"))
    assert [len(track.track_items) for track in tracks] == [60, 30]
    assert all(track.altitude_mode.value == "absolute" for track in tracks)
    heights = [round(item.coord.z - 566 + SEPARATION, 3) for track in tracks for item in track.track_items]
    assert heights == [*range(60), *range(90, 120)]


def test_geojson_has_heights_above_the_ellipsoid_and_values_for_each_position(folder):
    features = json.loads(export(folder, "geojson", "--what", "receiver"))["features"]
    assert [len(feature["geometry"]["coordinates"]) for feature in features] == [60, 30]
    for feature in features:
        properties = feature["properties"]
        assert properties["name"] == folder.name
        for name in ("coordTimes", "horizontalAccuracy", "verticalAccuracy"):
            assert len(properties[name]) == len(feature["geometry"]["coordinates"])
    assert features[0]["geometry"]["coordinates"][2] == [-70.24998, -33.49998, 568]
    assert features[0]["properties"]["coordTimes"][2] == "2026-06-21T00:00:02.000000Z"


def test_a_movement_is_not_interpolated_across_a_gap_and_has_the_height_of_each_instant(folder):
    features = movements(export(folder, "mf-json", "--what", "receiver"))
    assert [len(feature["temporalGeometry"]["datetimes"]) for feature in features] == [60, 30]
    assert [feature["properties"]["part"] for feature in features] == [1, 2]
    for feature in features:
        # The folder's name has letters that other formats escape.
        assert feature["properties"]["name"] == folder.name and feature["properties"]["origin"] == "receiver"
    first, second = features
    assert first["temporalGeometry"]["coordinates"][2] == [-70.24998, -33.49998]
    assert first["time"] == ["2026-06-21T00:00:00.000000Z", "2026-06-21T00:00:59.000000Z"]
    assert second["time"][0] == "2026-06-21T00:01:30.000000Z"
    height = second["temporalProperties"][0]["height"]
    assert height["form"] == "MTR" and height["values"] == [566 + second for second in range(90, 120)]


def test_a_movement_has_accuracies_speeds_and_directions_of_the_published_poses(recorded, poses):
    names = {"horizontalAccuracy": "horizontalAccuracy", "verticalAccuracy": "verticalAccuracy"}
    found = {name: [] for name in ("heading", "speed", *names)}
    for feature in movements(export(recorded, "mf-json", *ALL)):
        values, = feature["temporalProperties"]
        length = len(feature["temporalGeometry"]["datetimes"])
        for name in found:
            found[name] += values[name]["values"] if name in values else [None] * length
    for index, pose in enumerate(poses):
        for name in names:
            assert abs(found[name][index] - pose["accuracy"][name]) <= 1e-3
        if pose["headingReference"] == "trueNorth" and "heading" in pose:
            assert abs((found["heading"][index] - pose["heading"] + 180) % 360 - 180) <= 0.02
        if "speed" in pose:
            assert abs(found["speed"][index] - pose["speed"]) <= 0.01
    assert any(heading is not None for heading in found["heading"])


def test_evo_reads_the_same_trajectory(recorded, poses, tmp_path):
    file = tmp_path / "walk.tum"
    export(recorded, "tum", "--output", file)
    oriented = [pose for pose in poses if pose["headingReference"] == "trueNorth" and "heading" in pose]
    assert len(oriented) > 10
    trajectory = file_interface.read_tum_trajectory_file(file)
    assert trajectory.check()[0] and trajectory.num_poses == len(oriented)
    # Metres on a sphere of the ellipsoid's mean radius at that latitude are good to a percent.
    radius = 6_371_000
    latitude = math.radians(oriented[0]["geo"]["latitude"])
    east, north, up = (
        numpy.array([pose["geo"][name] - oriented[0]["geo"][name] for pose in oriented])
        for name in ("longitude", "latitude", "height"))
    points = numpy.stack([numpy.radians(east) * radius * math.cos(latitude), numpy.radians(north) * radius, up], axis=1)
    length = numpy.linalg.norm(numpy.diff(points, axis=0), axis=1).sum()
    assert abs(trajectory.path_length - length) <= 0.01 * length + 0.01
    assert numpy.abs(trajectory.positions_xyz - points).max() <= 0.01 * length + 0.01
    for matrix, pose in zip(trajectory.poses_se3, oriented):
        sight = -matrix[:3, 2]
        heading = math.degrees(math.atan2(sight[0], sight[1])) % 360
        assert abs((heading - pose["heading"] + 180) % 360 - 180) <= 1e-3


@pytest.mark.parametrize("what", ["fused", "replayed"])
def test_evo_reads_the_track_in_the_scene_which_no_correction_moves(recorded, tmp_path, what):
    # Also those before the first fix.
    poses = [pose for _, _, pose in messages(recorded, ["/pose"]) if pose["tracking"]["position"] != "invalid"]
    file = tmp_path / "scene.tum"
    export(recorded, "tum", "--frame", "scene", "--what", what, "--output", file)
    assert file.read_text().count("# scene frame, generation") == len({pose["generation"] for pose in poses})
    trajectory = file_interface.read_tum_trajectory_file(file)
    assert trajectory.check()[0]
    if what == "fused":
        expected = [[pose["position"][axis] for axis in "xyz"] for pose in poses]
        assert numpy.abs(trajectory.positions_xyz - numpy.array(expected)).max() <= 1e-4


def test_evo_reads_a_replay(folder, recorded, tmp_path):
    file = tmp_path / "replayed.tum"
    export(recorded, "tum", "--what", "replayed", "--output", file)
    assert file_interface.read_tum_trajectory_file(file).check()[0]


def test_gpsd_reads_nmea_with_heights(folder, tmp_path):
    text = export(folder, "nmea", "--what", "receiver")
    found = by_gpsd(text, tmp_path)
    # It takes some sentences to recognise a receiver, and reports an epoch more than once.
    assert len({report["time"] for report in found}) >= 60
    for report in found:
        assert report["mode"] == 3
        second = int(report["time"][14:16]) * 60 + int(report["time"][17:19])
        assert abs(report["lat"] - (-33.5 + second * 1e-5)) <= 2e-9
        assert abs(report["lon"] - (-70.25 + second * 1e-5)) <= 2e-9
        assert abs(report["altMSL"] - (566 + second - SEPARATION)) <= 0.006


def test_heights_above_the_sea_are_by_egm96_where_no_fix_has_a_separation(recorded, poses):
    heights = {round(pose["geo"]["height"] - 47.56) for pose in poses}
    for point in points_of_gpx(export(recorded, "gpx")):
        assert point.geoid_height == pytest.approx(47.56, abs=0.01) and round(point.elevation) in heights
    for line in export(recorded, "nmea").splitlines():
        if "GGA" in line:
            assert line.split(",")[11] == "47.56" and round(float(line.split(",")[9])) in heights


@pytest.mark.long
@needs("gpsbabel")
def test_gpsbabel_reads_gpx_and_nmea_with_heights(recorded, tmp_path):
    for form in ("gpx", "nmea"):
        file = tmp_path / f"walk.{form}"
        expected = points_of_gpx(export(recorded, "gpx"))
        export(recorded, form, "--output", file)
        done = subprocess.run(
            ["gpsbabel", "-t", "-i", form, "-f", file, "-o", "unicsv", "-F", "-"], capture_output=True, text=True,
            check=True)
        rows = list(csv.DictReader(io.StringIO(done.stdout)))
        assert len(rows) == len(expected)
        for row, point in zip(rows, expected):
            assert abs(float(row["Altitude"]) - point.elevation) < 0.1
            assert abs(float(row["Latitude"]) - point.latitude) < 1e-5


@pytest.mark.long
@needs("ogrinfo")
def test_gdal_reads_gpx_kml_and_geojson(recorded, tmp_path):
    points = points_of_gpx(export(recorded, "gpx"))
    for form, layer in (("gpx", "track_points"), ("kml", "walk"), ("geojson", "walk")):
        file = tmp_path / f"walk.{form}"
        export(recorded, form, "--output", file)
        done = subprocess.run(
            ["ogrinfo", "-ro", "-so", file, layer], capture_output=True, text=True, check=True)
        west, south, east, north = map(
            float, re.search(r"Extent: \((\S+), (\S+)\) - \((\S+), (\S+)\)", done.stdout).groups())
        for found, values in (((south, north), [each.latitude for each in points]),
                              ((west, east), [each.longitude for each in points])):
            assert found == pytest.approx((min(values), max(values)), abs=2e-6)


@pytest.mark.long
@needs(TRAJECTORIES / "trajectories.txt", "scripts/venv --large")
def test_geopandas_and_movingpandas_have_the_track_of_the_table(tmp_path):
    recording = ROOT / "examples/walk.mcap"
    files = [tmp_path / f"walk.{ending}" for ending in ("gpx", "geojson", "mfjson")]
    for file in files:
        assert waymark("export", recording, "--what", "replayed", "--rate", 1, "--output", file).returncode == 0
    done = subprocess.run(
        [sys.executable, SUPPORT / "trajectories.py", *files], capture_output=True, text=True,
        env=environment() | {"PYTHONPATH": str(TRAJECTORIES)}, timeout=PATIENCE)
    assert done.returncode == 0, done.stderr
    points, lines, trajectory = json.loads(done.stdout).values()
    table = {row["utc_s"]: row for row in csv.DictReader(io.StringIO(export(recording, "csv", "--what", "replayed", *ALL)))}
    rows = [table[f"{time:.6f}000"] for time in points["times"]]
    assert len(rows) > 50

    def columns(*names):
        return numpy.array([[float(row[name]) for name in names] for row in rows])

    assert [each["crs"] for each in (points, trajectory, lines)] == [4326, 4326, 4979]
    # All have nine decimals of a degree, and the table one of heights more.
    for found, height in ((points, "alt_msl_m"), (lines, "alt_m")):
        assert (abs(found["positions"] - columns("lon_deg", "lat_deg", height)) < [2e-9, 2e-9, 2e-3]).all()
    seconds = columns("utc_s")[:, 0]
    assert trajectory["duration"] == pytest.approx(seconds[-1] - seconds[0], abs=1e-3)
    # Along the ellipsoid, as MovingPandas measures.
    places = [earth({"latitude": latitude, "longitude": longitude, "height": 0})
              for latitude, longitude in columns("lat_deg", "lon_deg")]
    steps = numpy.linalg.norm(numpy.diff(places, axis=0), axis=1)
    assert trajectory["length"] == pytest.approx(steps.sum(), rel=1e-3)
    assert trajectory["derived"][1:] == pytest.approx(steps / numpy.diff(seconds), abs=0.01)
    speeds = numpy.linalg.norm(columns("ve_mps", "vn_mps"), axis=1)
    assert trajectory["speed"] == pytest.approx(speeds, abs=0.01)
    assert trajectory["height"] == pytest.approx(columns("alt_m")[:, 0], abs=1e-3)


def test_estimates_between_fixes_are_marked_as_such(folder):
    rows = list(csv.DictReader(io.StringIO(export(folder, "csv", "--what", "replayed"))))
    assert len(rows) > 5000
    estimated = {int(float(row["t_s"])) for row in rows if row["dead_reckoned"] == "1"}
    assert set(range(75, 90)) <= estimated and not estimated & set(range(30, 60))
    qualities = {
        line.split(",")[1][:6]: line.split(",")[6]
        for line in export(folder, "nmea", "--what", "replayed").splitlines() if "GGA" in line}
    assert qualities["000040"] == "1" and qualities["000120"] == "6"


def test_a_table_has_each_pose_as_it_was_published(recorded):
    published = [pose for _, _, pose in messages(recorded, ["/pose"])]
    rows = list(csv.DictReader(io.StringIO(export(recorded, "csv"))))
    assert len(rows) == len(published)
    for row, pose in zip(rows, published):
        assert row["t_s"] == f'{pose["time"]["sec"]}.{pose["time"]["nsec"]:09d}'
        if "geo" in pose:
            assert abs(float(row["lat_deg"]) - pose["geo"]["latitude"]) <= 1e-9
            assert abs(float(row["alt_m"]) - pose["geo"]["height"]) <= 1e-4
            assert abs(float(row["hacc_m"]) - pose["accuracy"]["horizontalAccuracy"]) <= 2e-4
        if "heading" in pose and pose.get("speed", 0) > 0.5 and "course" in pose:
            course = math.degrees(math.atan2(float(row["ve_mps"]), float(row["vn_mps"]))) % 360
            assert abs((course - pose["course"] + 180) % 360 - 180) <= 0.1


def test_a_table_of_fixes_is_one_that_import_reads(folder, tmp_path):
    again = tmp_path / "again"
    again.mkdir()
    (again / "imu.csv").write_text((folder / "imu.csv").read_text())
    (again / "gnss.csv").write_text(export(folder, "csv", "--what", "receiver"))
    assert export(again, "gpx", "--what", "receiver") == export(folder, "gpx", "--what", "receiver").replace(
        "a walk &amp; &lt;b&gt;more", "again")


def test_the_ending_of_the_output_tells_the_format(folder, tmp_path):
    for form in ("gpx", "geojson", "mf-json", "kml", "csv", "nmea"):
        output = tmp_path / f"a.b.{form.replace('-', '')}"
        assert waymark("export", folder, "--what", "receiver", "--output", output).returncode == 0
        assert output.read_text() == export(folder, form, "--what", "receiver")


def test_the_rate_thins_points_out(folder):
    assert export(folder, "gpx", "--what", "replayed").count("<trkpt") <= 121
    assert 11 <= export(folder, "csv", "--what", "replayed", "--rate", 0.1).count("\n") <= 14


# What is not as it should be


def test_a_recording_without_published_poses_names_what_can_be_exported(folder, tmp_path):
    for source in (folder, tmp_path / "imported.mcap"):
        if source != folder:
            assert waymark("import", folder, source).returncode == 0
        output = tmp_path / "track.gpx"
        problem = export(source, "gpx", "--output", output, code=1)
        assert "has no published poses" in problem and "--what replayed" in problem
        assert not output.exists()


@pytest.mark.parametrize("arguments, problem", [
    ((), "--format is needed"), (("--output", "gpx.track"), "one of gpx, geojson, mf-json, kml"), (("--format", "gpy"), "'gpy'"),
    (("--format", "gpx", "--what", "all"), "'all'"), (("--format", "gpx", "--rate", "0"), "'0'"),
    (("--format", "gpx", "--frame", "scene"), "is for the format tum"),
    (("--format", "gpx", "--rate", "nan"), "'nan'"), (("--format", "tum", "--what", "receiver"), "no orientation"),
    (("--format", "gpx", "--output", ""), "empty"),
])
def test_wrong_options_are_refused_by_name(folder, arguments, problem):
    result = waymark("export", folder, *arguments)
    assert result.returncode == 2 and problem in result.stderr and not result.stdout


def test_what_cannot_be_read_or_written_is_named_and_leaves_no_file(folder, tmp_path):
    output = tmp_path / "track.gpx"
    for source in [tmp_path / "none.mcap", tmp_path, "/dev/null", folder / "imu.csv"]:
        problem = export(source, "gpx", "--output", output, code=1)
        assert str(source) in problem and not output.exists()
    assert "No such file" in export(folder, "gpx", "--what", "receiver", "--output", tmp_path / "no/x", code=1)
    output.write_text("mine")
    assert "already exists" in export(folder, "gpx", "--what", "receiver", "--output", output, code=1)
    assert output.read_text() == "mine"


def test_without_utc_tracks_have_no_times_and_what_needs_them_is_refused(folder, tmp_path):
    timeless = tmp_path / "timeless"
    timeless.mkdir()
    (timeless / "imu.csv").write_text((folder / "imu.csv").read_text())
    rows = (folder / "gnss.csv").read_text().splitlines()
    (timeless / "gnss.csv").write_text("\n".join(row.rpartition(",")[0] for row in rows) + "\n")
    for form in ("gpx", "kml", "geojson"):
        text = export(timeless, form, "--what", "receiver")
        assert "2026" not in text and "<when>" not in text
    in_the_schema(export(timeless, "gpx", "--what", "receiver"))
    assert sum(len(line.geometry.coords) for line in tracks_of_kml(export(timeless, "kml", "--what", "receiver"))) == 90
    for form in ("nmea", "mf-json"):
        output = tmp_path / f"x.{form}"
        problem = export(timeless, form, "--what", "receiver", "--output", output, code=1)
        assert f"as {form}" in problem and "need UTC" in problem and not output.exists()


def test_a_recording_without_a_position_is_refused_and_leaves_no_file(folder, tmp_path):
    lost = tmp_path / "lost"
    lost.mkdir()
    (lost / "imu.csv").write_text((folder / "imu.csv").read_text())
    rows = (folder / "gnss.csv").read_text().splitlines()
    cells = [row.split(",") for row in rows[1:]]
    (lost / "gnss.csv").write_text("\n".join(
        [rows[0], *(",".join([*each[:2], "", "", "", "", each[6]]) for each in cells)]) + "\n")
    for form in ("gpx", "mf-json"):
        output = tmp_path / f"x.{form}"
        problem = export(lost, form, "--what", "replayed", "--output", output, code=1)
        assert str(lost) in problem and not output.exists()


def test_a_recording_that_is_cut_is_exported_up_to_the_cut_with_a_warning(recorded, tmp_path):
    cut = tmp_path / "cut.mcap"
    cut.write_bytes(recorded.read_bytes()[: recorded.stat().st_size * 2 // 3])
    result = waymark("export", cut, "--format", "gpx", *ALL)
    assert result.returncode == 0 and "warning" in result.stderr and "cut short" in result.stderr
    in_the_schema(result.stdout)
    assert 10 < result.stdout.count("<trkpt") < export(recorded, "gpx", *ALL).count("<trkpt")


def test_a_recording_with_a_flaw_is_exported_up_to_it_and_an_error_names_it(folder, tmp_path):
    flawed = tmp_path / "flawed"
    flawed.mkdir()
    (flawed / "gnss.csv").write_text((folder / "gnss.csv").read_text())
    (flawed / "imu.csv").write_text((folder / "imu.csv").read_text() + "120.00,zero,0,0,0,0,0\n")
    output = tmp_path / "track.gpx"
    problem = export(flawed, "gpx", "--what", "replayed", "--output", output, code=1)
    assert "imu.csv:6002" in problem
    in_the_schema(output.read_text())
    whole = [(point.time, point.latitude) for point in points_of_gpx(export(folder, "gpx", "--what", "replayed"))]
    found = [(point.time, point.latitude) for point in points_of_gpx(output.read_text())]
    # The last pose waits for a force that is not read any more.
    assert len(found) == len(whole) > 100 and found[:-1] == whole[:-1]


def test_a_full_disk_is_named_and_half_a_file_removed(folder, tmp_path):
    with open("/dev/full", "w") as full:
        result = subprocess.run(
            [PROGRAM, "export", folder, "--what", "replayed", "--format", "csv"], stdout=full, stderr=subprocess.PIPE,
            text=True, env=environment())
    assert result.returncode == 1 and "No space left" in result.stderr
    output = tmp_path / "track.csv"
    # Blocks of 1024 bytes.
    limited = subprocess.run(
        ["bash", "-c", 'ulimit -f 100; exec "$@"', "-", PROGRAM, "export", folder, "--what", "replayed", "--format", "csv",
         "--output", output], capture_output=True, text=True, env=environment())
    assert limited.returncode == 1 and "File too large" in limited.stderr and not output.exists()


@pytest.mark.parametrize("ending", [".csv", ".mcap"])
def test_an_export_that_is_interrupted_leaves_no_file(tmp_path, ending):
    long = write_tables(tmp_path / "long", 1200, {
        "imu.csv": ("t_s,ax,ay,az,gx,gy,gz", 200, lambda t: f"{t:.3f},0.01,9.81,0,0.001,0,0")})
    output = tmp_path / f"track{ending}"
    program = subprocess.Popen(
        [PROGRAM, "export", long, "--what", "replayed", "--output", output], stderr=subprocess.PIPE, env=environment())
    wait_until(lambda: output.exists() and output.stat().st_size > 100_000, what="the first part of the file")
    program.send_signal(signal.SIGINT)
    assert program.wait() == -signal.SIGINT, program.stderr.read()
    program.stderr.close()
    assert not output.exists()


def test_a_reader_that_leaves_early_is_no_error(folder):
    program = subprocess.Popen(
        [PROGRAM, "export", folder, "--what", "replayed", "--format", "csv"], stdout=subprocess.PIPE,
        stderr=subprocess.PIPE, text=True, env=environment())
    assert program.stdout.readline().startswith("t_s,")
    program.stdout.close()
    assert program.wait() == 0 and program.stderr.read() == ""
    program.stderr.close()
