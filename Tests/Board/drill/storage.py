"""What the daemon keeps, under fire: writes that were confirmed, recordings that were cut, all files whole."""
import csv
import json
import subprocess

from waymark_interface import CALIBRATION_LIST, RECORDING_START, SCENE_NEAR_PLACES

from harness.paths import PROGRAMS
from harness.poses import stamp

from .guest_facts import PLACES, TRUE_BIAS

# What a recording may lack when its writer is killed: the open chunk is a second long, another may wait on a busy disk.
LOST_SECONDS = 5.0


def favorites(count):
    """Which places are favourites after this number of changes; see guest/writer.py."""
    result = set()
    for place in range(PLACES):
        last = next((k for k in range(count, 0, -1) if k % PLACES == place), None)
        if last is not None and last // PLACES % 2 == 0:
            result.add(f"drill/{place}")
    return result


class Writer:
    """Changes the daemon's state until it is killed, or stopped."""

    def __init__(self, world):
        self.world, self.before = world, world.count
        self.path = world.folder / f"confirmed-{world.units}"
        self.unit = world.start_unit(f"writer /job/drill/{self.path.name} {world.count}")

    @property
    def confirmed(self):
        """The number of the last change that was confirmed; None before the first call has ended."""
        if not self.path.exists():
            return None
        numbers = self.path.read_text().rpartition("\n")[0].split()
        return max(int(numbers[-1]), self.before) if numbers else None

    def wait_for_some(self, count=3):
        self.world.wait_for(
            lambda: (self.confirmed or 0) >= self.before + count, lambda: f"writes to be confirmed: {self.confirmed}")

    def stop(self):
        self.world.run(f"systemctl stop {self.unit}.service", check=False)

    def check(self):
        """What is there is what was confirmed, or the change that was on its way."""
        confirmed = self.confirmed
        if confirmed is None:
            return
        entries = self.world.call(CALIBRATION_LIST)["calibrations"]
        biases = [entry["parameters"]["bias"][0] for entry in entries if entry["sensor"] == "gyroscope"]
        found = round((biases[0] - TRUE_BIAS) * 1e9) if biases else 0
        assert found in (confirmed, confirmed + 1), f"calibration {confirmed} was confirmed, {found} is there"
        near = {"near": {"latitude": 48.1, "longitude": 11.5, "height": 566}, "radius": 1000, "favoritesOnly": True}
        kept = {place["id"] for place in self.world.call(SCENE_NEAR_PLACES, near)["places"]}
        assert kept in (favorites(confirmed), favorites(confirmed + 1)), f"after change {confirmed}: {kept}"
        self.world.count = found


class CutRecording:
    """A recording that goes on until the daemon is killed."""

    def __init__(self, world):
        self.world, self.name = world, f"drill-{world.units}.mcap"
        world.units += 1
        self.runs = world.call(RECORDING_START, {"path": self.name}, check=False) is not None
        self.begin = self.end = None

    def let_pass(self, seconds):
        self.world.take_poses()
        self.begin = stamp(self.world.newest)
        self.world.let_pass(seconds)

    def mark_end(self):
        """What was witnessed before the kill has to be in it."""
        self.world.take_poses()
        self.end = stamp(self.world.newest)

    def check(self):
        """It can be read up to the kill."""
        if not self.runs:
            return
        times = self.times()
        wanted = self.end - LOST_SECONDS
        if wanted > self.begin:
            assert times and times[-1] >= wanted, f"{self.name} ends at {times[-1:]}, killed after {self.end}"

    def check_is_readable(self):
        """As far as the disk had room for it."""
        if self.runs:
            self.times()

    def times(self):
        """Of the poses that a replay gives, seconds; takes the file out of the guest."""
        path, table = self.world.folder / self.name, self.world.folder / "replayed.csv"
        self.world.run(f"mv /var/lib/waymark/recordings/{self.name} /job/drill/")
        command = [PROGRAMS / "waymark", "replay", path, "--rate", "10", "--output", table]
        done = subprocess.run(command, capture_output=True, text=True)
        assert done.returncode == 0, f"{self.name} cannot be replayed: {done.stderr}"
        path.unlink()
        with open(table, newline="") as rows:
            return [float(row["t_s"]) for row in csv.DictReader(rows)]


def check_state(world):
    """All files are whole."""
    found = json.loads(world.run(world.script("state")).output)
    assert not found["damage"], found["damage"]
    return found
