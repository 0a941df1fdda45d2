"""Recordings of real wearers as a display sees them, each with a dense town around."""
import contextlib
import gzip
import json

from waymark_interface import SCENE_IMPORT_PLACES

from harness.daemon import Daemon
from harness.paths import DATA, PROGRAMS
from harness.process import Program
from harness.waiting import wait_until

from .connection import Display
from .scene_state import newest, scenes
from .town import town
from .walk import Pose

# Of each recording the sensor's axes that point to the right, up and back: one on foot and two in cars, whose sensors lie
# flat, so that a display fixed to them would look at the ground or the sky.
BODY_AXES = {"walk_rtk": "-y z -x", "drive_rtk": "-y z -x", "car_comma2k19": "y -z -x"}
NAMES = list(BODY_AXES)
# From the first scene that is ready on. Seconds.
LENGTH = 15


def as_worn(name, folder):
    """The recording with the sensor's axes as a display has them, in a folder of its own."""
    with gzip.open(DATA / name / "imu.csv.gz", "rt") as file:
        header, *lines = file.read().splitlines()
    axes = [("xyz".index(axis[-1]), -1 if axis[0] == "-" else 1) for axis in BODY_AXES[name].split()]
    folder.mkdir()
    with open(folder / "imu.csv", "w", encoding="ascii") as file:
        print(header, file=file)
        for line in lines:
            time, *values = map(float, line.split(","))
            print(time, *(sign * values[part + axis] for part in (0, 3) for axis, sign in axes), sep=",", file=file)
    (folder / "gnss.csv.gz").symlink_to(DATA / name / "gnss.csv.gz")
    return folder


@contextlib.contextmanager
def replayed(name):
    """A recording in place of a daemon, in real time."""
    served = Daemon()
    try:
        folder = as_worn(name, served.folder / "recording")
        command = [PROGRAMS / "waymark", "--socket", served.socket, "replay", "--serve", folder]
        served.program = Program(command, served.log_path)
        wait_until(served.takes_clients, what=lambda: f"{name}; the log is:\n{served.log_path.read_text()}")
        yield served
    finally:
        served.remove()


class Sight:
    """What a display was sent of one recording."""

    def __init__(self, display):
        self.poses = [Pose(reply["pose"]) for reply in display.poses.read() if "pose" in reply]
        self.scenes = scenes([reply["scene"] for reply in display.scenes.read()])

    def moments(self, every):
        """One pose in `every`, with the scene as it was known then; those without places are left out."""
        found = ((pose, newest(self.scenes, pose.time)) for pose in self.poses[::every])
        return [(pose, scene) for pose, scene in found if scene and scene.placements]


def seen(daemons):
    """What displays see of recordings side by side, by their names, until each has shown places for some time."""
    displays = {name: Display(daemon.socket) for name, daemon in daemons.items()}
    begun = {}
    try:
        for name, daemon in daemons.items():
            pose = wait_until(lambda: located(displays[name]), 120, f"a position of {name}")
            daemon.call(SCENE_IMPORT_PLACES, {"document": json.dumps(town(origin=pose["geo"]))})
        wait_until(lambda: all([has_come(name, displays[name], begun) for name in daemons]), 240,
                   lambda: f"the recordings to go on: {begun}", interval=0.5)
        return {name: Sight(display) for name, display in displays.items()}
    finally:
        for display in displays.values():
            display.close()


def located(display):
    pose = (display.poses.newest() or {}).get("pose", {})
    return pose if "geo" in pose else None


def has_come(name, display, begun):
    scene = (display.scenes.newest() or {}).get("scene")
    if not scene:
        return False
    if scene["readiness"] == "ready":
        begun.setdefault(name, scene["time"]["sec"])
    return name in begun and scene["time"]["sec"] >= begun[name] + LENGTH
