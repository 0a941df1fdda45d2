"""`waymark serve` carries the daemon's protocol to browsers: what reads, for pages of its own, whatever else connects."""
import contextlib
import gzip
import http.client
import json
import os
import re
import signal
import socket
import sqlite3
import struct
import subprocess

import pytest
from websockets.exceptions import ConnectionClosed, InvalidStatus

from harness.command import PROGRAM
from harness.daemon import SIMULATION
from harness.live_server import LiveServer
from harness.waiting import PATIENCE, wait_until

pytestmark = pytest.mark.library


@pytest.fixture
def server(daemon):
    made = LiveServer(daemon(SIMULATION).start())
    yield made
    assert made.end() == 0


def subscribe(socket, rate=60):
    socket.send(json.dumps({"method": "org.waymark.Pose.Subscribe", "parameters": {"rate": rate}, "more": True}))


def poses(socket, count):
    return [json.loads(socket.recv(PATIENCE))["parameters"]["pose"] for _ in range(count)]


def test_calls_and_subscriptions_are_those_of_the_daemon(server):
    server.daemon.wait_for_state("localized")
    assert server.call("org.varlink.service.GetInfo")["parameters"] == server.daemon.call("org.varlink.service.GetInfo")
    assert server.call("org.waymark.Status.GetStatus")["parameters"]["status"]["source"] == "simulation"
    assert server.call("org.waymark.Aid.List")["parameters"] == {"sources": []}
    with server.open() as socket:
        subscribe(socket)
        sequences = [pose["sequence"] for pose in poses(socket, 30)]
    assert sequences == sorted(set(sequences))


@pytest.mark.parametrize("method", [
    "org.waymark.Scene.SetRoute", "org.waymark.Scene.PlaceAnchor", "org.waymark.Calibration.Reset",
    "org.waymark.Recording.Start", "org.waymark.Scene.ExportPlaces", "org.waymark.Nonsense.Get",
    "org.waymark.Aid.Open"])
def test_what_changes_or_needs_a_descriptor_is_refused(server, method):
    assert server.call(method)["error"] == "org.varlink.service.PermissionDenied"
    assert "parameters" in server.call("org.waymark.Status.GetStatus")


def test_a_destination_can_be_set_where_that_is_permitted_and_nothing_else_be_changed(daemon):
    made = daemon(SIMULATION).start()
    server = LiveServer(made, "--allow-changes")
    made.wait_for_state("localized")
    assert json.loads(server.get("/access.json")[2]) == {"changes": True}
    place = made.call("org.waymark.Scene.NearPlaces")["places"][0]
    reply = server.call("org.waymark.Scene.NavigateTo", place=place["id"])
    assert reply["parameters"]["destination"]["name"] == place["name"]
    assert "parameters" in server.call("org.waymark.Scene.ClearRoute")
    assert server.call("org.waymark.Scene.SetRoute", document="{}")["error"] == "org.varlink.service.PermissionDenied"
    assert server.call("org.waymark.Scene.NavigateTo", place="none")["error"] == "org.waymark.Scene.NoSuchPlace"
    assert server.end() == 0


def test_pages_may_change_nothing_unless_told(server):
    assert json.loads(server.get("/access.json")[2]) == {"changes": False}
    for method in ("NavigateTo", "Reroute", "ClearRoute"):
        assert server.call(f"org.waymark.Scene.{method}")["error"] == "org.varlink.service.PermissionDenied"


@pytest.mark.parametrize("text", [
    "", "nonsense", "[]", "{}", '{"method": 7}', '{"method":"org.waymark.Pose.GetPose","parameters":[]}', "{" * 1000,
    '{"method":"org.waymark.Pose.GetPose"}\0{"method":"org.waymark.Scene.ClearRoute"}'])
def test_what_is_no_call_is_answered_and_the_connection_goes_on(server, text):
    with server.open() as socket:
        socket.send(text)
        assert json.loads(socket.recv(PATIENCE))["error"] == "org.varlink.service.InvalidParameter"
        socket.send(json.dumps({"method": "org.waymark.Status.GetStatus"}))
        assert "status" in json.loads(socket.recv(PATIENCE))["parameters"]


