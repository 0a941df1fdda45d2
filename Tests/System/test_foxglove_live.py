"""`waymark serve` as Foxglove sees it: channels and messages by its WebSocket protocol, with the daemon's own values."""
import contextlib
import json
import math
import signal
import socket
import time

import numpy
import pytest
from google.protobuf import json_format
from waymark_interface import AID_LIST, AID_OFFER_HEIGHT, AID_OPEN, SCENE_GET_ROUTE, SCENE_GET_SCENE
from websockets.exceptions import InvalidStatus

from harness.daemon import SIMULATION
from harness.earth import in_plane_of_earth
from harness.foxglove import (
    FoxgloveClient, as_protobuf, described, descriptor_differences, instant, matrix, published, vector)
from harness.live_server import LiveServer
from harness.waiting import wait_until

TOPICS = {
    "/pose": "org.waymark.Pose", "/frame": "org.waymark.Frame", "/location": "foxglove.LocationFix",
    "/tf": "foxglove.FrameTransform", "/scene/pose": "foxglove.PoseInFrame", "/map/route": "foxglove.GeoJSON",
    "/map/places": "foxglove.GeoJSON", "/status": "org.waymark.Status", "/scene/placements": "foxglove.SceneUpdate",
    "/aid/sources": "org.waymark.AidSources"}


class Server(LiveServer):
    """`waymark serve` for a daemon, with clients by Foxglove's protocol."""

    def __init__(self, daemon):
        super().__init__(daemon, "--config", daemon.config)

    def open(self, *topics, **options):
        client = FoxgloveClient(self, **options)
        if topics:
            client.subscribe(*topics)
        return client


@pytest.fixture(scope="module")
def shared(walk):
    """A server for a daemon that the tests share and leave as it is."""
    walk.wait_for_state("localized")
    made = Server(walk)
    yield made
    assert made.program.end() == 0


@pytest.fixture
def server(daemon):
    """A server for a daemon of its own."""
    made = Server(daemon(SIMULATION).start())
    made.daemon.wait_for_state("localized")
    yield made
    assert made.program.end() == 0


def opened(server, topics):
    """A client that has several messages of each channel that repeats, and one of the others."""
    with server.open(*topics) as client:
        for topic in topics:
            client.wait_for(topic, 1 if topic.startswith("/map/") else 3)
        client.wait_for("/tf", 100)
        return client


@pytest.fixture(scope="module")
def received(shared):
    return opened(shared, TOPICS)


def test_the_channels_are_topics_of_recordings_with_schemas_that_foxglove_publishes(received):
    assert {topic: each["schemaName"] for topic, each in received.channels.items()} == TOPICS
    for each in received.channels.values():
        name, encodings = each["schemaName"], (each["encoding"], each["schemaEncoding"])
        if name.startswith("foxglove."):
            assert encodings == ("protobuf", "protobuf")
            assert descriptor_differences(described(name, each["schema"]).DESCRIPTOR, published(name).DESCRIPTOR) == []
        else:
            assert encodings == ("json", "jsonschema")


def test_every_message_is_one_of_its_published_schema(received):
    for topic, messages in received.messages.items():
        for message in messages:
            if TOPICS[topic].startswith("foxglove."):
                # Refuses members that the schema has not, and values of other types.
                json_format.ParseDict(as_protobuf(message.content), published(TOPICS[topic])())
            else:
                assert set(json.loads(received.channels[topic]["schema"])["required"]) <= set(message.content), topic


@pytest.mark.parametrize("subprotocol", ["foxglove.sdk.v1", "foxglove.websocket.v1"])
def test_both_subprotocols_begin_alike(shared, subprotocol):
    with shared.open("/pose", subprotocol=subprotocol) as client:
        assert client.socket.subprotocol == subprotocol
        assert client.info["name"] == "Waymark" and client.info["capabilities"] == ["time"]
        assert client.info["metadata"]["waymark"] == shared.daemon.status()["version"]
        with shared.open() as other:
            assert other.info["sessionId"] == client.info["sessionId"]
        client.wait_for("/pose")


