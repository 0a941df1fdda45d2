"""What is drawn of the station, in metres east and north of its south-western corner."""
from dataclasses import dataclass

NAME = "Central Station"
WIDTH, DEPTH = 48, 24
LEVELS = ["0", "1"]


@dataclass(frozen=True)
class Part:
    """A feature on a level, or on several with `;` between them."""
    kind: str
    level: str
    geometry: str
    # Vertices: of an area those of its border and of each hole, of a line its own, of a point itself.
    lines: list
    # Of OpenStreetMap.
    tags: dict

    @property
    def levels(self):
        return self.level.split(";")


def rectangle(west, south, east, north):
    """Counter-clockwise."""
    return [(west, south), (east, south), (east, north), (west, north)]


def area(kind, level, tags, border, *holes):
    return Part(kind, level, "area", [border, *holes], tags)


def line(kind, level, tags, *points):
    return Part(kind, level, "line", [list(points)], tags)


def point(kind, level, tags, place):
    return Part(kind, level, "point", [[place]], tags)


def rooms(level, *corners):
    return [area("room", level, {"indoor": "room"}, rectangle(*room)) for room in corners]


def doors(level, *places):
    return [point("door", level, {"door": "yes"}, place) for place in places]


def drawn():
    return [
        # The hall with a pillar, and the corridor that begins there.
        area("floor", "0", {"indoor": "area"}, rectangle(0, 0, 24, 24)),
        area("wall", "0", {"indoor": "wall", "area": "yes"}, rectangle(14, 6, 16, 8)),
        area("floor", "0", {"indoor": "corridor"}, rectangle(24, 10, 48, 14)),
        *rooms("0", (24, 14, 30, 24), (30, 14, 36, 24), (36, 14, 42, 24), (42, 14, 48, 24), (24, 0, 34, 10), (34, 0, 48, 10)),
        # Up, the gallery around a void, and its corridor.
        area("floor", "1", {"indoor": "area"}, rectangle(0, 0, 24, 24), list(reversed(rectangle(8, 4, 20, 16)))),
        area("floor", "1", {"indoor": "corridor"}, rectangle(24, 10, 48, 14)),
        *rooms("1", (24, 14, 32, 24), (32, 14, 40, 24), (40, 14, 48, 24), (24, 0, 48, 10)),
        area("stairs", "0;1", {"indoor": "room", "stairs": "yes"}, rectangle(3, 18, 7, 24)),
        # The hall's walls, open to the corridor; those of rooms are their borders.
        *[line("wall", level, {"indoor": "wall"}, (24, 14), (24, 24), (0, 24), (0, 0), (24, 0), (24, 10)) for level in LEVELS],
        line("path", "0", {"highway": "footway"}, (-16, 8), (-6, 12), (0, 12)),
        point("door", "0", {"entrance": "main"}, (0, 12)),
        *doors("0", (27, 14), (33, 14), (39, 14), (45, 14), (29, 10), (41, 10)),
        *doors("1", (28, 14), (36, 14), (44, 14), (36, 10)),
        point("stairs", "0;1", {"highway": "elevator"}, (10, 22)),
    ]


def snapped(parts):
    """The parts as an editor that snaps leaves them: each border has a vertex where another one of its level has one."""
    places = {level: {place for part in parts if level in part.levels for ring in part.lines for place in ring}
              for level in LEVELS}
    return [part if part.geometry == "point" else with_vertices(part, set().union(*(places[level] for level in part.levels)))
            for part in parts]


def with_vertices(part, places):
    """The part with a vertex at each of the places that are on an edge."""
    def refined(line):
        ends = [*line[1:], line[0]] if part.geometry == "area" else line[1:]
        found = []
        for start, end in zip(line, ends):
            between = [place for place in places if is_between(place, start, end)]
            found += [start, *sorted(between, key=lambda place: abs(place[0] - start[0]) + abs(place[1] - start[1]))]
        return found if part.geometry == "area" else [*found, line[-1]]

    return Part(part.kind, part.level, part.geometry, [refined(line) for line in part.lines], part.tags)


def is_between(place, start, end):
    """Whether a place is on an edge from west to east or from south to north, and no end of it."""
    for along, across in ((0, 1), (1, 0)):
        if start[across] == end[across] == place[across]:
            return min(start[along], end[along]) < place[along] < max(start[along], end[along])
    return False


def parts():
    return snapped(drawn())
