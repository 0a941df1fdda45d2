"""The client module for Python: its examples with the real daemon; and, by stand-ins, restarts and malformed data."""
import gc
import math
import os
import pathlib
import re
import resource
import shutil
import socket
import subprocess
import sys
import threading
import time

import pytest
import waymark_pose as waymark
from waymark_pose import waymark_interface
from waymark_interface import (
    AID_ALREADY_OPEN, AID_LIST, AID_OFFER_HEIGHT, AID_OPEN, AID_OUT_OF_RANGE, POSE_GET_POSE, POSE_NOT_READY,
    POSE_SUBSCRIBE, SCENE_GET_ROUTE, SCENE_NAVIGATE_TO, SCENE_NAVIGATION_FAILED, SCENE_PICK, SERVICE_PERMISSION_DENIED, STATUS_GET_STATUS, STATUS_LIMIT_EXCEEDED)

from harness import ring_stand_in as pose_ring
from harness import sample_messages as sample
from harness.client_programs import LineProgram, compile_library, compile_program, python_environment, run_python
from harness.paths import ROOT
from harness.process import Program
from harness.server import RawServer, unix_listener
from harness.stand_in import CLOSE, Error, StandIn
from harness.user_folder import with_demonstration
from harness.waiting import PATIENCE, wait_until
from test_c_client import ALL_FIELDS, INVALID_RINGS, MALFORMED, OpensAndReadsNoMore, full_queue, values

pytestmark = pytest.mark.library

EXAMPLES = ROOT / "clients/python/examples"
RUNNING, STATES = waymark.RingState.RUNNING, waymark.RingState


@pytest.fixture
def path(tmp_path):
    return tmp_path / "daemon.sock"


@pytest.fixture
def ring_path(tmp_path):
    return tmp_path / "ring.sock"


def run_example(name, *arguments, **environment):
    return subprocess.run(
        [sys.executable, "-W", "error", EXAMPLES / f"{name}.py", *arguments], capture_output=True, text=True,
        timeout=PATIENCE, env=python_environment(**environment))


# Examples


def test_the_status_example_prints_the_daemon_s_state(walk):
    done = run_example("status", WAYMARK_SOCKET=str(walk.socket))
    assert done.returncode == 0 and ", version 0" in done.stdout, done.stderr


@pytest.mark.parametrize("name", ["subscribe", "subscribe_asyncio"])
def test_the_subscribe_examples_print_poses(walk, name):
    done = run_example(name, "10", WAYMARK_SOCKET=str(walk.socket))
    assert done.returncode == 0, done.stderr
    numbers = [int(line.split()[1]) for line in done.stdout.splitlines()]
    assert len(numbers) == 10 and numbers == sorted(set(numbers))


def test_the_render_example_draws_poses(ring_path):
    with pose_ring.PoseRing(ring_path) as ring:
        ring.publish(numbers=values(), fields=ALL_FIELDS)
        done = run_example("render", "5", WAYMARK_POSE_RING=str(ring_path))
    lines = done.stdout.splitlines()
    assert done.returncode == 0 and len(lines) == 5, done.stderr
    assert "new scene" in lines[0] and "new scene" not in lines[1]


HIT = {"placement": sample.PLACEMENT, "angle": 0.5, "distance": 50.0}
REACHED = {"route": sample.ROUTE, "destination": {
    "name": "Mill", "geo": {"latitude": 47.0, "longitude": 8.0}, "foundBy": "straightLine", "remainder": 0.0}}
UNREACHABLE = Error(SCENE_NAVIGATION_FAILED, reason="the map ends here")


@pytest.mark.parametrize("replies, words", [
    ({SCENE_PICK: {}}, "nothing there\n"),
    ({SCENE_PICK: HIT, SCENE_NAVIGATE_TO: REACHED}, "straight line to Mill, 616 m\n"),
    ({SCENE_PICK: HIT, SCENE_NAVIGATE_TO: UNREACHABLE}, "no route: the map ends here\n")])
def test_the_tap_example_leads_to_what_is_looked_at_or_says_why_not(path, replies, words):
    with StandIn(path, replies) as daemon:
        done = run_example("tap", WAYMARK_SOCKET=str(path))
    assert (done.returncode, done.stdout) == (0, words), done.stderr
    assert [call["parameters"] for call in daemon.calls[1:]] == [{"place": "place/mill"}] * (len(replies) - 1)


def test_without_a_path_the_demonstration_of_this_user_is_found_in_a_folder_of_its_own_alone(walk, tmp_path, monkeypatch):
    environment = with_demonstration(tmp_path / "run", walk.socket)
    for name, arguments in (("status", []), ("render", ["5"])):
        done = run_example(name, *arguments, **environment)
        assert done.returncode == 0 and done.stdout, done.stderr
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    assert waymark.Client().path == str(tmp_path / "run/waymark.sock")
    # Another user could put a socket of that name there.
    (tmp_path / "run").chmod(0o777)
    assert waymark.Client().path != str(tmp_path / "run/waymark.sock")


