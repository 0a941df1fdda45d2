"""Client of the Waymark pose daemon: calls, subscriptions that survive its restarts, and poses from shared memory.

    import waymark_pose as waymark

    client = waymark.Client()
    print(client.call(waymark.STATUS_GET_STATUS)["status"]["state"])
    for reply in client.subscribe(waymark.POSE_SUBSCRIBE, {"rate": 10}):
        print(reply["pose"]["position"])

    ring = waymark.PoseRing()
    while pose := ring.wait(timeout=1.0):
        print(waymark.predict(pose, waymark.now() + 20_000_000).orientation)

    with client.aid("camera", kinds=["odometry"]) as camera:
        camera.odometry(position=(0, 0, 0), orientation=(0, 0, 0, 1))

Needs Python 3.11 on Linux and nothing but its standard library. The module `waymark_interface` beside this one, whose
names are also those of this module, has the types of all messages and the names of methods and errors.

After the end of a connection the next attempt is made after 0.1 s, then after twice as long each time, up to 5 s, each
varied at random by a quarter, so that the clients of a restarted daemon do not return all at once.

Reference: waymark-protocol(7), waymark-frames(7), docs/protocol.md.
"""

import asyncio
import collections.abc
import contextlib
import ctypes
import dataclasses
import enum
import fcntl
import json
import math
import mmap
import os
import platform
import random
import select
import socket
import stat
import struct
import sys
import threading
import time
import typing

from . import waymark_interface
from .waymark_interface import *  # noqa: F403 - the names of methods, errors and types

__version__ = "0.1.0"

#: Longest message that is accepted from the daemon, without its zero byte. Unit: bytes.
LONGEST_MESSAGE = 16 * 1024 * 1024

_FIRST_PAUSE, _LONGEST_PAUSE = 0.1, 5.0
# Between attempts to connect to a daemon that takes no more connections for the moment. Unit: seconds.
_QUEUE_PAUSE = 0.01


class WaymarkError(Exception):
    """Any failure of this module."""


class Unreachable(WaymarkError):
    """No daemon listens at the socket, or its permissions do not admit this user; `__cause__` is the OSError."""


class Disconnected(WaymarkError):
    """The daemon closed the connection: it ended, or it disconnected this client."""


class TimedOut(WaymarkError, TimeoutError):
    """The daemon did not answer in time."""


class InvalidMessage(WaymarkError):
    """What was received is no reply: the other side is no Waymark daemon, or is defective."""


class TooEarly(WaymarkError):
    """The time is before the oldest pose of the ring."""


class TooLate(WaymarkError):
    """The time is after the newest pose of the ring."""


class InGap(WaymarkError):
    """The time is between two poses that are more than 0.1 s apart or belong to different scene frames."""


class CallError(WaymarkError):
    """An error with which the daemon answers. Each error of the interfaces is a subclass that is named after it, such
    as `PoseNotReady` for org.waymark.Pose.NotReady; other errors are of this class.
    """

    def __init__(self, name: str, parameters: dict[str, typing.Any]) -> None:
        super().__init__(f"{name} {json.dumps(parameters, ensure_ascii=False)}")
        #: Such as POSE_NOT_READY.
        self.name = name
        #: Values that the interface declares for the error.
        self.parameters = parameters


def _error_classes() -> dict[str, type[CallError]]:
    classes = {}
    for name, value in vars(waymark_interface).items():
        if not isinstance(value, str) or value.count(".") < 2 or name.startswith("_"):
            continue
        interface, error = value.split(".")[-2:]
        title = interface.title() if interface.islower() else interface
        if hasattr(waymark_interface, f"{title}{error}Error"):
            members = {"__doc__": f"Error {value}.", "__module__": __name__}
            classes[value] = type(f"{title}{error}", (CallError,), members)
    return classes


#: Class of each error of the interfaces, by its name.
ERRORS: dict[str, type[CallError]] = _error_classes()
globals().update({found.__name__: found for found in ERRORS.values()})

if typing.TYPE_CHECKING:
    # Those classes, such as PoseNotReady.
    def __getattr__(name: str) -> type[CallError]: ...


def now() -> int:
    """Present time of CLOCK_BOOTTIME, the clock of all poses. Unit: ns."""
    return time.clock_gettime_ns(time.CLOCK_BOOTTIME)


