"""An IIO server under the test's control, by which libiio's network backend has sensors."""
import json
import subprocess
import sys

from .paths import SUPPORT
from .process import Program


class IIOServer:
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
