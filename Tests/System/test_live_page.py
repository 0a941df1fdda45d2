"""The page of `waymark serve` in Debian's Chromium: the view is where the renderer in Python draws it, the panels say what the
daemon says, and nothing that a daemon, a name or a missing library does breaks the page."""
import contextlib
import http.server
import json
import math
import re
import signal
import sqlite3
import threading

import numpy as np
import pytest
from PIL import Image
from waymark_interface import (
    PLAN_IMPORT, PLAN_REMOVE, POSE_GET_POSE, SCENE_CLEAR_ROUTE, SCENE_GET_ROUTE, SCENE_GET_SCENE, SCENE_IMPORT_PLACES, SCENE_SUBSCRIBE)

from harness.browser import MISSING, PROGRAM, browser
from harness.daemon import SIMULATION, Daemon
from harness.live_page import LivePage
from harness.live_server import LiveServer
from harness.settings import merged
from harness.waiting import PATIENCE, wait_until
from renderer import arrows, marks
from renderer.camera import FIELD_OF_VIEW, HEIGHT, WIDTH, Eye
from renderer.picture import COLORS
from renderer.scene_state import stamp

pytestmark = [pytest.mark.skipif(not PROGRAM, reason=MISSING), pytest.mark.long]

# Within which a placement is where the renderer has it. Pixels.
CLOSE = 2


class Walk:
    """A daemon on the simulated walk with the server of its page."""

    def __init__(self, settings=None, *options):
        self.daemon = Daemon(merged(SIMULATION, settings or {})).start()
        self.server = LiveServer(self.daemon, *options)

    def remove(self):
        self.server.end()
        self.daemon.remove()


@pytest.fixture(scope="module")
def walk():
    made = Walk()
    yield made
    made.remove()


@pytest.fixture
def make_walk():
    """Makes walks that a test may harm. Named before `open_page`, they end after the page was looked at."""
    made = []

    def make(*arguments):
        made.append(Walk(*arguments))
        return made[-1]

    yield make
    for each in made:
        each.remove()


@pytest.fixture
def own_walk(make_walk):
    return make_walk()


@pytest.fixture(scope="module")
def chromium():
    with browser(webgl=True) as opened:
        yield opened


@pytest.fixture
def open_page(chromium):
    """Opens the page of a walk; nothing has complained at the end."""
    opened = []

    def load(walk):
        opened.append(LivePage(chromium, walk.server.url))
        return opened[-1]

    yield load
    assert chromium.complaints == []


@pytest.fixture
def page(open_page, walk):
    """The page of the walk that tests share, once it draws the scene."""
    opened = open_page(walk)
    wait_for_scene(opened)
    return opened


def wait_for_scene(page, kind="place"):
    """Waits until the view draws something of a kind."""
    page.wait_for(lambda: any(each["kind"] == kind for each in page.shown()["placements"]), f"a {kind} in the view")


def expected(shown):
    """Pixels of each placement by its id, as the renderer has them; None for what is behind."""
    assert shown["fieldOfView"] == FIELD_OF_VIEW
    eye, view = Eye(shown["pose"]), shown["view"]
    # The renderer's display has a size of its own; both have the same angle from left to right.
    scale, middle = view["width"] / WIDTH, np.array([view["width"], view["height"]]) / 2
    found = {}
    for each in shown["placements"]:
        placement = each["json"]
        if placement["kind"] == "arrow":
            point, _ = arrows.placed(placement, shown["scene"].get("motion"), shown["moment"])
        elif placement["kind"] == "node":
            point = marks.place(placement, eye)
        else:
            point = marks.drawn_place(placement, eye)
        pixel = eye.pixel(point)
        found[each["id"]] = None if pixel is None else (pixel - [WIDTH / 2, HEIGHT / 2]) * scale + middle
    return found


def assert_drawn_in_place(shown):
    """Every placement is where the renderer has it; returns how far off the worst is."""
    pixels, worst = expected(shown), 0
    for each in shown["placements"]:
        if pixels[each["id"]] is None or each["x"] is None:
            assert pixels[each["id"]] is None and each["x"] is None, each
            continue
        off = math.dist((each["x"], each["y"]), pixels[each["id"]])
        # Far beside the display a degree is many pixels, and a rounded one many too.
        width = shown["view"]["width"]
        if abs(each["x"] - width / 2) < 3 * width:
            worst = max(worst, off)
            assert off <= CLOSE, (each, pixels[each["id"]])
    return worst


