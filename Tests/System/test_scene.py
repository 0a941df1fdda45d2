"""The scene over the socket: all of it, then what changes; slow readers, wrong parameters, anchors, picking, the command."""
import contextlib
import json
import math
import re
import time

import pytest
import varlink
from waymark_interface import (
    POSE_GET_POSE, SCENE, SCENE_EXPLAIN, SCENE_GET_SCENE, SCENE_IMPORT_PLACES, SCENE_INVALID_ANCHOR, SCENE_LIST_ANCHORS,
    SCENE_NO_SUCH_ANCHOR, SCENE_NO_SUCH_PLACE, SCENE_OTHER_GENERATION, SCENE_PICK, SCENE_PLACE_ANCHOR,
    SCENE_REMOVE_ANCHOR, SCENE_SUBSCRIBE, SERVICE_EXPECTED_MORE, SERVICE_INVALID_PARAMETER, SERVICE_PERMISSION_DENIED,
    STATUS_GET_STATUS, STATUS_LIMIT_EXCEEDED)

from harness.account import as_other_user, needs_root
from harness.command import waymark
from harness.daemon import SIMULATION
from harness.poses import stamp
from harness.varlink import CallFailed, Connection
from harness.waiting import PATIENCE, wait_until

INVALID = SERVICE_INVALID_PARAMETER


class Follower:
    """Applies what it is sent, and checks that each message continues the one before."""

    def __init__(self, path, **parameters):
        self.connection = Connection(path, receive_buffer=parameters.pop("receive_buffer", None))
        self.connection.send_call(SCENE_SUBSCRIBE, parameters, more=True)
        self.placements, self.revision, self.messages, self.events = {}, 0, [], []

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.connection.close()

    def take(self):
        scene = self.connection.reply()["scene"]
        assert scene["revision"] == self.revision + 1
        begins = not self.messages or scene["generation"] != self.messages[-1]["generation"]
        assert scene["snapshot"] == begins
        self.revision = scene["revision"]
        if scene["snapshot"]:
            self.placements = {}
        for gone in scene["removed"]:
            del self.placements[gone]
        for placement in scene["changed"]:
            assert placement["revision"] == self.revision
            self.placements[placement["id"]] = placement
        self.messages.append(scene)
        self.events += scene["events"]
        return scene

    def until(self, condition, timeout=PATIENCE):
        deadline = time.monotonic() + timeout
        while time.monotonic() < deadline:
            scene = self.take()
            if condition(scene):
                return scene
        raise AssertionError(f"not within {timeout} s; the last was {self.messages[-1]}")

    def until_ready(self):
        def is_whole(scene):
            return scene["readiness"] == "ready" and {"place", "destination"} <= kinds(self)
        return self.until(is_whole, 90)


@pytest.fixture(scope="module")
def ready(walk):
    """The walk, once its frame is ready."""
    with Follower(walk.socket, rate=10) as follower:
        follower.until_ready()
    return walk


def kinds(follower):
    return {placement["kind"] for placement in follower.placements.values()}


def test_what_a_correction_did_to_a_placement_is_explained_by_its_id(ready):
    with Follower(ready.socket) as follower:
        follower.take()
        ids = [each for each, placement in follower.placements.items() if placement["lock"] == "scene"]
    for id in (next(each for each in ids if each.startswith("place/")), next(i for i in ids if "destination" in i)):
        for known in {id, id.removeprefix("place/")} if id.startswith("place/") else {id}:
            corrections = ready.call(SCENE_EXPLAIN, {"seconds": 600, "id": known})["corrections"]
            moves = [each for each in corrections if "moved" in each]
            assert moves and all(each["moved"] >= 0 and each["angle"] >= 0 for each in moves)
    with pytest.raises(CallFailed) as raised:
        ready.call(SCENE_EXPLAIN, {"id": "nothing"})
    assert raised.value.name == SCENE_NO_SUCH_PLACE and raised.value.parameters == {"id": "nothing"}


