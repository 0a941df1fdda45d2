"""The page of `waymark report` in Debian's Chromium: its figures are those of the recording, as the `mcap` package of PyPI
reads it; one cursor goes over all plots; map and time zoom; nothing is asked of a network."""
import base64
import bisect
import csv
import hashlib
import json
import math
import os
import re
import xml.etree.ElementTree

import pytest

from harness.browser import MISSING, PROGRAM, browser
from harness.command import waymark
from harness.daemon import SIMULATION, Daemon
from harness.paths import ROOT
from harness.recording import FORMS, messages, write_tables
from harness.waiting import PATIENCE

needs_browser = pytest.mark.skipif(not PROGRAM, reason=MISSING)
EXAMPLE = ROOT / "examples/walk.mcap"
METRES_PER_DEGREE = math.pi * 6371008.8 / 180
VISIBLE_PLOTS = "[...document.querySelectorAll('.plot:not(.map)')].filter((plot) => plot.checkVisibility())"


@pytest.fixture(scope="module")
def recorded(tmp_path_factory):
    """Twelve seconds of the simulated walk, with the poses that the daemon published."""
    folder = tmp_path_factory.mktemp("recorded")
    daemon = Daemon(SIMULATION).start()
    try:
        result = waymark("record", "--duration", 12, folder / "recorded.mcap", socket=daemon.socket)
        assert result.returncode == 0, result.stderr
    finally:
        daemon.remove()
    return folder / "recorded.mcap"


def report(folder, *recordings):
    page = folder / "page.html"
    result = waymark("report", *recordings, "--output", page, timeout=PATIENCE * 5)
    assert result.returncode == 0, result.stderr
    return page


@pytest.fixture(scope="module")
def pages(recorded, tmp_path_factory):
    """By name: the page about poses that were published, about an example without any, and about both."""
    made = {"published": (recorded,), "replayed": (EXAMPLE,), "both": (recorded, EXAMPLE)}
    return {name: report(tmp_path_factory.mktemp(name), *files) for name, files in made.items()}


@pytest.fixture(scope="module")
def chromium():
    with browser() as opened:
        opened.size(1400, 900)
        yield opened


def show(chromium, page):
    chromium.size(1400, 900)
    chromium.open(page)
    chromium.wait("performance.getEntriesByName('drawn').length")
    chromium.frame()


def data_of(page):
    root = xml.etree.ElementTree.fromstring(page.read_text().removeprefix("<!DOCTYPE html>\n"))
    return json.loads(root.find(".//script[@id='data']").text)["recordings"]


def figures_of(page):
    root = xml.etree.ElementTree.fromstring(page.read_text().removeprefix("<!DOCTYPE html>\n"))
    return {pair.find("dt").text: pair.find("dd").text for pair in root.findall("body/dl/div")}


def seconds(time):
    return time["sec"] + time["nsec"] * 1e-9


def sums(differences):
    total, times = 0, []
    for each in differences:
        total += each
        times.append(total / 1000)
    return times


def line(recording, chart, name):
    """Times and values of a line of the page's data."""
    lines = next(each for each in recording["charts"] if each["id"] == chart)["lines"]
    found = next(each for each in lines if each["name"] == name)
    return list(zip(sums(found["t"]), found["v"], strict=True))