def test_all_placements_are_where_the_renderer_has_them(page, walk):
    wait_for_scene(page, "arrow")
    page.freeze()
    shown = page.shown()
    kinds = {each["kind"] for each in shown["placements"]}
    print(f"{len(shown['placements'])} placements, {assert_drawn_in_place(shown):.3f} px at most")
    assert {"arrow", "place", "turn"} <= kinds
    assert shown["revision"] == shown["scene"]["revision"] and shown["generation"] == shown["pose"]["generation"]
    assert shown["moment"] >= stamp(shown["pose"]["time"])


def test_the_view_has_the_placements_that_the_daemon_lists(page, walk):
    def alike():
        listed = walk.daemon.call(SCENE_GET_SCENE)["scene"]["changed"]
        ids = [{each["id"] for each in group if each["kind"] in ("place", "cluster", "turn", "destination")}
               for group in (listed, page.shown()["placements"])]
        return ids[0] and ids[0] == ids[1]

    page.wait_for(alike, "the placements of GetScene")


def test_a_frozen_view_stays_and_goes_on_afterwards(page):
    page.freeze()
    before = page.shown()
    page.wait_for(lambda: page.shown()["poses"] > before["poses"] + 10, "poses that arrive")
    after = page.shown()
    assert [after[key] for key in ("pose", "moment", "frames", "revision")] == [
        before[key] for key in ("pose", "moment", "frames", "revision")]
    page.freeze(False)
    page.wait_for(lambda: page.shown()["frames"] > after["frames"] and page.shown()["moment"] > after["moment"])


def lone_discs(shown):
    """Places whose discs are well within the view and apart from all others, with their radii in pixels."""
    view, pixels = shown["view"], {id: pixel for id, pixel in expected(shown).items() if pixel is not None}
    focal = view["width"] / 2 / math.tan(math.radians(FIELD_OF_VIEW) / 2)
    for each in shown["placements"]:
        id, pixel = each["id"], pixels.get(each["id"])
        if each["kind"] != "place" or pixel is None:
            continue
        radius = focal * math.tan(math.radians(each["json"]["size"]["angle"]) / 2)
        inside = (pixel > 2 * radius).all() and (pixel < np.array([view["width"], view["height"]]) - 2 * radius).all()
        apart = all(math.dist(pixel, other) > 4 * radius for its, other in pixels.items() if its != id)
        if inside and apart:
            yield pixel, radius


def centroid(picture, pixel, radius, color):
    """Middle of what has a colour around a pixel; None for less than a half of the disc."""
    height, width, _ = picture.shape
    y, x = np.mgrid[0:height, 0:width]
    near = np.hypot(x + 0.5 - pixel[0], y + 0.5 - pixel[1]) < 1.7 * radius
    alike = near & (np.abs(picture.astype(int) - color).max(axis=2) < 50)
    if alike.sum() < 0.5 * math.pi * radius ** 2:
        return None
    return np.array([x[alike].mean() + 0.5, y[alike].mean() + 0.5])


def test_discs_in_the_picture_are_where_the_renderer_has_them(page, chromium, tmp_path):
    # What lies over the canvas could cover them.
    chromium.evaluate("for (const id of ['hints', 'field']) document.getElementById(id).style.display = 'none'")

    def measured():
        page.freeze(False)
        chromium.frame()
        page.freeze()
        shown = page.shown()
        discs = list(lone_discs(shown))
        if not discs:
            return None
        view = shown["view"]
        chromium.frame()
        chromium.screenshot(tmp_path / "view.png", [view[key] for key in ("left", "top", "width", "height")])
        picture = np.asarray(Image.open(tmp_path / "view.png").convert("RGB"))
        found = [(pixel, centroid(picture, pixel, radius, COLORS["place"])) for pixel, radius in discs]
        # A pulse may be at its end, where little of a disc is left.
        return [(pixel, middle) for pixel, middle in found if middle is not None]

    pairs = page.wait_for(measured, "a disc that stands alone")
    off = [math.dist(*pair) for pair in pairs]
    print(f"{len(off)} discs, {max(off):.2f} px at most")
    assert max(off) <= CLOSE


# Width and height in pixels of a disc of one angle, at several angles beside the middle of a wide view.
SIZES = """(async () => {
    const {Eye} = await import("./eye.js"), eye = new Eye(), object = new THREE.Object3D();
    eye.resize(1200, 600, 90);
    eye.look({orientation: {x: 0, y: 0, z: 0, w: 1}});
    return [0, 0.3, 0.7].map((angle) => {
        eye.lay(object, {x: 50 * Math.sin(angle), y: 6, z: -50 * Math.cos(angle)}, 0.02, 0.02);
        const e = object.matrixWorld.elements;
        const at = (u, v) => eye.pixel({x: e[12] + u * e[0] + v * e[4], y: e[13] + u * e[1] + v * e[5], z: e[14] + u * e[2] + v * e[6]});
        const between = (a, b) => Math.hypot(a.x - b.x, a.y - b.y);
        return [between(at(1, 0), at(-1, 0)), between(at(0, 1), at(0, -1))];
    });
})()"""


