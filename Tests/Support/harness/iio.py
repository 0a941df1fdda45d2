"""Made-up IIO sensors: a server under the test's control for libiio's network backend, files for its local one."""
import json
import os
import subprocess
import sys

from .paths import ROOT, SUPPORT
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


class DeviceFiles:
    """Files of made-up devices, which a program with this environment finds in /sys and /dev."""

    def __init__(self, folder, *arguments):
        self.folder, self.sent = folder, folder / "sent"
        library = folder / "device_files.so"
        source = ROOT / "scripts/load_measurement/device_files.c"
        subprocess.run(["cc", "-shared", "-fPIC", "-o", library, source], check=True)
        self.environment = {"LD_PRELOAD": str(library), "WAYMARK_IIO_FILES": str(folder / "files")}
        command = [sys.executable, SUPPORT / "iio_files.py", library, folder / "files"]
        command += ["--sent", self.sent, *arguments]
        self.program = Program(command, folder / "log", stdout=subprocess.PIPE)
        assert self.program.process.stdout.readline() == b"ready\n", f"no devices: {self.program.log}"

    def stop(self):
        self.program.end()

    def path(self, identifier):
        return self.folder / "files/sys/bus/iio/devices" / identifier

    def enables(self, identifier):
        """Whether the buffer of a device is enabled."""
        return (self.path(identifier) / "buffer/enable").read_text().startswith("1")

    def fail(self, identifier):
        """Has the next read of a device fail, as device_files.c knows it."""
        # Without O_NONBLOCK, opening waits until the daemon has the device open.
        node = os.open(self.folder / "files/dev" / identifier, os.O_RDWR | os.O_NONBLOCK)
        os.write(node, b"\0")
        os.close(node)

    def unplug(self, identifier):
        self.path(identifier).rename(self.folder / identifier)

    def plug(self, identifier):
        (self.folder / identifier / "buffer/enable").write_text("0\n")
        (self.folder / identifier).rename(self.path(identifier))
