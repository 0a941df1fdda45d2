"""`waymark-beacon`: what reaches the two ears comes from where the scene has its placement; and what it says when it cannot sound."""
import os
import re
import signal
import subprocess
import wave

import numpy as np
import pytest
from waymark_interface import POSE_GET_POSE, SCENE_GET_SCENE, SCENE_PLACE_ANCHOR

from harness.paths import PROGRAMS
from harness.process import Program
from harness.waiting import wait_until
from renderer.camera import rotation

BEACON = PROGRAMS / "waymark-beacon"
# Bearings of anchors all around, whatever way the walk goes. Degrees.
BEARINGS = (20, 110, 200, 290)
# Time between the ears for a sound from the very side, by OpenAL's filters. Seconds.
FROM_THE_SIDE = 0.00068


def place(daemon, name, bearing):
    anchor = {"id": name, "way": {"bearing": bearing, "distance": 30.0}, "lifetime": "daemon"}
    assert daemon.call(SCENE_PLACE_ANCHOR, {"anchor": anchor}) == {"id": name}


def sides(path):
    """Left and right, and the rate."""
    with wave.open(str(path)) as file:
        assert (file.getnchannels(), file.getsampwidth()) == (2, 2)
        samples = np.frombuffer(file.readframes(file.getnframes()), "<i2").reshape(-1, 2).astype(float)
        return samples, file.getframerate()