def test_poses_are_those_of_the_daemon_on_its_own_time_line(shared):
    with shared.daemon.subscribe(rate=1000) as direct, shared.open("/pose", "/location", "/scene/pose") as client:
        poses = client.wait_for("/pose", 60)
        wait_until(lambda: direct.newest and direct.newest["sequence"] >= poses[-1]["sequence"], what="the same poses")
        own = {pose["sequence"]: {**pose, "missed": None} for pose in direct.poses}
    # A subscription that cannot keep up misses poses, and says so in the next one.
    common = [pose for pose in poses if pose["sequence"] in own]
    assert len(common) > 30
    for pose in common:
        assert {**pose, "missed": None} == own[pose["sequence"]] and "missed" not in pose
    for message in client.messages["/pose"]:
        # UTC on the wire is rounded to microseconds.
        utc = numpy.datetime64(message.content["utc"].rstrip("Z"), "ns").astype(int)
        assert abs(message.time - int(utc)) <= 1_000_000
    times = {message.time for message in client.messages["/pose"]}
    assert {message.time for message in client.messages["/location"]} <= times
    assert all(instant(message.content["timestamp"]) == message.time for message in client.messages["/scene/pose"])
    assert client.clock == sorted(client.clock)


def in_plane(alignment, position):
    """A position of the scene in the plane at the origin, by an alignment of the frame messages."""
    yaw = math.radians(alignment["yaw"])
    east, north, up = position[0], -position[2], position[1]
    return numpy.array([
        math.cos(yaw) * east - math.sin(yaw) * north + alignment["east"],
        math.sin(yaw) * east + math.cos(yaw) * north + alignment["north"], up + alignment["up"]])


def test_the_transforms_place_the_board_where_the_daemon_says(received):
    # Ordered by their own times: a pose may come before the frame of the same moment.
    frames = sorted((message.content for message in received.messages["/frame"]), key=lambda each: instant(each["time"]))
    poses = {message.time: message.content for message in received.messages["/pose"]}
    scene, compared = None, 0
    for message in received.messages["/tf"]:
        part = message.content
        if part["child_frame_id"] == "scene":
            assert part["parent_frame_id"] == "enu"
            scene = part
            continue
        pose = poses.get(message.time)
        known = pose and [frame for frame in frames if instant(frame["time"]) <= instant(pose["time"])]
        # Only poses between two frames: a fix may have moved the estimate since the last of them.
        if not scene or not known or len(known) == len(frames):
            continue
        assert (part["parent_frame_id"], part["child_frame_id"]) == ("scene", "body")
        position = vector(pose["position"])
        board = vector(scene["translation"]) + matrix(scene["rotation"]) @ vector(part["translation"])
        assert board == pytest.approx(in_plane(known[-1]["published"], position), abs=0.05)
        # The published alignment follows the estimated one, by which the daemon says where the board is on the earth. A
        # fix counts at once, and in the next of the frames, which come ten times a second.
        around = frames[len(known) - 1:len(known) + 1]
        assert min(numpy.linalg.norm(
            board + in_plane(frame["target"], position) - in_plane(frame["published"], position)
            - in_plane_of_earth(frame["origin"], pose["geo"])) for frame in around) < 0.05
        # The line of sight, which is the body's -z, over ground.
        sight = matrix(scene["rotation"]) @ matrix(part["rotation"]) @ [0, 0, -1]
        turned = math.degrees(math.atan2(sight[0], sight[1])) - pose["heading"]
        assert min(
            abs((turned - frame["target"]["yaw"] + frame["published"]["yaw"] + 180) % 360 - 180) for frame in around) < 0.5
        compared += 1
    assert compared >= 20


def features(content):
    document = json.loads(content["geojson"])
    assert document["type"] == "FeatureCollection"
    return document["features"]


def test_the_maps_have_the_route_and_what_stands_around(shared):
    with shared.open("/map/route", "/map/places") as client:
        client.wait_for("/map/route")
        client.wait_for("/map/places")
    [route] = features(client.messages["/map/route"][0].content)
    vertices = shared.daemon.call(SCENE_GET_ROUTE)["vertices"]
    assert numpy.array(route["geometry"]["coordinates"]) == pytest.approx(
        numpy.array([[vertex["longitude"], vertex["latitude"]] for vertex in vertices]), abs=1e-7)
    points = {each["id"]: each for each in features(client.messages["/map/places"][-1].content)}
    places = shared.daemon.call("org.waymark.Scene.NearPlaces", {"limit": 100})["places"]
    common = [place for place in places if f"place/{place['id']}" in points]
    assert len(common) >= 2
    for place in common:
        longitude, latitude = points[f"place/{place['id']}"]["geometry"]["coordinates"][:2]
        assert longitude == pytest.approx(place["geo"]["longitude"], abs=1e-4)
        assert latitude == pytest.approx(place["geo"]["latitude"], abs=1e-4)
        assert points[f"place/{place['id']}"]["properties"]["name"] == place["name"]


