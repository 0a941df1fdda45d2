"""Routes that are asked for over the socket: NavigateTo and Reroute, with a navigator, with `waymark navigator`, and
without any."""
import contextlib
import json
import os
import signal
import threading
import time

import pytest
from waymark_interface import (
    SCENE_AMBIGUOUS_PLACE, SCENE_ANSWER_NAVIGATION, SCENE_CLEAR_ROUTE, SCENE_GET_ROUTE, SCENE_IMPORT_PLACES,
    SCENE_INVALID_DESTINATION, SCENE_INVALID_DOCUMENT, SCENE_NAVIGATE_TO, SCENE_NAVIGATION_FAILED,
    SCENE_NAVIGATION_SUPERSEDED, SCENE_NAVIGATION_TIMED_OUT, SCENE_NAVIGATOR_REGISTERED, SCENE_NO_NAVIGATOR,
    SCENE_NO_ROUTE, SCENE_NO_SUCH_PLACE, SCENE_NO_SUCH_REQUEST, SCENE_NOT_LOCALIZED, SCENE_PLACE_ANCHOR, SCENE_REROUTE,
    SCENE_SERVE_NAVIGATION, SCENE_SET_ROUTE, SERVICE_INVALID_PARAMETER, STATUS_LIMIT_EXCEEDED)

from harness import interfaces
from harness.account import OTHER_ACCOUNT, as_other_user, needs_root
from harness.command import waymark
from harness.daemon import SIMULATION
from harness.held_descriptors import stuck_files
from harness.paths import PROGRAMS
from harness.process import Program
from harness.routing import FakeService, answering, response
from harness.streets import asked_places, at, distance, named, osrm_document, osrm_service
from harness.varlink import CallFailed, Connection
from harness.waiting import PATIENCE, wait_until

pytestmark = pytest.mark.library

TO, AGAIN, SERVE, ANSWER = SCENE_NAVIGATE_TO, SCENE_REROUTE, SCENE_SERVE_NAVIGATION, SCENE_ANSWER_NAVIGATION
PLACES = {"type": "FeatureCollection", "features": [
    {"type": "Feature", "id": f"node/{number}", "properties": {"name": name, "kind": "cafe", "favorite": favorite},
     "geometry": {"type": "Point", "coordinates": list(reversed(at(300 + 10 * number, 300)))}}
    for number, name, favorite in [(1, "Twin", False), (2, "Twin", False), (3, "Hut", False), (4, "Hut", True)]]}
PRESENT = json.dumps({"type": "Feature", "properties": {"name": "present"},
                      "geometry": {"type": "LineString", "coordinates": [[8.541, 47.377], [8.541, 47.379]]}})


# Their own ids look like those of placements.
SLASHES = {"type": "FeatureCollection", "features": [
    {"type": "Feature", "id": own, "properties": {"name": f"Tree {number}", "kind": "tree"},
     "geometry": {"type": "Point", "coordinates": list(reversed(at(400 + 10 * number, 300)))}}
    for number, own in enumerate(["oak", "place/oak", "place/elm", "place/place/elm"])]}


def location(point):
    return {"latitude": point[0], "longitude": point[1]}


def point(location):
    return location["latitude"], location["longitude"]


@pytest.fixture(scope="module")
def walk(walk):
    """The same once it is localized, with a few places; the tests of this module change its route."""
    walk.wait_for_state("localized", "limited")
    walk.call(SCENE_IMPORT_PLACES, {"document": json.dumps(PLACES)})
    return walk


@pytest.fixture
def present(walk):
    """Another client's route, which every failure leaves as it is."""
    walk.call(SCENE_SET_ROUTE, {"document": PRESENT, "id": "present"})
    yield
    assert walk.call(SCENE_GET_ROUTE, {"limit": 0})["route"]["id"] == "present"


def navigate(daemon, **parameters):
    reply = daemon.call(TO, parameters)
    interfaces.check_reply(TO, reply)
    return reply


def refusal(daemon, method=TO, **parameters):
    """The error of a call, and its parameters."""
    with pytest.raises(CallFailed) as failed:
        daemon.call(method, parameters)
    return failed.value.name, failed.value.parameters


