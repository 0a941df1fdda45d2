"""How fast this machine is at the moment, by fixed work that is repeated all along."""
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
        self.measured = []
        self.last = None

    def measure(self):
        now = time.monotonic()
        if self.last is not None and now - self.last < INTERVAL:
            return
        self.last = now
        begun = time.process_time()
        fixed_work()
        self.measured.append(time.process_time() - begun)

    @property
    def slowness(self):
        """How much longer than on the reference machine work takes; never less than 1."""
        if not self.measured:
            return 1.0
        return max(1.0, sum(self.measured) / len(self.measured) / REFERENCE)

    @property
    def minutes(self):
        """Time since the beginning, as it would have been on the reference machine."""
        return (time.monotonic() - self.begun) / 60 / self.slowness
