"""Time from a sample to the readers of its pose, beside an echo over sockets of the same kind in the same run."""
import array, os, subprocess, sys, time

from .board import Board

SOURCE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "delivery.c")


def build(folder):
    """The reader and the echo; a reader in Python would measure itself."""
    program = os.path.join(folder, "delivery")
    subprocess.run(["cc", "-O2", "-Wall", "-o", program, SOURCE], check=True)
    return program


def records(path):
    """Of each message: when it began, and when it was read."""
    numbers = array.array("q")
    with open(path, "rb") as file:
        numbers.frombytes(file.read())
    # The third number of each is the reader and the length.
    sizes = [number >> 32 for number in numbers[2::3]]
    return list(zip(numbers[0::3], numbers[1::3])), sum(sizes) // max(1, len(sizes))


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
    cpu = max(os.sched_getaffinity(0))
    print(
        "Times in µs, the middle one and that of 99 %. echo: a process in C that is woken and writes as many bytes to\n"
        "as many sockets. The sensors' server is in Python and reached by TCP: its own time is only in “stamp”.")
    print("readers   stamp → read      sample sent → read   echo → read       ratio to the echo")
    with Board(programs) as board:
        program, file = build(board.folder), os.path.join(board.folder, "records")

        def run(*arguments):
            result = subprocess.run(
                [program, *map(str, arguments)], check=True, capture_output=True, text=True)
            return records(file), result.stdout.strip()

        board.connect().close()
        # Until the sensors have what a display needs, and the filter has levelled itself.
        run("read", board.path, 1, options.rate, 10, cpu, file)
        for readers in options.latency:
            (delivered, size), scheduling = run("read", board.path, readers, options.rate, options.seconds, cpu, file)
            (echoed, _), _ = run("echo", readers, options.rate, options.seconds, size, cpu, file)
            sent = {int(stamp): int(when) for stamp, when in (line.split() for line in open(board.sent))}
            stamps = Delays(read - began for began, read in delivered)
            batches = Delays(read - sent[began] for began, read in delivered if began in sent)
            echo = Delays(read - began for began, read in echoed)
            print(
                f"{readers:7} {stamps}   {batches}     {echo}    "
                f"{batches.part(0.5) / echo.part(0.5):5.2f} {batches.part(0.99) / echo.part(0.99):5.2f}", flush=True)
        print(f"The reader: {scheduling}. {size} bytes a message, {options.rate:g} Hz.")
