"""The real daemon with a folder of its own."""
import os
import pathlib
import shutil
import signal
import subprocess
import tempfile

from .process import PATIENCE, PROGRAMS, Program, wait_until
from .wire import Connection, Subscriber

SIMULATION = {"source": {"kind": "simulation"}}


def toml(settings):
    """Settings by section as a TOML text."""
    def value(setting):
        if isinstance(setting, bool):
            return "true" if setting else "false"
        if isinstance(setting, str):
            return '"' + setting.replace("\\", "\\\\").replace('"', '\\"') + '"'
        if isinstance(setting, (list, tuple)):
            return "[" + ", ".join(value(part) for part in setting) + "]"
        return repr(setting)

    lines = []
    for section, keys in settings.items():
        lines += [f"[{section}]"] + [f"{key} = {value(setting)}" for key, setting in keys.items()] + [""]
    return "\n".join(lines)


def merged(*layers):
    """Settings by section, later layers over earlier ones."""
    result = {}
    for layer in layers:
        for section, keys in layer.items():
            result.setdefault(section, {}).update(keys)
    return result


class Daemon:
    """`waymarkd` with its configuration, socket, state and log in a short private folder."""

    def __init__(self, settings=None, environment=None):
        # Short, because the path of a socket may have 107 bytes.
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="wm-", dir="/tmp"))
        self.socket = self.folder / "socket"
        self.recordings = self.folder / "recordings"
        self.config = self.folder / "waymark.toml"
        self.log_path = self.folder / "log"
        self.log_path.touch()
        self.environment = environment or {}
        self.settings = merged(
            {
                "service": {
                    "socket": str(self.socket), "socket_mode": "0600", "socket_group": "", "change_group": ""},
                "recording": {"directory": str(self.recordings), "minimum_free_megabytes": 0},
                "state": {"directory": str(self.folder / "state")},
            },
            settings or {})
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
        arguments = [*prefix, PROGRAMS / "waymarkd", "--config", self.config, *arguments]
        if self.program:
            # One that was killed: its successor writes into the same log.
            self.program.end()
        self.program = Program(arguments, self.log_path, env=environment, stdin=subprocess.DEVNULL, **options)
        return self

    def start(self, *arguments, **options):
        """Starts it and returns when it takes clients."""
        self.launch(*arguments, **options)
        wait_until(self.answers, what=lambda: f"waymarkd takes clients; it said:\n{self.log}")
        return self

    def answers(self):
        assert self.program.runs, f"waymarkd ended with {self.program.process.returncode}; it said:\n{self.log}"
        try:
            with Connection(self.socket) as connection:
                connection.call("org.varlink.service.GetInfo")
            return True
        except (FileNotFoundError, ConnectionRefusedError):
            return False

    @property
    def log(self):
        return self.log_path.read_text(errors="replace")

    def said(self, text, timeout=PATIENCE):
        """Waits for a text in the log; returns its line."""
        def line():
            return next((line for line in self.log.splitlines() if text in line), None)
        return wait_until(line, timeout, lambda: f"{text!r} in the log; it is:\n{self.log}")

    def connect(self, **options):
        return Connection(self.socket, **options)

    def subscribe(self, **options):
        return Subscriber(self.socket, **options)

    def call(self, method, parameters=None):
        with self.connect() as connection:
            return connection.call(method, parameters)

    def status(self):
        return self.call("org.waymark.Status.GetStatus")["status"]

    def device(self, part):
        """The report of the device whose name or identifier has `part` in it; None if there is none."""
        for device in self.status()["devices"]:
            if part in device["name"] or part in device["identifier"]:
                return device
        return None

    def wait_for_state(self, *states, timeout=60.0):
        return wait_until(
            lambda: (status := self.status())["state"] in states and status, timeout,
            lambda: f"state {' or '.join(states)}; it is {self.status()}")

    def reload(self):
        self.program.send(signal.SIGHUP)

    def stop(self):
        """SIGTERM; the code it ended with."""
        return self.program.end()

    def remove(self):
        if self.program:
            self.program.end()
        shutil.rmtree(self.folder, ignore_errors=True)
