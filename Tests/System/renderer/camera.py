"""A pinhole that looks along the body's -z: from points of the scene to pixels of a display."""
import math

import numpy as np

WIDTH, HEIGHT = 1280, 720
FIELD_OF_VIEW = 60.0
# As a subscription names it.
CAMERA = {"horizontalFieldOfView": FIELD_OF_VIEW, "aspect": WIDTH / HEIGHT}
# Pixels that a small angle in the middle of the display is wide, by radian.
FOCAL = WIDTH / 2 / math.tan(math.radians(FIELD_OF_VIEW) / 2)
# What is nearer to the plane of the eye than this is behind it. Metres.
NEAR = 0.05


def vector(point):
    """A vector of the wire."""
    return np.array([point["x"], point["y"], point["z"]])


def rotation(x, y, z, w):
    """The matrix of a quaternion, whose length need not be quite 1."""
    x, y, z, w = np.array([x, y, z, w]) / math.sqrt(x * x + y * y + z * z + w * w)
    return np.array([
        [1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)],
        [2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)],
        [2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)]])


class Eye:
    """Where the wearer is and looks, by a pose of the wire."""

    def __init__(self, pose):
        self.position = vector(pose["position"])
        turn = pose["orientation"]
        self.scene_from_body = rotation(turn["x"], turn["y"], turn["z"], turn["w"])

    def in_body(self, point):
        return self.scene_from_body.T @ (point - self.position)

    def pixel(self, point):
        """Where a point of the scene lies on the display, or beside it; None for what is behind."""
        return body_pixel(self.in_body(point))

    def polygon(self, points):
        """The pixels of a polygon; None where one of its corners is behind."""
        pixels = [self.pixel(point) for point in points]
        return None if any(pixel is None for pixel in pixels) else np.array(pixels)

    def line(self, a, b):
        """The pixels of the ends of a line, cut off where it goes behind; None where all of it is behind."""
        a, b = self.in_body(a), self.in_body(b)
        if a[2] > -NEAR and b[2] > -NEAR:
            return None
        if a[2] > -NEAR:
            a = b + (a - b) * (b[2] + NEAR) / (b[2] - a[2])
        elif b[2] > -NEAR:
            b = a + (b - a) * (a[2] + NEAR) / (a[2] - b[2])
        return np.array([body_pixel(a, near=0), body_pixel(b, near=0)])


def body_pixel(point, near=NEAR):
    if point[2] >= -near:
        return None
    return np.array([WIDTH / 2 + FOCAL * point[0] / -point[2], HEIGHT / 2 - FOCAL * point[1] / -point[2]])


def border_pixel(u, v):
    """Of a hint."""
    return np.array([(1 + u) * WIDTH / 2, (1 + v) * HEIGHT / 2])


def on_display(pixels):
    """Whether a point, or any corner of a polygon, is on the display."""
    pixels = np.atleast_2d(pixels)
    return bool(((pixels >= 0) & (pixels <= [WIDTH, HEIGHT])).all(axis=1).any())
