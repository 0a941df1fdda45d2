"""A board of real parts: libiio over the network backend, the real gpsd, and the daemon on both."""
import pathlib
import shutil
import tempfile

from .daemon import Daemon, merged
from .sensors import Board, Receiver

# Where the feeder's receiver stands: degrees, degrees, metres above the ellipsoid.
PLACE = (48.1, 11.5, 566.0)


class Rig:
    def __init__(self, *layers, board=("--preset", "board"), receiver=()):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="wm-rig-", dir="/tmp"))
        self.board = self.receiver = self.daemon = None
        try:
            self.board = Board(self.folder / "board.log", *board).start()
            self.receiver = Receiver(self.folder / "receiver.log", *receiver)
            sensors = {
                "iio": {"context": self.board.uri},
                "gnss": {"host": "127.0.0.1", "port": self.receiver.port, "silence_seconds": 2},
            }
            self.daemon = Daemon(merged(sensors, *layers)).start()
        except BaseException:
            self.remove()
            raise

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
