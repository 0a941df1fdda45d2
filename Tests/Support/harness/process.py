"""Starting, watching and ending real programs; figures of a process from /proc."""
import os
import pathlib
import signal
import subprocess

from .living import Living
from .waiting import PATIENCE, wait_until

# Ahead of a command: the kernel ends it with the process that started it, also where that one was killed.
ENDS_WITH_US = ("setpriv", "--pdeathsig=TERM")


class Program(Living):
    """A started program with its standard error in a file; always ended by `end`."""

    def __init__(self, arguments, log, **options):
        self.log_path = pathlib.Path(log)
        with open(self.log_path, "ab") as file:
            self.process = subprocess.Popen(
                [*ENDS_WITH_US, *(str(part) for part in arguments)], stderr=file, **options)
        self.name = pathlib.Path(str(arguments[0])).name
        self.enlist()

    @property
    def pid(self):
        return self.process.pid

    @property
    def runs(self):
        return self.process.poll() is None

    @property
    def log(self):
        return self.log_path.read_text(errors="replace")

    def last_words(self):
        return f"{self.name} ({self.pid})", "\n".join(self.log.splitlines()[-60:])

    def send(self, number):
        self.process.send_signal(number)

    def wait(self, timeout=PATIENCE):
        return self.process.wait(timeout)

    def end(self, number=signal.SIGTERM, timeout=PATIENCE):
        """Ends it, with SIGKILL if it does not obey; returns its code."""
        if self.runs:
            self.send(number)
            try:
                self.wait(timeout)
            except subprocess.TimeoutExpired:
                self.send(signal.SIGKILL)
                self.wait()
        for stream in (self.process.stdin, self.process.stdout):
            if stream:
                stream.close()
        self.delist()
        return self.process.returncode

    def descriptors(self):
        return len(os.listdir(f"/proc/{self.pid}/fd"))

    def settled_descriptors(self):
        """Their number once it stays the same for a while: connections that just ended take a moment to go."""
        numbers = []

        def settled():
            numbers.append(self.descriptors())
            return len(numbers) >= 8 and len(set(numbers[-8:])) == 1

        wait_until(settled, what=lambda: f"a steady number of descriptors, not {numbers[-20:]}")
        return numbers[-1]

    def resident_kib(self):
        return self._status_kib("VmRSS")

    def anonymous_kib(self):
        """What it holds apart from pages of files, of which the kernel maps more or fewer as its cache has them."""
        return self._status_kib("RssAnon")

    def code_kib(self):
        """What of its own code is mapped: functions that ran, and up to 64 kB around each that the kernel has at hand."""
        found, is_code = 0, False
        for line in pathlib.Path(f"/proc/{self.pid}/smaps").read_text().splitlines():
            words = line.split()
            if not words[0].endswith(":"):
                is_code = words[1] == "r-xp" and words[-1].endswith("/waymark")
            elif words[0] == "Rss:" and is_code:
                found += int(words[1])
        return found

    def _status_kib(self, name):
        for line in pathlib.Path(f"/proc/{self.pid}/status").read_text().splitlines():
            if line.startswith(f"{name}:"):
                return int(line.split()[1])
        raise AssertionError(f"no {name}: the process is gone")
