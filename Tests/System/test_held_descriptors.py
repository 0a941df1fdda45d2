"""The daemon never waits for what a client sends along: a connection that lingers for an hour, or a file that does not answer when it
is closed. Before, one of them stopped the daemon until its watchdog ended it."""
import contextlib
import json
import os
import socket

import pytest
from waymark_interface import (
    POSE_SUBSCRIBE, RECORDING_START, RECORDING_STOP, SCENE_EXPORT_PLACES, SCENE_IMPORT_PLACES, SCENE_SET_ROUTE,
    SERVICE_GET_INFO)

from harness.bus import SENSOR, Bus
from harness.daemon import SIMULATION
from harness.held_descriptors import hand_over, let_go, lingering_socket, stuck_files
from harness.paths import PROGRAMS
from harness.process import Program
from harness.varlink import CallFailed, Closed, call_message
from harness.waiting import PATIENCE, wait_until

CALL = call_message(SERVICE_GET_INFO)
ROUTE = {"type": "LineString", "coordinates": [[8.54, 47.37], [8.55, 47.37]]}
# Descriptors of one user that may wait to be closed (DescriptorCloser.ofReceived).
ROOM = 256


@contextlib.contextmanager
def held(kind, count=1):
    """Descriptors that cannot be closed; the caller is not to close them either."""
    with contextlib.ExitStack() as stack:
        if kind == "a lingering connection":
            yield [stack.enter_context(lingering_socket()) for _ in range(count)]
        else:
            files = stack.enter_context(stuck_files())
            yield [files.open("close") for _ in range(count)]


def let_go_of(kind, descriptors):
    """The other side has the only copies now. A file is closed by this side later: that, too, would wait."""
    if kind == "a lingering connection":
        for descriptor in descriptors:
            let_go(descriptor)


kinds = pytest.mark.parametrize("kind", ["a lingering connection", "a file that does not answer"])


@pytest.fixture
def reader(walk):
    """A subscriber, which has to get what it subscribed to during and after a test."""
    with walk.subscribe(rate=60) as subscriber:
        subscriber.wait_for_more()
        yield subscriber
        subscriber.wait_for_more(30)
        assert walk.call(SERVICE_GET_INFO)


@kinds
@pytest.mark.parametrize("count", [1, 4])
def test_a_call_that_takes_no_descriptor(walk, reader, kind, count):
    with held(kind, count) as descriptors, walk.connect() as connection:
        socket.send_fds(connection.socket, [CALL[:20]], descriptors)
        let_go_of(kind, descriptors)
        connection.send(CALL[20:])
        assert connection.reply()["interfaces"]
        reader.wait_for_more(30)
        assert connection.call(SERVICE_GET_INFO)


@kinds
def test_a_client_that_goes_before_its_call_is_whole(walk, reader, kind):
    with held(kind) as descriptors:
        with walk.connect() as connection:
            socket.send_fds(connection.socket, [CALL[:20]], descriptors)
            let_go_of(kind, descriptors)
        reader.wait_for_more(30)


@kinds
def test_more_descriptors_than_a_call_can_use(walk, reader, kind):
    with held(kind) as descriptors, open(os.devnull) as null, walk.connect() as connection:
        # The kernel itself drops what a reader has no room for, the last ones.
        socket.send_fds(connection.socket, [CALL], [null.fileno()] * 200 + descriptors)
        let_go_of(kind, descriptors)
        assert connection.reply()["interfaces"]
        reader.wait_for_more(30)


def test_a_byte_out_of_band(walk, reader):
    with lingering_socket() as descriptor, walk.connect() as connection:
        socket.send_fds(connection.socket, [CALL[:1]], [descriptor], socket.MSG_OOB)
        let_go(descriptor)
        connection.send(CALL[1:])
        # It is read in its place.
        assert connection.reply()["interfaces"]
        reader.wait_for_more(30)


def test_what_was_never_read_is_not_waited_for_either(walk, reader):
    with lingering_socket() as descriptor:
        with walk.connect() as connection:
            # No call is read while this number waits.
            connection.send(call_message(POSE_SUBSCRIBE, {"rate": 1}, more=True) + CALL * 64)
            connection.reply()
            hand_over(connection.socket, CALL, descriptor)
        reader.wait_for_more(30)