def navigable(daemon):
    """Whether there is a route to a place, which is set; the present one stays in the tests that need it."""
    if refusal_or_none(daemon, place="node/1"):
        return None
    return daemon.call(SCENE_SET_ROUTE, {"document": PRESENT, "id": "present"})


def refusal_or_none(daemon, **parameters):
    try:
        navigate(daemon, **parameters)
    except CallFailed as failed:
        return failed
    return None


class Navigator:
    """A program that is registered as the navigator, and answers as the test wants."""

    def __init__(self, daemon, service="paper map"):
        self.daemon = daemon
        self.connection = Connection(daemon.socket)
        self.connection.send_call(SERVE, {"service": service}, more=True)
        assert self.connection.reply() == {}

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.connection.close()
        wait_until(lambda: refusal(self.daemon, location=location(at(9, 9)), straightLine=False)[0] == SCENE_NO_NAVIGATOR,
                   what="the navigator is gone")

    def request(self):
        reply = self.connection.reply()
        interfaces.check_reply(SERVE, reply)
        return reply["request"]

    def answer(self, request, **answer):
        return self.daemon.call(ANSWER, {"request": request["id"], **answer})

    def lead(self, request, end=None):
        """Answers with a way, to the destination or elsewhere."""
        document = osrm_document(point(request["from"]), end or point(request["to"]))
        return self.answer(request, document=json.dumps(document))


@contextlib.contextmanager
def asked(daemon, method=TO, **parameters):
    """A call that waits for its reply."""
    with Connection(daemon.socket) as connection:
        connection.send_call(method, parameters)
        yield connection


# Without a navigator


def test_each_way_to_name_a_destination_leads_there_in_a_straight_line(walk):
    """behaviour 52: a tap is one call; the reply says what has found the route."""
    for number, name, parameters in [
            (2, "Twin", {"place": "node/2"}), (1, "Twin", {"place": "place/node/1"}), (4, "Hut", {"text": "hut"}),
            (3, "Hut", {"text": "node/3"}), (5, "Inn", {"location": location(at(350, 300)), "name": "Inn"}),
            (6, None, {"uri": f"geo:{named(at(360, 300))};u=5"})]:
        reply = navigate(walk, **parameters)
        destination = reply["destination"]
        assert destination["foundBy"] == "straightLine" and destination["remainder"] < 0.1
        assert destination["name"] == reply["route"]["name"] == (name or destination["name"])
        assert destination.get("place") == (f"node/{number}" if number < 5 else None), parameters
        assert distance(point(destination["geo"]), at(300 + 10 * number, 300)) < 0.1
        found = walk.call(SCENE_GET_ROUTE)
        assert found["route"]["id"] == reply["route"]["id"] and found["destination"] == destination
        assert distance(point(found["vertices"][-1]), at(300 + 10 * number, 300)) < 0.1


def test_a_place_whose_own_id_begins_like_a_placement_s_can_be_meant(walk):
    """behaviour 52: `place/x` is the place `x`, else the one whose own id that is."""
    walk.call(SCENE_IMPORT_PLACES, {"document": json.dumps(SLASHES)})
    for named_so, meant in [
            ("oak", "oak"), ("place/oak", "oak"), ("place/place/oak", "place/oak"), ("place/elm", "place/elm"),
            ("place/place/elm", "place/elm"), ("place/place/place/elm", "place/place/elm")]:
        assert navigate(walk, place=named_so)["destination"]["place"] == meant, named_so
    # A text is no placement's: it means the own id.
    assert navigate(walk, text="place/oak")["destination"]["place"] == "place/oak"
    assert refusal(walk, place="place/place/place/oak")[0] == SCENE_NO_SUCH_PLACE


def test_what_a_client_has_placed_can_be_gone_to(walk):
    """behaviour 52: any placement that Pick returns."""
    geo = {**location(at(200, 200)), "height": 0.0}
    with Connection(walk.socket) as connection:
        connection.call(SCENE_PLACE_ANCHOR, {"anchor": {"id": "tent", "name": "Tent", "geo": geo}})
        reply = navigate(walk, place="anchor/tent")
    assert reply["destination"]["name"] == "Tent" and distance(point(reply["destination"]["geo"]), at(200, 200)) < 0.5


