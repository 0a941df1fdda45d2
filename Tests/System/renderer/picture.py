"""What the display shows at one moment, as a picture."""
import math
import unicodedata

import numpy as np
from PIL import Image, ImageDraw, ImageFont

from . import arrows, hints, labels, marks
from .camera import HEIGHT, WIDTH, body_pixel, on_display

# Drawn so much larger, then made small, for smooth edges.
FINE = 2
SKY, GROUND, HORIZON = (38, 52, 71), (48, 50, 46), (92, 104, 118)
ARROW, NODE, TURN, DESTINATION, PLACE, CLUSTER, ANCHOR = (
    (86, 196, 255), (86, 196, 255), (255, 190, 80), (255, 98, 98), (150, 226, 150), (196, 170, 255), (255, 255, 255))
COLORS = {"node": NODE, "start": NODE, "turn": TURN, "route": TURN, "destination": DESTINATION, "place": PLACE,
          "cluster": CLUSTER, "anchor": ANCHOR}
TEXT, PAPER = (245, 247, 250), (16, 22, 30)
# A node lies on the ground. Metres across.
NODE_SIZE = 0.5


class Picture:
    def __init__(self):
        self.image = Image.new("RGB", (WIDTH * FINE, HEIGHT * FINE), SKY)
        self.draw = ImageDraw.Draw(self.image, "RGBA")

    def polygon(self, pixels, fill, outline=None, width=1):
        if pixels is not None and np.abs(pixels).max() < 20 * WIDTH:
            self.draw.polygon([tuple(pixel * FINE) for pixel in pixels], fill, outline, width * FINE)

    def line(self, pixels, fill, width=1):
        self.draw.line([tuple(pixel * FINE) for pixel in pixels], fill, width * FINE)

    def text(self, middle, text, width, height, roll=0.0, fill=TEXT):
        """As large as fits into a box, turned counter-clockwise by degrees."""
        text = plain(text)
        font = fitting(text, width * FINE, height * FINE)
        left, top, right, bottom = (round(edge) for edge in font.getbbox(text))
        sheet = Image.new("RGBA", (right - left + 4, bottom - top + 4))
        ImageDraw.Draw(sheet).text((2 - left, 2 - top), text, fill, font)
        sheet = sheet.rotate(roll, Image.Resampling.BICUBIC, expand=True)
        corner = np.array(middle) * FINE - np.array(sheet.size) / 2
        self.image.paste(sheet, (round(corner[0]), round(corner[1])), sheet)

    def save(self, path):
        small = self.image.resize((WIDTH, HEIGHT), Image.Resampling.LANCZOS)
        small.quantize(96, dither=Image.Dither.NONE).save(path, optimize=True)


def plain(text):
    """Pillow's own font, which all machines have, has no accents."""
    return "".join(letter for letter in unicodedata.normalize("NFKD", text) if not unicodedata.combining(letter))


def fitting(text, width, height):
    size = height * 0.8
    while size > 6 and ImageFont.load_default(size).getlength(text) > width * 0.94:
        size *= 0.94
    return ImageFont.load_default(size)


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
    picture.line([left, right], HORIZON)


def mark(picture, placement, eye, moment):
    opacity, scale = marks.pulse(placement, moment)
    color = COLORS.get(placement["kind"], ANCHOR)
    if placement["kind"] == "node":
        middle = marks.place(placement, eye)
        turns = np.arange(16) * math.pi / 8
        points = [middle + NODE_SIZE / 2 * np.array([math.sin(turn), 0, math.cos(turn)]) for turn in turns]
        return picture.polygon(eye.polygon(points), color + (200,))
    return picture.polygon(marks.disc(placement, eye, scale), color + (round(230 * opacity),), PAPER)


def label(picture, placement, eye, roll):
    box = labels.box(placement, eye)
    if box is None or not on_display(box):
        return
    at, middle = eye.pixel(marks.drawn_place(placement, eye)), box.mean(axis=0)
    picture.line([(box[2] + box[3]) / 2, at], COLORS.get(placement["kind"], ANCHOR) + (120,))
    picture.polygon(box, PAPER + (215,), COLORS.get(placement["kind"], ANCHOR) + (255,))
    picture.text(middle, labels.text(placement), np.linalg.norm(box[1] - box[0]), np.linalg.norm(box[3] - box[0]), roll)


def hint(picture, placement):
    picture.polygon(hints.outline(placement["hint"]), COLORS.get(placement["kind"], ANCHOR) + (235,), PAPER)
    box = hints.box(placement)
    if box is not None:
        picture.polygon(box, PAPER + (150,))
        picture.text(box.mean(axis=0), hints.text(placement), *(box[2] - box[0]))


def draw(eye, scene, moment):
    """The far first, labels over marks, hints over all."""
    picture = Picture()
    ground(picture, eye)
    for placement in scene.in_order():
        if placement["kind"] == "arrow":
            picture.polygon(arrows.outline(placement, scene.motion, moment, eye), ARROW + (230,), PAPER)
        else:
            mark(picture, placement, eye, moment)
    for placement in scene.in_order():
        label(picture, placement, eye, scene.message["labelRoll"])
    for placement in hints.ranked(scene):
        hint(picture, placement)
    return picture
