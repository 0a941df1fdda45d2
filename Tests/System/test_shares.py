"""No user can take all of what clients share: another is served beside one that takes what it gets, and so is root, after the
whole share of everybody else was taken. What clients share is what the interface names as limits; each is here."""
import contextlib
# For `socket`, in processes that have become another user and may import nothing more.
import encodings.idna  # noqa: F401
import json
import os
import pathlib
import re
import select
import socket

import pytest
from waymark_interface import (
    AID_OPEN, PLAN_IMPORT, POSE_SUBSCRIBE, SCENE_EXPORT_PLACES, SCENE_IMPORT_PLACES, SCENE_SET_ROUTE, SCENE_SUBSCRIBE,
    SERVICE_GET_INFO, STATUS_LIMIT_EXCEEDED)

from harness import interfaces
from harness.account import as_account, needs_root, staying_as_account
from harness.daemon import SIMULATION, Daemon
from harness.default_rights import GROUPS, with_groups
from harness.held_descriptors import stuck_files
from harness.live_server import LiveServer
from harness.paths import PROGRAMS
from harness.pose_ring import PoseRing, Refused
from harness.process import Program
from harness.varlink import CallFailed, Closed, Connection
from harness.waiting import PATIENCE, wait_until

pytestmark = needs_root

# Users who may change things and aid, by their groups; accounts are not needed for them.
GREEDY, OTHER = 64001, 64002
GROUP, AID_GROUP = GROUPS["waymark-change"], GROUPS["waymark-aid"]
# More than any table has.
MANY = 200

# Limits that are no table which clients hold places of while they are served, and why.
ELSEWHERE = {
    "messageLength": "of each message",
    "clientsOfUser": "the share itself", "streamsOfUser": "the share itself", "anchorsOfClient": "a share itself",
    "anchors": "content, which members of the change group own together", "places": "the same", "filters": "the same",
    "plans": "the same", "terrain": "the same", "buildings": "the same",
    "placeRequests": "256 calls under way, of which service.max_pending_calls_per_user holds 16",
}


def threads(process, name):
    """Numbers of the process's threads of this name."""
    found = set()
    for task in pathlib.Path(f"/proc/{process}/task").iterdir():
        with contextlib.suppress(FileNotFoundError, ProcessLookupError):
            if (task / "comm").read_text().strip() == name:
                found.add(task.name)
    return found


class Full(Exception):
    """One more is refused."""


class Holder:
    """A client that takes places of each table, and holds what it got."""

    def __init__(self, daemon, held_file):
        self.path, self.process = daemon.socket, daemon.program.pid
        self.held_file, self.held = held_file, []

    def connection(self):
        self.held.append(Connection(self.path))
        return self.held[-1]

    def clients(self, number):
        self.connection().call(SERVICE_GET_INFO)

    def stream(self, method, parameters):
        connection = self.connection()
        connection.send_call(method, parameters, more=True)
        connection.reply()

    def streams(self, number):
        self.stream(POSE_SUBSCRIBE, {"rate": 1})

    def predictions(self, number):
        self.stream(POSE_SUBSCRIBE, {"rate": 20, "predictAhead": (number % 100 + 1) * 0.001})

    def labelSizes(self, number):
        self.stream(SCENE_SUBSCRIBE, {"rate": 20, "labels": {"width": 1 + number % 80, "height": 2}})

    def exports(self, number):
        """Into a pipe that is not read."""
        reading, writing = os.pipe()
        self.held += [reading, writing]
        self.begin(SCENE_EXPORT_PLACES, {"descriptor": 0}, writing, "export places")

    def imports(self, number):
        self.begin(SCENE_IMPORT_PLACES, {"descriptor": 0, "source": f"{os.getuid()}/{number}"}, self.held_file, "import places")

    def waitingRoutes(self, number):
        self.begin(SCENE_SET_ROUTE, {"descriptor": 0}, self.held_file, "read route")

    def waitingPlans(self, number):
        self.begin(PLAN_IMPORT, {"descriptor": 0}, self.held_file, "read plan")

    def aidSources(self, number):
        self.connection().call(AID_OPEN, {"source": f"user-{os.getuid()}.{number}", "kinds": ["height"]})

    def begin(self, method, parameters, descriptor, thread):
        """A call that does not end while it is held: it is refused, or the daemon has a new thread of this name."""
        connection, before = self.connection(), threads(self.process, thread)
        connection.send_call(method, parameters, [descriptor])
        wait_until(
            lambda: select.select([connection.socket], [], [], 0)[0] or threads(self.process, thread) - before,
            what=f"{method} is refused or under way")
        if select.select([connection.socket], [], [], 0)[0]:
            connection.reply()
            raise AssertionError(f"{method} has ended")

    def ring(self, number):
        self.held.append(PoseRing(f"{self.path}.ring"))

    def take(self, table, number=0):
        """Takes one; raises `Full` if there is none for this user."""
        try:
            getattr(self, table)(number)
        except CallFailed as failure:
            assert failure.name == STATUS_LIMIT_EXCEEDED and failure.parameters["limit"] in (table, f"{table}OfUser"), failure
            raise Full from failure
        except (Refused, Closed, BrokenPipeError, ConnectionResetError) as failure:
            raise Full from failure

    def take_all(self, table, first=0):
        """Takes until it gets no more; the number."""
        for number in range(MANY):
            try:
                self.take(table, first + number)
            except Full:
                return number
        raise AssertionError(f"no limit of {table}")


