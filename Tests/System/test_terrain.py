"""Terrain of the real daemon: heights of SRTM and buildings are imported, and things lie on slopes and roofs, and behind
hills and houses."""
import json
import math

import pytest
from waymark_interface import (
    POSE_GET_POSE, SCENE_GET_SCENE, SCENE_PLACE_ANCHOR, TERRAIN_GET_HEIGHT, TERRAIN_IMPORT, TERRAIN_IMPORT_BUILDINGS,
    TERRAIN_INVALID_DOCUMENT, TERRAIN_LIST)

from harness.command import waymark
from harness.daemon import SIMULATION
from harness.elevation import INTERVALS, degree, geotiff, has_gdal
from harness.varlink import CallFailed, Connection
from harness.waiting import wait_until

pytestmark = pytest.mark.library


def run(daemon, *arguments, code=0):
    result = waymark("terrain", *arguments, socket=daemon.socket)
    assert result.returncode == code, result
    return result.stdout if code == 0 else result.stderr


def here(daemon):
    return daemon.call(POSE_GET_POSE)["pose"]


def placement(daemon, id):
    placements = daemon.call(SCENE_GET_SCENE)["scene"]["changed"]
    return next((each for each in placements if each["id"] == f"anchor/{id}"), None)


def test_things_lie_on_slopes_and_behind_hills(daemon, tmp_path):
    """behaviour 18: a thing up a slope is as high as the slope, by heights that were imported"""
    made = daemon(SIMULATION).start()
    made.wait_for_state("localized")
    start = here(made)["geo"]
    south, west = math.floor(start["latitude"]), math.floor(start["longitude"])
    first = round((start["latitude"] - south) * INTERVALS)
    # 9 m in each 3 seconds, some 10 %.
    path = degree(tmp_path, south, west, lambda row: 9 * (row - first) + 4200)
    assert "100 tiles of terrain stored" in run(made, "import", path)
    assert len(made.call(TERRAIN_LIST)["tiles"]) == 100 and "3\" x 3\"" in run(made, "list")
    with Connection(made.socket) as connection:
        connection.call(SCENE_PLACE_ANCHOR, {"anchor": {"id": "up", "geo": {
            "latitude": start["latitude"] + 0.01, "longitude": start["longitude"]}}})
        connection.call(SCENE_PLACE_ANCHOR, {"anchor": {"id": "eye", "heightKind": "eye", "geo": {
            "latitude": start["latitude"] + 0.01, "longitude": start["longitude"]}}})

        def rise():
            up, level, geo = placement(made, "up"), placement(made, "eye"), here(made)["geo"]
            if up is None or level is None or "occluded" not in up:
                return None
            # The wearer walks meanwhile.
            slope = 9 * INTERVALS * (start["latitude"] + 0.01 - geo["latitude"])
            # It comes to count in two seconds.
            return up["position"]["y"] - level["position"]["y"] == pytest.approx(slope, abs=2) and not up["occluded"]

        wait_until(rise, what="the slope in the scene")
        shown = run(made, "show", f"{start['latitude'] + 0.01},{start['longitude']}")
        rows = (start["latitude"] + 0.01 - south) * INTERVALS - first
        assert float(shown.split()[0]) == pytest.approx(9 * rows + 4200, abs=0.1)
        # A wall of 500 m half-way.
        wall = range(first + 5, first + 8)
        run(made, "import", degree(tmp_path, south, west, lambda row: 500 if row in wall else 0))
        wait_until(lambda: (placement(made, "up") or {}).get("occluded"), what="the thing to be hidden")
    assert "100 tiles of terrain and 0 buildings removed" in run(made, "remove", "all")
    houses(made, start, tmp_path)
    # What is stored is there again.
    made.stop()
    made.start()
    assert made.call(TERRAIN_LIST) == {"tiles": [], "buildings": 1}
    assert "1 building removed" in run(made, "remove", "all")
    near = {"latitude": start["latitude"], "longitude": start["longitude"]}
    assert made.call(TERRAIN_GET_HEIGHT, {"near": near}) == {}
    assert "no height is stored there" in run(made, "show", f"{near['latitude']},{near['longitude']}", code=1)
    assert "No stored terrain" in run(made, "list")


