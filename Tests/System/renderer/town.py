"""A dense town around the built-in walk: the same places each time, in blocks as streets have them."""
import math
import random

import numpy as np

from .truth import east_north_up

BEGIN = {"latitude": 47.3769, "longitude": 8.5417}
METRE = 1 / 111_200
KINDS = ["cafe", "shop", "museum", "pharmacy", "bench"]
NAMES = ["Café", "Shop", "Museum", "Pharmacy", "Bench"]
# Of the blocks, without digits, which would be read as a part of the distance.
BLOCKS = ("Abbey Alder Ash Beech Birch Bridge Castle Cedar Elm Fern Forge Grove Hazel Hill Holly Iris Ivy Lake Lime Maple Mill Oak "
          "Park Pine Rose Tower Vale").split()


def feature(index, east, north, origin=BEGIN):
    kind = index % len(KINDS)
    longitude = origin["longitude"] + east * METRE / math.cos(math.radians(origin["latitude"]))
    return {
        "type": "Feature", "id": f"town/{index:03}",
        "properties": {"name": f"{BLOCKS[index // len(KINDS) % len(BLOCKS)]} {NAMES[kind]}", "kind": KINDS[kind]},
        "geometry": {"type": "Point", "coordinates": [longitude, origin["latitude"] + north * METRE]}}


def town(seed=7, origin=BEGIN):
    """Places all around, a few degrees apart and near and far in turn, and others by lot, which lie closer together."""
    chance = random.Random(seed)
    spots = [((22, 80, 150, 45, 110, 190)[index % 6], math.radians(5 * index)) for index in range(72)]
    spots += [(220 * chance.random(), 2 * math.pi * chance.random()) for _ in range(60)]
    features = [
        feature(index, distance * math.sin(bearing), distance * math.cos(bearing), origin)
        for index, (distance, bearing) in enumerate(spots)]
    return {"type": "FeatureCollection", "features": features}


def posts(route, every=5, aside=3):
    """Anchors on both sides of the first two legs of a route: something is about 10 m ahead all the time."""
    found = []
    for a, b in zip(route[:2], route[1:3]):
        way = east_north_up({**b, "height": 0}, {**a, "height": 0})[:2]
        length = math.hypot(*way)
        for step in range(int(length // every)):
            side = aside if step % 2 else -aside
            east, north = way * (step * every / length) + side / length * np.array([way[1], -way[0]])
            place = feature(0, east, north, a)["geometry"]["coordinates"]
            found.append({"id": f"post-{len(found)}", "geo": {"longitude": place[0], "latitude": place[1]},
                          "lifetime": "daemon", "heightKind": "eye"})
    return found