# Those whose calls have the daemon read a file.
READING = ("imports", "waitingRoutes", "waitingPlans")
TABLES = ["clients", "streams", "predictions", "labelSizes", "exports", "imports", "waitingRoutes", "waitingPlans", "aidSources", "ring"]


def test_each_limit_of_the_interface_is_a_table_here_or_said_to_be_none():
    words = [
        each for type in interfaces.BY_NAME["org.waymark.Status"].types if type.name == "Limit" for each in type.words]
    assert sorted({*TABLES, *ELSEWHERE} - {"ring"}) == sorted(words)


@pytest.fixture(scope="module")
def shared():
    # A stream needs a connection, whose limit is not to be reached before.
    made = Daemon({**SIMULATION, "service": {
        "change_group": str(GROUP), "max_subscriptions": 40, "max_subscriptions_per_user": 20}})
    made.start(prefix=with_groups(made.folder))
    # More than a pipe holds.
    places = [{
        "type": "Feature", "id": f"{number}", "geometry": {"type": "Point", "coordinates": [8, 47]},
        "properties": {"name": "x" * 100}} for number in range(2000)]
    for start in range(0, 2000, 200):
        part = json.dumps({"type": "FeatureCollection", "features": places[start:start + 200]})
        assert made.call(SCENE_IMPORT_PLACES, {"document": part, "source": f"{start}"})["imported"] == 200
    made.open_to_all()
    os.chmod(f"{made.socket}.ring", 0o666)
    yield made
    made.remove()


@pytest.mark.parametrize("table", TABLES)
def test_who_takes_all_leaves_enough(shared, table):
    with contextlib.ExitStack() as stack:
        # A file that is never read to its end.
        held_file = stack.enter_context(stuck_files()).open("read") if table in READING else None

        def holder():
            return Holder(shared, held_file)

        def take_all():
            # It lives as long as the process.
            holders.append(holder())
            return holders[-1].take_all(table)

        def take_one():
            holders.append(holder())
            return holders[-1].take(table, MANY - 1)

        holders = []
        taken = stack.enter_context(staying_as_account(GREEDY, [GROUP, AID_GROUP], take_all))
        assert isinstance(taken, int) and taken > 0, taken
        assert as_account(OTHER, [GROUP, AID_GROUP], take_one) is None
        # Two users together may take all but the reserve.
        rest = stack.enter_context(staying_as_account(OTHER, [GROUP, AID_GROUP], take_all))
        assert isinstance(rest, int), rest
        root = holder()
        root.take(table, MANY - 2)
        del root
    wait_until(lambda: is_free(shared), what="a free place again")


def is_free(daemon):
    try:
        return daemon.call(SERVICE_GET_INFO)
    except (CallFailed, Closed, BrokenPipeError, ConnectionResetError):
        return False


# Servers over TCP, which learn from the kernel whose their clients are.

@pytest.fixture(scope="module")
def ports(shared):
    bridge = Program(
        [PROGRAMS / "waymark-bridge", "--config", shared.config, "--gpsd", "127.0.0.1:0", "--nmea-tcp", "127.0.0.1:0",
         "--rate", "50"], shared.folder / "bridge.log")
    page = LiveServer(shared, "--no-token")
    found = {"page": page.port}
    for name, pattern in {"gpsd": r"gpsd's clients at 127.0.0.1:(\d+)", "nmea": r"NMEA 0183 at 127.0.0.1:(\d+)"}.items():
        found[name] = int(wait_until(lambda: re.search(pattern, bridge.log), what=lambda: bridge.log)[1])
    yield found
    assert page.end() == 0 and bridge.end() == 0


# What a client sends first, and the beginning of what a client that is served gets.
GREETINGS = {
    "gpsd": (b'?WATCH={"enable":true,"json":true};', rb'.*"class":"WATCH"'),
    "nmea": (b"", rb"\$"),
    "page": (b"GET /varlink HTTP/1.1\r\nHost: localhost:%d\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"
             b"Sec-WebSocket-Protocol: varlink\r\nSec-WebSocket-Version: 13\r\n"
             b"Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n", rb"HTTP/1.1 101 "),
}


def is_served(connection, name):
    greeting, expected = GREETINGS[name]
    received = b""
    with contextlib.suppress(ConnectionResetError, BrokenPipeError):
        connection.sendall(greeting.replace(b"%d", b"%d" % connection.getpeername()[1]))
        while part := connection.recv(4096):
            received += part
            if re.match(expected, received, re.DOTALL):
                return True
    return False


@pytest.mark.library
@pytest.mark.parametrize("name", GREETINGS)
def test_who_takes_all_connections_over_tcp_leaves_enough(ports, name):
    held = []

    def connect():
        held.append(socket.socket())
        held[-1].settimeout(PATIENCE)
        if len(held) % 2:
            # By which a client is still found.
            held[-1].setsockopt(socket.SOL_SOCKET, socket.SO_BINDTODEVICE, b"lo")
        held[-1].connect(("127.0.0.1", ports[name]))
        return is_served(held[-1], name)

    def take_all():
        return next(number for number in range(MANY) if not connect())

    with staying_as_account(GREEDY, [], take_all) as taken:
        assert taken == 48
        with staying_as_account(OTHER, [], take_all) as rest:
            assert rest == 8
            assert connect()
            held.pop().close()