class Recording:
    """What an independent reader finds in a recording."""

    def __init__(self, file):
        found = messages(file)
        skipped = {"/pose", "/frame", "/warm_start", "/estimator_state", "/plan", "/plans_in_use"} | FORMS
        self.measurements = [(topic, content) for topic, _, content in found if topic in KINDS]
        assert {topic for topic, _, _ in found} <= skipped | set(KINDS)
        self.start = self.time(*self.measurements[0])
        self.length = max(self.time(*each) for each in self.measurements) - self.start
        self.poses = [content for topic, _, content in found if topic == "/pose"]
        self.in_order = [(topic, content) for topic, _, content in found]

    @staticmethod
    def time(topic, content):
        return seconds(content["epoch" if topic == "/gnss/fix" else "time"])

    def fixes(self):
        return [content for topic, content in self.measurements if topic == "/gnss/fix"]

    def innovations(self):
        """Time, distance and claimed radius of each fix against the poses that were published before it."""
        times, poses = [], []
        for topic, content in self.in_order:
            if topic == "/pose":
                times.append(seconds(content["time"]))
                poses.append(content)
            if topic == "/gnss/fix" and poses:
                found = self.innovation(content, times, poses)
                if found:
                    yield found

    def innovation(self, fix, times, poses):
        epoch = seconds(fix["epoch"])
        after = bisect.bisect_right(times, epoch)
        if after == 0 or after == len(times) or not poses[after - 1].get("geo") or not poses[after].get("geo"):
            return None
        share = (epoch - times[after - 1]) / (times[after] - times[after - 1])
        geo = {axis: (1 - share) * poses[after - 1]["geo"][axis] + share * poses[after]["geo"][axis]
               for axis in ("latitude", "longitude")}
        north = (fix["latitude"] - geo["latitude"]) * METRES_PER_DEGREE
        east = (fix["longitude"] - geo["longitude"]) * METRES_PER_DEGREE * math.cos(math.radians(geo["latitude"]))
        own = poses[after - 1]["accuracy"].get("horizontalAccuracy")
        receiver = 1.51 * math.sqrt((fix["sigmaEast"] ** 2 + fix["sigmaNorth"] ** 2) / 2)
        return epoch - self.start, math.hypot(east, north), own and math.hypot(own, receiver)


KINDS = (
    "/imu/specific_force", "/imu/angular_rate", "/magnetic_field", "/pressure", "/gnss/fix", "/calibration", "/clock")


def version():
    return re.search(r"\d+\.\d+\.\d+", waymark("--version").stdout)[0]


def test_the_figures_of_the_page_are_those_of_the_recording(pages, recorded):
    figures, found = figures_of(pages["published"]), Recording(recorded)
    assert figures["Measurements"] == str(len(found.measurements))
    assert figures["Recorded by"] == f"Waymark {version()} on {os.uname().nodename}"
    assert figures["Published poses"] == str(len(found.poses)) != "0"
    assert figures["Fixes"] == str(len(found.fixes()))
    assert figures["Length"] == f"0:{round(found.length):02}"


def test_the_difference_of_replay_and_published_poses_is_that_of_the_table_of_a_replay(pages, recorded, tmp_path):
    table = tmp_path / "poses.csv"
    assert waymark("replay", recorded, "--output", table).returncode == 0
    with open(table, newline="") as lines:
        rows = {row["t_s"]: row for row in csv.DictReader(lines)}
    metres, degrees = [], []
    for pose in Recording(recorded).poses:
        # A recording that began while the daemon ran may begin with a pose of samples before it.
        row = rows.get(f'{pose["time"]["sec"]}.{pose["time"]["nsec"]:09d}')
        if row is None:
            continue
        if "geo" in pose and row["lat_deg"]:
            north = (pose["geo"]["latitude"] - float(row["lat_deg"])) * METRES_PER_DEGREE
            east = (pose["geo"]["longitude"] - float(row["lon_deg"])) * METRES_PER_DEGREE * math.cos(
                math.radians(pose["geo"]["latitude"]))
            metres.append(math.hypot(north, east))
        if "heading" in pose and row["yaw_acc_deg"]:
            w, x, y, z = (float(row[name]) for name in ("qw", "qx", "qy", "qz"))
            # The line of sight is the body's -z.
            heading = math.degrees(math.atan2(-2 * (x * z + w * y), -2 * (y * z - w * x)))
            degrees.append(abs((heading - pose["heading"] + 180) % 360 - 180))
    shown = figures_of(pages["published"])["Replay minus published"]
    if max(metres) < 0.0009 and max(degrees) < 0.0009:
        assert shown == "equal to rounding"
    else:
        found = [float(each) for each in re.fullmatch(r"at most ([\d.]+) m, ([\d.]+)°", shown).groups()]
        assert found == pytest.approx([max(metres), max(degrees)], abs=0.002, rel=0.01)


