"""`waymark route to`: real routing services, services that are broken or hostile, and staying until the arrival."""
import gzip
import json
import os
import pathlib
import re
import signal
import socket
import ssl
import subprocess
import time

import pytest
from waymark_interface import (
    POSE_GET_POSE, POSE_NOT_READY, SCENE_CLEAR_ROUTE, SCENE_GET_ROUTE, SCENE_NO_ROUTE, SCENE_SET_ROUTE,
    SERVICE_PERMISSION_DENIED, STATUS_LIMIT_EXCEEDED)

from harness import sample_messages as sample
from harness.command import waymark
from harness.daemon import SIMULATION
from harness.paths import PROGRAMS
from harness.process import Program
from harness.routing import OSRM, FakeService, Valhalla, answering, needs_routers, response
from harness.server import free_port
from harness.stand_in import CLOSE, Error, StandIn
from harness.streets import (
    METRES, ORIGIN, asked_places, at, distance, named, osrm_document, osrm_service, streets_of)
from harness.waiting import PATIENCE, wait_until

pytestmark = pytest.mark.library

SET, CLEAR, GET = SCENE_SET_ROUTE, SCENE_CLEAR_ROUTE, SCENE_GET_ROUTE
PRESENT = {"type": "Feature", "properties": {"name": "present"},
           "geometry": {"type": "LineString", "coordinates": [[8.541, 47.377], [8.541, 47.379]]}}


# Streets around the blocks of houses; the walk's own are among them.
COLUMNS = [-200, -116, -32, 0, 74, 112, 200]
ROWS = [-110, -38, 12, 48, 118, 190, 260]


@pytest.fixture(scope="session", params=[Valhalla, OSRM], ids=["valhalla", "osrm"])
def router(request, tmp_path_factory):
    """A real routing service that knows these streets."""
    nodes = {
        1 + row * len(COLUMNS) + column: at(COLUMNS[column], ROWS[row])
        for row in range(len(ROWS)) for column in range(len(COLUMNS))}
    ways = {}
    for row in range(len(ROWS)):
        line = [1 + row * len(COLUMNS) + column for column in range(len(COLUMNS))]
        ways[1000 + row] = (line, {"highway": "residential", "name": f"Row {row}"})
    for column in range(len(COLUMNS)):
        line = [1 + row * len(COLUMNS) + column for row in range(len(ROWS))]
        ways[2000 + column] = (line, {"highway": "residential", "name": f"Column {column}"})
    # Short, because Valhalla's parts meet at sockets in there.
    made = request.param(tmp_path_factory.mktemp("map") / "m", nodes, ways).start()
    yield made
    made.end()


@pytest.fixture(scope="module")
def walk(walk):
    """The same once it is localized; the tests of this module change its route."""
    walk.wait_for_state("localized", "limited")
    return walk


@pytest.fixture
def settings(tmp_path):
    """Writes settings of the section `navigation`; gives the option that names them."""
    def write(text=""):
        path = tmp_path / f"navigation{len(list(tmp_path.iterdir()))}.toml"
        path.write_text(f"[navigation]\n{text}\n")
        return f"--config={path}"
    return write


def route(daemon):
    return daemon.call(GET, {"limit": 0})["route"]


def vertices(daemon):
    return [(each["latitude"], each["longitude"]) for each in daemon.call(GET, {"limit": 5000})["vertices"]]


def here(daemon):
    """The wearer's place."""
    geo = daemon.call(POSE_GET_POSE)["pose"]["geo"]
    return geo["latitude"], geo["longitude"]


def route_to(daemon, *arguments, **options):
    return waymark("route", "to", *arguments, socket=daemon.socket, **options)


# Where to


def test_without_a_service_the_route_is_a_straight_line(walk, settings):
    """behaviour 52: a point of the earth, in each of its forms."""
    for text, name in (("47.4,8.6", "47.4, 8.6"), ("geo:47.4,8.6;u=20", "47.4, 8.6"), ("geo:-33.86,151.21", None)):
        done = route_to(walk, settings(), text)
        assert done.returncode == 0, done.stderr
        assert "service    none, a straight line" in done.stdout
        found = route(walk)
        assert name in (found["name"], None) and found["turns"] == 0
    done = route_to(walk, settings(), "--", "-33.86,151.21")
    assert done.returncode == 0 and route(walk)["length"] == pytest.approx(16_564_600, rel=1e-3)


