"""Receivers: a made-up one behind the real gpsd, and a gpsd whose lines the test writes."""
import json
import os
import pathlib
import signal
import subprocess
import sys
import time

from gpsd_feed import PLACE  # noqa: F401

from .paths import SUPPORT
from .process import Program
from .server import Server, local_listener


class Receiver:
    """A made-up receiver behind the real gpsd, both children of the feeder."""

    def __init__(self, log, *arguments):
        command = [sys.executable, SUPPORT / "gpsd_feed.py", "--log", log.with_suffix(".gpsd"), *arguments]
        self.program = Program(command, log, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        try:
            self.port = int(self.expect("port").split()[1])
            self.expect("device")
        except BaseException:
            self.program.end()
            raise

    def expect(self, beginning):
        """Reads the feeder's lines up to one that begins so."""
        while True:
            line = self.program.process.stdout.readline().decode().strip()
            assert line, f"the feeder ended before it said {beginning}: {self.program.log}"
            if line.startswith(beginning):
                return line

    def command(self, text, answer=None):
        self.program.process.stdin.write(text.encode() + b"\n")
        self.program.process.stdin.flush()
        self.expect(answer or text)

    def kill_gpsd(self):
        """SIGKILL for gpsd alone; it stays away until `start_gpsd`."""
        children = pathlib.Path(f"/proc/{self.program.pid}/task/{self.program.pid}/children").read_text().split()
        assert len(children) == 1, f"gpsd alone is a child of the feeder, not {children}"
        os.kill(int(children[0]), signal.SIGKILL)
        self.command("stop")

    def start_gpsd(self):
        self.command("start", "gpsd started")

    def stop(self):
        self.program.end()


class StandInGPSD(Server):
    """A gpsd that sends the given lines to each client, and then nothing."""

    def __init__(self, *lines):
        self.bytes = b"".join(line if isinstance(line, bytes) else report(line) for line in lines)
        super().__init__(local_listener())

    def serve(self, connection):
        connection.sendall(self.bytes)


def report(content):
    """A line of gpsd."""
    return json.dumps(content, separators=(",", ":")).encode() + b"\n"


GREETING = {"class": "VERSION", "release": "3.22", "rev": "3.22", "proto_major": 3, "proto_minor": 14}


def receivers(*paths):
    return {"class": "DEVICES", "devices": [{"class": "DEVICE", "path": path} for path in paths]}


class ClockOfGPSD(StandInGPSD):
    """A receiver with a fix every tenth of a second, whose clock goes on by `pace` seconds from each to the next."""

    def __init__(self, pace):
        self.pace = pace
        self.time = time.time()
        self.number = 0
        super().__init__(GREETING, receivers("/dev/ttyX"))

    def serve(self, connection):
        super().serve(connection)
        while True:
            self.time += self.pace
            self.number += 1
            stamp = time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(self.time)) + f".{self.time % 1:.3f}"[2:] + "Z"
            connection.sendall(report({
                "class": "TPV", "device": "/dev/ttyX", "mode": 3, "time": stamp, "lat": 47.0, "lon": 8.0, "altHAE": 500.0,
                "epx": 3.0, "epy": 3.0, "epv": 5.0, "speed": 0.0, "track": 0.0, **self.place()}))
            time.sleep(0.1)

    def place(self):
        """What a fix has beside the usual: that of a receiver at rest."""
        return {}