def test_each_value_of_the_published_poses_that_is_drawn_was_recorded_and_peaks_stay(pages, recorded):
    found, drawn = Recording(recorded), data_of(pages["published"])[0]
    curves = {
        ("heading", "heading"): lambda pose: pose.get("heading"),
        ("accuracy", "horizontal"): lambda pose: pose["accuracy"].get("horizontalAccuracy"),
        ("accuracy", "vertical"): lambda pose: pose["accuracy"].get("verticalAccuracy"),
        ("yaw", "yaw"): lambda pose: pose["accuracy"].get("orientationYawAccuracy")}
    for (chart, name), value in curves.items():
        values = sorted((seconds(pose["time"]) - found.start, value(pose)) for pose in found.poses if value(pose) is not None)
        times = [at for at, _ in values]
        shown = line(drawn, chart, name)
        assert len(shown) > 10
        for at, each in shown:
            # Times are drawn to a millisecond, in which two poses may lie.
            near = values[bisect.bisect_left(times, at - 0.0011):bisect.bisect_right(times, at + 0.0011)]
            assert any(abs(recorded_value - each) < 0.006 for _, recorded_value in near), (name, at, each, near)
        for extreme in (min, max):
            assert abs(extreme(each for _, each in values) - extreme(each for _, each in shown)) < 0.006


def test_innovations_are_the_fixes_minus_the_published_positions(pages, recorded):
    expected = list(Recording(recorded).innovations())
    assert len(expected) > 5
    recording = data_of(pages["published"])[0]
    distances = line(recording, "innovation", "fix minus estimate")
    claimed = line(recording, "innovation", "68 % radius of both claims")

    def near(values, time):
        return next(value for at, value in values if abs(at - time) < 0.002)

    for at, distance, radius in expected:
        # The radius of the earth changes by 0.5 %, which is 2 cm in some metres.
        assert abs(near(distances, at) - distance) < 0.03 + 0.006 * distance
        assert radius is None or abs(near(claimed, at) - radius) < 0.02
    share = figures_of(pages["published"])["Fixes within the 68 % radius"]
    within = sum(radius is not None and distance <= radius for _, distance, radius in expected)
    assert int(re.fullmatch(r"\d+ % \((\d+) of \d+\)", share)[1]) == pytest.approx(within, abs=1)


def test_rates_and_gaps_are_those_of_the_recording(tmp_path):
    def row(t):
        return f"{t:.2f},0.01,9.81,0,0.001,0,0"

    folder = write_tables(tmp_path / "gappy", 30, {"imu.csv": ("t_s,ax,ay,az,gx,gy,gz", 50, row)})
    lines = (folder / "imu.csv").read_text().splitlines()
    kept = [each for each in lines[1:] if not 10 < float(each.split(",")[0]) < 13]
    (folder / "imu.csv").write_text("\n".join([lines[0], *kept, ""]))
    page = report(tmp_path, folder)
    root = xml.etree.ElementTree.fromstring(page.read_text().removeprefix("<!DOCTYPE html>\n"))
    rows = [[cell.text for cell in each] for each in root.findall(".//table[@class='gaps']/tbody/tr")]
    assert sorted(rows) == [["accelerometer", "0:10.0", "0:13.0", "3.00"], ["gyroscope", "0:10.0", "0:13.0", "3.00"]]
    rates = dict(line(data_of(page)[0], "rate", "gyroscope"))
    assert rates[5.5] == 50 and rates[11.5] == 0 and rates[20.5] == 50


def test_the_policy_names_the_script_by_its_hash(pages):
    text = pages["replayed"].read_text()
    script = text[text.rindex("<script>") + len("<script>"):text.rindex("</script>")]
    expected = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    policy = re.search(r"script-src &#39;sha256-([^&]*)&#39;", text)[1]
    assert policy == expected, "ReportScript.hash in Sources/Extras/Pages/Report/ReportScript.swift has to be this"


