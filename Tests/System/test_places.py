"""The place store of the real daemon: import, export, search, favourites, filters, and what survives."""
import json
import os
import pathlib
import random
import re
import shutil
import sqlite3
import subprocess

import pytest
from waymark_interface import (
    POSE_GET_POSE,
    SCENE_CANNOT_EXPORT, SCENE_CANNOT_STORE, SCENE_EXPLAIN, SCENE_EXPORT_PLACES, SCENE_GET_FILTER, SCENE_GET_PLACE,
    SCENE_IMPORT_PLACES, SCENE_INVALID_DOCUMENT, SCENE_INVALID_FILTER, SCENE_NEAR_PLACES, SCENE_REMOVE_FILTER,
    SCENE_SEARCH_PLACES, SCENE_SET_FAVORITE, SCENE_SET_FILTER, SCENE_USE_FILTER, SERVICE_INVALID_PARAMETER,
    SERVICE_PERMISSION_DENIED)

from harness.account import OTHER_ACCOUNT, as_other_user, needs_root
from harness.command import waymark
from harness.daemon import SIMULATION
from harness.paths import PROGRAMS
from harness.process import Program
from harness.varlink import CallFailed, Connection
from harness.waiting import PATIENCE, wait_until

pytestmark = pytest.mark.library

# Places committed at once.
BATCH = 4000
NEAR = {"latitude": 47.0, "longitude": 8.0}


