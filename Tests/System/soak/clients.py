"""Clients of all kinds, each kind in a process of its own until its event is set; what they saw comes back."""
import contextlib
import multiprocessing
import os
import random
import selectors
import socket
import time

from waymark_interface import POSE_SUBSCRIBE, SCENE_SUBSCRIBE

from harness import interfaces
from harness.varlink import call_message, parse
from harness.waiting import PATIENCE

from .calls import READING, made_up_call

# Forked, a process would hold the descriptors of everything that the test has open.
PROCESSES = multiprocessing.get_context("spawn")
# Of the processor's time, least for those that would take it from the clients that are looked at.
NICE = 10
# Of displays, and of one that takes all. Unit: Hz.
RATES = (60, 30, 90, 200)
SCENE_RATE = 30
# A reader that was kept from its sockets for this time may miss something: a socket holds some 18 poses, 90 ms at 200 Hz.
# What it missed comes with the next messages. Unit: seconds.
LATE = 0.06
EXCUSED = 0.5


class Clients:
    """A process with clients of one kind: `kind(path, seed, stop)` returns what it saw."""

    def __init__(self, kind, path, seed, *arguments):
        self.name = kind.__name__
        self.stopping = PROCESSES.Event()
        self.ours, theirs = PROCESSES.Pipe(duplex=False)
        self.process = PROCESSES.Process(
            target=report, args=(theirs, kind, str(path), seed, self.stopping, *arguments), daemon=True)
        self.process.start()
        theirs.close()

    def stop(self):
        """What it saw; raises what went wrong in it."""
        self.stopping.set()
        assert self.ours.poll(PATIENCE), f"{self.name} does not end"
        seen = self.ours.recv()
        self.process.join(PATIENCE)
        if isinstance(seen, BaseException):
            raise seen
        return seen

    def kill(self):
        self.process.kill()
        self.process.join()


def report(pipe, kind, path, seed, stopping, *arguments):
    try:
        pipe.send(kind(path, seed, stopping, *arguments))
    except BaseException as failure:  # whatever it is, the test's own process raises it
        pipe.send(AssertionError(f"{kind.__name__}: {type(failure).__name__}: {failure}"))


def connected(path):
    client = socket.socket(socket.AF_UNIX)
    client.connect(path)
    return client


# MARK: subscribers that keep up


class Readers:
    """Subscribers that read at once whatever comes, as far as the machine lets them."""

    def __init__(self):
        self.seen = {"messages": 0, "missed": 0, "missed when late": 0, "disordered": 0, "ended": 0}
        self.sequences = {}
        self.read_at, self.late_until = time.monotonic(), 0.0

    def wakes(self, slept):
        """Notes whether this process was kept from reading: then what is missed next is not the daemon's doing."""
        now = time.monotonic()
        if now - self.read_at - slept > LATE:
            self.late_until = now + EXCUSED
        self.read_at = now

    def take(self, message, number):
        self.seen["messages"] += 1
        is_late = self.read_at < self.late_until
        for part in message["parameters"].values():
            missed = part.get("missed", 0) if isinstance(part, dict) else 0
            self.seen["missed when late" if is_late else "missed"] += missed
        pose = message["parameters"].get("pose")
        if pose:
            self.seen["disordered"] += pose["sequence"] <= self.sequences.get(number, 0)
            self.sequences[number] = pose["sequence"]


def subscribers(path, _, stopping, poses, scenes):
    """Read what comes; count the messages, and those that the daemon says they missed."""
    readers = Readers()
    with selectors.DefaultSelector() as selector, contextlib.ExitStack() as stack:
        for number in range(poses + scenes):
            client = stack.enter_context(connected(path))
            method = POSE_SUBSCRIBE if number < poses else SCENE_SUBSCRIBE
            rate = RATES[number % len(RATES)] if number < poses else SCENE_RATE
            client.sendall(call_message(method, {"rate": rate}, more=True))
            selector.register(client, selectors.EVENT_READ, (number, bytearray()))
        while not stopping.is_set():
            before = time.monotonic()
            ready = selector.select(LATE / 2)
            readers.wakes(min(time.monotonic() - before, LATE / 2))
            for key, _ in ready:
                number, rest = key.data
                data = key.fileobj.recv(1 << 18)
                if not data:
                    readers.seen["ended"] += 1
                    selector.unregister(key.fileobj)
                    continue
                rest += data
                *messages, left = bytes(rest).split(b"\0")
                rest[:] = left
                for message in messages:
                    readers.take(parse(message), number)
    return readers.seen


