"""The OpenXR layer with a real runtime and a real program: Monado's poses become those of the scene, and nothing jumps.

hello_xr draws with the layer between two probes. What comes out above it is compared with what Monado says below it,
and with the pose ring at that moment.
"""
import re
import signal
import time

import numpy as np
import pytest
from scipy.spatial.transform import Rotation
from waymark_interface import AID_LIST, SCENE_SUBSCRIBE

from harness import openxr
from harness.daemon import SIMULATION
from harness.network_namespace import namespace_or_skip
from harness.openxr import EVENT, LOCAL, SPACE_LOCATED, STAGE, VIEW
from harness.pose_ring import PoseRing
from harness.waiting import wait_until

# They bring a Debian 13 of their own.
pytestmark = [pytest.mark.long, pytest.mark.pure]

VALIDATION = "XR_APILAYER_LUNARG_core_validation"
ABOVE, LAYER, BELOW = "XR_APILAYER_TEST_above", "XR_APILAYER_WAYMARK_tracking", "XR_APILAYER_TEST_below"
EYES = np.array([0.01, -0.02, 0.05])
# OpenXR has floats, and the demonstration is up to some hundred metres from the origin. Degrees, metres.
SAME_ANGLE, SAME_PLACE = 0.1, 1e-3
# The layer's, after a change of what it follows. Degrees per second, metres per second.
FASTEST_TURN, FASTEST_SHIFT = 5, 0.5
# Of a runtime's head, carried into the scene, from the ring's prediction, in 95 % of frames. Monado's remote head is
# not predicted, so late by up to 50 ms; and the alignment follows with a delay of two seconds the 0.1 m/s by which the
# daemon, which learns an odometry's scale, takes its way for too long. 0.6 degrees and 0.23 m were measured.
ALIGNED_ANGLE, ALIGNED_PLACE = 1.5, 0.4
# Of hello_xr without a GPU there are some twenty a second.
SECONDS = 20


@pytest.fixture(scope="module")
def layers():
    openxr.root_or_skip()
    made = openxr.Layers()
    yield made
    made.remove()


@pytest.fixture
def monado(layers, request):
    """With the parameter True its head is moved by the test."""
    made = openxr.Monado(namespace_or_skip() if getattr(request, "param", False) else None)
    yield made
    made.remove()


@pytest.fixture
def hello(layers, monado):
    """Starts hello_xr with the layer of a daemon, or of none."""
    started = []

    def start(daemon, mode="replace", names=(ABOVE, LAYER, BELOW), socket=None, **environment):
        socket = socket or (daemon.socket if daemon else monado.folder / "none")
        started.append(openxr.HelloXR(
            monado, layers, names, WAYMARK_OPENXR_EYES=",".join(map(str, EYES)), WAYMARK_SOCKET=str(socket),
            **({"WAYMARK_OPENXR": mode} if mode else {}), **environment))
        return started[-1]

    yield start
    for each in started:
        each.remove()


class Heads:
    """Poses of the head as arrays."""

    def __init__(self, orientation, position):
        self.rotation, self.position = Rotation.from_quat(orientation), np.asarray(position, float)

    @classmethod
    def of_views(cls, records):
        """The middle of both views; Monado's look in the same direction."""
        poses = records["poses"]
        first, second = poses["orientation"][:, 0].astype(float), poses["orientation"][:, 1].astype(float)
        sign = np.sign(np.sum(first * second, axis=1))[:, None]
        return cls(first + sign * second, poses["position"].astype(float).mean(axis=1))

    @classmethod
    def of_locations(cls, records):
        """Of spaces that have a pose of their own in VIEW."""
        location, offset = records["poses"][:, 0], records["poses"][:, 1]
        rotation = Rotation.from_quat(location["orientation"]) * Rotation.from_quat(offset["orientation"]).inv()
        return cls(rotation.as_quat(), location["position"] - rotation.apply(offset["position"]))

    @classmethod
    def of_ring(cls, predictions):
        """The middle of the eyes by a prediction."""
        board = cls(predictions["orientation"], predictions["position"])
        board.position = board.position + board.rotation.apply(EYES)
        return board

    def of(self, choice):
        return Heads(self.rotation.as_quat()[choice], self.position[choice])

    def angle(self, other):
        """Degrees."""
        return np.degrees((self.rotation * other.rotation.inv()).magnitude())

    def distance(self, other):
        return np.linalg.norm(self.position - other.position, axis=1)

    def direction_of(self, point):
        """Where a point is seen, in axes of the head."""
        seen = self.rotation.inv().apply(point - self.position)
        return seen / np.linalg.norm(seen, axis=1)[:, None]


