"""What docs/drawing-plans.md says of drawing a plan: its commands, its example in both formats, its picture, its flaws."""
import copy
import json
import math
import os
import re
import subprocess
import sys

import pytest
from waymark_interface import PLAN_LIST

from harness.command import waymark
from harness.paths import PROGRAMS, ROOT

pytestmark = pytest.mark.library

PAGE = (ROOT / "docs/drawing-plans.md").read_text()
EXAMPLES = ROOT / "examples"
PLAN = json.loads((EXAMPLES / "station.geojson").read_text())
MAP = (EXAMPLES / "station.osm").read_text()
# Numbers of features of the example: a floor, a room.
FLOOR, ROOM = 0, 3


@pytest.fixture
def daemon(walk):
    """Without plans, before and after."""
    yield walk
    for plan in walk.call(PLAN_LIST)["plans"]:
        waymark("plan", "remove", plan["id"], socket=walk.socket)


def imported(daemon, tmp_path, name, text):
    (tmp_path / name).write_text(text)
    return waymark("plan", "import", "--id", "flawed", tmp_path / name, socket=daemon.socket)


def lines_of_commands():
    """Commands of the page, each with the lines that are shown below it."""
    found = []
    for line in re.findall(r"^ {4,}(\S.*)$", PAGE, re.MULTILINE):
        if line.startswith("$ "):
            found.append((line[2:], []))
        elif found:
            found[-1][1].append(line)
    return found


def part(geometry):
    features = [feature for feature in PLAN["features"] if feature["geometry"]["type"] == geometry]
    return json.dumps({"type": "FeatureCollection", "name": geometry, "features": features})


def test_the_commands_of_the_page_do_what_it_shows(daemon, tmp_path):
    for name in ("station.geojson", "station.osm", "walk.mcap"):
        (tmp_path / name).write_bytes((EXAMPLES / name).read_bytes())
    for name, geometry in (("areas", "Polygon"), ("lines", "LineString"), ("points", "Point")):
        (tmp_path / f"{name}.geojson").write_text(part(geometry))
    environment = {**os.environ, "PATH": f"{PROGRAMS}:{os.environ['PATH']}", "WAYMARK_SOCKET": str(daemon.socket)}
    commands = lines_of_commands()
    assert len(commands) == 7
    for command, expected in commands:
        done = subprocess.run(
            command, shell=True, cwd=tmp_path, env=environment, capture_output=True, text=True, timeout=120)
        assert done.returncode == 0, (command, done.stderr)
        assert [line for line in done.stdout.splitlines() if line in expected] == expected, (command, done.stdout)
    assert json.loads((tmp_path / "joined.geojson").read_text()) == PLAN


def test_both_documents_of_the_example_are_the_same_plan(daemon):
    documents = []
    for id in ("geojson", "osm"):
        done = waymark(
            "plan", "import", "--id", id, "--name", "same", EXAMPLES / f"station.{id}", socket=daemon.socket)
        assert done.returncode == 0, done.stderr
        document = json.loads(waymark("plan", "show", "--output", "-", id, socket=daemon.socket).stdout)
        documents.append(sorted(json.dumps(feature, sort_keys=True) for feature in document["features"]))
    assert documents[0] == documents[1] and len(documents[0]) == 33
    drawn = [feature["properties"] for feature in map(json.loads, documents[0])]
    count = {(kind, level): sum(each == {"kind": kind, "level": level} for each in drawn)
             for kind in ("floor", "room", "wall", "stairs", "door", "path") for level in "01"}
    assert count == {
        ("floor", "0"): 2, ("room", "0"): 6, ("wall", "0"): 2, ("stairs", "0"): 2, ("door", "0"): 7, ("path", "0"): 1,
        ("floor", "1"): 2, ("room", "1"): 4, ("wall", "1"): 1, ("stairs", "1"): 2, ("door", "1"): 4, ("path", "1"): 0}


def test_documents_and_picture_are_those_that_are_made_anew(tmp_path):
    subprocess.run([sys.executable, ROOT / "scripts/examples", "plan", tmp_path], check=True)
    assert {path.name for path in tmp_path.iterdir()} == {"station.geojson", "station.osm", "drawing-plans.svg"}
    for path in tmp_path.iterdir():
        kept = (ROOT / "docs" if path.suffix == ".svg" else EXAMPLES) / path.name
        assert path.read_text() == kept.read_text(), path.name


# Flaws

def changed(change):
    """The example after a change of its features."""
    plan = copy.deepcopy(PLAN)
    change(plan["features"])
    return json.dumps(plan)


