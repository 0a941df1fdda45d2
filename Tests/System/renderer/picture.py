"""What the display shows at one moment, as a picture."""
import math

import numpy as np
from PIL import Image, ImageDraw, ImageFont

from . import arrows, hints, labels, marks
from .camera import FOCAL, HEIGHT, WIDTH, body_pixel

# Drawn so much larger, then made small, for smooth edges.
FINE = 2
SKY, GROUND, HORIZON = (123, 154, 180), (70, 77, 70), (190, 204, 216)
ARROW, NODE, TURN, DESTINATION, PLACE, CLUSTER, ANCHOR = (
    (86, 196, 255), (86, 196, 255), (255, 190, 80), (255, 98, 98), (150, 226, 150), (196, 170, 255), (255, 255, 255))
COLORS = {"node": NODE, "start": NODE, "turn": TURN, "route": TURN, "destination": DESTINATION, "place": PLACE,
          "cluster": CLUSTER, "anchor": ANCHOR}
TEXT, PAPER = (245, 247, 250), (16, 22, 30)
# A node lies on the ground. Metres across.
NODE_SIZE = 0.5
# The signs on discs, in halves of their diameter, to the right and down; those of turns to the left are mirrored.
DIAMOND = np.array([(0, -0.42), (0.42, 0), (0, 0.42), (-0.42, 0)])
BEND = np.array([(-0.32, 0.45), (-0.32, -0.15), (0.12, -0.15), (0.12, -0.4), (0.5, -0.02), (0.12, 0.36), (0.12, 0.1), (-0.08, 0.1),
                 (-0.08, 0.45)])
FLAG = np.array([(-0.25, 0.5), (-0.25, -0.45), (0.4, -0.2), (-0.12, 0.05), (-0.12, 0.5)])
SIGNS = {"place": DIAMOND, "cluster": DIAMOND, "anchor": DIAMOND, "turn": BEND, "destination": FLAG}


class Picture:
    def __init__(self):
        self.image = Image.new("RGB", (WIDTH * FINE, HEIGHT * FINE), SKY)
        self.draw = ImageDraw.Draw(self.image, "RGBA")
        # What texts have taken: left, top, right and bottom.
        self.taken = []

    def polygon(self, pixels, fill, outline=None, width=1):
        if pixels is not None and np.abs(pixels).max() < 20 * WIDTH:
            self.draw.polygon([tuple(pixel * FINE) for pixel in pixels], fill, outline, width * FINE)

    def line(self, pixels, fill, width=1):
        self.draw.line([tuple(pixel * FINE) for pixel in pixels], fill, width * FINE)

    def disc(self, middle, radius, fill, outline):
        box = [tuple((middle + side * radius) * FINE) for side in (-1, 1)]
        self.draw.ellipse(box, fill, outline, 2 * FINE)

    def card(self, middle, width, height, parts, outline=None, roll=0.0):
        """A card with parts of a text, each in its colour and apart from the next, turned counter-clockwise by degrees."""
        size = round(width * FINE), round(height * FINE)
        sheet = Image.new("RGBA", size, (*PAPER, 0))
        draw = ImageDraw.Draw(sheet)
        draw.rounded_rectangle((0, 0, size[0] - 1, size[1] - 1), 0.28 * size[1], (*PAPER, 215), outline, FINE if outline else 0)
        gap = 0.3 * size[1]
        parts = [(text, fill) for text, fill in parts if text]
        font = fitting([text for text, _ in parts], gap, 0.9 * size[0], size[1])
        x = (size[0] - spread([text for text, _ in parts], gap, font)) / 2
        for text, fill in parts:
            draw.text((x, size[1] / 2), text, fill, font, "lm")
            x += font.getlength(text) + gap
        sheet = sheet.rotate(roll, Image.Resampling.BICUBIC, expand=True)
        corner = np.array(middle) * FINE - np.array(sheet.size) / 2
        self.image.paste(sheet, (round(corner[0]), round(corner[1])), sheet)

    def has_room(self, box):
        left, top, right, bottom = box
        return left >= 0 and top >= 0 and right <= WIDTH and bottom <= HEIGHT and not any(
            left < other[2] and other[0] < right and top < other[3] and other[1] < bottom for other in self.taken)

    def save(self, path):
        small = self.image.resize((WIDTH, HEIGHT), Image.Resampling.LANCZOS)
        small.quantize(200, Image.Quantize.MAXCOVERAGE, dither=Image.Dither.NONE).save(path, optimize=True)


