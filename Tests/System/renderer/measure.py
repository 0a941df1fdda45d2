"""Pixels between what is drawn and what ought to be, on a display of 1280 × 720."""
import math

import numpy as np

from . import arrows, hints, labels, marks
from .camera import FOCAL, on_display, vector
from .truth import in_scene

# Between two looks at what ought to stay. Seconds.
LAG = 0.3
# Of that, by what a pose may miss it.
SLACK = 0.02
# How far things are whose motion counts as that at 10 m. Metres.
NEAR = (8, 12.5)
FIXED = ("place", "cluster", "node", "start", "turn", "destination", "anchor")


def percentile(values, share=90):
    return float(np.percentile(values, share)) if len(values) else math.nan


def nearest_on(line, point):
    """Of a polyline the point that is nearest to one, over ground."""
    best, least = None, math.inf
    for a, b in zip(line, line[1:]):
        along = np.clip((point - a) @ (b - a) / max((b - a) @ (b - a), 1e-9), 0, 1)
        on = a + along * (b - a)
        if (distance := np.linalg.norm(point - on)) < least:
            best, least = on, distance
    return best


def arrows_off_route(walk, moment, eye, scene):
    """Distance of each arrow on the display from the route in pixels, laid out as the frame was by then."""
    alignment = walk.alignment(scene.time)
    if not alignment:
        return
    line = [in_scene(vertex, *alignment) for vertex in walk.route]
    for arrow in scene.of("arrow"):
        place, _ = arrows.placed(arrow, scene.motion, moment)
        x, z = nearest_on(line, place[[0, 2]])
        drawn, on_route = eye.pixel(place), eye.pixel(np.array([x, place[1], z]))
        if drawn is not None and on_route is not None and on_display(drawn):
            yield float(np.linalg.norm(drawn - on_route))


def overlap(one, other):
    """Depth in pixels by which two convex polygons overlap: the shortest way apart; 0 where they are apart."""
    least = math.inf
    for polygon in (one, other):
        edges = np.roll(polygon, -1, axis=0) - polygon
        normals = np.stack([-edges[:, 1], edges[:, 0]], axis=1)
        normals = normals / np.maximum(np.linalg.norm(normals, axis=1, keepdims=True), 1e-9)
        a, b = one @ normals.T, other @ normals.T
        least = min(least, np.min(np.minimum(a.max(0), b.max(0)) - np.maximum(a.min(0), b.min(0))))
        if least <= 0:
            return 0.0
    return float(least)


def label_overlaps(eye, scene):
    """Depth in pixels by which each pair of labels on the display overlaps, and each label any mark: pairs with names."""
    boxes, discs = (
        [(each["id"], shape) for each in scene.placements.values()
         if (shape := shape_of(each, eye)) is not None and on_display(shape)]
        for shape_of in (labels.box, marks.largest_disc))
    for index, (id, box) in enumerate(boxes):
        for other, its_box in boxes[index + 1:]:
            yield overlap(box, its_box), (id, other)
        for other, disc in discs:
            yield overlap(box, disc), (id, f"the mark of {other}")


def hint_overlaps(eye, scene):
    """The same for each text of a hint with the others, the arrows of hints, all labels and all marks but nodes."""
    ranked = hints.ranked(scene)
    texts = [(each["id"], box) for each in ranked if (box := hints.box(each)) is not None]
    others = [(f"the arrow of {each['id']}", hints.outline(each["hint"])) for each in ranked]
    for each in scene.placements.values():
        if each["kind"] in ("arrow", "node"):
            continue
        others += [
            (f"{what} {each['id']}", shape) for what, shape in (
                ("the label of", labels.box(each, eye)), ("the mark of", marks.largest_disc(each, eye)))
            if shape is not None and on_display(shape)]
    for index, (id, box) in enumerate(texts):
        for other, shape in texts[index + 1:] + others:
            yield overlap(box, shape), (id, other)


def strays(walk, begin, end):
    """How what is fixed to the earth moves within `LAG` beyond what the wearer's true motion makes of it.

    An eye where the wearer truly is, which looks as the wearer truly does, sees what is drawn at a point of the world:
    that point ought to stay.
    """
    moments = walk.between(begin, end)
    times = np.array([pose.time for pose, _ in moments])
    for index in range(0, len(moments), 6):
        later = int(np.argmin(np.abs(times - times[index] - LAG)))
        if abs(times[later] - times[index] - LAG) <= SLACK:
            yield from strays_between(walk.truth, moments[index], moments[later])


class Stray:
    """Of one thing, in pixels: `whole` is what the wearer sees, `map` what its move in the scene makes of it."""

    def __init__(self, id, offset, whole, by_map):
        self.id, self.distance = id, float(np.linalg.norm(offset))
        self.whole, self.map = self.seen(offset, whole), self.seen(offset, by_map)

    def seen(self, offset, moved):
        """Of a way in the world what is across the line of sight, in the middle of the display."""
        across = moved - offset * (moved @ offset) / self.distance ** 2
        return float(FOCAL * np.linalg.norm(across) / self.distance)


def strays_between(truth, first, last):
    (eye, place, turn), (later, its_place, its_turn) = (
        (pose.eye, *truth.at(pose.time)[:2]) for pose, _ in (first, last))
    before, after = first[1].placements, last[1].placements
    for id in before.keys() & after.keys():
        if before[id]["kind"] not in FIXED or before[id]["lock"] == "head":
            continue
        start, end = vector(before[id]["position"]), vector(after[id]["position"])
        offset, drawn = turn @ eye.in_body(start), eye.pixel(start)
        if not NEAR[0] <= np.linalg.norm(offset) <= NEAR[1] or drawn is None or not on_display(drawn):
            continue
        whole = its_place + its_turn @ later.in_body(end) - place - offset
        yield Stray(id, offset, whole, its_turn @ later.scene_from_body.T @ (end - start))
