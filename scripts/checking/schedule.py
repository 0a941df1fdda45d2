"""Which part runs when."""
import time

from checking.part import Run, minutes

# The weight of what runs side by side, for two processors: builds use both, a guest one, and most tests wait for most
# of their time.
MOST_AT_ONCE = 4


class Schedule:
    """Parts that wait, run, and have ended."""

    def __init__(self, parts, variables, machine, most_minutes):
        self.names = {part.name for part in parts}
        self.waiting = list(parts)
        self.variables = variables
        self.machine = machine
        self.most_minutes = most_minutes
        self.running, self.ended = [], []
        # Names of parts that were given up, because one that they need failed.
        self.given_up = []
        # Names of parts that ran when the time was over.
        self.too_long = []
        # Set by a signal at any moment, and looked at between two steps: so no part that was just started is forgotten.
        self.is_interrupted = False

    def run(self):
        """Runs all, side by side, each after what it needs."""
        try:
            while (self.waiting or self.running) and not self.is_interrupted:
                self.collect()
                self.give_up()
                self.start()
                self.machine.measure()
                if self.machine.minutes > self.most_minutes:
                    self.stop()
                time.sleep(0.2)
        finally:
            for run in self.running:
                run.end()

    def collect(self):
        for run in [run for run in self.running if run.ended]:
            self.running.remove(run)
            self.ended.append(run)
            run.show()

    def stop(self):
        """Ends what takes too long, and what would follow."""
        for run in self.running:
            print(f"check: {run.part.name} still runs after {minutes(60 * self.most_minutes)} and is ended", flush=True)
            self.too_long.append(run.part.name)
            run.end()
        self.given_up += [part.name for part in self.waiting]
        self.waiting = []

    def give_up(self):
        broken = {run.part.name for run in self.ended if run.failed} | set(self.given_up)
        for part in [part for part in self.waiting if broken & set(part.needs)]:
            self.waiting.remove(part)
            self.given_up.append(part.name)

    def start(self):
        done = {run.part.name for run in self.ended}
        for part in list(self.waiting):
            used = sum(run.part.weight for run in self.running)
            if self.names & set(part.needs) <= done and (not used or used + part.weight <= MOST_AT_ONCE):
                self.waiting.remove(part)
                self.running.append(Run(part, self.variables))