def of_all_positions(change):
    def changed_in(coordinates):
        return [changed_in(each) for each in coordinates] if isinstance(coordinates[0], list) else change(*coordinates)

    def apply(features):
        for feature in features:
            feature["geometry"]["coordinates"] = changed_in(feature["geometry"]["coordinates"])

    return changed(apply)


def mercator(longitude, latitude):
    north = math.log(math.tan(math.pi / 4 + math.radians(latitude) / 2))
    return [round(6378137 * value, 2) for value in (math.radians(longitude), north)]


def crossed(features):
    border = features[ROOM]["geometry"]["coordinates"][0]
    border[3], border[4] = border[4], border[3]


def strayed(features):
    features[-1]["geometry"]["coordinates"][0] += 0.1


def shortened(features):
    border = features[ROOM]["geometry"]["coordinates"][0]
    border[2:] = [border[0]]


def as_line(features):
    border, = features[ROOM]["geometry"]["coordinates"]
    features[ROOM]["geometry"] = {"type": "LineString", "coordinates": border}


def of_all_properties(change):
    def apply(features):
        for feature in features:
            change(feature["properties"])

    return changed(apply)


# By the words of the page.
REFUSED = {
    "exported in the CRS of the map instead of EPSG:4326": lambda: of_all_positions(mercator),
    "corners in the wrong order, or a border that overlaps itself": lambda: changed(crossed),
    "a point far away, such as one from a slip of the mouse": lambda: changed(strayed),
    "an area of two corners": lambda: changed(shortened),
    "a room drawn in the layer of lines": lambda: changed(as_line),
    "a feature without a geometry, left over from editing":
        lambda: changed(lambda features: features[FLOOR].update(geometry=None)),
    "no `kind` anywhere": lambda: of_all_properties(lambda properties: properties.pop("kind")),
    "the GeoPackage instead of the export": lambda: "SQLite format 3\0",
    "JOSM: a floor whose way is not closed": lambda: MAP.replace('<nd ref="-1001"/><tag k="indoor"', '<tag k="indoor"', 1),
    "JOSM: a node of a way is missing": lambda: without("node", -1001),
    "JOSM: a way of a multipolygon is missing": lambda: without("way", -11),
}
SHOWN = {
    "`level` forgotten: all is on the level `0`":
        (lambda: of_all_properties(lambda properties: properties.pop("level")), "levels", 1),
    "a `kind` that does not exist, such as `Room` or `corridor`":
        (lambda: changed(lambda features: features[ROOM]["properties"].update(kind="Room")), "features", 32),
    "latitude before longitude, in documents by programs of one's own":
        (lambda: of_all_positions(lambda longitude, latitude: [latitude, longitude]), "extent",
         {"south": 8.5392881, "north": 8.5401356, "west": 47.3783, "east": 47.3785159}),
}


def without(kind, id):
    text, count = re.subn(rf'^  <{kind} id="{id}".*\n', "", MAP, flags=re.MULTILINE)
    assert count == 1
    return text


def rows(heading):
    table = PAGE.split(heading)[1].split("\n\n")[0]
    return dict(re.findall(r"^\| (?!-)(.+?) \| (.+) \|$", table, re.MULTILINE))


def test_the_page_has_no_flaws_that_are_not_tried():
    assert rows("| Flaw | Error |").keys() == REFUSED.keys()
    assert rows("| Flaw | Shown |").keys() == SHOWN.keys()


@pytest.mark.parametrize("flaw", REFUSED)
def test_a_flaw_gives_the_error_of_the_page(flaw, daemon, tmp_path):
    done = imported(daemon, tmp_path, "flawed", REFUSED[flaw]())
    quoted = rows("| Flaw | Error |")[flaw].strip("`")
    expected = ".*".join(map(re.escape, quoted.split("…")))
    assert done.returncode == 1
    assert re.fullmatch(rf"waymark: \S+: {expected}; nothing was stored\n", done.stderr), done.stderr


@pytest.mark.parametrize("flaw", SHOWN)
def test_a_flaw_that_is_no_error_shows_as_the_page_says(flaw, daemon, tmp_path):
    content, member, value = SHOWN[flaw]
    done = imported(daemon, tmp_path, "flawed", content())
    assert done.returncode == 0, done.stderr
    assert f"`{member}`" in rows("| Flaw | Shown |")[flaw]
    plan, = daemon.call(PLAN_LIST)["plans"]
    assert plan[member] == (pytest.approx(value, abs=1e-7) if isinstance(value, dict) else value)