def test_a_disc_has_the_same_size_all_over_the_view(page, chromium):
    assert np.allclose(chromium.evaluate(SIZES), 2 * 600 * 0.02)


def test_the_scene_is_that_of_the_canvas_after_another_size(page, chromium):
    before = page.shown()["view"]
    chromium.size(700, 900)
    page.wait_for(lambda: page.shown()["view"]["width"] != before["width"], "another size")
    wait_for_scene(page)

    def settled():
        page.freeze(False)
        chromium.frame()
        page.freeze()
        shown = page.shown()
        return shown["placements"] and shown

    shown = page.wait_for(settled)
    assert_drawn_in_place(shown)
    page.freeze(False)
    # On the display or not is what the daemon reckons for the camera that it was given.
    page.wait_for(lambda: visible_as_drawn(page.shown()), "placements that are visible as the daemon says")
    assert chromium.evaluate("document.documentElement.scrollWidth <= innerWidth"), "nothing is wider than the window"


def visible_as_drawn(shown):
    """Whether what the daemon calls visible is on the canvas, and what has a hint is not well within it."""
    width, height = shown["view"]["width"], shown["view"]["height"]
    # What moves between two scene messages may be a little beyond the border.
    slack = 0.1 * height
    for each in shown["placements"]:
        placement, (x, y) = each["json"], (each["x"], each["y"])
        on = x is not None and -slack <= x <= width + slack and -slack <= y <= height + slack
        within = x is not None and 0.2 * height <= x <= width - 0.2 * height and 0.2 * height <= y <= 0.8 * height
        if placement["kind"] in ("place", "turn") and (placement["visible"] and not on or "hint" in placement and within):
            return False
    return bool(shown["placements"])


# What lies over the view and over the map, as names and boxes in the window: left, top, right and bottom.
BOXES = """(() => {
    const box = (each) => { const {left, top, right, bottom} = each.getBoundingClientRect(); return [left, top, right, bottom]; };
    const all = (selector) => [...document.querySelectorAll(selector)].filter((each) => each.checkVisibility()).map(box);
    const moved = ([left, top], [a, b, c, d]) => [left + a, top + b, left + c, top + d];
    const middle = (size) => ([a, b, c, d]) => [(a + c) / 2 - size, (b + d) / 2 - size, (a + c) / 2 + size, (b + d) / 2 + size];
    const view = box(document.querySelector("#view canvas")), map = box(document.querySelector("#map canvas"));
    return {
        view, map, labels: waymark.labels().map(({x, y, width, height}) =>
            moved(view, [x - width / 2, y - height / 2, x + width / 2, y + height / 2])),
        hints: [...all("#hints span"), ...all("#hints i").map(middle(6)), ...all("#field")],
        names: waymark.names().map((each) => moved(map, each)), tools: all("#map .tools button, #map .north, #map .scale")};
})()"""


def overlapping(boxes):
    """Pairs of boxes of which one covers the other."""
    return [(a, b) for index, a in enumerate(boxes) for b in boxes[index + 1:]
            if a[0] < b[2] and b[0] < a[2] and a[1] < b[3] and b[1] < a[3]]


def within(box, outer):
    return box[0] >= outer[0] - 1 and box[1] >= outer[1] - 1 and box[2] <= outer[2] + 1 and box[3] <= outer[3] + 1


@pytest.mark.parametrize("width, height", [(390, 844), (800, 1100), (1280, 800), (1920, 1080)])
def test_nothing_is_cut_and_no_text_covers_another(page, chromium, width, height):
    chromium.size(width, height)

    def found():
        page.freeze(False)
        chromium.frame()
        page.freeze()
        boxes = chromium.evaluate(BOXES)
        texts = overlapping([*boxes["labels"], *boxes["hints"]]) + overlapping([*boxes["names"], *boxes["tools"]])
        return boxes["labels"] and boxes["hints"][1:] and boxes["names"] and not texts and boxes

    # The daemon lays the hints out for the camera of this size a moment later.
    boxes = page.wait_for(found, "labels, hints and names that cover nothing")
    assert all(within(label, boxes["view"]) for label in boxes["labels"])
    assert all(within(name, boxes["map"]) for name in boxes["names"])
    assert chromium.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert chromium.evaluate("[...document.querySelectorAll('.card')].every((card) => card.getBoundingClientRect().height > 90)")
    assert chromium.evaluate("[...document.querySelectorAll('.panel')].every((panel) => panel.scrollHeight <= panel.clientHeight)")
    assert "on a simulation" in page.text("header")