def test_all_of_the_scene_comes_first_and_then_what_changes(ready):
    with Follower(ready.socket, rate=30, radar={"range": 500}) as follower:
        first = follower.take()
        assert first["snapshot"] and len(first["changed"]) > 5 and first["removed"] == []
        assert {"place", "destination", "arrow", "node"} <= kinds(follower)
        ids = [placement["id"] for placement in first["changed"]]
        assert ids == sorted(set(ids))
        for _ in range(60):
            scene = follower.take()
            assert not scene["snapshot"]
        assert first["route"]["state"] == "following" and first["motion"]["period"] > 0
        for placement in follower.placements.values():
            if placement["kind"] in ("arrow", "node") or placement["visible"]:
                assert "hint" not in placement
            assert math.hypot(placement["radar"]["x"], placement["radar"]["y"]) <= 1.001
            assert placement["displayDistance"] <= placement["distance"] + 0.01
        orders = sorted(placement["order"] for placement in follower.placements.values())
        assert len(orders) == len(follower.placements)
        farthest = min(follower.placements.values(), key=lambda placement: placement["order"])
        assert farthest["distance"] >= 0.9 * max(p["distance"] for p in follower.placements.values())


def test_a_display_has_few_hints_and_each_is_ranked_and_counts_others(ready):
    """behaviour 54: three hints, or as many as were asked for; what has none is counted with one in its direction."""
    with ready.connect() as connection:
        for most in (None, 0, 1, 5, 16):
            request = {} if most is None else {"hints": most}
            placed = connection.call(SCENE_GET_SCENE, request)["scene"]["changed"]
            hints = sorted((each["hint"] for each in placed if "hint" in each), key=lambda hint: hint["order"])
            hidden = [each for each in placed if not each["visible"] and each["kind"] not in ("arrow", "node")]
            # Those in one direction share a hint.
            assert [hint["order"] for hint in hints] == list(range(len(hints)))
            assert (len(hints) > 0) == (len(hidden) > 0 and most != 0)
            assert len(hints) <= min(3 if most is None else most, len(hidden))
            assert sum(hint["count"] for hint in hints) <= len(hidden) - len(hints)
        for wrong in (-1, 17, 10**12):
            assert connection.error(SCENE_GET_SCENE, {"hints": wrong}) == INVALID


def test_a_subscriber_says_how_large_its_labels_are(ready):
    """behaviour 55: a slot has the size asked for, else that of the settings; what is wrong is refused by name."""
    def sizes(**request):
        with ready.connect() as connection:
            placed = connection.call(SCENE_GET_SCENE, request)["scene"]["changed"]
        return {(each["slot"]["width"], each["slot"]["height"]) for each in placed if "slot" in each}

    assert sizes() == {(8, 2)}
    assert sizes(labels={"width": 12.5}) == {(12.5, 2)} and sizes(labels={"width": 5, "height": 1}) == {(5, 1)}
    with ready.connect() as connection:
        for labels in [{"width": 0}, {"width": 91}, {"height": 0.01}, {"height": 46}, {"width": 1e300}]:
            assert connection.error(SCENE_GET_SCENE, {"labels": labels}) == INVALID


def test_only_so_many_sizes_of_labels_are_laid_out(ready):
    with contextlib.ExitStack() as followers:
        for width in [*range(1, 9), 8]:
            follower = followers.enter_context(Follower(ready.socket, labels={"width": width}))
            slots = [each["slot"]["width"] for each in follower.take()["changed"] if "slot" in each]
            assert slots and set(slots) == {width}
        with ready.connect() as connection:
            with pytest.raises(CallFailed) as raised:
                connection.send_call(SCENE_SUBSCRIBE, {"labels": {"width": 9}}, more=True)
                connection.reply()
            assert raised.value.name == STATUS_LIMIT_EXCEEDED
            assert raised.value.parameters == {"limit": "labelSizes", "maximum": 8}


