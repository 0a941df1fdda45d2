"""Routes in the running daemon: every form of document, broken ones, replacement under readers, and the next start."""
import concurrent.futures
import json
import os
import socket
import stat
import subprocess

import pytest
from waymark_interface import (
    POSE_GET_POSE, SCENE_CLEAR_ROUTE, SCENE_GET_ROUTE, SCENE_INVALID_DOCUMENT, SCENE_NO_ROUTE, SCENE_OTHER_ROUTE,
    SCENE_SET_ROUTE, SERVICE_INVALID_PARAMETER, SERVICE_PERMISSION_DENIED)

from harness.account import as_other_user, needs_root
from harness.command import waymark
from harness.daemon import SIMULATION
from harness.paths import PROGRAMS
from harness.poses import longest_gap
from harness.varlink import CallFailed, Connection
from harness.waiting import wait_until

pytestmark = pytest.mark.library

# Between two poses at 20 Hz; to read the longest route takes the daemon 0.4 s of processor time. Seconds.
NO_GAP = 0.25

SET, CLEAR, GET = SCENE_SET_ROUTE, SCENE_CLEAR_ROUTE, SCENE_GET_ROUTE

# North, then to the right, then to the left: latitude and longitude.
LINE = [(47.3770, 8.5410), (47.3790, 8.5410), (47.3790, 8.5440), (47.3805, 8.5440)]
LENGTH = 222.4 + 226.5 + 166.8


def polyline(points, precision):
    """Google's encoding of (latitude, longitude)."""
    def number(value):
        value = ~(value << 1) if value < 0 else value << 1
        text = ""
        while value >= 0x20:
            text, value = text + chr((0x20 | (value & 0x1f)) + 63), value >> 5
        return text + chr(value + 63)

    text, last = "", (0, 0)
    for point in points:
        scaled = tuple(round(part * 10 ** precision) for part in point)
        text += number(scaled[0] - last[0]) + number(scaled[1] - last[1])
        last = scaled
    return text


def lonlat(points):
    return [[longitude, latitude] for latitude, longitude in points]


def place(index):
    return {"lat": LINE[index][0], "lng": LINE[index][1]}


def osrm(**extra):
    def step(index, kind, modifier=None):
        maneuver = {"location": lonlat(LINE)[index], "type": kind, "bearing_before": 0, "bearing_after": 0}
        if modifier:
            maneuver["modifier"] = modifier
        part = LINE[index:index + 2] if kind != "arrive" else LINE[-1:] * 2
        return {"geometry": polyline(part, 5), "maneuver": maneuver, "name": "Elm Street", "duration": 150.0}

    steps = [step(0, "depart"), step(1, "turn", "right"), step(2, "turn", "left"), step(3, "arrive")]
    return {
        "code": "Ok",
        "routes": [{
            "geometry": polyline(LINE, 5), "distance": LENGTH, "duration": 450.0,
            "legs": [{"steps": steps, "duration": 450.0, "distance": LENGTH}]}],
        "waypoints": [{"location": lonlat(LINE)[0], "name": ""}, {"location": lonlat(LINE)[-1], "name": "Fountain"}],
        **extra}


def valhalla(line):
    maneuvers = [(1, "Walk north."), (10, "Turn right."), (15, "Turn left."), (4, "You are there.")]
    return {"trip": {
        "locations": [{"lat": line[0][0], "lon": line[0][1]}, {"lat": line[-1][0], "lon": line[-1][1]}],
        "legs": [{
            "shape": polyline(line, 6), "summary": {"time": 450.0, "length": LENGTH / 1000},
            "maneuvers": [{
                "type": kind, "instruction": text, "begin_shape_index": index, "end_shape_index": index + 1, "time": 150.0}
                for index, (kind, text) in enumerate(maneuvers)]}],
        "summary": {"time": 450.0, "length": LENGTH / 1000}, "status": 0, "status_message": "Found route"}}


