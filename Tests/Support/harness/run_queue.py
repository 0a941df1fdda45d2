"""Waiting of programs for a processor: what a busy machine adds to a time that is itself the promise.

The kernel counts for each thread the time in which it could have run and was not let: the second field of
/proc/PID/task/*/schedstat. A gap in a stream, or the time that something takes, is checked less the waiting in the same
slice: a program that sleeps, or waits for another one, is forgiven nothing.
"""
import bisect
import os
import pathlib
import signal
import socket
import struct
import time

from .stalls import noticed, now

# Of readings beside something that goes on. Seconds.
PERIOD = 0.02


def waiting(process):
    """Each thread of a process, and of those that it started, with the nanoseconds that it has waited so far."""
    for thread in pathlib.Path(f"/proc/{process}/task").glob("*"):
        try:
            yield thread, int((thread / "schedstat").read_text().split()[1])
            children = (thread / "children").read_text().split()
        except (FileNotFoundError, ProcessLookupError):
            # It has ended.
            continue
        for child in children:
            yield from waiting(child)


def first_thread(process):
    """The first thread of a process alone, with the nanoseconds that it has waited so far."""
    thread = pathlib.Path(f"/proc/{process}")
    yield thread, int((thread / "schedstat").read_text().split()[1])


class RunQueue:
    """The waiting of processes, or of chosen threads of theirs, from reading to reading. Times are seconds since the
    machine started."""

    def __init__(self, *processes, chosen=waiting):
        self.processes, self.chosen = processes, chosen
        self.threads, self.times, self.totals = {}, [], []
        noticed()
        self.read()

    def read(self):
        """Adds what the threads have waited since the last reading."""
        total = self.totals[-1] if self.totals else 0
        for process in self.processes:
            for thread, waited in self.chosen(process):
                total += max(0, waited - self.threads.get(thread, 0))
                self.threads[thread] = waited
        self.totals.append(total)
        self.times.append(now())

    def read_seldom(self):
        """Reads where the last reading is a period old."""
        if now() - self.times[-1] >= PERIOD:
            self.read()

    def within(self, start, end):
        """Seconds of waiting in the slices from `start` to `end`, and those in which the machine stood still."""
        first = max(bisect.bisect_right(self.times, start) - 1, 0)
        last = min(bisect.bisect_left(self.times, end), len(self.times) - 1)
        return (self.totals[last] - self.totals[first]) * 1e-9 + noticed().within(start, end)


def peer(connection):
    """The process that listens at the other end of a Unix socket."""
    return struct.unpack("iII", connection.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, 12))[0]


class Stopwatch:
    """`seconds` that a block took, less those that processes `waited`. What this process waits beside them is no part of
    it: where that decides, it is a stall."""

    def __init__(self, *processes):
        self.processes = processes

    def __enter__(self):
        self.queue = RunQueue(*self.processes)
        self.begun = self.queue.times[0]
        return self

    def __exit__(self, *_):
        self.queue.read()
        ended = self.queue.times[-1]
        self.waited = self.queue.within(self.begun, ended)
        self.seconds = ended - self.begun - self.waited


def seconds_to_end(program, number=signal.SIGTERM):
    """The time from a signal to the end of a program, as a stopwatch has it."""
    with Stopwatch(program.pid) as watch:
        program.send(number)
        # Until its status is asked for, what has ended still has the count of its first thread.
        while not os.waitid(os.P_PID, program.pid, os.WEXITED | os.WNOHANG | os.WNOWAIT):
            time.sleep(PERIOD / 2)
            watch.queue.read()
    return watch.seconds
