"""A board of real parts: libiio over the network backend, the real gpsd, and the daemon on both."""
import json
import pathlib
import shutil
import tempfile

from waymark_interface import CALIBRATION_IMPORT

from . import calibration
from .daemon import Daemon
from .gps import Receiver
from .iio import IIOServer
from .settings import merged


class Rig:
    def __init__(self, *layers, board=("--preset", "board"), receiver=(), calibrated=True):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="wm-rig-", dir="/tmp"))
        self.board = self.receiver = self.daemon = None
        try:
            # Each is known before it starts: what fails while it starts is ended, too.
            self.board = IIOServer(self.folder / "board.log", *board)
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

    @property
    def processes(self):
        """Those of its parts, of which the receiver's has started gpsd."""
        return [part.program.pid for part in (self.daemon, self.board, self.receiver)]

    def take_calibration_in(self):
        document = calibration.document(calibration.MAGNETOMETER, device={"name": "magn_3axis"})
        imported = self.daemon.call(CALIBRATION_IMPORT, {"document": json.dumps(document)})["imported"]
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
