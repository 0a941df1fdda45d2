"""Floor plans of the real daemon: import, list, show and remove, and what survives."""
import json
import math
import os

import pytest
from waymark_interface import (
    PLAN_GET, PLAN_GET_LINES, PLAN_IMPORT, PLAN_INVALID_DOCUMENT, PLAN_LIST, PLAN_NO_SUCH_PLAN, PLAN_REMOVE, POSE_GET_POSE,
    SERVICE_INVALID_PARAMETER, STATUS_GET_STATUS)

from harness.command import waymark
from harness.daemon import SIMULATION
from harness.varlink import CallFailed, Connection
from harness.waiting import wait_until

pytestmark = pytest.mark.library


def feature(kind, geometry, coordinates, level="0"):
    return {
        "type": "Feature", "properties": {"kind": kind, "level": level},
        "geometry": {"type": geometry, "coordinates": coordinates}}


def document(west=8, south=47, walls=1):
    ring = [[west, south], [west + 1e-3, south], [west + 1e-3, south + 1e-3], [west, south + 1e-3], [west, south]]
    return {"type": "FeatureCollection", "features": [
        feature("floor", "Polygon", [ring]), feature("door", "Point", ring[1], "1"),
        *[feature("wall", "LineString", [[west + 1e-7 * number, south], [west, south + 1e-4]]) for number in range(walls)]]}


def run(daemon, *arguments, code=0, **options):
    result = waymark("plan", *arguments, socket=daemon.socket, **options)
    assert result.returncode == code, result
    return result.stdout if code == 0 else result.stderr


def written(path, content):
    path.write_text(json.dumps(content))
    return path


def plans(daemon):
    return {plan["id"]: plan for plan in daemon.call(PLAN_LIST)["plans"]}


def text(daemon, id):
    """A document in all of its parts."""
    parts, start = [], 0
    while start is not None:
        reply = daemon.call(PLAN_GET, {"id": id, "from": start})
        parts.append(reply["document"])
        start = reply.get("next")
    return "".join(parts), len(parts)


def test_a_plan_is_imported_listed_shown_and_removed(walk, tmp_path):
    assert "stored as 'station': 2 levels, 3 features, 7 points" in run(
        walk, "import", written(tmp_path / "station.geojson", document()))
    assert "Main hall stored as 'hall'" in run(
        walk, "import", "--id", "hall", "--name", "Main hall", "-", input=json.dumps(document(9)), stdin=None)
    table = run(walk, "list")
    assert "station" in table and "Main hall" in table
    listed = json.loads(run(walk, "list", "--json", "--position", "47,9"))["plans"]
    assert [plan["id"] for plan in listed] == ["hall", "station"]
    assert listed[1]["extent"] == pytest.approx({"south": 47, "north": 47.001, "west": 8, "east": 8.001}, abs=1e-9)
    shown = run(walk, "show", "hall")
    assert "Main hall" in shown and "47.0000000° 9.0000000°" in shown
    assert json.loads(run(walk, "show", "--json", "hall"))["plan"] == plans(walk)["hall"]
    output = tmp_path / "out.geojson"
    run(walk, "show", "--output", output, "hall")
    assert json.loads(run(walk, "show", "--output", "-", "hall")) == json.loads(output.read_text())
    assert "already exists" in run(walk, "show", "--output", output, "hall", code=1)
    # What was written is the same plan again.
    run(walk, "import", "--id", "copy", "--name", "Main hall", output)
    found = plans(walk)
    assert {**found["copy"], "id": "", "imported": ""} == {**found["hall"], "id": "", "imported": ""}
    assert text(walk, "copy") == text(walk, "hall")
    for id in ("hall", "copy", "station"):
        run(walk, "remove", id)
    assert plans(walk) == {} and "No stored plans" in run(walk, "list")
    for command in ("show", "remove"):
        assert "no plan with id 'hall': `waymark plan list` shows ids" in run(walk, command, "hall", code=1)


def test_a_long_document_comes_in_parts(walk, tmp_path):
    made = written(tmp_path / "long.geojson", document(walls=8000))
    run(walk, "import", made)
    found, parts = text(walk, "long")
    assert parts > 1 and len(json.loads(found)["features"]) == 8002
    assert json.loads(run(walk, "show", "--output", "-", "long")) == json.loads(found)
    assert walk.call(PLAN_GET, {"id": "long", "from": 10**9})["document"] == ""
    walk.call(PLAN_REMOVE, {"id": "long"})


@pytest.mark.parametrize("content, where", [
    (b'{"type":"FeatureCollection","features":[{"type":"Feature","properties":{"kind":"wall"},"geometry":{"type":'
     b'"LineString","coordinates":[[8,47],[8,97]]}}]}', "$.features[0]"),
    (b"no plan", ""), (b"", ""), (b"\x00" * 1000, ""), (b"[" * 100_000, ""), (b"\xff\xfe{", ""),
    (json.dumps(document(walls=40_000)).encode(), "10000"),
], ids=["latitude", "words", "empty", "zeros", "nested", "utf-16", "parts"])
def test_a_hostile_file_is_refused_with_the_place_of_the_flaw_and_changes_nothing(walk, tmp_path, content, where):
    run(walk, "import", written(tmp_path / "hall.geojson", document()))
    before = plans(walk)
    path = tmp_path / "hostile.geojson"
    path.write_bytes(content)
    message = run(walk, "import", "--id", "hall", path, code=1)
    assert str(path) in message and where in message and "nothing was stored" in message
    assert plans(walk) == before


