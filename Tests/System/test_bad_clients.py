"""Clients that talk nonsense, break off or flood get a named error or an end; everybody else goes on."""
import array
import contextlib
import json
import os
import random
import socket

import pytest
from waymark_interface import (
    POSE_GET_POSE, POSE_SUBSCRIBE, RECORDING_START, RECORDING_STOP, SCENE_GET_AHEAD, SERVICE_GET_INFO,
    SERVICE_INTERFACE_NOT_FOUND, SERVICE_INVALID_PARAMETER, SERVICE_METHOD_NOT_FOUND, STATUS_GET_STATUS,
    STATUS_LIMIT_EXCEEDED)

from harness.daemon import SIMULATION
from harness.poses import longest_gap
from harness.varlink import CallFailed, Closed, parse
from harness.waiting import PATIENCE, wait_until

NO_GAP = 1.0  # see test_faults.py

INVALID = SERVICE_INVALID_PARAMETER
LIMIT = STATUS_LIMIT_EXCEEDED


@pytest.fixture
def reader(walk):
    """A healthy subscriber beside whatever a test does; the daemon is as before when the test is over."""
    descriptors = walk.program.settled_descriptors()
    with walk.subscribe() as subscriber:
        subscriber.wait_for_more()
        yield subscriber
        subscriber.wait_for_more()
        assert longest_gap(subscriber) < NO_GAP
    wait_until(lambda: walk.program.descriptors() == descriptors, what="the descriptors of before")


def error_of(connection, data):
    connection.send(data)
    message = parse(connection.message())
    return message.get("error")


@pytest.mark.parametrize("call, error", {
    "an unknown method": ({"method": "org.waymark.Pose.Jump"}, SERVICE_METHOD_NOT_FOUND),
    "an unknown interface": ({"method": "org.example.Pose.GetPose"}, SERVICE_INTERFACE_NOT_FOUND),
    "a rate that is a text": (
        {"method": POSE_SUBSCRIBE, "more": True, "parameters": {"rate": "fast"}}, INVALID),
    "a limit that is a fraction": ({"method": SCENE_GET_AHEAD, "parameters": {"limit": 1.5}}, INVALID),
    "a limit out of range": ({"method": SCENE_GET_AHEAD, "parameters": {"limit": 101}}, INVALID),
    "an unknown parameter": ({"method": POSE_GET_POSE, "parameters": {"speed": 1}}, INVALID),
    "a path that is a number": ({"method": RECORDING_START, "parameters": {"path": 5}}, INVALID),
    "no path": ({"method": RECORDING_START}, INVALID),
}.values(), ids=lambda value: value if isinstance(value, str) else json.dumps(value)[:60])
def test_a_wrong_call_gets_a_named_error_and_the_connection_goes_on(walk, reader, call, error):
    with walk.connect() as connection:
        assert error_of(connection, json.dumps(call).encode() + b"\0") == error
        assert connection.call(POSE_GET_POSE)["pose"]


@pytest.mark.parametrize("call", [
    {"method": 5}, {"parameters": {}}, {"method": POSE_GET_POSE, "parameters": [1]},
    {"method": POSE_GET_POSE, "more": "yes"}, {"method": None}, {},
], ids=json.dumps)
def test_a_message_that_is_no_call_gets_a_named_error(walk, reader, call):
    with walk.connect() as connection:
        assert error_of(connection, json.dumps(call).encode() + b"\0") == INVALID


@pytest.mark.parametrize("message", {
    "an empty message": b"\0",
    "no JSON": b"hello\0",
    "a list": b"[1,2]\0",
    "bytes that are no UTF-8": b'{"method":"\xff\xfe"}\0',
    "a lone surrogate": b'{"method":"\\ud800"}\0',
    "deep nesting":
        b'{"method":"org.waymark.Pose.GetPose","parameters":' + b'{"a":' * 5000 + b"1" + b"}" * 5001 + b"\0",
    "deep nesting that never ends": b"[" * 60000 + b"\0",
}.values(), ids=lambda value: repr(value[:24]))
def test_what_is_no_call_gets_an_error_and_the_end(walk, reader, message):
    with walk.connect() as connection:
        assert error_of(connection, message) == INVALID
        assert connection.is_closed_within()


def test_a_number_that_is_too_large_gets_a_named_error(walk, reader):
    with walk.connect() as connection:
        call = b'{"method":"org.waymark.Pose.GetPose","parameters":{"a":1e999}}\0'
        assert error_of(connection, call) == INVALID
        assert connection.call(POSE_GET_POSE)["pose"]


def test_a_megabyte_of_garbage_ends_its_sender_alone(walk, reader):
    noise = random.Random(1).randbytes(1 << 20)
    with walk.connect() as connection:
        # The first piece up to a NUL is no call: it gets its error, and nothing waits for more.
        with contextlib.suppress(BrokenPipeError, ConnectionResetError):
            connection.send(noise)
        assert parse(connection.message())["error"] == INVALID
        assert connection.is_closed_within()