def test_places_are_found_by_id_and_by_name(walk, settings, tmp_path):
    """behaviour 52: favourites first; a name that several places have is not guessed at."""
    def feature(number, name, **properties):
        latitude, longitude = at(300 + 10 * number, 300)
        return {"type": "Feature", "id": f"node/{number}", "properties": {"name": name, "kind": "cafe", **properties},
                "geometry": {"type": "Point", "coordinates": [longitude, latitude]}}

    document = tmp_path / "places.geojson"
    document.write_text(json.dumps({"type": "FeatureCollection", "features": [
        feature(1, "Twin"), feature(2, "Twin"), feature(3, "Triplet"), feature(4, "Triplet", favorite=True)]}))
    assert waymark("places", "import", document, socket=walk.socket).returncode == 0
    for text, number in (("node/2", 2), ("triplet", 4)):
        done = route_to(walk, settings(), "--json", text)
        assert done.returncode == 0, done.stderr
        event = json.loads(done.stdout)
        assert event["event"] == "set" and event["destination"]["id"] == f"node/{number}", text
        assert route(walk)["name"] == event["destination"]["name"]
        assert distance(vertices(walk)[-1], at(300 + 10 * number, 300)) < 0.1
    before = route(walk)["id"]
    done = route_to(walk, settings(), "Twin")
    assert done.returncode == 1 and done.stdout == ""
    assert "choose a place by its id" in done.stderr and "node/1" in done.stderr and "node/2" in done.stderr
    done = route_to(walk, settings(), "nowhere at all")
    assert done.returncode == 1 and "no place 'nowhere at all' found" in done.stderr
    assert route(walk)["id"] == before


def test_a_place_is_found_by_its_whole_name_behind_many_nearer_ones(walk, settings, tmp_path):
    """behaviour 52: the names of places around may all hold it."""
    def feature(number, name, north):
        return {"type": "Feature", "id": f"harbour-{number}", "properties": {"name": name},
                "geometry": {"type": "Point", "coordinates": [ORIGIN[1], ORIGIN[0] + north / METRES]}}

    features = [feature(number, f"Harbour {number}", 20 + number) for number in range(1, 31)]
    (tmp_path / "p.geojson").write_text(json.dumps(
        {"type": "FeatureCollection", "features": [*features, feature(0, "Harbour", 50_000)]}))
    assert waymark("places", "import", tmp_path / "p.geojson", socket=walk.socket).returncode == 0
    assert "route      Harbour\n" in route_to(walk, settings(), "harbour").stdout
    several = route_to(walk, settings(), "harb")
    assert several.returncode == 1 and several.stderr.count("harbour-") == 10


@pytest.mark.parametrize("arguments, words", [
    (["geo:x,y", "--straight"], "is not a valid geo: URI"),
    (["47,8", "--service", "http://127.0.0.1:5000"], "has no kind of service"),
    (["47,8", "--service", "osrm+ftp://127.0.0.1"], "begins with http:// or https://"),
    (["47,8", "--service", "osrm", "--straight"], "exclude each other"),
    (["47,8", "--profile", "../x"], "1 to 40 letters"),
    ([], "missing PLACE"),
])
def test_a_wrong_command_line_ends_with_2(walk, settings, arguments, words):
    done = route_to(walk, settings(), *arguments)
    assert done.returncode == 2 and words in done.stderr


def test_before_the_first_position_there_is_no_route(daemon, settings):
    """behaviour 52: the error says what to wait for."""
    blind = daemon(SIMULATION, {"simulation": {"gnss_rate_hz": 0}}).start()
    blind.wait_until(lambda: blind.status()["poses"], what="a pose")
    done = route_to(blind, settings(), "47.4,8.6")
    assert done.returncode == 1 and "position is not known yet" in done.stderr and "waymark wait" in done.stderr


# What is asked, and of whom


def test_osrm_is_asked_and_its_answer_followed(walk, settings):
    """behaviour 52: a document in OSRM's form; the request names the program and nothing else of the wearer."""
    with FakeService(osrm_service) as service:
        done = route_to(walk, settings(), "--service", f"osrm+{service.address}/way/", named(at(100, 100)))
        assert done.returncode == 0, done.stderr
    assert f"service    osrm+{service.address}/way" in done.stdout
    [request] = service.requests
    method, target, _ = request.line.split()
    assert method == "GET" and target.startswith("/way/route/v1/foot/")
    assert target.endswith("?steps=true&geometries=polyline6&overview=full")
    start, end = asked_places(request)
    assert distance(start, here(walk)) < 100 and distance(end, at(100, 100)) < 0.1
    assert request.headers["user-agent"].startswith("waymark/")
    assert set(request.headers) == {"host", "user-agent", "accept"}
    found = route(walk)
    assert found["turns"] == 1 and found["vertices"] == 3 and found["duration"] == pytest.approx(160)


