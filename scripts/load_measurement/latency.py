"""Time from a sample to the readers of its pose, beside an echo over sockets of the same kind in the same run."""
import sys

from .board import Board
from .delivery import Delivery

# Of a pose in the ring. Unit: bytes.
POSE = 512


class Delays:
    """Delays in microseconds."""

    def __init__(self, nanoseconds):
        self.values = sorted(nanoseconds)
        if not self.values:
            sys.exit("daemon-load: no message was measured")

    def part(self, share):
        return self.values[min(int(share * len(self.values)), len(self.values) - 1)] / 1000

    def __str__(self):
        return f"{self.part(0.5):6.0f} {self.part(0.99):7.0f}"


def measure_latency(programs, options):
    print(
        "Times in µs, the middle one and that of 99 %. echo: a process in C that is woken and writes as many bytes to\n"
        "as many sockets. The sensors are played in Python: their own time is only in “stamp”.")
    print("readers   stamp → read      sample sent → read   echo → read       ratio to the echo")
    with Board(programs, is_local=options.local) as board:
        delivery = Delivery(board.folder)
        board.connect().close()
        # Until the sensors have what a display needs, and the filter has levelled itself.
        delivery.read(board.path, 1, options.rate, 10)
        for readers in options.latency:
            delivered, size, scheduling = delivery.read(board.path, readers, options.rate, options.seconds)
            echoed, _ = delivery.echo(readers, options.rate, options.rate, options.seconds, size)
            tell_delays(f"{readers:7}", board, delivered, echoed)
        # A call of the echo for each pose, as the ring's reader is woken.
        delivered = delivery.ring(board.ring, options.seconds)
        echoed, _ = delivery.echo(1, 200, 200, options.seconds, POSE)
        tell_delays("   ring", board, delivered, echoed)
        print(f"The reader: {scheduling}. Sockets at {options.rate:g} Hz, the ring at the rate of the samples.")


def delays_of_samples(board, delivered):
    """From sending a sample until its pose is read. Unit: ns."""
    sent = {int(stamp): int(when) for stamp, when in (line.split() for line in open(board.sent))}
    return [read - sent[began] for began, read in delivered if began in sent]


def tell_delays(name, board, delivered, echoed):
    stamps = Delays(read - began for began, read in delivered)
    samples = Delays(delays_of_samples(board, delivered))
    echo = Delays(read - began for began, read in echoed)
    print(
        f"{name} {stamps}   {samples}     {echo}    "
        f"{samples.part(0.5) / echo.part(0.5):5.2f} {samples.part(0.99) / echo.part(0.99):5.2f}", flush=True)
