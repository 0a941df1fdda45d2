"""Arrows of the route: flat on the ground, each on its way from its own place to that of the next one."""
import math

import numpy as np

from .camera import vector
from .scene_state import stamp

# Tip, right, notch and left of an arrow that faces north: metres to the right and ahead.
SHAPE = [(0, 0.55), (0.4, -0.35), (0, -0.1), (-0.4, -0.35)]


def share(motion, time):
    """Of the period that has passed."""
    return (time - stamp(motion["epoch"])) / motion["period"] % 1


def placed(arrow, motion, time):
    """Where it is at a moment, and its course there in radians, counter-clockwise from north."""
    path = arrow.get("path")
    if not motion or not path:
        return vector(arrow["position"]), math.radians(arrow.get("course", 0))
    now = share(motion, time)
    for before, after in zip(path, path[1:]):
        if before["share"] <= now <= after["share"]:
            part = (now - before["share"]) / max(after["share"] - before["share"], 1e-9)
            start, end = vector(before["position"]), vector(after["position"])
            turn = (after["course"] - before["course"] + 180) % 360 - 180
            return start + part * (end - start), math.radians(before["course"] + part * turn)
    return vector(path[-1]["position"]), math.radians(path[-1]["course"])


def outline(arrow, motion, time, eye):
    """Its pixels; None where a part of it is behind."""
    middle, course = placed(arrow, motion, time)
    ahead = np.array([-math.sin(course), 0, -math.cos(course)])
    right = np.array([math.cos(course), 0, -math.sin(course)])
    return eye.polygon([middle + x * right + y * ahead for x, y in SHAPE])