def test_the_service_and_the_profile_of_the_settings_are_used(walk, settings):
    with FakeService(osrm_service) as service:
        option = settings(f'service = "osrm+{service.address}"\nprofile = "stroll"')
        for arguments, asked in (([], "stroll"), (["--profile", "bicycle"], "bicycle"), (["--straight"], None)):
            service.requests.clear()
            done = route_to(walk, option, *arguments, named(at(100, 100)))
            assert done.returncode == 0, done.stderr
            assert [f"/{asked}/" in request.line for request in service.requests] == [True] * (asked is not None)


def test_settings_that_cannot_be_read_never_become_a_straight_line(walk, settings):
    broken = settings('service = "osrm+gopher://h"')
    assert route_to(walk, settings(), "--straight", named(at(100, 100))).returncode == 0
    before = route(walk)["id"]
    done = route_to(walk, broken, named(at(100, 100)))
    assert done.returncode == 1 and "navigation.service" in done.stderr and route(walk)["id"] == before
    done = route_to(walk, broken, "--straight", named(at(100, 100)))
    assert done.returncode == 0 and "using defaults" in done.stderr


def test_neither_a_proxy_nor_a_password_file_is_used(walk, settings, tmp_path):
    """behaviour 52: the wearer's place goes to the named service alone."""
    (tmp_path / ".netrc").write_text("machine 127.0.0.1 login me password secret\n")
    (tmp_path / ".curlrc").write_text("user-agent = curlrc\n")
    with FakeService(osrm_service) as service, FakeService(answering("")) as proxy:
        names = ("http_proxy", "HTTP_PROXY", "https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY")
        done = route_to(
            walk, settings(), "--service", f"osrm+{service.address}", named(at(100, 100)),
            env={"HOME": str(tmp_path), **{name: proxy.address for name in names}})
        assert done.returncode == 0, done.stderr
        assert len(service.requests) == 1 and proxy.requests == []
        assert "authorization" not in service.requests[0].headers


# Services that fail


