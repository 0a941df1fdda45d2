"""A part of the check, and a run of it."""
import dataclasses
import json
import os
import pathlib
import signal
import subprocess
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
FOLDER = ROOT / ".build/check"
# Nice value of patient parts: a third of what others get. With much less a guest's watchdogs end what it runs.
PATIENCE = 5


@dataclasses.dataclass(frozen=True)
class Part:
    """One step. `weight` is its share of what may run side by side; parts start in the order of the table."""
    name: str
    command: tuple
    needs: tuple = ()
    weight: int = 1
    has_tests: bool = False
    # Given the names of tests, the command that runs these alone; None where they cannot be repeated.
    again: object = None
    # What stays untested without this part; empty for parts without tests.
    untested: str = ""
    # Processor time on the reference machine, with its children. Unit: seconds; 0 where it is not limited.
    budget: float = 0
    # Gives way to others, which wait for events.
    is_patient: bool = False


class Run:
    """A part under way, or at its end."""

    def __init__(self, part, environment, command=None, name=None):
        self.part = part
        name = name or part.name
        self.log = FOLDER / f"{name}.log"
        self.results_path = FOLDER / f"{name}.jsonl"
        self.results_path.unlink(missing_ok=True)
        self.begun = time.monotonic()
        # Elapsed and processor time. Unit: seconds.
        self.seconds = None
        self.cost = None
        self.code = None
        patiently = ("nice", "-n", str(PATIENCE)) if part.is_patient else ()
        # Others run tests for a purpose of their own.
        results = {"WAYMARK_RESULTS": os.path.relpath(self.results_path, ROOT)} if part.has_tests else {}
        with open(self.log, "wb") as log:
            # A group of its own, which ends as a whole when the check is interrupted.
            self.process = subprocess.Popen(
                (*patiently, *(command or part.command)), cwd=ROOT, stdin=subprocess.DEVNULL, stdout=log,
                stderr=subprocess.STDOUT, start_new_session=True,
                env={**environment, **results})
        if part.is_patient:
            give_way(self.process.pid)

    @property
    def ended(self):
        if self.code is None:
            # Not by `subprocess`, which keeps the processor time of all children together.
            pid, status, usage = os.wait4(self.process.pid, os.WNOHANG)
            if pid == 0:
                return False
            self.code = self.process.returncode = os.waitstatus_to_exitcode(status)
            self.seconds = time.monotonic() - self.begun
            self.cost = usage.ru_utime + usage.ru_stime
        return True

    @property
    def failed(self):
        return self.code != 0

    def results(self):
        """What its tests wrote: a dictionary for each attempt of each test."""
        if not self.results_path.exists():
            return []
        try:
            return [json.loads(line) for line in self.results_path.read_text().splitlines()]
        except json.JSONDecodeError:
            # Written by a process that was killed.
            return []

    def attempts(self):
        return [each for each in self.results() if "outcome" in each]

    def failed_tests(self):
        return [each["test"] for each in self.attempts() if each["outcome"] == "failed"]

    def show(self):
        said = self.log.read_text(errors="replace").splitlines()
        print(
            f"{'FAILED' if self.failed else 'done'}: {self.part.name}, {minutes(self.seconds)}, "
            f"{self.cost:.0f} s of processor time", flush=True)
        for line in said if self.failed else self.worth_showing(said):
            print(f"    {line}", flush=True)

    def worth_showing(self, said):
        """Lines to show of a part that succeeded: skipped tests with their reasons, and the totals."""
        if not self.part.has_tests:
            return []
        return [line for line in said[:-1] if line.startswith("SKIPPED")] + said[-1:]

    def end(self):
        """Ends it with all that it started, and what does not obey by force."""
        # SwiftPM ends its compilers when it is interrupted, but not when it is terminated.
        for number, patience in ((signal.SIGINT, 20), (signal.SIGTERM, 10), (signal.SIGKILL, 10)):
            try:
                os.killpg(self.process.pid, number)
            except ProcessLookupError:
                return
            deadline = time.monotonic() + patience
            while not self.ended and time.monotonic() < deadline:
                time.sleep(0.1)


def give_way(leader):
    """Where the kernel shares processors among sessions first, the nice value of a process counts in its session alone.

    A session has another one, which no process takes back: those that swift-build starts have a nice value of 0 again.
    """
    try:
        pathlib.Path(f"/proc/{leader}/autogroup").write_text(str(PATIENCE))
    except OSError:
        # It does not, or this process has ended.
        pass


def minutes(seconds):
    return f"{int(seconds) // 60}:{int(seconds) % 60:02d} min"
