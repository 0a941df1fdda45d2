"""What commands show on a terminal: the live pose, a calibration, a board with two faults, and a fleet."""
import contextlib

from harness import command
from harness.command import PROGRAM
from harness.daemon import Daemon
from harness.doctor import board
from harness.mosquitto import Mosquitto
from harness.process import Program
from harness.rig import Rig
from harness.tmux import Terminal
from harness.wearer import address

from .screen import page

# A mount matrix that mirrors an axis, and a compass whose scale is ten times too large.
FAULTY = board(
    imu={"name": "bmi160", "mount_matrix": "-1, 0, 0; 0, 1, 0; 0, 0, 1"},
    magnetometer={"name": "ak8963", "mount_matrix": "1, 0, 0; 0, 1, 0; 0, 0, 1",
                  "attributes": {"in_magn_scale": "0.005"}})
# The longest lines of the doctor are no longer than that.
COLUMNS, ROWS = 132, 60
# By picture: the arguments of the command, a text that it shows when the picture is taken, and the size of the terminal.
DEMONSTRATED = {
    "tour-watch.png": (["watch"], "on foot", 100, 32),
    # The simulated wearer has turned the board to most directions by then.
    "tour-calibrate.png": (["calibrate", "mag"], "seen      7", COLUMNS, ROWS),
}
EXAMINED = "tour-doctor.png"
FLEET = "tour-fleet.png"
PICTURES = (*DEMONSTRATED, EXAMINED, FLEET)
# Larger than all that fits into the terminal. Pixels.
WINDOW = 1400, 1400
# Seconds. Calibrations take their time, and the machine may be busy.
PATIENCE = 240


@contextlib.contextmanager
def demonstration():
    daemon = Daemon()
    try:
        daemon.start("--demo", "--socket", daemon.socket)
        daemon.wait_for_state("localized")
        yield daemon
    finally:
        daemon.remove()


@contextlib.contextmanager
def fleet(folder):
    """A broker with simulated wearers, of whom the first has been seen at several places."""
    broker, program = Mosquitto(folder / "broker"), None
    try:
        broker.start()
        program = Program(
            [PROGRAM, "fleet", "simulate", "--broker", address(broker.endpoint), "--wearers", "12", "--rate", "2", "--events",
             "20s", "--duration", "10min"], folder / "fleet.log")
        yield broker
    finally:
        if program:
            program.end()
        broker.remove()


def captured(arguments, text, socket, folder=".", columns=COLUMNS, rows=ROWS):
    """What stands on the terminal when a command in a folder has written a text, with its colours."""
    line, environment = ["env", "-C", folder, PROGRAM, *arguments], command.environment(socket)
    with Terminal(line, environment, columns=columns, rows=rows) as terminal:
        terminal.wait_for(text, PATIENCE)
        return terminal.coloured


def save(sheet, folder, name, arguments, shown):
    file = (folder / name).with_suffix(".html")
    file.write_text(page(["waymark", *arguments], shown), encoding="utf-8")
    sheet.show(file, *WINDOW)
    sheet.save(name)


def take(sheet, folder):
    with demonstration() as daemon:
        for name, (arguments, text, columns, rows) in DEMONSTRATED.items():
            shown = captured(arguments, text, daemon.socket, columns=columns, rows=rows)
            save(sheet, folder, name, arguments, shown)
    rig = Rig(board=FAULTY, calibrated=False)
    try:
        arguments = ["doctor", "--config", rig.daemon.config.name]
        shown, _, _ = captured(arguments, "ended with", rig.daemon.socket.name, rig.daemon.folder).rpartition("ended with")
    finally:
        rig.remove()
    save(sheet, folder, EXAMINED, arguments, shown)
    with fleet(folder) as broker:
        # Until the wearers have left a way behind them on the map.
        shown = captured(
            ["fleet", "watch", "--broker", address(broker.endpoint)], "arrived 3", folder / "no.sock", columns=132, rows=32)
    save(sheet, folder, FLEET, ["fleet", "watch"], shown)