def houses(made, start, tmp_path):
    """A house of 300 m by 20 m, 100 m north of the start, from a map with another one without a height."""
    second = 1 / 3600
    corners = [(south, east) for south, east in [(4, -6), (4, 6), (5, 6), (5, -6)]]
    nodes = "".join(
        f'<node id="{number}" lat="{start["latitude"] + north * second}" lon="{start["longitude"] + east * second}"/>'
        for number, (north, east) in enumerate(corners, 1))
    ways = "".join(
        f'<way id="{number}">' + "".join(f'<nd ref="{node}"/>' for node in (1, 2, 3, 4, 1))
        + f'<tag k="building" v="yes"/>{tags}</way>'
        for number, tags in [(5, '<tag k="building:levels" v="5"/>'), (6, "")])
    path = tmp_path / "town.osm"
    path.write_text(f"<osm>{nodes}{ways}</osm>")
    assert run(made, "import", path) == "1 building stored; left out: 1 without a height\n"
    assert "1 building" in run(made, "list")
    middle = {"latitude": start["latitude"] + 4.5 * second, "longitude": start["longitude"]}
    assert made.call(TERRAIN_GET_HEIGHT, {"near": middle}) == {"roof": 15}
    assert run(made, "show", f"{middle['latitude']},{middle['longitude']}") == "unknown ground, roof 15.0 m above it\n"
    with Connection(made.socket) as connection:
        for id, kind, north in [("roof", "roof", 4.5), ("ground", "ground", 4.5), ("behind", "eye", 9)]:
            connection.call(SCENE_PLACE_ANCHOR, {"anchor": {"id": id, "heightKind": kind, "geo": {
                "latitude": start["latitude"] + north * second, "longitude": start["longitude"], "height": 0}}})

        def standing():
            roof, ground, behind = (placement(made, id) for id in ("roof", "ground", "behind"))
            # The wearer walks meanwhile, on this side of the house. The three come to know of it one after the other.
            rise = roof["position"]["y"] - ground["position"]["y"] if roof and ground else 0
            return (behind or {}).get("occluded") and rise == pytest.approx(15, abs=0.01)

        wait_until(standing, what="the house in the scene")


def test_what_is_no_terrain_is_refused_with_what_to_do(walk, tmp_path):
    """behaviour 18: hostile files of heights are named, and change nothing"""
    for name, content, words in [
            ("N47E008.hgt", b"\0" * 1000, "load the file again"), ("alps.hgt", b"\0" * 1000, "rename the file"),
            ("town.osm", b"<gpx/>", "town.osm: line 1, column 1: no OpenStreetMap"),
            ("alps.hgt.gz", b"", "gunzip"), ("town.osm.pbf", b"", "osmium cat"),
            ("empty.geojson", b'{"type": "FeatureCollection", "features": []}', "no building that can be stored"),
            ("town.geojson", b"{}", "town.geojson: $: the member \"type\" is missing"),
            ("alps.bin", b"\0" * 1000, "no elevation model that GDAL reads" if has_gdal() else "install libgdal")]:
        path = tmp_path / name
        path.write_bytes(content)
        assert words in run(walk, "import", path, code=1)
    assert "cannot be read" in run(walk, "import", tmp_path / "none.hgt", code=1)
    for method, content, part in [
            (TERRAIN_IMPORT, b"", "tile 0"), (TERRAIN_IMPORT, b"wmterr01", "tile 0"), (TERRAIN_IMPORT, b"\0" * 5000, "tile 0"),
            (TERRAIN_IMPORT_BUILDINGS, b"\0" * 5000, "")]:
        file = tmp_path / "tiles"
        file.write_bytes(content)
        with open(file, "rb") as opened, Connection(walk.socket) as connection, pytest.raises(CallFailed) as failure:
            connection.send_call(method, {"descriptor": 0}, [opened.fileno()])
            connection.reply()
        assert failure.value.name == TERRAIN_INVALID_DOCUMENT and failure.value.parameters["path"] == part
    assert json.loads(run(walk, "list", "--json")) == {"tiles": [], "buildings": 0}


@pytest.mark.skipif(not has_gdal(), reason="needs libgdal, see scripts/require")
def test_a_geotiff_is_read_by_gdal_and_borders_are_completed(walk, tmp_path):
    """behaviour 18: a raster of another grid gives its heights, and a second one completes the tiles of their border"""
    def plane(latitude, longitude):
        return 1000 + 3600 * (2 * (latitude - 10) + (longitude - 20))

    def height(latitude, longitude):
        return walk.call(TERRAIN_GET_HEIGHT, {"near": {"latitude": latitude, "longitude": longitude}}).get("height")

    second = 1 / 3600
    # Of Copernicus' samples the eastern and the southern edge are the neighbour's.
    west = geotiff(tmp_path / "west.tif", 10 + second, 19.9, second, 400, 360, plane)
    assert "2 tiles of terrain stored" in run(walk, "import", west)
    assert height(10.05, 19.95) == pytest.approx(plane(10.05, 19.95), abs=0.11)
    assert height(10.05, 20 - second / 2) is None and height(10.05, 20.05) is None
    east = geotiff(tmp_path / "east.tif", 10 + second, 20, second, 400, 361, plane)
    run(walk, "import", east)
    for latitude, longitude in [(10.05, 19.95), (10.05, 20 - second / 2), (10.0123, 20.0456), (10.105, 20.03)]:
        assert height(latitude, longitude) == pytest.approx(plane(latitude, longitude), abs=0.11)
    cut = tmp_path / "cut.tif"
    cut.write_bytes(east.read_bytes()[:5000])
    assert "no elevation model that GDAL reads" in run(walk, "import", cut, code=1)
    run(walk, "remove", "all")
