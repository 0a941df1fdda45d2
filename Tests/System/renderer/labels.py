"""Labels: the rectangle that `slot` keeps for each, with the azimuth of the placement as it is seen now."""
import math

import numpy as np

from .camera import FOCAL
from .marks import place


def name(placement):
    """That of a cluster is the number of its places."""
    name = placement.get("name")
    return f"{name} places" if placement["kind"] == "cluster" else name


def way(placement):
    return placement.get("alongRouteText") or placement.get("distanceText") or ""


def upright(placement, eye):
    """The same in one size all over the display: middle in pixels, width, height, and its turn in degrees counter-clockwise."""
    corners = box(placement, eye)
    if corners is None:
        return None
    along = corners[1] - corners[0] + corners[2] - corners[3]
    size = [2 * FOCAL * math.tan(math.radians(placement["slot"][side]) / 2) for side in ("width", "height")]
    return corners.mean(axis=0), *size, math.degrees(math.atan2(-along[1], along[0]))


def box(placement, eye):
    """The pixels of its corners, from the upper left clockwise; None without a slot, and for what is not ahead."""
    slot = placement.get("slot")
    if not slot:
        return None
    offset = place(placement, eye) - eye.position
    azimuth, elevation = math.atan2(offset[0], -offset[2]), math.radians(slot["elevation"])
    sine, cosine = math.sin(azimuth), math.cos(azimuth)
    middle = np.array([math.cos(elevation) * sine, math.sin(elevation), -math.cos(elevation) * cosine])
    right = np.array([cosine, 0, sine])
    up = np.array([-math.sin(elevation) * sine, math.cos(elevation), math.sin(elevation) * cosine])
    right *= math.tan(math.radians(slot["width"]) / 2)
    up *= math.tan(math.radians(slot["height"]) / 2)
    corners = [middle - right + up, middle + right + up, middle + right - up, middle - right - up]
    return eye.polygon([eye.position + placement["displayDistance"] * corner for corner in corners])
