"""Calls of the program in C that reads poses, and that has an echo beside it."""
import array, os, subprocess

from .board import ROOT

SOURCE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "delivery.c")
CLIENT = os.path.join(ROOT, "clients", "c")


class Delivery:
    """The reader and the echo; a reader in Python would measure itself."""

    def __init__(self, folder):
        self.program, self.file = os.path.join(folder, "delivery"), os.path.join(folder, "records")
        self.cpu = max(os.sched_getaffinity(0))
        library = os.path.join(folder, "libwaymark")
        subprocess.run(["make", "-s", "-C", CLIENT, f"BUILD={library}", f"{library}/libwaymark.a"], check=True)
        subprocess.run(
            ["cc", "-O2", "-Wall", "-I", CLIENT, "-o", self.program, SOURCE, f"{library}/libwaymark.a", "-lm",
             "-pthread"], check=True)

    def read(self, path, readers, rate, seconds):
        """Begin and reading of each message, the mean length, and the scheduling that the reader was granted."""
        said = self.run("read", path, readers, rate, seconds, self.cpu, self.file)
        return *self.records(), said[0]

    def ring(self, path, seconds):
        """Stamp and reading of each pose of the ring."""
        self.run("ring", path, seconds, self.cpu, self.file)
        return self.records()[0]

    def echo(self, readers, rate, wakes, seconds, size):
        """Begin and reading of each message, and the processor time of the echo in seconds."""
        said = self.run("echo", readers, rate, wakes, seconds, size, self.cpu, self.file)
        return self.records()[0], int(said[1]) / 1e6

    def run(self, *arguments):
        command = [self.program, *map(str, arguments)]
        return subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout.splitlines()

    def records(self):
        numbers = array.array("q")
        with open(self.file, "rb") as file:
            numbers.frombytes(file.read())
        # The third number of each is the reader and the length.
        sizes = [number >> 32 for number in numbers[2::3]]
        return list(zip(numbers[0::3], numbers[1::3])), sum(sizes) // max(1, len(sizes))
