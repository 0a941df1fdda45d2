"""Clients that flood the daemon with valid calls, a subscriber that notes when its poses come, and a load to compare.

Run as a program this is one of the three, in a process of its own, so that none waits for another or for the test:

    flood.py flood SOCKET CLIENTS reads|ignores|closes     # the call's bytes on standard input
    flood.py subscribe SOCKET RATE
    flood.py burn SHARE                                    # this share of a processor, and no calls

All print a line when they have begun, and go on until their standard input ends. Then the first prints the number of
calls that it sent and the share of a processor that it took, the second the times at which poses came, in seconds since
the machine started, and the third nothing.

What is measured is the daemon, not how a busy machine divides its processors: the daemon under test and the subscriber
begin with AHEAD, the flooding clients do not, and what both wait nevertheless is no part of an interval. Without the
right to it `nice` only complains.
"""
import contextlib
import json
import os
import pathlib
import select
import signal
import socket
import subprocess
import sys
import time

if __name__ == "__main__":
    # Run by its path, this file finds the harness beside it.
    sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))

from harness.process import Program
from harness.stalls import now
from harness.waiting import PATIENCE

# Bytes of calls in one go: about what the kernel takes from a client whose calls are not read.
PIPELINE = 200_000
MODES = ("reads", "ignores", "closes")
AHEAD = ("nice", "-n", "-10")
BEGUN = b"begun\n"
# Of the burning process; shorter than the interval of a subscriber. Seconds.
BURNING_PERIOD = 0.01


class Flooder:
    """A client that sends calls as fast as they are taken."""

    def __init__(self, path, mode, calls):
        self.path, self.mode, self.calls = path, mode, calls
        self.socket, self.sent, self.offset = None, 0, 0
        self.connect()

    def connect(self):
        self.socket = socket.socket(socket.AF_UNIX)
        self.offset = 0
        # A full backlog or a limit of the daemon is part of a flood.
        with contextlib.suppress(OSError):
            self.socket.settimeout(1)
            self.socket.connect(self.path)
        self.socket.setblocking(False)

    def go_on(self):
        """Sends and takes what is possible; returns whether anything was."""
        moved = self.send()
        if self.mode == "reads":
            moved |= self.take()
        if self.mode == "closes":
            self.socket.close()
            self.connect()
        return moved

    def send(self):
        try:
            count = self.socket.send(memoryview(self.calls)[self.offset:])
        except BlockingIOError:
            return False
        except OSError:
            self.socket.close()
            self.connect()
            return False
        self.sent += count
        self.offset = (self.offset + count) % len(self.calls)
        return True

    def take(self):
        try:
            return bool(self.socket.recv(1 << 20))
        except OSError:
            return False


def begin():
    sys.stdout.buffer.write(BEGUN)
    sys.stdout.buffer.flush()


def ended():
    return bool(select.select([sys.stdin], [], [], 0)[0])


def flood(path, clients, mode):
    call = sys.stdin.buffer.readline().rstrip(b"\n") + b"\0"
    calls = call * max(1, PIPELINE // len(call))
    flooders = [Flooder(path, mode, calls) for _ in range(int(clients))]
    while not sum(flooder.sent for flooder in flooders):
        if ended():
            return
        if not any([flooder.go_on() for flooder in flooders]):
            time.sleep(0.01)
    begin()
    begun, used = time.monotonic(), time.process_time()
    while not ended():
        if not any([flooder.go_on() for flooder in flooders]):
            waiting = [flooder.socket for flooder in flooders]
            # One that reads nothing is not writable for long either, and would only cost time.
            active = waiting if mode != "ignores" else []
            select.select([*active, sys.stdin], active, [], 0.05)
    share = (time.process_time() - used) / (time.monotonic() - begun)
    print(json.dumps([sum(flooder.sent for flooder in flooders) // len(call), min(share, 1)]))


def subscribe(path, rate):
    connection = socket.socket(socket.AF_UNIX)
    connection.connect(path)
    call = {"method": "org.waymark.Pose.Subscribe", "more": True, "parameters": {"rate": float(rate)}}
    connection.sendall(json.dumps(call).encode() + b"\0")
    times = [now()] * connection.recv(1 << 20).count(b"\0")
    begin()
    while not ended():
        if select.select([connection, sys.stdin], [], [], 1)[0]:
            count = connection.recv(1 << 20).count(b"\0") if select.select([connection], [], [], 0)[0] else 0
            times += [now()] * count
    print(json.dumps(times))


def burn(share):
    begin()
    while not ended():
        period, used = time.monotonic(), time.process_time()
        while time.process_time() - used < float(share) * BURNING_PERIOD:
            pass
        time.sleep(max(0, period + BURNING_PERIOD - time.monotonic()))


class Helper:
    """One of the three in its own process, as long as a `with` lasts; then `result` is what it printed."""

    def __init__(self, *arguments, call=None, prefix=()):
        self.arguments, self.call, self.prefix, self.result = arguments, call, prefix, None

    def __enter__(self):
        self.program = Program(
            [*self.prefix, sys.executable, __file__, *self.arguments], os.devnull, stdin=subprocess.PIPE,
            stdout=subprocess.PIPE)
        try:
            self.wait_for_begin()
        except BaseException:
            self.program.end(signal.SIGKILL)
            raise
        return self

    def wait_for_begin(self):
        process = self.program.process
        if self.call:
            process.stdin.write(self.call.rstrip(b"\0") + b"\n")
            process.stdin.flush()
        assert select.select([process.stdout], [], [], PATIENCE)[0], f"{self.arguments} did not begin"
        # It comes whole, or the output ends.
        line = process.stdout.readline()
        assert line == BEGUN, f"{self.arguments} printed {line!r}"

    def __exit__(self, *_):
        try:
            printed, _ = self.program.process.communicate(timeout=PATIENCE)
        finally:
            self.program.end(signal.SIGKILL)
        self.result = json.loads(printed) if printed else None


def flooding(path, clients, mode, call):
    return Helper("flood", path, clients, mode, call=call)


def noting(path, rate=60):
    return Helper("subscribe", path, rate, prefix=AHEAD)


def burning(share):
    return Helper("burn", share)


def intervals(times, begin, end):
    """Begin and end of each interval between poses from one time to another, as if poses had come at these, too."""
    inside = [begin, *(time for time in times if begin <= time <= end), end]
    return list(zip(inside, inside[1:]))


def percentile(values, share):
    values = sorted(values)
    return values[min(len(values) - 1, int(share * len(values)))]


def main():
    with contextlib.suppress(KeyboardInterrupt):
        {"flood": flood, "subscribe": subscribe, "burn": burn}[sys.argv[1]](*sys.argv[2:])


if __name__ == "__main__":
    main()