GOOGLE = {
    "status": "OK", "geocoded_waypoints": [],
    "routes": [{
        "overview_polyline": {"points": polyline(LINE, 5)}, "summary": "Elm Street",
        "legs": [{
            "duration": {"value": 450}, "distance": {"value": 616}, "end_address": "Fountain", "end_location": place(3),
            "start_location": place(0),
            "steps": [{
                "start_location": place(index), "end_location": place(index + 1), "duration": {"value": 150},
                "html_instructions": text, "polyline": {"points": polyline(LINE[index:index + 2], 5)},
                **({"maneuver": maneuver} if maneuver else {})}
                for index, (text, maneuver) in enumerate(
                    [("Head north", None), ("Turn <b>right</b>", "turn-right"), ("Turn left", "turn-left")])]}]}]}

GEOJSON = {"type": "Feature", "properties": {"name": "Fountain"},
           "geometry": {"type": "LineString", "coordinates": lonlat(LINE)}}

GPX = ('<?xml version="1.0"?><gpx version="1.1" creator="test" xmlns="http://www.topografix.com/GPX/1/1"><rte>'
       "<name>Fountain</name>"
       + "".join(f'<rtept lat="{latitude}" lon="{longitude}"/>' for latitude, longitude in LINE) + "</rte></gpx>")

FORMS = {
    "osrm": (json.dumps(osrm()), []),
    "mapbox": (json.dumps(osrm(uuid="cjk3")), []),
    "valhalla": (json.dumps(valhalla(LINE)), []),
    "google": (json.dumps(GOOGLE), []),
    "geojson": (json.dumps(GEOJSON), []),
    "gpx": (GPX, []),
    "polyline5": (polyline(LINE, 5), ["--format", "polyline5"]),
    "polyline6": (polyline(LINE, 6) + "\n", ["--precision", "6"]),
}


def route(daemon):
    return daemon.call(GET, {"limit": 0})["route"]


def shows_the_line(found, with_time=False):
    assert found["length"] == pytest.approx(LENGTH, abs=1)
    assert found["turns"] == 2 and found["vertices"] >= 4
    if with_time:
        assert found["duration"] == pytest.approx(450)


@pytest.mark.parametrize("form", FORMS)
def test_every_form_of_document_is_followed(walk, tmp_path, form):
    """behaviour 29: each format is recognised, or read as it is declared, from a file, a pipe and a declared format."""
    document, options = FORMS[form]
    file = tmp_path / "document"
    file.write_text(document)
    for arguments, run in (
            ([file, *options], {}),
            ([file, "--format", form], {}),
            (["-", "--format", form, "--name", "My way"], {"input": document})):
        walk.call(CLEAR)
        done = set_route(walk, *arguments, **run)
        assert done.returncode == 0, done.stderr
        assert "2 turns" in done.stdout
        shows_the_line(route(walk), with_time=form in ("osrm", "mapbox", "valhalla", "google"))
    assert route(walk)["name"] == "My way"


def set_route(daemon, *arguments, input=None):
    """Runs `waymark route set` with a pipe on its standard input."""
    environment = {**os.environ, "WAYMARK_SOCKET": str(daemon.socket)}
    return subprocess.run(
        [str(PROGRAMS / "waymark"), "route", "set", *map(str, arguments)], env=environment, capture_output=True, text=True,
        input=input or "", timeout=60)


def test_a_service_that_names_its_turns_is_quoted(walk, tmp_path):
    walk.wait_for_state("localized", "limited")
    here = wait_until(lambda: walk.call(POSE_GET_POSE)["pose"].get("geo"), what="a position")
    # From the wearer's place on, so that the first turn lies 222 m ahead.
    north, east = here["latitude"] - LINE[0][0], here["longitude"] - LINE[0][1]
    file = tmp_path / "valhalla.json"
    file.write_text(json.dumps(valhalla([(latitude + north, longitude + east) for latitude, longitude in LINE])))
    assert set_route(walk, file).returncode == 0
    found = wait_until(lambda: "along" in (found := route(walk)) and found, what="a place on the route")
    assert found["along"] < 200
    assert found["nextTurn"]["text"] == "Turn right." and found["nextTurn"]["side"] == "right"
    assert found["nextTurn"]["alongRoute"] == pytest.approx(222.4 - found["along"], abs=2)