def ring_heads(records, heads=None):
    """By the pose that the ring had before the call or the one that it had after it, whichever is nearer."""
    heads = heads or Heads.of_views(records)
    before, after = Heads.of_ring(records["before"]), Heads.of_ring(records["after"])
    nearer = (heads.distance(after) < heads.distance(before))[:, None]
    return Heads(
        np.where(nearer, after.rotation.as_quat(), before.rotation.as_quat()),
        np.where(nearer, after.position, before.position))


def with_ring(records):
    """Those in whose call the ring had one pose, or one and the next."""
    before, after = records["before"], records["after"]
    return records[
        (before["number"] > 0) & (before["daemon"] == after["daemon"]) & (after["number"] <= before["number"] + 1)]


def follows_ring(records):
    """Whether each of the views is where the ring says."""
    views, ring = Heads.of_views(records), ring_heads(records)
    return (views.angle(ring) < SAME_ANGLE) & (views.distance(ring) < SAME_PLACE)


def wait_until_it_follows(hello):
    """Number of views until the last of them was as the ring says."""
    def follows():
        records = hello.views()
        assert hello.program.runs, hello.output[-3000:]
        newest = with_ring(records[-1:])
        return len(newest) and follows_ring(newest)[0] and len(records)

    return wait_until(follows, what=lambda: f"views of the ring; they are {hello.views()[-2:]}")


def steps(records, heads):
    """Seconds between display times, and turns (degrees) and ways (m) between them."""
    seconds = np.diff(records["time"]) * 1e-9
    turns = np.degrees((heads.rotation[1:] * heads.rotation[:-1].inv()).magnitude())
    return seconds, turns, np.linalg.norm(np.diff(heads.position, axis=0), axis=1)


def below(hello, records):
    """Of the runtime's views those of the same times, in the space for which the layer asked."""
    runtime = hello.views("below")
    found = {moment: index for index, moment in enumerate(runtime["time"])}
    return runtime[[found[moment] for moment in records["time"]]]


def microseconds(records):
    return float(np.median(records["ended"] - records["begun"])) / 1000


def report(name, **values):
    print(name, *(f"{key} {value:.4g}" for key, value in values.items()))


def changes_of_spaces(hello, place):
    events = hello.records(place, EVENT)
    return events[events["flags"] == openxr.REFERENCE_SPACE_CHANGE_PENDING]