@pytest.mark.parametrize("parameters, error, field", [
    ({}, SCENE_INVALID_DESTINATION, "place"),
    ({"place": "node/1", "text": "Twin"}, SCENE_INVALID_DESTINATION, "place"),
    ({"uri": "geo:x,y"}, SCENE_INVALID_DESTINATION, "uri"),
    ({"uri": "https://example.org"}, SCENE_INVALID_DESTINATION, "uri"),
    ({"location": {"latitude": 91, "longitude": 0}}, SCENE_INVALID_DESTINATION, "location"),
    ({"text": "x" * 501}, SCENE_INVALID_DESTINATION, "text"),
    ({"place": "node/9"}, SCENE_NO_SUCH_PLACE, None),
    ({"text": "nowhere at all"}, SCENE_NO_SUCH_PLACE, None),
    ({"text": "twin"}, SCENE_AMBIGUOUS_PLACE, None),
    ({"place": "node/1", "name": ""}, SERVICE_INVALID_PARAMETER, None),
    ({"place": "node/1", "profile": "../x"}, SERVICE_INVALID_PARAMETER, None),
    ({"place": "node/1", "straightLine": False}, SCENE_NO_NAVIGATOR, None),
])
def test_each_wrong_destination_has_an_error_of_its_own(walk, present, parameters, error, field):
    """behaviour 52: the present route stays."""
    name, found = refusal(walk, **parameters)
    assert name == error and found.get("field") == field
    if error == SCENE_AMBIGUOUS_PLACE:
        assert {place["id"] for place in found["candidates"]} == {"node/1", "node/2"}


def test_where_the_wearer_is_already_there_is_no_route(walk):
    def refused():
        # The simulated wearer goes on meanwhile.
        navigate(walk, location=location(at(500, 500)))
        start = walk.call(SCENE_GET_ROUTE, {"limit": 1})["vertices"][0]
        try:
            navigate(walk, location=start)
        except CallFailed as failed:
            return failed
        return None

    failed = wait_until(refused, what="a destination that is less than a metre away")
    assert failed.name == SCENE_NAVIGATION_FAILED and "less than a metre" in failed.parameters["reason"]


def test_before_the_first_position_nothing_is_found(daemon):
    blind = daemon(SIMULATION, {"simulation": {"gnss_rate_hz": 0}}).start()
    assert refusal(blind, location=location(at(9, 9)))[0] == SCENE_NOT_LOCALIZED
    assert refusal(blind, AGAIN)[0] == SCENE_NOT_LOCALIZED
    blind.call(SCENE_CLEAR_ROUTE)
    assert refusal(blind, AGAIN)[0] == SCENE_NO_ROUTE


def test_the_end_of_a_plain_route_is_its_destination(walk, present):
    """behaviour 52: a wearer who has left it is led back to where it leads, under the same id."""
    assert "destination" not in walk.call(SCENE_GET_ROUTE)
    reply = walk.call(AGAIN)
    interfaces.check_reply(AGAIN, reply)
    assert reply["route"]["id"] == "present" and reply["destination"]["name"] == "present"
    assert distance(point(reply["destination"]["geo"]), (47.379, 8.541)) < 0.1


# With one


def test_the_navigator_finds_the_route(walk):
    """behaviour 52: it gets no more than both places, the profile and the name; its words reach the caller."""
    with Navigator(walk) as navigator, asked(walk, place="node/1", profile="stroll") as call:
        request = navigator.request()
        assert set(request) == {"id", "from", "to", "profile", "name"}
        assert request["profile"] == "stroll" and request["name"] == "Twin"
        end = at(310, 260)
        navigator.lead(request, end)
        reply = call.reply()
        assert reply["route"]["turns"] == 1 and reply["route"]["duration"] == pytest.approx(160)
        destination = reply["destination"]
        assert destination["foundBy"] == "navigator" and destination["service"] == "paper map"
        assert destination["remainder"] == pytest.approx(40, abs=0.5)
        # Again from there, by both who ask meanwhile.
        with asked(walk, AGAIN) as one, asked(walk, AGAIN) as other:
            request = navigator.request()
            # The daemon takes calls in turn: after this one it has read the others.
            walk.status()
            navigator.lead(request)
            assert one.reply()["route"]["id"] == other.reply()["route"]["id"] == reply["route"]["id"]
        # A destination that is still searched for when another route is asked for.
        with asked(walk, text="node/3") as one, asked(walk, AGAIN) as other:
            request = navigator.request()
            walk.status()
            navigator.lead(request)
            assert one.reply()["route"]["id"] == other.reply()["route"]["id"] != reply["route"]["id"]