def broken(**changes):
    document = osrm()
    for key, value in changes.items():
        document["routes"][0][key] = value
    return document


def without_geometry():
    document = osrm()
    document["routes"][0].pop("geometry")
    document["routes"][0]["legs"] = []
    return document


BROKEN = {
    "missing geometry": (json.dumps(without_geometry()), "$.routes[0]", "geometry"),
    "geometry of another type": (json.dumps(broken(geometry=17, legs=[])), "$.routes[0].geometry", ""),
    "no route": (json.dumps({"code": "NoRoute", "message": "Impossible"}), "$.code", "NoRoute"),
    "NaN": (json.dumps(GEOJSON).replace("8.541,", "NaN,"), "$.geometry.coordinates[0]", ""),
    "beyond the pole": (json.dumps(GEOJSON).replace("47.377]", "97.377]"), "$.geometry.coordinates[0]", "97"),
    "one point": (json.dumps({"type": "LineString", "coordinates": [[8, 47]]}), "$", "two different points"),
    "empty": ("", "", "empty"),
    "cut": (json.dumps(GEOJSON)[:60], "", ""),
    "deep nesting": ("[" * 100_000, "", ""),
    "deep nesting in an object": ('{"type":"Feature","geometry":' + "[" * 100_000, "$", ""),
    "no document": ("hello there", "", ""),
    "broken GPX": (GPX.replace('lat="47.379"', 'lat="x"', 1), "line 1", ""),
    "a polyline without its precision": (polyline(LINE, 5), "", "precision"),
}


@pytest.mark.parametrize("form", BROKEN)
def test_a_broken_document_is_refused_with_its_place_and_the_route_stays(walk, tmp_path, form):
    """behaviour 29: what is wrong is named, with the JSON path."""
    assert set_route(walk, "-", "--name", "present", input=json.dumps(GEOJSON)).returncode == 0
    before = route(walk)
    document, path, words = BROKEN[form]
    file = tmp_path / "document"
    file.write_text(document)
    with pytest.raises(CallFailed) as refused:
        walk.call(SET, {"document": document[:60_000]})
    assert refused.value.name == SCENE_INVALID_DOCUMENT
    done = set_route(walk, file)
    assert done.returncode == 1 and done.stdout == ""
    assert str(file) in done.stderr and path in done.stderr and words in done.stderr
    assert "the current route is unchanged" in done.stderr and "Traceback" not in done.stderr
    assert route(walk)["name"] == before["name"] and route(walk)["length"] == before["length"]


def test_a_polyline_of_the_wrong_precision_is_refused(walk, tmp_path):
    """Read with five decimals what was written with six is ten times too far away."""
    document = {**osrm(), "routes": [{"geometry": polyline(LINE, 6), "legs": [], "duration": 1.0}]}
    file = tmp_path / "document"
    file.write_text(json.dumps(document))
    done = set_route(walk, file, "--precision", "5")
    assert done.returncode == 1
    assert "$.routes[0]" in done.stderr


@pytest.mark.parametrize("parameters, wrong", [
    ({}, "document"), ({"document": "", "descriptor": 0}, "document"), ({"descriptor": 0}, "descriptor"),
    ({"descriptor": -1}, "descriptor"), ({"document": "x", "format": "shape"}, "format"),
    ({"document": "x", "precision": 7}, "precision"), ({"document": "x", "name": ""}, "name"),
    ({"document": "x", "id": "i" * 201}, "id"), ({"document": 5}, "document"),
])
def test_a_parameter_out_of_its_range_is_named(walk, parameters, wrong):
    with pytest.raises(CallFailed) as refused:
        walk.call(SET, parameters)
    assert refused.value.name == SERVICE_INVALID_PARAMETER
    assert refused.value.parameters == {"parameter": wrong}


@pytest.mark.parametrize("parameters, wrong", [
    ({"limit": 5001}, "limit"), ({"limit": -1}, "limit"), ({"from": -1}, "from")])
