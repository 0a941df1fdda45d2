"""The example for Godot: where it draws what the daemon places, and what it does when that goes wrong."""
import contextlib
import copy
import json
import os
import signal
import threading

import numpy as np
import pytest
from renderer import arrows
from renderer.camera import CAMERA, HEIGHT, WIDTH, Eye, rotation, vector
from renderer.connection import Stream
from renderer.scene_state import scenes, stamp
from waymark_interface import POSE_SUBSCRIBE, SCENE_SUBSCRIBE
from websockets.exceptions import ConnectionClosed
from websockets.sync.server import serve

from harness import sample_messages as sample
from harness.live_server import LiveServer
from harness.outside import needs
from harness.paths import ROOT
from harness.process import Program
from harness.waiting import wait_until

pytestmark = [pytest.mark.long, needs("godot3-server")]

# As wearer.gd and main.gd ask for them; more poses, so that the one of each frame is among them.
POSES = {"rate": 1000, "predictAhead": 0.025}
SCENES = {"rate": 30, "camera": CAMERA, "hints": 0, "events": False}
# Lines that no test waits for.
ENDLESS = 100_000
# Godot computes with 24 bits, and prints six decimals: a tenth of a millimetre for what is near.
PIXELS, METRES = 0.2, 1e-3
# Of the middle of the display, by Eye.
FOCAL = WIDTH / 2 / np.tan(np.radians(CAMERA["horizontalFieldOfView"] / 2))


class Example:
    """The running example; `lines` is what it has printed."""

    def __init__(self, folder, address, seconds=ENDLESS):
        self.printed = folder / "godot.out"
        with open(self.printed, "wb") as file:
            self.program = Program(
                ["godot3-server", "--path", ROOT / "examples/godot", "--", "--address", address, "--print", seconds],
                folder / "godot.err", stdout=file, env={**os.environ, "HOME": str(folder), "LC_ALL": "C.UTF-8"})

    @property
    def lines(self):
        # Whole ones; before them come the program's name and version.
        whole = self.printed.read_text().split("\n")[:-1]
        return [json.loads(line) for line in whole if line.startswith("{")]

    def wait_for(self, condition, what):
        """The first line from now on for which it holds."""
        before = len(self.lines)

        def found():
            # What was printed last counts, too.
            ran = self.program.runs
            line = next((line for line in self.lines[before:] if condition(line)), None)
            assert line or ran, f"the example has ended; its log is:\n{self.program.log}"
            return line

        return wait_until(
            found, what=lambda: f"{what}; the last line is {self.lines[-1:]}; the log is:\n{self.program.log}")

    def end(self):
        self.program.end()
        # An error of a script ends what it was about to do with a message.
        assert "SCRIPT ERROR" not in self.program.log, self.program.log


@pytest.fixture
def example(tmp_path):
    with contextlib.ExitStack() as stack:
        def start(address, **options):
            started = Example(tmp_path, address, **options)
            stack.callback(started.end)
            return started

        yield start


@pytest.fixture
def server(simulation):
    made = LiveServer(simulation)
    yield made
    assert made.end() == 0


def predicted(pose, seconds):
    """The pose so much later, with its velocities."""
    turn = vector(pose["angularVelocity"]) * seconds
    angle = np.linalg.norm(turn)
    eye = Eye(pose)
    eye.position = eye.position + vector(pose["linearVelocity"]) * seconds
    if angle > 0:
        x, y, z = turn / angle * np.sin(angle / 2)
        eye.scene_from_body = eye.scene_from_body @ rotation(x, y, z, np.cos(angle / 2))
    return eye


