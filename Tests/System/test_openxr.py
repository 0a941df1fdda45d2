"""The OpenXR API layer: by Debian's loader, a test runtime and the real daemon, in `Tests/OpenXR`.

Layer, runtime and program are compiled with the address and undefined-behaviour sanitizers, which end the program at
the first fault.
"""
import json
import math
import os
import pathlib
import re
import shutil
import signal
import subprocess

import numpy as np
import pytest
from renderer.camera import CAMERA, WIDTH, Eye, vector
from renderer.connection import Stream
from renderer.scene_state import newest, scenes
from waymark_interface import AID_LIST, POSE_GET_POSE, SCENE_GET_SCENE, SCENE_SUBSCRIBE

from harness.client_programs import LineProgram, without_make
from harness.daemon import SIMULATION, Daemon
from harness.paths import ROOT
from harness.waiting import PATIENCE

SOURCES = ROOT / "Tests/OpenXR"
NAME = "XR_APILAYER_WAYMARK_tracking"
# What is built with the other programs, as it is installed.
BUILT = ROOT / ".build/clients"
# Not optimized: the compiler takes longer than the programs.
SANITIZED = "-O0 -g -fsanitize=address,undefined -fno-sanitize-recover=all"
THREADS = "-O0 -g -fsanitize=thread -Wno-tsan"

pytestmark = [
    pytest.mark.library,
    pytest.mark.skipif(
        not shutil.which("cc") or not pathlib.Path("/usr/include/openxr/openxr.h").exists(),
        reason="needs a C compiler and libopenxr-dev")]


def build(kind, flags, *arguments):
    """Compiles into a folder of the build, where it stays: what has not changed is not compiled again."""
    folder = ROOT / ".build/openxr-tests" / kind
    done = subprocess.run(
        ["make", "--no-print-directory", "-C", SOURCES, f"BUILD={folder}", f"FLAGS={flags}", "-j2", *arguments],
        capture_output=True, text=True, env=without_make())
    assert done.returncode == 0, done.stderr
    return folder


class Built:
    """Runtime and program in a folder, with the layer of `clients`."""

    def __init__(self, folder, clients=None):
        self.program, self.layer = folder / "program", (clients or folder) / "openxr"
        self.runtime = folder / "runtime.json"
        self.runtime.write_text(
            json.dumps({"file_format_version": "1.0.0", "runtime": {"library_path": str(folder / "libruntime.so")}}))

    def environment(self, socket, mode="replace", with_layer=True, **more):
        layer = {"XR_ENABLE_API_LAYERS": NAME} if with_layer else {}
        return {
            "XR_RUNTIME_JSON": str(self.runtime), "XR_API_LAYER_PATH": str(self.layer / "explicit.d"),
            # The manifest has the name of the library alone.
            "LD_LIBRARY_PATH": str(self.layer), "WAYMARK_OPENXR": mode, "WAYMARK_SOCKET": str(socket), **layer, **more}

    def run(self, scenario, socket, *arguments, **more):
        """What it prints."""
        done = subprocess.run(
            [self.program, scenario], capture_output=True, text=True, timeout=PATIENCE, stdin=subprocess.DEVNULL,
            env={**os.environ, **self.environment(socket, *arguments, **more)})
        assert done.returncode == 0, done.stderr
        return done.stdout

    def talk(self, scenario, socket, folder, *arguments):
        return LineProgram([self.program, scenario], folder, self.environment(socket, *arguments))


@pytest.fixture(scope="module")
def sanitized():
    return Built(build("address", SANITIZED))


@pytest.fixture(scope="module")
def mortal():
    """A daemon that a test kills; it walks from the beginning on, while others are being waited for."""
    daemon = Daemon(SIMULATION).start()
    yield daemon
    daemon.remove()


@pytest.fixture(scope="module")
def localized(mortal, walk):
    walk.wait_for_state("localized")
    return walk


# Figures


@pytest.fixture(scope="module")
def figures():
    return build("address", SANITIZED, "figures") / "figures"


def test_geometry_geodesy_slews_and_published_values_keep_their_laws(figures):
    subprocess.run([figures], check=True, timeout=PATIENCE)


def test_published_values_are_read_whole_beside_their_writer():
    folder = build("thread", THREADS, "figures")
    subprocess.run([folder / "figures", "published"], check=True, timeout=PATIENCE)