def test_the_changes_add_up_to_what_one_call_gives(ready):
    with Follower(ready.socket, rate=60) as follower, ready.connect() as other:
        for _ in range(30):
            follower.take()
        whole = other.call(SCENE_GET_SCENE)["scene"]
        follower.until(lambda scene: scene["time"]["sec"] + scene["time"]["nsec"] * 1e-9 >=
                       whole["time"]["sec"] + whole["time"]["nsec"] * 1e-9)
        now = {placement["id"]: placement for placement in whole["changed"]}
        both = now.keys() & follower.placements.keys()
        assert len(both) >= len(now) - 3 > 0
        for name in both:
            for axis in "xyz":
                assert abs(now[name]["position"][axis] - follower.placements[name]["position"][axis]) < 0.3


def test_the_python_client_of_others_follows_the_scene(ready):
    with varlink.Client(f"unix:{ready.socket}") as client, client.open(SCENE) as scene:
        replies = scene.Subscribe(rate=20, camera={"horizontalFieldOfView": 40.0, "aspect": 1.0}, _more=True)
        known, revision = {}, 0
        for reply, _ in zip(replies, range(20)):
            message = reply["scene"]
            assert message["revision"] == revision + 1
            revision = message["revision"]
            if message["snapshot"]:
                known = {}
            for name in message["removed"]:
                del known[name]
            known.update({placement["id"]: placement for placement in message["changed"]})
        assert revision == 20 and len(known) > 5


def test_each_subscription_has_its_own_camera(ready):
    narrow = ready.call(SCENE_GET_SCENE, {"camera": {"horizontalFieldOfView": 5}})["scene"]
    wide = ready.call(SCENE_GET_SCENE, {"camera": {"horizontalFieldOfView": 175}})["scene"]

    def seen(scene):
        return sum(placement["visible"] for placement in scene["changed"])
    assert seen(narrow) < seen(wide)


def test_a_rate_is_kept(ready):
    for rate in (2, 20):
        with Follower(ready.socket, rate=rate) as follower:
            # The first comes at once, wherever the grid of the rate's instants is then.
            follower.take()
            # By the times of the messages: what a busy machine held back comes all at once.
            times = [stamp(follower.take()) for _ in range(2 * rate + 1)]
            assert times[-1] - times[0] > 1.6


def test_a_slow_reader_gets_one_message_that_covers_what_it_missed_and_holds_up_nobody(ready):
    before = ready.status()["missedMessages"]
    with Follower(ready.socket, rate=60, receive_buffer=4096) as slow, Follower(ready.socket, rate=30) as other:
        slow.take()
        for _ in range(180):
            other.take()
        # What lay in the kernel's buffers, and then one for all that was left out; `take` checks that nothing is missing.
        covering = slow.until(lambda scene: scene.get("missed", 0) > 60)
        assert not covering["snapshot"]
        assert ready.status()["missedMessages"] >= before + covering["missed"]
        late = slow.until(lambda scene: scene["time"]["sec"] >= other.messages[-1]["time"]["sec"])
        assert late["revision"] < 60 * 6
        whole = {p["id"] for p in ready.call(SCENE_GET_SCENE)["scene"]["changed"]}
        slow.take()
        assert len(whole ^ slow.placements.keys()) <= 4


def test_subscribers_with_equal_wishes_are_told_the_same_each_by_revisions_of_its_own(ready):
    def content(follower):
        """The content of each message but for its revisions, by its time; from the first that all followers have got."""
        messages = {}
        for before, scene in zip(follower.messages, follower.messages[1:]):
            if before["snapshot"] or "missed" in scene:
                # What the first message, made between two ticks, gives to one is news to the others.
                continue
            changed = [{**placement, "revision": 0} for placement in scene["changed"]]
            messages[stamp(scene)] = {**scene, "revision": 0, "changed": changed}
        return messages

    with Follower(ready.socket, rate=30) as early:
        for _ in range(20):
            early.take()
        with Follower(ready.socket, rate=30) as late:
            for _ in range(60):
                early.take()
                late.take()
        assert early.revision > late.revision
        common = content(early).keys() & content(late).keys()
        assert len(common) > 30
        assert all(content(early)[time] == content(late)[time] for time in common)


