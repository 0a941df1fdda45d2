"""The built-in walk as it really is, and points of the earth in metres about its beginning."""
import csv
import io
import math
import subprocess
from datetime import datetime

import numpy as np

from harness.paths import PROGRAMS

from .camera import rotation
from .scene_state import stamp

# WGS84.
AXIS, FLATTENING = 6378137.0, 1 / 298.257223563


def earth(geo):
    """ECEF of a place."""
    latitude, longitude = math.radians(geo["latitude"]), math.radians(geo["longitude"])
    square = FLATTENING * (2 - FLATTENING)
    radius = AXIS / math.sqrt(1 - square * math.sin(latitude) ** 2)
    height = geo.get("height", 0)
    return np.array([
        (radius + height) * math.cos(latitude) * math.cos(longitude),
        (radius + height) * math.cos(latitude) * math.sin(longitude),
        (radius * (1 - square) + height) * math.sin(latitude)])


def east_north_up(geo, origin):
    """Metres from an origin on the earth."""
    latitude, longitude = math.radians(origin["latitude"]), math.radians(origin["longitude"])
    east = [-math.sin(longitude), math.cos(longitude), 0]
    north = [-math.sin(latitude) * math.cos(longitude), -math.sin(latitude) * math.sin(longitude), math.cos(latitude)]
    up = [math.cos(latitude) * math.cos(longitude), math.cos(latitude) * math.sin(longitude), math.sin(latitude)]
    return np.array([east, north, up]) @ (earth(geo) - earth(origin))


def in_scene(geo, origin, published):
    """A place on the ground in the scene, x and z, as the published alignment of frame messages lays it out."""
    east, north, _ = east_north_up(geo, origin)
    turn = -math.radians(published["yaw"])
    east, north = east - published["east"], north - published["north"]
    return np.array([
        math.cos(turn) * east - math.sin(turn) * north, -(math.sin(turn) * east + math.cos(turn) * north)])


class Truth:
    """Where the simulated wearer really is and looks. ENU: metres from where the walk began."""

    def __init__(self, seconds, seed=1):
        command = [PROGRAMS / "waymark-bench", "--truth", str(seed), str(seconds)]
        done = subprocess.run(command, capture_output=True, text=True, check=True)
        _, table = done.stdout.split("\n", 1)
        self.rows = [
            {key: float(value) for key, value in row.items()} for row in csv.DictReader(io.StringIO(table))]
        self.begin = self.rows[0]["utc_s"]
        self.rate = 1 / (self.rows[1]["t_s"] - self.rows[0]["t_s"])
        self.offset = self.is_without_pause = None

    def follow(self, poses):
        """Learns from the UTC of poses which moment of the walk is which of CLOCK_BOOTTIME."""
        offsets = [
            datetime.fromisoformat(pose["utc"].replace("Z", "+00:00")).timestamp() - stamp(pose["time"])
            for pose in poses if "utc" in pose]
        self.offset = float(np.median(offsets))
        # Where the machine stopped for a second or more, the walk was held up.
        self.is_without_pause = max(offsets) - min(offsets) < 0.002
        return self

    def at(self, time):
        """Place, the rotation ENU-from-body and the speed over ground, at a moment of CLOCK_BOOTTIME."""
        row = (time + self.offset - self.begin) * self.rate
        index = min(max(int(row), 0), len(self.rows) - 2)
        before, after, part = self.rows[index], self.rows[index + 1], row - index
        # A quaternion and its negative are the same rotation.
        sign = math.copysign(1, sum(before[key] * after[key] for key in "xyzw"))
        after = {key: sign * value if key in "xyzw" else value for key, value in after.items()}
        between = {key: before[key] + part * (after[key] - before[key]) for key in before}
        place = np.array([between["east"], between["north"], between["up"]])
        return place, rotation(between["x"], between["y"], between["z"], between["w"]), between["speed"]

    def seconds(self, time):
        """Since the walk began."""
        return time + self.offset - self.begin