def test_views_are_the_prediction_of_the_ring_and_content_stays_where_it_is(hello, simulation):
    simulation.wait_for_state("localized")
    program = hello(simulation)
    begin = wait_until_it_follows(program)
    ending = time.monotonic() + 3 * SECONDS
    while time.monotonic() < ending:
        program.wait_for_views(20)
    records = with_ring(program.views()[begin:])
    views, ring = Heads.of_views(records), ring_heads(records)
    report("replace:", frames=len(records), degrees=views.angle(ring).max(), metres=views.distance(ring).max())
    assert np.all(records["flags"] & openxr.VALID == openxr.VALID)
    # Where the daemon did not run for 0.1 s, the runtime leads, and the rest fades within a second. How often that
    # happens is up to the machine: the share of frames is asserted, not the number of pauses.
    follows = follows_ring(records)
    pauses = np.count_nonzero(follows[:-1] & ~follows[1:])
    report("not as the ring:", frames=np.count_nonzero(~follows), pauses=pauses)
    assert np.mean(follows) > 0.95

    with simulation.connect() as connection:
        connection.send_call(SCENE_SUBSCRIBE, {}, more=True)
        point = next(each["position"] for each in connection.reply()["scene"]["changed"] if "position" in each)
    point = np.array([point[axis] for axis in "xyz"])
    error = views.direction_of(point) - ring.direction_of(point)
    drift = np.degrees(np.linalg.norm(np.diff(error, axis=0), axis=1)) / steps(records, views)[0]
    drift = drift[follows[:-1] & follows[1:]]
    report("content:", distance=np.linalg.norm(views.position - point, axis=1).min(), degrees_per_second=drift.max())
    assert drift.max() < 0.3

    located = program.records("above", SPACE_LOCATED)
    located = with_ring(located[(located["base"] == LOCAL) & (located["begun"] > records[0]["begun"])])
    located_views = located[located["space"] == VIEW]
    heads = Heads.of_locations(located_views)
    ring = ring_heads(located_views, heads)
    assert np.mean((heads.angle(ring) < SAME_ANGLE) & (heads.distance(ring) < SAME_PLACE)) > 0.95
    stages = located[located["space"] == STAGE]["poses"]
    np.testing.assert_allclose(stages[:, 0]["position"], stages[:, 1]["position"], atol=SAME_PLACE)
    cost = microseconds(records) - microseconds(below(program, records))
    report("cost of the layer and the probe (us):", replace=cost, runtime=microseconds(below(program, records)))


def test_a_daemon_that_is_killed_leaves_the_runtime_without_a_jump_and_its_successor_is_announced(hello, daemon):
    first = daemon(SIMULATION).start()
    first.wait_for_state("localized")
    program = hello(first)
    begin = wait_until_it_follows(program)
    program.wait_for_views(100)
    assert len(changes_of_spaces(program, "above")) >= 1
    announced = len(changes_of_spaces(program, "above"))
    first.program.end(signal.SIGKILL)
    killed = time.monotonic_ns()
    program.wait_for_views(200)
    records = program.views()[begin:]
    runtime_records = below(program, records)
    views, runtime = Heads.of_views(records), Heads.of_views(runtime_records)
    has_ended = records["begun"][1:] > killed
    seconds, turns, ways = steps(records, views)
    # Until then the layer asks where the eyes are in the head.
    is_runtimes = runtime_records["base"] == LOCAL
    own_seconds, own_turns, own_ways = steps(runtime_records[is_runtimes], runtime.of(is_runtimes))
    # As fast as the wearer's head and the runtime's were, and the slew.
    most_turn = max((turns / seconds)[~has_ended].max(), (own_turns / own_seconds).max()) + FASTEST_TURN
    most_way = max((ways / seconds)[~has_ended].max(), (own_ways / own_seconds).max()) + FASTEST_SHIFT
    report("killed:", degrees_per_second=(turns / seconds)[has_ended].max(), most_turn=most_turn,
           metres_per_second=(ways / seconds)[has_ended].max(), most_way=most_way)
    assert np.all((turns / seconds)[has_ended] <= most_turn) and np.all((ways / seconds)[has_ended] <= most_way)
    # The runtime's motion goes on in the scene, apart from the slew.
    late = records[records["begun"] > killed + 10**9]
    carried = Heads.of_views(late).rotation * Heads.of_views(below(program, late)).rotation.inv()
    rates = np.degrees((carried[1:] * carried[:-1].inv()).magnitude()) / (np.diff(late["time"]) * 1e-9)
    report("after the end:", degrees_per_second=rates.max())
    assert rates.max() <= FASTEST_TURN + 0.1

    first.start()
    first.wait_for_state("localized")
    wait_until(
        lambda: len(changes_of_spaces(program, "above")) > announced,
        what=lambda: f"an event at the return:\n{program.output[-3000:]}")
    count = wait_until_it_follows(program)
    program.wait_for_views(100)
    again = with_ring(program.views()[count + 10:])
    assert np.mean(follows_ring(again)) > 0.99
    assert len(np.unique(with_ring(program.views())["before"]["daemon"])) == 2
    assert len(changes_of_spaces(program, "below")) == 0