def test_whoever_shares_a_view_may_leave_and_others_come_in_the_middle(ready):
    first = Follower(ready.socket, rate=30, hints=2)
    first.take()
    with Follower(ready.socket, rate=30, hints=2) as second:
        second.take()
        # The one for whom the view was made.
        first.connection.close()
        for _ in range(20):
            second.take()
        with Follower(ready.socket, rate=30, hints=2) as third:
            assert third.take()["snapshot"]
            second.until(lambda scene: stamp(scene) >= stamp(third.messages[-1]))
            third.until(lambda scene: stamp(scene) >= stamp(second.messages[-1]))
            if stamp(third.messages[-1]) == stamp(second.messages[-1]):
                assert third.placements.keys() == second.placements.keys()
            assert len(third.placements.keys() ^ second.placements.keys()) <= 4
        for _ in range(10):
            second.take()


def sequences(events):
    return [event["sequence"] for event in events]


def reach(daemon, name):
    """Puts a place where the wearer is, and returns whether an event is that of reaching it."""
    here = daemon.call(POSE_GET_POSE)["pose"]["geo"]
    daemon.call(SCENE_IMPORT_PLACES, {"source": "reached", "document": json.dumps({
        "type": "Feature", "id": f"reached/{name}", "properties": {"name": name},
        "geometry": {"type": "Point", "coordinates": [here["longitude"], here["latitude"]]}})})
    return lambda event: event["kind"] == "proximityEntered" and event["id"] == f"place/reached/{name}"


@pytest.fixture
def places_to_reach(ready):
    """A walk on which places are put; they are removed afterwards."""
    yield ready
    empty = json.dumps({"type": "FeatureCollection", "features": []})
    ready.call(SCENE_IMPORT_PLACES, {"source": "reached", "document": empty, "replace": True})


def test_each_subscriber_has_turns_and_announcements_in_its_language(ready):
    expected = {"de-CH, de;q=0.9, en;q=0.5": r"abbiegen|halten|folgen|Ziel", "uk": r"[Пп]оверніть|[Мм]аршрут|призначення",
                "it": r"[Tt]urn|[Kk]eep|[Rr]oute|destination", None: r"[Tt]urn|[Kk]eep|[Rr]oute|destination"}
    for languages, words in expected.items():
        with Follower(ready.socket, **({"acceptLanguage": languages} if languages else {})) as follower:
            scene = follower.until(lambda scene: "nextTurn" in scene.get("route", {}))
            assert re.search(words, scene["route"]["nextTurn"]["text"]), scene["route"]
            turns = [each["name"] for each in follower.placements.values() if each["kind"] == "turn"]
            assert turns and all(re.search(words, name) for name in turns), turns
            units = r"\d+(,\d)? к?м" if languages == "uk" else r"\d+([.,]\d)? k?m"
            distances = [each["distanceText"] for each in follower.placements.values() if "distanceText" in each]
            assert distances and all(re.fullmatch(units, text) for text in distances), distances


def test_a_client_that_was_killed_continues_after_its_last_event_and_has_each_once(places_to_reach):
    walk, events = places_to_reach, []
    with Follower(walk.socket) as witness:
        witness.take()
        for turn in range(3):
            parameters = {"eventsAfter": events[-1]["sequence"]} if events else {}
            with Follower(walk.socket, **parameters) as follower:
                if events:
                    # What happened between the connections comes with the first message.
                    assert any(map(is_reached, follower.take()["events"]))
                is_seen = reach(walk, f"connected {turn}")
                follower.until(lambda _: any(map(is_seen, follower.events)))
            events += follower.events
            is_reached = reach(walk, f"between {turn}")
            witness.until(lambda _: any(map(is_reached, witness.events)))
        # One that came without it has none of these.
        with Follower(walk.socket) as other:
            assert not any(map(is_reached, other.take()["events"]))
    seen = [event for event in witness.events if event["sequence"] >= events[0]["sequence"]]
    with Follower(walk.socket, eventsAfter=events[-1]["sequence"]) as follower:
        events += follower.take()["events"]
    assert len(seen) >= 6 and sequences(events[:len(seen)]) == sequences(seen) and events[:len(seen)] == seen
    assert sequences(events) == sorted(set(sequences(events)))