def test_events_that_are_to_come_are_announced(page, chromium):
    assert "listed here" in chromium.evaluate("""(() => {
        const list = document.querySelector("#events ol");
        list.replaceChildren();
        return getComputedStyle(list, "::before").content;
    })()""")


def numbers(text):
    return [float(each.replace("−", "-")) for each in re.findall(r"[-−+]?\d+(?:\.\d+)?", text)]


def test_the_panels_say_what_the_daemon_says(page, walk):
    def agrees():
        pose, facts = walk.daemon.call(POSE_GET_POSE)["pose"], page.facts("pose")
        known = pose["accuracy"]
        figures = [known["horizontalAccuracy"], known["verticalAccuracy"], known["orientationYawAccuracy"]]
        geo = pose["geo"]
        shown = numbers(facts["accuracy"])
        # The page may be in the middle of an update.
        return (
            len(shown) == len(figures) and np.allclose(shown, figures, atol=0.5)
            and np.allclose(numbers(facts["position"]), [geo["latitude"], geo["longitude"]], atol=2e-5, rtol=0)
            and np.allclose(numbers(facts["height"]), geo["height"], atol=0.5, rtol=0)
            and f"generation {pose['generation']}" in facts["frame"]
            and facts["tracking"] == "orientation tracked, position tracked"
            and facts["sources"].startswith("inertial, magnetometer, GNSS position") and facts["readiness"] == "ready"
            and turn_between(numbers(page.text("#heading"))[0], pose["heading"]) < 15)

    page.wait_for(agrees, "the figures of GetPose")
    status = walk.daemon.status()
    assert page.text("#state") == "localized"
    assert status["version"] in page.text("#version")
    sensors = page.text("#sensors")
    for device in status["devices"]:
        assert f"{device['name'].removeprefix('simulated ')} {device['grantedRate']:.1f} Hz" in sensors


# What the page does with the plan of a status; on the simulated walk satellites measure the motion, and no plan is followed.
FOLLOWED = """(async () => {{
    const {{PlanLines}} = await import("./map_lines.js"), {{Caller}} = await import("./connection.js");
    const {{LocalPlane}} = await import("./geometry.js");
    const plan = new PlanLines(), caller = new Caller(() => {{}}), geo = {geo};
    await new Promise((opened) => {{ caller.whenOpened = opened; caller.start(); }});
    await plan.follow({{plan: "hall", level: "F1", state: "used"}}, geo, caller);
    const followed = plan.drawn(new LocalPlane(geo));
    await plan.follow({{plan: "hall", level: "F1", state: "unfit"}}, geo, caller);
    caller.stop();
    return {{followed, unfit: plan.drawn(new LocalPlane(geo))}};
}})()"""


def test_lines_of_a_plan_come_through_the_server_and_lie_around_the_wearer(page, walk, chromium):
    assert page.facts("pose")["plan"] == "none"
    geo = walk.daemon.call(POSE_GET_POSE)["pose"]["geo"]
    west, south = geo["longitude"] - 1e-4, geo["latitude"] - 1e-4
    ring = [[west, south], [west + 2e-4, south], [west + 2e-4, south + 2e-4], [west, south + 2e-4], [west, south]]
    document = {"type": "FeatureCollection", "features": [{
        "type": "Feature", "properties": {"kind": "room", "level": "F1"},
        "geometry": {"type": "Polygon", "coordinates": [ring]}}]}
    walk.daemon.call(PLAN_IMPORT, {"document": json.dumps(document), "id": "hall"})

    def drawn():
        return chromium.evaluate(FOLLOWED.format(geo=json.dumps(geo)))

    wait_until(lambda: drawn()["followed"])
    found = drawn()
    [line] = found["followed"]
    assert line["kind"] == "room" and len(line["points"]) == 5
    assert [line["points"][0][axis] for axis in ("east", "north")] == pytest.approx([-7.5, -11.1], abs=0.3)
    assert found["unfit"] == []
    walk.daemon.call(PLAN_REMOVE, {"id": "hall"})


def test_a_camera_is_shown_with_the_trust_in_it(make_walk, open_page):
    page = open_page(make_walk({"simulation": {"camera": True}}))
    page.wait_for(
        lambda: re.search(r"offered by programs .*camera (29|30|31)\.\d Hz \d+ ms trusted", page.text("#sensors")),
        "a camera that is trusted")


def turn_between(a, b):
    return abs((a - b + 180) % 360 - 180)


