"""A board of real parts: libiio over the network backend, the real gpsd, and the daemon on both."""
import json
import pathlib
import shutil
import tempfile

from .daemon import Daemon, merged
from .sensors import Board, Receiver

# Where the feeder's receiver stands: degrees, degrees, metres above the ellipsoid.
PLACE = (48.1, 11.5, 566.0)

# The board was calibrated: its emulated magnetometer is without error, and known to half a microtesla. One without a
# calibration on record tells no north while the board lies still.
IDENTITY = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]]
MAGNETOMETER = {
    "device": {"name": "magn_3axis"},
    "sensors": [{"sensor": "magnetometer", "history": [], "present": {
        "time": 1.7e9, "origin": "calibrate", "kind": "mag", "waymark": "1",
        "parameters": {"bias": [0.0, 0.0, 0.0], "matrix": IDENTITY},
        "standardDeviations": {"bias": [0.5, 0.5, 0.5], "matrix": [[0.0] * 3] * 3}}}]}


class Rig:
    def __init__(self, *layers, board=("--preset", "board"), receiver=(), calibrated=True):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="wm-rig-", dir="/tmp"))
        self.board = self.receiver = self.daemon = None
        try:
            # Each is known before it starts: what fails while it starts is ended, too.
            self.board = Board(self.folder / "board.log", *board)
            self.board.start()
            self.receiver = Receiver(self.folder / "receiver.log", *receiver)
            sensors = {
                "iio": {"context": self.board.uri},
                "gnss": {"host": "127.0.0.1", "port": self.receiver.port, "silence_seconds": 2},
            }
            self.daemon = Daemon(merged(sensors, *layers))
            self.daemon.start()
            if calibrated:
                self.take_calibration_in()
        except BaseException:
            self.remove()
            raise

    def take_calibration_in(self):
        document = json.dumps({"format": "waymark calibration", "version": 1, "devices": [MAGNETOMETER]})
        imported = self.daemon.call("org.waymark.Calibration.Import", {"document": document})["imported"]
        assert imported == ["magnetometer"]

    def localized(self):
        """Waits until everything is there; a subscriber's first minute is not what the tests are about."""
        return self.daemon.wait_for_state("localized")

    def remove(self):
        if self.daemon:
            self.daemon.remove()
        for part in (self.receiver, self.board):
            if part:
                part.stop()
        shutil.rmtree(self.folder, ignore_errors=True)
