"""Measurements that other programs offer, to a running daemon: what is taken, what is refused by name, and who may offer."""
import json
import math
import re
import subprocess
import sys
import time

import pytest
from waymark_interface import (
    AID_ALREADY_OPEN, AID_CLOSE, AID_INVALID_ROTATION, AID_KIND_NOT_DECLARED, AID_LIST, AID_OFFER_HEADING,
    AID_OFFER_HEIGHT, AID_OFFER_ODOMETRY, AID_OFFER_POSITION, AID_OFFER_RANGE, AID_OFFER_SIGHTING, AID_OPEN,
    AID_OUT_OF_ORDER, AID_OUT_OF_RANGE, AID_SOURCE_NOT_OPEN, AID_TIME_IN_FUTURE, AID_TOO_MANY_OFFERS, AID_TOO_OLD,
    SERVICE_INVALID_PARAMETER, SERVICE_PERMISSION_DENIED)

from harness.account import IS_ROOT, as_account, needs_root
from harness.client_programs import python_environment
from harness.command import waymark
from harness.daemon import SIMULATION, Daemon
from harness.default_rights import USER, numbers, on_default_rights, with_groups
from harness.paths import ROOT
from harness.varlink import CallFailed

KINDS = ["odometry", "position", "sighting", "range", "heading", "height"]
POINT = {"latitude": 47.37, "longitude": 8.54, "height": 450.0}


@pytest.fixture(scope="module")
def board():
    """A daemon whose rights are those of the default settings, where a test can have the groups for it."""
    made = on_default_rights(Daemon(SIMULATION)) if IS_ROOT else Daemon(SIMULATION)
    yield made.start(prefix=with_groups(made.folder) if IS_ROOT else ())
    made.remove()


@pytest.fixture
def client(board):
    with board.connect() as connection:
        yield connection


