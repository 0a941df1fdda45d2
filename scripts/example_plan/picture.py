"""The station as a picture of both of its levels."""
from . import station

# Units: pixels, and pixels of a metre.
MARGIN, SCALE, TITLE = 16, 9, 26
# West of the building, for the path to it. Unit: metres.
WEST = 17
FILLS = {"floor": "#f4e9c8", "room": "#cfd8e3", "wall": "#333333", "stairs": "#e0b48c"}
LINES = {"wall": ("#333333", 4), "path": ("#7a9a4a", 3), "room": ("#6b7a8c", 2), "floor": ("#b8a878", 1), "stairs": ("#8a5a2c", 1)}
ORDER = ["floor", "stairs", "room", "wall", "path", "door"]
DOOR = "#2e9e5b"
LEGEND = [("floor", "floor"), ("room", "room"), ("wall", "wall"), ("stairs", "stairs, lift"), ("door", "door"), ("path", "path")]


def svg():
    width = 2 * MARGIN + SCALE * (WEST + station.WIDTH)
    panel = TITLE + SCALE * station.DEPTH + MARGIN
    height = MARGIN + panel * len(station.LEVELS) + 2 * TITLE
    lines = [f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" viewBox="0 0 {width} {height}"'
             ' font-family="sans-serif" font-size="14">', f'<rect width="{width}" height="{height}" fill="#ffffff"/>']
    # The upper level above the lower one.
    for row, level in enumerate(reversed(station.LEVELS)):
        top = MARGIN + row * panel
        lines.append(f'<text x="{MARGIN}" y="{top + 16}">level {level}</text>')
        lines += drawing(level, top + TITLE)
    lines += legend(MARGIN + panel * len(station.LEVELS) + TITLE)
    return "\n".join([*lines, "</svg>", ""])


def drawing(level, top):
    def pixel(place):
        return MARGIN + SCALE * (WEST + place[0]), top + SCALE * (station.DEPTH - place[1])

    parts = [part for part in station.drawn() if level in part.levels]
    for part in sorted(parts, key=lambda part: ORDER.index(part.kind)):
        shapes = [" L".join("{:g} {:g}".format(*pixel(place)) for place in line) for line in part.lines]
        if part.geometry == "area":
            stroke, wide = LINES[part.kind]
            yield (f'<path d="{" ".join(f"M{shape} Z" for shape in shapes)}" fill="{FILLS[part.kind]}" fill-rule="evenodd"'
                   f' stroke="{stroke}" stroke-width="{wide}"/>')
        elif part.geometry == "line":
            stroke, wide = LINES[part.kind]
            yield f'<path d="M{shapes[0]}" fill="none" stroke="{stroke}" stroke-width="{wide}"/>'
        else:
            yield dot(part.kind, *pixel(part.lines[0][0]))


def dot(kind, x, y):
    if kind == "stairs":
        return f'<rect x="{x - 6:g}" y="{y - 6:g}" width="12" height="12" fill="{FILLS[kind]}" stroke="{LINES[kind][0]}"/>'
    return f'<circle cx="{x:g}" cy="{y:g}" r="5" fill="{DOOR}" stroke="#ffffff"/>'


def legend(y):
    x = MARGIN
    for kind, text in LEGEND:
        if kind == "door":
            yield dot(kind, x + 6, y)
        elif kind == "path":
            yield f'<path d="M{x} {y} h12" stroke="{LINES[kind][0]}" stroke-width="{LINES[kind][1]}"/>'
        else:
            yield f'<rect x="{x}" y="{y - 6}" width="12" height="12" fill="{FILLS[kind]}" stroke="{LINES[kind][0]}"/>'
        yield f'<text x="{x + 18}" y="{y + 5}">{text}</text>'
        x += 30 + 7 * len(text)
    length = 10 * SCALE
    yield f'<path d="M{x + 20} {y - 4} v4 h{length} v-4" fill="none" stroke="#333333"/>'
    yield f'<text x="{x + 28 + length}" y="{y + 5}">10 m</text>'