def of_wgs84(latitude, longitude, height):
    """Earth-centred position, by the meridian's radius of curvature as a function of the parametric latitude."""
    half_equator, half_axis = 6378137.0, 6356752.314245179
    latitude, longitude = math.radians(latitude), math.radians(longitude)
    parametric = math.atan2(half_axis * math.sin(latitude), half_equator * math.cos(latitude))
    across = half_equator * math.cos(parametric) + height * math.cos(latitude)
    return (
        across * math.cos(longitude), across * math.sin(longitude),
        half_axis * math.sin(parametric) + height * math.sin(latitude))


def test_positions_on_the_earth_are_those_of_others(figures):
    # IOGP's Guidance Note 7-2, the example of method 9602, with the three decimals that it has.
    point = (53 + 48 / 60 + 33.820 / 3600, 2 + 7 / 60 + 46.380 / 3600, 73.0)
    published = (3771793.968, 140253.342, 5124304.349)
    points = [point, (0, 0, 0), (90, 0, 0), (-90, 17, 1000), (0, 180, 0), (47.37, -180, 400), (-33.9, 151.2, -50),
              (78.2, 15.6, 8000), (1e-9, 1e-9, 0)]
    done = subprocess.run(
        [figures, "geodesy"], input="\n".join(f"{one!r} {other!r} {height!r}" for one, other, height in points),
        capture_output=True, text=True, check=True, timeout=PATIENCE)
    found = [list(map(float, line.split())) for line in done.stdout.splitlines()]
    assert found[0][:3] == pytest.approx(published, abs=2e-3)
    for (latitude, longitude, height), result in zip(points, found, strict=True):
        assert result[:3] == pytest.approx(of_wgs84(latitude, longitude, height), abs=1e-6)
        assert (result[3], result[5]) == pytest.approx((latitude, height), abs=1e-6)
        if abs(latitude) < 90:
            assert math.remainder(result[4] - longitude, 360) == pytest.approx(0, abs=1e-11)


# Tracking by the daemon


@pytest.mark.parametrize("environment", [
    {}, {"WAYMARK_OPENXR_EYES": "0.01,-0.02,0.05"}, {"EPOCH": "far"}], ids=["plain", "eyes", "later times"])
def test_what_a_program_sees_and_shows_is_where_the_daemon_has_the_head(sanitized, localized, environment):
    sanitized.run("replace", localized.socket, **environment)


def test_the_head_goes_on_without_a_jump_whatever_becomes_of_the_daemon(sanitized, mortal, tmp_path):
    mortal.wait_for_state("localized")
    with sanitized.talk("outage", mortal.socket, tmp_path) as program:
        for word in ("stop", "continue", "kill", "start"):
            assert program.line() == word
            if word == "start":
                mortal.start()
            elif word == "kill":
                mortal.program.end(signal.SIGKILL)
            else:
                mortal.program.send(signal.SIGSTOP if word == "stop" else signal.SIGCONT)
            print("ok", file=program.process.stdin, flush=True)
        program.wait()


def test_a_runtime_that_tracks_is_led_into_the_scene_and_tells_the_daemon(sanitized, localized, tmp_path):
    with sanitized.talk("correct", localized.socket, tmp_path, "correct") as program:
        assert program.line() == "aids"
        source, = [source for source in localized.call(AID_LIST)["sources"] if source["source"] == "openxr"]
        print("ok", file=program.process.stdin, flush=True)
        program.wait()
    assert source["accepted"] > 10 and not source["refused"], source


def test_without_a_daemon_and_switched_off_a_program_gets_what_the_runtime_gives(sanitized, localized, tmp_path):
    """Byte for byte; with the same descriptors and threads."""
    alone = sanitized.run("results", tmp_path / "none", with_layer=False)
    assert len(alone.splitlines()) > 1000
    assert sanitized.run("results", tmp_path / "none") == alone
    assert sanitized.run("results", localized.socket, "off") == alone
    # Without the conversion of times a runtime tracks alone.
    assert sanitized.run("results", localized.socket, RUNTIME_HAS_NO_TIME="1") == alone