def test_refusals_come_in_the_order_of_the_calls(server):
    with server.open() as socket:
        for method in ["Status.GetStatus", "Scene.ClearRoute", "Status.ListDevices", "Scene.ClearRoute"]:
            socket.send(json.dumps({"method": f"org.waymark.{method}"}))
        answers = [json.loads(socket.recv(PATIENCE)) for _ in range(4)]
    assert "status" in answers[0]["parameters"] and "devices" in answers[2]["parameters"]
    assert answers[1]["error"] == answers[3]["error"] == "org.varlink.service.PermissionDenied"


def test_calls_behind_a_subscription_wait_and_too_many_close_the_connection(server):
    with server.open() as socket:
        subscribe(socket)
        for _ in range(8):
            socket.send(json.dumps({"method": "org.waymark.Status.GetStatus"}))
        assert all("pose" in json.loads(socket.recv(PATIENCE))["parameters"] for _ in range(20))
        socket.send(json.dumps({"method": "org.waymark.Status.GetStatus"}))
        assert closing_code(socket) == 1008


def test_errors_of_the_daemon_come_as_they_are(server):
    answer = server.call("org.waymark.Pose.Subscribe", rate=-1)
    assert answer["error"].startswith("org.varlink.service.")
    answer = server.call("org.waymark.Scene.GetScene", camera={"aspect": 0})
    assert answer == {"error": "org.varlink.service.InvalidParameter", "parameters": {"parameter": "camera.aspect"}}


def closing_code(socket):
    with pytest.raises(ConnectionClosed):
        while True:
            socket.recv(PATIENCE)
    return socket.protocol.close_rcvd.code


def test_bytes_are_no_calls(server):
    with server.open() as socket:
        socket.send(b"{}")
        assert closing_code(socket) == 1003


def test_a_daemon_that_is_killed_closes_its_sockets_and_serves_again(server):
    with server.open() as socket:
        subscribe(socket)
        poses(socket, 2)
        server.daemon.program.send(signal.SIGKILL)
        server.daemon.program.wait()
        assert closing_code(socket) == 1013
    with server.open() as socket:
        assert closing_code(socket) == 1013
    assert server.get("/")[0] == 200
    server.daemon.start()
    assert "parameters" in server.call("org.waymark.Status.GetStatus")


def test_a_server_that_is_killed_takes_nothing_with_it(server):
    with server.open() as socket:
        subscribe(socket)
        poses(socket, 2)
        server.program.end(signal.SIGKILL)
    wait_until(lambda: server.daemon.status()["subscriptions"] == 0, what="the daemon has no subscription")
    server.start()
    assert server.get("/")[0] == 200


def narrow(port):
    """A connection whose kernel buffers little."""
    made = socket.socket()
    made.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    made.connect(("127.0.0.1", port))
    return made


def test_clients_that_never_read_disturb_nobody_and_miss_old_messages(server):
    server.daemon.wait_for_state("localized")
    before = server.program.resident_kib()
    with contextlib.ExitStack() as stack:
        # Their library does not read while nothing takes what it has read.
        stuck = [stack.enter_context(server.open(max_queue=1, close_timeout=0.1, sock=narrow(server.port))) for _ in range(4)]
        for each in stuck:
            subscribe(each, 1000)
        with server.open() as reader:
            subscribe(reader)
            assert len(poses(reader, 120)) == 120
            # The daemon has replaced messages, and nothing has gathered in the server meanwhile.
            wait_until(lambda: server.daemon.status()["missedMessages"] > 100, what="messages are replaced")
            assert len(poses(reader, 30)) == 30
        assert server.program.resident_kib() < before + 16_000
        wait_until(lambda: poses(stuck[0], 1)[0].get("missed", 0) > 0, what="a message with the number of missed ones")


def test_pages_of_others_and_names_of_others_are_refused(server):
    for origin in ["http://evil.example", "http://127.0.0.1:1", "null", "https://app.foxglove.dev"]:
        with pytest.raises(InvalidStatus) as refused:
            server.open(origin=origin)
        assert refused.value.response.status_code == 403, origin
    with server.open(origin=f"http://127.0.0.1:{server.port}") as socket:
        subscribe(socket)
        poses(socket, 1)
    assert server.get("/", Host="evil.example")[0] == 421
    assert server.get("/nothing")[0] == 404
    for path in ["/../etc/passwd", "/%2e%2e/etc/passwd", "/style.css%00", "/three.js/../etc"]:
        # Some of these are no request at all.
        with contextlib.suppress(http.client.RemoteDisconnected):
            assert server.get(path)[0] in (400, 403, 404), path