def endless(connection, _):
    connection.sendall(b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nConnection: close\r\n\r\n")
    while True:
        connection.sendall(b'{"code":"Ok",' + b" " * (1 << 20))


def endless_head(connection, _):
    connection.sendall(b"HTTP/1.1 200 OK\r\n")
    while True:
        connection.sendall(b"X: " + b"y" * 1000 + b"\r\n")


def slow(connection, _):
    connection.sendall(b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n\r\n")
    while True:
        connection.sendall(b" ")
        time.sleep(0.2)


def cut(connection, request):
    connection.sendall(response(osrm_document(*asked_places(request)))[:-100])


def elsewhere(connection, request):
    start, end = asked_places(request)
    connection.sendall(response(osrm_document(start, (end[0] + 0.1, end[1]))))


def bomb(connection, _):
    packed = gzip.compress(b" " * (64 << 20))
    connection.sendall(response(packed, Content_Encoding="gzip"))


def silent(connection, _):
    time.sleep(PATIENCE)


HOSTILE = {
    "slow": (slow, "within 1.0 s"),
    "silent": (silent, "within 1.0 s"),
    "endless": (endless, "16 MiB"),
    "endless head": (endless_head, "longer than"),
    "cut": (cut, "no answer"),
    "closed": (lambda connection, _: None, "no answer"),
    "no HTTP": (lambda connection, _: connection.sendall(b"hello\r\n\r\n"), "no answer"),
    "a page": (answering("<h1>Hello</h1>", kind="text/html"), "instead of JSON"),
    "packed": (bomb, "'gzip' instead of JSON"),
    "no JSON": (answering("{]"), "not understood"),
    "empty": (answering(""), "not understood"),
    "another document": (answering({"type": "FeatureCollection", "features": []}), "not understood"),
    "elsewhere": (elsewhere, "from where it should"),
    "no route": (answering(
        {"code": "NoRoute", "message": "Impossible route between points"}, status="400 Bad Request"),
        "NoRoute (Impossible route between points)"),
    "error with a body": (answering({"oops": "\x1b[2J"}, status="500 Internal Server Error"), "HTTP status 500"),
    "moved": (answering("", status="301 Moved Permanently", Location="http://127.0.0.1:1/\x1b[2J"), "sends on to"),
}


@pytest.mark.parametrize("name", HOSTILE)
def test_a_service_that_fails_is_an_error_and_the_route_stays(walk, settings, name):
    """behaviour 52: never silently a straight line; whatever comes is bounded, and named in clear words."""
    assert walk.call(SET, {"document": json.dumps(PRESENT), "id": "present"})
    behave, words = HOSTILE[name]
    with FakeService(behave) as service:
        done = route_to(
            walk, settings("timeout_seconds = 1.0" if "within" in words else ""), "--service",
            f"osrm+{service.address}", named(at(100, 100)))
        assert service.requests
    assert done.returncode == 1 and done.stdout == ""
    assert words in done.stderr and "the current route is unchanged" in done.stderr and "\x1b" not in done.stderr
    assert route(walk)["id"] == "present"


def test_a_redirect_to_elsewhere_is_not_followed(walk, settings):
    """behaviour 52: no service but the named one is asked."""
    with FakeService(osrm_service) as other:
        for status in ("301 Moved Permanently", "302 Found", "307 Temporary Redirect", "308 Permanent Redirect"):
            with FakeService(answering("", status=status, Location=other.address + "/x")) as service:
                done = route_to(walk, settings(), "--service", f"osrm+{service.address}", named(at(100, 100)))
                assert done.returncode == 1 and other.address in done.stderr
        assert other.requests == []


def test_a_certificate_that_nobody_vouches_for_is_refused(walk, settings, tmp_path):
    """behaviour 52: who says to be the named service has to prove it before it is asked anything."""
    subprocess.run(
        ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "2", "-subj",
         "/CN=127.0.0.1", "-addext", "subjectAltName=IP:127.0.0.1", "-keyout", tmp_path / "key", "-out", tmp_path / "crt"],
        check=True, capture_output=True)
    tls = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    tls.load_cert_chain(tmp_path / "crt", tmp_path / "key")
    with FakeService(osrm_service, tls) as service:
        done = route_to(walk, settings(), "--service", f"osrm+{service.address}", named(at(100, 100)))
        assert done.returncode == 1 and "certificate" in done.stderr
        assert service.requests == []


def test_a_service_that_does_not_run_is_an_error(walk, settings):
    done = route_to(walk, settings(), "--service", f"osrm+http://127.0.0.1:{free_port()}", named(at(100, 100)))
    assert done.returncode == 1 and "is it running?" in done.stderr


@pytest.mark.parametrize("scheme", ["http", "https"])
def test_a_service_that_lets_nobody_in_is_told_from_one_that_thinks_for_too_long(walk, settings, scheme):
    """behaviour 52: half of the time is for the connection, encryption and all."""
    with socket.create_server(("127.0.0.1", 0), backlog=0) as listener:
        address = listener.getsockname()
        waiting = [socket.socket() for _ in range(4 if scheme == "http" else 0)]
        for each in waiting:
            each.setblocking(False)
            each.connect_ex(address)
        done = route_to(
            walk, settings("timeout_seconds = 2.0"), "--service", f"osrm+{scheme}://127.0.0.1:{address[1]}",
            named(at(100, 100)))
        for each in waiting:
            each.close()
    assert done.returncode == 1 and "no connection to" in done.stderr and "within 1.0 s" in done.stderr


def test_valhalla_refuses_in_its_own_words(walk, settings):
    """behaviour 52: the error document of the service."""
    document = {"error_code": 442, "error": "No path could be found for input", "status_code": 400, "status": "Bad Request"}
    with FakeService(answering(document, status="400 Bad Request")) as service:
        done = route_to(walk, settings(), "--service", f"valhalla+{service.address}", named(at(100, 100)))
        [request] = service.requests
    assert done.returncode == 1 and "No path could be found for input (error 442)" in done.stderr
    assert request.line.startswith("POST /route ") and request.headers["content-type"] == "application/json"
    assert json.loads(request.body)["costing"] == "pedestrian"


# The library


def test_the_daemon_never_loads_the_library_and_its_absence_is_told(walk, settings, tmp_path):
    """behaviour 52: the daemon itself uses no network; without libcurl the error names the package."""
    assert "libcurl" not in pathlib.Path(f"/proc/{walk.program.pid}/maps").read_text()
    needed = subprocess.run(["readelf", "-d", PROGRAMS / "waymark"], capture_output=True, text=True).stdout
    assert "libc.so" in needed and "libcurl" not in needed
    (tmp_path / "libcurl.so.4").write_text("no library")
    done = route_to(
        walk, settings(), "--service", "osrm", named(at(100, 100)), env={"LD_LIBRARY_PATH": str(tmp_path)})
    assert done.returncode == 1 and "libcurl4t64" in done.stderr and "the current route is unchanged" in done.stderr
    # Without a service it is not needed.
    done = route_to(walk, settings(), named(at(100, 100)), env={"LD_LIBRARY_PATH": str(tmp_path)})
    assert done.returncode == 0, done.stderr


# Real services


@needs_routers
def test_a_real_service_leads_around_the_houses(walk, settings, router):
    """behaviour 52: the whole way lies in the streets, and takes their corners."""
    end = at(112, 260)
    done = route_to(walk, settings(), "--service", f"{router.kind}+{router.address}", named(end))
    assert done.returncode == 0, done.stderr
    found, line = route(walk), vertices(walk)
    # The nearest street to the wearer may be some metres away, the rest is exact to the map's decimals.
    start = line[0]
    assert distance(line[-1], end) < 1 and found["turns"] >= 1
    for vertex in line:
        right, ahead = streets_of(*vertex)
        assert min(abs(right - column) for column in COLUMNS) < 1 or min(abs(ahead - row) for row in ROWS) < 1
    # In a grid of streets every shortest way is as long as both legs together.
    (right, ahead), (end_right, end_ahead) = streets_of(*start), streets_of(*end)
    assert found["length"] >= abs(right - end_right) + abs(ahead - end_ahead) - 1 > distance(start, end) + 5


@needs_routers
def test_a_real_service_that_knows_no_way_says_so(walk, settings, router):
    done = route_to(walk, settings(), "--service", f"{router.kind}+{router.address}", "0,0")
    assert done.returncode == 1 and "the current route is unchanged" in done.stderr
    assert router.kind in done.stderr


class Kept:
    """A running `waymark route to --keep` and what it prints."""

    def __init__(self, socket, *arguments, folder):
        self.output = folder / "output"
        self.errors = folder / "errors"
        self.output.unlink(missing_ok=True)
        self.errors.unlink(missing_ok=True)
        with open(self.output, "wb") as file:
            self.program = Program(
                [PROGRAMS / "waymark", "route", "to", "--keep", "--json", *arguments], self.errors, stdout=file,
                env={**os.environ, "WAYMARK_SOCKET": str(socket)})

    @property
    def events(self):
        return [json.loads(line) for line in self.output.read_text().splitlines()]

    @property
    def words(self):
        return [event["event"] for event in self.events]

    def wait_for(self, event, count=1, timeout=PATIENCE):
        def seen():
            assert self.program.runs or self.words.count(event) >= count, self.program.log
            return self.words.count(event) >= count
        wait_until(seen, timeout, lambda: f"{event}; there were {self.words}; errors:\n{self.program.log}")
        return [each for each in self.events if each["event"] == event][-1]


@pytest.fixture
def keep(tmp_path):
    """Starts `waymark route to --keep`."""
    made = []

    def start(socket, *arguments):
        made.append(Kept(socket, *arguments, folder=tmp_path))
        return made[-1]

    yield start
    for each in made:
        each.program.end()


@pytest.mark.long
@needs_routers
def test_who_leaves_the_route_is_given_another_from_there(daemon, settings, router, keep):
    """behaviour 52: the simulated wearer turns right at the first corner, where the route goes left."""
    walk = daemon(SIMULATION, {
        "simulation": {"gnss_rate_hz": 5}, "route": {"off_route_m": 12.0, "off_route_accuracies": 0}}).start()
    walk.wait_for_state("localized", "limited")
    option = settings("off_route_patience_seconds = 1\nleast_interval_seconds = 1")
    kept = keep(walk.socket, option, "--service", f"{router.kind}+{router.address}", named(at(-116, 118)))
    first = kept.wait_for("set")["route"]
    left = kept.wait_for("offRoute", timeout=2 * PATIENCE)["route"]
    # beside_m, where the way beside the route leaves no doubt before off_route_m is reached.
    assert left["id"] == first["id"] and left["distanceFromRoute"] > 8
    again = kept.wait_for("newRoute")["route"]
    line, place = vertices(walk), here(walk)
    assert again["id"] == first["id"] == route(walk)["id"]
    assert distance(line[0], place) < 30, "the new route begins where the wearer is"
    assert distance(line[-1], at(-116, 118)) < 1, "and leads to the same place"
    assert kept.program.end() == 0
    assert route(walk)["id"] == first["id"], "a signal ends the command and not the route"


# Staying


@pytest.mark.long
def test_a_service_that_fails_meanwhile_is_told_once_and_asked_again(daemon, settings, keep):
    """behaviour 52: the route stays until there is another."""
    walk = daemon(SIMULATION, {"route": {"off_route_m": 5.0, "off_route_accuracies": 0, "off_route_fixes": 1}}).start()
    walk.wait_for_state("localized", "limited")
    option = settings("off_route_patience_seconds = 0\nleast_interval_seconds = 1")
    state = {"fails": False}

    def behave(connection, request):
        (answering({"code": "NoSegment", "message": "out to lunch"}) if state["fails"] else backwards)(
            connection, request)

    def backwards(connection, request):
        """The wearer never goes that way."""
        start, end = asked_places(request)
        connection.sendall(response(osrm_document(start, end)))

    with FakeService(behave) as service:
        kept = keep(walk.socket, option, "--service", f"osrm+{service.address}", named(at(-150, -150)))
        first = kept.wait_for("set")["route"]
        state["fails"] = True
        kept.wait_for("offRoute", timeout=2 * PATIENCE)
        asked = len(service.requests)
        wait_until(lambda: len(service.requests) >= asked + 2, what="asked again")
        assert kept.program.log.count("out to lunch") == 1 and "newRoute" not in kept.words
        assert route(walk)["id"] == first["id"] and route(walk)["length"] == pytest.approx(first["length"])
        state["fails"] = False
        kept.wait_for("newRoute")
        assert kept.program.runs


def test_somebody_elses_route_is_left_alone(walk, settings, keep):
    """behaviour 52: the command says so and ends."""
    kept = keep(walk.socket, settings(), named(at(500, 500)))
    kept.wait_for("set")
    walk.call(SET, {"document": json.dumps(PRESENT), "id": "another-client"})
    assert kept.program.wait() == 1
    assert "another route has been set, 'present'" in kept.program.log and kept.words[-1] == "replaced"
    assert route(walk)["id"] == "another-client"
    kept = keep(walk.socket, settings(), named(at(500, 500)))
    kept.wait_for("set")
    walk.call(CLEAR)
    assert kept.program.wait() == 1 and "the route has been cleared" in kept.program.log and kept.words[-1] == "cleared"


@pytest.mark.long
def test_a_route_that_is_set_while_the_service_thinks_is_left_alone(daemon, settings, keep):
    walk = daemon(SIMULATION, {"route": {"off_route_m": 5.0, "off_route_accuracies": 0, "off_route_fixes": 1}}).start()
    walk.wait_for_state("localized", "limited")

    def behave(connection, request):
        if len(service.requests) > 1:
            walk.call(SET, {"document": json.dumps(PRESENT), "id": "another-client"})
        osrm_service(connection, request)

    with FakeService(behave) as service:
        option = settings("off_route_patience_seconds = 0\nleast_interval_seconds = 1")
        kept = keep(walk.socket, option, "--service", f"osrm+{service.address}", named(at(-150, -150)))
        assert kept.program.wait(2 * PATIENCE) == 1
        assert len(service.requests) == 2 and kept.words[-1] == "replaced"
        assert route(walk)["id"] == "another-client"


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_ends_it_also_while_a_service_is_silent(walk, settings, keep, number):
    """behaviour 52: it ends cleanly, and the route stays."""
    walk.call(SET, {"document": json.dumps(PRESENT), "id": "present"})
    with FakeService(silent) as service:
        kept = keep(walk.socket, settings("timeout_seconds = 300"), "--service", f"osrm+{service.address}", "47.4,8.6")
        wait_until(lambda: service.requests, what="the service is asked")
        assert kept.program.end(number, timeout=10) == 0
    assert kept.program.log == "" and kept.events == [] and route(walk)["id"] == "present"


def test_nohup_keeps_it_going_when_its_terminal_is_closed(tmp_path, settings):
    """behaviour 52: who is on the way closes the terminal, and is still led."""
    script = Scripted(*["following"] * 20, "arrived")
    with StandIn(tmp_path / "s", script.replies) as stand_in:
        kept = subprocess.Popen(
            ["nohup", PROGRAMS / "waymark", "route", "to", settings(), "--keep", "47.4,8.6"], stdin=subprocess.DEVNULL,
            env={**os.environ, "WAYMARK_SOCKET": str(tmp_path / "s")}, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        looks = "the route is looked at"
        wait_until(lambda: any(call["method"] == GET for call in stand_in.calls), what=looks)
        kept.send_signal(signal.SIGHUP)
        before = len(stand_in.calls)
        wait_until(lambda: len(stand_in.calls) >= before + 2, what=looks)
        kept.send_signal(signal.SIGTERM)
        kept.communicate(timeout=PATIENCE)
        assert kept.returncode == 0


def test_it_goes_on_over_a_restart_of_the_daemon(daemon, settings, keep):
    """behaviour 52: the daemon is waited for, which is said once, and keeps the route."""
    walk = daemon(SIMULATION).start()
    walk.wait_for_state("localized", "limited")
    kept = keep(walk.socket, settings(), named(at(2000, 2000)))
    first = kept.wait_for("set")["route"]["id"]
    walk.stop()
    wait_until(lambda: "waiting for the daemon" in kept.program.log, what="a line that says so")
    walk.start()
    wait_until(lambda: route(walk)["id"] == first, what="the route that was kept")
    # Twice as long as it looks again takes.
    time.sleep(2)
    assert kept.program.runs and kept.program.log.count("waiting for") == 1
    assert kept.program.end() == 0


@pytest.mark.long
def test_it_ends_with_success_at_the_arrival(daemon, settings, keep):
    """behaviour 52: the simulated wearer walks up to the first corner."""
    walk = daemon(SIMULATION, {"simulation": {"gnss_rate_hz": 5}, "route": {"arrival_m": 15.0}}).start()
    walk.wait_for_state("localized", "limited")
    kept = keep(walk.socket, settings(), named(at(0, 48)))
    assert kept.program.wait(2 * PATIENCE) == 0
    assert kept.words[-1] == "arrived" and kept.events[-1]["route"]["state"] == "arrived"
    assert distance(here(walk), at(0, 48)) < 40


# What only a stand-in does at will


class Scripted:
    """Replies of a daemon whose route goes through these states, one at each look; None is a look that is cut off, and
    "none" is no route until one is set."""

    def __init__(self, *states):
        self.states = list(states)
        self.route = {
            "id": "", "name": "", "state": "following", "length": 900.0, "vertices": 2, "turns": 0,
            "distanceFromRoute": 31.5}
        self.replies = {
            POSE_GET_POSE: {"pose": sample.POSE}, SET: self.set, GET: self.get}

    def set(self, parameters, _):
        self.route.update(id=parameters["id"], name=parameters["name"])
        if self.states[:1] == ["none"]:
            self.states.pop(0)
        return {"route": self.route}

    def get(self, parameters, _):
        state = self.states[0] if self.states[0] == "none" else self.states.pop(0)
        if state is None:
            return CLOSE
        if state == "none":
            return Error(SCENE_NO_ROUTE)
        return {"route": {**self.route, "state": state}, "vertices": []}


def test_people_are_told_each_event_in_a_line(tmp_path, settings):
    script = Scripted("following", "offRoute", "offRoute", "following", None, "following", "arrived")
    with StandIn(tmp_path / "s", script.replies) as stand_in:
        done = waymark("route", "to", settings(), "--keep", "47.4,8.6", socket=tmp_path / "s")
        sets = [call["parameters"] for call in stand_in.calls if call["method"] == SET]
    assert done.returncode == 0, done.stderr
    lines = done.stdout.splitlines()
    assert lines[0] == "route      47.4, 8.6"
    assert lines[-3:] == ["off the route, 31.5 m away", "back on the route", "arrived: 47.4, 8.6"]
    assert done.stderr.count("waiting for the daemon") == 1
    assert [parameters["format"] for parameters in sets] == ["geojson"], "not before the patience"


def test_who_is_led_only_into_the_neighbourhood_is_told_how_near(tmp_path, settings):
    """behaviour 52: a service leads as near as its map has ways; the end of the route is not the place then."""
    def short(connection, request):
        start, end = asked_places(request)
        connection.sendall(response(osrm_document(start, (end[0] + 300 / METRES, end[1]))))

    with FakeService(short) as service:
        for arguments in ([], ["--json"]):
            script = Scripted("following", "arrived")
            path = tmp_path / f"s{len(arguments)}"
            with StandIn(path, script.replies):
                done = waymark(
                    "route", "to", settings(), *arguments, "--keep", "--service", f"osrm+{service.address}", "47.4,8.6",
                    socket=path)
            assert done.returncode == 0, done.stderr
            first, *_, last = done.stdout.splitlines()
            if arguments:
                assert [json.loads(line)["remainder"] for line in (first, last)] == pytest.approx([300, 300], abs=2)
            else:
                assert re.search(r"^ends       (299|300|301) m from 47.4, 8.6: ", done.stdout, re.MULTILINE)
                assert re.match(r"arrived: the end, (299|300|301) m from 47.4, 8.6$", last)


def test_a_daemon_that_comes_back_without_the_route_is_given_one(tmp_path, settings):
    """behaviour 52: a daemon that could not keep it."""
    script = Scripted("following", None, "none", "following", "arrived")
    option = settings("off_route_patience_seconds = 0\nleast_interval_seconds = 1")
    with StandIn(tmp_path / "s", script.replies) as stand_in:
        done = waymark("route", "to", option, "--keep", "--json", "47.4,8.6", socket=tmp_path / "s")
        sets = [call["parameters"] for call in stand_in.calls if call["method"] == SET]
    assert done.returncode == 0, done.stderr
    assert [json.loads(line)["event"] for line in done.stdout.splitlines()] == ["set", "newRoute", "arrived"]
    assert len(sets) == 2 and len({parameters["id"] for parameters in sets}) == 1


class Full(Scripted):
    """One of whose replies to a method, the given one in their order, is that it serves enough others already."""

    def __init__(self, method, number, *states):
        super().__init__(*states)
        self.count = 0
        usual = self.replies[method]

        def reply(parameters, connection):
            self.count += 1
            full = Error(STATUS_LIMIT_EXCEEDED, limit="clients", maximum=128)
            return full if self.count == number else usual(parameters, connection)

        self.replies[method] = reply


@pytest.mark.parametrize("method", [GET, SET])
def test_a_daemon_that_is_full_for_a_while_is_waited_for(tmp_path, settings, method):
    """behaviour 52: what other clients do ends no guidance."""
    script = Full(method, 2, "following", *["offRoute"] * 4, "arrived")
    option = settings("off_route_patience_seconds = 0\nleast_interval_seconds = 1")
    with StandIn(tmp_path / "s", script.replies):
        done = waymark("route", "to", option, "--keep", "--json", "47.4,8.6", socket=tmp_path / "s")
    assert done.returncode == 0 and json.loads(done.stdout.splitlines()[-1])["event"] == "arrived", done.stderr
    assert done.stderr.count("limit for clients is reached") == 1


def test_what_is_said_of_the_present_route_is_so(tmp_path, settings):
    """behaviour 52: a daemon that comes back without a route, and does not know yet where the wearer is."""
    script = Scripted("following", None, "none")
    asked = []

    def pose(*_):
        asked.append(None)
        if len(asked) == 2:
            return Error(POSE_NOT_READY, reason="nothing was measured yet")
        script.states[:] = ["following", "arrived"] if len(asked) > 2 else script.states
        return {"pose": sample.POSE}

    script.replies[POSE_GET_POSE] = pose
    option = settings("off_route_patience_seconds = 0\nleast_interval_seconds = 1")
    with StandIn(tmp_path / "s", script.replies):
        done = waymark("route", "to", option, "--keep", "--json", "47.4,8.6", socket=tmp_path / "s")
    assert done.returncode == 0, done.stderr
    assert "nothing was measured yet; the request will be retried" in done.stderr


def test_who_may_not_change_things_is_told_so(tmp_path, settings):
    script = Scripted()
    replies = {**script.replies, SET: Error(SERVICE_PERMISSION_DENIED)}
    with StandIn(tmp_path / "s", replies):
        done = waymark("route", "to", settings(), "47.4,8.6", socket=tmp_path / "s")
    assert done.returncode == 1 and "permission denied" in done.stderr


def test_without_a_daemon_it_ends_with_3(tmp_path, settings):
    done = waymark("route", "to", settings(), "47.4,8.6", socket=tmp_path / "none")
    assert done.returncode == 3 and "no daemon answers" in done.stderr