def font_of(size):
    """That of the live page; Pillow's own, which all machines have, has no accents."""
    try:
        return ImageFont.truetype("DejaVuSans.ttf", size)
    except OSError:
        return ImageFont.load_default(size)


def spread(texts, gap, font):
    return sum(map(font.getlength, texts)) + gap * (len(texts) - 1)


def fitting(texts, gap, width, height):
    size = 0.56 * height
    while size > 6 and spread(texts, gap, font_of(size)) > width:
        size *= 0.94
    return font_of(size)


def ground(picture, eye):
    """The horizon, by far points on both sides of where the wearer looks, and what is below it."""
    ahead = eye.scene_from_body @ [0, 0, -1]
    azimuth = math.atan2(ahead[0], -ahead[2])
    ends = []
    for turn in (-1.2, 1.2):
        far = np.array([math.sin(azimuth + turn), 0, -math.cos(azimuth + turn)])
        ends.append(body_pixel(eye.scene_from_body.T @ far))
    left, right = ends
    down = np.array([0, 3 * HEIGHT])
    picture.polygon(np.array([left, right, right + down, left + down]), GROUND)
    picture.line([left, right], HORIZON, 2)


def mark(picture, placement, eye, moment):
    opacity, scale = marks.pulse(placement, moment)
    color = COLORS.get(placement["kind"], ANCHOR)
    if placement["kind"] == "node":
        middle = marks.place(placement, eye)
        turns = np.arange(16) * math.pi / 8
        points = [middle + NODE_SIZE / 2 * np.array([math.sin(turn), 0, math.cos(turn)]) for turn in turns]
        return picture.polygon(eye.polygon(points), color + (200,))
    middle = eye.pixel(marks.drawn_place(placement, eye))
    if middle is None or np.abs(middle).max() > 2 * WIDTH:
        return None
    radius = FOCAL * math.tan(math.radians(placement["size"]["angle"]) / 2) * scale
    picture.disc(middle, radius, color + (round(235 * opacity),), PAPER)
    sign = SIGNS.get(placement["kind"])
    if sign is not None:
        mirrored = [-1, 1] if placement.get("side") == "left" else [1, 1]
        fill = None if placement["kind"] == "cluster" else PAPER + (190,)
        picture.polygon(middle + radius * sign * mirrored, fill, PAPER + (190,), 2)


def place_label(picture, placement, eye):
    """Moved along the display so that it is whole; left out where a hint or another label is. Draws the line to the mark, and
    returns what draws the card."""
    found, at = labels.upright(placement, eye), eye.pixel(marks.drawn_place(placement, eye))
    if found is None or at is None or not (0 <= at[0] <= WIDTH and 0 <= at[1] <= HEIGHT):
        return None
    middle, width, height, roll = found
    middle = np.array([min(max(middle[0], width / 2 + 4), WIDTH - width / 2 - 4), middle[1]])
    box = (*(middle - [width / 2, height / 2]), *(middle + [width / 2, height / 2]))
    if not picture.has_room(box):
        return None
    picture.taken.append(box)
    color = COLORS.get(placement["kind"], ANCHOR)
    picture.line([middle + [0, height / 2], at], color + (150,))
    parts = [(labels.name(placement), TEXT), (labels.way(placement), color)]
    return lambda: picture.card(middle, width, height, parts, color + (255,), roll)


def hint(picture, placement):
    outline, box = hints.outline(placement["hint"]), hints.box(placement)
    picture.taken.append((*outline.min(axis=0), *outline.max(axis=0)))
    picture.polygon(outline, COLORS.get(placement["kind"], ANCHOR) + (235,), PAPER)
    if box is not None:
        picture.taken.append((*box[0], *box[2]))
        width, height = box[2] - box[0]
        text = font_of(0.56 * height).getlength(hints.text(placement))
        picture.card(box.mean(axis=0), min(width, text + 0.8 * height), height, [(hints.text(placement), TEXT)])


def draw(eye, scene, moment):
    """The far first, hints and labels over marks; the next turn and the nearest first where there is no room for all labels."""
    picture = Picture()
    ground(picture, eye)
    for placement in scene.in_order():
        if placement["kind"] == "arrow":
            picture.polygon(arrows.outline(placement, scene.motion, moment, eye), ARROW + (230,), PAPER)
        else:
            mark(picture, placement, eye, moment)
    for placement in hints.ranked(scene):
        hint(picture, placement)
    ranked = sorted(scene.in_order(), key=lambda each: (each["kind"] != "turn", each["distance"]))
    for card in [place_label(picture, placement, eye) for placement in ranked]:
        if card:
            card()
    return picture