@pytest.mark.parametrize("token", ["", "?token=", "?token=" + "0" * 32, "?token=" + "0" * 5000, "?other=1"])
def test_the_token_opens_the_sockets_and_guards_nothing_else(server, token):
    with pytest.raises(InvalidStatus) as refused:
        server.open(token)
    assert refused.value.response.status_code == 403 and b"?token=TOKEN" in refused.value.response.body
    assert server.get(f"/varlink{token}")[0] == 403 and server.get(f"/{token}")[0] == 200
    with server.open("?other=1&" + server.token[1:]) as socket:
        subscribe(socket)
        poses(socket, 1)


def test_each_start_has_a_token_of_its_own_but_that_of_a_file(server, tmp_path):
    first = server.token
    server.end()
    server.start()
    assert len(first) == len(server.token) and first != server.token
    secret = tmp_path / "token"
    secret.write_text("a-token_of-the-users-own\n")
    settings = tmp_path / "settings.toml"
    settings.write_text(f'[serve]\ntoken_file = "{secret}"\n')
    server.end()
    server.options = ["--config", settings]
    server.start()
    assert server.url.endswith("/?token=a-token_of-the-users-own")
    assert "parameters" in server.call("org.waymark.Status.GetStatus")


def test_without_a_token_only_when_told(daemon):
    server = LiveServer(daemon(SIMULATION).start(), "--no-token")
    assert server.token == "" and "parameters" in server.call("org.waymark.Status.GetStatus")
    assert server.end() == 0


def test_a_service_writes_its_address_to_a_file_and_nowhere_else(daemon, tmp_path, monkeypatch):
    monkeypatch.setenv("RUNTIME_DIRECTORY", str(tmp_path))
    made = daemon(SIMULATION).start()
    # As its unit has it.
    before = os.umask(0o077)
    server = LiveServer(made)
    os.umask(before)
    address = (tmp_path / "address").read_text()
    assert re.fullmatch(rf"{re.escape(server.url)}\?token=[0-9a-f]{{32}}\n", address)
    assert server.token == "" and "token=" not in server.program.log
    assert (tmp_path / "address").stat().st_mode & 0o777 == 0o640
    with server.open(address.strip().removeprefix(server.url)) as socket:
        subscribe(socket)
        poses(socket, 1)
    assert server.end() == 0


def test_the_page_may_load_its_own_files_alone(server):
    status, headers, page = server.get("/")
    assert status == 200 and page.startswith(b"<!DOCTYPE html>")
    policy = headers["Content-Security-Policy"]
    assert "default-src 'none'" in policy and "unsafe" not in policy
    files = re.findall(r'(?:src|href)="(/[^"]*)"', page.decode())
    assert files and all(server.get(path)[0] == 200 for path in files), files


TILE = b"\x89PNG of one tile"


def make_tiles(path, metadata=(("format", "png"), ("attribution", "<b>Survey</b> 1905")), zooms=(14,)):
    """A map with the second tile from the west and the third from the north in each zoom."""
    with contextlib.closing(sqlite3.connect(path)) as database, database:
        database.execute("CREATE TABLE metadata (name TEXT, value TEXT)")
        database.execute("CREATE TABLE tiles (zoom_level INTEGER, tile_column INTEGER, tile_row INTEGER, tile_data BLOB)")
        database.executemany("INSERT INTO metadata VALUES (?, ?)", metadata)
        database.executemany(
            "INSERT INTO tiles VALUES (?, 1, ?, ?)", [(zoom, 2 ** zoom - 3, TILE) for zoom in zooms])
    return path


