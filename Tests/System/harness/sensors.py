"""The parts of the world around the daemon: an IIO server under control and a receiver behind the real gpsd."""
import json
import os
import pathlib
import signal
import subprocess
import sys

from .process import SUPPORT, Program


class Board:
    """The IIOD emulator as a process; libiio reads it over its network backend."""

    def __init__(self, log, *arguments):
        self.log, self.arguments, self.port, self.program = log, arguments, 0, None

    def start(self):
        """Starts it, again on the port it had."""
        command = [sys.executable, SUPPORT / "iiod_emulator.py", "--port", str(self.port), "--control", *self.arguments]
        self.program = Program(command, self.log, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        line = self.program.process.stdout.readline().decode().split()
        assert line[:1] == ["port"], f"the emulator did not start: {self.program.log}"
        self.port = int(line[1])
        return self

    def stop(self):
        if self.program:
            self.program.end()

    def command(self, **command):
        """Changes faults or attributes while it runs."""
        self.program.process.stdin.write(json.dumps(command).encode() + b"\n")
        self.program.process.stdin.flush()
        answer = self.program.process.stdout.readline().decode().strip()
        assert answer == "ok", answer

    @property
    def uri(self):
        return f"ip:127.0.0.1:{self.port}"


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
