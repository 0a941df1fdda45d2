"""The client library for C: its examples with the real daemon; and, by stand-ins, restarts and malformed data.

All programs are compiled with the address and undefined-behaviour sanitizers, which end a program at the first fault.
"""
import contextlib
import json
import math
import os
import random
import re
import shutil
import socket
import struct
import subprocess
import time

import pytest
from waymark_interface import (
    AID_ALREADY_OPEN, AID_LIST, AID_OFFER_HEIGHT, AID_OPEN, AID_OUT_OF_RANGE, POSE_GET_POSE, POSE_NOT_READY, POSE_SUBSCRIBE,
    SCENE_GET_ROUTE, SCENE_PICK, SERVICE_INVALID_PARAMETER, STATUS_GET_STATUS, STATUS_LIMIT_EXCEEDED)

from harness import ring_stand_in as pose_ring
from harness import sample_messages as sample
from harness.client_programs import LineProgram, compile_library, compile_program
from harness.paths import ROOT
from harness.server import RawServer, Server, unix_listener
from harness.process import Program
from harness.stand_in import CLOSE, Error, StandIn
from harness.user_folder import with_demonstration
from harness.waiting import PATIENCE, wait_until

LONGEST_MESSAGE = 16 * 1024 * 1024
SLOT = pose_ring.SLOT.size

pytestmark = [
    pytest.mark.library, pytest.mark.skipif(not shutil.which("cc"), reason="needs a C compiler")]


@pytest.fixture(scope="module")
def programs(tmp_path_factory):
    """Compiled programs, by their names."""
    folder = compile_library(tmp_path_factory.mktemp("library"))
    sources = [*(ROOT / "Tests/CClient").glob("*.c"), *(ROOT / "clients/c/examples").glob("*.c")]
    return {f"{source.stem}" if source.parent.name == "CClient" else f"example {source.stem}":
            compile_program(folder, source) for source in sources}


@pytest.fixture
def reader(programs, tmp_path):
    """A reader of the ring `ring.sock`, which does what it is asked."""
    with LineProgram([programs["reader"], tmp_path / "ring.sock"], tmp_path) as program:
        yield program


@pytest.fixture
def subscriber(programs, tmp_path):
    """Starts a subscriber at `daemon.sock`."""
    started = []

    def start(method=POSE_SUBSCRIBE, parameters="{}", path=tmp_path / "daemon.sock"):
        started.append(LineProgram([programs["subscriber"], path, method, parameters], tmp_path))
        return started[-1]

    yield start
    for program in started:
        program.finish()


def call(programs, path, method=STATUS_GET_STATUS, parameters="{}", timeout=30_000):
    done = subprocess.run(
        [programs["caller"], path, method, parameters, str(timeout)], capture_output=True, text=True, timeout=PATIENCE)
    assert done.returncode == 0, done.stderr
    return done.stdout.rstrip("\n").split(" ", 4)


# Examples


def run_example(program, *arguments, **environment):
    return subprocess.run(
        [program, *arguments], capture_output=True, text=True, timeout=PATIENCE, env={**os.environ, **environment})


def test_the_status_example_prints_the_daemon_s_status(programs, walk):
    done = run_example(programs["example status"], WAYMARK_SOCKET=str(walk.socket))
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["status"]["source"] == "simulation"


def test_the_subscribe_example_prints_poses_one_a_line(programs, walk):
    done = run_example(programs["example subscribe"], "10", WAYMARK_SOCKET=str(walk.socket))
    poses = [json.loads(line)["pose"] for line in done.stdout.splitlines()]
    numbers = [pose["sequence"] for pose in poses]
    assert done.returncode == 0 and len(poses) == 10 and numbers == sorted(set(numbers)), done.stderr


@pytest.mark.parametrize("picked, words", [
    ({}, "nothing there"), (Error(STATUS_LIMIT_EXCEEDED, limit="streams", maximum=1), STATUS_LIMIT_EXCEEDED)])
def test_the_tap_example_says_why_there_is_no_route(programs, tmp_path, picked, words):
    with StandIn(tmp_path / "socket", {SCENE_PICK: picked}):
        done = run_example(programs["example tap"], WAYMARK_SOCKET=str(tmp_path / "socket"))
    assert done.returncode == 1 and words in done.stderr


def test_the_examples_compile_as_their_comments_say(tmp_path):
    subprocess.run(
        ["make", "--no-print-directory", "-C", ROOT / "clients/c", f"BUILD={tmp_path}", "all", "examples"], check=True,
        capture_output=True)
    dynamic = subprocess.run(
        ["readelf", "--wide", "--dynamic", tmp_path / "libwaymark.so.0"], check=True, capture_output=True, text=True)
    assert "soname: [libwaymark.so.0]" in dynamic.stdout
    assert set(re.findall(r"Shared library: \[(lib\w+)", dynamic.stdout)) <= {"libc", "libm"}
    symbols = subprocess.run(
        ["nm", "--dynamic", "--defined-only", tmp_path / "libwaymark.so.0"], check=True, capture_output=True, text=True)
    names = [line.split()[-1] for line in symbols.stdout.splitlines()]
    assert names and all(name.startswith("waymark_") for name in names)
    header = (ROOT / "clients/c/waymark.h").read_text()
    assert set(names) == set(re.findall(r"\b(waymark_\w+)\(", header))