@needs_browser
@pytest.mark.parametrize("name", ["published", "replayed", "both"])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_page_opens_without_complaints_and_asks_nothing_of_a_network(chromium, pages, name, scheme):
    chromium.scheme(scheme)
    show(chromium, pages[name])
    assert chromium.complaints == []
    assert chromium.requests == [pages[name].as_uri()]
    # All canvases have something on them: more than one colour.
    assert chromium.evaluate("""[...document.querySelectorAll('canvas')].filter((canvas) => canvas.checkVisibility()).every((canvas) => {
        const pixels = new Uint32Array(canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height).data.buffer);
        return new Set(pixels).size > 1;
    })""")


def place_of(chromium, expression):
    """Box of an element in the window, scrolled into its middle."""
    chromium.evaluate(f"({expression}).scrollIntoView({{block: 'center'}})")
    chromium.frame()
    return chromium.evaluate(
        f"(() => {{ const box = ({expression}).getBoundingClientRect(); return [box.left, box.top, box.width, box.height]; }})()")


def outputs(chromium):
    return chromium.evaluate(f"{VISIBLE_PLOTS}.map((plot) => plot.parentElement.querySelector('output').textContent)")


def rules(chromium):
    return chromium.evaluate(f"{VISIBLE_PLOTS}.map((plot) => plot.querySelector('.rule')).map((rule) => rule.hidden ? null : rule.style.left)")


@needs_browser
def test_four_plots_are_shown_and_the_others_when_they_are_asked_for(chromium, pages):
    titles = "[...document.querySelectorAll('figcaption b')].filter((each) => each.checkVisibility()).map((each) => each.textContent)"
    show(chromium, pages["published"])
    assert chromium.evaluate(titles) == [
        "Tracks", "Heading", "Position: fixes minus estimates", "Accuracy of the position", "Corrections of the scene"]
    chromium.evaluate("document.querySelectorAll('summary')[0].click()")
    chromium.frame()
    # What was opened is remembered, and drawn.
    show(chromium, pages["published"])
    assert "Accuracy of the heading" in chromium.evaluate(titles)
    drawn = f"(({{width, height}}) => [width > 200, height > 100])({VISIBLE_PLOTS}.at(-1).querySelector('canvas'))"
    assert chromium.evaluate(drawn) == [True, True]
    chromium.evaluate("localStorage.clear()")


@needs_browser
def test_outliers_are_marked_and_a_heading_about_north_fills_its_axis(chromium, pages, tmp_path):
    text = pages["published"].read_text()
    start = text.index('<script type="application/json" id="data">') + len('<script type="application/json" id="data">')
    end = text.index("</script>", start)
    found = json.loads(text[start:end])
    charts = {chart["id"]: chart for chart in found["recordings"][0]["charts"]}
    heading, accuracy = charts["heading"]["lines"][0], charts["accuracy"]["lines"][0]
    heading["v"] = [(352 + 16 * index / len(heading["v"])) % 360 for index in range(len(heading["v"]))]
    charts["heading"]["lines"], accuracy["v"][5] = [heading], 4321
    (tmp_path / "outlier.html").write_text(text[:start] + json.dumps(found) + text[end:])
    chromium.scheme("light")
    show(chromium, tmp_path / "outlier.html")
    beyond = chromium.evaluate(f"{VISIBLE_PLOTS}.map((plot) => plot.parentElement.querySelector('.beyond').textContent)")
    assert beyond[2].startswith("▲ 1 value outside, to 4321.000 m") and beyond[0] == ""
    # Rows of the plot that the line passes, of which none is a jump over the whole height.
    rows = chromium.evaluate(f"""(() => {{
        const canvas = {VISIBLE_PLOTS}[0].querySelector("canvas"), {{width, height}} = canvas, rows = new Map();
        const {{data}} = canvas.getContext("2d").getImageData(0, 0, width, height);
        for (let at = 0; at < data.length; at += 4) {{
            if (data[at] < 60 && data[at + 2] > 150) rows.set(Math.floor(at / 4 / width), 1 + (rows.get(Math.floor(at / 4 / width)) ?? 0));
        }}
        return {{height, count: rows.size, middle: rows.get(Math.floor(height / 2))}};
    }})()""")
    assert rows["count"] > 0.5 * rows["height"] and rows["middle"] > 3