def test_route_and_what_lies_ahead_are_shown(page, walk):
    def agrees():
        route = walk.daemon.call(SCENE_GET_SCENE)["scene"]["route"]
        turn, goal = page.text("#route .turn"), page.text("#route .goal")
        return (
            route["nextTurn"]["text"] in turn and abs(numbers(turn)[-1] - route["nextTurn"]["alongRoute"]) < 3
            and route["name"] in goal and abs(numbers(goal)[0] - route["remaining"]) < 3)

    page.wait_for(agrees, "the progress on the route")
    page.wait_for(lambda: "Corner Café" in page.text("#route ol"), "places around")


def test_a_daemon_that_goes_is_reported_and_its_return_found(own_walk, open_page):
    page = open_page(own_walk)
    wait_for_scene(page)
    own_walk.daemon.program.end(signal.SIGKILL)
    page.wait_for(lambda: page.text("#state") == "connection lost")
    page.wait_for(lambda: "waymarkd is not running: start it" in page.text("#obstacle"), "the remedy")
    facts = page.facts("pose")
    assert {facts[name] for name in ("position", "motion", "frame", "sources")} == {"–"}, "what is not known is no figure"
    assert page.text("#route .turn") == "–"
    frames = page.shown()["frames"]
    own_walk.daemon.start()
    page.wait_for(lambda: page.text("#state") == "localized")
    page.wait_for(lambda: page.shown()["frames"] > frames)
    wait_for_scene(page)
    assert not page.browser.evaluate("document.body.classList.contains('lost')")
    assert page.browser.evaluate("document.querySelector('#obstacle').hidden")


def test_a_server_that_goes_is_reported(own_walk, chromium):
    page = LivePage(chromium, own_walk.server.url)
    wait_for_scene(page)
    own_walk.server.end()
    page.wait_for(lambda: "start it again with “waymark serve”" in page.text("#obstacle"), "the remedy")


def test_a_page_without_the_token_names_the_address_that_has_it(own_walk, chromium):
    page = LivePage(chromium, own_walk.server.url.split("?")[0])
    page.wait_for(lambda: "cat /run/waymark-serve/address" in page.text("#obstacle"), "the remedy")


def test_where_no_layout_of_labels_is_left_the_usual_one_is_taken(own_walk, open_page):
    with contextlib.ExitStack() as others:
        for index in range(8):
            other = others.enter_context(own_walk.daemon.connect())
            other.send_call(SCENE_SUBSCRIBE, {"labels": {"width": 20 + index, "height": 5}}, more=True)
            other.message()
        page = open_page(own_walk)
        wait_for_scene(page)
        page.wait_for(lambda: any("slot" in each["json"] for each in page.shown()["placements"]), "a label")
        # Until the daemon is localized, the view says that it is not.
        page.wait_for(lambda: page.browser.evaluate("document.querySelector('#obstacle').hidden"), "no obstacle")


HOSTILE = ["<img src=x onerror=alert(1)>", "</script><script>alert(2)</script>", "\u202eevil\u202c", "a\nb\tc", "x" * 150]


def places_around(geo, names):
    features = []
    for index, name in enumerate(names):
        angle = 2 * math.pi * index / len(names)
        point = [geo["longitude"] + 4e-4 * math.sin(angle), geo["latitude"] + 3e-4 * math.cos(angle)]
        features.append({
            "type": "Feature", "id": f"hostile/{index}", "properties": {"name": name, "kind": "cafe"},
            "geometry": {"type": "Point", "coordinates": point}})
    return json.dumps({"type": "FeatureCollection", "features": features})


def test_hostile_names_are_text(own_walk, open_page):
    page = open_page(own_walk)
    wait_for_scene(page)
    geo = own_walk.daemon.call(POSE_GET_POSE)["pose"]["geo"]
    own_walk.daemon.call(SCENE_IMPORT_PLACES, {"document": places_around(geo, HOSTILE)})
    page.wait_for(lambda: HOSTILE[0] in page.text("#route ol") and "x" * 100 in page.text("#route ol"), "the names")
    assert page.browser.evaluate("document.querySelectorAll('img, main script').length") == 0
    assert "\u202e" not in page.text("body")
    assert page.browser.evaluate("document.documentElement.scrollWidth <= innerWidth")


@pytest.fixture
def pictures(tmp_path):
    """A server of one picture on another port than the page's; its address, and the paths that were asked for."""
    Image.new("RGB", (40, 30), "sienna").save(tmp_path / "mill.png")
    asked = []

    class Handler(http.server.SimpleHTTPRequestHandler):
        def __init__(self, *arguments):
            super().__init__(*arguments, directory=tmp_path)

        def log_message(self, *_):
            asked.append((self.path, self.headers["Referer"]))

    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}", asked
        server.shutdown()