def test_a_message_over_the_limit_is_told_so_and_closed(walk, reader):
    with walk.connect() as connection:
        with contextlib.suppress(BrokenPipeError, ConnectionResetError):
            connection.send(b'{"method":"' + b"x" * 200_000)
        message = parse(connection.message())
        assert message["error"] == LIMIT and message["parameters"]["limit"] == "messageLength"
        assert connection.is_closed_within()


def test_half_a_message_and_a_close_are_forgotten(walk, reader):
    for _ in range(20):
        with walk.connect() as connection:
            connection.send(b'{"method":"org.waymark.Pose.Ge')


def test_a_message_in_single_bytes_is_a_message(walk, reader):
    with walk.connect() as connection:
        for byte in b'{"method":"org.waymark.Pose.GetPose"}\0':
            connection.send(bytes([byte]))
        assert connection.reply()["pose"]


def test_a_flood_of_nuls_does_no_harm(walk, reader):
    with walk.connect() as connection:
        # It is closed on the first one: the number of others until then is not what is tested.
        with contextlib.suppress(BrokenPipeError, ConnectionResetError):
            for _ in range(16):
                connection.send(b"\0" * 65536)
        assert parse(connection.message())["error"] == INVALID
        assert connection.is_closed_within()
    reader.wait_for_more()


def test_calls_sent_ahead_are_answered_in_order_and_none_is_lost(walk, reader):
    count = 500
    with walk.connect() as connection:
        calls = b"".join(
            json.dumps({"method": f"org.waymark.Nothing{number}.Get"}).encode() + b"\0" for number in range(count))
        connection.socket.settimeout(PATIENCE)
        connection.send(calls)
        for number in range(count):
            message = parse(connection.message())
            assert message["parameters"]["interface"] == f"org.waymark.Nothing{number}"


def test_a_oneway_call_gets_no_reply(walk, reader):
    with walk.connect() as connection:
        connection.send_call(POSE_GET_POSE, oneway=True)
        connection.send_call("org.waymark.Nothing.Get", oneway=True)
        assert connection.call(SERVICE_GET_INFO)["interfaces"]


def test_too_many_subscriptions_are_refused_by_name(daemon):
    limited = daemon(SIMULATION, {"service": {"max_subscriptions": 2, "max_subscriptions_per_user": 2}}).start()
    with limited.subscribe() as reader, limited.subscribe() as other, limited.connect() as connection:
        other.wait_for_more()
        connection.send_call(POSE_SUBSCRIBE, {"rate": 20}, more=True)
        with pytest.raises(CallFailed) as raised:
            connection.reply()
        assert raised.value.name == LIMIT and raised.value.parameters == {"limit": "streams", "maximum": 2}
        reader.wait_for_more()


def test_a_flood_of_connections_is_refused_by_name_and_over_when_they_go(daemon):
    limited = daemon(SIMULATION, {"service": {"max_clients": 8, "max_clients_per_user": 8}}).start()
    with limited.subscribe() as reader:
        reader.wait_for_more()
        crowd = [limited.connect() for _ in range(40)]
        served, closed = 0, 0
        for member in crowd:
            try:
                member.call(SERVICE_GET_INFO)
            except CallFailed as failure:
                assert failure.name == LIMIT and failure.parameters == {"limit": "clients", "maximum": 8}
                served += 1
            except (Closed, BrokenPipeError, ConnectionResetError):
                closed += 1
        # Who floods may be closed without a word, but not all of them.
        assert served > 0 and served + closed == 40 - 7
        reader.wait_for_more()
        for member in crowd:
            member.close()
        wait_until(lambda: is_taken(limited), what="a client to be taken again")
        assert longest_gap(reader) < NO_GAP


def is_taken(daemon):
    try:
        return daemon.call(SERVICE_GET_INFO)
    except (CallFailed, Closed, BrokenPipeError, ConnectionResetError):
        return False


def test_descriptors_that_clients_send_leave_enough_for_the_daemon(daemon):
    """Calls with descriptors that wait behind a subscription, from as many clients as there may be."""
    made = daemon(SIMULATION).start(prefix=["prlimit", "--nofile=256:4096"])
    subscribe = b'{"method":"org.waymark.Pose.Subscribe","more":true,"parameters":{"rate":1}}\0'
    clients = [made.connect() for _ in range(120)]
    with open(os.devnull) as null:
        for client in clients:
            client.send(subscribe)
            for _ in range(16):
                client.socket.sendmsg(
                    [b'{"method":"org.varlink.service.GetInfo"}\0'],
                    [(socket.SOL_SOCKET, socket.SCM_RIGHTS, array.array("i", [null.fileno()] * 4))])
    with made.connect() as other:
        assert other.call(RECORDING_START, {"path": "walk"})["path"].endswith("walk.mcap")
        # The walk fills the file; how soon, with these clients on a busy machine, is not what is tested.
        wait_until(lambda: other.call(STATUS_GET_STATUS)["status"]["recording"]["messages"] > 0)
        assert other.call(RECORDING_STOP)["messages"] > 0
    for client in clients:
        client.close()
    assert made.stop() == 0