def test_vertices_are_given_within_bounds(walk, parameters, wrong):
    assert set_route(walk, "-", input=json.dumps(GEOJSON)).returncode == 0
    with pytest.raises(CallFailed) as refused:
        walk.call(GET, parameters)
    assert refused.value.parameters == {"parameter": wrong}
    reply = walk.call(GET, {"from": 1, "limit": 2})
    assert [(each["latitude"], each["longitude"]) for each in reply["vertices"]] == LINE[1:3]
    assert walk.call(GET, {"from": 4})["vertices"] == []


def test_ten_megabytes_do_not_hold_up_the_poses(walk, tmp_path):
    """behaviour 29: a long document is read beside the poses, and once it is cleared its memory is free."""
    walk.wait_for_state("localized", "limited")
    before = walk.program.anonymous_kib()
    file = tmp_path / "long.json"
    points = ",".join(f"[{8.541 + (index % 2) * 1e-6:.24f},{47.377 + index * 1e-6:.24f}]" for index in range(180_000))
    file.write_text('{"type":"LineString","coordinates":[' + points + "]}")
    assert file.stat().st_size > 10_000_000
    with walk.subscribe() as reader, concurrent.futures.ThreadPoolExecutor() as pool:
        reader.wait_for_more(20)
        done = set_route(walk, file)
        reader.wait_for_more()
        assert longest_gap(reader) < NO_GAP
    assert done.returncode == 0, done.stderr
    assert route(walk)["vertices"] == 180_000
    shown = waymark("route", "show", "--json", socket=walk.socket)
    assert len(json.loads(shown.stdout)["vertices"]) == 180_000
    assert waymark("route", "clear", socket=walk.socket).returncode == 0
    # Past poses take 6 KiB a second meanwhile, and the plan that is made of the line may still be on its thread.
    walk.wait_until(
        lambda: walk.program.anonymous_kib() < before + 4_000,
        what=lambda: f"{walk.program.anonymous_kib()} KiB as before the route, {before}")


def test_what_is_too_long_or_cannot_be_read_is_told_before_the_daemon_is_asked(walk, tmp_path):
    large = tmp_path / "large"
    with open(large, "wb") as file:
        file.truncate((16 << 20) + 1)
    for path, words in ((large, "16 MiB"), (tmp_path / "none", "No such file"), (tmp_path, "directory")):
        done = set_route(walk, path)
        assert done.returncode == 1 and words in done.stderr and str(path) in done.stderr
    done = set_route(walk, "-", input="x" * ((16 << 20) + 1))
    assert done.returncode == 1 and "16 MiB" in done.stderr
    done = set_route(walk, large, "--format", "shape")
    assert done.returncode == 2 and "osrm" in done.stderr


def test_a_pipe_cannot_hold_up_the_routes(walk):
    reading, writing = os.pipe()
    try:
        with walk.connect() as connection:
            message = json.dumps({"method": SET, "parameters": {"descriptor": 0}}).encode() + b"\0"
            socket.send_fds(connection.socket, [message], [reading])
            reply = json.loads(connection.message())
        assert reply["error"] == SCENE_INVALID_DOCUMENT and "regular" in reply["parameters"]["reason"]
    finally:
        os.close(reading)
        os.close(writing)


def test_two_clients_see_the_replacement_as_a_whole(walk):
    """behaviour 28: nothing of the old route stays."""
    first = {**GEOJSON, "properties": {"name": "first"}}
    second = {"type": "Feature", "properties": {"name": "second"},
              "geometry": {"type": "LineString", "coordinates": lonlat(LINE[:2])}}
    with walk.connect() as one, walk.connect() as other, walk.connect() as changing:
        for _ in range(20):
            for document, length in ((first, LENGTH), (second, 222.4)):
                reply = changing.call(SET, {"document": json.dumps(document)})["route"]
                assert reply["name"] == document["properties"]["name"]
                for reader in (one, other):
                    seen = reader.call(GET)
                    assert seen["route"]["name"] == reply["name"]
                    assert seen["route"]["length"] == pytest.approx(length, abs=1)
                    assert len(seen["vertices"]) == len(document["geometry"]["coordinates"])


