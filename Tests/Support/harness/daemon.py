"""The real daemon: what tests ask of one wherever it runs, and one on this machine with a folder of its own."""
import os
import pathlib
import shutil
import signal
import subprocess
import tempfile

from waymark_interface import SERVICE_GET_INFO, STATUS_GET_STATUS, STATUS_LIST_DEVICES

from . import interfaces
from .paths import PROGRAMS
from .process import Program
from .settings import merged, private, toml
from .subscriber import Subscriber
from .varlink import Connection
from .waiting import PATIENCE, wait_until

SIMULATION = {"source": {"kind": "simulation"}}
# Parent of a daemon's folder where its time is the promise: a disk on which others write may hold it up for seconds.
IN_MEMORY = "/dev/shm" if os.access("/dev/shm", os.W_OK) else "/tmp"


class AnyDaemon:
    """A `waymarkd` wherever it runs. Subclasses say how it is launched, called and waited for, and what its log is."""

    # Such as " with 1": for the error about a daemon that should run and does not.
    exit_code = ""
    # For a line in its log. Seconds.
    patience = PATIENCE

    def start(self, *arguments, **options):
        """Starts it and returns when it takes clients."""
        self.launch(*arguments, **options)
        self.wait_until(self.takes_clients, what=lambda: f"waymarkd takes clients; its log is:\n{self.log}")
        return self

    def takes_clients(self):
        """Whether it answers; fails when it has ended."""
        if self.answers():
            return True
        assert self.runs, f"waymarkd ended{self.exit_code}; its log is:\n{self.log}"
        return False

    def said(self, text, timeout=None):
        """Waits for a text in the log; returns its line."""
        def line():
            return next((line for line in self.log.splitlines() if text in line), None)
        return self.wait_until(
            line, timeout=timeout or self.patience, what=lambda: f"{text!r} in the log; it is:\n{self.log}")

    def status(self):
        return self.call(STATUS_GET_STATUS)["status"]

    def devices(self):
        """The reports of all devices, by the device's name."""
        return {device["name"]: device for device in self.call(STATUS_LIST_DEVICES)["devices"]}

    def device(self, part):
        """The report of the device whose name or identifier has `part` in it; None if there is none."""
        for device in self.status()["devices"]:
            if part in device["name"] or part in device["identifier"]:
                return device
        return None

    def wait_for_state(self, *states, **options):
        return self.wait_until(
            lambda: (status := self.status())["state"] in states and status,
            what=lambda: f"state {' or '.join(states)}; it is {self.status()}", **options)

    def wait_for_devices(self, condition, **options):
        """Waits until `condition(devices)` holds; returns the devices."""
        devices = {}

        def found():
            nonlocal devices
            devices = self.devices()
            return condition(devices)

        self.wait_until(
            found, what=lambda: f"devices as wanted; they are {devices}; the log is:\n{self.log}", **options)
        return devices

    def wait_for_streams(self, *names, **options):
        """Waits until the devices of these names stream; returns all devices."""
        return self.wait_for_devices(
            lambda devices: all(devices.get(name, {}).get("state") == "streaming" for name in names), **options)


class Daemon(AnyDaemon):
    """`waymarkd` with its configuration, socket, state and log in a short private folder."""

    def __init__(self, settings=None, environment=None, parent="/tmp"):
        # Short, because the path of a socket may have 107 bytes.
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="wm-", dir=parent))
        self.socket = self.folder / "socket"
        self.recordings = self.folder / "recordings"
        self.config = self.folder / "waymark.toml"
        self.log_path = self.folder / "log"
        self.log_path.touch()
        self.environment = environment or {}
        self.settings = merged(private(self.folder), {"service": {"socket_mode": "0600"}}, settings or {})
        self.configure()
        self.program = None

    def configure(self, settings=None):
        """Writes the configuration, with changes that stay."""
        self.settings = merged(self.settings, settings or {})
        self.config.write_text(toml(self.settings))

    def launch(self, *arguments, prefix=(), **options):
        """Starts it and returns at once."""
        environment = {
            name: value for name, value in os.environ.items()
            if name not in ("NOTIFY_SOCKET", "LISTEN_FDS", "LISTEN_PID", "WATCHDOG_USEC")}
        environment.update(self.environment)
        # A demonstration has settings of its own.
        settings = [] if "--demo" in arguments else ["--config", self.config]
        arguments = [*prefix, PROGRAMS / "waymarkd", *settings, *arguments]
        if self.program:
            # One that was killed: its successor writes into the same log.
            self.program.end()
        self.program = Program(arguments, self.log_path, env=environment, stdin=subprocess.DEVNULL, **options)
        return self

    def answers(self):
        try:
            self.call(SERVICE_GET_INFO)
            return True
        except (FileNotFoundError, ConnectionRefusedError):
            return False

    @property
    def runs(self):
        return self.program.runs

    @property
    def exit_code(self):
        return f" with {self.program.process.returncode}"

    @property
    def log(self):
        return self.log_path.read_text(errors="replace")

    def wait_until(self, condition, timeout=PATIENCE, what=None):
        return wait_until(condition, timeout, what)

    def connect(self, **options):
        return Connection(self.socket, **options)

    def subscribe(self, **options):
        return Subscriber(self.socket, **options)

    def call(self, method, parameters=None):
        """The reply to a call, which is as the interface declares it."""
        with self.connect() as connection:
            reply = connection.call(method, parameters)
        interfaces.check_reply(method, reply)
        return reply

    def end_recording(self):
        """Ends the recording and waits for its file; a daemon that ends waits for a slow disk only briefly."""
        return self.call("org.waymark.Recording.Stop")

    def reload(self):
        self.program.send(signal.SIGHUP)

    def open_to_all(self):
        """Lets other users of this machine reach the socket."""
        self.folder.chmod(0o755)
        self.socket.chmod(0o666)

    def stop(self):
        """SIGTERM; the code it ended with."""
        return self.program.end()

    def remove(self):
        if self.program:
            self.program.end()
        shutil.rmtree(self.folder, ignore_errors=True)
