"""Hints on the border of the display, for what is off it."""
import numpy as np

from .camera import HEIGHT, WIDTH, border_pixel
from .labels import name

# What hints keep free along the border, and from one to the next along it: shares of the display's height.
INSET, SPACING = 0.08, 0.15
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


def text(placement):
    count, turn = placement["hint"]["count"], abs(placement["hint"]["turn"])
    return f'{name(placement) or placement["kind"]} {turn:.0f}°' + (f" +{count}" if count else "")
