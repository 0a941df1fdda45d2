"""The program `waymark` with a stand-in daemon, for tests of what it prints and how it meets mishaps."""

import os
import pathlib
import subprocess
import sys

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[3]
sys.path.insert(0, str(ROOT / "Tests/Support"))

import stand_in_daemon as daemon  # noqa: E402, F401
from stand_in_daemon import CLOSE, Error, Foreign, Last, StandIn  # noqa: E402, F401

PROGRAM = ROOT / ".build/release/waymark"
GET_POSE = "org.waymark.Pose.GetPose"
SUBSCRIBE = "org.waymark.Pose.Subscribe"
GET_STATUS = "org.waymark.Status.GetStatus"
LIST_DEVICES = "org.waymark.Status.ListDevices"
GET_AHEAD = "org.waymark.Scene.GetAhead"
START = "org.waymark.Recording.Start"
STOP = "org.waymark.Recording.Stop"


def environment(path):
    return {**os.environ, "WAYMARK_SOCKET": str(path)}


@pytest.fixture
def waymark(tmp_path):
    """Runs the program with a stand-in daemon that gives these replies."""
    def run(*arguments, replies=None, **options):
        path = tmp_path / "daemon.sock"
        path.unlink(missing_ok=True)
        with StandIn(path, replies or {}) as stand_in:
            done = subprocess.run(
                [PROGRAM, *arguments], env=environment(path), capture_output=True, text=True, timeout=60, **options)
            done.calls = stand_in.calls
            return done
    return run
