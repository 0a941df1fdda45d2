"""Pages in Chromium as small PNG files."""
from PIL import Image

# Enough for text on one background and for the lines of plots.
COLOURS = 128


class Sheet:
    """Takes pictures of pages with one browser, and saves them to a folder."""

    def __init__(self, chromium, folder):
        self.chromium, self.folder = chromium, folder

    def show(self, page, width, height):
        """Opens a page in a window of this size."""
        self.chromium.size(width, height)
        self.chromium.open(page)

    def save(self, name, margin=0, *elements):
        """The part of the window with these elements, without any that with the body, and a margin around it."""
        left, top, width, height = self.box(*(elements or ["document.body"]))
        path = self.folder / name
        self.chromium.screenshot(path, (max(left - margin, 0), max(top - margin, 0), width + 2 * margin, height + 2 * margin))
        with Image.open(path) as image:
            image.convert("RGB").quantize(COLOURS, dither=Image.Dither.NONE).save(path, optimize=True)
        print(path)

    def box(self, *elements):
        """The smallest box around elements of the window: left, top, width and height."""
        boxes = [self.chromium.evaluate(
            f"(() => {{ const box = ({element}).getBoundingClientRect(); "
            "return [box.left, box.top, box.right, box.bottom]; })()") for element in elements]
        left, top = (min(box[side] for box in boxes) for side in (0, 1))
        right, bottom = (max(box[side] for box in boxes) for side in (2, 3))
        return left, top, right - left, bottom - top