def test_the_ring_lies_beside_the_socket_in_use_and_its_state_names_its_path(walk, tmp_path):
    done = run_example("render", "5", WAYMARK_SOCKET=str(walk.socket), WAYMARK_POSE_RING="")
    assert done.returncode == 0 and len(done.stdout.splitlines()) == 5, done.stderr
    program = Program(
        [sys.executable, EXAMPLES / "render.py", "5"], tmp_path / "render.log",
        env=python_environment(WAYMARK_SOCKET=str(tmp_path / "none"), WAYMARK_POSE_RING=""))
    try:
        wait_until(lambda: f"{tmp_path / 'none'}.ring: unreachable" in program.log, what=lambda: program.log)
    finally:
        program.end()


def test_the_module_shows_poses_when_it_is_run(walk, tmp_path):
    done = subprocess.run(
        [sys.executable, "-m", "waymark_pose", "3"], capture_output=True, text=True, timeout=PATIENCE,
        env=python_environment(WAYMARK_SOCKET=str(walk.socket)))
    assert done.returncode == 0 and len(done.stdout.splitlines()) == 3, done.stderr
    failed = subprocess.run(
        [sys.executable, "-m", "waymark_pose"], capture_output=True, text=True, timeout=PATIENCE,
        env=python_environment(WAYMARK_SOCKET=str(tmp_path / "none")))
    assert failed.returncode == 1 and str(tmp_path / "none") in failed.stderr


def test_every_name_of_the_interfaces_is_one_of_the_module_and_none_is_hidden():
    own = {name for name in vars(waymark_interface) if not name.startswith("_")}
    assert all(getattr(waymark, name, None) is getattr(waymark_interface, name) for name in own)
    declared = {name for name in own if name.endswith("Error")}
    assert {f"{found.__name__}Error" for found in waymark.ERRORS.values()} == declared and len(declared) > 30


# Calls


def test_a_call_gives_the_reply_and_an_error_is_the_class_of_its_name(path):
    with StandIn(path, {STATUS_GET_STATUS: Error(STATUS_LIMIT_EXCEEDED, limit="clients", maximum=1),
                        POSE_GET_POSE: {"pose": sample.POSE}}):
        with waymark.Client(path) as client:
            assert client.call(POSE_GET_POSE)["pose"] == sample.POSE
            with pytest.raises(waymark.StatusLimitExceeded) as failure:
                client.call(STATUS_GET_STATUS)
            assert failure.value.name == STATUS_LIMIT_EXCEEDED and failure.value.parameters["limit"] == "clients"
            # The connection is as good as before.
            assert client.call(POSE_GET_POSE)["pose"] == sample.POSE
            with pytest.raises(waymark.ServiceMethodNotFound):
                client.call(SCENE_GET_ROUTE, {"from": 0})
    with pytest.raises(waymark.Unreachable):
        waymark.Client(path).call(POSE_GET_POSE)


def test_a_client_calls_a_daemon_that_was_restarted(simulation):
    with waymark.Client(simulation.socket) as client:
        for _ in range(2):
            assert client.call(STATUS_GET_STATUS)["status"]["source"] == "simulation"
            simulation.program.end(9)
            simulation.start()
        assert client.call(STATUS_GET_STATUS)