def test_a_navigator_without_a_route_is_an_error_and_never_a_straight_line(walk, present):
    """behaviour 52: the reason comes from the service."""
    with Navigator(walk) as navigator:
        with asked(walk, place="node/1") as call:
            navigator.answer(navigator.request(), failure="the map ends here: load another one")
            with pytest.raises(CallFailed) as failed:
                call.reply()
            assert failed.value.name == SCENE_NAVIGATION_FAILED
            assert failed.value.parameters["reason"] == "the map ends here: load another one"
        with asked(walk, place="node/1") as call:
            request = navigator.request()
            assert refusal(walk, ANSWER, request=request["id"], document="{")[0] == SCENE_INVALID_DOCUMENT
            with pytest.raises(CallFailed) as failed:
                call.reply()
            assert failed.value.name == SCENE_NAVIGATION_FAILED and "cannot be read" in failed.value.parameters["reason"]
        assert refusal(walk, ANSWER, request=request["id"], failure="late") == (
            SCENE_NO_SUCH_REQUEST, {"request": request["id"]})


def test_there_is_one_navigator(walk):
    """behaviour 52: the second learns who holds the place."""
    with Navigator(walk), Connection(walk.socket) as second:
        second.send_call(SERVE, {}, more=True)
        with pytest.raises(CallFailed) as failed:
            second.reply()
    assert failed.value.name == SCENE_NAVIGATOR_REGISTERED
    assert failed.value.parameters == {"process": os.getpid(), "user": os.getuid(), "service": "paper map"}


def test_a_later_request_takes_the_place_of_one_that_waits(walk):
    """behaviour 52: also SetRoute and ClearRoute, whatever the navigator answers then."""
    with Navigator(walk) as navigator:
        with asked(walk, place="node/1") as first:
            early = navigator.request()
            with asked(walk, place="node/2") as second:
                late = navigator.request()
                with pytest.raises(CallFailed) as failed:
                    first.reply()
                assert failed.value.name == SCENE_NAVIGATION_SUPERSEDED
                assert refusal(walk, ANSWER, request=early["id"], failure="late")[0] == SCENE_NO_SUCH_REQUEST
                navigator.lead(late)
                assert second.reply()["destination"]["place"] == "node/2"
        with asked(walk, place="node/1") as call:
            request = navigator.request()
            walk.call(SCENE_CLEAR_ROUTE)
            document = json.dumps(osrm_document(point(request["from"]), point(request["to"])))
            assert refusal(walk, ANSWER, request=request["id"], document=document)[0] == SCENE_NO_SUCH_REQUEST
            with pytest.raises(CallFailed) as failed:
                call.reply()
            assert failed.value.name == SCENE_NAVIGATION_SUPERSEDED
            assert refusal(walk, SCENE_GET_ROUTE)[0] == SCENE_NO_ROUTE


@contextlib.contextmanager
def reading(daemon, files, name="later", **parameters):
    """A call of SetRoute whose file the daemon is reading."""
    with Connection(daemon.socket) as connection:
        connection.send_call(SCENE_SET_ROUTE, {"descriptor": 0, **parameters}, [files.open(name)])
        # The daemon takes what clients send in turn: after this call it has read the other.
        daemon.status()
        yield connection


def test_rerouting_meanwhile_leaves_a_route_whose_file_is_still_read_its_turn(walk):
    """behaviour 52: SetRoute was called later than the route was asked for that is found again; it was refused."""
    walk.call(SCENE_SET_ROUTE, {"document": PRESENT, "id": "present"})
    with stuck_files() as files, Navigator(walk) as navigator, reading(walk, files, id="late") as late:
        with asked(walk, AGAIN) as again:
            navigator.lead(navigator.request())
            assert again.reply()["route"]["id"] == "present"
        files.answer(PRESENT)
        assert late.reply()["route"]["id"] == walk.call(SCENE_GET_ROUTE)["route"]["id"] == "late"


