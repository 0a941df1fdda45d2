"""Marks: a disc seen under the angle `size.angle`, turned to the eye, in its pulse."""
import math

import numpy as np

from .camera import vector
from .scene_state import stamp

# Corners of the polygon that stands for a disc.
CORNERS = 24


def place(placement, eye):
    """Where a placement is in the scene."""
    position = vector(placement["position"])
    if placement["lock"] == "head":
        return eye.position + eye.scene_from_body @ position
    return position


def drawn_place(placement, eye):
    """Where to draw it: in its direction, at the distance for its drawing."""
    offset = place(placement, eye) - eye.position
    return eye.position + offset * (placement["displayDistance"] / np.linalg.norm(offset))


def pulse(placement, time):
    """Opacity and scale at a moment."""
    pulse = placement.get("pulse")
    if not pulse:
        return 1.0, 1.0
    phase = (time - stamp(pulse["epoch"])) / pulse["period"] % 1
    wave = math.sin(math.pi * phase) ** 2
    return 1 + wave * (pulse["opacity"] - 1), 1 + wave * (pulse["scale"] - 1)


def disc(placement, eye, scale=1.0):
    """The pixels of its border; None for what is not ahead."""
    middle = drawn_place(placement, eye)
    sight = (middle - eye.position) / np.linalg.norm(middle - eye.position)
    right = np.cross(sight, [0, 1, 0])
    right /= max(np.linalg.norm(right), 1e-9)
    up = np.cross(right, sight)
    radius = placement["displayDistance"] * math.tan(math.radians(placement["size"]["angle"]) / 2) * scale
    turns = np.arange(CORNERS) * 2 * math.pi / CORNERS
    return eye.polygon([middle + radius * (math.cos(turn) * right + math.sin(turn) * up) for turn in turns])


def largest_disc(placement, eye):
    """The same where its pulse is at its end."""
    return disc(placement, eye, placement.get("pulse", {}).get("scale", 1.0))