def test_details_of_a_place_are_shown_and_its_pictures_where_they_are_asked_for(own_walk, open_page, pictures):
    page, (address, asked) = open_page(own_walk), pictures
    run, text, shows = page.browser.evaluate, page.text, lambda selector: page.browser.evaluate(
        f"document.querySelector('{selector}').checkVisibility()")
    wait_for_scene(page)
    geo = own_walk.daemon.call(POSE_GET_POSE)["pose"]["geo"]
    own_walk.daemon.call(SCENE_IMPORT_PLACES, {"document": json.dumps({
        "type": "Feature", "id": "mill", "geometry": {
            "type": "Point", "coordinates": [geo["longitude"] + 2e-4, geo["latitude"]]},
        "properties": {
            "name": "The <i>old</i> mill", "kind": "museum", "phone": "+41 44 123 45 67", "opening_hours": "Tu-Su 10:00-17:00",
            "website": "https://mill.example/?a=1", "description": "Two wheels.\nOne stone.", "addr:street": "Quay",
            "addr:housenumber": "5", "image": f"{address}/mill.png; {address}/none.png"}})})
    page.wait_for(lambda: "old" in text("#route ol"), "the place")
    run("[...document.querySelectorAll('#route button')].find((each) => each.textContent.includes('old')).click()")
    page.wait_for(lambda: run("document.querySelector('#place').open"), "its card")
    assert text("#place h2") == "The <i>old</i> mill" and text("#place .summary").startswith("museum · ")
    assert text("#place dl") == (
        "address Quay 5 open Tu-Su 10:00-17:00 telephone +41 44 123 45 67 web page https://mill.example/?a=1")
    assert run("[...document.querySelectorAll('#place a')].map((each) => [each.href, each.rel])") == [
        ["tel:+41441234567", "noopener noreferrer"], ["https://mill.example/?a=1", "noopener noreferrer"]]
    assert text("#place .description") == "Two wheels. One stone."
    # Whose pictures they are learns nothing before they are asked for.
    assert asked == [] and text("#place [data-act=load]") == f"Load pictures from {address.removeprefix('http://')}"
    run("document.querySelector('#place [data-act=load]').click()")
    page.wait_for(lambda: run("document.querySelector('#place img').naturalWidth") == 40, "the first picture")
    assert asked == [("/mill.png", None)] and text("#place figcaption") == "1 of 2"
    run("document.querySelector('#place [data-act=over]').click()")
    assert shows("#then") and not run("document.querySelector('#place').open")
    run("const slider = document.querySelector('#then input'); slider.value = 80; slider.dispatchEvent(new Event('input'))")
    assert run("getComputedStyle(document.querySelector('#then .picture')).opacity") == "0.8"
    page.browser.key("Escape")
    assert not shows("#then")


def test_a_press_on_the_map_opens_what_is_there(page, chromium):
    def pressed():
        sign = next((each for each in chromium.evaluate("waymark.signs()") if each["id"].startswith("place/")), None)
        if sign is None:
            return False
        left, top = chromium.evaluate("(({left, top}) => [left, top])(document.querySelector('#map').getBoundingClientRect())")
        for kind in ("mousePressed", "mouseReleased"):
            chromium.mouse(kind, left + sign["x"], top + sign["y"], button="left", clickCount=1)
        return chromium.evaluate("document.querySelector('#place').open")

    page.wait_for(pressed, "the card of a place")
    assert page.text("#place h2")
    chromium.evaluate("document.querySelector('#place form button').click()")
    assert not chromium.evaluate("document.querySelector('#place').open")


def test_a_long_press_on_the_map_sets_the_destination_where_that_is_permitted(make_walk, open_page):
    made = make_walk({}, "--allow-changes")
    page = open_page(made)
    wait_for_scene(page)
    run = page.browser.evaluate
    left, top, width, height = run(
        "(({left, top, width, height}) => [left, top, width, height])(document.querySelector('#map').getBoundingClientRect())")
    # A hundred pixels north of the wearer, whom the map follows.
    page.browser.mouse("mousePressed", left + width / 2, top + height / 2 - 100, button="right", clickCount=1)
    page.browser.mouse("mouseReleased", left + width / 2, top + height / 2 - 100, button="right", clickCount=1)
    page.wait_for(lambda: run("document.querySelector('.point').checkVisibility()"), "what to do with the point")
    named = [float(each) for each in page.text(".point p").replace("°", "").split()]
    geo = made.daemon.call(POSE_GET_POSE)["pose"]["geo"]
    assert named[0] - geo["latitude"] == pytest.approx(100 / 1.1 / 111_200, rel=0.3)
    run("document.querySelector('.point [data-act=go]').click()")
    page.wait_for(lambda: not run("document.querySelector('.point').checkVisibility()"), "a route")
    end = made.daemon.call(SCENE_GET_ROUTE)["vertices"][-1]
    assert [end["latitude"], end["longitude"]] == pytest.approx(named, abs=1e-5)
    page.wait_for(lambda: run("document.querySelector('#route [data-act=end]').checkVisibility()"), "how to end it")
    run("document.querySelector('#route [data-act=end]').click()")
    page.wait_for(lambda: page.text("#route .turn") == "no route")


