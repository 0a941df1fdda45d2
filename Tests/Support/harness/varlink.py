"""A Varlink client that reads the daemon's socket byte by byte, and checks what every client relies on.

Needs nothing but the standard library: scripts in a guest use it, too.
"""
import json
import math
import select
import socket
import time

from .waiting import PATIENCE

# Where the installed service listens.
SERVICE_SOCKET = "/run/waymark/waymark.sock"


class CallFailed(Exception):
    """An error reply."""

    def __init__(self, name, parameters):
        super().__init__(f"{name} {parameters}")
        self.name, self.parameters = name, parameters


class Closed(Exception):
    """The other side closed the connection."""


def refuse_constant(text):
    raise AssertionError(f"{text} is not JSON")


def check_values(value, path=""):
    """Absent means not known: nothing on the wire is null or not finite."""
    assert value is not None, f"null at {path}"
    if isinstance(value, float):
        assert math.isfinite(value), f"{value} at {path}"
    elif isinstance(value, dict):
        for key, part in value.items():
            check_values(part, f"{path}.{key}")
    elif isinstance(value, list):
        for index, part in enumerate(value):
            check_values(part, f"{path}[{index}]")


def parse(text):
    value = json.loads(text, parse_constant=refuse_constant)
    check_values(value)
    return value


def call_message(method, parameters=None, **flags):
    """A call as bytes, with the NUL behind it."""
    call = {"method": method, **flags}
    if parameters is not None:
        call["parameters"] = parameters
    return json.dumps(call).encode() + b"\0"


def reply_parameters(message):
    """The parameters of a reply; an error reply is raised."""
    reply = parse(message)
    if "error" in reply:
        raise CallFailed(reply["error"], reply.get("parameters", {}))
    return reply.get("parameters", {})


class Connection:
    """One connection; calls go out as they are given."""

    def __init__(self, path, timeout=PATIENCE, receive_buffer=None):
        self.socket = socket.socket(socket.AF_UNIX)
        if receive_buffer:
            self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, receive_buffer)
        self.socket.settimeout(timeout)
        self.socket.connect(str(path))
        self.buffer = b""

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def close(self):
        self.socket.close()

    def send(self, data):
        self.socket.sendall(data)

    def send_call(self, method, parameters=None, descriptors=(), **flags):
        message = call_message(method, parameters, **flags)
        if descriptors:
            sent = socket.send_fds(self.socket, [message], list(descriptors))
            message = message[sent:]
        self.send(message)

    def message(self):
        """The next message as it came, without its NUL."""
        while b"\0" not in self.buffer:
            try:
                data = self.socket.recv(65536)
            except ConnectionResetError:
                data = b""
            if not data:
                raise Closed(self.buffer)
            self.buffer += data
        message, _, self.buffer = self.buffer.partition(b"\0")
        return message

    def reply(self):
        """The parameters of the next reply; an error reply is raised."""
        return reply_parameters(self.message())

    def call(self, method, parameters=None, descriptors=()):
        self.send_call(method, parameters, descriptors)
        return self.reply()

    def error(self, method, parameters=None, descriptors=()):
        """The name of the error that a call meets."""
        try:
            result = self.call(method, parameters, descriptors)
        except CallFailed as failure:
            return failure.name
        raise AssertionError(f"{method} answered {result}")

    def is_closed_within(self, timeout=PATIENCE):
        """Whether the other side closes; what comes before that is let go of."""
        deadline = time.monotonic() + timeout
        while time.monotonic() < deadline:
            ready, _, _ = select.select([self.socket], [], [], 0.1)
            if ready:
                try:
                    if not self.socket.recv(65536):
                        return True
                except ConnectionResetError:
                    return True
        return False