# MARK: clients that disturb


def floods(path, seed, stopping, count):
    """Send valid calls without end: some read the replies, some never, some close at once."""
    os.nice(NICE)
    chance = random.Random(seed)
    calls = 0
    clients = []
    while not stopping.is_set():
        if len(clients) < count:
            with contextlib.suppress(OSError):
                clients.append(Flooder(path, chance))
        if clients:
            flooder = clients.pop(chance.randrange(len(clients)))
            calls += flooder.go_on()
            if flooder.manner == "closes" or chance.random() < 0.05:
                flooder.socket.close()
            else:
                clients.append(flooder)
        time.sleep(0.01)
    return {"calls": calls}


class Flooder:
    """A client that sends whole calls, however the socket divides them."""

    def __init__(self, path, chance):
        self.chance, self.manner = chance, chance.choice(("reads", "never reads", "closes"))
        self.socket = connected(path)
        self.socket.setblocking(False)
        # What the socket did not take is sent first the next time.
        self.rest = b""

    def go_on(self):
        """Sends and reads what is possible; returns the number of calls sent whole."""
        sent = 0
        with contextlib.suppress(OSError):
            if not self.rest:
                self.rest = b"".join(call_message(self.chance.choice(READING), {}) for _ in range(200))
            count = self.socket.send(self.rest)
            sent, self.rest = self.rest[:count].count(b"\0"), self.rest[count:]
        with contextlib.suppress(OSError):
            while self.manner == "reads" and self.socket.recv(1 << 18):
                pass
        return sent


def churn(path, seed, stopping):
    """Connect, perhaps say half of something, perhaps subscribe, and go."""
    os.nice(NICE)
    chance = random.Random(seed)
    connections = 0
    while not stopping.is_set():
        with contextlib.suppress(OSError), connected(path) as client:
            connections += 1
            what = chance.randrange(4)
            if what == 1:
                client.sendall(call_message(POSE_SUBSCRIBE, {"rate": 100}, more=True)[:chance.randrange(60)])
            elif what == 2:
                client.sendall(call_message(POSE_SUBSCRIBE, {"rate": 100}, more=True))
                client.recv(1 << 16)
            elif what == 3:
                client.sendall(chance.randbytes(200))
        time.sleep(0.005)
    return {"connections": connections}


def callers(path, seed, stopping):
    """Call every method with parameters made up from its declaration; replies and errors are as declared."""
    os.nice(NICE)
    chance = random.Random(seed)
    seen = {"calls": 0, "replies": 0, "errors": 0}
    while not stopping.is_set():
        with connected(path) as client:
            client.settimeout(PATIENCE)
            for _ in range(chance.randrange(1, 30)):
                method, parameters = made_up_call(chance)
                client.sendall(call_message(method, parameters))
                seen["calls"] += 1
                message = one_message(client)
                if message is None:
                    break
                if "error" in message:
                    seen["errors"] += 1
                    interfaces.check(interfaces.flaws_of_error(message["error"], message.get("parameters", {})))
                else:
                    seen["replies"] += 1
                    interfaces.check_reply(method, message["parameters"])
        time.sleep(0.02)
    return seen


def one_message(client):
    """The next message; None at the end of the connection."""
    data = b""
    while not data.endswith(b"\0"):
        try:
            piece = client.recv(1 << 18)
        except ConnectionResetError:
            return None
        if not piece:
            return None
        data += piece
    return parse(data[:-1])