def check_line(line, pose, scene):
    """Compares a line with the pose and the scene of which it was made; returns the number of placements drawn."""
    camera = line["camera"]
    assert pose["generation"] == camera["generation"]
    eye = predicted(pose, camera["ahead"])
    turn = camera["orientation"]
    assert vector(camera["position"]) == pytest.approx(eye.position, abs=METRES)
    assert rotation(turn["x"], turn["y"], turn["z"], turn["w"]) == pytest.approx(eye.scene_from_body, abs=1e-5)

    time = camera["poseTime"] + camera["ahead"]
    drawn = {each["id"]: each for each in line["placements"]}
    assert drawn.keys() <= scene.placements.keys()
    for placement in scene.placements.values():
        place = arrows.placed(placement, scene.motion, time)[0]
        pixel, distance = eye.pixel(place), np.linalg.norm(place - eye.position)
        # What may differ before a placement is sent again, by docs/placements.md: of either subscription.
        metres = max(0.01, np.radians(0.05) * distance)
        pixels = FOCAL * metres / distance * 2 + PIXELS
        if placement["id"] in drawn:
            mark = drawn[placement["id"]]
            middle = vector(mark["position"])
            at = np.array([mark["pixel"]["x"], mark["pixel"]["y"]])
            assert at == pytest.approx(eye.pixel(middle), abs=PIXELS), placement["id"]
            # An arrow begins its way anew with each period, at an instant that rounding moves.
            if placement["kind"] != "arrow" or 0.001 < arrows.share(scene.motion, time) < 0.999:
                assert np.linalg.norm(middle - place) <= metres + METRES, placement["id"]
        elif pixel is not None and placement["kind"] != "arrow":
            inside = (pixel > pixels) & (pixel < np.array([WIDTH, HEIGHT]) - pixels)
            assert not inside.all(), f"{placement['id']} is at {pixel} and was not drawn"
    return len(drawn)


def nearest(items, time, of):
    """The item of this time, which was printed with six decimals; None without one."""
    found = min(items, key=lambda item: abs(of(item) - time))
    return found if abs(of(found) - time) < 2e-6 else None


def check_lines(example, daemon, count=5):
    """Compares lines, from now on, with what the daemon sends; returns them."""
    poses = Stream(daemon.socket, POSE_SUBSCRIBE, POSES)
    scene = Stream(daemon.socket, SCENE_SUBSCRIBE, SCENES)
    try:
        wait_until(lambda: poses.messages and scene.messages, what="poses and the scene")
        # Of the next line, what went into it may have come before.
        first = len(example.lines) + 1
        example.wait_for(lambda line: len(example.lines) > first + count, "further lines")
        lines = example.lines[first:first + count]
    finally:
        poses.close()
        scene.close()
    sent = [reply["pose"] for reply in poses.read() if "pose" in reply]
    states = scenes([reply["scene"] for reply in scene.read()])
    pairs = [(line, nearest(sent, line["camera"]["poseTime"], lambda pose: stamp(pose["time"])),
              nearest(states, line["sceneTime"], lambda state: state.time)) for line in lines]
    # A reader that is held up loses messages, the example or the one here.
    known = [pair for pair in pairs if None not in pair]
    assert len(known) > count / 2, pairs
    assert sum(check_line(*pair) for pair in known) >= count
    return lines


def draws(line):
    return line["message"] == "" and line["placements"]


def test_placements_are_where_the_daemon_says_also_when_it_was_killed_and_returns(simulation, server, example):
    shown = example(server.url)
    shown.wait_for(draws, "placements")
    kinds = {name.split("/")[2] if name.startswith("route/") else name.split("/")[0]
             for line in check_lines(shown, simulation) for name in [each["id"] for each in line["placements"]]}
    assert "arrow" in kinds

    simulation.program.send(signal.SIGKILL)
    simulation.program.wait()
    # Of content without poses, nothing is left at once; the message follows when nothing has come for a while.
    shown.wait_for(lambda line: line["message"] and not line["placements"], "that nothing is drawn")
    gone = shown.wait_for(lambda line: "There is no daemon" in line["message"] and "camera" not in line, "a message")
    assert gone["placements"] == []
    simulation.start()
    shown.wait_for(draws, "placements of the new daemon")
    check_lines(shown, simulation)


def test_it_says_that_there_is_no_server_and_quits_after_its_time(tmp_path, example):
    shown = example("http://127.0.0.1:1/?token=secret", seconds=2)
    assert shown.program.wait() == 0
    assert len(shown.lines) == 2
    for line in shown.lines:
        assert line["placements"] == [] and "No connection to http://127.0.0.1:1/" in line["message"]
        assert "secret" not in line["message"]