def test_events_of_before_are_shown_and_a_change_of_the_camera_misses_none(page, walk, chromium):
    listed = lambda: [each.split(" ", 1)[1] for each in chromium.evaluate(
        "[...document.querySelectorAll('#events li')].map((each) => each.innerText.replace(/\\s+/g, ' '))")]
    page.wait_for(lambda: any("scene frame ready" in each for each in listed()), "that the frame became ready, before")
    before = listed()
    chromium.evaluate("const field = document.querySelector('#field input'); field.value = 90; field.dispatchEvent(new Event('input'))")
    page.wait_for(lambda: page.shown()["fieldOfView"] == 90 and page.shown()["placements"], "another camera")
    after = listed()
    assert after[-len(before):] == before and len(after) == len(set(enumerate(after)))
    assert sum("scene frame ready" in each for each in after) == sum("scene frame ready" in each for each in before)


def test_tiles_of_a_file_lie_beneath_the_map(own_walk, open_page, tmp_path):
    made = own_walk
    made.daemon.wait_for_state("localized")
    geo, zoom = made.daemon.call(POSE_GET_POSE)["pose"]["geo"], 17
    x = (geo["longitude"] / 360 + 0.5) * 2 ** zoom
    y = (0.5 - math.asinh(math.tan(math.radians(geo["latitude"]))) / (2 * math.pi)) * 2 ** zoom
    Image.new("RGB", (256, 256), (128, 128, 128)).save(tmp_path / "tile.png")
    tile = (tmp_path / "tile.png").read_bytes()
    with contextlib.closing(sqlite3.connect(tmp_path / "map.mbtiles")) as database, database:
        database.executescript(
            "CREATE TABLE metadata (name, value); INSERT INTO metadata VALUES ('format', 'png'), ('attribution', '<b>Survey</b>');"
            "CREATE TABLE tiles (zoom_level, tile_column, tile_row, tile_data)")
        # West of the wearer alone.
        database.executemany("INSERT INTO tiles VALUES (?, ?, ?, ?)", [
            (zoom, int(x) - west, 2 ** zoom - 1 - (int(y) + south), tile) for west in range(1, 6) for south in range(-5, 6)])
    made.server.options = ["--tiles", tmp_path / "map.mbtiles"]
    made.server.end()
    made.server.start()
    page = open_page(made)
    page.wait_for(lambda: page.browser.evaluate("waymark.signs().length"), "a map")
    assert page.text("#map .source") == "Survey"
    # Zoomed out until the tile of the wearer is a small part of the map.
    page.browser.evaluate("for (let step = 0; step < 2; step += 1) document.querySelector('[title=\"Zoom the map out\"]').click()")
    box = page.browser.evaluate(
        "(({left, top, width, height}) => [left, top, width, height])(document.querySelector('#map').getBoundingClientRect())")

    def grey():
        page.browser.screenshot(tmp_path / "map.png", box)
        picture = np.asarray(Image.open(tmp_path / "map.png").convert("RGB")).astype(int)
        # At night the picture is darker.
        return [bool((abs(picture[120, x] - 121) < 12).all()) for x in (4, -4)]

    page.wait_for(lambda: grey() == [True, False], "tiles in the west, and none in the east")


def test_the_map_is_light_by_day_and_dark_by_night(page, walk, chromium):
    is_day = page.wait_for(lambda: page.shown()["scene"].get("sun"), "the sun")["isDay"]
    color = lambda: chromium.evaluate("getComputedStyle(document.querySelector('#map')).backgroundColor")
    light, dark = "rgb(255, 255, 255)", "rgb(21, 27, 35)"
    try:
        for scheme in ("light", "dark"):
            chromium.scheme(scheme)
            page.wait_for(lambda: color() == (light if is_day else dark), "a map by the sun")
    finally:
        chromium.scheme("light")


