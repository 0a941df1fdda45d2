"""Reports of the simulated walk as a browser shows them: a recording, a moment of it, and two beside each other."""
import concurrent.futures
import contextlib

from harness.command import waymark
from harness.daemon import SIMULATION, Daemon
from harness.settings import merged

# By recording: the seed of its simulated errors. Both are of the same walk.
SEEDS = {"first.mcap": 1, "second.mcap": 2}
MAP = "document.querySelector('.map canvas')"
HEADING = "document.querySelector('h1')"
# The whole page is in the window, so that nothing has to be scrolled. Pixels.
WIDTH, HEIGHT, MARGIN = 1080, 8000, 16
PICTURES = ("tour-report.png", "tour-moment.png", "tour-pair.png")
PATIENCE = 120


def figure(index):
    return f"document.querySelectorAll('figure')[{index}]"


def record(folder, seconds):
    """Two walks that were recorded at the same time."""
    with contextlib.ExitStack() as stack:
        pool = stack.enter_context(concurrent.futures.ThreadPoolExecutor())
        under_way = []
        for name, seed in SEEDS.items():
            daemon = Daemon(merged(SIMULATION, {"simulation": {"seed": seed}}))
            stack.callback(daemon.remove)
            daemon.start()
            under_way.append(pool.submit(
                waymark, "record", "--duration", seconds, folder / name, socket=daemon.socket, timeout=seconds + PATIENCE))
        for done in concurrent.futures.as_completed(under_way):
            assert done.result().returncode == 0, done.result().stderr
    return [folder / name for name in SEEDS]


def open_report(sheet, recordings, page):
    done = waymark("report", *recordings, "--output", page, timeout=PATIENCE)
    assert done.returncode == 0, done.stderr
    sheet.show(page, WIDTH, HEIGHT)
    sheet.chromium.wait("performance.getEntriesByName('drawn').length")
    sheet.chromium.frame()


def zoom_map_and_point_at_a_moment(sheet):
    """The cursor is on the first plot; all others and the map follow it."""
    left, top, width, height = sheet.box(MAP)
    sheet.chromium.mouse("mouseWheel", left + width / 2, top + height / 3, deltaX=0, deltaY=-300)
    left, top, width, height = sheet.box(f"{figure(1)}.querySelector('canvas')")
    sheet.chromium.mouse("mouseMoved", left + 0.6 * width, top + height / 2)


def take(sheet, folder, seconds):
    recordings = record(folder, seconds)
    open_report(sheet, recordings[:1], folder / "one.html")
    sheet.save("tour-report.png", MARGIN, HEADING, figure(1))
    zoom_map_and_point_at_a_moment(sheet)
    sheet.save("tour-moment.png", MARGIN, figure(0), figure(3))
    open_report(sheet, recordings, folder / "both.html")
    sheet.save("tour-pair.png", MARGIN, HEADING, figure(2))