def test_a_sequence_above_all_others_as_before_a_start_of_the_computer_gives_only_newer_events(places_to_reach):
    is_reached = reach(places_to_reach, "old")
    with Follower(places_to_reach.socket, eventsAfter=0) as follower:
        follower.until(lambda _: any(map(is_reached, follower.events)))
        assert len(follower.messages[0]["events"]) > 0 and "eventsDropped" not in follower.messages[0]
    with Follower(places_to_reach.socket, eventsAfter=2**53) as follower:
        assert not any(map(is_reached, follower.take()["events"]))
        is_reached = reach(places_to_reach, "new")
        follower.until(lambda _: any(map(is_reached, follower.events)))


def test_sequences_increase_over_a_restart_of_the_daemon(daemon):
    running = daemon(SIMULATION).start()
    with Follower(running.socket, eventsAfter=0) as follower:
        follower.until(lambda _: follower.events)
    last = follower.events[-1]["sequence"]
    assert running.stop() == 0
    running.start()
    with Follower(running.socket, eventsAfter=last) as follower:
        follower.until(lambda _: follower.events)
    assert follower.events[0]["sequence"] > last
    assert "eventsDropped" not in follower.messages[0]


@pytest.mark.parametrize("parameters", [
    {"rate": 0}, {"rate": -1}, {"rate": 1e9}, {"rate": 61}, {"rate": "fast"},
    {"radar": 500}, {"radar": {"range": 0}}, {"radar": {"range": 1e9}},
    {"camera": {"horizontalFieldOfView": 0}}, {"camera": {"horizontalFieldOfView": 180}},
    {"camera": {"horizontalFieldOfView": 1e308}}, {"camera": {"horizontalFieldOfView": "wide"}},
    {"camera": {"aspect": 0}}, {"camera": {"aspect": -1}}, {"camera": {"aspect": 1e9}}, {"camera": 60},
    {"hints": -1}, {"hints": 17}, {"hints": 2.5}, {"hints": "all"}, {"hintTexts": 1}, {"hintTexts": {"width": 0}},
    {"hintTexts": {"height": 0.6}}, {"labels": 5}, {"labels": {"width": "wide"}}, {"labels": {"height": -1}},
    {"events": 1}, {"view": 1}, {"eventsAfter": -1}, {"eventsAfter": 1.5}, {"eventsAfter": "all"},
    {"eventsAfter": 0, "events": False}, {"acceptLanguage": "de_DE"}, {"acceptLanguage": "de;q=2"}, {"acceptLanguage": 7},
    {"acceptLanguage": "de," * 67},
], ids=json.dumps)
def test_wrong_parameters_get_a_named_error(ready, parameters):
    with ready.connect() as connection:
        connection.send_call(SCENE_SUBSCRIBE, parameters, more=True)
        with pytest.raises(CallFailed) as raised:
            connection.reply()
        assert raised.value.name == INVALID
        assert next(iter(parameters)) in raised.value.parameters["parameter"]
        assert connection.call(POSE_GET_POSE)["pose"]


def test_numbers_that_are_no_json_are_no_call(ready):
    with ready.connect() as connection:
        connection.send(b'{"method":"org.waymark.Scene.GetScene","parameters":{"camera":{"aspect":NaN}}}\0')
        assert b"InvalidParameter" in connection.message()


def test_a_subscription_has_to_be_asked_for_as_one(ready):
    with ready.connect() as connection:
        assert connection.error(SCENE_SUBSCRIBE) == SERVICE_EXPECTED_MORE