def test_what_cannot_be_a_call_is_refused_by_name(walk, tmp_path):
    good = json.dumps(document())
    for parameters, wrong in [
            ({}, "document"), ({"document": good, "descriptor": 0}, "document"), ({"document": good, "id": ""}, "id"),
            ({"document": good, "id": "x" * 81}, "id"), ({"document": good, "name": "x" * 201}, "name"),
            ({"descriptor": 0}, "descriptor")]:
        with pytest.raises(CallFailed) as failure:
            walk.call(PLAN_IMPORT, parameters)
        assert (failure.value.name, failure.value.parameters) == (SERVICE_INVALID_PARAMETER, {"parameter": wrong})
    for method, parameters, wrong in [
            (PLAN_LIST, {"limit": 0}, "limit"), (PLAN_LIST, {"near": {"latitude": 91, "longitude": 0}}, "near"),
            (PLAN_GET, {"id": "x", "from": -1}, "from")]:
        with pytest.raises(CallFailed) as failure:
            walk.call(method, parameters)
        assert failure.value.parameters == {"parameter": wrong}
    with pytest.raises(CallFailed) as failure:
        walk.call(PLAN_GET, {"id": "unknown"})
    assert (failure.value.name, failure.value.parameters) == (PLAN_NO_SUCH_PLAN, {"id": "unknown"})
    # A pipe could be written for hours.
    reading, writing = os.pipe()
    with Connection(walk.socket) as connection, pytest.raises(CallFailed) as failure:
        connection.send_call(PLAN_IMPORT, {"descriptor": 0}, [reading])
        connection.reply()
    assert failure.value.name == PLAN_INVALID_DOCUMENT and "regular file" in failure.value.parameters["reason"]
    os.close(reading)
    os.close(writing)


def test_lines_of_a_plan_at_hand_are_those_around_a_location(walk, tmp_path):
    walk.wait_for_state("localized")
    geo = walk.call(POSE_GET_POSE)["pose"]["geo"]
    west, south = geo["longitude"] - 5e-4, geo["latitude"] - 5e-4
    run(walk, "import", "--name", "<b>Hall</b>", written(tmp_path / "here.geojson", document(west, south, walls=5000)))
    asked = {"id": "here", "level": "0", "near": {"latitude": south, "longitude": west}}

    def lines(**changes):
        try:
            return walk.call(PLAN_GET_LINES, {**asked, **changes})
        except CallFailed as failure:
            return failure.name, failure.parameters

    # The daemon looks for plans around the wearer once in a while.
    wait_until(lambda: isinstance(lines(), dict))
    whole = lines()
    assert whole["name"] == "<b>Hall</b>" and whole["radius"] < 200
    assert 3990 < sum(len(line["points"]) // 2 - 1 for line in whole["lines"]) <= 4000
    near = lines(level="1", radius=500)
    assert near["lines"] == [{"kind": "door", "points": [pytest.approx(111.32 * math.cos(math.radians(south)), abs=1), 0]}]
    assert lines(level="1", radius=1)["lines"] == []
    assert lines(id="station2") == (PLAN_NO_SUCH_PLAN, {"id": "station2"})
    for wrong in ({"level": "7"}, {"radius": 501}, {"radius": 0.5}, {"near": {"latitude": 91, "longitude": 0}}):
        assert lines(**wrong) == (SERVICE_INVALID_PARAMETER, {"parameter": next(iter(wrong))})
    # Satellites measure the motion.
    assert "plan" not in walk.call(STATUS_GET_STATUS)["status"]
    run(walk, "remove", "here")


def test_plans_survive_a_restart_and_kill_and_a_damaged_one_is_moved_aside(daemon):
    made = daemon(SIMULATION).start()
    for id, west in (("a", 8), ("b", 9), ("c", 10)):
        made.call(PLAN_IMPORT, {"document": json.dumps(document(west)), "id": id})
    made.call(PLAN_REMOVE, {"id": "b"})
    newest = made.call(PLAN_IMPORT, {"document": json.dumps(document(11)), "id": "a", "name": "again"})["plan"]
    kept = plans(made)
    assert kept.keys() == {"a", "c"} and kept["a"] == newest
    made.program.process.kill()
    made.program.process.wait()
    made.start()
    assert plans(made) == kept
    assert made.stop() == 0
    made.start()
    assert plans(made) == kept
    assert made.stop() == 0
    file = made.folder / "state/simulated-plans/a.plan"
    content = bytearray(file.read_bytes())
    content[-20] ^= 1
    file.write_bytes(content)
    made.start()
    with pytest.raises(CallFailed) as failure:
        made.call(PLAN_GET, {"id": "a"})
    assert "import the plan again" in failure.value.parameters["reason"]
    made.said("a.plan is damaged and was moved to")
    assert plans(made) == {"c": kept["c"]}
    assert made.call(STATUS_GET_STATUS)["status"]["damagedPlans"] == [f"{file}.damaged"]
    made.call(PLAN_IMPORT, {"document": json.dumps(document()), "id": "a"})
    assert plans(made).keys() == {"a", "c"}
