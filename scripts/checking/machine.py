"""How fast this machine is at the moment, by fixed work that is repeated all along."""
import math
import time

# Processor time of the fixed work on the reference machine, two idle virtual processors of 2026. Unit: seconds.
REFERENCE = 0.025
# Unit: seconds.
INTERVAL = 30


def fixed_work():
    total = 0
    for number in range(200_000):
        total += number * number % 7
    return total


class Machine:
    """Compares processor time with that of the reference machine.

    Two virtual processors may be two threads of one: then each takes up to twice the time for the same work, and a
    budget in seconds would say nothing.
    """

    def __init__(self):
        self.begun = time.monotonic()
        # Times at which the fixed work was done, with what it took.
        self.measured = []

    def measure(self):
        now = time.monotonic()
        if self.measured and now - self.measured[-1][0] < INTERVAL:
            return
        begun = time.process_time()
        fixed_work()
        self.measured.append((now, time.process_time() - begun))

    @property
    def slowness(self):
        """Ratio of the time that work takes to that on the reference machine; at least 1."""
        return self.slowness_between(0, math.inf)

    def slowness_between(self, begin, end):
        """That of a part of the run, as other guests of a host may be busy for some minutes."""
        taken = [cost for moment, cost in self.measured if begin <= moment <= end]
        if not taken:
            return self.slowness if self.measured else 1.0
        return max(1.0, sum(taken) / len(taken) / REFERENCE)

    @property
    def minutes(self):
        """Time since the beginning, as it would have been on the reference machine."""
        return (time.monotonic() - self.begun) / 60 / self.slowness