def test_a_route_that_was_read_meanwhile_is_not_rerouted_to_the_destination_of_before(walk):
    """behaviour 52: also where it has the same id."""
    walk.call(SCENE_SET_ROUTE, {"document": PRESENT, "id": "present"})
    with stuck_files() as files, Navigator(walk) as navigator, reading(walk, files, id="present") as late:
        with asked(walk, AGAIN) as again:
            request = navigator.request()
            files.answer(PRESENT)
            length = late.reply()["route"]["length"]
            document = json.dumps(osrm_document(point(request["from"]), point(request["to"])))
            assert refusal(walk, ANSWER, request=request["id"], document=document)[0] == SCENE_NO_SUCH_REQUEST
            with pytest.raises(CallFailed) as failed:
                again.reply()
            assert failed.value.name == SCENE_NAVIGATION_SUPERSEDED
        assert walk.call(SCENE_GET_ROUTE)["route"]["length"] == length


def test_as_many_routes_wait_as_are_permitted_and_a_request_outlasts_the_limit(walk, present):
    """behaviour 52: documents that wait are memory of others' choosing."""
    limit = STATUS_LIMIT_EXCEEDED, {"limit": "waitingRoutes", "maximum": 4}
    with stuck_files() as files, contextlib.ExitStack() as stack:
        for _ in range(4):
            stack.enter_context(reading(walk, files, "read"))
        assert refusal(walk, SCENE_SET_ROUTE, document=PRESENT) == limit
        assert refusal(walk, place="node/1") == limit, "a straight line is a document, too"
        with Navigator(walk) as navigator, asked(walk, place="node/1") as call:
            request = navigator.request()
            assert refusal(walk, ANSWER, request=request["id"], document=PRESENT) == limit
            # The request waits on; a failure needs no place.
            navigator.answer(request, failure="the daemon reads too many routes: try again")
            with pytest.raises(CallFailed) as failed:
                call.reply()
            assert failed.value.name == SCENE_NAVIGATION_FAILED
    wait_until(lambda: navigable(walk), what="a route, once those files are given up")


@needs_root
def test_who_is_not_the_navigator_s_user_answers_nothing(open_daemon):
    """behaviour 52: for others there is no such request, also where they may make changes."""
    made = open_daemon({"service": {"change_user": OTHER_ACCOUNT}})
    wait_until(lambda: refusal_or_none(made, location=location(at(300, 300))) is None, what="a position")

    def answer(number):
        def action():
            with Connection(made.socket) as connection:
                return [connection.error(ANSWER, {"request": number, **given})
                        for given in ({"failure": "no"}, {"document": PRESENT})]
        return as_other_user(action)

    with Navigator(made) as navigator, asked(made, location=location(at(300, 300))) as call:
        request = navigator.request()
        assert answer(request["id"]) == [SCENE_NO_SUCH_REQUEST] * 2
        navigator.lead(request)
        assert call.reply()["destination"]["foundBy"] == "navigator"


def test_a_caller_who_leaves_cancels(walk, present):
    with Navigator(walk) as navigator:
        with asked(walk, place="node/1"):
            request = navigator.request()
        # The daemon takes what clients send in turn: the end of that connection came before this call.
        document = json.dumps(osrm_document(point(request["from"]), point(request["to"])))
        assert refusal(walk, ANSWER, request=request["id"], document=document)[0] == SCENE_NO_SUCH_REQUEST


def test_what_waits_for_a_navigator_that_dies_goes_on_without(walk):
    """behaviour 52: in a straight line, or with an error for who wants none."""
    for will_do in (True, False):
        walk.call(SCENE_SET_ROUTE, {"document": PRESENT, "id": "present"})
        with Navigator(walk) as navigator, asked(walk, place="node/1", straightLine=will_do) as call:
            navigator.request()
            navigator.connection.close()
            if will_do:
                assert call.reply()["destination"]["foundBy"] == "straightLine"
                continue
            with pytest.raises(CallFailed) as failed:
                call.reply()
            assert failed.value.name == SCENE_NO_NAVIGATOR
            assert walk.call(SCENE_GET_ROUTE)["route"]["id"] == "present"


# waymark navigator