class StandIn:
    """In place of `waymark serve`: sends the test's messages to each subscriber, again and again."""

    def __init__(self):
        # Of each subscription, by its method: its call, and the texts of its messages.
        self.calls = {}
        self.steady = {POSE_SUBSCRIBE: [], SCENE_SUBSCRIBE: []}
        self.server = serve(self.handle, "127.0.0.1", 0, subprotocols=["varlink"])
        self.thread = threading.Thread(target=self.server.serve_forever, daemon=True)
        self.thread.start()
        self.url = f"http://127.0.0.1:{self.server.socket.getsockname()[1]}/?token=abc"

    def handle(self, socket):
        assert socket.request.path == "/varlink?token=abc" and socket.subprotocol == "varlink"
        call = json.loads(socket.recv())
        self.calls[call["method"]] = call
        with contextlib.suppress(ConnectionClosed):
            while True:
                for message in list(self.steady[call["method"]]):
                    socket.send(message)
                # Also sees that the other side has gone.
                with contextlib.suppress(TimeoutError):
                    socket.recv(timeout=0.05)

    def show(self, pose, scene):
        self.steady[POSE_SUBSCRIBE][:] = [reply(pose=pose)]
        self.steady[SCENE_SUBSCRIBE][:] = [reply(scene=scene)]

    def end(self):
        self.server.shutdown()
        self.thread.join()


def reply(**parameters):
    # Python writes what is beyond all numbers as JSON does not.
    return json.dumps({"parameters": parameters, "continues": True}).replace("Infinity", "1e999")


@pytest.fixture
def stand_in():
    made = StandIn()
    yield made
    made.end()


def still(generation=1):
    """A pose at the origin of the scene, looking north."""
    zero = {"x": 0.0, "y": 0.0, "z": 0.0}
    return sample.pose(generation=generation, position=zero, linearVelocity=zero)


def placement(name, **position):
    return {**sample.PLACEMENT, "id": name, "name": name, "position": {"x": 0.0, "y": 0.0, "z": 0.0, **position}}


def scene_of(*placements, generation=1, **changes):
    return {**sample.SCENE, "generation": generation, "changed": list(placements), **changes}


def pixels(line):
    return {each["id"]: (each["pixel"]["x"], each["pixel"]["y"]) for each in line["placements"]}


def at(**wanted):
    """Whether a line has just these placements at about these pixels."""
    def fits(line):
        found = pixels(line)
        return found.keys() == wanted.keys() and all(
            found[name] == pytest.approx(where, abs=PIXELS) for name, where in wanted.items())
    return fits


# 10 m ahead one metre is this wide.
METRE = FOCAL / 10
MIDDLE = (WIDTH / 2, HEIGHT / 2)


def test_the_axes_are_those_of_the_display(stand_in, example):
    stand_in.show(still(), scene_of(
        placement("ahead", z=-10.0), placement("east", x=2.0, z=-10.0), placement("above", y=1.0, z=-10.0),
        placement("behind", z=10.0), {**placement("head", x=1.0, z=-10.0), "lock": "head"}))
    shown = example(stand_in.url)
    shown.wait_for(at(
        ahead=MIDDLE, east=(MIDDLE[0] + 2 * METRE, MIDDLE[1]), above=(MIDDLE[0], MIDDLE[1] - METRE),
        head=(MIDDLE[0] + METRE, MIDDLE[1])), "four placements")
    assert stand_in.calls[SCENE_SUBSCRIBE]["parameters"]["camera"] == pytest.approx(CAMERA)
    assert all(call["more"] for call in stand_in.calls.values())
    # A turn of the head to the east, by 90°: what is locked to it stays.
    half = 0.5 ** 0.5
    stand_in.steady[POSE_SUBSCRIBE][:] = [reply(
        pose={**still(), "orientation": {"x": 0.0, "y": -half, "z": 0.0, "w": half}})]
    stand_in.steady[SCENE_SUBSCRIBE][:] = [reply(scene=scene_of(
        placement("east", x=10.0), {**placement("head", x=1.0, z=-10.0), "lock": "head"}))]
    shown.wait_for(at(east=MIDDLE, head=(MIDDLE[0] + METRE, MIDDLE[1])), "what is in the east")