def boottime(monotonic: int) -> int:
    """The time of CLOCK_BOOTTIME at a time of CLOCK_MONOTONIC since the computer slept last. Unit: ns.

    V4L2, GStreamer and `time.monotonic_ns` use that clock, which stands still while the computer sleeps.
    """
    # The clocks are read one after the other: of several pairs the one counts in which least time went by.
    pairs = []
    for _ in range(5):
        begin, boot, end = time.monotonic_ns(), now(), time.monotonic_ns()
        pairs.append((end - begin, boot - (begin + end) // 2))
    return monotonic + min(pairs)[1]


class _Backoff:
    """Pauses between attempts to connect."""

    def __init__(self) -> None:
        self.failures = 0

    def fail(self) -> float:
        """Pause after a failure. Unit: seconds."""
        pause = min(_LONGEST_PAUSE, _FIRST_PAUSE * 2.0 ** min(self.failures, 16))
        self.failures += 1
        return pause * random.uniform(0.75, 1.25)

    def succeed(self) -> None:
        self.failures = 0


_SYSTEM_SOCKET = "/run/waymark/waymark.sock"


def _is_private(folder: str) -> bool:
    """Whether a folder is this user's alone: in /tmp another user may have made one of that name."""
    try:
        status = os.lstat(folder)
    except OSError:
        return False
    return stat.S_ISDIR(status.st_mode) and status.st_uid == os.geteuid() and not status.st_mode & 0o077


def _socket_path(path: str | os.PathLike[str] | None) -> str:
    """Where a client connects now: docs/protocol.md, "Connecting"."""
    if named := os.fspath(path) if path else os.environ.get("WAYMARK_SOCKET"):
        return named
    folder = os.environ.get("XDG_RUNTIME_DIR", "")
    if not (folder.startswith("/") and _is_private(folder)):
        folder = f"/tmp/waymark-{os.geteuid()}"
    demonstration = folder + "/waymark.sock"
    if not os.path.exists(_SYSTEM_SOCKET) and _is_private(folder) and os.path.exists(demonstration):
        return demonstration
    return _SYSTEM_SOCKET


def _ring_path(path: str | os.PathLike[str] | None) -> str:
    if named := os.fspath(path) if path else os.environ.get("WAYMARK_POSE_RING"):
        return named
    beside = _socket_path(None)
    return "/run/waymark/pose-ring.sock" if beside == _SYSTEM_SOCKET else beside + ".ring"


def _refuse_constant(text: str) -> typing.NoReturn:
    raise ValueError(f"{text} is not JSON")


def _call_message(
    method: str, parameters: collections.abc.Mapping[str, typing.Any] | None, more: bool, oneway: bool = False
) -> bytes:
    call: dict[str, typing.Any] = {"method": method, "parameters": dict(parameters or {})}
    if more:
        call["more"] = True
    if oneway:
        call["oneway"] = True
    return json.dumps(call, allow_nan=False).encode() + b"\0"


def _read_reply(message: bytes) -> tuple[dict[str, typing.Any], bool]:
    """Parameters of a reply, and whether others follow; raises the error that it is."""
    try:
        reply = json.loads(message.decode(), parse_constant=_refuse_constant)
    except (ValueError, RecursionError) as problem:
        raise InvalidMessage(f"the reply is not JSON: {problem}") from problem
    if not isinstance(reply, dict):
        raise InvalidMessage("the reply is not a JSON object")
    parameters, error, continues = reply.get("parameters"), reply.get("error"), reply.get("continues", False)
    if parameters is None:
        parameters = {}
    if not isinstance(parameters, dict) or not isinstance(continues, bool):
        raise InvalidMessage("a member of the reply has another type than the protocol declares")
    if error is not None:
        if not isinstance(error, str) or not error:
            raise InvalidMessage("the name of the error is not a text")
        raise ERRORS.get(error, CallError)(error, parameters)
    return parameters, continues


class _Connection:
    """A connected stream socket."""

    def __init__(self, path: str, deadline: float | None) -> None:
        self.socket = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM | socket.SOCK_CLOEXEC)
        self.rest = bytearray()
        self.searched = 0
        try:
            self._connect(path, deadline)
        except TimeoutError as problem:
            self.socket.close()
            raise TimedOut(f"{path}: the daemon does not accept the connection") from problem
        except OSError as problem:
            self.socket.close()
            raise Unreachable(f"{path}: {problem.strerror or problem}") from problem

    def _connect(self, path: str, deadline: float | None) -> None:
        """Gives a daemon whose queue of new connections is full some time to take them."""
        while True:
            self._limit(deadline)
            try:
                self.socket.connect(path)
                return
            except BlockingIOError as problem:
                if _left(deadline) == 0:
                    raise TimeoutError from problem
                time.sleep(_QUEUE_PAUSE)

    def close(self) -> None:
        self.socket.close()

    def _limit(self, deadline: float | None) -> None:
        """Sets the time left for the next step, which without any is done if that needs no waiting."""
        self.socket.settimeout(_left(deadline))

    def has_ended(self) -> bool:
        """Whether the daemon closed it, or sent what no call asked for, while it was idle."""
        watch = select.poll()
        watch.register(self.socket, select.POLLIN)
        return bool(self.rest) or bool(watch.poll(0))

    def send(self, message: bytes, files: collections.abc.Sequence[int], deadline: float | None) -> None:
        self._limit(deadline)
        try:
            sent = socket.send_fds(self.socket, [message], list(files)) if files else 0
            self.socket.sendall(message[sent:])
        except (TimeoutError, BlockingIOError) as problem:
            raise TimedOut("the daemon did not take the call in time") from problem
        except OSError:
            # What the daemon sent before it closed the connection, such as an error, is still there to be read.
            return

    def message(self, deadline: float | None) -> bytes:
        """Next message, without its zero byte."""
        while (end := self.rest.find(b"\0", self.searched)) < 0:
            self.searched = len(self.rest)
            if self.searched > LONGEST_MESSAGE:
                raise InvalidMessage("the reply is longer than LONGEST_MESSAGE")
            self._limit(deadline)
            try:
                chunk = self.socket.recv(65536)
            except (TimeoutError, BlockingIOError) as problem:
                raise TimedOut("the daemon did not answer in time") from problem
            except OSError as problem:
                raise Disconnected(f"the connection has ended: {problem.strerror or problem}") from problem
            if not chunk:
                raise Disconnected("the daemon closed the connection")
            self.rest += chunk
        message = bytes(self.rest[:end])
        if end > LONGEST_MESSAGE:
            raise InvalidMessage("the reply is longer than LONGEST_MESSAGE")
        del self.rest[:end + 1]
        self.searched = 0
        return message


def _deadline(timeout: float | None) -> float | None:
    return None if timeout is None else time.monotonic() + timeout


def _left(deadline: float | None) -> float | None:
    """Time until then, not negative; None for no limit."""
    return None if deadline is None else max(0.0, deadline - time.monotonic())


class Client:
    """Calls of the daemon's methods.

    Any number of threads may use a client: calls wait for each other. A connection is made at the first call, and again
    after it has ended. What belongs to a connection, such as anchors with its lifetime, lives until `close`.

    Parameters:
      path: the daemon's socket; default: $WAYMARK_SOCKET, else the system's, else that of this user's `waymarkd --demo`.
      timeout: longest time of a call; None for no limit. Unit: seconds.
    """

    def __init__(self, path: str | os.PathLike[str] | None = None, timeout: float | None = 5.0) -> None:
        self._named_path = path
        self.timeout = timeout
        self._lock = threading.Lock()
        self._connection: _Connection | None = None

    def __enter__(self) -> "Client":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @property
    def path(self) -> str:
        """The socket to which a connection would be made now."""
        return _socket_path(self._named_path)

    def close(self) -> None:
        """Closes the connection; a later call makes another one."""
        with self._lock:
            self._drop()

    def _drop(self) -> None:
        if self._connection:
            self._connection.close()
            self._connection = None

    def call(
        self, method: str, parameters: collections.abc.Mapping[str, typing.Any] | None = None, *,
        files: collections.abc.Sequence[int] = (), timeout: float | None = None
    ) -> typing.Any:
        """Parameters of the reply to a call, a dictionary: of the type that `waymark_interface` has for the method.

        `files` are descriptors that are sent with the call, for methods with the parameter `descriptor`. `timeout`
        replaces that of the client; it includes the time in which calls of other threads are waited for. Raises a
        CallError where the daemon answers with an error, else a WaymarkError.
        """
        message = _call_message(method, parameters, more=False)
        deadline = _deadline(self.timeout if timeout is None else timeout)
        left = _left(deadline)
        if not self._lock.acquire(timeout=-1 if left is None else left):
            raise TimedOut("calls of other threads took all the time")
        try:
            if self._connection and self._connection.has_ended():
                self._drop()
            if not self._connection:
                self._connection = _Connection(self.path, deadline)
            if _left(deadline) == 0:
                # Nothing was sent: the connection is as good as before.
                raise TimedOut("there is no time for the call")
            try:
                self._connection.send(message, files, deadline)
                return _read_reply(self._connection.message(deadline))[0]
            except CallError:
                raise
            except BaseException:
                # A reply that comes later would be taken for that of the next call.
                self._drop()
                raise
        finally:
            self._lock.release()

    def subscribe(
        self, method: str, parameters: collections.abc.Mapping[str, typing.Any] | None = None, *,
        reconnect: bool = True,
        on_connection: collections.abc.Callable[[WaymarkError | None], None] | None = None
    ) -> "Subscription":
        """The replies to a call with `more`, on a connection of its own: see Subscription."""
        return Subscription(lambda: self.path, method, parameters, reconnect=reconnect, on_connection=on_connection)

    def aid(
        self, source: str, kinds: collections.abc.Iterable[AidKind | str], *,
        rotation: collections.abc.Sequence[float] | None = None,
        lever_arm: collections.abc.Sequence[float] | None = None, latency: float = 0.0, wait: bool = True,
        on_connection: collections.abc.Callable[[WaymarkError | None], None] | None = None
    ) -> "Aid":
        """Opens a source of measurements for the daemon's estimator, on a connection of its own: see Aid.

        Parameters:
          source: 1 to 16 of the characters a-z, 0-9, hyphen, underscore and dot, the first a letter.
          kinds: kinds of measurement that are offered.
          rotation: x, y, z, w from the sensor's axes into those of the body; default none.
          lever_arm: x, y, z of the sensor, seen from the board, in axes of the body; default zero. Unit: metres.
          latency: time by which the stamps are late, 0 to 1; it is subtracted from each. Unit: seconds.
          wait: whether offers wait for the daemon's answer; opening does in any case.
        """
        mount: AidMount = {}
        if rotation is not None:
            mount["rotation"] = typing.cast(Quaternion, _components(rotation, "xyzw"))
        if lever_arm is not None:
            mount["leverArm"] = typing.cast(Vector, _components(lever_arm, "xyz"))
        opened: AidOpenParameters = {"source": source, "kinds": list(kinds), "bodyFromSensor": mount, "latency": latency}
        return Aid(lambda: self.path, opened, timeout=self.timeout, wait=wait, on_connection=on_connection)

    async def stream(
        self, method: str, parameters: collections.abc.Mapping[str, typing.Any] | None = None, *,
        reconnect: bool = True,
        on_connection: collections.abc.Callable[[WaymarkError | None], None] | None = None
    ) -> collections.abc.AsyncIterator[dict[str, typing.Any]]:
        """The replies to a call with `more` for asyncio, otherwise as `subscribe`: `async for reply in stream(…)`."""
        message, backoff, connections = _call_message(method, parameters, more=True), _Backoff(), 0
        while True:
            writer = None
            try:
                path = self.path
                try:
                    reader, writer = await asyncio.open_unix_connection(path, limit=LONGEST_MESSAGE)
                except OSError as problem:
                    raise Unreachable(f"{path}: {problem.strerror or problem}") from problem
                connections += 1
                if on_connection:
                    on_connection(None)
                writer.write(message)
                continues = True
                while continues:
                    reply, continues = _read_reply(await self._message(reader))
                    backoff.succeed()
                    yield reply
                return
            except WaymarkError as problem:
                if not reconnect or _is_final(problem, connections):
                    raise
                if on_connection:
                    on_connection(problem)
            finally:
                if writer:
                    writer.close()
            await asyncio.sleep(backoff.fail())

    @staticmethod
    async def _message(reader: asyncio.StreamReader) -> bytes:
        try:
            return (await reader.readuntil(b"\0"))[:-1]
        except asyncio.LimitOverrunError as problem:
            raise InvalidMessage("the reply is longer than LONGEST_MESSAGE") from problem
        except (asyncio.IncompleteReadError, OSError) as problem:
            raise Disconnected("the daemon closed the connection") from problem


def _components(values: collections.abc.Iterable[float], names: str) -> dict[str, float]:
    """Components by their names, as messages have them."""
    return {name: float(value) for name, value in zip(names, values, strict=True)}


class Aid:
    """A source of measurements that correct the daemon's estimate: a camera's odometry, positions, sightings, ranges,
    headings, heights. Axes, accuracies and what becomes of the measurements: docs/aiding.md.

    The source is open until `close` or the end of a `with`; the constructor raises the error if it cannot be opened.
    After the end of its connection, offers connect and open it again, with growing pauses in which they return False at
    once; `on_connection` is called with None for each connection made, and with the reason for each one that ended or
    failed.

    Each offer returns whether it was delivered. One that the daemon refuses raises its error, such as AidTooOld; without
    `wait` none is raised, the call returns as soon as the offer is sent, and `client.call(AID_LIST)` shows the numbers of
    refused offers. `time` is the moment of the measurement by CLOCK_BOOTTIME (ns), of a camera the middle of the
    exposure; default: that of the call.

    An aid belongs to one thread at a time.
    """

    def __init__(
        self, path: collections.abc.Callable[[], str], parameters: AidOpenParameters, *, timeout: float | None, wait: bool,
        on_connection: collections.abc.Callable[[WaymarkError | None], None] | None
    ) -> None:
        self._path = path
        #: Its name.
        self.source = parameters["source"]
        #: Number of connections made so far.
        self.connections = 0
        self._open_call = _call_message(waymark_interface.AID_OPEN, parameters, more=False)
        self._timeout = timeout
        self._waits = wait
        self._report = on_connection or (lambda problem: None)
        self._backoff = _Backoff()
        self._due = 0.0
        self._connection: _Connection | None = None
        self._connect()

    def __enter__(self) -> "Aid":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Closes the source; a later offer opens it again."""
        if self._connection and not self._waits:
            # The end of the connection could overtake what the daemon has not read.
            with contextlib.suppress(WaymarkError):
                self._call(_call_message(waymark_interface.AID_CLOSE, {"source": self.source}, more=False), waits=True)
        self._drop()

    def odometry(
        self, position: collections.abc.Sequence[float], orientation: collections.abc.Sequence[float], *, reset: int = 0,
        tracking: float = 1.0, time: int | None = None
    ) -> bool:
        """Offers the pose of the sensor in an upright frame of its own, y up.

        Parameters:
          position: x, y, z. Unit: metres.
          orientation: x, y, z, w, from the sensor's axes into that frame.
          reset: another number whenever the frame has changed.
          tracking: from 0 (lost) to 1 (normal).
        """
        return self._offer(waymark_interface.AID_OFFER_ODOMETRY, time, {
            "position": _components(position, "xyz"), "orientation": _components(orientation, "xyzw"), "reset": reset,
            "tracking": tracking})

    def position(
        self, position: Location, horizontal_accuracy: float, vertical_accuracy: float | None = None, *,
        time: int | None = None
    ) -> bool:
        """Offers the position of the board, with the radius of 68 % and one standard deviation of the height (m)."""
        known = {} if vertical_accuracy is None else {"verticalAccuracy": vertical_accuracy}
        return self._offer(waymark_interface.AID_OFFER_POSITION, time, {
            "position": position, "horizontalAccuracy": horizontal_accuracy, **known})

    def sighting(
        self, direction: collections.abc.Sequence[float], point: Location | None, accuracy: float, *,
        time: int | None = None
    ) -> bool:
        """Offers the direction in which a point is seen, or with None the sun: x, y, z in the sensor's axes, of length 1,
        with one standard deviation per axis (degrees).
        """
        target: dict[str, typing.Any] = {"sun": True} if point is None else {"point": point}
        return self._offer(waymark_interface.AID_OFFER_SIGHTING, time, {
            "direction": _components(direction, "xyz"), **target, "accuracy": accuracy})

    def range(self, beacon: Geo, range: float, accuracy: float, *, time: int | None = None) -> bool:
        """Offers the distance of the board from a known point, with one standard deviation (m)."""
        return self._offer(
            waymark_interface.AID_OFFER_RANGE, time, {"beacon": beacon, "range": range, "accuracy": accuracy})

    def heading(self, heading: float, accuracy: float, *, time: int | None = None) -> bool:
        """Offers the azimuth of the body's -z, clockwise from true north, with one standard deviation (degrees)."""
        return self._offer(waymark_interface.AID_OFFER_HEADING, time, {"heading": heading, "accuracy": accuracy})

    def height(self, height: float, accuracy: float, *, time: int | None = None) -> bool:
        """Offers the height of the board above the ellipsoid, with one standard deviation (m)."""
        return self._offer(waymark_interface.AID_OFFER_HEIGHT, time, {"height": height, "accuracy": accuracy})

    def _offer(self, method: str, time: int | None, values: dict[str, typing.Any]) -> bool:
        seconds, nanoseconds = divmod(now() if time is None else time, 1_000_000_000)
        moment = {"sec": seconds, "nsec": nanoseconds}
        message = _call_message(
            method, {"source": self.source, "time": moment, **values}, more=False, oneway=not self._waits)
        try:
            if not self._is_connected():
                return False
            self._call(message, waits=self._waits)
            return True
        except CallError:
            raise
        except WaymarkError as problem:
            self._lose(problem)
            return False

    def _is_connected(self) -> bool:
        """Connects where that is due."""
        if self._connection and self._connection.has_ended():
            raise Disconnected("the daemon closed the connection")
        if not self._connection:
            if time.monotonic() < self._due:
                return False
            try:
                self._connect()
            except CallError as problem:
                # With a pause after a lasting refusal as well, or each offer would connect.
                self._lose(problem)
                # The daemon may not have noticed the end of the former connection yet.
                if problem.name not in (waymark_interface.AID_ALREADY_OPEN, waymark_interface.STATUS_LIMIT_EXCEEDED):
                    raise
                return False
        return True

    def _connect(self) -> None:
        try:
            self._connection = _Connection(self._path(), _deadline(self._timeout))
            self._call(self._open_call, waits=True)
        except BaseException:
            self._drop()
            raise
        self.connections += 1
        self._backoff.succeed()
        self._report(None)

    def _call(self, message: bytes, waits: bool) -> None:
        connection = self._connection
        if connection is None:
            raise Disconnected("there is no connection")
        deadline = _deadline(self._timeout if waits else 0.0)
        try:
            connection.send(message, (), deadline)
            if waits:
                _read_reply(connection.message(deadline))
        except CallError:
            raise
        except BaseException:
            # A reply that comes later would be taken for that of the next call.
            self._drop()
            raise

    def _lose(self, problem: WaymarkError) -> None:
        self._drop()
        self._due = time.monotonic() + self._backoff.fail()
        self._report(problem)

    def _drop(self) -> None:
        if self._connection:
            self._connection.close()
            self._connection = None


def _is_final(problem: WaymarkError, connections: int) -> bool:
    """Whether connecting again is of no use. A limit may still be reached by the connection that has just ended."""
    if isinstance(problem, CallError):
        return connections < 2 or problem.name != waymark_interface.STATUS_LIMIT_EXCEEDED
    return False


class Subscription:
    """Replies to a call with `more`, as an iterator that ends with the last reply.

    After the end of a connection, which includes one that never came about, it connects and calls again by itself:
    `on_connection` is called with None for each connection made, and with the reason for each one that ended or failed;
    the replies begin as in a new subscription, as by a snapshot. With `reconnect` false that reason is raised instead.
    An error of the daemon is raised in any case.

    A subscription belongs to one thread at a time; `close` may be called by any.
    """

    def __init__(
        self, path: collections.abc.Callable[[], str], method: str, parameters: collections.abc.Mapping[str, typing.Any] | None, *,
        reconnect: bool, on_connection: collections.abc.Callable[[WaymarkError | None], None] | None
    ) -> None:
        self._path = path
        #: Number of connections made so far.
        self.connections = 0
        self._call = _call_message(method, parameters, more=True)
        self._reconnect = reconnect
        self._report = on_connection or (lambda problem: None)
        self._backoff = _Backoff()
        self._connection: _Connection | None = None
        self._due = 0.0
        self._is_over = threading.Event()
        # Of the thread that takes a reply, to which the connection belongs.
        self._turn = threading.Lock()

    def __enter__(self) -> "Subscription":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __iter__(self) -> "Subscription":
        return self

    def __next__(self) -> dict[str, typing.Any]:
        reply = self.next(None)
        if reply is None:
            raise StopIteration
        return reply

    def close(self) -> None:
        """Ends the subscription. A thread that waits for a reply gets none."""
        self._is_over.set()
        if connection := self._connection:
            with contextlib.suppress(OSError):
                connection.socket.shutdown(socket.SHUT_RDWR)
        self._drop_if_over()

    def _drop_if_over(self) -> None:
        """Closes the socket, unless a thread takes a reply: that one comes here when it is done."""
        if self._is_over.is_set() and self._turn.acquire(blocking=False):
            try:
                self._drop()
            finally:
                self._turn.release()

    def next(self, timeout: float | None = None) -> dict[str, typing.Any] | None:
        """Next reply; None after the last one. Raises TimedOut after `timeout` seconds; the subscription goes on.

        With `timeout` 0 only a reply that has arrived is taken.
        """
        try:
            with self._turn:
                return self._next(_deadline(timeout))
        finally:
            self._drop_if_over()

    def _next(self, deadline: float | None) -> dict[str, typing.Any] | None:
        while not self._is_over.is_set():
            try:
                return self._take(deadline)
            except TimedOut:
                if deadline is not None and time.monotonic() >= deadline:
                    raise
            except WaymarkError as problem:
                self._drop()
                if self._is_over.is_set():
                    break
                if not self._reconnect or _is_final(problem, self.connections):
                    self._is_over.set()
                    raise
                self._due = time.monotonic() + self._backoff.fail()
                self._report(problem)
        self._drop()
        return None

    def _drop(self) -> None:
        if self._connection:
            self._connection.close()
            self._connection = None

    def _connect(self, deadline: float | None) -> _Connection:
        pause = self._due - time.monotonic()
        if deadline is not None and time.monotonic() + pause > deadline:
            self._is_over.wait(max(0.0, deadline - time.monotonic()))
            raise TimedOut("there is no connection to the daemon")
        if pause > 0 and self._is_over.wait(pause):
            raise Disconnected("the subscription was closed")
        until = time.monotonic() + _LONGEST_PAUSE
        if deadline is not None:
            until = min(until, deadline)
        try:
            connection = self._connection = _Connection(self._path(), until)
            if self._is_over.is_set():
                # close() may not have found the connection yet.
                raise Disconnected("the subscription was closed")
            connection.send(self._call, (), until)
        except TimedOut as problem:
            # Part of the call may have been sent.
            self._drop()
            if until == deadline:
                raise
            raise Disconnected("the daemon does not take the connection or the call") from problem
        self.connections += 1
        self._report(None)
        return connection

    def _take(self, deadline: float | None) -> dict[str, typing.Any]:
        connection = self._connection or self._connect(deadline)
        reply, continues = _read_reply(connection.message(deadline))
        self._backoff.succeed()
        if not continues:
            self._is_over.set()
        return reply


class RingState(enum.Enum):
    """What a PoseRing does, or why it has no new poses."""

    #: Nothing has been tried yet, or the daemon has not answered yet.
    CONNECTING = "connecting"
    #: The daemon publishes poses.
    RUNNING = "running"
    #: The daemon has ended in order.
    ENDED = "ended"
    #: The connection has ended without notice: the daemon was killed, or it disconnected this client.
    DISCONNECTED = "disconnected"
    #: No daemon at the socket, no permission, or no answer in time.
    UNREACHABLE = "unreachable"
    #: The daemon offers no ring: its setting service.pose_ring is false.
    OFF = "off"
    #: The limit of pose-ring clients is reached (service.max_clients, max_clients_per_user).
    TOO_MANY_READERS = "too many readers"
    #: The daemon refused for a reason that this version does not know.
    REFUSED = "refused"
    #: The ring has a layout that this version does not know: update this module.
    OTHER_LAYOUT = "other layout"
    #: The ring is of another boot or clock: its times mean nothing here.
    OTHER_BOOT = "other boot"
    #: What was received is malformed.
    INVALID = "invalid"


class _Refusal(Exception):
    def __init__(self, state: RingState) -> None:
        super().__init__(state.value)
        self.state = state


Vector3 = tuple[float, float, float]


@dataclasses.dataclass(frozen=True, slots=True)
class RingPose:
    """A pose of the ring. Frames and units are those of org.waymark.Pose, waymark-frames(7); None: not known."""

    #: Run of the daemon: it differs after a restart, when poses, numbers and scene frames begin anew.
    daemon_generation: int
    #: Number of the pose in this run, from 1.
    number: int
    #: As `sequence` of org.waymark.Pose.
    sequence: int
    #: CLOCK_BOOTTIME. Unit: ns.
    time: int
    #: UTC since 1970. Unit: ns.
    utc: int | None
    #: Number of the scene frame.
    generation: int
    #: "" for a word of a newer daemon, here and below.
    state: str
    orientation_tracking: str
    position_tracking: str
    heading_reference: str
    motion_mode: str | None
    motion_probability: float | None
    #: Words that this version does not know are left out.
    reasons: tuple[str, ...]
    sources: tuple[str, ...]
    #: In the scene. Unit: metres.
    position: Vector3
    #: x, y, z, w: rotates vectors of the body to the scene.
    orientation: tuple[float, float, float, float]
    #: In the scene. Unit: m/s.
    linear_velocity: Vector3
    #: In the body. Unit: rad/s.
    angular_velocity: Vector3
    #: For predictions: angular velocity and its derivative by a line through the last samples, in the body; mean
    #: acceleration in the scene. Units: rad/s, rad/s^2, m/s^2.
    turning_rate: Vector3
    turning_acceleration: Vector3
    acceleration: Vector3
    #: Latitude, longitude and height: degrees, degrees, metres.
    geo: Vector3 | None
    #: Unit: degrees.
    heading: float | None
    #: Unit: degrees.
    course: float | None
    #: Unit: m/s.
    speed: float | None
    horizontal_accuracy: float | None
    vertical_accuracy: float | None
    yaw_accuracy: float | None
    horizontal_velocity_accuracy: float | None
    vertical_velocity_accuracy: float | None
    angular_velocity_accuracy: float | None
    #: Where the scene lies on the earth: latitude, longitude and height of the origin of the east-north-up frame, then
    #: yaw, east, north and up of the published alignment, as the frame messages have them.
    map: tuple[float, ...] | None
    #: For the accuracy of predictions: recent mean squares of accelerations and jerks; see waymark-pose-ring.h.
    unrest: tuple[float, ...] = dataclasses.field(repr=False)


_RING_MAGIC, _RING_LAYOUT = b"WAYMRING", 1
_OFFER = struct.Struct("=8sII")
_HEADER = struct.Struct("=8sIIIIiI16sQ")
_HEADER_SIZE, _NEWEST, _ENDED = 256, 64, 132
_SLOT = struct.Struct("=QQqqII5B3xdQQ22d3d3d6d7d8d48x")
_LARGEST_RING = 16 * 1024 * 1024
_NANOSECONDS = 1_000_000_000
# Between two looks at the connection while waiting. Unit: seconds.
_LOOK = 0.1

_STATES, _QUALITIES, _REFERENCES, _MODES, _REASONS, _SOURCES = (
    typing.get_args(words) for words in (
        waymark_interface.LocalizationState, waymark_interface.Quality, waymark_interface.HeadingReference,
        waymark_interface.MotionMode, waymark_interface.Reason, waymark_interface.Source))


def _word(words: tuple[str, ...], number: int) -> str:
    return words[number] if number < len(words) else ""


def _words(words: tuple[str, ...], bits: int) -> tuple[str, ...]:
    return tuple(word for number, word in enumerate(words) if bits >> number & 1)


def _decode(content: bytes, daemon_generation: int) -> RingPose:
    """The pose of a slot; raises _Refusal where nothing can be calculated with it."""
    (version, sequence, at, utc, fields, generation, state, orientation_tracking, position_tracking, reference, mode,
     probability, reasons, sources, *numbers) = _SLOT.unpack_from(content)
    if not all(map(math.isfinite, numbers)) or not math.isfinite(probability):
        raise _Refusal(RingState.INVALID)
    if not 0.99 < sum(part * part for part in numbers[3:7]) < 1.01:
        raise _Refusal(RingState.INVALID)
    if min(numbers[41:49]) < 0:
        raise _Refusal(RingState.INVALID)

    def known(bit: int, value: typing.Any) -> typing.Any:
        return value if fields >> bit & 1 else None

    def vector(first: int) -> Vector3:
        return numbers[first], numbers[first + 1], numbers[first + 2]

    return RingPose(
        daemon_generation, version // 2, sequence, at, known(0, utc), generation, _word(_STATES, state),
        _word(_QUALITIES, orientation_tracking), _word(_QUALITIES, position_tracking), _word(_REFERENCES, reference),
        known(5, _word(_MODES, mode)), known(5, probability), _words(_REASONS, reasons), _words(_SOURCES, sources),
        vector(0), (numbers[3], numbers[4], numbers[5], numbers[6]), vector(7), vector(10), vector(13), vector(16),
        vector(19), known(1, vector(22)), known(2, numbers[25]), known(3, numbers[26]), known(4, numbers[27]),
        known(6, numbers[28]), known(7, numbers[29]), known(8, numbers[30]), known(9, numbers[31]), known(10, numbers[32]),
        known(11, numbers[33]), known(12, tuple(numbers[34:41])), tuple(numbers[41:49]))


class _Doorbell(ctypes.Structure):
    _fields_ = [("waiting", ctypes.c_uint32), ("futex", ctypes.c_uint32)]


class _Timespec(ctypes.Structure):
    _fields_ = [("seconds", ctypes.c_int64), ("nanoseconds", ctypes.c_long)]


# Number of the system call futex; elsewhere a wait looks every few milliseconds.
_FUTEX_CALL = {"x86_64": 202, "aarch64": 98, "riscv64": 98}.get(platform.machine()) if sys.maxsize > 2**32 else None
_FUTEX_WAIT = 0
_LIBRARY = ctypes.CDLL(None) if _FUTEX_CALL else None


def _map(descriptor: int, least: int, protection: int) -> mmap.mmap:
    """Maps memory of the daemon that can never become smaller: reading beyond its end would end the program."""
    try:
        seals = fcntl.fcntl(descriptor, fcntl.F_GET_SEALS)
    except OSError:
        raise _Refusal(RingState.INVALID) from None
    size = os.fstat(descriptor).st_size
    if not seals & fcntl.F_SEAL_SHRINK or not least <= size <= _LARGEST_RING:
        raise _Refusal(RingState.INVALID)
    return mmap.mmap(descriptor, size, flags=mmap.MAP_SHARED, prot=protection)


class _Attachment:
    """A mapped ring with its doorbell and connection; they go when no thread uses them any more."""

    def __init__(self, connection: socket.socket, ring: int, doorbell: int) -> None:
        self.connection = connection
        self.memory = _map(ring, _HEADER_SIZE, mmap.PROT_READ)
        (magic, layout, header_size, self.slot_count, self.slot_size, clock, _, boot,
         self.daemon_generation) = _HEADER.unpack_from(self.memory)
        if magic != _RING_MAGIC:
            raise _Refusal(RingState.INVALID)
        if layout != _RING_LAYOUT:
            raise _Refusal(RingState.OTHER_LAYOUT)
        if header_size < _HEADER_SIZE or header_size % 8 or self.slot_size < _SLOT.size or self.slot_size % 8:
            raise _Refusal(RingState.INVALID)
        if not self.slot_count or header_size + self.slot_count * self.slot_size > len(self.memory):
            raise _Refusal(RingState.INVALID)
        if clock != time.CLOCK_BOOTTIME or boot != _boot(boot):
            raise _Refusal(RingState.OTHER_BOOT)
        self.first = header_size
        whole = memoryview(self.memory)
        # Each item is read by one load of the processor.
        self.words = whole[:len(whole) // 8 * 8].cast("Q")
        self.halves = whole[:_HEADER_SIZE].cast("I")
        # Each field is read and written by one access to memory, which stays mapped as long as this is there.
        self.bell = _Doorbell.from_buffer(
            _map(doorbell, ctypes.sizeof(_Doorbell), mmap.PROT_READ | mmap.PROT_WRITE))
        self.lock = threading.Lock()

    def barrier(self) -> None:
        """Completes all memory accesses before it ahead of those after it.

        Python has no fences, but taking and releasing a lock are atomic instructions: what stands before a release is
        complete when a later taking of the same lock is. One pair would not do: what is before the lock may move into
        it, and so may what is after it, and pass each other there.
        """
        with self.lock:
            pass
        with self.lock:
            pass

    def newest(self) -> int:
        number = self.words[_NEWEST // 8]
        self.barrier()
        return number

    def has_ended(self) -> bool:
        return self.halves[_ENDED // 4] != 0

    def read(self, number: int) -> RingPose | None:
        """Pose `number`; None when it is not, or no longer, in the ring."""
        if number <= 0:
            return None
        offset = self.first + (number - 1) % self.slot_count * self.slot_size
        version = offset // 8
        if self.words[version] != 2 * number:
            return None
        # The numbers are read after the version, and before it is read again: the daemon makes it odd while it writes.
        self.barrier()
        content = bytes(self.memory[offset:offset + _SLOT.size])
        self.barrier()
        if self.words[version] != 2 * number:
            return None
        return _decode(struct.pack("=Q", 2 * number) + content[8:], self.daemon_generation)

    def read_newest(self) -> RingPose | None:
        for _ in range(1000):
            number = self.newest()
            if number == 0:
                return None
            if pose := self.read(number):
                return pose
        raise _Refusal(RingState.INVALID)

    def is_connected(self) -> bool:
        try:
            return self.connection.recv(1, socket.MSG_PEEK | socket.MSG_DONTWAIT) != b""
        except BlockingIOError:
            return True
        except OSError:
            return False

    def sleep(self, known: int, left: float) -> None:
        """Waits until there is a pose after `known`, or for a while."""
        pause = min(left, _LOOK)
        # The daemon clears the doorbell before it changes the futex: once the change is read, the doorbell stays set.
        before: int = self.bell.futex
        self.barrier()
        self.bell.waiting = 1
        # The daemon writes a pose before it looks at the doorbell: either the pose is seen here, or the doorbell there.
        self.barrier()
        if self.newest() > known or self.has_ended() or pause <= 0:
            return
        if not _LIBRARY or _FUTEX_CALL is None:
            time.sleep(min(pause, 0.004))
            return
        span = _Timespec(0, int(pause * _NANOSECONDS))
        _LIBRARY.syscall(
            ctypes.c_long(_FUTEX_CALL), ctypes.byref(self.bell, _Doorbell.futex.offset), ctypes.c_long(_FUTEX_WAIT),
            ctypes.c_long(before), ctypes.byref(span), None, ctypes.c_long(0))


def _boot(otherwise: bytes) -> bytes:
    """The present boot as the ring names it; `otherwise` where it is not known."""
    try:
        with open("/proc/sys/kernel/random/boot_id", encoding="ascii") as file:
            return bytes.fromhex(file.read().strip().replace("-", ""))
    except (OSError, ValueError):
        return otherwise


class PoseRing:
    """Poses from memory that the daemon shares, for render loops.

    Any number of threads may use a ring. `newest`, `at` and `state` make no system call but those of the interpreter;
    `update` and `wait` connect, and connect again to a daemon that was restarted. A pose takes some tens of
    microseconds to be decoded: Python is not for the last millisecond of a renderer, for which there is the library
    for C.

    Parameters:
      path: the socket of the ring; default: $WAYMARK_POSE_RING, else the ring beside the socket that a Client finds.
    """

    def __init__(self, path: str | os.PathLike[str] | None = None) -> None:
        self._named_path = path
        #: Number of connections made so far.
        self.connections = 0
        self._lock = threading.Lock()
        self._state = RingState.CONNECTING
        self._attachment: _Attachment | None = None
        self._backoff = _Backoff()
        self._due = 0.0

    def __enter__(self) -> "PoseRing":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Ends the connection; `update` and `wait` would make another one."""
        with self._lock:
            if self._attachment:
                self._attachment.connection.close()
            self._attachment = None
            self._state = RingState.CONNECTING

    @property
    def path(self) -> str:
        """The socket to which a connection would be made now."""
        return _ring_path(self._named_path)

    @property
    def state(self) -> RingState:
        """What the ring does."""
        attachment = self._attachment
        if self._state is RingState.RUNNING and attachment and attachment.has_ended():
            return RingState.ENDED
        return self._state

    @property
    def daemon_generation(self) -> int | None:
        """Run of the daemon whose poses are read; None before the first connection."""
        attachment = self._attachment
        return attachment.daemon_generation if attachment else None

    def newest(self) -> RingPose | None:
        """Newest pose, which after the end of the daemon is its last one: see `state`. None before the first."""
        attachment = self._attachment
        if not attachment:
            return None
        try:
            return attachment.read_newest()
        except _Refusal:
            return None

    def update(self) -> RingState:
        """Connects where that is due, and notices the end of the daemon; waits for its answer at most."""
        with self._lock:
            if self._state is RingState.RUNNING:
                self._watch()
            elif time.monotonic() >= self._due:
                self._connect()
            return self._state

    def _fail(self, state: RingState) -> None:
        self._state = state
        self._due = time.monotonic() + self._backoff.fail()

    def _watch(self) -> None:
        attachment = self._attachment
        if attachment and (attachment.has_ended() or not attachment.is_connected()):
            attachment.connection.close()
            self._fail(RingState.ENDED if attachment.has_ended() else RingState.DISCONNECTED)

    def _connect(self) -> None:
        connection = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET | socket.SOCK_CLOEXEC)
        connection.settimeout(_LONGEST_PAUSE)
        descriptors: list[int] = []
        try:
            connection.connect(self.path)
            offer, descriptors, _, _ = socket.recv_fds(connection, 256, 8, socket.MSG_CMSG_CLOEXEC)
            self._check(offer, len(descriptors))
            connection.setblocking(False)
            self._attachment = _Attachment(connection, *descriptors)
            self._state = RingState.RUNNING
            self.connections += 1
            self._backoff.succeed()
        except _Refusal as refusal:
            connection.close()
            self._fail(refusal.state)
        except (OSError, ValueError):
            connection.close()
            self._fail(RingState.UNREACHABLE)
        finally:
            for descriptor in descriptors:
                os.close(descriptor)

    @staticmethod
    def _check(offer: bytes, descriptors: int) -> None:
        if not offer:
            raise _Refusal(RingState.DISCONNECTED)
        # A newer daemon may append to its offer.
        if len(offer) < _OFFER.size:
            raise _Refusal(RingState.INVALID)
        magic, layout, answer = _OFFER.unpack_from(offer)
        if magic != _RING_MAGIC:
            raise _Refusal(RingState.INVALID)
        if answer:
            refusals = {1: RingState.TOO_MANY_READERS, 2: RingState.OFF}
            raise _Refusal(refusals.get(answer, RingState.REFUSED))
        if layout != _RING_LAYOUT:
            raise _Refusal(RingState.OTHER_LAYOUT)
        if descriptors != 2:
            raise _Refusal(RingState.INVALID)

    def wait(self, after: RingPose | None = None, timeout: float | None = None) -> RingPose | None:
        """Newest pose, as soon as it is another one than `after`. With `after` None: the next pose to be published.

        None after `timeout` seconds, and at once when the daemon ends; `state` has the reason. Later calls wait for a
        restarted daemon. A pose wakes 64 threads at most that wait at the same ring; others return within 0.1 s of it.
        """
        deadline = _deadline(timeout)
        before = self.state
        first = self._attachment
        if after is None and first:
            known = first.daemon_generation, first.newest()
        else:
            known = (after.daemon_generation, after.number) if after else (None, 0)
        while True:
            state = self.update()
            left = math.inf if deadline is None else deadline - time.monotonic()
            if before is RingState.RUNNING and state is not before:
                return None
            before = state
            attachment = self._attachment
            if state is RingState.RUNNING and attachment:
                number = known[1] if known[0] == attachment.daemon_generation else 0
                attachment.sleep(number, left)
                if attachment.newest() > number and (pose := self.newest()):
                    return pose
            elif left > 0:
                time.sleep(min(left, max(0.001, self._due - time.monotonic())))
            if left <= 0:
                return None

    def at(self, time: int) -> RingPose:
        """Pose at `time` (ns) of CLOCK_BOOTTIME, within the ring: at least the last 63 poses.

        Position, orientation and velocities are interpolated as the daemon does for GetPose with `time`; all else is
        that of the pose at or before `time`. Raises TooEarly, TooLate or InGap; for older poses call GetPose.
        """
        attachment = self._attachment
        newest = attachment.newest() if attachment else 0
        if not attachment or not newest:
            raise TooLate("the ring has no pose yet")
        try:
            for number in range(newest, max(0, newest - attachment.slot_count), -1):
                first = attachment.read(number)
                if first and first.time <= time:
                    return _interpolate(first, attachment.read(number + 1), attachment.read(number + 2), time)
        except _Refusal as refusal:
            raise InvalidMessage("the ring has a malformed pose") from refusal
        raise TooEarly("the time is before the oldest pose of the ring")


def _scaled(vector: Vector3, factor: float) -> Vector3:
    return vector[0] * factor, vector[1] * factor, vector[2] * factor


def _sum(first: Vector3, second: Vector3) -> Vector3:
    return first[0] + second[0], first[1] + second[1], first[2] + second[2]


def _product(p: tuple[float, ...], q: tuple[float, ...]) -> tuple[float, float, float, float]:
    """Product of quaternions x, y, z, w, with length 1."""
    (x, y, z, w), (a, b, c, d) = p, q
    result = (w * a + x * d + y * c - z * b, w * b - x * c + y * d + z * a,
              w * c + x * b - y * a + z * d, w * d - x * a - y * b - z * c)
    length = math.sqrt(sum(part * part for part in result))
    return result[0] / length, result[1] / length, result[2] / length, result[3] / length


def _exponential(vector: Vector3) -> tuple[float, float, float, float]:
    angle = math.hypot(*vector)
    x, y, z = _scaled(vector, math.sin(angle / 2) / angle if angle > 1e-6 else 0.5)
    return x, y, z, math.cos(angle / 2)


def _logarithm(q: tuple[float, ...]) -> Vector3:
    sine, sign = math.hypot(*q[:3]), -1.0 if q[3] < 0 else 1.0
    angle = 2 * math.atan2(sine, sign * q[3])
    return _scaled((q[0], q[1], q[2]), sign * angle / sine if sine > 1e-9 else sign * 2)


# Angular acceleration beyond that of any head: the axes were corrected, and the rotation is taken as uniform.
# Unit: rad/s^2.
_LARGEST_ACCELERATION = 150.0
# Longest interval between two poses that is interpolated. Unit: ns.
_LONGEST_INTERVAL = 100_000_000


def _interpolate(first: RingPose, second: RingPose | None, third: RingPose | None, at: int) -> RingPose:
    """The pose between two, as the daemon has it: Hermite curves by the velocities at both ends."""
    if first.time == at:
        return first
    if not second:
        raise TooLate("the time is after the newest pose of the ring")
    interval = second.time - first.time
    if second.generation != first.generation or interval <= 0 or interval > _LONGEST_INTERVAL:
        raise InGap("there is no pose near that time in the same scene frame")
    span, share = interval * 1e-9, (at - first.time) / interval
    begin, end = share - 2 * share**2 + share**3, share**3 - share**2

    def curve(whole: Vector3, bend_begin: Vector3, bend_end: Vector3) -> Vector3:
        return _sum(_scaled(whole, share), _sum(_scaled(bend_begin, begin), _scaled(bend_end, end)))

    def bend(velocity: Vector3, whole: Vector3) -> Vector3:
        return _sum(_scaled(velocity, span), _scaled(whole, -1))

    def between(start: Vector3, stop: Vector3) -> Vector3:
        return _sum(_scaled(start, 1 - share), _scaled(stop, share))

    chord = _sum(second.position, _scaled(first.position, -1))
    shift = curve(chord, bend(first.linear_velocity, chord), bend(second.linear_velocity, chord))
    x, y, z, w = first.orientation
    turn = _logarithm(_product((-x, -y, -z, w), second.orientation))
    # A published rate is the mean over the interval before.
    rate = first.angular_velocity
    rate_after = _sum(_scaled(second.angular_velocity, 2), _scaled(rate, -1))
    if third and third.generation == second.generation:
        rate_after = third.angular_velocity
    bends = [bend(_scaled(_sum(one, other), 0.5), turn) for one, other in (
        (rate, second.angular_velocity), (second.angular_velocity, rate_after))]
    if max(math.hypot(*each) for each in bends) > 0.5 * _LARGEST_ACCELERATION * span**2:
        bends = [(0.0, 0.0, 0.0)] * 2
    return dataclasses.replace(
        first, time=at, utc=None if first.utc is None else first.utc + at - first.time,
        position=_sum(first.position, shift),
        orientation=_product(first.orientation, _exponential(curve(turn, *bends))),
        linear_velocity=between(first.linear_velocity, second.linear_velocity),
        angular_velocity=between(rate, second.angular_velocity))


#: Longest prediction. Unit: ns.
PREDICTION_LIMIT = 100_000_000
# Over how much of the past the daemon's line is fitted. Unit: seconds.
_PREDICTION_WINDOW = 0.010
# Radii that hold 68 % of a Gaussian in two and in three dimensions, in standard deviations of one axis.
_RADIUS68, _SPHERE68 = 1.51, 1.87


def predict(pose: RingPose, time: int) -> RingPose:
    """Pose at the `time` (ns) of CLOCK_BOOTTIME at which it will be displayed, predicted by the daemon's equations.

    Position, orientation, velocities, acceleration, their accuracies, `time` and `utc` are predicted, over at most 0.1
    s (PREDICTION_LIMIT); all else remains. A time before the pose gives the pose itself.
    """
    ahead = min(time - pose.time, PREDICTION_LIMIT)
    if ahead <= 0:
        return pose
    span = ahead * 1e-9
    share = 1 - ahead / PREDICTION_LIMIT
    turn = _scaled(_sum(pose.turning_rate, _scaled(pose.turning_acceleration, 0.5 * share * span)), span)
    push = _scaled(pose.acceleration, share)
    return dataclasses.replace(
        pose, time=pose.time + ahead, utc=None if pose.utc is None else pose.utc + ahead,
        orientation=_product(pose.orientation, _exponential(turn)),
        angular_velocity=_sum(pose.turning_rate, _scaled(pose.turning_acceleration, share * span)),
        position=_sum(pose.position, _scaled(_sum(pose.linear_velocity, _scaled(push, 0.5 * span)), span)),
        linear_velocity=_sum(pose.linear_velocity, _scaled(push, span)), acceleration=push,
        **_grown_accuracies(pose, span, share))


def _grown_accuracies(pose: RingPose, span: float, share: float) -> dict[str, typing.Any]:
    """Accuracies with the motion that cannot be predicted added."""
    fading, age = (1 - share)**2, (share * (span / 3 + _PREDICTION_WINDOW / 2))**2
    squares = [pose.unrest[first] * fading + pose.unrest[first + 1] * age for first in (0, 2, 4, 6)]
    yaw, rise = math.sqrt(squares[0]), math.sqrt(squares[3])
    sphere, across = _SPHERE68 * math.sqrt(squares[1] / 3), _RADIUS68 * math.sqrt(squares[2] / 2)
    way = 0.5 * span * span
    # Extrapolating a line through few rates amplifies their noise.
    rate = (1 + share * span / _PREDICTION_WINDOW) * (pose.angular_velocity_accuracy or 0) / _SPHERE68

    def grown(known: float | None, *errors: float) -> float | None:
        return None if known is None else math.hypot(known, *errors)

    yaw_accuracy = grown(pose.yaw_accuracy, math.degrees(yaw * way), math.degrees(rate * span))
    return {
        "yaw_accuracy": None if yaw_accuracy is None else min(180.0, yaw_accuracy),
        "horizontal_accuracy": grown(
            pose.horizontal_accuracy, across * way, (pose.horizontal_velocity_accuracy or 0) * span),
        "vertical_accuracy": grown(pose.vertical_accuracy, rise * way, (pose.vertical_velocity_accuracy or 0) * span),
        "horizontal_velocity_accuracy": grown(pose.horizontal_velocity_accuracy, across * span),
        "vertical_velocity_accuracy": grown(pose.vertical_velocity_accuracy, rise * span),
        "angular_velocity_accuracy": grown(pose.angular_velocity_accuracy, sphere * span),
    }
