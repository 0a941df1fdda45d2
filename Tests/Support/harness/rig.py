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


# What a board at rest beside fixes lacks: only motion confirms its compass.
AT_REST = {"headingUnconfirmed"}


def lacks_motion_alone(answer):
    """Whether a pose or status is all that a board at rest can have."""
    return answer["state"] == "aligning" and set(answer["reasons"]) - {"gyroBiasUncertain"} == AT_REST


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

    def placed(self):
        """Waits until all is there but motion; a subscriber's first minute is not what the tests are about."""
        return self.daemon.wait_until(
            lambda: (status := self.daemon.status()) and lacks_motion_alone(status) and status,
            what=lambda: f"only motion missing; it is {self.daemon.status()}")

    def remove(self):
        if self.daemon:
            self.daemon.remove()
        for part in (self.receiver, self.board):
            if part:
                part.stop()
        shutil.rmtree(self.folder, ignore_errors=True)
