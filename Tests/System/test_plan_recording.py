"""Floor plans around the wearer, from the import to a replay."""
import json
import time

import pytest

from harness.command import waymark
from harness.recording import messages
from harness.waiting import wait_until

pytestmark = pytest.mark.library

LATITUDE, LONGITUDE = 47.3769, 8.5417
"""Where the simulated walk begins."""


def document(size):
    south, west = LATITUDE - size, LONGITUDE - size
    north, east = LATITUDE + size, LONGITUDE + size
    ring = [[west, south], [east, south], [east, north], [west, north], [west, south]]
    return {"type": "FeatureCollection", "features": [{
        "type": "Feature", "properties": {"kind": "floor", "level": "0"},
        "geometry": {"type": "Polygon", "coordinates": [ring]}}]}


def store(daemon, path, id, size):
    path.write_text(json.dumps(document(size)))
    result = waymark("plan", "import", "--id", id, path, socket=daemon.socket)
    assert result.returncode == 0, result


def in_use(content):
    return [message["plans"] for topic, _, message in content if topic == "/plans_in_use"]


def record(daemon, file):
    assert waymark("record", "--duration", 3, file, socket=daemon.socket).returncode == 0
    return messages(file)


def test_plans_around_the_wearer_are_recorded_and_followed_by_a_replay(walk, tmp_path):
    walk.wait_for_state("localized")
    store(walk, tmp_path / "a.geojson", "a", 1e-3)
    # A recording may begin before the plan is in use. The line of the walk's route is a plan too.
    used = ["@route 1", "a"]
    wait_until(lambda: used in in_use(record(walk, tmp_path / f"{time.monotonic()}.mcap")))
    file = tmp_path / "under_way.mcap"
    content = record(walk, file)
    topics = [topic for topic, _, _ in content]
    assert in_use(content) == [used]
    assert topics.index("/plan") < topics.index("/plans_in_use") < topics.index("/estimator_state")
    plan = next(message for topic, _, message in content if topic == "/plan" and message["id"] == "a")
    assert plan["id"] == "a" and plan["document"]["features"][0]["properties"]["kind"] == "floor"
    result = waymark("replay", file, timeout=120)
    assert result.returncode == 0 and "warning" not in result.stderr
    assert waymark("plan", "remove", "a", socket=walk.socket).returncode == 0