def pulses(samples, rate):
    """Indices at which pulses begin: sound after a tenth of a second of next to none."""
    step = rate // 200
    loud = np.abs(samples[:len(samples) // step * step]).max(axis=1).reshape(-1, step).max(axis=1)
    quiet = loud < 0.02 * max(loud.max(), 1)
    starts = [index for index in range(20, len(quiet)) if not quiet[index] and quiet[index - 20:index].all()]
    # Whole ones.
    return [index * step for index in starts if index * step + rate // 10 < len(samples)]


def delay(samples, begin, rate):
    """By which the left ear hears a pulse later. Seconds."""
    count = int(0.06 * rate)
    left, right = samples[begin:begin + count].T
    lags = np.arange(-50, 51)
    sums = [left[50 + lag:count - 50 + lag] @ right[50:count - 50] for lag in lags]
    return lags[int(np.argmax(sums))] / rate


def side(daemon, place, seconds):
    """Sine of the angle to the right at which the wearer had a place of the scene, at a time of CLOCK_BOOTTIME."""
    time = {"sec": int(seconds), "nsec": int(seconds % 1 * 1e9)}
    pose = daemon.call(POSE_GET_POSE, {"time": time, "clock": "boottime"})["pose"]
    q, p = pose["orientation"], pose["position"]
    way = np.array([place[axis] - p[axis] for axis in "xyz"])
    return (rotation(q["x"], q["y"], q["z"], q["w"]).T @ way)[0] / np.linalg.norm(way)


def test_the_sound_comes_from_where_the_scene_has_the_placement(walk, tmp_path):
    walk.wait_for_state("localized")
    for bearing in BEARINGS:
        place(walk, f"horn{bearing}", bearing)
    beacons = {
        bearing: Program(
            [BEACON, "--socket", walk.socket, "--target", f"anchor horn{bearing}", "--wav", tmp_path / f"{bearing}.wav",
             "--seconds", "6"], tmp_path / f"{bearing}.log") for bearing in BEARINGS}
    assert [beacon.wait() for beacon in beacons.values()] == [0] * 4
    placed = {each["id"]: each["position"] for each in walk.call(SCENE_GET_SCENE)["scene"]["changed"]}
    heard, expected = [], []
    for bearing, beacon in beacons.items():
        beacon.end()
        begin = float(re.search(r"from (\S+) s of CLOCK_BOOTTIME", beacon.log).group(1))
        samples, rate = sides(tmp_path / f"{bearing}.wav")
        found = pulses(samples, rate)
        # Every 0.7 s, once the scene is there.
        assert len(found) >= 4, beacon.log
        for index in found:
            heard.append(delay(samples, index, rate))
            # In the middle of its loud part.
            sine = side(walk, placed[f"anchor/horn{bearing}"], begin + index / rate + 0.02)
            # Around a sphere.
            expected.append(FROM_THE_SIDE * (np.arcsin(sine) + sine) / (np.pi / 2 + 1))
    heard, expected = np.array(heard), np.array(expected)
    assert expected.max() - expected.min() > FROM_THE_SIDE, "anchors on both sides"
    off = np.abs(heard - expected)
    assert np.corrcoef(heard, expected)[0, 1] > 0.98
    # A sphere is no head: 0.00008 s are 8 degrees near the front, and of a place behind another sign would be 0.0005.
    assert off.max() < 0.00012 and np.median(off) < 0.00005


def said(program, text):
    wait_until(lambda: text in program.log, what=lambda: f"{text!r} in the log:\n{program.log}")


def beacon(*arguments, **environment):
    return subprocess.run(
        [BEACON, *arguments], capture_output=True, text=True, timeout=60, env={**os.environ, **environment})


def test_a_target_that_the_scene_does_not_have_is_named(walk, tmp_path):
    walk.wait_for_state("localized")
    searching = Program(
        [BEACON, "--socket", walk.socket, "--target", "anchor nothing"], tmp_path / "log",
        env={**os.environ, "ALSOFT_DRIVERS": "null"})
    try:
        said(searching, "silent: the scene has no anchor/nothing")
    finally:
        assert searching.end() == 0


def test_a_daemon_that_hangs_silences_it(walk, tmp_path):
    walk.wait_for_state("localized")
    place(walk, "bell", 90)
    sounding = Program(
        [BEACON, "--socket", walk.socket, "--target", "anchor/bell"], tmp_path / "log",
        env={**os.environ, "ALSOFT_DRIVERS": "null"})
    try:
        said(sounding, "\nsounds\n")
        walk.program.send(signal.SIGSTOP)
        said(sounding, "silent: no fresh pose")
    finally:
        walk.program.send(signal.SIGCONT)
        assert sounding.end() == 0


def test_without_a_daemon_it_waits_in_silence(tmp_path):
    done = beacon("--socket", tmp_path / "none.sock", "--wav", tmp_path / "b.wav", "--seconds", "0.5")
    assert done.returncode == 0
    assert "no scene of the daemon" in done.stderr and "silent: the daemon does not answer" in done.stderr
    samples, rate = sides(tmp_path / "b.wav")
    assert len(samples) > 0.3 * rate and not samples.any()


def test_it_pauses_by_a_signal(tmp_path):
    paused = Program(
        [BEACON, "--socket", tmp_path / "none.sock"], tmp_path / "log", env={**os.environ, "ALSOFT_DRIVERS": "null"})
    try:
        said(paused, "silent: the daemon does not answer")
        paused.send(signal.SIGUSR1)
        said(paused, "silent: paused")
    finally:
        assert paused.end() == 0


@pytest.mark.parametrize("target", ["bench", "place", "anchor ", "turn left", ""])
def test_a_target_that_is_none_is_refused(target):
    done = beacon("--target", target)
    assert done.returncode == 2 and "--target" in done.stderr and "waymark-beacon --help" in done.stderr


def test_a_missing_library_names_its_package(tmp_path):
    (tmp_path / "libopenal.so.1").write_text("")
    done = beacon("--list-devices", LD_LIBRARY_PATH=str(tmp_path))
    assert done.returncode == 1 and "install the package libopenal1" in done.stderr


def test_a_missing_device_is_an_error_and_nothing_else_is_printed():
    lacking = {"ALSOFT_DRIVERS": "alsa", "ALSA_CONFIG_PATH": "/dev/null"}
    done = beacon(**lacking)
    assert done.returncode == 1
    assert done.stderr.startswith("waymark-beacon: there is no audio device") and len(done.stderr.splitlines()) == 1
    assert "--list-devices" in beacon("--device", "none", **lacking).stderr


def test_without_filters_of_heads_it_pans_and_says_so(tmp_path):
    settings = tmp_path / "alsoft.conf"
    settings.write_text("[general]\nhrtf = false\n")
    done = beacon(
        "--socket", tmp_path / "none.sock", "--seconds", "0.2", ALSOFT_DRIVERS="null", ALSOFT_CONF=str(settings))
    assert done.returncode == 0 and "front and back sound the same" in done.stderr


def test_a_file_that_cannot_be_written_is_an_error():
    done = beacon("--wav", "/nowhere/b.wav")
    assert done.returncode == 1 and "/nowhere/b.wav: No such file or directory" in done.stderr
