"""A drill from its first fault to its last: strikes, waits until all is well, checks, and reports how it went."""
import dataclasses
import random
import statistics
import time

from .schedule import strikes
from .storage import check_state

# How the daemon may end here: by our kill, and by systemd's watchdog.
EXPECTED_ENDS = ("code=killed, status=9/KILL", "code=killed, status=6/ABRT", "code=exited, status=0/SUCCESS")


@dataclasses.dataclass
class Entry:
    """One strike, in seconds: when; from whole to right by the clock; of samples from the sensors' return to right."""
    strike: object
    begin: float
    back: float = None
    right: float = None
    failure: str = None

    def __str__(self):
        how = self.failure or f"right after {self.right:.1f} s of samples, {self.back:.1f} s by the clock"
        return f"{self.begin:7.1f} s  {self.strike!s:36} {how.splitlines()[0]}"


class Campaign:
    def __init__(self, world, kinds, seed, apart=()):
        self.world, self.kinds = world, kinds
        self.strikes = strikes(kinds, seed, apart)
        self.entries = []
        self.started = time.monotonic()

    def run(self, minutes):
        """Each kind once, and then on until the time is over."""
        self.world.recover()
        seen = set()
        while len(seen) < len(self.kinds) or time.monotonic() - self.started < 60 * minutes:
            strike = next(self.strikes)
            seen.update(strike.kinds)
            entry = Entry(strike, time.monotonic() - self.started)
            self.entries.append(entry)
            try:
                self.suffer(entry)
            except BaseException as failure:
                entry.failure = f"{type(failure).__name__}: {failure}"
                raise
            finally:
                print(entry, flush=True)

    def suffer(self, entry):
        source = random.Random(entry.strike.seed)
        faults = [self.kinds[kind](self.world, source) for kind in entry.strike.kinds]
        for fault in faults:
            next(fault)
        self.world.take_poses()
        source.shuffle(faults)
        for fault in faults:
            assert next(fault, None) is None
        whole = time.monotonic()
        entry.right = self.world.recover()
        entry.back = time.monotonic() - whole
        check_state(self.world)
        self.check_ends()

    def check_ends(self):
        """The daemon ended by nothing but what was done to it."""
        lines = self.world.run(
            "journalctl --unit=waymarkd.service --output=cat --no-pager | grep 'Main process exited' || true").output
        for line in lines.splitlines():
            assert any(end in line for end in EXPECTED_ENDS), f"the daemon ended by itself: {line}"

    def figures(self):
        """Of each kind how often it struck and the time until poses were right: of samples, and by the clock."""
        lines = [f"{'kind':18} count   samples median, worst    clock median, worst"]
        for kind in self.kinds:
            done = [entry for entry in self.entries if kind in entry.strike.kinds and entry.failure is None]
            if done:
                samples, clock = [entry.right for entry in done], [entry.back for entry in done]
                lines.append(
                    f"{kind:18} {len(done):5}   {statistics.median(samples):7.1f} s {max(samples):6.1f} s   "
                    f"{statistics.median(clock):7.1f} s {max(clock):6.1f} s")
        return "\n".join(lines)