def test_tiles_and_pictures_are_served_with_the_token_and_nothing_beside_them(daemon, tmp_path):
    folder = tmp_path / "pictures"
    folder.mkdir()
    (folder / "mill.jpg").write_bytes(b"a mill")
    (folder / "large.png").write_bytes(b"x" * (17 << 20))
    (folder / "folder.png").mkdir()
    (tmp_path / "secret.jpg").write_bytes(b"secret")
    settings = tmp_path / "settings.toml"
    settings.write_text(f'[serve]\npictures = "{folder}"\n')
    server = LiveServer(
        daemon(SIMULATION).start(), "--config", settings, "--tiles", make_tiles(tmp_path / "map.mbtiles"))
    get = lambda path: server.get(path + server.token)
    assert json.loads(get("/tiles/map.json")[2]) == {"minzoom": 14, "maxzoom": 14, "attribution": "<b>Survey</b> 1905"}
    status, headers, content = get("/tiles/14/1/2")
    assert (status, headers["Content-Type"], content) == (200, "image/png", TILE)
    assert [get(f"/tiles/{path}")[0] for path in ("14/1/3", "14/2/2", "3/1/2")] == [204] * 3, "a map ends somewhere"
    outside = ["14/1", "14/1/2/3", "14/-1/2", "14/1/16384", "23/1/2", "x/1/2", "", "../map.json"]
    assert {get(f"/tiles/{path}")[0] for path in outside} <= {400, 404}
    status, headers, content = get("/pictures/mill.jpg")
    assert (status, headers["Content-Type"], content) == (200, "image/jpeg", b"a mill")
    wrong = ["none.jpg", "../secret.jpg", "..%2fsecret.jpg", ".jpg", "mill", "mill.svg", "folder.png", "a/mill.jpg"]
    found = {name: get(f"/pictures/{name}") for name in wrong}
    assert {found[name][0] for name in wrong} <= {400, 404} and b"secret" not in b"".join(each[2] for each in found.values())
    assert get("/pictures/large.png")[0] == 413
    # Positions and places can be guessed from what is looked at.
    assert {server.get(path)[0] for path in ("/tiles/map.json", "/tiles/14/1/2", "/pictures/mill.jpg")} == {403}
    assert server.end() == 0


def make_wordy_tiles(path):
    """The same with a zoom that is a word, which SQLite takes for any column, and for the greatest value."""
    with contextlib.closing(sqlite3.connect(make_tiles(path, zooms=(14, 15)))) as database, database:
        database.execute("UPDATE tiles SET zoom_level = 'most' WHERE zoom_level = 15")


def varint(number):
    return bytes([number]) if number < 128 else bytes([number & 127 | 128]) + varint(number >> 7)


def directory(*entries):
    """A directory of PMTiles of entries with id, number of ids, length and offset, compressed."""
    ids, runs, lengths, offsets = zip(*entries)
    steps = [one - other for one, other in zip(ids, (0, *ids))]
    numbers = [len(entries), *steps, *runs, *lengths, *(offset + 1 for offset in offsets)]
    return gzip.compress(b"".join(map(varint, numbers)))


# Number of tiles in the zooms before. The second tile from the west and the third from the north is the seventh on the curve
# of the fourteenth; that has passed eight by eight in the corner after 64, those south of them then, and those beside these.
ZOOM_14 = (4 ** 14 - 1) // 3


def make_archive(path, kind=2, last_zoom=14):
    """The same map as a PMTiles archive, with directories in another; two of them are bad."""
    leaves = [directory((ZOOM_14 + 7, 1, len(TILE), 0)), gzip.compress(bytes(3 << 20)), b"\x1f\x8b" + bytes(64)]
    ends = [sum(map(len, leaves[:number])) for number in range(4)]
    root = directory(*((ZOOM_14 + 64 * number, 0, len(leaf), ends[number]) for number, leaf in enumerate(leaves)))
    metadata = gzip.compress(json.dumps({"attribution": "<b>Survey</b> 1905"}).encode())
    sections = [root, metadata, b"".join(leaves), TILE]
    offsets = [127 + sum(map(len, sections[:number])) for number in range(4)]
    places = b"".join(struct.pack("<QQ", offset, len(section)) for offset, section in zip(offsets, sections))
    header = (b"PMTiles\3" + places).ljust(97, b"\0") + bytes([2, 1, kind, 14, last_zoom])
    path.write_bytes(header.ljust(127, b"\0") + b"".join(sections))
    return path


def test_a_pmtiles_archive_is_a_map_as_well_and_its_bad_parts_leave_the_others(daemon, tmp_path):
    server = LiveServer(daemon(SIMULATION).start(), "--tiles", make_archive(tmp_path / "map"))
    get = lambda path: server.get(path + server.token)
    assert json.loads(get("/tiles/map.json")[2]) == {"minzoom": 14, "maxzoom": 14, "attribution": "<b>Survey</b> 1905"}
    for bad in ("14/1/9", "14/9/9"):
        status, _, text = get(f"/tiles/{bad}")
        assert status == 500 and b"its directory is damaged, or longer than 1 MiB" in text
    status, headers, content = get("/tiles/14/1/2")
    assert (status, headers["Content-Type"], content) == (200, "image/png", TILE)
    assert [get(f"/tiles/{path}")[0] for path in ("14/1/3", "14/2/2", "3/1/2")] == [204] * 3, "a map ends somewhere"
    assert server.end() == 0


