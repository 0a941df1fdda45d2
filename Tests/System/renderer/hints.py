"""Hints on the border of the display, for what is off it."""
import numpy as np

from .camera import HEIGHT, WIDTH, border_pixel
from .labels import name
from .marks import place

# What hints keep free along the border, and from one to the next along it: shares of the display's height.
INSET, SPACING = 0.08, 0.15
# From straight behind up to here a hint may stay at the bottom. Degrees.
BEHIND = 21
# Of the rectangle on which they lie. Pixels.
HALF_WIDTH, HALF_HEIGHT = WIDTH / 2 - INSET * HEIGHT, HEIGHT / 2 - INSET * HEIGHT


def ranked(scene):
    """The placements that have one, the most important first."""
    found = [each for each in scene.placements.values() if "hint" in each]
    return sorted(found, key=lambda each: each["hint"]["order"])


def along(hint):
    """Pixels along the rectangle of hints, clockwise from its upper left corner; and how far from it the hint is."""
    x, y = border_pixel(hint["u"], hint["v"]) - [WIDTH / 2, HEIGHT / 2]
    sides = [
        (abs(y + HALF_HEIGHT), x + HALF_WIDTH),
        (abs(x - HALF_WIDTH), 2 * HALF_WIDTH + y + HALF_HEIGHT),
        (abs(y - HALF_HEIGHT), 2 * HALF_WIDTH + 2 * HALF_HEIGHT + HALF_WIDTH - x),
        (abs(x + HALF_WIDTH), 4 * HALF_WIDTH + 2 * HALF_HEIGHT + HALF_HEIGHT - y)]
    off, way = min(sides)
    return way, off


def apart(one, other):
    """Pixels between two along the rectangle, the shorter way round."""
    whole = 4 * (HALF_WIDTH + HALF_HEIGHT)
    between = abs(along(one)[0] - along(other)[0]) % whole
    return min(between, whole - between)


def outline(hint):
    """A triangle that points to the border, no larger than the room that a hint has."""
    middle = border_pixel(hint["u"], hint["v"])
    ahead = middle - [WIDTH / 2, HEIGHT / 2]
    ahead = ahead / max(np.linalg.norm(ahead), 1e-9)
    aside = np.array([-ahead[1], ahead[0]])
    size = SPACING * HEIGHT / 5
    back = middle - size / 2 * ahead
    return np.array([middle + size * ahead, back + size * 0.7 * aside, back - size * 0.7 * aside])


def belongs(placement, eye):
    """Where a hint would be if there were no other, as a hint; None straight behind, where it stays at the bottom."""
    x, y, z = eye.in_body(place(placement, eye))
    if z > 0 and np.hypot(x, y) < z * np.tan(np.radians(BEHIND)):
        return None
    right, down = np.array([x, -y]) / max(np.hypot(x, y), 1e-9)
    reach = min(HALF_WIDTH / max(abs(right), 1e-9), HALF_HEIGHT / max(abs(down), 1e-9))
    return {"u": right * reach / (WIDTH / 2), "v": down * reach / (HEIGHT / 2)}


def box(placement):
    """The pixels of the corners of what is kept free for its text; None where there is no room."""
    box = placement["hint"].get("box")
    if not box:
        return None
    across, down = box["width"] / 2, box["height"] / 2
    corners = [(-across, -down), (across, -down), (across, down), (-across, down)]
    return np.array([border_pixel(box["u"] + x, box["v"] + y) for x, y in corners])


def text(placement):
    count, turn = placement["hint"]["count"], abs(placement["hint"]["turn"])
    return f'{name(placement) or placement["kind"]} {turn:.0f}°' + (f" +{count}" if count else "")