def test_a_client_of_the_pose_ring(walk, reader):
    with lingering_socket() as descriptor:
        with socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET) as ring:
            ring.connect(f"{walk.socket}.ring")
            hand_over(ring, b"x", descriptor)
        reader.wait_for_more(30)


def test_who_sends_too_many_loses_the_connection_and_no_other(walk, reader):
    with stuck_files() as files, open(os.devnull) as null, walk.connect() as calm:
        connection = walk.connect()
        socket.send_fds(connection.socket, [CALL], [files.open("close")])
        connection.reply()
        with pytest.raises((Closed, BrokenPipeError, ConnectionResetError)):
            for _ in range(2 * ROOM):
                socket.send_fds(connection.socket, [CALL], [null.fileno()] * 4)
                connection.reply()
        connection.close()
        # Their other connections are served, as long as they send none.
        assert calm.call(SERVICE_GET_INFO) and walk.call(SERVICE_GET_INFO)
        with pytest.raises((Closed, BrokenPipeError, ConnectionResetError)):
            calm.call(SCENE_EXPORT_PLACES, {"descriptor": 0}, [null.fileno()])
        reader.wait_for_more(30)
    wait_until(lambda: exports(walk), what="an export, now that the file answers")


def exports(daemon):
    try:
        with open(os.devnull, "w") as null, daemon.connect() as connection:
            return connection.call(SCENE_EXPORT_PLACES, {"descriptor": 0}, [null.fileno()])
    except (CallFailed, Closed, BrokenPipeError, ConnectionResetError):
        return False


def test_a_file_that_does_not_answer_is_given_up_and_others_go_on(walk, reader, tmp_path):
    """Reading it as route or places, and recording into it; all at the same time, since each takes its patience."""
    methods = {
        SCENE_SET_ROUTE: ("read", {"descriptor": 0}), SCENE_IMPORT_PLACES: ("read", {"descriptor": 0, "source": "x"}),
        RECORDING_START: ("size", {"path": "stuck", "descriptor": 0})}
    with stuck_files() as files, contextlib.ExitStack() as stack:
        connections = {method: stack.enter_context(walk.connect()) for method in methods}
        for method, (name, parameters) in methods.items():
            connections[method].send_call(method, parameters, [files.open(name)])
        # Those of others are not held up.
        assert walk.call(SCENE_SET_ROUTE, {"document": json.dumps(ROUTE)})["route"]
        for connection in connections.values():
            with pytest.raises(CallFailed) as raised:
                connection.reply()
            assert "does not answer" in raised.value.parameters["reason"]
        recording = walk.call(RECORDING_START, {"path": "after"})["path"]
        assert walk.call(RECORDING_STOP)["path"] == recording
        reader.wait_for_more(30)


def test_a_client_of_the_bridge(daemon):
    served = daemon(SIMULATION).start()
    path = served.folder / "nmea"
    program = Program(
        [PROGRAMS / "waymark-bridge", "--config", served.config, "--nmea-socket", path, "--rate", "10"],
        served.folder / "bridge.log")
    wait_until(path.exists, what=lambda: f"the socket; the log is:\n{program.log}")
    with socket.socket(socket.AF_UNIX) as reader, lingering_socket() as descriptor:
        reader.settimeout(PATIENCE)
        reader.connect(str(path))
        lines = reader.makefile("r", encoding="ascii")
        assert lines.readline().startswith("$")
        with socket.socket(socket.AF_UNIX) as other:
            other.connect(str(path))
            hand_over(other, b"x", descriptor)
        assert all(lines.readline().startswith("$") for _ in range(100))
    program.end()


@pytest.mark.library
def test_a_client_of_the_bus(daemon):
    """Without the bridge's group, or any right."""
    served = daemon(SIMULATION).start()
    bus = Bus(served.folder)
    served.configure({"bridge": {"sensor_proxy": True}})
    program = Program(
        [PROGRAMS / "waymark-bridge", "--config", served.config], served.folder / "bridge.log", env=bus.environment)
    client = bus.client()
    try:
        wait_until(lambda: client.get(SENSOR, "HasAccelerometer") is True, what="an accelerometer")
        # The bus itself refuses it on the bridge's behalf.
        with open(os.devnull) as null:
            refusal = bus.client(enable_fds=True).call(SENSOR, "ClaimAccelerometer", "h", (null.fileno(),))
        assert refusal == "org.freedesktop.DBus.Error.NotSupported"
    finally:
        program.end()
        bus.remove()
