"""What a small board feels: the table of docs/board.md."""
import time

from .board import Board, drain
from .calls import count_calls, sent_between
from .cost import COUNTED, MESSAGE, SAMPLE_RATE, memory, spent, spent_between, wait_for_idle
from .delivery import Delivery
from .latency import POSE, Delays, delays_of_samples
from .least import Least

HEAD = """\
| | processor, % of a core | wakes/s | system calls a sample | sample sent → read, µs | resident, MB |
|---|---|---|---|---|---|"""
# Name, number of subscribers and their rate in Hz; a rate of None reads the pose ring.
ROWS = [
    ("no reader", 0, 0), ("a reader at 1 Hz", 1, 1), ("four readers at 60 Hz", 4, 60),
    ("a display on the pose ring", 1, None)]
# Until the filter has levelled itself. Unit: s.
SETTLED = 10


class Cost:
    """Of a process: processor time, wakes, and system calls while somebody reads."""

    def __init__(self, board, pid, seconds, read):
        before, began = spent(pid), time.monotonic()
        self.read = read(seconds)
        self.share, self.wakes = spent_between(before, spent(pid), time.monotonic() - began)
        counted = count_calls(pid, lambda: read(COUNTED))
        self.calls, self.reason = None, counted
        if not isinstance(counted, str):
            calls, began, ended = counted
            self.calls = calls.total() / max(1, sent_between(board.sent, began, ended))

    @property
    def parts(self):
        calls = self.reason if self.calls is None else f"{self.calls:.1f}"
        return [f"{self.share:.2f}", f"{self.wakes:.0f}", calls]


def measure_table(programs, options):
    print("In brackets: programs in C that read the same devices, or echo, for as many readers.\n")
    print(HEAD)
    for name, readers, rate in ROWS:
        with Board(programs, is_local=True) as board:
            delivery = Delivery(board.folder)
            board.connect().close()

            def read(seconds):
                if not readers:
                    return time.sleep(seconds)
                if rate is None:
                    return delivery.ring(board.ring, seconds)
                return delivery.read(board.path, readers, rate, seconds)[0]

            read(SETTLED)
            if not readers:
                wait_for_idle(board)
            cost = Cost(board, board.daemon.pid, options.seconds, read)
            resident = memory(board.daemon.pid)["VmRSS"] / 1024
            parts = cost.parts
            if readers and rate:
                parts = [f"{one} ({other})" for one, other in zip(parts, least(board, options, readers, rate).parts)]
            delay = "–"
            if readers:
                echoed, _ = delivery.echo(
                    readers, rate or SAMPLE_RATE, rate or SAMPLE_RATE, options.seconds, MESSAGE if rate else POSE)
                delay = f"{middle(delays_of_samples(board, cost.read))} ({middle(end - begin for begin, end in echoed)})"
        print(f"| {name} | {' | '.join(parts)} | {delay} | {resident:.1f} |", flush=True)


def middle(nanoseconds):
    return f"{Delays(nanoseconds).part(0.5):.0f}"


def least(board, options, readers, rate):
    board.end_daemon()
    program = Least(board, readers, rate, MESSAGE)
    drain(program.clients, 2)
    return Cost(board, program.pid, options.seconds, lambda seconds: drain(program.clients, seconds))