def stamp(seconds=0.0):
    now = time.clock_gettime_ns(time.CLOCK_BOOTTIME) + int(seconds * 1e9)
    return {"sec": now // 10**9, "nsec": now % 10**9}


def odometry(source="camera", late=0.0, **changes):
    return {
        "source": source, "time": stamp(-late), "position": {"x": 0, "y": 0, "z": 0},
        "orientation": {"x": 0, "y": 0, "z": 0, "w": 1}, **changes}


def listed(board, source="camera"):
    return next((found for found in board.call(AID_LIST)["sources"] if found["source"] == source), None)


def test_a_camera_offers_its_odometry_at_60_hz_without_replies(board, client):
    limits = client.call(AID_OPEN, {
        "source": "camera", "kinds": ["odometry"], "latency": 0.01, "bodyFromSensor": {
            "rotation": {"x": 1, "y": 0, "z": 0, "w": 0}, "leverArm": {"x": 0.06, "y": 0, "z": -0.02}}})
    assert limits == {"offersPerSecond": 250, "maximumAge": 2.5}
    for number in range(60):
        client.send_call(AID_OFFER_ODOMETRY, odometry(late=0.02, position={"x": 0, "y": 0, "z": -number / 60}), oneway=True)
        time.sleep(1 / 60)
    client.send_call(AID_OFFER_ODOMETRY, odometry(late=60), oneway=True)
    # Calls of one connection are handled in their order, and no reply came before this one.
    [found] = client.call(AID_LIST)["sources"]
    assert (found["source"], found["kinds"], found["accepted"]) == ("camera", ["odometry"], 60)
    assert found["refused"] == [{"error": AID_TOO_OLD, "number": 1}]
    assert found["rate"] > 0 and found["age"] >= 0.03
    assert listed(board) is not None


def test_a_source_ends_with_its_connection(board):
    with board.connect() as connection:
        connection.call(AID_OPEN, {"source": "short", "kinds": ["height"]})
        assert listed(board, "short")["kinds"] == ["height"]
        with board.connect() as other:
            assert other.error(AID_OPEN, {"source": "short", "kinds": ["height"]}) == AID_ALREADY_OPEN
            assert other.error(AID_CLOSE, {"source": "short"}) == AID_SOURCE_NOT_OPEN
    board.wait_until(lambda: listed(board, "short") is None)


def test_every_kind_is_taken(board, client):
    client.call(AID_OPEN, {"source": "all", "kinds": KINDS})
    offers = [
        (AID_OFFER_ODOMETRY, {"position": {"x": 0, "y": 0, "z": 0}, "orientation": {"x": 0, "y": 0, "z": 0, "w": 1}}),
        (AID_OFFER_POSITION, {"position": POINT, "horizontalAccuracy": 1, "verticalAccuracy": 2}),
        (AID_OFFER_SIGHTING, {"direction": {"x": 0, "y": 0, "z": -1}, "point": POINT, "accuracy": 2}),
        (AID_OFFER_SIGHTING, {"direction": {"x": 0, "y": 0, "z": -1}, "sun": True, "accuracy": 2}),
        (AID_OFFER_RANGE, {"beacon": POINT, "range": 12.5, "accuracy": 0.2}),
        (AID_OFFER_HEADING, {"heading": 45, "accuracy": 1}),
        (AID_OFFER_HEIGHT, {"height": 450, "accuracy": 1}),
    ]
    for method, parameters in offers:
        assert client.call(method, {"source": "all", "time": stamp(), **parameters}) == {}
    assert listed(board, "all")["accepted"] == len(offers)
    assert client.call(AID_CLOSE, {"source": "all"}) == {}
    assert listed(board, "all") is None


def test_what_is_wrong_has_a_name(board, client):
    assert client.error(AID_OPEN, {"source": "No name", "kinds": KINDS}) == SERVICE_INVALID_PARAMETER
    assert client.error(AID_OPEN, {"source": "none", "kinds": []}) == SERVICE_INVALID_PARAMETER
    assert client.error(AID_OPEN, {"source": "none", "kinds": ["smell"]}) == SERVICE_INVALID_PARAMETER
    assert client.error(AID_OPEN, {"source": "none", "kinds": KINDS, "latency": 2}) == AID_OUT_OF_RANGE
    assert client.error(AID_OFFER_ODOMETRY, odometry("wrong")) == AID_SOURCE_NOT_OPEN
    client.call(AID_OPEN, {"source": "wrong", "kinds": ["odometry"]})
    height = {"source": "wrong", "time": stamp(), "height": 450, "accuracy": 1}
    assert client.error(AID_OFFER_HEIGHT, height) == AID_KIND_NOT_DECLARED
    assert client.error(AID_OFFER_ODOMETRY, odometry("wrong", late=-10)) == AID_TIME_IN_FUTURE
    assert client.error(AID_OFFER_ODOMETRY, odometry("wrong", late=10)) == AID_TOO_OLD
    first = odometry("wrong")
    assert client.call(AID_OFFER_ODOMETRY, first) == {}
    assert client.error(AID_OFFER_ODOMETRY, first) == AID_OUT_OF_ORDER
    skewed = {"x": 0, "y": 0, "z": 0, "w": 1.02}
    assert client.error(AID_OFFER_ODOMETRY, odometry("wrong", orientation=skewed)) == AID_INVALID_ROTATION
    with pytest.raises(CallFailed) as raised:
        client.call(AID_OFFER_ODOMETRY, odometry("wrong", tracking=7))
    assert (raised.value.name, raised.value.parameters) == (AID_OUT_OF_RANGE, {"field": "tracking"})
    assert client.error(AID_OFFER_ODOMETRY, odometry("wrong", position={"x": 1e300, "y": 0, "z": 0})) == AID_OUT_OF_RANGE
    assert [each["error"] for each in listed(board, "wrong")["refused"]] == [
        AID_OUT_OF_RANGE, AID_INVALID_ROTATION, AID_OUT_OF_ORDER, AID_TOO_OLD, AID_TIME_IN_FUTURE, AID_KIND_NOT_DECLARED]


def test_more_than_a_source_may_offer_is_dropped_and_counted(client):
    client.call(AID_OPEN, {"source": "flood", "kinds": ["height"]})
    for _ in range(2000):
        client.send_call(
            AID_OFFER_HEIGHT, {"source": "flood", "time": stamp(), "height": 450, "accuracy": 1}, oneway=True)
    [found] = [each for each in client.call(AID_LIST)["sources"] if each["source"] == "flood"]
    [(error, number)] = [each.values() for each in found["refused"]]
    assert error == AID_TOO_MANY_OFFERS and number + found["accepted"] == 2000 and found["accepted"] >= 250


def command(board, *arguments, text=""):
    return waymark(*arguments, socket=board.socket, input=text)


def test_the_estimator_names_a_source_that_lies(board, client):
    board.wait_for_state("localized")
    client.call(AID_OPEN, {"source": "liar", "kinds": ["position"]})

    def offer():
        # 111 km away from where the wearer is.
        client.call(AID_OFFER_POSITION, {
            "source": "liar", "time": stamp(), "horizontalAccuracy": 1,
            "position": {"latitude": POINT["latitude"] + 1, "longitude": POINT["longitude"]}})
        [trust] = listed(board, "liar")["trust"]
        return trust["state"] == "refused" and trust

    trust = board.wait_until(offer)
    assert trust["kind"] == "position" and trust["cause"] == "contradictsEstimate"
    assert trust["accuracy"] == 1 and trust["applied"] == 0 and trust["refused"] >= 3 and "accuracyScale" not in trust
    board.said("position of source liar refused (contradictsEstimate)")
    assert {"source": "liar", "kind": "position", "cause": "contradictsEstimate"} in board.status()["refusedAids"]
    for name in ("status", "explain"):
        assert "position of liar refused: contradicts the other measurements\n" in command(board, name).stdout
    assert re.search(r"^liar +position .* 1\.0 m +- +100 % +refused  contradicts", command(board, "aids").stdout, re.MULTILINE)
    assert "liar" in [source["source"] for source in json.loads(command(board, "aids", "--json").stdout)["sources"]]


def test_a_table_is_offered_row_by_row(board):
    rows = "t_s,alt_m,sd_m\n,450,5\n,high,5\n1,450,5\n,450\n\n,451,0\n,450,5"
    done = command(board, "aid", "--csv", "-", "--source", "table", text=rows)
    assert done.returncode == 1 and done.stdout.splitlines()[0] == "2 rows offered, 4 skipped", done
    reasons = [line.removeprefix("waymark aid: line ") for line in done.stderr.splitlines()]
    assert reasons[0] == "3: alt_m is no number: 'high'" and re.match(r"4: the measurement is .* s old", reasons[1])
    assert reasons[2:] == ["5: 2 cells where the header has 3", "7: the value of accuracy is out of range"]
    board.wait_until(lambda: listed(board, "table") is None)
    done = command(board, "aid", "--csv", "-", text="alt_m,sd_m\n450,5\n")
    assert (done.returncode, done.stdout.splitlines()[0]) == (0, "1 row offered, 0 skipped"), done
    done = command(board, "aid", "--csv", "-", "--rebase", text="t_s,alt_m,sd_m\n5,450,5\n5.3,450,5\n")
    assert (done.returncode, done.stderr, done.stdout.splitlines()[0]) == (0, "", "2 rows offered, 0 skipped")


def test_the_wearer_shows_where_north_is(board):
    board.wait_for_state("localized")
    pose = json.loads(command(board, "pose").stdout)
    heading, latitude = math.radians(pose["heading"]), pose["geo"]["latitude"]
    # A kilometre ahead: a head that turns meanwhile is within the accuracy.
    north, east = 1000 * math.cos(heading), 1000 * math.sin(heading)
    place = f"{latitude + north / 111320},{pose['geo']['longitude'] + east / 111320 / math.cos(math.radians(latitude))}"
    done = command(board, "sight", "--at", "now", "--accuracy", "40", "--source", "eye", place)
    assert done.returncode == 0 and re.fullmatch(r"used: heading [\d.]+° ±[\d.]+°, now [\d.]+° ±[\d.]+°\n", done.stdout), done
    done = command(board, "sight", "nowhere", text="")
    assert done.returncode == 1 and "no place 'nowhere' found: search" in done.stderr
    done = command(board, "sight", "sun", text="q\n")
    assert done.returncode == 1 and done.stdout == "" and "Look at the sun" in done.stderr


@needs_root
@pytest.mark.parametrize("caller, may_offer", [("aider", True), ("changer", False), ("reader", False)])
def test_only_members_of_the_group_may_offer(board, caller, may_offer):
    def offer():
        with board.connect() as connection:
            sources = connection.call(AID_LIST)["sources"]
            try:
                connection.call(AID_OPEN, {"source": "member", "kinds": ["odometry"]})
                return len(sources), connection.call(AID_OFFER_ODOMETRY, odometry("member"))
            except CallFailed as failure:
                return len(sources), failure.name

    _, outcome = as_account(USER, numbers(caller), offer)
    assert outcome == ({} if may_offer else SERVICE_PERMISSION_DENIED)


def test_the_example_of_the_page_on_aiding_runs(board):
    example, = re.findall(r"```python\n(.*?)```", (ROOT / "docs/aiding.md").read_text(), re.DOTALL)
    done = subprocess.run(
        [sys.executable, "-c", example], env=python_environment(WAYMARK_SOCKET=str(board.socket)), capture_output=True,
        text=True, timeout=60)
    assert done.stdout == "60 accepted\n", done.stderr


def test_the_daemon_goes_on(board):
    """After all of the above, and with the measurements in its estimator."""
    before = board.status()["poses"]
    board.wait_until(lambda: board.status()["poses"] > before)