def test_threads_may_share_a_client(walk):
    problems = []
    with waymark.Client(walk.socket) as client:
        def call():
            try:
                for _ in range(20):
                    assert "status" in client.call(STATUS_GET_STATUS)
            except BaseException as problem:
                problems.append(problem)

        threads = [threading.Thread(target=call) for _ in range(6)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert problems == []


def test_a_call_waits_for_those_of_other_threads_as_long_as_it_may_and_leaves_their_connection(path):
    is_asked, go_on, replies = threading.Event(), threading.Event(), []

    def answer(parameters, file):
        is_asked.set()
        go_on.wait(PATIENCE)
        return {"pose": sample.POSE}

    with StandIn(path, {POSE_GET_POSE: answer}) as daemon, waymark.Client(path, timeout=PATIENCE) as client:
        thread = threading.Thread(target=lambda: replies.append(client.call(POSE_GET_POSE)))
        thread.start()
        assert is_asked.wait(PATIENCE)
        with pytest.raises(waymark.TimedOut):
            client.call(POSE_GET_POSE, timeout=0.05)
        go_on.set()
        thread.join(PATIENCE)
        with pytest.raises(waymark.TimedOut):
            client.call(POSE_GET_POSE, timeout=0)
        assert replies == [{"pose": sample.POSE}] == [client.call(POSE_GET_POSE)]
        assert len(daemon.connections) == 1


def test_a_program_with_more_than_1024_descriptors_can_call(path):
    limits = resource.getrlimit(resource.RLIMIT_NOFILE)
    if limits[1] != resource.RLIM_INFINITY and limits[1] < 2048:
        pytest.skip("needs 2048 descriptors")
    resource.setrlimit(resource.RLIMIT_NOFILE, (max(limits[0], 2048), limits[1]))
    files = [os.open("/dev/null", os.O_RDONLY) for _ in range(1024)]
    try:
        with StandIn(path, {POSE_GET_POSE: {"pose": sample.POSE}}), waymark.Client(path) as client:
            for _ in range(2):
                assert client.call(POSE_GET_POSE)["pose"] == sample.POSE
    finally:
        for file in files:
            os.close(file)
        resource.setrlimit(resource.RLIMIT_NOFILE, limits)


def test_a_daemon_whose_queue_is_full_is_waited_for(path):
    with full_queue(path, socket.SOCK_STREAM), pytest.raises(waymark.TimedOut):
        waymark.Client(path, timeout=0.05).call(POSE_GET_POSE)


def test_parameters_that_are_not_json_are_refused_before_the_call(path):
    for parameters in [{"rate": math.nan}, {"rate": object()}]:
        with pytest.raises((ValueError, TypeError)):
            waymark.Client(path).call(POSE_GET_POSE, parameters)


# What Python's reader takes, and is still a reply: a member twice, and a nesting that is not too deep for it.
TAKEN = {"twice", "deep"}


@pytest.mark.parametrize("kind", sorted(set(MALFORMED) - TAKEN - {"name", "half"}))
def test_a_malformed_reply_is_refused(path, kind):
    with RawServer(path, MALFORMED[kind]), pytest.raises(waymark.InvalidMessage):
        waymark.Client(path).call(POSE_GET_POSE)


@pytest.mark.parametrize("data", [b"[" * 1_000_000 + b"\0", b'{"a":' + b"9" * 100_000 + b"}\0", b'{"parameters":{"a":NaN}}\0'])
def test_a_reply_that_the_json_reader_cannot_take_is_refused(path, data):
    with RawServer(path, data), pytest.raises(waymark.InvalidMessage):
        waymark.Client(path).call(POSE_GET_POSE)


def test_a_reply_beyond_the_limit_and_one_that_does_not_come_are_given_up(path, tmp_path):
    with RawServer(path, b"x" * (waymark.LONGEST_MESSAGE + 70_000)), pytest.raises(waymark.InvalidMessage):
        waymark.Client(path).call(POSE_GET_POSE, timeout=PATIENCE)
    with RawServer(tmp_path / "silent.sock", b'{"parameters":{}'), pytest.raises(waymark.TimedOut):
        waymark.Client(tmp_path / "silent.sock", timeout=0.05).call(POSE_GET_POSE)


# Aids

OPENED = {"offersPerSecond": 250, "maximumAge": 2.5}
KINDS = ["odometry", "position", "sighting", "range", "heading", "height"]
POINT = {"latitude": 47.37, "longitude": 8.54, "height": 450.0}


def listed(client, source):
    return next(found for found in client.call(AID_LIST)["sources"] if found["source"] == source)


def offer_all(aid):
    """One offer of each kind, and both of sightings."""
    return [
        aid.odometry((0, 0, 0), (0, 0, 0, 1), reset=3, tracking=0.9), aid.position(POINT, 2.0),
        aid.position(POINT, 2.0, 3.0), aid.sighting((0, 0, -1), POINT, 2.0), aid.sighting((0, 0, -1), None, 2.0),
        aid.range(POINT, 12.5, 0.2), aid.heading(45.0, 1.0), aid.height(450.0, 1.0, time=waymark.now() - 10_000_000)]


def test_offers_of_every_kind_are_accepted_and_refusals_raise_their_errors(walk):
    client = waymark.Client(walk.socket)
    with client.aid("py-kinds", KINDS, rotation=(1, 0, 0, 0), lever_arm=(0.06, 0, -0.02), latency=0.01) as aid:
        assert offer_all(aid) == [True] * 8
        with pytest.raises(waymark.AidOutOfRange):
            aid.heading(45.0, -1.0)
        with pytest.raises(waymark.AidTooOld):
            aid.height(450.0, 1.0, time=waymark.now() - 10_000_000_000)
        with pytest.raises(waymark.AidAlreadyOpen):
            client.aid("py-kinds", KINDS)
        for wrong in [(0, 0), (0, 0, 0, 0), "abc"]:
            with pytest.raises((ValueError, TypeError)):
                aid.odometry(wrong, (0, 0, 0, 1))
        # None of this has ended the connection.
        assert aid.height(450.0, 1.0) and aid.connections == 1
        assert listed(client, "py-kinds")["accepted"] == 9
    with pytest.raises(waymark.ServiceInvalidParameter):
        client.aid("No name", KINDS)
    client.close()


def test_offers_that_do_not_wait_are_all_read_before_the_source_is_closed(walk):
    with waymark.Client(walk.socket) as client:
        with client.aid("py-fast", ["height"], wait=False) as aid:
            assert all(aid.height(450.0, accuracy) for accuracy in [1.0] * 100 + [-1.0])
            wait_until(lambda: listed(client, "py-fast")["accepted"] == 100)
            assert [each["error"] for each in listed(client, "py-fast")["refused"]] == [AID_OUT_OF_RANGE]
        assert all(each["source"] != "py-fast" for each in client.call(AID_LIST)["sources"])


@pytest.mark.parametrize("wait", [True, False])
def test_an_aid_outlives_the_daemon_that_is_killed_and_started_again(simulation, wait):
    events = []
    client = waymark.Client(simulation.socket)
    with client.aid("py-again", ["height"], wait=wait, on_connection=events.append) as aid:
        for connections in (1, 2):
            wait_until(lambda: aid.height(450.0, 1.0))
            wait_until(lambda: listed(client, "py-again")["accepted"] > 0)
            assert aid.connections == connections
            simulation.program.end(9)
            wait_until(lambda: not aid.height(450.0, 1.0))
            simulation.start()
    client.close()
    assert events[0] is None and None in events[1:]
    assert {type(event) for event in events if event} <= {waymark.Disconnected, waymark.Unreachable}


def test_an_aid_that_cannot_be_opened_raises_the_reason(path):
    with pytest.raises(waymark.Unreachable):
        waymark.Client(path).aid("aid", ["height"])
    with RawServer(path, b"hello\0"), pytest.raises(waymark.InvalidMessage):
        waymark.Client(path).aid("aid", ["height"])


def test_a_name_that_the_former_connection_still_has_is_tried_again(path):
    answers = iter([OPENED, Error(AID_ALREADY_OPEN, source="aid"), OPENED])
    offers = iter([CLOSE, {}])
    replies = {AID_OPEN: lambda parameters, file: next(answers), AID_OFFER_HEIGHT: lambda parameters, file: next(offers)}
    with StandIn(path, replies), waymark.Client(path).aid("aid", ["height"]) as aid:
        assert not aid.height(450.0, 1.0)
        wait_until(lambda: aid.height(450.0, 1.0))
        assert aid.connections == 2


def test_a_source_that_is_refused_when_it_is_opened_again_raises_the_reason_and_then_pauses(path, monkeypatch):
    monkeypatch.setattr(waymark._Backoff, "fail", lambda self: 3600.0 if events else 0.0)
    events = []
    answers = iter([OPENED, Error(SERVICE_PERMISSION_DENIED)])
    replies = {AID_OPEN: lambda parameters, file: next(answers), AID_OFFER_HEIGHT: lambda parameters, file: CLOSE}
    with StandIn(path, replies), waymark.Client(path).aid("aid", ["height"], on_connection=events.append) as aid:
        events.clear()
        assert not aid.height(450.0, 1.0)
        with pytest.raises(waymark.CallError) as raised:
            aid.height(450.0, 1.0)
        assert not aid.height(450.0, 1.0)
    assert len(events) == 2 and events[1] is raised.value


def test_a_daemon_that_reads_no_more_holds_no_offer_up_that_does_not_wait(path):
    with OpensAndReadsNoMore(unix_listener(path)):
        # Without a limit an offer that waited would never return.
        aid = waymark.Client(path, timeout=None).aid("aid", ["height"], wait=False)
        assert not all(aid.height(450.0, 1.0) for _ in range(100_000))
        aid.close()


def test_a_time_of_the_monotonic_clock_is_one_of_boottime():
    before, found, after = waymark.now(), waymark.boottime(time.monotonic_ns()), waymark.now()
    # The offset between the clocks is known to the time between two readings.
    assert before - 1_000_000 <= found and after >= found - 1_000_000


# Subscriptions


def test_a_subscription_outlives_the_daemon_that_is_killed_and_started_again(simulation):
    events, sequences = [], []

    def report(problem):
        events.append("lost" if problem else "connected")
        if not problem:
            sequences.append([])

    with waymark.Client(simulation.socket).subscribe(POSE_SUBSCRIBE, {"rate": 50}, on_connection=report) as poses:
        for connection in range(1, 4):
            while poses.connections < connection or len(sequences[-1]) < 5:
                # Appended only when the connection is known that it came by.
                sequence = next(poses)["pose"]["sequence"]
                sequences[-1].append(sequence)
            if connection < 3:
                simulation.program.end(9)
                simulation.start()
    assert events == ["connected", "lost", "connected", "lost", "connected"]
    for found in sequences:
        assert len(found) >= 5 and found == sorted(set(found))


def test_a_subscription_without_reconnection_raises_the_reason(path):
    with StandIn(path, {POSE_SUBSCRIBE: [{"pose": sample.POSE}, CLOSE]}):
        subscription = waymark.Client(path).subscribe(POSE_SUBSCRIBE, reconnect=False)
        assert next(subscription)["pose"] == sample.POSE
        with pytest.raises(waymark.Disconnected):
            next(subscription)
        assert list(subscription) == []


def test_an_error_ends_a_subscription_and_a_last_reply_does_too(path, tmp_path):
    with StandIn(path, {POSE_SUBSCRIBE: Error(POSE_NOT_READY, reason="no data")}):
        with pytest.raises(waymark.PoseNotReady):
            next(waymark.Client(path).subscribe(POSE_SUBSCRIBE))
    other = tmp_path / "last.sock"
    with RawServer(other, b'{"parameters":{"a":1},"continues":true}\0{"parameters":{"a":2}}\0'):
        assert list(waymark.Client(other).subscribe(POSE_SUBSCRIBE)) == [{"a": 1}, {"a": 2}]


def test_a_limit_that_the_former_connection_still_counts_for_is_tried_again(path):
    answers = iter([[{"pose": sample.POSE}, CLOSE], Error(STATUS_LIMIT_EXCEEDED, limit="streams", maximum=1),
                    [{"pose": sample.POSE}]])
    with StandIn(path, {POSE_SUBSCRIBE: lambda parameters, file: next(answers)}):
        with waymark.Client(path).subscribe(POSE_SUBSCRIBE) as poses:
            assert next(poses) and next(poses) and poses.connections == 3


def test_what_is_malformed_ends_the_connection_and_is_never_given_to_the_program(path):
    problems = []
    with RawServer(path, b'{"parameters":{"a":1},"continues":true}\0nonsense\0{"parameters":{"a":3}}\0'):
        with waymark.Client(path).subscribe(POSE_SUBSCRIBE, on_connection=problems.append) as replies:
            assert [next(replies) for _ in range(3)] == [{"a": 1}] * 3
    assert [type(problem) for problem in problems if problem] == [waymark.InvalidMessage] * 2


def test_a_reply_is_waited_for_as_long_as_asked_and_then_still_comes(path):
    go_on = threading.Event()

    def answer(parameters, file):
        go_on.wait(PATIENCE)
        return [{"pose": sample.POSE}]

    with StandIn(path, {POSE_SUBSCRIBE: answer}):
        with waymark.Client(path).subscribe(POSE_SUBSCRIBE) as poses:
            with pytest.raises(waymark.TimedOut):
                poses.next(timeout=0.05)
            go_on.set()
            assert poses.next(timeout=PATIENCE)["pose"] == sample.POSE
            assert poses.connections == 1


def test_a_reply_that_has_arrived_is_taken_without_waiting(path):
    def taken():
        try:
            return poses.next(timeout=0)
        except waymark.TimedOut:
            return None

    with StandIn(path, {POSE_SUBSCRIBE: [{"pose": sample.POSE}] * 2}):
        with waymark.Client(path).subscribe(POSE_SUBSCRIBE) as poses:
            assert [wait_until(taken, interval=0.001)["pose"] for _ in range(2)] == [sample.POSE] * 2


def test_a_daemon_that_does_not_take_the_call_is_waited_for_as_long_as_asked(path):
    problems = []
    with unix_listener(path):
        # Longer than what a socket holds.
        call = waymark.Client(path).subscribe(POSE_SUBSCRIBE, {"a": "x" * 2**22}, on_connection=problems.append)
        with call, pytest.raises(waymark.TimedOut):
            call.next(timeout=0.1)
    assert problems == []


def test_a_closed_subscription_keeps_no_connection(path, monkeypatch):
    class Late(waymark._Connection):
        """Is made while another thread closes the subscription."""

        def __init__(self, *arguments):
            super().__init__(*arguments)
            subscription.close()

    with RawServer(path, b'{"parameters":{"a":1},"continues":true}\0'):
        subscription = waymark.Client(path).subscribe(POSE_SUBSCRIBE)
        assert next(subscription) == {"a": 1}
        connection = subscription._connection
        subscription.close()
        assert connection.socket.fileno() == -1 and list(subscription) == []
        monkeypatch.setattr(waymark, "_Connection", Late)
        subscription = waymark.Client(path).subscribe(POSE_SUBSCRIBE)
        assert list(subscription) == []


def test_another_thread_may_close_a_subscription(path):
    for exists in (True, False):
        server = RawServer(path, b"") if exists else None
        subscription = waymark.Client(path).subscribe(POSE_SUBSCRIBE)
        ended = []
        thread = threading.Thread(target=lambda: ended.append(list(subscription)))
        thread.start()
        time.sleep(0.1)
        subscription.close()
        thread.join(PATIENCE)
        assert ended == [[]]
        if server:
            server.close()
            path.unlink()


def test_a_stream_of_asyncio_reconnects_and_ends_as_a_subscription_does(path, tmp_path):
    code = """
import asyncio, sys, waymark_pose as waymark
async def main(path):
    found, events = [], []
    async for reply in waymark.Client(path).stream(waymark.POSE_SUBSCRIBE, on_connection=events.append):
        found.append(reply["a"])
        if len(found) == 4:
            break
    print(found, [type(event).__name__ for event in events])
asyncio.run(main(sys.argv[1]))
"""
    data = b'{"parameters":{"a":1},"continues":true}\0{"parameters":{"a":2},"continues":true}\0nonsense\0'
    with RawServer(path, data):
        printed = run_python(f"import sys; sys.argv = ['', {str(path)!r}]\n{code}", tmp_path)
    assert printed == "[1, 2, 1, 2] ['NoneType', 'InvalidMessage', 'NoneType']\n"


# The pose ring


def updated(ring, state):
    wait_until(lambda: ring.update() is state, what=lambda: f"{state}, not {ring.state}", interval=0.01)


def test_the_newest_pose_is_read_with_all_its_fields(ring_path):
    ring = waymark.PoseRing(ring_path)
    assert ring.newest() is None and ring.state is STATES.CONNECTING
    assert ring.update() is STATES.UNREACHABLE
    with pose_ring.PoseRing(ring_path, generation=77) as daemon:
        updated(ring, RUNNING)
        assert ring.newest() is None
        for number in range(1, 200):
            daemon.publish(
                at=number * 5_000_000, numbers=values(number), fields=ALL_FIELDS, utc=5, probability=0.75,
                reasons=1 << 3 | 1 << 63, sources=1)
        pose = ring.newest()
        assert (pose.daemon_generation, pose.number, pose.time, pose.utc) == (77, 199, 199 * 5_000_000, 5)
        assert (pose.state, pose.orientation_tracking, pose.heading_reference) == ("localized", "tracked", "trueNorth")
        assert (pose.reasons, pose.sources) == (("poorGNSS",), ("inertial",))
        assert (pose.motion_mode, pose.motion_probability) == ("foot", 0.75)
        assert pose.position == (200, 2, 3) and pose.geo == (47.4, 8.5, 450) and pose.speed == 1.2
        assert pose.angular_velocity_accuracy == pytest.approx(0.6) and pose.map == tuple(range(7))
        daemon.publish(at=10**12, numbers=values())
        bare = ring.newest()
        assert (bare.utc, bare.geo, bare.heading, bare.motion_mode, bare.yaw_accuracy, bare.map) == (None,) * 6
        daemon.end()
        assert ring.state is STATES.ENDED and ring.newest() == bare and ring.update() is STATES.ENDED


def test_a_wait_ends_with_the_next_pose_and_with_the_daemon(ring_path):
    ring = waymark.PoseRing(ring_path)
    with pose_ring.PoseRing(ring_path) as daemon:
        daemon.publish()
        first = ring.wait(timeout=PATIENCE)
        assert first.number == 1 and ring.wait(after=first, timeout=0.05) is None and ring.state is RUNNING
        threading.Timer(0.2, daemon.publish).start()
        second = ring.wait(after=first, timeout=PATIENCE)
        assert second.number == 2
        threading.Timer(0.2, daemon.kill).start()
        assert ring.wait(timeout=PATIENCE) is None and ring.state is STATES.DISCONNECTED
    with pose_ring.PoseRing(ring_path, generation=2) as daemon:
        daemon.publish()
        assert ring.wait(after=second, timeout=PATIENCE).daemon_generation == 2
        assert ring.connections == 2


def test_a_waiting_thread_is_woken_at_its_doorbell(ring_path, monkeypatch):
    """By the daemon, and not only by its own look a tenth of a second later."""
    class Library:
        results = []

        def syscall(self, *arguments):
            self.results.append(library.syscall(*arguments))

    library = waymark._LIBRARY
    monkeypatch.setattr(waymark, "_LIBRARY", Library())
    ring = waymark.PoseRing(ring_path)
    with pose_ring.PoseRing(ring_path) as daemon:
        updated(ring, RUNNING)

        def is_woken():
            threading.Timer(0.02, daemon.publish).start()
            # On a busy machine the pose may come before the wait has begun, which nothing ends then.
            ring.wait(timeout=1)
            # 0: woken. It fails where the time is over, or the futex has changed already.
            return 0 in Library.results

        wait_until(is_woken, what=lambda: f"a wake-up, not {Library.results[-5:]}", interval=0)


@pytest.mark.parametrize("answer, layout, boot, state", [
    (pose_ring.OFF, 1, None, STATES.OFF), (pose_ring.TOO_MANY, 1, None, STATES.TOO_MANY_READERS),
    (7, 1, None, STATES.REFUSED), (pose_ring.GRANTED, 2, None, STATES.OTHER_LAYOUT),
    (pose_ring.GRANTED, 1, bytes(16), STATES.OTHER_BOOT)])
def test_a_refusal_has_its_own_state_and_is_asked_again(ring_path, answer, layout, boot, state):
    ring = waymark.PoseRing(ring_path)
    with pose_ring.PoseRing(ring_path, answer=answer, layout=layout, boot=boot):
        updated(ring, state)
        assert ring.newest() is None
    with pose_ring.PoseRing(ring_path) as daemon:
        daemon.publish()
        assert ring.wait(timeout=PATIENCE).number == 1


@pytest.mark.parametrize("kind", INVALID_RINGS)
def test_an_invalid_ring_is_never_read(ring_path, kind):
    def descriptors():
        gc.collect()
        return len(os.listdir("/proc/self/fd"))

    before = descriptors()
    with pose_ring.PoseRing(ring_path, **INVALID_RINGS[kind]):
        for _ in range(8):
            ring = waymark.PoseRing(ring_path)
            updated(ring, STATES.DISCONNECTED if kind == "no offer" else STATES.INVALID)
            assert ring.newest() is None
    # Those of the daemon, which is in this process, go with it.
    wait_until(lambda: descriptors() <= before)


def test_a_newer_daemon_may_append_to_its_header_and_its_slots(ring_path):
    ring = waymark.PoseRing(ring_path)
    with pose_ring.PoseRing(ring_path, slot_size=pose_ring.SLOT.size + 64, header_size=512, slot_count=128) as daemon:
        updated(ring, RUNNING)
        for number in range(1, 300):
            daemon.publish(numbers=values(number))
        assert ring.newest().position[0] == 300


def test_a_pose_that_cannot_be_calculated_with_is_refused(ring_path):
    with pose_ring.PoseRing(ring_path) as daemon:
        ring = waymark.PoseRing(ring_path)
        updated(ring, RUNNING)
        for index, value in [(0, math.nan), (20, math.inf), (6, 0.0), (41, -1.0), (48, -1.0)]:
            numbers = values()
            numbers[index] = value
            at = daemon.publish(numbers=numbers)
            assert ring.newest() is None
            with pytest.raises(waymark.InvalidMessage):
                ring.at(2**62)
        assert daemon.publish(numbers=values()) == at + 1 == ring.newest().number


def test_threads_read_whole_poses_while_the_daemon_writes_and_restarts(ring_path):
    ring, problems, reads, is_over = waymark.PoseRing(ring_path), [], [0], threading.Event()

    def read(waits):
        try:
            last = None
            while not is_over.is_set():
                pose = ring.wait(after=last, timeout=0.05) if waits else ring.newest()
                if pose is None:
                    continue
                assert pose.position == (pose.number,) * 3, pose
                assert last is None or pose.daemon_generation != last.daemon_generation or pose.number >= last.number
                last = pose
                reads[0] += 1
        except BaseException as problem:
            problems.append(problem)

    threads = [threading.Thread(target=read, args=[number % 2 == 0]) for number in range(4)]
    for thread in threads:
        thread.start()
    for generation in range(1, 4):
        with pose_ring.PoseRing(ring_path, generation=generation) as daemon:
            assert daemon.granted.acquire(timeout=PATIENCE)
            for number in range(1, 1500):
                daemon.publish(numbers=[number] * 3 + [0, 0, 0, 1] + [0] * 42)
    is_over.set()
    for thread in threads:
        thread.join(PATIENCE)
    assert problems == [] and reads[0] > 50 and ring.connections == 3


@pytest.mark.skipif(not shutil.which("cc"), reason="needs a C compiler")
def test_past_and_predicted_poses_are_those_of_the_library_for_c(ring_path, tmp_path):
    folder = compile_library(tmp_path)
    program = compile_program(folder, ROOT / "Tests/CClient/reader.c")
    ring = waymark.PoseRing(ring_path)

    def numbers(pose):
        accuracies = [getattr(pose, f"{name}_accuracy") for name in (
            "horizontal", "vertical", "yaw", "horizontal_velocity", "vertical_velocity", "angular_velocity")]
        return [*pose.position, *pose.orientation, *pose.linear_velocity, *pose.angular_velocity, *accuracies]

    with pose_ring.PoseRing(ring_path) as daemon, LineProgram([program, ring_path], tmp_path) as reader:
        reader.ask_until("ok", "update")
        updated(ring, RUNNING)
        for number in range(1, 65):
            state = values(0.02 * math.sin(number / 5))
            # Orientations need not be of length 1 exactly.
            state[3:7] = [1.002 * part for part in state[3:7]]
            daemon.publish(at=number * 4_000_000, numbers=state, fields=ALL_FIELDS)
        for at in range(4_000_000, 256_000_001, 3_111_111):
            assert numbers(ring.at(at)) == pytest.approx(list(map(float, reader.ask("at", at)[4:])), abs=1e-12), at
        for milliseconds in (0, 1, 15, 50, 99, 100, 400):
            pose = ring.at(64 * 4_000_000)
            predicted = waymark.predict(pose, pose.time + milliseconds * 1_000_000)
            answer = reader.ask("predict", pose.time, milliseconds)
            assert numbers(predicted) == pytest.approx(list(map(float, answer[6:])), abs=1e-12)
            assert predicted.time - pose.time == int(answer[5])
    for at, problem in [(1, waymark.TooEarly), (2**62, waymark.TooLate)]:
        with pytest.raises(problem):
            ring.at(at)


# Installation


def test_the_version_is_the_project_s():
    [version] = re.findall(r'version = "(.+)"', (ROOT / "Sources/Core/Model/Version.swift").read_text())
    assert waymark.__version__ == version


def test_pip_installs_the_package_from_its_source_distribution_without_the_network(tmp_path):
    # Building leaves files beside the sources.
    sources = shutil.copytree(ROOT / "clients/python", tmp_path / "sources")
    pip = [sys.executable, "-m", "pip", "--quiet", "--disable-pip-version-check"]
    subprocess.run(
        [sys.executable, "-c", "import sys; from setuptools import build_meta; build_meta.build_sdist(sys.argv[1])", tmp_path],
        cwd=sources, check=True, capture_output=True)
    [archive] = tmp_path.glob("*.tar.gz")
    assert archive.name == f"waymark_pose-{waymark.__version__}.tar.gz"
    subprocess.run(
        [*pip, "wheel", "--no-index", "--no-build-isolation", "--no-deps", "--wheel-dir", tmp_path, archive], check=True)
    [wheel] = tmp_path.glob("*.whl")
    assert wheel.name == f"waymark_pose-{waymark.__version__}-py3-none-any.whl"
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", tmp_path / "venv"], check=True)
    python = tmp_path / "venv/bin/python"
    subprocess.run([*pip, "--python", python, "install", "--no-index", wheel], check=True)
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    done = subprocess.run(
        [python, "-c", "import waymark_pose; print(waymark_pose.__file__, waymark_pose.POSE_GET_POSE)"], cwd=tmp_path, check=True,
        capture_output=True, text=True, env=environment)
    installed = pathlib.Path(done.stdout.split()[0])
    assert installed.is_relative_to(tmp_path / "venv")
    assert {file.name for file in installed.parent.glob("*.*")} == {
        "__init__.py", "__main__.py", "py.typed", "waymark_interface.py"}


def test_package_and_examples_pass_mypy_in_its_strict_mode(tmp_path):
    # pymavlink has no types.
    done = subprocess.run(
        [sys.executable, "-m", "mypy", "--strict", "--ignore-missing-imports", "--cache-dir", tmp_path, "waymark_pose", "examples"],
        cwd=ROOT / "clients/python", capture_output=True, text=True, env=python_environment())
    assert done.returncode == 0, done.stdout + done.stderr


def test_the_readme_of_the_clients_names_every_file():
    readme = (ROOT / "clients/README.md").read_text()
    for file in [*(ROOT / "clients").glob("*/*.*"), *(ROOT / "clients").glob("*/examples/*")]:
        if file.suffix in (".py", ".h", ".c", ".toml"):
            assert file.name in readme, file.name


# The pose ring of the real daemon


def test_a_reader_follows_the_daemon_through_a_restart(simulation):
    with waymark.PoseRing(f"{simulation.socket}.ring") as ring:
        generations = set()
        for end, state in ((9, STATES.DISCONNECTED), (15, STATES.ENDED)):
            pose = wait_until(lambda: ring.wait(timeout=1))
            generations.add(pose.daemon_generation)
            for _ in range(10):
                later = ring.wait(after=pose, timeout=PATIENCE)
                assert later.number > pose.number and later.time > pose.time
                pose = later
            assert ring.at(pose.time) == pose
            simulation.program.end(end)
            updated(ring, state)
            simulation.start()
        generations.add(wait_until(lambda: ring.wait(timeout=1)).daemon_generation)
    assert len(generations) == 3


def test_the_render_example_draws_poses_of_the_daemon(walk):
    done = run_example("render", "20", WAYMARK_POSE_RING=f"{walk.socket}.ring")
    assert done.returncode == 0 and len(done.stdout.splitlines()) == 20, done.stderr


def test_words_and_numbers_of_the_ring_are_those_of_the_messages(walk):
    walk.wait_for_state("localized")
    with waymark.PoseRing(f"{walk.socket}.ring") as ring, waymark.Client(walk.socket) as client:
        assert wait_until(lambda: ring.wait(timeout=1))
        message = client.call(POSE_GET_POSE)["pose"]
        pose = ring.at(message["time"]["sec"] * 10**9 + message["time"]["nsec"])
    assert pose.sequence == message["sequence"] and pose.generation == message["generation"]
    assert (pose.state, list(pose.reasons)) == (message["state"], message["reasons"])
    assert sorted(pose.sources) == sorted(message["sources"])
    assert pose.orientation_tracking == message["tracking"]["orientation"]
    assert pose.heading_reference == message["headingReference"]
    assert pose.position == pytest.approx([message["position"][axis] for axis in "xyz"], abs=2e-6)
    assert pose.geo == pytest.approx([message["geo"][part] for part in ("latitude", "longitude", "height")], abs=1e-3)
    assert pose.heading == pytest.approx(message["heading"], abs=1e-3)
    assert pose.yaw_accuracy == pytest.approx(message["accuracy"]["orientationYawAccuracy"], rel=1e-3)