def test_a_ray_picks_what_it_points_at(ready):
    scene = ready.call(SCENE_GET_SCENE)["scene"]
    pose = ready.call(POSE_GET_POSE)["pose"]
    target = next(p for p in scene["changed"] if p["kind"] == "place" and p["distance"] > 60)
    direction = {axis: target["position"][axis] - pose["position"][axis] for axis in "xyz"}
    hit = ready.call(SCENE_PICK, {"direction": direction, "origin": pose["position"], "tolerance": 0.5})
    assert hit["angle"] < 3 and hit["distance"] > 0 and hit["placement"]["id"]
    assert ready.call(SCENE_PICK, {"direction": {"x": 0, "y": -1, "z": 0}, "tolerance": 0}) == {}
    with ready.connect() as connection:
        for wrong in ({"direction": {"x": 0, "y": 0, "z": 0}}, {"tolerance": 91}, {"direction": {"x": 1}},
                      {"headLocked": 1}):
            assert connection.error(SCENE_PICK, wrong) == INVALID


def test_what_is_locked_to_the_head_is_picked_only_if_it_is_asked_for(ready):
    """behaviour 41: the line of sight meets an anchor straight ahead at all times."""
    with ready.connect() as connection:
        connection.call(SCENE_PLACE_ANCHOR, {"anchor": {"id": "cross", "head": {"x": 0}}})
        assert connection.call(SCENE_PICK, {"headLocked": True})["placement"]["id"] == "anchor/cross"
        assert connection.call(SCENE_PICK).get("placement", {}).get("id") != "anchor/cross"


# Anchors


def test_anchors_of_each_kind_are_placed_shown_and_removed(ready):
    geo = ready.call(POSE_GET_POSE)["pose"]["geo"]
    with ready.connect() as connection, Follower(ready.socket, rate=20) as follower:
        follower.take()
        anchors = [
            {"id": "e", "name": "Bench", "geo": {"latitude": geo["latitude"], "longitude": geo["longitude"]},
             "heightKind": "ground", "properties": {"colour": "red"}},
            {"id": "s", "position": {"x": 1, "y": 2, "z": 3}, "sizeMetres": 2}, {"id": "r", "alongRoute": 50},
            {"id": "h", "head": {"y": 0.1}, "sizeDegrees": 4}]
        for anchor in anchors:
            assert connection.call(SCENE_PLACE_ANCHOR, {"anchor": anchor}) == {"id": anchor["id"]}
        follower.until(lambda _: {"anchor/e", "anchor/s", "anchor/r", "anchor/h"} <= follower.placements.keys())
        assert follower.placements["anchor/e"]["properties"] == {"colour": "red"}
        assert follower.placements["anchor/s"]["position"] == {"x": 1, "y": 2, "z": 3}
        assert follower.placements["anchor/h"]["lock"] == "head"
        assert follower.placements["anchor/h"]["position"] == {"x": 0, "y": 0.1, "z": -1}
        assert abs(follower.placements["anchor/h"]["size"]["angle"] - 4) < 0.01
        listed = {anchor["id"]: anchor for anchor in connection.call(SCENE_LIST_ANCHORS)["anchors"]}
        assert listed["s"]["sizeMetres"] == 2 and listed["s"]["lifetime"] == "connection"
        assert listed["r"]["alongRoute"] == 50 and listed["e"]["heightKind"] == "ground"
        assert connection.call(SCENE_REMOVE_ANCHOR, {"id": "s"}) == {}
        assert connection.error(SCENE_REMOVE_ANCHOR, {"id": "s"}) == SCENE_NO_SUCH_ANCHOR
        follower.until(lambda scene: "anchor/s" in scene["removed"])
        named = connection.call(SCENE_PLACE_ANCHOR, {"anchor": {"head": {"x": 0, "y": 0, "z": -1}}})["id"]
        follower.until(lambda _: f"anchor/{named}" in follower.placements)
        # The others go with their connection.
        connection.close()
        follower.until(lambda _: not any(name.startswith("anchor/") for name in follower.placements))


