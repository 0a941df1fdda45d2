"""Places along the streets of the simulated walk, and a stand-in of OSRM that leads to any of them."""
import math

from .routing import response

# Where the simulated walk begins, and the bearing of its first street.
ORIGIN, STREET_BEARING = (47.3769, 8.5417), 0.4
METRES = 111_195.0


def at(right, ahead):
    """Latitude and longitude of a place in metres along the streets of the simulated walk."""
    sine, cosine = math.sin(STREET_BEARING), math.cos(STREET_BEARING)
    east, north = right * cosine + ahead * sine, ahead * cosine - right * sine
    return ORIGIN[0] + north / METRES, ORIGIN[1] + east / METRES / math.cos(math.radians(ORIGIN[0]))


def streets_of(latitude, longitude):
    """The inverse of `at`: metres to the right and ahead."""
    north = (latitude - ORIGIN[0]) * METRES
    east = (longitude - ORIGIN[1]) * METRES * math.cos(math.radians(ORIGIN[0]))
    sine, cosine = math.sin(STREET_BEARING), math.cos(STREET_BEARING)
    return east * cosine - north * sine, east * sine + north * cosine


def distance(one, other):
    north = (one[0] - other[0]) * METRES
    return math.hypot(north, (one[1] - other[1]) * METRES * math.cos(math.radians(one[0])))


def named(point):
    return f"{point[0]:.7f},{point[1]:.7f}"


def osrm_document(start, end):
    """What OSRM answers for a way with one corner, in the form of its documentation."""
    corner = (end[0], start[1])

    def step(line, kind, **maneuver):
        coordinates = [[longitude, latitude] for latitude, longitude in line]
        return {
            "geometry": {"type": "LineString", "coordinates": coordinates}, "name": "Elm Street", "mode": "walking",
            "driving_side": "right", "duration": 80.0, "distance": 100.0, "weight": 80.0,
            "intersections": [{"out": 0, "entry": [True], "bearings": [0], "location": coordinates[0]}],
            "maneuver": {"location": coordinates[0], "type": kind, "bearing_before": 0, "bearing_after": 0, **maneuver}}

    steps = [
        step([start, corner], "depart"), step([corner, end], "turn", modifier="right", bearing_after=90),
        step([end, end], "arrive")]
    return {
        "code": "Ok", "waypoints": [{"location": [start[1], start[0]], "name": "Elm Street", "hint": "x"},
                                    {"location": [end[1], end[0]], "name": "Elm Street", "hint": "y"}],
        "routes": [{"distance": 200.0, "duration": 160.0, "weight": 160.0, "weight_name": "duration",
                    "geometry": {"type": "LineString", "coordinates": [
                        [longitude, latitude] for latitude, longitude in (start, corner, end)]},
                    "legs": [{"distance": 200.0, "duration": 160.0, "summary": "", "weight": 160.0, "steps": steps}]}]}


def asked_places(request):
    """Start and end of a request in OSRM's form, latitude first."""
    pairs = request.line.split()[1].split("/")[-1].split("?")[0].split(";")
    return [tuple(map(float, reversed(pair.split(",")))) for pair in pairs]


def osrm_service(connection, request):
    connection.sendall(response(osrm_document(*asked_places(request))))