def test_the_entities_are_the_placements_of_the_scene(shared):
    with shared.open("/scene/placements") as client:
        def same():
            placements = {each["id"]: each for each in shared.daemon.call(SCENE_GET_SCENE)["scene"]["changed"]}
            kinds = {each["kind"] for each in placements.values()}
            return kinds >= {"arrow", "place"} and set(placements) == set(client.entities()) and placements

        client.wait_for("/scene/placements")
        placements = client.wait_until(same)
        entities = client.entities()
    kinds = {"arrows": {"arrow"}, "spheres": {"place", "cluster", "anchor"},
             "cylinders": {"node", "start", "turn", "route", "destination"}}
    for name, placement in placements.items():
        entity = entities[name]
        assert (entity["frame_id"], entity["lifetime"]) == ("scene", {"sec": 0, "nsec": 0})
        [(shape, part)] = [(shape, part) for shape in kinds for part in entity[shape]]
        assert placement["kind"] in kinds[shape]
        position = vector(part["pose"]["position"])
        if shape == "arrows":
            course = math.radians(placement["course"])
            ahead = numpy.array([-math.sin(course), 0, -math.cos(course)])
            assert matrix(part["pose"]["orientation"]) @ [1, 0, 0] == pytest.approx(ahead, abs=0.05)
            position = position + 0.35 * ahead
        assert position == pytest.approx(vector(placement["position"]), abs=0.5), name
        texts = [text["text"] for text in entity["texts"]]
        assert all(text.startswith(placement.get("name", "")) for text in texts)
        assert bool(texts) == (placement["kind"] not in ("arrow", "node"))