def test_corrections_move_content_and_another_generation_replaces_it(stand_in, example):
    left, right = (MIDDLE[0] - METRE, MIDDLE[1]), (MIDDLE[0] + METRE, MIDDLE[1])
    whole = scene_of(placement("a", z=-10.0), placement("b", x=1.0, z=-10.0))
    stand_in.show(still(), whole)
    shown = example(stand_in.url)
    shown.wait_for(at(a=MIDDLE, b=right), "two placements")
    # A change leaves alone what it does not name.
    moved = scene_of(placement("a", x=-1.0, z=-10.0), snapshot=False)
    stand_in.steady[SCENE_SUBSCRIBE][:] = [reply(scene=whole), reply(scene=moved)]
    shown.wait_for(at(a=left, b=right), "one of both at another place")
    stand_in.steady[SCENE_SUBSCRIBE].append(reply(scene=scene_of(snapshot=False, removed=["b"])))
    shown.wait_for(at(a=left), "one of both")
    # Poses of another scene alone: what is placed in the old one is nowhere in it.
    stand_in.steady[POSE_SUBSCRIBE][:] = [reply(pose=still(generation=2))]
    shown.wait_for(
        lambda line: line.get("camera", {}).get("generation") == 2 and not line["placements"], "nothing")
    stand_in.steady[SCENE_SUBSCRIBE][:] = [reply(scene=scene_of(placement("c", z=-10.0), generation=2))]
    shown.wait_for(at(c=MIDDLE), "what is in the new scene")


WRONG = (None, 7, "x", [], {}, True, {"x": 0.0, "y": "0", "z": 0.0}, {"x": 1e999, "y": 0.0, "z": 0.0, "w": 1.0})


def wrong_values(names, numbers=(), texts=()):
    """Fields with values that are not theirs."""
    return [(name, value) for name in names for value in WRONG
            if not (name in numbers and value == 7 or name in texts and value == "x")]


def malformed():
    """Texts of which none is a message of the daemon, and messages of which a part is not as it should be."""
    yield from ["", "nonsense", "[]", "7", "null", "{", '{"parameters": []}', '{"parameters": {"pose": 7, "scene": 7}}']
    pose = {**still(), "position": {"x": 5.0, "y": 0.0, "z": 0.0}}
    for field, value in wrong_values(
            ["position", "orientation", "linearVelocity", "angularVelocity", "time", "generation"], ["generation"]):
        yield reply(pose={**pose, field: value})
    for field, value in wrong_values(
            ["time", "labelRoll", "motion", "readiness", "reasons", "changed", "removed", "generation"],
            ["generation"]):
        yield reply(scene={**scene_of(snapshot=False), field: value})
    for field, value in wrong_values(
            ["id", "kind", "position", "displayDistance", "distance", "size"], ["displayDistance", "distance"],
            ["id", "kind"]):
        yield reply(scene=scene_of({**placement("bad", z=-10.0), field: value}, snapshot=False))
    # Where only what may be missing is wrong, the rest is drawn.
    for field, value in wrong_values(
            ["name", "distanceText", "slot", "pulse", "path", "course", "lock", "occluded", "visible"]):
        yield reply(scene=scene_of({**placement("right", x=2.0, z=-10.0), field: value}, snapshot=False))


def test_what_is_malformed_is_ignored(stand_in, example):
    stand_in.show(still(), scene_of(placement("a", z=-10.0)))
    shown = example(stand_in.url)
    shown.wait_for(at(a=MIDDLE), "a placement")
    # Again and again what is good, and behind it all that is not: had one been taken, it would be seen.
    change = scene_of(placement("b", x=1.0, z=-10.0), snapshot=False)
    stand_in.steady[POSE_SUBSCRIBE].extend(malformed())
    stand_in.steady[SCENE_SUBSCRIBE].extend([reply(scene=change), *malformed()])
    wanted = {"a": MIDDLE, "b": (MIDDLE[0] + METRE, MIDDLE[1]), "right": (MIDDLE[0] + 2 * METRE, MIDDLE[1])}
    for _ in range(3):
        shown.wait_for(at(**wanted), "three placements")
    for line in shown.lines:
        for name, pixel in pixels(line).items():
            assert pixel == pytest.approx(wanted[name], abs=PIXELS), line


def test_an_error_of_the_daemon_is_shown_and_the_subscription_tried_again(stand_in, example):
    stand_in.show(still(), scene_of(placement("a", z=-10.0)))
    good = copy.deepcopy(stand_in.steady)
    stand_in.steady[SCENE_SUBSCRIBE][:] = [json.dumps({"error": "org.waymark.Status.LimitExceeded", "parameters": {}})]
    shown = example(stand_in.url)
    shown.wait_for(lambda line: "LimitExceeded" in line["message"] and not line["placements"], "the error")
    stand_in.steady.update(good)
    shown.wait_for(at(a=MIDDLE), "a placement")


def test_the_project_has_no_files_of_the_editor():
    assert {path.suffix for path in (ROOT / "examples/godot").iterdir()} == {".godot", ".tscn", ".gd", ".md"}