def feature(number, name=None, **properties):
    return {
        "type": "Feature", "id": f"node/{number}",
        "geometry": {"type": "Point", "coordinates": [8 + number % 1000 * 1e-5, 47 + number // 1000 * 1e-5]},
        "properties": {"name": name or f"Place {number}", "kind": ("cafe", "stop", "bench")[number % 3], **properties}}


def collection(*features):
    return json.dumps({"type": "FeatureCollection", "features": features})


@pytest.fixture(scope="module")
def many(tmp_path_factory):
    """A document of sixty thousand places."""
    path = tmp_path_factory.mktemp("places") / "many.geojsonl"
    with open(path, "w") as file:
        for number in range(60_000):
            file.write(json.dumps(feature(number)) + "\n")
    return path


def run(daemon, *arguments, code=0):
    result = waymark("places", *arguments, socket=daemon.socket)
    assert result.returncode == code, result
    return result.stdout if code == 0 else result.stderr


def found(daemon, text, **parameters):
    return daemon.call(SCENE_SEARCH_PLACES, {"text": text, **parameters})["places"]


def names(daemon, text, **parameters):
    return [place["name"] for place in found(daemon, text, **parameters)]


def imports(daemon):
    """Whether the daemon's thread for an import is there."""
    tasks = pathlib.Path(f"/proc/{daemon.program.pid}/task")
    return any("import places" in (task / "comm").read_text() for task in tasks.iterdir())


def database(daemon):
    return daemon.folder / "state" / "simulated-places.sqlite"


def check(daemon, copy):
    """What a daemon that was killed has left: looked at in a copy, as a restart would find it; the number of places."""
    shutil.copytree(daemon.folder / "state", copy)
    with sqlite3.connect(copy / "simulated-places.sqlite") as connection:
        assert connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
        connection.execute("INSERT INTO place_search (place_search) VALUES ('integrity-check')")
        return connection.execute("SELECT count(*) FROM place").fetchone()[0]


# What goes in and comes out


def test_places_are_imported_found_and_exported(walk, tmp_path):
    document = tmp_path / "town.geojson"
    document.write_text(collection(
        feature(1, "Café Zürich", phone="123"), feature(2, "Zürcher Bank"), feature(3, "Bäckerei", favorite=True)))
    assert "3 places imported, 3 of them new" in run(walk, "import", document)
    assert [place["name"] for place in found(walk, "zur caf")] == ["Café Zürich"], "any word may be begun"
    place = found(walk, "cafe zur")[0]
    assert place["id"] == "node/1" and place["kind"] == "stop" and place["properties"] == {"phone": "123"}
    assert names(walk, "zür", near=NEAR)[:1] == ["Zürcher Bank"]
    assert found(walk, "backerei")[0]["favorite"] is True
    table = run(walk, "search", "cafe z")
    assert "Café Zürich" in table and "node/1" in table
    assert json.loads(run(walk, "search", "--json", "--position", "47,8", "cafe z"))["places"][0]["distance"] < 1000
    for form in ("geojson", "geojsonseq", "ndjson"):
        output = tmp_path / f"out.{form}"
        run(walk, "export", "--format", form, output)
        assert "Café Zürich" in output.read_text()
        assert ", 0 of them new" in run(walk, "import", output)
    assert json.loads((tmp_path / "out.geojson").read_text())["type"] == "FeatureCollection"
    assert "Zürcher Bank" in run(walk, "export", "-")
    assert "cannot create" in run(walk, "export", tmp_path / "out.geojson", code=1)


def test_longitude_and_latitude_exchanged_are_noticed_by_the_position_of_the_wearer(walk, tmp_path):
    """Each is a valid coordinate alone: a town, a route and a plan some thousand kilometres from the simulated walk."""
    wait_until(lambda: "geo" in walk.call(POSE_GET_POSE)["pose"], what="a position")
    corners = [[47.3768, 8.5417], [47.3769, 8.5417], [47.3769, 8.5418], [47.3768, 8.5417]]

    def written(file, geometry, coordinates, **properties):
        (tmp_path / file).write_text(json.dumps({"type": "FeatureCollection", "features": [{
            "type": "Feature", "properties": properties, "geometry": {"type": geometry, "coordinates": coordinates}}]}))
        return tmp_path / file

    town = written("town.geojson", "Point", corners[0], name="Café")
    way = written("way.geojson", "LineString", corners)
    plan = written("plan.geojson", "Polygon", [corners], kind="floor", level="0")
    for words, file in ((["places", "import"], town), (["route", "set"], way), (["plan", "import"], plan)):
        result = waymark(*words, file, socket=walk.socket)
        assert result.returncode == 0, result
        assert "km from here, but nearby with longitude and latitude exchanged" in result.stderr, result
    file = written("right.geojson", "LineString", [[east, north] for north, east in corners])
    assert waymark("route", "set", file, socket=walk.socket).stderr == ""


@pytest.mark.parametrize("name, text, wrong", [
    ("waypoints.gpx", """<?xml version="1.0"?><gpx version="1.1" xmlns="http://www.topografix.com/GPX/1/1">
        <wpt lat="31.5" lon="-20.25"><ele>431.5</ele><name>Alphütte &amp; Co</name><desc>Zwei\nZeilen</desc>
        <sym>Lodge</sym><type>Mountain Hut</type></wpt>
        <wpt lat="31.5" lon="x"><name>nowhere</name></wpt></gpx>""", "line 5, column 9: lon has to be"),
    ("table.csv", 'Name;Lat;Lon;Ele;Category;description;wrong\r\n"Alphütte & Co";31,5;-20,25;431,5;Mountain Hut;"Zwei\n'
        'Zeilen";\r\nnowhere;31,5;x;;;;\r\n', "line 4, column 3: Lon has to be"),
])
def test_waypoints_and_tables_are_imported_and_exported_as_places(walk, tmp_path, name, text, wrong):
    document = tmp_path / name
    document.write_text(text)
    result = waymark("places", "import", "--json", document, socket=walk.socket)
    assert result.returncode == 0 and wrong in result.stderr, result
    assert {key: json.loads(result.stdout)[key] for key in ("imported", "flawed")} == {"imported": 1, "flawed": 1}
    place, = found(walk, "alphütte")
    assert (place["name"], place["kind"]) == ("Alphütte & Co", "mountain_hut")
    assert place["properties"]["description"] == "Zwei\nZeilen"
    feature, = [
        feature for feature in json.loads(run(walk, "export", "-"))["features"] if feature["id"] == place["id"]]
    assert feature["geometry"]["coordinates"] == [-20.25, 31.5]
    assert feature["properties"]["heightKind"] == "sea" and feature["properties"]["heightMetres"] == 431.5
    # From standard input the same place comes again, by its derived id.
    again = waymark("places", "import", "-", socket=walk.socket, input=text, stdin=None)
    assert again.returncode == 0 and "1 place imported, 0 of them new" in again.stdout, again


@pytest.mark.parametrize("text, problem", [
    ("some words, and no more", "neither GeoJSON nor GPX, and as a table (CSV) it lacks the columns lat and lon"),
    ("<html></html>", "its outermost element is 'html'"), ("<gpx><wpt lat='1' lon='2'/>", "no element found"),
    ("<gpx><trk/></gpx>", "its track is no place"), ("lat,lon\n1,\"2\n", "a quotation mark is not closed"),
    ("\ufefflat,lon\n".encode("utf-16").decode("latin-1"), "UTF-16"),
])
def test_what_is_no_document_of_places_is_refused_by_name(walk, tmp_path, text, problem):
    document = tmp_path / "document"
    document.write_bytes(text.encode("latin-1") if "\xff" in text else text.encode())
    assert problem in run(walk, "import", document, code=1)


def test_near_places_are_the_nearest_first(walk, tmp_path):
    document = tmp_path / "line.geojson"
    document.write_text(collection(*[
        {"type": "Feature", "id": f"line/{number}", "geometry": {"type": "Point", "coordinates": [20, 10 + number * 1e-3]},
         "properties": {"name": f"N{number}", "kind": "even" if number % 2 == 0 else "odd"}} for number in range(6)]))
    run(walk, "import", document)
    position = {"latitude": 10, "longitude": 20}
    near = walk.call(SCENE_NEAR_PLACES, {"near": position, "radius": 350})["places"]
    assert [place["id"] for place in near] == ["line/0", "line/1", "line/2", "line/3"]
    assert near[1]["distance"] == pytest.approx(110.6, abs=0.1) and near[1]["bearing"] == pytest.approx(0, abs=1e-6)
    odd = walk.call(SCENE_NEAR_PLACES, {"near": position, "radius": 1000, "kinds": ["odd"], "limit": 2})["places"]
    assert [place["id"] for place in odd] == ["line/1", "line/3"]
    assert "line/3" in run(walk, "near", "--position", "10,20", "--radius", 400, "--kinds", "odd")


def test_a_document_in_the_call_and_flaws_in_it(walk):
    document = collection(
        feature(11, "Good"), {"type": "Feature", "geometry": None, "properties": {}}, feature(12, "Good too"))
    report = walk.call(SCENE_IMPORT_PLACES, {"document": document, "source": "inline"})
    assert (report["imported"], report["added"], report["flawed"]) == (2, 2, 1)
    assert "features[1]" in report["problems"][0]["path"]


def test_an_empty_document_and_one_of_flaws_alone_replace_nothing(walk):
    parameters = {"source": "kept", "replace": True}
    good = {"document": collection(feature(41, "Kept")), **parameters}
    assert walk.call(SCENE_IMPORT_PLACES, good)["imported"] == 1
    for document in ("", collection({"type": "Feature", "geometry": None, "properties": {}})):
        with pytest.raises(CallFailed) as failure:
            walk.call(SCENE_IMPORT_PLACES, {"document": document, **parameters})
        assert failure.value.name == SCENE_INVALID_DOCUMENT
    assert walk.call(SCENE_IMPORT_PLACES, good)["added"] == 0, "it is still there"


def test_replace_drops_what_the_source_no_longer_has(walk):
    def bring(*features, **parameters):
        return walk.call(
            SCENE_IMPORT_PLACES, {"document": collection(*features), "source": "replaced", **parameters})

    bring(feature(21, "Gone Soon"), feature(22, "Stays"), feature(23, "Loved"))
    walk.call(SCENE_SET_FAVORITE, {"id": "node/23", "favorite": True})
    assert bring(feature(22, "Stays"), replace=True)["removed"] == 1
    assert names(walk, "gone soon") == [] and names(walk, "stays") == ["Stays"] and names(walk, "loved") == ["Loved"]


def test_more_gives_progress_and_an_end(walk, many):
    with open(many) as file, walk.connect() as connection:
        connection.send_call(SCENE_IMPORT_PLACES, {"descriptor": 0, "source": "progress"}, [file.fileno()], more=True)
        messages = [json.loads(connection.message())]
        while messages[-1].get("continues"):
            messages.append(json.loads(connection.message()))
    counts = [message["parameters"]["imported"] for message in messages]
    assert counts == sorted(counts) and counts[-1] == 60_000
    assert messages[-1]["parameters"]["bytes"] == os.path.getsize(many)


def test_a_pipe_is_read_and_written(walk):
    command = f"{PROGRAMS / 'waymark'} --socket {walk.socket} places "
    text = json.dumps(feature(31, "Through A Pipe"))
    result = subprocess.run(
        f"echo '{text}' | {command} import --source pipe -; {command} export --format ndjson - | grep 'Through A'",
        shell=True, capture_output=True, text=True, timeout=PATIENCE)
    assert result.returncode == 0 and "Through A Pipe" in result.stdout, result


# What is refused


def test_documents_that_are_none_are_refused_by_name(walk, tmp_path):
    def refusal(**parameters):
        with pytest.raises(CallFailed) as failure:
            walk.call(SCENE_IMPORT_PLACES, parameters)
        return failure.value.name, failure.value.parameters

    for text in ("nonsense", "[1, 2", '{"type": "FeatureCollection", "features": [', '{"features": 7}'):
        name, parameters = refusal(document=text)
        assert name == SCENE_INVALID_DOCUMENT and parameters["reason"], text
    assert walk.call(SCENE_IMPORT_PLACES, {"document": ""})["imported"] == 0, "nothing has no flaw"
    invalid = SERVICE_INVALID_PARAMETER
    assert refusal()[0] == invalid
    assert refusal(descriptor=0)[0] == invalid
    assert refusal(document="{}", descriptor=0)[0] == invalid
    assert refusal(document="{}", source="")[0] == invalid
    assert refusal(document="{}", source="x" * 1000)[0] == invalid
    broken = tmp_path / "broken.geojson"
    broken.write_text('{"type": "FeatureCollection", "features": [{"type": 1}, {]}')
    assert "broken.geojson cannot be imported at $.features" in run(walk, "import", broken, code=1)
    assert "cannot be read" in run(walk, "import", tmp_path / "missing", code=1)


def test_descriptors_that_cannot_be_read_are_refused(walk, tmp_path):
    with walk.connect() as connection:
        for path, flags in ((tmp_path, os.O_RDONLY), ("/dev/zero", os.O_RDONLY), (tmp_path / "out", os.O_WRONLY | os.O_CREAT)):
            descriptor = os.open(path, flags)
            assert connection.error(SCENE_IMPORT_PLACES, {"descriptor": 0}, [descriptor]) == SCENE_INVALID_DOCUMENT
            os.close(descriptor)
        with open("/dev/null") as null:
            assert connection.error(
                SCENE_EXPORT_PLACES, {"descriptor": 0}, [null.fileno()]) == SCENE_CANNOT_EXPORT
            assert connection.error(
                SCENE_EXPORT_PLACES, {"descriptor": 0, "format": "xml"},
                [null.fileno()]) == SERVICE_INVALID_PARAMETER
            assert connection.call(SCENE_IMPORT_PLACES, {"descriptor": 0}, [null.fileno()])["imported"] == 0


def test_hostile_words_find_nothing_and_harm_nothing(walk):
    walk.call(SCENE_IMPORT_PLACES, {"document": collection(feature(41, "Unharmed")), "source": "harmless"})
    for text in ('"', "'; DROP TABLE place; --", "a\0b", "*", "NEAR(", "...", "\u202e", "", "^ + *", "\ufffd"):
        assert found(walk, text) == [], text
    assert names(walk, "unharmed") == ["Unharmed"]
    with walk.connect() as connection:
        for parameters in ({"text": "x" * 10_000}, {"text": "x", "limit": 0}, {"text": "x", "limit": 101},
                           {"text": "x", "near": {"latitude": 91, "longitude": 0}}, {"text": 7}, {}):
            assert connection.error(SCENE_SEARCH_PLACES, parameters) == SERVICE_INVALID_PARAMETER


@needs_root
def test_somebody_without_permission_finds_places_but_changes_none(open_daemon):
    made = open_daemon()
    document = collection(feature(1, "Theirs"))

    def action():
        with Connection(made.socket) as connection:
            errors = [connection.error(method, parameters) for method, parameters in (
                (SCENE_IMPORT_PLACES, {"document": document}), (SCENE_SET_FAVORITE, {"id": "x", "favorite": True}),
                (SCENE_SET_FILTER, {"radius": 300}), (SCENE_USE_FILTER, {"name": "x"}),
                (SCENE_REMOVE_FILTER, {"name": "x"}))]
            with open("/dev/null", "w") as null:
                count = connection.call(SCENE_EXPORT_PLACES, {"descriptor": 0}, [null.fileno()])["count"]
            connection.call(SCENE_SEARCH_PLACES, {"text": "x"})
            connection.call(SCENE_GET_FILTER)
            return [*errors, count > 0]

    assert as_other_user(action) == [SERVICE_PERMISSION_DENIED] * 5 + [True]


@needs_root
def test_the_configured_user_may_import(open_daemon):
    made = open_daemon({"service": {"change_user": OTHER_ACCOUNT}})
    document = collection(feature(1, "Theirs"))

    def action():
        with Connection(made.socket) as connection:
            return connection.call(SCENE_IMPORT_PLACES, {"document": document})["added"]

    assert as_other_user(action) == 1


# Favourites and filters


def test_favourites_and_filters_outlive_the_daemon(daemon):
    made = daemon(SIMULATION).start()
    made.call(SCENE_IMPORT_PLACES, {"document": collection(feature(1, "Rose"), feature(2, "Rosen"))})
    run(made, "favorite", "node/2")
    assert "within 500 m" in run(made, "filter")
    assert "bench, cafe within 300 m" in run(made, "filter", "--kinds", "cafe,bench", "--radius", 300, "--save", "tea")
    assert "favourites only" in run(made, "filter", "--favorites", "yes", "--kinds", "all")
    assert made.stop() == 0
    made.start()
    wait_until(lambda: "all kinds within 300 m, favourites only" in run(made, "filter"))
    assert "★" in run(made, "search", "rosen")
    assert "bench, cafe within 300 m" in run(made, "filter", "--use", "tea")
    assert "tea" in run(made, "filters")
    run(made, "filter", "--remove", "tea")
    assert "no filter 'tea'" in run(made, "filter", "--use", "tea", code=1)
    assert "no place 'nowhere'" in run(made, "favorite", "nowhere", code=1)
    run(made, "favorite", "--remove", "node/2")
    assert "★" not in run(made, "search", "rosen")


def test_filters_out_of_bounds_are_refused_with_a_reason(walk):
    assert "choose one from 200" in run(walk, "filter", "--radius", 100, code=1)
    with walk.connect() as connection:
        for parameters in ({"kinds": ["a", "b", "c", "d"]}, {"kinds": [""]}, {"radius": 1001}, {"radius": -1}):
            assert connection.error(SCENE_SET_FILTER, parameters) == SCENE_INVALID_FILTER, parameters
        assert connection.error(SCENE_SET_FILTER, {"name": ""}) == SERVICE_INVALID_PARAMETER
    assert waymark("places", "filter", "--use", "a", "--radius", 300, socket=walk.socket).returncode == 2


# What goes wrong


@pytest.mark.long
@pytest.mark.parametrize("seed", range(3))
def test_a_kill_in_mid_import_leaves_whole_batches(daemon, many, tmp_path, seed):
    """behaviour 44: kill -9 in mid-import leaves whole batches, and the same import again gives all."""
    made = daemon(SIMULATION).start()
    own = sum(1 for _ in run(made, "export", "--format", "ndjson", "-").splitlines())
    program = Program(
        [PROGRAMS / "waymark", "--socket", made.socket, "places", "import", many], tmp_path / "log",
        stdout=subprocess.DEVNULL)
    wanted = random.Random(seed).randrange(1, 9) * BATCH
    with sqlite3.connect(f"file:{database(made)}?mode=ro", uri=True) as connection:
        wait_until(
            lambda: connection.execute("SELECT count(*) FROM place").fetchone()[0] >= wanted, interval=0.002)
    made.program.end(number=9)
    assert program.wait() == 3, program.log
    left = check(made, tmp_path / "copy") - own
    assert 0 < left < 60_000 and left % BATCH == 0
    made.start()
    assert found(made, "place 17") and found(made, f"place {left - 1}")
    assert f"60000 places imported, {60_000 - left} of them new" in run(made, "import", many)
    assert made.stop() == 0
    assert check(made, tmp_path / "copy of all") == 60_000 + own


@pytest.mark.parametrize("more", [True, False])
def test_an_import_ends_when_its_caller_leaves(daemon, many, more):
    made = daemon(SIMULATION).start()
    reading, writing = os.pipe()
    with open(many) as file:
        os.write(writing, file.read(30_000).encode())
    connection = made.connect()
    connection.send_call(SCENE_IMPORT_PLACES, {"descriptor": 0}, [reading], more=more)
    wait_until(lambda: imports(made), what="an import under way")
    connection.close()
    made.said("ended early")
    report = made.call(SCENE_IMPORT_PLACES, {"document": collection(feature(1))})
    assert report["imported"] == 1
    os.close(reading)
    os.close(writing)


def test_a_stop_does_not_wait_for_an_import(daemon, tmp_path):
    made = daemon(SIMULATION).start()
    reading, writing = os.pipe()
    connection = made.connect()
    connection.send_call(SCENE_IMPORT_PLACES, {"descriptor": 0}, [reading], more=True)
    wait_until(lambda: imports(made), what="an import under way")
    assert made.stop() == 0
    os.close(reading)
    os.close(writing)
    check(made, tmp_path / "copy")


def test_a_damaged_file_is_set_aside_and_the_daemon_goes_on(daemon):
    made = daemon(SIMULATION).start()
    made.call(SCENE_IMPORT_PLACES, {"document": collection(feature(1, "Rose"))})
    assert made.stop() == 0
    size = database(made).stat().st_size
    database(made).write_bytes(os.urandom(size))
    made.start()
    made.said("is damaged and was moved to")
    assert found(made, "rose") == []
    assert made.call(SCENE_IMPORT_PLACES, {"document": collection(feature(1, "Rose"))})["added"] == 1


def test_what_a_damaged_file_held_is_recovered_twice_and_told(daemon):
    made = daemon(SIMULATION).start()
    document = collection(*(feature(number, f"Rose {number}") for number in range(200)))
    made.call(SCENE_IMPORT_PLACES, {"document": document})
    assert "damagedPlaces" not in made.status()
    for turn in (1, 2):
        assert made.stop() == 0
        data = bytearray(database(made).read_bytes())
        data[:100] = os.urandom(100)
        database(made).write_bytes(data)
        made.start()
        wait_until(lambda: len(made.status().get("damagedPlaces", [])) == turn)
        made.said(f"was moved to {database(made)}.damaged-{turn}")
        made.said("were recovered")
        assert len(found(made, "rose")) > 0
    first, second = made.status()["damagedPlaces"]
    assert first["path"].endswith(".damaged-1") and second["path"].endswith(".damaged-2")
    assert first["complete"] and second["complete"] and second["places"] >= 200
    assert "damaged, moved to" in waymark("status", socket=made.socket).stdout
    # Known to the next run, and no more once they are deleted.
    assert made.stop() == 0
    made.start()
    assert len(wait_until(lambda: made.status().get("damagedPlaces"))) == 2
    for copy in database(made).parent.glob("*.damaged-*"):
        copy.unlink()
    wait_until(lambda: "damagedPlaces" not in made.status())


def test_a_damaged_place_is_not_served_and_the_file_is_set_aside_once(daemon):
    made = daemon(SIMULATION).start()
    made.call(SCENE_IMPORT_PLACES, {"document": collection(feature(1, "Rose"), feature(2, "Tulip"))})
    with sqlite3.connect(database(made)) as connection:
        connection.execute("UPDATE place SET latitude = 48 WHERE id = 'node/1'")
    connection.close()
    for _ in range(2):
        assert [place["id"] for place in found(made, "rose", near=NEAR)] == []
        assert names(made, "tulip") == ["Tulip"]
        copy, = wait_until(lambda: made.status().get("damagedPlaces"))
        assert "rows have a wrong checksum" in copy["problem"] and not copy["complete"]
        assert made.stop() == 0
        made.start()
    made.said("1 rows with a wrong checksum are lost: import them again")


@pytest.mark.long
def test_a_pipe_that_delivers_nothing_is_given_up_after_seconds_and_others_go_on(daemon):
    made = daemon(SIMULATION).start()
    reading, writing = os.pipe()
    with made.connect() as silent, made.connect() as other:
        silent.send_call(SCENE_IMPORT_PLACES, {"descriptor": 0}, [reading])
        wait_until(lambda: imports(made), what="an import under way")
        report = other.call(SCENE_IMPORT_PLACES, {"document": collection(feature(1, "Rose")), "source": "other"})
        assert report["imported"] == 1
        with pytest.raises(CallFailed) as given_up:
            silent.reply()
        assert given_up.value.name == SCENE_INVALID_DOCUMENT
        assert "no progress for 10 s" in given_up.value.parameters["reason"]
    os.close(reading)
    os.close(writing)


def test_a_state_directory_that_cannot_be_written_is_a_named_error(daemon):
    made = daemon(SIMULATION, {"state": {"directory": "/proc/nowhere"}}).start()
    with made.connect() as connection:
        for method, parameters in (
                (SCENE_SEARCH_PLACES, {"text": "x"}), (SCENE_IMPORT_PLACES, {"document": "{}"}),
                (SCENE_SET_FAVORITE, {"id": "x", "favorite": True}), (SCENE_SET_FILTER, {"radius": 300}),
                (SCENE_EXPLAIN, {"id": "x"})):
            assert connection.error(method, parameters) == SCENE_CANNOT_STORE
    made.said("the place database is not available")
    assert "state.directory must be writable by the daemon" in run(made, "search", "x", code=1)
    with made.subscribe() as subscriber:
        subscriber.wait_for_more(5)
    assert made.stop() == 0


def start_read_only(made):
    """Starts a daemon whose state directory is mounted read-only, for it alone."""
    mount = 'mount --bind "$0" "$0" && mount -o remount,bind,ro "$0" && exec "$@"'
    return made.start(prefix=("unshare", "--mount", "sh", "-c", mount, made.folder / "state"))


@needs_root
def test_a_read_only_disk_is_searched_and_every_change_refused_by_name(daemon, tmp_path):
    made = daemon(SIMULATION).start()
    made.call(SCENE_IMPORT_PLACES, {"document": collection(feature(1, "Rose"), feature(2, "Tulip"))})
    made.call(SCENE_SET_FILTER, {"radius": 345})
    assert made.stop() == 0
    stored = database(made).read_bytes()
    start_read_only(made)
    made.said(f"{database(made)}: the disk is read-only: places are found, and cannot be changed")
    assert names(made, "rose") == ["Rose"]
    assert made.call(SCENE_GET_PLACE, {"id": "node/2"})["place"]["name"] == "Tulip"
    assert made.call(SCENE_GET_FILTER)["filter"]["radius"] == 345
    exported = tmp_path / "exported"
    run(made, "export", exported)
    assert {"Rose", "Tulip"} <= {entry["properties"]["name"] for entry in json.loads(exported.read_text())["features"]}
    for method, parameters in (
            (SCENE_IMPORT_PLACES, {"document": collection(feature(3, "New"))}),
            (SCENE_SET_FAVORITE, {"id": "node/1", "favorite": True}), (SCENE_SET_FILTER, {"radius": 300})):
        with pytest.raises(CallFailed) as refused:
            made.call(method, parameters)
        assert refused.value.name == SCENE_CANNOT_STORE
        assert "the disk is read-only: state.directory must be writable" in refused.value.parameters["reason"]
    with made.subscribe() as subscriber:
        subscriber.wait_for_more(5)
    assert made.stop() == 0
    assert database(made).read_bytes() == stored
    made.start()
    assert made.call(SCENE_IMPORT_PLACES, {"document": collection(feature(3, "New"))})["added"] == 1


@needs_root
def test_what_a_kill_has_left_in_the_log_is_found_on_a_read_only_disk(daemon):
    made = daemon(SIMULATION).start()
    made.call(SCENE_IMPORT_PLACES, {"document": collection(feature(1, "Rose"))})
    made.program.process.kill()
    made.program.process.wait()
    assert pathlib.Path(f"{database(made)}-wal").stat().st_size > 0
    start_read_only(made)
    assert names(made, "rose") == ["Rose"]
    assert made.stop() == 0


@pytest.mark.skipif(os.getuid() != 0, reason="only root can make a small disk")
def test_a_full_disk_is_a_named_error_and_nothing_else_is_disturbed(daemon, many):
    made = daemon(SIMULATION)
    state = made.folder / "state"
    state.mkdir()
    mount = f"mount -t tmpfs -o size=4m none {state} && exec \"$@\""
    made.start(prefix=("unshare", "--mount", "sh", "-c", mount, "sh"))
    before = made.call(SCENE_IMPORT_PLACES, {"document": collection(feature(10**6, "Rose"))})
    assert before["added"] == 1
    message = run(made, "import", many, code=1)
    assert "free disk space" in message, message
    assert names(made, "rose")[:1] == ["Rose"]
    with made.subscribe() as subscriber:
        subscriber.wait_for_more(5)
    assert made.stop() == 0


@pytest.mark.long
def test_a_hundred_thousand_places_take_little_memory(daemon, many, tmp_path):
    made = daemon(SIMULATION).start()
    run(made, "import", many)
    more = tmp_path / "more.geojsonl"
    with open(more, "w") as file:
        for number in range(60_000, 100_000):
            file.write(json.dumps(feature(number)) + "\n")
    run(made, "import", more)
    run(made, "search", "place 1")
    status = open(f"/proc/{made.program.pid}/status").read()
    resident = int(next(line for line in status.splitlines() if line.startswith("VmRSS")).split()[1])
    # The bound is that of the whole daemon with this number of places.
    assert resident <= 60 * 1024


DETAILED = feature(
    700_001, "Detailed", **{
        "addr:street": "Seeweg", "addr:housenumber": "3", "addr:postcode": "3600", "addr:city": "Thun",
        "contact:phone": "+41 33 000 00 00", "website": "https://example.org/thun", "opening_hours": "Mo-Su 09:00-17:00",
        "image": "https://example.org/thun.jpg", "description": "By the lake\nwith a terrace", "wheelchair": "yes",
        "url": "javascript:alert(1)", "cuisine": "regional"})


def test_details_reach_a_client_under_names_that_are_documented(walk, tmp_path):
    """behaviour 53: the details of a place reach a client under documented names, and nothing of it is lost"""
    document = tmp_path / "detailed.geojson"
    document.write_text(collection(DETAILED))
    run(walk, "import", document)
    place = walk.call(SCENE_GET_PLACE, {"id": "node/700001"})["place"]
    assert place["details"] == {
        "address": "Seeweg 3, 3600 Thun", "street": "Seeweg", "houseNumber": "3", "postcode": "3600", "city": "Thun",
        "phone": "+41 33 000 00 00", "website": "https://example.org/thun", "openingHours": "Mo-Su 09:00-17:00",
        "description": "By the lake\nwith a terrace", "wheelchair": "yes", "pictures": ["https://example.org/thun.jpg"]}
    given = {name: text for name, text in DETAILED["properties"].items() if name not in ("name", "kind")}
    assert place["properties"] == given
    assert found(walk, "Detailed")[0]["details"] == place["details"]
    exported = tmp_path / "out.geojson"
    run(walk, "export", exported)
    written = {each["id"]: each for each in json.loads(exported.read_text())["features"]}["node/700001"]
    assert written["properties"] == DETAILED["properties"]
    run(walk, "import", exported)
    again = walk.call(SCENE_GET_PLACE, {"id": "place/node/700001"})["place"]
    assert (again["details"], again["properties"]) == (place["details"], place["properties"])


def test_all_of_a_place_can_be_shown(walk, tmp_path):
    """behaviour 53: a command shows all that is known of a place"""
    document = tmp_path / "detailed.geojson"
    document.write_text(collection(DETAILED))
    run(walk, "import", document)
    shown = run(walk, "show", "node/700001")
    for line in (r"address +Seeweg 3, 3600 Thun", r"web page +https://example.org/thun", r"cuisine +regional",
                 r"opening hours +Mo-Su 09:00-17:00", r"description +By the lake with a terrace"):
        assert re.search(f"^{line}$", shown, re.MULTILINE), shown
    shown = json.loads(run(walk, "show", "--json", "place/node/700001"))["place"]
    assert shown["details"]["city"] == "Thun"
    assert "no place 'nowhere'" in run(walk, "show", "nowhere", code=1)
    assert "\x1b" not in run(walk, "show", "no\x1b[2Jwhere", code=1), "an id from elsewhere commands no terminal"