def test_what_other_programs_offer_is_shown_with_the_trust_in_it(server):
    def source():
        return next(iter(client.wait_for("/aid/sources")[-1]["sources"]), None)

    with server.daemon.connect() as program, server.open("/aid/sources") as client:
        assert client.wait_for("/aid/sources") == [{"sources": []}]
        program.call(AID_OPEN, {"source": "floor", "kinds": ["height"]})
        now = time.clock_gettime_ns(time.CLOCK_BOOTTIME)
        program.call(AID_OFFER_HEIGHT, {
            "source": "floor", "time": {"sec": now // 10**9, "nsec": now % 10**9}, "height": 450, "accuracy": 2})
        shown = client.wait_until(lambda: (found := source()) and found["accepted"] == 1 and found)
        [own] = server.daemon.call(AID_LIST)["sources"]
        lasting = ("source", "user", "kinds", "accepted", "refused")
        assert {name: shown[name] for name in lasting} == {name: own[name] for name in lasting}
        schema = json.loads(client.channels["/aid/sources"]["schema"])["properties"]["sources"]["items"]
        assert set(schema["required"]) <= set(shown) <= set(schema["properties"])
        [trust] = shown["trust"]
        assert (trust["kind"], trust["accuracy"]) == ("height", 2)
    with server.open("/aid/sources") as client:
        client.wait_until(lambda: source() is None)


def test_streams_of_the_daemon_are_open_while_somebody_needs_them(server):
    def subscriptions(count):
        wait_until(lambda: server.daemon.status()["subscriptions"] == count, what=lambda: server.daemon.status())

    with server.open() as client:
        subscriptions(0)
        client.subscribe("/pose", "/location")
        client.wait_for("/location")
        subscriptions(1)
        client.subscribe("/tf", "/scene/placements", first=200)
        client.wait_for("/scene/placements")
        subscriptions(3)
        with server.open("/pose") as other:
            client.unsubscribe(100, 101, 200, 201)
            subscriptions(1)
            # The other client goes on, and this one has only what was under way.
            other.wait_for("/pose", 100)
        subscriptions(0)
        client.subscribe("/status", first=300)
        status = client.wait_for("/status", 2)[-1]
        assert status["source"] == "simulation" and status["subscriptions"] == 0
        assert client.statuses == []


def test_who_subscribes_later_gets_what_lasts_at_once(shared):
    with shared.open("/map/route", "/frame", "/tf") as client:
        client.wait_for("/map/route")
        client.unsubscribe(100)
        client.subscribe("/map/route", "/scene/placements", first=200)
        client.wait_for("/map/route", 2)
        assert client.wait_for("/scene/placements")[0]["deletions"][0]["type"] == 1
        client.wait_until(lambda: any(
            message.content["child_frame_id"] == "scene" for message in client.messages["/tf"]))


def test_a_daemon_that_is_killed_is_said_and_found_again(server):
    with server.open("/pose", "/scene/placements", "/map/places", "/status") as client:
        client.wait_until(client.entities)
        client.wait_for("/map/places")
        server.daemon.program.send(signal.SIGKILL)
        server.daemon.program.wait()
        lost = client.wait_for_status("does not answer", str(server.daemon.socket))
        assert lost["level"] == 1
        client.wait_until(lambda: not client.entities())
        with server.open("/pose") as late:
            late.wait_for_status("does not answer")
        count = len(client.messages["/pose"])
        server.daemon.start()
        found = client.wait_for_status("answers again")
        assert (found["level"], found["id"]) == (0, lost["id"])
        client.wait_for("/pose", count + 10)
        # The simulation's clock has begun anew, and so has this one.
        client.wait_until(lambda: client.clock != sorted(client.clock))
        client.wait_until(client.entities)
        assert [each["message"] for each in client.statuses] == [lost["message"], found["message"]]


HOSTILE = [
    "", "nonsense", "[]", "{}", '{"op":7}', "{" * 1000, '{"op":"subscribe"}', '{"op":"subscribe","subscriptions":{}}',
    '{"op":"subscribe","subscriptions":[{"id":-1,"channelId":1}]}', '{"op":"subscribe","subscriptions":[{"id":1e99,"channelId":1}]}',
    '{"op":"subscribe","subscriptions":[{"id":1,"channelId":99}]}', '{"op":"unsubscribe","subscriptionIds":[5]}',
    '{"op":"advertise","channels":[]}', '{"op":"getParameters","parameterNames":[]}', '{"op":"fetchAsset","uri":"file:///etc/passwd"}',
    b"", b"\x01\x00\x00\x00\x00", b"\x02" + b"\xff" * 60_000]


@pytest.mark.parametrize("message", HOSTILE)
def test_what_is_no_request_is_refused_and_the_connection_goes_on(shared, message):
    with shared.open() as client:
        client.socket.send(message)
        refused = client.wait_for_status("refused")
        assert refused["level"] == 2 and len(refused["message"]) < 300
        client.subscribe("/pose")
        client.wait_for("/pose")


def test_subscriptions_that_contradict_others_are_refused(shared):
    with shared.open("/pose") as client:
        client.wait_for("/pose")
        client.subscribe("/location")
        client.wait_for_status("100", "id is in use")
        client.topics[100] = "/pose"
        # The client took the poses that came in between for locations.
        client.messages.pop("/location", None)
        client.subscribe("/pose", first=101)
        client.wait_for_status("101", "/pose", "unsubscribe first")
        client.send(op="subscribe", subscriptions=[{"id": number, "channelId": 99} for number in range(256)])
        client.wait_for_status("other parts of this request")
        assert len(client.statuses) < 20
        count = len(client.messages["/pose"])
        client.wait_for("/pose", count + 10)
        assert "/location" not in client.messages


def test_a_client_that_never_reads_disturbs_nobody_and_gets_the_newest_when_it_reads(server):
    before = server.program.resident_kib()
    with contextlib.ExitStack() as stack:
        stuck = []
        for _ in range(3):
            # A small window, so that little is under way.
            narrow = socket.socket()
            narrow.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
            narrow.connect(("127.0.0.1", server.port))
            stuck.append(stack.enter_context(server.open(*TOPICS, sock=narrow, max_queue=1)))
        reader = stack.enter_context(server.open("/pose"))
        sequences = [pose["sequence"] for pose in reader.wait_for("/pose", 500)]
        assert sequences == sorted(set(sequences))
        assert server.program.resident_kib() < before + 16_000
        late = stuck[0]
        late.wait_until(
            lambda: late.messages["/pose"] and late.messages["/pose"][-1].content["sequence"] > sequences[-1])
        missed = [pose.content["sequence"] for pose in late.messages["/pose"]]
        assert max(after - before for before, after in zip(missed, missed[1:])) > 100
        # What had to be left out of the scene has come as a whole.
        late.wait_until(lambda: set(late.entities()) == {
            each["id"] for each in server.daemon.call(SCENE_GET_SCENE)["scene"]["changed"]})


def test_pages_of_configured_hosts_alone_may_connect(daemon):
    server = Server(daemon(SIMULATION, {"serve": {"origins": "https://viewer.example"}}).start())
    try:
        for origin in ["https://evil.example", "null", "https://app.foxglove.dev", "https://viewer.example.evil.example"]:
            with pytest.raises(InvalidStatus) as refused:
                server.open(origin=origin)
            assert refused.value.response.status_code == 403, origin
        for origin in ["https://viewer.example", f"http://127.0.0.1:{server.port}"]:
            with server.open(origin=origin) as client:
                assert client.info["name"] == "Waymark"
        with pytest.raises(InvalidStatus) as refused:
            server.open(subprotocol="chat")
        assert refused.value.response.status_code == 400
    finally:
        assert server.program.end() == 0