@needs_browser
@pytest.mark.parametrize("width, height", [(390, 844), (1280, 800), (1920, 1080)])
def test_nothing_lies_over_another_at_any_size(chromium, pages, width, height):
    show(chromium, pages["both"])
    chromium.size(width, height)
    chromium.evaluate("for (const each of document.querySelectorAll('details')) each.open = true")
    chromium.frame()
    boxes = chromium.evaluate("""[...document.querySelectorAll("figcaption > *, .toggles button, .tools button, .north, .scale, canvas")]
        .filter((each) => each.checkVisibility() && each.getClientRects().length === 1 && each.textContent + each.width)
        .map((each) => { const {left, top, right, bottom} = each.getBoundingClientRect(); return [each.className || each.tagName, left, top, right, bottom]; })""")
    over = ("north", "scale", "BUTTON")
    for index, (name, left, top, right, bottom) in enumerate(boxes):
        assert left >= 0 and right <= width, (name, left, right)
        for other, *box in boxes[index + 1:]:
            # Over the map lie its own.
            if "CANVAS" in (name, other) and (name in over or other in over):
                continue
            assert not (left < box[2] - 1 and box[0] < right - 1 and top < box[3] - 1 and box[1] < bottom - 1), (name, other)
    chromium.size(1400, 900)


@needs_browser
@pytest.mark.parametrize("name,shares", [("published", (0.4, 0.8)), ("both", (0.12, 0.2))])
def test_one_cursor_moves_over_all_plots_and_the_map(chromium, pages, name, shares):
    show(chromium, pages[name])
    seen = []
    for share in shares:
        left, top, width, height = place_of(chromium, f"{VISIBLE_PLOTS}[0].querySelector('canvas')")
        chromium.mouse("mouseMoved", left + share * width, top + height / 2)
        assert len(set(rules(chromium))) == 1 and rules(chromium)[0] is not None
        spot = chromium.evaluate("(() => { const spot = document.querySelector('.spot'); return spot.hidden ? null : [spot.style.left, spot.style.top]; })()")
        assert spot is not None
        seen.append((rules(chromium)[0], spot, outputs(chromium), chromium.evaluate("document.querySelector('.now').textContent")))
    assert all(before != after for before, after in zip(*seen, strict=True))
    # From the map to the plots: the place that was marked has the time of the cursor.
    left, top, _, _ = place_of(chromium, "document.querySelector('.map canvas')")
    x, y = (float(each.removesuffix("px")) for each in seen[0][1])
    chromium.mouse("mouseMoved", left + x, top + y)
    assert None not in rules(chromium)
    # Off the page there is no cursor any more.
    chromium.mouse("mouseMoved", 3, 3)
    assert set(rules(chromium)) == {None}


@needs_browser
def test_the_values_beside_the_cursor_are_those_that_were_recorded(chromium, pages, recorded):
    show(chromium, pages["published"])
    found = Recording(recorded)
    left, top, width, height = place_of(chromium, f"{VISIBLE_PLOTS}[0].querySelector('canvas')")
    chromium.mouse("mouseMoved", left + 0.7 * width, top + height / 2)
    minutes, rest = re.match(r"At (\d+):([\d.]+)", chromium.evaluate("document.querySelector('.now').textContent")).groups()
    at = 60 * int(minutes) + float(rest)
    shown = float(outputs(chromium)[0].removesuffix("°"))
    # The time is shown to 0.1 s, and the bins of twelve seconds have 0.02 s.
    near = [pose["heading"] for pose in found.poses if abs(seconds(pose["time"]) - found.start - at) < 0.12]
    assert min(near) - 0.01 <= shown <= max(near) + 0.01


