"""A walk through a street as its user sees it: the real daemon, everything by commands."""
import json
import re

import pytest

from harness.command import waymark
from harness.waiting import wait_until

# Where the built-in walk begins; a degree of longitude is that much shorter there.
LATITUDE, LONGITUDE = 47.3769, 8.5417
METRE = 1 / 111_200
KINDS = ["cafe", "museum", "pharmacy", "bench"]


def position(east, north):
    return [LONGITUDE + east * METRE / 0.6771, LATITUDE + north * METRE]


def street():
    """Places at 25, 50 … 750 m, all around."""
    turns = [(0, 1), (1, 0), (0, -1), (-1, 0)]
    features = []
    for index in range(30):
        distance, (east, north) = 25 * (index + 1), turns[index % 4]
        features.append({
            "type": "Feature", "id": f"street/{index:02}",
            "geometry": {"type": "Point", "coordinates": position(east * distance, north * distance)},
            "properties": {"name": f"Street {index:02}", "kind": KINDS[index % 4]}})
    return {"type": "FeatureCollection", "features": features}


@pytest.fixture(scope="module")
def walk(walk, tmp_path_factory):
    """The same once it is localized, with the street's places and a route of our own."""
    folder = tmp_path_factory.mktemp("walk")
    (folder / "street.geojson").write_text(json.dumps(street()))
    (folder / "route.geojson").write_text(json.dumps({
        "type": "Feature", "properties": {"name": "To the lake"},
        "geometry": {"type": "LineString", "coordinates": [position(0, 0), position(0, 200), position(150, 200)]}}))
    walk.wait_for_state("localized")
    walk.run = lambda *arguments: waymark(*arguments, socket=walk.socket)
    walk.folder_of_documents = folder
    done = walk.run("places", "import", folder / "street.geojson")
    assert done.returncode == 0, done.stderr
    done = walk.run("route", "set", folder / "route.geojson")
    assert done.returncode == 0, done.stderr
    return walk


def output(done):
    assert done.returncode == 0, done.stderr
    return done.stdout


def scene(walk):
    return json.loads(output(walk.run("scene", "--json")))["scene"]


def placed(walk):
    """Once the frame is ready and places have come."""
    return wait_until(
        lambda: (found := scene(walk))["readiness"] == "ready" and any(
            each["kind"] in ("place", "cluster") for each in found["changed"]) and found,
        60, lambda: f"places in a scene that is ready; it is {scene(walk)}")


def test_the_scene_has_the_route_and_the_places_around(walk):
    found = placed(walk)
    kinds = {each["kind"] for each in found["changed"]}
    assert {"arrow", "node", "destination"} <= kinds, kinds
    assert found["route"]["name"] == "To the lake"
    for each in found["changed"]:
        assert each["distance"] >= 0 and -180 <= each["yaw"] <= 180
    orders = [each["order"] for each in found["changed"]]
    assert len(set(orders)) == len(orders), "no two are at the same place in the order"
    table = output(walk.run("scene"))
    assert "Street" in table or "cluster" in table, table


def test_what_is_near_is_told_nearest_first(walk):
    near = json.loads(output(walk.run("places", "near", "--json")))["places"]
    distances = [each["distance"] for each in near]
    assert distances == sorted(distances) and distances[0] < 60
    assert any(each["name"].startswith("Street") for each in near)
    assert "Street" in output(walk.run("places", "near"))


def test_places_are_found_by_the_beginning_of_their_name_and_kept_as_favourites(walk):
    found = json.loads(output(walk.run("places", "search", "street 0", "--json")))["places"]
    assert len(found) == 10
    output(walk.run("places", "favorite", found[0]["id"]))
    again = json.loads(output(walk.run("places", "search", found[0]["name"], "--json")))["places"]
    assert again[0]["favorite"] is True


def test_the_route_is_told_with_what_remains(walk):
    shown = json.loads(output(walk.run("route", "show", "--json")))
    assert shown["route"]["name"] == "To the lake"
    assert shown["route"]["length"] == pytest.approx(350, abs=2)
    assert len(shown["vertices"]) == 3
    assert "To the lake" in output(walk.run("route", "show"))


def test_a_document_that_is_no_route_leaves_the_route_as_it_is(walk):
    broken = walk.folder_of_documents / "broken.json"
    broken.write_text('{"type": "Feature", "geometry": {"type": "LineString", "coordinates": [[8.5, "x"]]}}')
    done = walk.run("route", "set", broken)
    assert done.returncode == 1 and "coordinates" in done.stderr, done.stderr
    assert "To the lake" in output(walk.run("route", "show"))


def test_the_position_is_shared_as_a_uri_with_its_accuracy(walk):
    match = re.match(r"geo:(-?[\d.]+),(-?[\d.]+)(?:,-?[\d.]+)?.*;u=[\d.]+", output(walk.run("share")))
    assert match
    assert float(match.group(1)) == pytest.approx(LATITUDE, abs=0.02)
    assert float(match.group(2)) == pytest.approx(LONGITUDE, abs=0.03)


def seen_corrections(walk):
    """Those that move content by what can be seen: a smaller one has no cause that is worth its name."""
    corrections = json.loads(output(walk.run("explain", "--json")))["corrections"]
    return [each for each in corrections if abs(each["turn"]) > 0.1 or each["shift"] > 0.05]


def test_corrections_are_explained(walk):
    wait_until(lambda: seen_corrections(walk), 30, "a correction that can be seen")
    assert all(each["causes"] for each in seen_corrections(walk))
    assert len(output(walk.run("explain")).splitlines()) > 1


def farthest(walk):
    """Of the places that are shown, single or in a cluster. Metres."""
    return max((each["distance"] for each in scene(walk)["changed"] if each["kind"] == "place"), default=0)


def test_another_radius_holds_at_once_and_one_that_fits_nothing_is_named(walk):
    placed(walk)
    wait_until(lambda: farthest(walk) > 300, 30, lambda: f"places beyond 300 m; the farthest is at {farthest(walk)} m")
    walk.configure({"places": {"radius_m": 200}})
    walk.reload()
    # A tenth more by hysteresis.
    wait_until(lambda: 0 < farthest(walk) <= 221, 30, lambda: f"none beyond 220 m; the farthest is at {farthest(walk)} m")
    walk.configure({"places": {"radius_m": 2000}})
    walk.reload()
    assert "most_radius_m, which is 1000" in walk.said("places.radius_m: must not be greater than")
    walk.configure({"places": {"radius_m": 500}})
    walk.reload()
    wait_until(lambda: farthest(walk) > 300, 30, lambda: f"places beyond 300 m; the farthest is at {farthest(walk)} m")