@pytest.mark.parametrize("mode, has_daemon", [("replace", False), ("correct", False), ("off", True), ("off", False)])
def test_without_a_daemon_or_switched_off_everything_is_as_the_runtime_says(hello, simulation, mode, has_daemon):
    ours = simulation if has_daemon else None
    program = hello(ours, mode)
    program.wait_for_views(100)
    program.end()
    records = program.views()
    runtime = below(program, records)
    for name in ("poses", "flags", "result", "base"):
        np.testing.assert_array_equal(records[name], runtime[name])
    assert len(changes_of_spaces(program, "above")) == 0
    alone = hello(ours, mode, (ABOVE, BELOW))
    alone.wait_for_views(100)
    alone.end()
    with_layer, without = program.records("above"), alone.records("above")
    # Late ones: while it begins, threads of the driver come and go.
    for name in ("descriptors", "threads"):
        counted = [records[name][records[name] > 0][-3:].max() for records in (with_layer, without)]
        assert counted[0] <= counted[1], (name, counted)
    plain = alone.views()
    report(
        f"cost (us), {mode}:", layer=microseconds(records) - microseconds(runtime),
        without=microseconds(plain) - microseconds(below(alone, plain)))


@pytest.mark.parametrize("mode", ["replace", None])
def test_a_variable_enables_the_installed_layer(layers, hello, simulation, mode):
    """By its implicit manifest. It stands above the probe, and asks where the eyes are in the head."""
    simulation.wait_for_state("localized")
    program = hello(simulation, mode, (BELOW,), XDG_DATA_HOME=str(layers.installed))
    program.wait_for_views(60, "below")
    assert (program.views("below")["base"][-1] == VIEW) == (mode is not None)


def complaints(program):
    """What Khronos's validation layer has found: the numbers of the rules."""
    return set(re.findall(r"VUID-[\w-]+", program.output))


@pytest.mark.parametrize("mode", ["replace", "correct"])
def test_khronos_validation_has_nothing_against_what_the_layer_asks_of_the_runtime(hello, simulation, mode):
    simulation.wait_for_state("localized")
    program = hello(simulation, mode, (LAYER, VALIDATION, BELOW), XR_CORE_VALIDATION_EXPORT_TYPE="text")
    program.wait_for_views(100, "below")
    program.end()
    alone = hello(None, "off", (VALIDATION, BELOW), XR_CORE_VALIDATION_EXPORT_TYPE="text")
    alone.wait_for_views(60, "below")
    alone.end()
    # The first is that it has begun.
    assert "VUID-CoreValidation-Initialize" in complaints(program)
    assert complaints(program) <= complaints(alone)


class TurnedFrame:
    """The frame of a headset's tracking: turned about the vertical and shifted, and both drift. From the scene."""

    def __init__(self):
        self.begin = time.monotonic_ns()

    def at(self, monotonic):
        """Rotations and shifts at times."""
        seconds = (np.asarray(monotonic) - self.begin) * 1e-9
        return (
            Rotation.from_rotvec(np.multiply.outer(np.radians(40 + 0.01 * seconds), [0, 1, 0])),
            np.array([3, 0.5, -2]) + np.multiply.outer(seconds, [0.005, 0, 0.003]))

    def into_scene(self, heads, monotonic):
        rotation, shift = self.at(monotonic)
        return Heads((rotation.inv() * heads.rotation).as_quat(), rotation.inv().apply(heads.position - shift))