def test_points_are_on_the_earth_and_placements_in_the_scene_where_the_daemon_has_them(sanitized, localized, tmp_path):
    with sanitized.talk("geospatial", localized.socket, tmp_path) as program:
        agree = False
        while not agree:
            found = {}
            while (line := program.line()) != "compare":
                _, name, *parts = line.split("\t")
                found[name] = parts
            expected = {placement["id"]: placement for placement in localized.call(SCENE_GET_SCENE)["scene"]["changed"]}
            # The walk goes on, and what it comes by is removed.
            agree = expected.keys() == found.keys()
            print("ok" if agree else "again", file=program.process.stdin, flush=True)
        program.wait()
    for name, placement in expected.items():
        title, kind, head_locked, *position = found[name]
        assert (title, kind) == (placement.get("name", ""), placement["kind"])
        assert (head_locked == "1") == (placement.get("lock") == "head")
        # The scene moves with the alignment, which a subscription reports a few times a second.
        if head_locked == "0":
            assert list(map(float, position)) == pytest.approx([placement["position"][axis] for axis in "xyz"], abs=0.3)


@pytest.mark.parametrize("epoch", ["near", "far"])
@pytest.mark.parametrize("mode", ["replace", "correct"])
def test_hostile_calls_break_nothing(sanitized, localized, mode, epoch):
    sanitized.run("hostile", localized.socket, mode, **({"EPOCH": "far"} if epoch == "far" else {}))


@pytest.mark.long
def test_threads_that_locate_beside_frames_and_events_do_not_race(localized):
    built = Built(build("thread", THREADS))
    for mode in ("replace", "correct"):
        built.run("side-by-side", localized.socket, mode)


def test_locating_allocates_nothing_and_takes_no_lock(localized):
    """With the layer as it is installed; the times are printed alone."""
    if not (BUILT / "openxr/libXrApiLayer_waymark.so").exists():
        pytest.skip("needs the layer of `make openxr-layer`")
    built = Built(build("plain", "-O1", f"CLIENTS={BUILT}"), BUILT)

    def costs(**options):
        lines = built.run("cost", localized.socket, **options).splitlines()
        return {name: int(cost) for _, name, cost in map(str.split, lines)}

    alone = costs(with_layer=False)
    for name, cost in costs().items():
        print(f"{name}: {cost} ns, {alone[name]} ns of them by the runtime")


def test_the_example_prints_the_pixels_at_which_others_draw(sanitized, localized):
    """Its head is the daemon's at that moment, and each placement is where the outside renderer puts it for it."""
    places = build("address", SANITIZED, "places") / "places"
    scene = Stream(localized.socket, SCENE_SUBSCRIBE, {"rate": 60, "camera": CAMERA, "events": False, "hints": 0})
    try:
        done = subprocess.run(
            [places, "3"], capture_output=True, text=True, timeout=PATIENCE,
            # What leaks is the loader's.
            env={**os.environ, **sanitized.environment(localized.socket), "ASAN_OPTIONS": "detect_leaks=0"})
    finally:
        scene.close()
    assert done.returncode == 0, done.stderr
    states = scenes([reply["scene"] for reply in scene.read()])
    drawn = 0
    for line in done.stdout.splitlines():
        if line.startswith("head"):
            seconds, *numbers = map(float, re.findall(r"-?\d+\.\d+", line))
            eye = Eye({"position": dict(zip("xyz", numbers)), "orientation": dict(zip("xyzw", numbers[3:]))})
            pose = localized.call(
                POSE_GET_POSE, {"time": {"sec": int(seconds), "nsec": int(seconds % 1 * 1e9)}})["pose"]
            assert np.linalg.norm(eye.position - vector(pose["position"])) < 0.1
            # The scene follows the estimate slowly, within the accuracy. A degree has 70 km or more here.
            within = numbers[10] / 70_000
            assert numbers[7:9] == pytest.approx([pose["geo"]["latitude"], pose["geo"]["longitude"]], abs=within)
            state = newest(states, seconds)
        else:
            name, x, y, _, distance, _ = line.split()
            # Half a degree: two subscriptions do not have the same message. What is near moves more, and so do pixels far
            # beside the display.
            if name in state.placements and float(distance) > 20 and abs(float(x) - WIDTH / 2) < WIDTH:
                expected = eye.pixel(vector(state.placements[name]["position"]))
                assert np.linalg.norm(expected - [float(x), float(y)]) < 12
                drawn += 1
    assert drawn, done.stdout