def test_a_route_replaces_only_the_one_that_it_is_for(walk):
    """behaviour 52: of two that want to take the same one's place at the same time, one does."""
    def change(name):
        with walk.connect() as connection:
            try:
                return connection.call(SET, {"document": json.dumps(GEOJSON), "id": name, "replaces": "base"})["route"]["id"]
            except CallFailed as refused:
                assert refused.name == SCENE_OTHER_ROUTE
                return refused.parameters

    with concurrent.futures.ThreadPoolExecutor() as pool:
        for _ in range(20):
            walk.call(SET, {"document": json.dumps(GEOJSON), "id": "base"})
            answers = list(pool.map(change, ["one", "other"]))
            winner = route(walk)["id"]
            assert winner in ("one", "other") and winner in answers and {"id": winner} in answers
    walk.call(CLEAR)
    assert change("one") == {}
    with pytest.raises(CallFailed) as refused:
        walk.call(SET, {"document": json.dumps(GEOJSON), "replaces": ""})
    assert refused.value.parameters == {"parameter": "replaces"}


@needs_root
def test_somebody_without_permission_reads_the_route_but_does_not_change_it(open_daemon):
    made = open_daemon()
    before = route(made)

    def action():
        with Connection(made.socket) as connection:
            errors = [connection.error(method, parameters) for method, parameters in (
                (SET, {"document": json.dumps(GEOJSON)}), (CLEAR, None))]
            return [*errors, connection.call(GET)["route"]["name"]]

    denied = SERVICE_PERMISSION_DENIED
    assert as_other_user(action) == [denied, denied, before["name"]]
    assert route(made)["vertices"] == before["vertices"]


def test_the_route_is_kept_over_a_restart_and_gone_once_it_is_cleared(daemon, tmp_path):
    made = daemon(SIMULATION).start()
    built_in = route(made)["name"]
    assert set_route(made, "-", "--name", "kept", input=json.dumps(osrm())).returncode == 0
    before = route(made)
    kept = made.folder / "state" / "simulated-route.geojson"
    assert stat.S_IMODE(kept.stat().st_mode) == 0o600
    assert json.loads(kept.read_text())["type"] == "Feature"
    # Killed, it had no time to write anything.
    made.program.process.kill()
    made.program.process.wait()
    made.start()
    made.said("restored from the previous run")
    after = route(made)
    for key in ("id", "name", "length", "duration", "vertices", "turns"):
        assert after[key] == before[key]
    assert waymark("route", "clear", socket=made.socket).returncode == 0
    assert not kept.exists()
    with pytest.raises(CallFailed) as missing:
        made.call(GET)
    assert missing.value.name == SCENE_NO_ROUTE
    done = waymark("route", "show", socket=made.socket)
    assert done.returncode == 1 and "waymark route set" in done.stderr
    assert waymark("route", "clear", socket=made.socket).returncode == 0
    made.stop()
    made.start()
    assert route(made)["name"] == built_in, "the simulated walk has a route of its own"


def test_a_damaged_kept_route_is_set_aside(daemon):
    made = daemon(SIMULATION)
    state = made.folder / "state"
    state.mkdir()
    (state / "simulated-route.geojson").write_text('{"type":"Feature","properties":{}')
    made.start()
    made.said("is not a valid route and was moved")
    assert (state / "simulated-route.geojson.damaged").exists()
    assert made.call(GET)["route"]["state"] == "following"


def test_a_route_that_cannot_be_kept_is_still_followed(daemon):
    made = daemon(SIMULATION, {"state": {"directory": "/proc/nowhere"}}).start()
    assert set_route(made, "-", "--name", "today", input=json.dumps(GEOJSON)).returncode == 0
    made.said("the route will not survive a restart")
    assert route(made)["name"] == "today"


def test_routes_of_the_command_line_explain_themselves():
    for arguments, words in (
            (["route", "--help"], ["set", "show", "clear"]), (["route", "set", "--help"], ["--precision", "polyline6"])):
        done = waymark(*arguments)
        assert done.returncode == 0 and all(word in done.stdout for word in words)
    done = waymark("route")
    assert done.returncode == 2 and "set, show, clear" in done.stderr and "waymark route --help" in done.stderr
    done = waymark("route", "walk")
    assert done.returncode == 2 and "unknown command 'walk'" in done.stderr