class Twin:
    """The same walk by a daemon of its own, which nothing aids: with poses of the same numbers, a moment before.

    An odometry that is made of a daemon's own poses would confirm all that it takes for motion.
    """

    def __init__(self, daemon):
        self.daemons = [daemon(SIMULATION).launch() for _ in range(2)]
        for each in self.daemons:
            each.wait_until(each.takes_clients)
            each.wait_for_state("localized")
        rings = [(PoseRing(f"{each.socket}.ring"), each) for each in self.daemons]
        (self.ring, self.daemon), (self.ahead, _) = sorted(rings, key=lambda each: each[0].newest)
        self.poses = {}
        self.taken = self.ahead.newest - 60

    def wearer(self, frame):
        """Position and orientation of the eyes at present in that frame; None while that is not known."""
        for number in range(self.taken + 1, self.ahead.newest + 1):
            self.poses[number] = self.ahead.pose(number)
            self.taken = number
        own = self.ring.newest
        found, pose = self.poses.get(own), self.ring.pose(own)
        if not found or not pose:
            return None
        seconds = (time.clock_gettime_ns(time.CLOCK_BOOTTIME) - pose["time"]) * 1e-9
        orientation = Rotation.from_quat(found["orientation"]) * Rotation.from_rotvec(
            np.multiply(found["angularVelocity"], seconds))
        position = found["position"] + np.multiply(found["linearVelocity"], seconds) + orientation.apply(EYES)
        rotation, shift = frame.at(time.monotonic_ns())
        return rotation.apply(position) + shift, (rotation * orientation).as_quat()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.ring.socket.close()
        self.ahead.socket.close()


@pytest.mark.parametrize("monado", [True], indirect=True)
def test_a_runtime_that_tracks_aids_the_daemon_and_is_turned_into_the_scene(monado, hello, daemon):
    """Monado's head is where the demonstration says, in a frame of its own, without any prediction."""
    frame = TurnedFrame()
    socket = monado.folder / "daemon"
    program = hello(None, "correct", socket=socket)
    # Its LOCAL is where its head is then: at rest, above STAGE.
    program.wait_for_views(10)
    with Twin(daemon) as twin, openxr.Mover(monado.head, lambda: twin.wearer(frame)) as mover:
        program.wait_for_views(10)
        socket.with_name("daemon.ring").symlink_to(f"{twin.daemon.socket}.ring")
        socket.symlink_to(twin.daemon.socket)

        def compared(records):
            """Heads by the layer, by the runtime's where the twin has it, and by the ring."""
            runtime = Heads.of_views(below(program, records))
            runtime.position = runtime.position + [0, 1.6, 0]
            return Heads.of_views(records), frame.into_scene(runtime, records["begun"]), ring_heads(records)

        def is_aligned():
            records = with_ring(program.views()[-1:])
            assert program.program.runs and not mover.failure, mover.failure
            if not len(records):
                return False
            views, _, by_ring = compared(records)
            return views.angle(by_ring)[0] < ALIGNED_ANGLE and views.distance(by_ring)[0] < ALIGNED_PLACE

        wait_until(is_aligned, what=lambda: f"alignment of {program.views()[-1:]}")
        begin = len(program.views())
        while len(program.views()) < begin + 20 * SECONDS:
            program.wait_for_views(20)
        records = with_ring(program.views()[begin:])
        views, twins, by_ring = compared(records)
        source = next(each for each in twin.daemon.call(AID_LIST)["sources"] if each["source"] == "openxr")
    # How the layer turns and shifts the runtime's frame, at the head, and how fast that changes.
    turns = views.rotation * twins.rotation.inv()
    shifts = views.position - twins.position
    seconds = np.diff(records["time"]) * 1e-9
    turning = np.degrees((turns[1:] * turns[:-1].inv()).magnitude()) / seconds
    shifting = np.linalg.norm(np.diff(shifts, axis=0), axis=1) / seconds
    for name, values in (
            ("degrees from ring", views.angle(by_ring)), ("metres from ring", views.distance(by_ring)),
            ("degrees per second", turning), ("metres per second", shifting)):
        report(f"correct, {name}:", median=np.median(values), p95=np.percentile(values, 95), most=values.max())
    report("correct:", frames=len(records), accepted=source["accepted"])
    assert source["accepted"] > 100 and not source["refused"], source
    assert np.percentile(views.angle(by_ring), 95) < ALIGNED_ANGLE
    assert np.percentile(views.distance(by_ring), 95) < ALIGNED_PLACE
    # Content neither swims nor jumps: the layer may do so this fast.
    assert turning.max() < FASTEST_TURN and shifting.max() < FASTEST_SHIFT
    assert np.all(records["flags"] & openxr.VALID == openxr.VALID)
