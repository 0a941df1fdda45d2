"""The station as documents: GeoJSON as QGIS exports and jq joins it, and OpenStreetMap's XML as JOSM saves it."""
import json
import math

from . import station

# The south-western corner, near the start of the simulated walk. Unit: degrees.
LATITUDE, LONGITUDE = 47.3783, 8.5395
# Of WGS84. Unit: metres.
SEMI_MAJOR_AXIS, SQUARED_ECCENTRICITY = 6378137, 0.00669437999014
GEOMETRIES = {"area": "Polygon", "line": "LineString", "point": "Point"}


def position(place):
    """Longitude and latitude with a centimetre's digits. Unit: degrees."""
    latitude = math.radians(LATITUDE)
    shrink = 1 - SQUARED_ECCENTRICITY * math.sin(latitude) ** 2
    east = SEMI_MAJOR_AXIS / math.sqrt(shrink) * math.cos(latitude)
    north = SEMI_MAJOR_AXIS * (1 - SQUARED_ECCENTRICITY) / shrink ** 1.5
    return [round(LONGITUDE + math.degrees(place[0] / east), 7), round(LATITUDE + math.degrees(place[1] / north), 7)]


def geojson():
    """One feature a line: first the layer of areas, then those of lines and of points."""
    features = [json.dumps(feature(part)) for form in GEOMETRIES for part in station.parts() if part.geometry == form]
    return f'{{"type": "FeatureCollection", "name": "{station.NAME}", "features": [\n' + ",\n".join(features) + "\n]}\n"


def feature(part):
    lines = [[position(place) for place in line] for line in part.lines]
    match part.geometry:
        case "area": coordinates = [[*line, line[0]] for line in lines]
        case "line": coordinates = lines[0]
        case _: coordinates = lines[0][0]
    return {
        "type": "Feature", "properties": {"kind": part.kind, "level": part.level},
        "geometry": {"type": GEOMETRIES[part.geometry], "coordinates": coordinates}}


def osm():
    """Elements have the negative numbers of what is in no database."""
    writer = Elements()
    for part in station.parts():
        writer.add(part)
    return "\n".join([
        '<?xml version="1.0" encoding="UTF-8"?>', '<osm version="0.6" upload="never">',
        *writer.nodes(), *writer.ways, *writer.relations, "</osm>", ""])


class Elements:
    """Elements of OpenStreetMap. Parts of the same levels share their nodes."""

    def __init__(self):
        self.tags_of_nodes, self.ways, self.relations, self.count = {}, [], [], 0

    def number(self):
        self.count += 1
        return -self.count

    def node(self, place, level, tags=None):
        """Number of the node there, which has these tags besides its others."""
        self.tags_of_nodes.setdefault((place, level), {}).update(tags or {})
        return -1001 - list(self.tags_of_nodes).index((place, level))

    def nodes(self):
        for (place, level), tags in self.tags_of_nodes.items():
            longitude, latitude = position(place)
            yield element(f'node id="{self.node(place, level)}" lat="{latitude:.7f}" lon="{longitude:.7f}"', tagged(tags))

    def way(self, line, part, tags):
        id = self.number()
        places = [*line, line[0]] if part.geometry == "area" else line
        self.ways.append(element(f'way id="{id}"', [
            *(f'<nd ref="{self.node(place, part.level)}"/>' for place in places), *tagged(tags)]))
        return id

    def add(self, part):
        tags = {**part.tags, "level": part.level}
        if part.geometry == "point":
            self.node(part.lines[0][0], part.level, tags)
        elif len(part.lines) == 1:
            self.way(part.lines[0], part, tags)
        else:
            outer, *inners = [self.way(line, part, {}) for line in part.lines]
            members = [f'<member type="way" ref="{way}" role="{"outer" if way == outer else "inner"}"/>'
                       for way in (outer, *inners)]
            self.relations.append(element(
                f'relation id="{self.number()}"', [*members, *tagged({"type": "multipolygon", **tags})]))


def tagged(tags):
    return [f'<tag k="{key}" v="{value}"/>' for key, value in tags.items()]


def element(head, inside):
    name = head.split()[0]
    return "  <" + head + ("/>" if not inside else ">" + "".join(inside) + f"</{name}>")