class Running:
    """A running command and what it prints."""

    def __init__(self, daemon, *arguments, folder):
        number = len(list(folder.iterdir()))
        self.output, self.errors = folder / f"output{number}", folder / f"errors{number}"
        config = folder / f"config{number}.toml"
        config.write_text("[navigation]\noff_route_patience_seconds = 0\nleast_interval_seconds = 1\n")
        with open(self.output, "wb") as file:
            self.program = Program(
                [PROGRAMS / "waymark", *arguments, "--json", f"--config={config}"], self.errors,
                stdout=file, env={**os.environ, "WAYMARK_SOCKET": str(daemon.socket)})

    @property
    def events(self):
        return [json.loads(line) for line in self.output.read_text().splitlines()]

    def wait_for(self, event, timeout=PATIENCE):
        def seen():
            assert self.program.runs, self.program.log
            return [each for each in self.events if each["event"] == event]
        return wait_until(seen, timeout, lambda: f"{event}; there were {self.events}; errors:\n{self.program.log}")[-1]


@pytest.fixture
def navigator(tmp_path):
    """Starts `waymark navigator` with a stand-in of a service, and waits until it is registered."""
    with contextlib.ExitStack() as stack:
        def start(daemon, behave=osrm_service):
            service = stack.enter_context(FakeService(behave))
            made = Running(daemon, "navigator", "--service", f"osrm+{service.address}", folder=tmp_path)
            stack.callback(made.program.end)
            daemon.said(f"process {made.program.process.pid} finds routes")
            made.service = service
            return made

        yield start


def test_a_tap_is_answered_by_a_routing_service(walk, navigator, present_time):
    """behaviour 52: from the tap to the route, by a service on this computer."""
    finder = navigator(walk)
    took = []
    for number in (1, 2, 3):
        begin = time.monotonic()
        reply = navigate(walk, place=f"place/node/{number}", profile="stroll")
        took.append(time.monotonic() - begin)
        assert reply["destination"]["service"] == f"osrm+{finder.service.address}"
        assert reply["route"]["turns"] == 1
    start, end = asked_places(finder.service.requests[-1])
    assert "/stroll/" in finder.service.requests[-1].line and distance(end, at(330, 300)) < 0.1
    present_time("NavigateTo to route set", took)
    wait_until(lambda: finder.wait_for("set")["destination"]["name"] == "Hut", what="a line that says so")
    done = waymark("navigator", "--service=osrm", socket=walk.socket)
    assert done.returncode == 1 and "is the navigator already" in done.stderr
    assert finder.program.end(signal.SIGTERM) == 0 and finder.program.log == ""
    wait_until(lambda: navigate(walk, place="node/1")["destination"]["foundBy"] == "straightLine", what="no navigator")


@pytest.fixture
def present_time(record_property):
    """Reports a duration, which is measured and not asserted."""
    def report(what, seconds):
        record_property(what, seconds)
        print(f"{what}: " + ", ".join(f"{1000 * each:.1f} ms" for each in seconds))
    return report


def test_a_service_that_fails_is_the_callers_error(walk, navigator, present):
    finder = navigator(walk, answering({"code": "NoSegment", "message": "out to lunch"}))
    name, parameters = refusal(walk, place="node/1")
    assert name == SCENE_NAVIGATION_FAILED and "out to lunch" in parameters["reason"]
    wait_until(lambda: "no route: " in finder.program.log, what="a line that says so")


def test_a_caller_who_leaves_before_the_service_fails_ends_no_navigator(walk, navigator, present):
    """A failure that no client waits for is not the navigator's own."""
    asked_for, gone = threading.Event(), threading.Event()

    def behave(connection, _):
        asked_for.set()
        gone.wait(PATIENCE)
        connection.sendall(response({"code": "NoSegment", "message": "out to lunch"}))

    finder = navigator(walk, behave)
    with asked(walk, place="node/1"):
        assert asked_for.wait(PATIENCE)
    # The daemon takes what clients send in turn: after this call it has read the end of that connection.
    walk.status()
    gone.set()
    wait_until(lambda: "no route: " in finder.program.log, what="a line that says so")
    assert "out to lunch" in refusal(walk, place="node/1")[1]["reason"] and finder.program.runs