@needs_browser
def test_the_map_zooms_and_moves_by_wheel_buttons_keys_and_dragging(chromium, pages):
    show(chromium, pages["replayed"])
    pixels = "(() => { const c = document.querySelector('.map canvas'); return c.toDataURL(); })()"

    def scale():
        return chromium.evaluate("(() => { const s = document.querySelector('.scale'); return parseFloat(s.textContent) / s.offsetWidth; })()")

    whole, picture = scale(), chromium.evaluate(pixels)
    left, top, width, height = place_of(chromium, "document.querySelector('.map canvas')")
    x, y = left + width / 2, top + height / 2
    chromium.mouse("mouseWheel", x, y, deltaX=0, deltaY=-600)
    near = scale()
    assert near < 0.5 * whole
    assert chromium.evaluate(pixels) != picture
    before = chromium.evaluate(pixels)
    chromium.mouse("mousePressed", x, y, button="left", buttons=1, clickCount=1)
    chromium.mouse("mouseMoved", x + 80, y + 40, button="left", buttons=1)
    chromium.mouse("mouseReleased", x + 80, y + 40, button="left", clickCount=1)
    assert chromium.evaluate(pixels) != before and scale() == near
    for press in ("document.querySelector('[aria-label=\"Zoom the map out\"]').click()", None):
        before = scale()
        if press:
            chromium.evaluate(press)
            chromium.frame()
        else:
            chromium.evaluate("document.querySelector('.map canvas').focus()")
            chromium.key("-")
        assert scale() > before
    chromium.key("0")
    assert scale() == whole
    assert chromium.complaints == []


@needs_browser
def test_a_finger_drags_the_map_and_two_zoom_it(chromium, pages):
    show(chromium, pages["replayed"])
    left, top, width, height = place_of(chromium, "document.querySelector('.map canvas')")
    before = chromium.evaluate("document.querySelector('.scale').offsetWidth + document.querySelector('.scale').textContent")

    def touch(kind, *points):
        chromium.call("Input.dispatchTouchEvent", type=kind, touchPoints=[
            {"x": left + width / 2 + x, "y": top + height / 2 + y, "id": index} for index, (x, y) in enumerate(points)])
        chromium.frame()

    touch("touchStart", (-20, 0), (20, 0))
    for spread in (40, 70, 110):
        touch("touchMove", (-spread, 0), (spread, 0))
    touch("touchEnd")
    assert chromium.evaluate("document.querySelector('.scale').offsetWidth + document.querySelector('.scale').textContent") != before
    assert chromium.complaints == []


@needs_browser
def test_all_plots_zoom_in_time_together(chromium, pages):
    show(chromium, pages["published"])
    now = "document.querySelector('.now').textContent"
    pictures = f"{VISIBLE_PLOTS}.map((plot) => plot.querySelector('canvas').toDataURL())"
    whole, before = chromium.evaluate(now), chromium.evaluate(pictures)
    left, top, width, height = place_of(chromium, f"{VISIBLE_PLOTS}[1].querySelector('canvas')")
    y = top + height / 2
    chromium.mouse("mousePressed", left + 0.3 * width, y, button="left", buttons=1, clickCount=1)
    chromium.mouse("mouseMoved", left + 0.5 * width, y, button="left", buttons=1)
    chromium.mouse("mouseReleased", left + 0.5 * width, y, button="left", clickCount=1)
    chromium.mouse("mouseMoved", 3, 3)
    assert chromium.evaluate(now) != whole
    assert all(a != b for a, b in zip(before, chromium.evaluate(pictures), strict=True))
    chromium.evaluate("document.querySelector('[aria-label=\"Show all of the time\"]').click()")
    chromium.frame()
    assert chromium.evaluate(now) == whole
    # By keys: the cursor moves, and what is there is said.
    chromium.evaluate(f"{VISIBLE_PLOTS}[0].querySelector('canvas').focus()")
    chromium.key("ArrowRight")
    said = chromium.evaluate("document.querySelector('[role=status]').textContent")
    assert "heading" in said and "°" in said
    chromium.key("+")
    chromium.key("Escape")
    assert chromium.evaluate(now) != whole


@needs_browser
def test_two_recordings_share_map_and_time_axis(chromium, pages):
    show(chromium, pages["both"])
    first, second = data_of(pages["both"])
    assert first["published"] and not second["published"]
    titles = chromium.evaluate("[...document.querySelectorAll('figure')].map((figure) => figure.querySelector('b').textContent)")
    assert titles[0] == "Tracks" and titles[1:3] == [titles[1]] * 2
    assert "recorded" in chromium.evaluate("document.querySelector('.toggles').textContent")
    columns = chromium.evaluate("[...document.querySelectorAll('.figures thead th')].map((cell) => cell.textContent)")
    assert columns == ["recorded", "walk"]
    assert chromium.evaluate("document.documentElement.scrollWidth <= innerWidth")