def test_what_is_removed_is_released(own_walk, open_page):
    page = open_page(own_walk)
    wait_for_scene(page, "arrow")
    daemon, memory = own_walk.daemon, lambda: page.browser.evaluate("window.waymark.memory().textures")
    geo = daemon.call(POSE_GET_POSE)["pose"]["geo"]
    # Only labels in the view are drawn.
    page.browser.evaluate("const field = document.querySelector('#field input'); field.value = 110; field.dispatchEvent(new Event('input'))")
    page.wait_for(lambda: page.shown()["fieldOfView"] == 110 and page.shown()["placements"], "a wide view")
    before = memory()
    daemon.call(SCENE_IMPORT_PLACES, {
        "document": places_around(geo, [f"Stall {index}" for index in range(12)]), "source": "fair"})
    page.wait_for(lambda: memory() >= before + 3, "labels of more places")
    daemon.call(SCENE_IMPORT_PLACES, {
        "document": places_around(geo, ["The last stall"]), "source": "fair", "replace": True})
    daemon.call(SCENE_CLEAR_ROUTE)
    page.wait_for(lambda: memory() <= before + 2, "textures that are released")


def test_times_of_poses_are_measured_and_forgotten(page):
    before = page.shown()["frames"]
    page.wait_for(lambda: page.shown()["frames"] > before + 20)
    taken = page.browser.evaluate("window.waymark.measure()")
    assert 1 < len(taken) <= 600
    assert len(page.browser.evaluate("window.waymark.measure()")) < len(taken)
    # A pose that a newer one replaces before a frame is never drawn.
    drawn = [each for each in taken if each["drawn"]]
    assert drawn and all(each["arrival"] <= each["drawn"] for each in drawn)
    assert [each["poseTime"] for each in taken] == sorted(each["poseTime"] for each in taken)


def test_the_map_moves_zooms_and_follows_by_keys(page, chromium):
    chromium.evaluate("document.querySelector('#map canvas').focus()")
    follow = "document.querySelector('#map [aria-pressed]').getAttribute('aria-pressed')"
    before = page.text("#map .scale")
    for _ in range(4):
        chromium.key("+")
    page.wait_for(lambda: page.text("#map .scale") != before, "another scale")
    chromium.key("ArrowLeft")
    assert chromium.evaluate(follow) == "false"
    chromium.key("0")
    assert chromium.evaluate(follow) == "true"


@pytest.fixture
def plain_page(chromium, walk):
    """Opens the page where something is missing in the browser: a script runs first, addresses are blocked."""
    undo = []

    def load(script="", blocked=()):
        if script:
            made = chromium.call("Page.addScriptToEvaluateOnNewDocument", source=script)
            undo.append(lambda: chromium.call("Page.removeScriptToEvaluateOnNewDocument", **made))
        if blocked:
            chromium.call("Network.setBlockedURLs", urls=list(blocked))
            undo.append(lambda: chromium.call("Network.setBlockedURLs", urls=[]))
        return LivePage(chromium, walk.server.url)

    yield load
    for each in undo:
        each()


def assert_rest_works(page):
    page.wait_for(lambda: page.text("#state") == "localized")
    page.wait_for(lambda: "GNSS receiver" in page.text("#sensors") and "from true north" in page.text("#heading"))
    page.wait_for(lambda: page.facts("pose")["readiness"] == "ready" and page.text("#route .goal"))


def test_without_three_js_the_page_says_what_to_install(plain_page):
    page = plain_page(blocked=["*/three.js"])
    assert_rest_works(page)
    assert "sudo apt-get install libjs-three" in page.text("#obstacle")


def test_without_webgl_the_page_says_so(plain_page, chromium):
    page = plain_page(
        "const real = HTMLCanvasElement.prototype.getContext;"
        "HTMLCanvasElement.prototype.getContext = function (kind, ...more) {"
        " return kind.startsWith('webgl') ? null : real.call(this, kind, ...more); };")
    assert_rest_works(page)
    assert "needs WebGL" in page.text("#obstacle")
    assert chromium.complaints == []


def test_a_hidden_page_ends_its_subscriptions(own_walk, chromium):
    page = LivePage(chromium, own_walk.server.url)
    wait_for_scene(page)
    subscriptions = lambda: own_walk.daemon.status()["subscriptions"]
    wait_until(lambda: subscriptions() == 3, PATIENCE, "three subscriptions")
    hide = "Object.defineProperty(document, 'hidden', {value: %s, configurable: true});"
    chromium.evaluate(hide % "true" + "document.dispatchEvent(new Event('visibilitychange')); 1")
    wait_until(lambda: subscriptions() == 0, PATIENCE + 30, "subscriptions that end")
    chromium.evaluate(hide % "false" + "document.dispatchEvent(new Event('visibilitychange')); 1")
    wait_until(lambda: subscriptions() == 3, PATIENCE, "subscriptions again")