def test_an_anchor_lies_where_its_bearing_and_distance_lead(ready):
    """behaviour 16: 300 m to the east are an anchor 300 m to the east, from wherever it is looked at later."""
    with ready.connect() as connection, Follower(ready.socket, rate=20) as follower:
        placed = {"id": "east", "way": {"bearing": 90, "distance": 300}}
        here = ready.call(POSE_GET_POSE)["pose"]["geo"]
        connection.call(SCENE_PLACE_ANCHOR, {"anchor": placed})
        follower.until(lambda _: "anchor/east" in follower.placements)
        east = follower.placements["anchor/east"]
        assert abs(east["bearing"] - 90) < 2 and abs(east["distance"] - 300) < 5
        geo = connection.call(SCENE_LIST_ANCHORS)["anchors"][0]["geo"]
        metres = math.radians(geo["longitude"] - here["longitude"]) * 6.39e6 * math.cos(math.radians(here["latitude"]))
        assert abs(metres - 300) < 10 and abs(geo["latitude"] - here["latitude"]) < 1e-4


def test_the_status_tells_the_best_fix_carried_on(ready):
    """behaviours 6 and 7 over the socket: near the pose, with an accuracy that has grown with the way."""
    status = ready.call(STATUS_GET_STATUS)["status"]
    geo = ready.call(POSE_GET_POSE)["pose"]["geo"]
    best = status["bestEstimate"]
    assert abs(best["latitude"] - geo["latitude"]) * 111e3 < 40 and best["age"] >= 0
    assert best["horizontalAccuracy"] > 0.05 * best["travel"]
    assert "best fix" in waymark("status", socket=ready.socket).stdout


@pytest.mark.parametrize("anchor, field", [
    ({"way": {"bearing": 0, "distance": -1}}, "way"), ({"way": {"bearing": 1e308, "distance": 1e6}}, "way"),
    ({"way": {"bearing": 0, "distance": 1}, "geo": {"latitude": 1, "longitude": 0}}, "way"),
    ({}, "geo"), ({"head": {"x": 0, "y": 0, "z": -1}, "alongRoute": 1}, "geo"),
    ({"geo": {"latitude": 91, "longitude": 0}}, "geo"), ({"alongRoute": -1}, "alongRoute"),
    ({"alongRoute": 1e9}, "alongRoute"), ({"position": {"x": 1e300, "y": 0, "z": 0}}, "position"),
    ({"head": {"x": 0, "y": 0, "z": -1}, "lifetime": "kept"}, "lifetime"),
    ({"head": {"x": 0, "y": 0, "z": -1}, "lifetime": "ever"}, "lifetime"),
    ({"head": {"x": 0, "y": 0, "z": -1}, "policy": "hold"}, "policy"),
    ({"geo": {"latitude": 47, "longitude": 8}, "policy": "stick"}, "policy"),
    ({"head": {"x": 0, "y": 0, "z": -1}, "heightKind": "eye"}, "heightKind"),
    ({"geo": {"latitude": 1, "longitude": 0}, "heightKind": "attic"}, "heightKind"),
    ({"head": {"x": 0, "y": 0, "z": -1}, "sizeDegrees": 0}, "sizeDegrees"),
    ({"head": {"x": 0, "y": 0, "z": -1}, "sizeDegrees": 1, "sizeMetres": 1}, "sizeMetres"),
    ({"id": "x" * 129, "head": {"x": 0, "y": 0, "z": -1}}, "id"),
    ({"head": {"x": 0, "y": 0, "z": -1}, "properties": {str(n): "" for n in range(33)}}, "properties"),
], ids=lambda value: json.dumps(value)[:60])
def test_an_anchor_that_cannot_be_is_refused_by_its_field(ready, anchor, field):
    with ready.connect() as connection:
        with pytest.raises(CallFailed) as raised:
            connection.call(SCENE_PLACE_ANCHOR, {"anchor": anchor})
        assert raised.value.name == SCENE_INVALID_ANCHOR
        assert raised.value.parameters["field"] == field and raised.value.parameters["reason"]
        assert connection.call(SCENE_LIST_ANCHORS)["anchors"] == []