@pytest.mark.parametrize("header", ["waymark.h", "waymark-interface.h", "waymark-pose-ring.h"])
@pytest.mark.parametrize("command", [["gcc", "-std=c99", "-x", "c"], ["gcc", "-std=gnu11", "-x", "c"], ["g++", "-std=c++11", "-x", "c++"]])
def test_each_header_compiles_alone_by_the_letter_of_the_standard(command, header):
    done = subprocess.run(
        [*command, "-pedantic", "-Wall", "-Wextra", "-Wredundant-decls", "-Werror", "-fsyntax-only", "-I", ROOT / "clients/c", "-"],
        input=f"#include <{header}>\nint main(void) {{ return 0; }}\n", capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


def test_a_program_in_c99_alone_is_linked_with_the_library(programs, tmp_path):
    subprocess.run(
        ["cc", "-std=c99", "-pedantic", "-Wall", "-Wextra", "-Werror", "-I", ROOT / "clients/c", ROOT / "clients/c/examples/status.c",
         programs["reader"].parent / "libwaymark.a", "-lm", "-fsanitize=address,undefined", "-o", tmp_path / "status"], check=True)
    assert "cannot be reached" in run_example(tmp_path / "status", WAYMARK_SOCKET=str(tmp_path / "none")).stderr


def test_each_outcome_has_a_name_in_the_tests_and_a_line_in_the_manual():
    header = (ROOT / "clients/c/waymark.h").read_text()
    outcomes = re.findall(r"^    (WAYMARK_\w+),?$", header.split("enum waymark_outcome {")[1].split("};")[0], re.MULTILINE)
    manual = (ROOT / "man/waymark-client.3.scd").read_text()
    assert len(outcomes) == 20
    for outcome in outcomes[:-1]:
        assert f"*{outcome}*" in manual, outcome
    for function in re.findall(r"\b(waymark_\w+)\(", header):
        assert function in manual, function


# Calls


def test_a_call_gives_the_reply_or_the_error_with_its_name(programs, tmp_path):
    path = tmp_path / "daemon.sock"
    with StandIn(path, {STATUS_GET_STATUS: Error(STATUS_LIMIT_EXCEEDED, limit="clients", maximum=1)}):
        answer = call(programs, path)
        assert answer[:2] == ["callFailed", STATUS_LIMIT_EXCEEDED] and json.loads(answer[4])["limit"] == "clients"
    assert call(programs, path)[0] == "unreachable"


@pytest.mark.parametrize("method, parameters", [("", "{}"), ('a"b', "{}"), ("a.b", "[]"), ("a.b", "{} x"), ("a.b", "{")])
def test_a_call_that_is_no_call_is_not_made(programs, tmp_path, method, parameters):
    assert call(programs, tmp_path / "none", method, parameters)[0] == "invalidArgument"


def test_a_path_that_is_too_long_for_a_socket_is_an_invalid_argument(programs, tmp_path):
    assert call(programs, "/" + "a" * 107)[0] == "invalidArgument"
    with LineProgram([programs["reader"], "/" + "a" * 107], tmp_path) as reader:
        assert reader.ask("update") == ["invalidArgument"]
        assert reader.ask("wait", -1)[0] == "invalidArgument"


@contextlib.contextmanager
def full_queue(path, kind):
    """A daemon that accepts no client, and whose queue of new connections is full."""
    with contextlib.ExitStack() as stack:
        listener = stack.enter_context(socket.socket(socket.AF_UNIX, kind))
        listener.bind(str(path))
        listener.listen(0)
        with contextlib.suppress(BlockingIOError):
            while True:
                client = stack.enter_context(socket.socket(socket.AF_UNIX, kind | socket.SOCK_NONBLOCK))
                client.connect(str(path))
        yield


def test_a_daemon_whose_queue_is_full_is_not_taken_for_a_lack_of_permission(programs, reader, subscriber, tmp_path):
    with full_queue(tmp_path / "ring.sock", socket.SOCK_SEQPACKET), full_queue(tmp_path / "daemon.sock", socket.SOCK_STREAM):
        assert reader.ask_until("timedOut", "update")
        assert subscriber().line_with("lost")[2] == "timedOut"
        assert call(programs, tmp_path / "daemon.sock", timeout=50)[0] == "timedOut"


MALFORMED = {
    "no JSON": b"hello\0",
    "half": b'{"parameters":{}',
    "array": b"[]\0",
    "empty": b"\0",
    "parameters": b'{"parameters":[]}\0',
    "twice": b'{"parameters":{},"parameters":{}}\0',
    "error": b'{"error":5}\0',
    "name": b'{"error":"a\\u0041"}\0',
    "continues": b'{"continues":1}\0',
    "deep": b'{"parameters":{"a":' + b"[" * 100 + b"]" * 100 + b"}}\0",
    "UTF-8": b'{"parameters":{"a":"\xff"}}\0',
    "trailing": b'{"parameters":{}} {}\0',
}


@pytest.mark.parametrize("kind", MALFORMED)
def test_a_malformed_reply_is_refused(programs, tmp_path, kind):
    with RawServer(tmp_path / "daemon.sock", MALFORMED[kind], hangs_up=True):
        expected = "disconnected" if kind == "half" else "invalid"
        assert call(programs, tmp_path / "daemon.sock")[0] == expected


def test_a_reply_may_be_as_long_as_the_limit_and_no_longer(programs, tmp_path):
    frame = b'{"parameters":{"a":"%s"}}\0'
    for excess, expected in [(0, "ok"), (1, "tooLong")]:
        path = tmp_path / f"{excess}.sock"
        with RawServer(path, frame % (b"x" * (LONGEST_MESSAGE + excess - len(frame) + 3))):
            assert call(programs, path)[0] == expected


def test_a_daemon_that_does_not_answer_is_waited_for_as_long_as_the_call_says(programs, tmp_path):
    with RawServer(tmp_path / "daemon.sock", b'{"parameters":{}'):
        assert call(programs, tmp_path / "daemon.sock", timeout=50)[0] == "timedOut"


def mutations(count):
    """Replies with bytes replaced, deleted and repeated, by a seeded generator."""
    chance = random.Random(5)
    begin = [b'{"parameters":{"a":[1,-0.5e+3,"x\\n\\u00e9",null,true,{}]},"continues":true}',
             b' { "error" : "org.waymark.Pose.NotReady", "parameters" : {"reason":"\xc3\xa9"} , "new":[[]] } ']
    for _ in range(count):
        text = bytearray(chance.choice(begin))
        for _ in range(chance.randint(0, 3)):
            place = chance.randrange(len(text))
            change = chance.randrange(4)
            if change == 0:
                text[place] = chance.choice(b'{}[]",:\\ 019.eE+-tfnu\x01\x80\xff')
            elif change == 1:
                del text[place]
            elif change == 2:
                text[place:place] = text[place:place + chance.randint(1, 9)]
            else:
                del text[place:]
            if not text:
                break
        yield bytes(text)


def expected_envelope(text):
    """What the reply is by Python's own reader."""
    def refuse(constant):
        raise ValueError(constant)

    def members(pairs):
        return pairs

    try:
        reply = json.loads(text.decode(), parse_constant=refuse, object_pairs_hook=members)
    except ValueError:
        return None
    if not isinstance(reply, list) or not text.strip().startswith(b"{"):
        return None
    names = [name for name, _ in reply]
    return names, dict(reply)


def test_replies_are_read_as_another_json_library_reads_them(programs):
    texts = [text for text in mutations(4000) if b"\0" not in text]
    done = subprocess.run([programs["texts"]], input=b"\0".join(texts) + b"\0", capture_output=True, timeout=PATIENCE)
    assert done.returncode == 0, done.stderr
    # Texts of replies hold no line ends: JSON escapes them.
    lines = done.stdout.decode().split("\n")[:-1]
    assert len(lines) == len(texts)
    accepted = 0
    for text, line in zip(texts, lines):
        expected = expected_envelope(text)
        if expected is None:
            assert line == "refused", text
            continue
        if line == "refused":
            # JSON, and yet no reply.
            names, members = expected
            assert (names.count("parameters") > 1 or names.count("error") > 1 or "continues" in names
                    or "error" in members or "parameters" in members), text
            continue
        accepted += 1
        continues, error, parameters = line.split(" ", 2)
        assert continues == str(int(bool(expected[1].get("continues")))), text
        assert error == expected[1].get("error", "-")
        if parameters != "-":
            assert json.loads(parameters, object_pairs_hook=list) == expected[1]["parameters"]
    assert accepted > 500


def test_parameters_are_written_as_json_in_any_locale(programs):
    for locale in ["C", "C.UTF-8", "de_DE.UTF-8"]:
        done = subprocess.run(
            [programs["texts"], "write"], capture_output=True, text=True, env={**os.environ, "LC_ALL": locale})
        assert done.returncode == 0, done.stderr
        empty, all_kinds, *others = done.stdout.splitlines()
        assert empty == "{}" and others == ["invalid"] * 4
        assert json.loads(all_kinds) == {
            "rate": 0.1, "limit": -2**63, "frame": True, "text": 'a"b\\c\n\x01é', "camera": {"aspect": [1.5, {}]}}
        assert '"rate":0.1,' in all_kinds


# Aids

OPENED = {"offersPerSecond": 250, "maximumAge": 2.5}


@pytest.fixture
def aider(programs, tmp_path):
    """Starts an aid at a socket, by default `daemon.sock`, which does what it is asked."""
    started = []

    def start(path=tmp_path / "daemon.sock", source="aid"):
        started.append(LineProgram([programs["aider"], path, source], tmp_path))
        return started[-1]

    yield start
    for program in started:
        program.finish()


def aid_state(program):
    """Result, connections, accepted, refused, unanswered, name of the last error."""
    result, *numbers, error = program.ask("state")
    return (result, *map(int, numbers), error)


def test_offers_of_every_kind_are_accepted_and_refusals_have_their_names(aider, walk):
    program = aider(walk.socket, "c-kinds")
    assert program.ask("wait", 30_000) == ["ok"]
    kinds = ["odometry", "position", "sighting", "sun", "range", "heading", "height"]
    for kind in kinds:
        assert program.ask(kind, 1) == ["ok"]
    assert program.ask("wait", 30_000) == ["ok"]
    assert aid_state(program) == ("ok", 1, len(kinds), 0, 0, "")
    # What is wrong shows without waiting; the library itself refuses what is no number and no time.
    assert program.ask("odometry", 2) == ["ok"] and program.ask("heading", -1) == ["ok"]
    assert program.ask("nan") == ["invalidArgument"] == program.ask("negative", 1)
    assert program.ask("wait", 30_000) == ["ok"]
    assert aid_state(program) == ("ok", 1, len(kinds), 2, 0, AID_OUT_OF_RANGE)
    [found] = [each for each in walk.call(AID_LIST)["sources"] if each["source"] == "c-kinds"]
    assert found["accepted"] == len(kinds) and sum(each["number"] for each in found["refused"]) == 2
    # Its name is taken.
    other = aider(walk.socket, "c-kinds")
    assert other.ask("wait", 30_000) == ["callFailed"] == other.ask("height", 1)
    assert aid_state(other)[::5] == ("callFailed", AID_ALREADY_OPEN)


def test_an_aid_that_the_daemon_does_not_open_has_the_error(aider, walk):
    program = aider(walk.socket, "No name")
    assert program.ask("wait", 30_000) == ["callFailed"]
    assert aid_state(program)[-1] == SERVICE_INVALID_PARAMETER
    assert aider(walk.socket, "a" * 64).line() == "invalidArgument"


def test_an_aid_outlives_the_daemon_that_is_killed_and_started_again(aider, simulation):
    program = aider(simulation.socket)
    for connections in (1, 2):
        assert program.ask("wait", 30_000) == ["ok"]
        assert program.ask("height", 1) == ["ok"] and program.ask("wait", 30_000) == ["ok"]
        assert aid_state(program) == ("ok", connections, connections, 0, 0, "")
        simulation.program.end(9)
        assert program.ask_until("unreachable", "height", 1)
        assert program.ask("wait", 1) == ["unreachable"]
        simulation.start()


def test_a_name_that_the_former_connection_still_has_is_tried_again(aider, tmp_path):
    answers = iter([OPENED, Error(AID_ALREADY_OPEN, source="aid"), OPENED])
    replies = {AID_OPEN: lambda parameters, file: next(answers), AID_OFFER_HEIGHT: CLOSE}
    with StandIn(tmp_path / "daemon.sock", replies):
        program = aider()
        assert program.ask("wait", 30_000) == ["ok"]
        assert program.ask("height", 1)[0] in ("ok", "disconnected")
        assert program.ask("wait", 30_000) == ["ok"]
        assert aid_state(program) == ("ok", 3, 0, 0, 0, AID_ALREADY_OPEN)


@pytest.mark.parametrize("kind", sorted(set(MALFORMED) - {"half"}))
def test_what_is_malformed_ends_the_connection_of_an_aid(aider, tmp_path, kind):
    with RawServer(tmp_path / "daemon.sock", MALFORMED[kind]):
        assert aider().ask_until("invalid", "height", 1)


def test_a_reply_for_which_no_offer_was_made_ends_the_connection_of_an_aid(aider, tmp_path):
    with RawServer(tmp_path / "daemon.sock", b'{"parameters":{}}\0' * 2):
        assert aider().ask_until("invalid", "height", 1)


class OpensAndReadsNoMore(Server):
    def serve(self, connection):
        connection.recv(65536)
        connection.sendall(json.dumps({"parameters": OPENED}).encode() + b"\0")


def test_a_daemon_that_reads_no_more_holds_no_offer_up(aider, tmp_path):
    with OpensAndReadsNoMore(unix_listener(tmp_path / "daemon.sock")):
        program = aider()
        assert program.ask("wait", 30_000) == ["ok"]
        assert program.ask_until("timedOut", "height", 1)
        assert program.ask("wait", 10) == ["timedOut"] and aid_state(program)[0] == "ok"


# Subscriptions


def test_a_subscription_outlives_the_daemon_that_is_killed_and_started_again(simulation, subscriber):
    program = subscriber(path=simulation.socket)
    for _ in range(2):
        assert program.line_with("connected")
        sequences = [json.loads(program.line_with("reply")[5])["pose"]["sequence"] for _ in range(5)]
        assert sequences == sorted(set(sequences))
        simulation.program.end(9)
        program.line_with("lost")
        simulation.start()
    program.line_with("connected")
    assert json.loads(program.line_with("reply")[5])["pose"]["sequence"] > 0
    # Each line is an event of its own: nothing but replies between a connection and its loss.
    kinds = [line.split(" ")[0] for line in program.seen]
    assert set(kinds) == {"connected", "reply", "lost"}
    for before, after in zip(kinds, kinds[1:]):
        assert not (before == "connected" and after == "connected"), kinds
        assert not (before == "lost" and after == "reply"), kinds


def test_the_loss_of_a_connection_is_reported_once_for_a_reason(subscriber, tmp_path):
    program = subscriber()
    assert program.line_with("lost")[2] == "unreachable"
    # Several attempts fail meanwhile.
    time.sleep(1)
    with StandIn(tmp_path / "daemon.sock", {POSE_SUBSCRIBE: sample.poses()}):
        program.line_with("connected")
    assert [line.split(" ")[0] for line in program.seen] == ["lost", "connected"]


def test_an_error_ends_a_subscription_and_a_last_reply_does_too(subscriber, tmp_path):
    replies = {POSE_SUBSCRIBE: Error(POSE_NOT_READY, reason="no data")}
    with StandIn(tmp_path / "daemon.sock", replies):
        failed = subscriber().line_with("failed")
        assert failed[3] == POSE_NOT_READY and json.loads(" ".join(failed[5:])) == {"reason": "no data"}
    (tmp_path / "daemon.sock").unlink()
    data = b'{"parameters":{"a":1},"continues":true}\0{"parameters":{"a":2}}\0'
    with RawServer(tmp_path / "daemon.sock", data, hangs_up=True):
        program = subscriber()
        assert program.line_with("last")[5] == '{"a":2}'
        assert [line.split(" ")[0] for line in program.seen] == ["connected", "reply", "last"]


def test_a_limit_that_the_former_connection_still_counts_for_is_tried_again(subscriber, tmp_path):
    first = [{"pose": sample.POSE}, CLOSE]
    answers = iter([first, Error(STATUS_LIMIT_EXCEEDED, limit="streams", maximum=1), [{"pose": sample.POSE}]])
    with StandIn(tmp_path / "daemon.sock", {POSE_SUBSCRIBE: lambda parameters, file: next(answers)}):
        program = subscriber()
        assert program.line_with("lost")[2] == "disconnected"
        assert program.line_with("lost")[2] == "callFailed"
        assert program.line_with("reply")[1] == "3"


@pytest.mark.parametrize("kind", MALFORMED)
def test_what_is_malformed_ends_the_connection_and_is_never_given_to_the_program(subscriber, tmp_path, kind):
    good = b'{"parameters":{"a":1},"continues":true}\0'
    with RawServer(tmp_path / "daemon.sock", good + MALFORMED[kind] + good):
        program = subscriber()
        assert program.line_with("lost")[2] == "invalid"
        program.line_with("connected")
    replies = [line.split(" ", 5)[5] for line in program.seen if line.startswith("reply")]
    assert replies and set(replies) == {'{"a":1}'}


def test_a_message_that_the_end_of_a_connection_cuts_off_is_dropped(subscriber, tmp_path):
    data = b'{"parameters":{"a":1},"continues":true}\0{"parameters":{"a"'
    with RawServer(tmp_path / "daemon.sock", data, hangs_up=True):
        program = subscriber()
        for connection in ("1", "2"):
            assert program.line_with("reply")[1] == connection
            assert program.line_with("lost")[2] == "disconnected"
    assert [line.split(" ")[0] for line in program.seen] == ["connected", "reply", "lost"] * 2


def test_pauses_between_attempts_grow_while_the_daemon_sends_what_is_malformed(subscriber, tmp_path):
    with RawServer(tmp_path / "daemon.sock", b"nonsense\0", hangs_up=True) as server:
        begin = time.monotonic()
        subscriber()
        wait_until(lambda: len(server.connections) >= 6, interval=0.005)
        passed = time.monotonic() - begin
    # Five pauses, of which the first is 0.1 s and each later one twice as long, each shorter by a quarter at most. Pauses
    # that do not grow would be 0.5 s together; a busy machine only makes them longer.
    assert passed >= 0.75 * sum(0.1 * 2**pause for pause in range(5))


def test_a_message_that_arrives_byte_by_byte_is_whole(subscriber, tmp_path):
    class Slow(RawServer):
        def serve(self, connection):
            connection.recv(65536)
            for byte in self.data:
                connection.sendall(bytes([byte]))
                time.sleep(0.001)
            connection.recv(1)

    with Slow(tmp_path / "daemon.sock", b'{"parameters":{"a":"x y"},"continues":true}\0' * 3):
        program = subscriber()
        assert [program.line_with("reply")[4] for _ in range(3)] == ["11"] * 3


def test_a_message_beyond_the_limit_ends_the_connection(subscriber, tmp_path):
    with RawServer(tmp_path / "daemon.sock", b"x" * (LONGEST_MESSAGE + 2)):
        assert subscriber().line_with("lost")[2] == "tooLong"


# The pose ring


def values(first=0.0):
    """The numbers of a slot that differ from each other, with a rotation about a slanted axis."""
    half, axis = 0.3 + first, (2 / 7, 3 / 7, 6 / 7)
    q = [part * math.sin(half) for part in axis] + [math.cos(half)]
    motion = [1.1, -0.2, 0.4, 0.7, -0.9, 0.3, 0.65, -0.85, 0.35, 3.0, -4.0, 5.0, 0.9, -1.8, 2.5]
    return [1 + first, 2, 3, *q, *motion, 47.4, 8.5, 450, 12, 13, 1.2, *(0.1 * n for n in range(1, 7)), *range(7),
            *(0.5 * n for n in range(1, 9))]


ALL_FIELDS = (1 << 13) - 1


def test_the_layout_of_the_stand_in_is_that_of_the_header(programs):
    printed = subprocess.run([programs["layout"]], capture_output=True, text=True, check=True).stdout
    offsets = {name: int(offset) for name, offset in (line.split() for line in printed.splitlines())}
    assert offsets["header"] == pose_ring.HEADER_SIZE and offsets["slot"] == pose_ring.SLOT.size
    assert [offsets[f"header.{name}"] for name in ("newest", "ended")] == [pose_ring.NEWEST, pose_ring.ENDED]
    assert offsets["doorbell"] == pose_ring.DOORBELL.size and offsets["wakes"] == pose_ring.WAKES
    assert [offsets[f"doorbell.{name}"] for name in ("waiting", "futex")] == [pose_ring.WAITING, pose_ring.FUTEX]
    slot = {"time": 2, "fields": 4, "state": 6, "motion_probability": 11, "reasons": 12, "position": 14,
            "turning_rate": 27, "latitude": 36, "heading": 39, "horizontal_accuracy": 42, "map_latitude": 48,
            "yaw_acceleration_square": 55}
    for name, index in slot.items():
        marked = [0] * 63
        marked[index] = 1
        found = next(offset for offset, byte in enumerate(pose_ring.SLOT.pack(*marked)) if byte)
        assert offsets[f"slot.{name}"] == found // 8 * 8 if name not in ("state", "fields") else found, name


def test_the_newest_pose_is_read_and_the_daemon_s_state_with_it(reader, tmp_path):
    assert reader.ask("newest")[0] == "notReady"
    assert reader.ask_until("unreachable", "update")
    with pose_ring.PoseRing(tmp_path / "ring.sock", generation=77) as ring:
        reader.ask_until("ok", "update")
        assert reader.ask("newest")[:3] == ["notReady", "0", "0"]
        for number in range(1, 200):
            ring.publish(at=number * 5_000_000, numbers=values(number))
        answer = reader.ask("newest")
        assert answer[:4] == ["ok", "77", "199", str(199 * 5_000_000)] and float(answer[4]) == 200
        assert reader.ask("state") == ["ok", "0", "1", "77"]
        ring.end()
        assert reader.ask("newest")[:3] == ["ended", "77", "199"]
        assert reader.ask("update") == ["ended"]


def test_a_wait_ends_with_the_next_pose_and_with_the_daemon(reader, tmp_path):
    with pose_ring.PoseRing(tmp_path / "ring.sock") as ring:
        assert ring.publish() == 1
        assert reader.ask_until("ok", "wait", 1000)[2] == "1"
        assert reader.ask("wait", 30)[0] == "timedOut"
        reader.process.stdin.write("wait 60000\n")
        reader.process.stdin.flush()
        time.sleep(0.2)
        ring.publish()
        assert reader.line().split(" ")[:3] == ["ok", "1", "2"]
        reader.process.stdin.write("wait 60000\n")
        reader.process.stdin.flush()
        time.sleep(0.2)
        ring.kill()
        assert reader.line().split(" ")[0] == "disconnected"
    assert reader.ask("newest")[:3] == ["disconnected", "1", "2"]


def test_a_daemon_that_is_started_again_is_found_and_has_another_generation(reader, tmp_path):
    for generation in (5, 6, 7):
        with pose_ring.PoseRing(tmp_path / "ring.sock", generation=generation) as ring:
            ring.publish(numbers=values(generation))
            answer = reader.ask_until("ok", "wait", 60_000)
            assert answer[1:3] == [str(generation), "1"] and float(answer[4]) == generation + 1
            (ring.end if generation == 5 else ring.kill)()
        reader.ask_until("ended" if generation == 5 else "disconnected", "wait", 60_000)
    assert reader.ask("state")[2] == "3"


def test_poses_of_the_past_are_interpolated_within_the_ring(reader, tmp_path):
    with pose_ring.PoseRing(tmp_path / "ring.sock") as ring:
        reader.ask_until("ok", "update")
        assert reader.ask("at", 5)[0] == "notReady"
        # A circle of 2 m about the vertical in 4 s: what lies between two poses is known.
        def state(at):
            angle = 2 * math.pi * at / 4e9
            rate = 2 * math.pi / 4
            return [2 * math.sin(angle), 0, 2 * math.cos(angle), 0, math.sin(angle / 2), 0, math.cos(angle / 2),
                    2 * rate * math.cos(angle), 0, -2 * rate * math.sin(angle), 0, rate, 0, *[0] * 36]

        for number in range(1, 101):
            ring.publish(at=number * 10_000_000, numbers=state(number * 10_000_000))
        for at in (400_000_000, 512_345_678, 999_999_999, 1_000_000_000):
            answer = reader.ask("at", at)
            assert answer[0] == "ok" and answer[3] == str(at)
            for found, expected in zip(map(float, answer[4:17]), state(at)):
                assert found == pytest.approx(expected, abs=1e-6 if at % 10_000_000 == 0 else 4e-4)
        assert reader.ask("at", 1_000_000_001)[0] == "tooLate"
        assert reader.ask("at", 300_000_000)[0] == "tooEarly"
        ring.publish(at=1_010_000_000, numbers=state(0), generation=2)
        assert reader.ask("at", 1_005_000_000)[0] == "inGap"
        ring.publish(at=1_210_000_000, numbers=state(0), generation=2)
        assert reader.ask("at", 1_100_000_000)[0] == "inGap"


def test_times_at_the_ends_of_what_can_be_counted_do_no_harm(reader, tmp_path):
    with pose_ring.PoseRing(tmp_path / "ring.sock") as ring:
        reader.ask_until("ok", "update")
        for at in (-2**63, 2**63 - 1):
            ring.publish(at=at, numbers=values(), fields=ALL_FIELDS)
        assert reader.ask("at", 5)[0] == "inGap"
        for at in (10**9, 10**9 + 10_000_000):
            ring.publish(at=at, numbers=values(), fields=ALL_FIELDS, utc=2**63 - 1)
        assert reader.ask("at", 10**9 + 5_000_000)[0] == "inGap"
        assert reader.ask("predict", 10**9 + 10_000_000, 20)[5] == "20000000"


def quaternion_product(p, q):
    (x, y, z, w), (a, b, c, d) = p, q
    return [w * a + x * d + y * c - z * b, w * b - x * c + y * d + z * a,
            w * c + x * b - y * a + z * d, w * d - x * a - y * b - z * c]


def test_predictions_are_by_the_equations_of_the_filter_page(reader, tmp_path):
    numbers = values()
    position, orientation, velocity = numbers[:3], numbers[3:7], numbers[7:10]
    rate, angular_acceleration, acceleration = numbers[13:16], numbers[16:19], numbers[19:22]
    with pose_ring.PoseRing(tmp_path / "ring.sock") as ring:
        ring.publish(at=1000, numbers=numbers, fields=ALL_FIELDS)
        reader.ask_until("ok", "update")
        for milliseconds in (-5, 0, 1, 20, 60, 100, 500):
            answer = reader.ask("predict", 1000, milliseconds)
            assert answer[4] == str(int(milliseconds > 100))
            ahead = min(100, max(0, milliseconds)) / 1000
            assert int(answer[5]) == round(ahead * 1e9)
            share = 1 - ahead / 0.1
            turn = [(w + 0.5 * share * a * ahead) * ahead for w, a in zip(rate, angular_acceleration)]
            angle = math.hypot(*turn)
            step = [part / angle * math.sin(angle / 2) if angle else 0 for part in turn] + [math.cos(angle / 2)]
            expected = [p + v * ahead + 0.5 * share * a * ahead**2 for p, v, a in zip(position, velocity, acceleration)]
            expected += quaternion_product(orientation, step)
            expected += [v + share * a * ahead for v, a in zip(velocity, acceleration)]
            assert list(map(float, answer[6:16])) == pytest.approx(expected, abs=1e-12)


REFUSALS = {
    "ringIsOff": {"answer": pose_ring.OFF},
    "tooManyReaders": {"answer": pose_ring.TOO_MANY},
    "refused": {"answer": 9},
    "otherLayout": {"layout": 2},
    "otherBoot": {"boot": bytes(16)},
}
INVALID_RINGS = {
    "another magic": {"magic": b"WAYMRONG"},
    "a short offer": {"offer": b"WAYMRING"},
    "no offer": {"offer": b""},
    "no descriptors": {"descriptors": 0},
    "one descriptor": {"descriptors": 1},
    "four descriptors": {"descriptors": 4},
    "memory that could become smaller": {"seals": 0},
    "slots that are too small": {"slot_size": SLOT - 8},
    "slots of odd size": {"slot_size": SLOT + 4},
    "no slots": {"slot_count": 0},
    "less memory than the header says": {"cut": 8},
    "less memory than a header": {"cut": 64 * SLOT + 8},
}


@pytest.mark.parametrize("expected", REFUSALS)
def test_a_refusal_has_its_own_outcome_and_is_asked_again(reader, tmp_path, expected):
    with pose_ring.PoseRing(tmp_path / "ring.sock", **REFUSALS[expected]):
        assert reader.ask_until(expected, "wait", 1000)
        assert reader.ask("newest")[:3] == [expected, "0", "0"]
    with pose_ring.PoseRing(tmp_path / "ring.sock") as ring:
        ring.publish()
        assert reader.ask_until("ok", "wait", 60_000)


@pytest.mark.parametrize("kind", INVALID_RINGS)
def test_an_invalid_ring_is_never_read(reader, tmp_path, kind):
    with pose_ring.PoseRing(tmp_path / "ring.sock", **INVALID_RINGS[kind]):
        reader.ask_until("disconnected" if kind == "no offer" else "invalid", "update")
        assert reader.ask("newest")[2] == "0"


def test_another_clock_is_refused(reader, tmp_path):
    with pose_ring.PoseRing(tmp_path / "ring.sock", clock=1):
        reader.ask_until("otherBoot", "update")


def test_a_newer_daemon_may_append_to_its_offer_its_header_and_its_slots(reader, tmp_path):
    offer = struct.pack("=8sII", pose_ring.MAGIC, 1, 0) + bytes(48)
    with pose_ring.PoseRing(tmp_path / "ring.sock", slot_size=SLOT + 64, header_size=512, slot_count=128, offer=offer) as ring:
        reader.ask_until("ok", "update")
        for number in range(1, 300):
            ring.publish(numbers=values(number))
        assert float(reader.ask("newest")[4]) == 300


@pytest.mark.parametrize("index, value", [(0, math.nan), (20, math.inf), (48, -math.inf), (6, 0.0), (41, -1.0), (48, -1.0)])
def test_a_pose_that_cannot_be_calculated_with_is_refused(reader, tmp_path, index, value):
    numbers = values()
    numbers[index] = value
    with pose_ring.PoseRing(tmp_path / "ring.sock") as ring:
        reader.ask_until("ok", "update")
        ring.publish(at=1, numbers=numbers)
        assert reader.ask("newest")[:3] == ["invalid", "0", "0"]
        assert reader.ask("at", 1)[:3] == ["invalid", "0", "0"]
        ring.publish(at=2, numbers=values())
        assert reader.ask("newest")[0] == "ok"


def test_a_number_without_its_pose_is_found_and_does_not_hang_the_reader(reader, tmp_path):
    with pose_ring.PoseRing(tmp_path / "ring.sock") as ring:
        reader.ask_until("ok", "update")
        struct.pack_into("=Q", ring.memory, pose_ring.NEWEST, 2**63 + 5)
        assert reader.ask("newest")[0] == "invalid"
        assert reader.ask("at", 5)[0] in ("tooEarly", "invalid")


@pytest.mark.long
def test_many_threads_read_one_ring_while_the_daemon_writes_and_restarts(programs, tmp_path):
    path = tmp_path / "ring.sock"

    def publish(ring, count):
        for _ in range(count):
            ring.publish(numbers=[ring.newest + 1] * 3 + [0, 0, 0, 1] + [0] * 42)

    def has_read_much():
        publish(ring, 100)
        torn, backwards, reads, waits, connections = map(int, program.ask("count"))
        assert (torn, backwards, connections) == (0, 0, 5)
        return reads > 1000 and waits > 20

    with LineProgram([programs["threads"], path], tmp_path) as program:
        for generation in range(1, 6):
            with pose_ring.PoseRing(path, generation=generation) as ring:
                assert ring.granted.acquire(timeout=PATIENCE)
                publish(ring, 3000)
                if generation == 5:
                    wait_until(has_read_much, interval=0.01)
                    # Those that were replaced have gone, although there always is a thread that waits.
                    wait_until(lambda: open_sockets(program.process.pid) == 1)


def open_sockets(process):
    folder = f"/proc/{process}/fd"
    return sum(os.readlink(f"{folder}/{name}").startswith("socket:") for name in os.listdir(folder))


def test_the_render_example_draws_poses(programs, tmp_path):
    with pose_ring.PoseRing(tmp_path / "ring.sock") as ring:
        ring.publish(numbers=values(), fields=ALL_FIELDS)
        done = run_example(programs["example render"], "5", WAYMARK_POSE_RING=str(tmp_path / "ring.sock"))
    lines = done.stdout.splitlines()
    assert done.returncode == 0 and len(lines) == 5, done.stderr
    assert "(new)" in lines[0] and lines[1].startswith("localized scene 1 position ")


def test_without_a_path_the_demonstration_of_this_user_is_found_in_a_folder_of_its_own_alone(programs, walk, tmp_path):
    environment = with_demonstration(tmp_path / "run", walk.socket)
    for name, arguments in (("status", []), ("render", ["5"])):
        done = run_example(programs[f"example {name}"], *arguments, **environment)
        assert done.returncode == 0 and done.stdout, done.stderr
    # Another user could put a socket of that name there. Which path is tried instead depends on /tmp.
    (tmp_path / "run").chmod(0o777)
    program = Program([programs["example render"]], tmp_path / "log", env={**os.environ, **environment})
    try:
        wait_until(lambda: "render: /" in program.log, what=lambda: program.log)
        assert str(tmp_path) not in program.log
    finally:
        program.end()


def test_the_ring_lies_beside_the_socket_in_use_and_its_state_names_its_path(programs, walk, tmp_path):
    done = run_example(programs["example render"], "5", WAYMARK_SOCKET=str(walk.socket), WAYMARK_POSE_RING="")
    assert done.returncode == 0 and len(done.stdout.splitlines()) == 5, done.stderr
    program = Program(
        [programs["example render"]], tmp_path / "log",
        env={**os.environ, "WAYMARK_SOCKET": str(tmp_path / "none"), "WAYMARK_POSE_RING": ""})
    try:
        wait_until(
            lambda: f"{tmp_path / 'none'}.ring: the daemon cannot be reached" in program.log, what=lambda: program.log)
    finally:
        program.end()


def test_a_socket_of_another_kind_is_unreachable(reader, tmp_path):
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(str(tmp_path / "ring.sock"))
        listener.listen()
        reader.ask_until("unreachable", "update")


# The pose ring of the real daemon


@pytest.fixture
def walk_ring(walk):
    """Path of the ring of the daemon that the module shares."""
    return f"{walk.socket}.ring"


def test_the_render_example_draws_poses_of_the_daemon(programs, walk, walk_ring):
    done = run_example(programs["example render"], "20", WAYMARK_POSE_RING=walk_ring)
    assert done.returncode == 0 and len(done.stdout.splitlines()) == 20, done.stderr


def test_the_tap_example_leads_to_what_is_looked_at(programs, walk):
    """One call for what is looked at, and one for the route."""
    def tapped():
        # Once the walk is localized, which it is by now, whatever lies ahead.
        done = run_example(programs["example tap"], "90", WAYMARK_SOCKET=str(walk.socket))
        return done.stdout if done.returncode == 0 else None

    reply = json.loads(wait_until(tapped, what="a route to something ahead"))
    assert walk.call(SCENE_GET_ROUTE)["destination"] == reply["destination"]


def test_a_reader_follows_the_daemon_through_a_restart(simulation, programs, tmp_path):
    generations = set()
    with LineProgram([programs["reader"], f"{simulation.socket}.ring"], tmp_path) as reader:
        for end in (9, 15):
            generations.add(reader.ask_until("ok", "wait", 60_000)[1])
            numbers = [int(reader.ask("wait", 60_000)[2]) for _ in range(20)]
            assert numbers == sorted(set(numbers))
            simulation.program.end(end)
            reader.ask_until("disconnected" if end == 9 else "ended", "wait", 60_000)
            simulation.start()
        generations.add(reader.ask_until("ok", "wait", 60_000)[1])
    assert len(generations) == 3


def of_message(pose):
    """Position, orientation and velocities in the order of the reader's output."""
    return [*(pose["position"][axis] for axis in "xyz"), *(pose["orientation"][axis] for axis in "xyzw"),
            *(pose["linearVelocity"][axis] for axis in "xyz"), *(pose["angularVelocity"][axis] for axis in "xyz")]


def test_predictions_and_past_poses_are_those_of_the_daemon(walk, walk_ring, programs, tmp_path):
    with LineProgram([programs["reader"], walk_ring], tmp_path) as reader, walk.connect() as connection:
        reader.ask_until("ok", "wait", 60_000)
        compared = 0
        for milliseconds in [5, 20, 50, 90, 100] * 4:
            predicted = connection.call(POSE_GET_POSE, {"predictAhead": milliseconds / 1000})["pose"]
            at = predicted["time"]["sec"] * 10**9 + predicted["time"]["nsec"] - milliseconds * 1_000_000
            answer = reader.ask("predict", at, milliseconds)
            # The ring holds a third of a second: on a busy machine it may have gone on.
            if answer[0] == "ok":
                # Messages have six decimals of metres, and about as many of the rest.
                assert list(map(float, answer[6:19])) == pytest.approx(of_message(predicted), abs=2e-6)
                compared += 1
            past = at - 7_654_321
            answer = reader.ask("at", past)
            if answer[0] == "ok":
                time_of = {"sec": past // 10**9, "nsec": past % 10**9}
                daemon_s = connection.call(POSE_GET_POSE, {"time": time_of})["pose"]
                found, expected = list(map(float, answer[4:11])), of_message(daemon_s)[:7]
                # A quaternion and its negative are the same rotation.
                sign = math.copysign(1, sum(one * other for one, other in zip(found[3:], expected[3:])))
                # The daemon's history is stored in fewer bits: within 1 mm and 0.05 degrees.
                assert found == pytest.approx(expected[:3] + [sign * part for part in expected[3:]], abs=1e-3)
                compared += 1
        assert compared > 5
