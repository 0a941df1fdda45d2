"""When the machine ran nothing: a virtual machine whose host is busy stops for a second at times, the programs under test
as well as the test, and no program is to blame for what it misses then."""
import functools
import threading
import time

PERIOD = 0.02
# A sleep that ends later than this was a stall; shorter ones are the everyday life of a busy machine. Seconds.
LATE = 0.1


class Stalls:
    """A thread that sleeps, and keeps when it woke too late. Times are seconds since the machine started."""

    def __init__(self):
        self.found = []
        threading.Thread(target=self.run, daemon=True).start()

    def run(self):
        before = now()
        while True:
            time.sleep(PERIOD)
            woken = now()
            if woken - before > PERIOD + LATE:
                self.found.append((before, woken))
            before = woken

    def within(self, start, end):
        """Seconds between `start` and `end` in which the machine ran nothing."""
        return sum(max(0.0, min(end, last) - max(start, first)) for first, last in self.found)


def now():
    return time.clock_gettime(time.CLOCK_BOOTTIME)


@functools.cache
def noticed():
    """The stalls of this process since the first call."""
    return Stalls()