def test_a_page_without_a_map_is_told_so(server):
    assert json.loads(server.get("/tiles/map.json" + server.token)[2]) is None
    assert server.get("/tiles/14/1/2" + server.token)[0] == 204


@pytest.mark.parametrize("make, text", [
    (lambda path: None, "unable to open"), (lambda path: path.write_text("no map"), "not a database"),
    (lambda path: make_tiles(path, [("format", "pbf")]), "only png, jpg and webp can be shown, not vectors"),
    (lambda path: make_archive(path, kind=1), "only png, jpg and webp can be shown, not vectors"),
    (lambda path: path.write_bytes(b"PM\2\0" + bytes(512_000)), "it is PMTiles version 2, not 3: use `pmtiles convert`"),
    (lambda path: make_archive(path, last_zoom=40), "zooms 14 to 40 are not within 0 to 22"),
    (lambda path: path.write_bytes(make_archive(path).read_bytes()[:200]), "it is incomplete"),
    (lambda path: make_tiles(path, zooms=()), "it has no tiles"),
    (lambda path: make_wordy_tiles(path), "its zooms are no numbers"),
    (lambda path: make_tiles(path, zooms=(2, 40)), "zooms 2 to 40 are not within 0 to 22")])
def test_a_file_that_is_no_map_is_named(tmp_path, make, text):
    path = tmp_path / "map.mbtiles"
    make(path)
    done = serve("--http", "127.0.0.1:0", "--tiles", str(path))
    assert done.returncode == 2 and str(path) in done.stderr and text in done.stderr, done.stderr


def serve(*options):
    return subprocess.run([PROGRAM, "serve", *options], capture_output=True, text=True, timeout=PATIENCE)


@pytest.mark.parametrize("options, code, text", [
    (["--http", "0.0.0.0:8765"], 2, "--allow-remote"), (["--http", "8765"], 2, "must be ADDRESS:PORT"),
    (["--http", "board.local:8765"], 2, "numeric address"), (["--port", "8765"], 2, "--port"),
    (["--http", "192.0.2.7:8765", "--allow-remote"], 1, "no address 192.0.2.7"),
    (["--http", "192.0.2.7:8765", "--allow-remote", "--no-token"], 2, "always need the token"),
    (["--allow-changes", "--no-token"], 2, "every program of this computer could set the destination"),
    (["--config", "/nowhere.toml"], 2, "/nowhere.toml")])
def test_wrong_uses_say_what_to_do(options, code, text):
    done = serve(*options)
    assert (done.returncode, text in done.stderr) == (code, True), done.stderr


@pytest.mark.parametrize("content, text", [
    (None, "there is no file"), ("short\n", "16 to 128 letters"), ("x" * 129, "16 to 128 letters"),
    ("a token with white space", "16 to 128 letters"), ("", "16 to 128 letters")])
def test_a_token_that_cannot_be_used_is_named(tmp_path, content, text):
    secret, settings = tmp_path / "token", tmp_path / "settings.toml"
    settings.write_text(f'[serve]\ntoken_file = "{secret}"\n')
    if content is not None:
        secret.write_text(content)
    done = serve("--config", str(settings), "--http", "127.0.0.1:0")
    assert done.returncode == 2 and str(secret) in done.stderr and text in done.stderr, done.stderr


def test_a_port_in_use_is_said(server):
    done = serve("--http", f"127.0.0.1:{server.port}")
    assert done.returncode == 1 and "is in use" in done.stderr


def test_without_three_dimensions_the_file_says_what_to_install(server):
    status, headers, content = server.get("/three.js")
    if status == 404:
        assert b"apt-get install libjs-three" in content
    else:
        assert (status, headers["Content-Type"]) == (200, "text/javascript; charset=utf-8") and len(content) > 100_000


def test_requests_that_are_no_http_leave_others_alone(server):
    with server.open() as reader:
        subscribe(reader)
        for request in [b"\0" * 5000, b"GET / HTTP/1.1\r\n", b"GET " + b"x" * 100_000, b"\x16\x03\x01\x02\x00"]:
            with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", server.port)) as peer:
                peer.sendall(request)
                peer.shutdown(socket.SHUT_WR)
        assert len(poses(reader, 30)) == 30