def test_one_client_has_only_so_many_anchors(ready):
    with ready.connect() as connection:
        for _ in range(64):
            connection.call(SCENE_PLACE_ANCHOR, {"anchor": {"head": {"x": 0, "y": 0, "z": -1}}})
        with pytest.raises(CallFailed) as raised:
            connection.call(SCENE_PLACE_ANCHOR, {"anchor": {"head": {"x": 0, "y": 0, "z": -1}}})
        assert raised.value.name == STATUS_LIMIT_EXCEEDED
        assert raised.value.parameters == {"limit": "anchorsOfClient", "maximum": 64}
    wait_until(lambda: ready.call(SCENE_LIST_ANCHORS)["anchors"] == [], what="the anchors of a client that left")


def test_a_local_anchor_of_another_generation_is_refused(ready):
    with ready.connect() as connection:
        anchor = {"position": {"x": 0, "y": 0, "z": 0}, "generation": 77}
        with pytest.raises(CallFailed) as raised:
            connection.call(SCENE_PLACE_ANCHOR, {"anchor": anchor})
        assert raised.value.name == SCENE_OTHER_GENERATION and raised.value.parameters["generation"] >= 1


def test_an_anchor_that_holds_stays_where_it_is_in_the_scene(ready):
    """behaviour 51: what holds is where it was in every message."""
    with ready.connect() as connection, Follower(ready.socket, rate=30) as follower:
        here = connection.call(POSE_GET_POSE)["pose"]["geo"]
        geo = {"latitude": here["latitude"] + 0.0004, "longitude": here["longitude"]}
        for policy in ("hold", "follow"):
            connection.call(SCENE_PLACE_ANCHOR, {"anchor": {"id": policy, "geo": geo, "policy": policy}})
        follower.until(lambda _: {"anchor/hold", "anchor/follow"} <= follower.placements.keys())
        places = set()
        for _ in range(90):
            events = [event["kind"] for event in follower.take()["events"]]
            if "anchorMoved" in events:
                places.clear()
            position = follower.placements["anchor/hold"]["position"]
            places.add((position["x"], position["z"]))
        assert len(places) <= 2
        listed = {anchor["id"]: anchor["policy"] for anchor in connection.call(SCENE_LIST_ANCHORS)["anchors"]}
        assert listed == {"hold": "hold", "follow": "follow"}


def test_what_is_kept_is_there_again_after_a_start(daemon):
    geo = {"latitude": 47.3, "longitude": 8.5}
    anchor = {"id": "bench", "name": "Bench", "geo": geo, "lifetime": "kept", "policy": "hold"}
    running = daemon(SIMULATION).start()
    with running.connect() as connection:
        connection.call(SCENE_PLACE_ANCHOR, {"anchor": anchor})
        connection.call(SCENE_PLACE_ANCHOR, {"anchor": {**anchor, "id": "gone"}})
        connection.call(SCENE_REMOVE_ANCHOR, {"id": "gone"})
        connection.call(SCENE_PLACE_ANCHOR, {"anchor": {**anchor, "id": "short", "lifetime": "daemon"}})
    assert running.stop() == 0
    running.start()
    kept = wait_until(lambda: running.call(SCENE_LIST_ANCHORS)["anchors"], what="the anchor that was kept")
    assert [found["id"] for found in kept] == ["bench"] and kept[0]["name"] == "Bench"
    assert kept[0]["policy"] == "hold"


@needs_root
def test_anchors_are_for_those_who_may_change_things(ready):
    ready.open_to_all()

    def action():
        with Connection(ready.socket) as connection:
            anchor = {"head": {"x": 0, "y": 0, "z": -1}}
            return [connection.error(SCENE_PLACE_ANCHOR, {"anchor": anchor}),
                    connection.error(SCENE_REMOVE_ANCHOR, {"id": "1"}), connection.call(SCENE_LIST_ANCHORS)["anchors"]]

    assert as_other_user(action) == [SERVICE_PERMISSION_DENIED, SERVICE_PERMISSION_DENIED, []]


# The command


def test_the_command_shows_a_table_and_one_object(ready):
    table = waymark("scene", socket=ready.socket).stdout
    assert table.startswith("frame     ready") and "\nroute     " in table and "destination" in table
    scene = json.loads(waymark("scene", "--json", socket=ready.socket).stdout)["scene"]
    assert scene["snapshot"] and scene["changed"]