def test_route_to_asks_the_navigator_where_one_runs(walk, navigator, tmp_path):
    """behaviour 52: unless a service is named, or none is wanted."""
    config = tmp_path / "empty.toml"
    config.touch()
    finder = navigator(walk)
    done = waymark("route", "to", f"--config={config}", "node/1", socket=walk.socket)
    assert done.returncode == 0 and f"service    osrm+{finder.service.address}" in done.stdout, done.stderr
    assert len(finder.service.requests) == 1
    done = waymark("route", "to", f"--config={config}", "--straight", "node/1", socket=walk.socket)
    assert done.returncode == 0 and "a straight line" in done.stdout and len(finder.service.requests) == 1


def test_that_the_navigator_has_gone_is_reported_once_and_so_is_that_it_is_back(walk, tmp_path):
    """behaviour 52: by `waymark route to --keep`, whose wearer would wait for another route in vain."""
    with Navigator(walk) as navigator:
        kept = Running(walk, "route", "to", "--keep", "node/1", folder=tmp_path)
        navigator.lead(navigator.request())
        kept.wait_for("set")
        assert walk.call(SCENE_GET_ROUTE)["navigator"] is True
    try:
        assert walk.call(SCENE_GET_ROUTE)["navigator"] is False
        kept.wait_for("navigatorGone")
        with Navigator(walk):
            kept.wait_for("navigatorBack")
            named_so = [each["event"] for each in kept.events if each["event"].startswith("navigator")]
            assert named_so == ["navigatorGone", "navigatorBack"]
            assert kept.program.end() == 0
    finally:
        kept.program.end()


@pytest.mark.long
def test_who_leaves_the_route_is_given_another_one(daemon, navigator, tmp_path):
    """behaviour 52: by the navigator, which `waymark route to --keep` reports; also after a restart of the daemon."""
    walk = daemon(SIMULATION, {"route": {"off_route_m": 5.0, "off_route_accuracies": 0, "off_route_fixes": 1}}).start()
    walk.wait_for_state("localized", "limited")
    finder = navigator(walk)
    kept = Running(walk, "route", "to", "--keep", named(at(-150, -150)), folder=tmp_path)
    try:
        first = kept.wait_for("set")["route"]
        for each in (finder, kept):
            each.wait_for("offRoute", timeout=2 * PATIENCE)
            again = each.wait_for("newRoute")
            assert again["route"]["id"] == first["id"] and again["service"] == f"osrm+{finder.service.address}"
        start, _ = asked_places(finder.service.requests[-1])
        assert distance(start, asked_places(finder.service.requests[0])[0]) > 5
        count = len(finder.service.requests)
        walk.stop()
        walk.start()
        wait_until(lambda: len(finder.service.requests) > count, 2 * PATIENCE, "the navigator is asked again")
        assert kept.program.runs and finder.program.runs
        assert not [each for each in kept.events if each["event"].startswith("navigator")], "it has found the daemon again"
        assert kept.program.end() == 0
    finally:
        kept.program.end()


# After a restart: the tests of before have the daemon as it was


def restored(daemon, route):
    """What is said of a route of before; the simulation has a route of its own, which is there first."""
    try:
        reply = daemon.call(SCENE_GET_ROUTE, {"limit": 0})
    except CallFailed:
        return None
    return reply if reply["route"]["id"] == route else None


def test_the_destination_outlives_the_daemon_and_its_navigator_is_not_waited_for_in_vain(walk):
    """behaviour 52: Reroute leads to it; the daemon waits a second longer than the navigator for its service."""
    before = navigate(walk, location=location(at(800, 800)), name="Lodge", profile="stroll")
    walk.stop()
    walk.configure({"navigation": {"timeout_seconds": 0.5}})
    walk.start()
    kept = wait_until(lambda: restored(walk, before["route"]["id"]), what="the route that was kept")
    assert kept["destination"] == before["destination"]
    walk.wait_for_state("localized", "limited")
    assert walk.call(AGAIN)["destination"]["profile"] == "stroll"
    with Navigator(walk) as navigator, asked(walk, AGAIN) as call:
        assert navigator.request()["profile"] == "stroll"
        with pytest.raises(CallFailed) as failed:
            call.reply()
    assert failed.value.name == SCENE_NAVIGATION_TIMED_OUT and failed.value.parameters == {"seconds": 1.5}