@needs_browser
def test_a_phone_shows_the_page_without_scrolling_sideways(chromium, pages):
    for name in ("published", "both"):
        show(chromium, pages[name])
        chromium.size(390, 844, mobile=True)
        assert chromium.evaluate("document.documentElement.scrollWidth") <= 390
    chromium.size(1400, 900)


@needs_browser
def test_without_scripts_the_static_drawings_are_shown(chromium, pages):
    chromium.call("Emulation.setScriptExecutionDisabled", value=True)
    try:
        chromium.call("Page.navigate", url=pages["replayed"].as_uri())
        chromium.wait("document.readyState === 'complete'")
        assert chromium.evaluate("document.querySelectorAll('noscript svg').length") > 8
        assert chromium.evaluate("document.querySelector('noscript svg').getBoundingClientRect().height") > 100
    finally:
        chromium.call("Emulation.setScriptExecutionDisabled", value=False)


@needs_browser
@pytest.mark.parametrize("name", ["<img src=x onerror=document.title='run'>", "'\"><script>document.title='run'<\u2028", "a&amp;<!--b"])
def test_a_hostile_name_is_shown_and_never_run(chromium, tmp_path, name):
    folder = write_tables(tmp_path / name, 3, {
        "imu.csv": ("t_s,ax,ay,az,gx,gy,gz", 50, lambda t: f"{t:.2f},0,9.81,0,0,0,0"),
        "gnss.csv": ("t_s,arrival_s,lat_deg,lon_deg,alt_m,hacc_m", 1, lambda t: f"{t},{t + 0.1},48.1,11.5,566,3")})
    show(chromium, report(tmp_path, folder, folder))
    assert chromium.complaints == []
    assert chromium.evaluate("document.title") == f"{name} (1) beside {name} (2): report"
    assert chromium.evaluate("document.querySelector('.of').textContent") == f"{name} (1)"
    assert chromium.evaluate("document.querySelectorAll('img').length") == 0


@needs_browser
@pytest.mark.long
def test_the_page_of_an_hour_opens_in_a_few_times_the_time_of_an_empty_page(chromium, tmp_path, record_property):
    """The ratio is printed, since a machine that others use has no time of its own."""
    def imu(t):
        return f"{t:.2f},{0.5 * math.sin(t):.3f},{9.81 + 2 * math.sin(12 * t):.3f},{0.5 * math.cos(t):.3f},0.001,{0.02 * math.sin(t / 60):.4f},0"

    def gnss(t):
        return f"{t},{t + 0.2},{48.1 + 0.001 * math.sin(t / 200):.8f},{11.5 + 0.001 * math.cos(t / 200):.8f},566,3"

    folder = write_tables(tmp_path / "hour", 3600, {
        "imu.csv": ("t_s,ax,ay,az,gx,gy,gz", 50, imu), "gnss.csv": ("t_s,arrival_s,lat_deg,lon_deg,alt_m,hacc_m", 1, gnss)})
    page = report(tmp_path, folder)
    empty = tmp_path / "empty.html"
    empty.write_text("<!DOCTYPE html><title>empty</title><p>x</p><script>requestAnimationFrame(() => performance.mark('drawn'))</script>")
    times = {}
    for path in (empty, page):
        taken = []
        for _ in range(5):
            chromium.open(path)
            chromium.wait("performance.getEntriesByName('drawn').length")
            taken.append(chromium.evaluate("performance.getEntriesByName('drawn')[0].startTime"))
        times[path.name] = sorted(taken)[2]
    ratio = times["page.html"] / times["empty.html"]
    record_property("ratio", ratio)
    print(f"an hour: {page.stat().st_size} bytes, drawn after {times['page.html']:.0f} ms, {ratio:.1f} times an empty page")
    assert len(line(data_of(page)[0], "accuracy", "horizontal")) <= 3000
    assert page.stat().st_size < 4_000_000
