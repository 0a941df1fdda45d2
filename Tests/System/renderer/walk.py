"""A piece of the built-in walk as a display sees it: poses, scenes and frames, and what is really so."""
import bisect
import contextlib
import copy
import json

import numpy as np
from waymark_interface import SCENE_GET_ROUTE, SCENE_IMPORT_PLACES, SCENE_PLACE_ANCHOR

from harness.daemon import SIMULATION, Daemon
from harness.flood import AHEAD
from harness.waiting import wait_until

from .camera import Eye, rotation
from .connection import Display
from .scene_state import newest, scenes, stamp
from .town import posts, town
from .truth import Truth

# Since the walk began: the wearer stands for 18 s, then walks. Seconds.
STANDING = (9, 17)
WALKING = (22, 44)
# North and the wearer's velocity are known well by then.
SETTLED = (40, 90)
# Ten frame messages a second come where the machine has time for them. Seconds.
LONGEST_BETWEEN_FRAMES = 0.35


class Pose:
    def __init__(self, message):
        self.time, self.message = stamp(message["time"]), message
        self.eye = Eye(message)

    def carried_on(self, moment):
        """The eye somewhat later, by both velocities."""
        later = moment - self.time
        eye = Eye(self.message)
        speed, turning = self.message["linearVelocity"], self.message["angularVelocity"]
        eye.position = eye.position + later * np.array([speed[axis] for axis in "xyz"])
        half = [turning[axis] * later / 2 for axis in "xyz"]
        eye.scene_from_body = eye.scene_from_body @ rotation(*half, 1)
        return eye


class Frame:
    def __init__(self, message):
        self.time, self.message = stamp(message["time"]), message


class Walk:
    """All that a display was sent."""

    def __init__(self, display, route, truth):
        replies = display.poses.read()
        self.poses = [Pose(reply["pose"]) for reply in replies if "pose" in reply]
        self.frames = [Frame(reply["frame"]) for reply in replies if "frame" in reply]
        self.scenes = scenes([reply["scene"] for reply in display.scenes.read()])
        self.route = route
        self.truth = truth.follow([pose.message for pose in self.poses])

    def eye(self, moment):
        """What is drawn at a moment is drawn by the newest pose, carried on."""
        return newest(self.poses, moment).carried_on(moment)

    def alignment(self, moment):
        """Origin and published alignment at a moment, straight between two frame messages; None where they are rare."""
        index = bisect.bisect_right(self.frames, moment, key=lambda each: each.time)
        before, after = self.frames[max(index - 1, 0)], self.frames[min(index, len(self.frames) - 1)]
        if after.time - before.time > LONGEST_BETWEEN_FRAMES:
            return None
        origin, start, end = before.message["origin"], before.message["published"], after.message["published"]
        if after.time <= before.time or after.message["origin"] != origin:
            return origin, start
        part = min(max((moment - before.time) / (after.time - before.time), 0), 1)
        return origin, {key: start[key] + part * (end[key] - start[key]) for key in start}

    def between(self, begin, end):
        """Poses of a piece of the walk, with the scene as it was known then.

        Those are left out at which a busy machine kept the scene from being read.
        """
        late = {scene.time for scene, after in zip(self.scenes, self.scenes[1:]) if after.message.get("missed")}
        return [
            (pose, scene) for pose in self.poses if begin <= self.truth.seconds(pose.time) <= end
            and (scene := newest(self.scenes, pose.time)) and scene.time not in late]

    def at(self, seconds):
        """The eye and the scene at a moment of the walk, and the moment."""
        moment = seconds - self.truth.seconds(0)
        return self.eye(moment), newest(self.scenes, moment), moment


@contextlib.contextmanager
def demo():
    """A daemon as `waymarkd --demo` sets it up."""
    daemon = Daemon(SIMULATION)
    try:
        yield daemon.start(prefix=AHEAD)
    finally:
        daemon.remove()


@contextlib.contextmanager
def demo_with_posts():
    """The same with things near the way."""
    with demo() as daemon:
        for post in posts(daemon.call(SCENE_GET_ROUTE)["vertices"]):
            daemon.call(SCENE_PLACE_ANCHOR, {"anchor": post})
        yield daemon


@contextlib.contextmanager
def dense_town():
    """The same with hundreds of places around."""
    with demo() as daemon:
        daemon.call(SCENE_IMPORT_PLACES, {"document": json.dumps(town())})
        yield daemon


def seen(*daemons, seconds=SETTLED[1]):
    """What displays see of several daemons side by side, until each has come so far into its walk."""
    truth = Truth(seconds + 10)
    displays = [Display(daemon.socket) for daemon in daemons]
    try:
        wait_until(
            lambda: all(has_come(display, truth, seconds) for display in displays), 4 * seconds + 60,
            "the walks to go on", interval=0.5)
        routes = [daemon.call(SCENE_GET_ROUTE)["vertices"] for daemon in daemons]
        return [Walk(display, route, copy.copy(truth)) for display, route in zip(displays, routes)]
    finally:
        for display in displays:
            display.close()


def has_come(display, truth, seconds):
    message = (display.poses.newest() or {}).get("pose", {})
    return "utc" in message and truth.follow([message]).seconds(stamp(message["time"])) >= seconds
