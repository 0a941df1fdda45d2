"""The daemon's socket, byte by byte: a client that checks what every reader relies on."""
import json
import math
import select
import socket
import threading
import time

from .process import PATIENCE, wait_until


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
        call = {"method": method, **flags}
        if parameters is not None:
            call["parameters"] = parameters
        message = json.dumps(call).encode() + b"\0"
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
        message = parse(self.message())
        if "error" in message:
            raise CallFailed(message["error"], message.get("parameters", {}))
        return message.get("parameters", {})

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


class Subscriber:
    """Takes poses in a thread and keeps them; what goes wrong in it is raised by whoever asks."""

    def __init__(self, path, rate=20.0, frame=False):
        self.poses, self.frames, self.failure = [], [], None
        self.connection = Connection(path)
        self.connection.send_call("org.waymark.Pose.Subscribe", {"rate": rate, "frame": frame}, more=True)
        self.stopping = False
        self.thread = threading.Thread(target=self.run, daemon=True)
        self.thread.start()

    def __enter__(self):
        return self

    def __exit__(self, failure, *_):
        self.close()
        # That the daemon ended may be what the test is about; that it sent what it must not is never.
        if failure is None and self.failure and not isinstance(self.failure, (Closed, OSError)):
            raise self.failure

    def run(self):
        try:
            while not self.stopping:
                reply = self.connection.reply()
                if "pose" in reply:
                    self.poses.append(reply["pose"])
                if "frame" in reply:
                    self.frames.append(reply["frame"])
        except Exception as failure:  # whatever it is, the test's own thread raises it
            if not self.stopping:
                self.failure = failure

    def close(self):
        self.stopping = True
        self.connection.socket.shutdown(socket.SHUT_RDWR)
        self.thread.join(PATIENCE)
        self.connection.close()

    @property
    def newest(self):
        if self.failure:
            raise self.failure
        return self.poses[-1] if self.poses else None

    def wait_for(self, condition, timeout=PATIENCE, what=None):
        """The first pose, from now on, for which `condition` holds."""
        seen = len(self.poses)

        def found():
            nonlocal seen
            if self.failure:
                raise self.failure
            while seen < len(self.poses):
                pose = self.poses[seen]
                seen += 1
                if condition(pose):
                    return pose
            return None

        return wait_until(found, timeout, lambda: f"{what or 'a pose as wanted'}; the newest is {self.newest}")

    def wait_for_more(self, count=5, timeout=PATIENCE):
        """Waits until so many further poses have come."""
        wanted = len(self.poses) + count
        wait_until(lambda: self.newest and len(self.poses) >= wanted, timeout, f"{count} further poses")


def stamp(pose):
    """The time of a pose in seconds since the machine started."""
    return pose["time"]["sec"] + pose["time"]["nsec"] * 1e-9


def longest_gap(poses):
    """The longest time between two poses in a row, after a check that they are in order."""
    assert len(poses) > 1, "there is no gap between less than two poses"
    times = [stamp(pose) for pose in poses]
    sequences = [pose["sequence"] for pose in poses]
    assert sequences == sorted(set(sequences)), "sequence numbers have to grow"
    assert times == sorted(set(times)), "time has to grow"
    return max(later - earlier for earlier, later in zip(times, times[1:]))
