"""Trouble with receiver and sensors: at random from a seed, one at a time, each taken back after a while."""
import random
import threading
import time

# Between the beginnings of two troubles, and duration of each. Seconds.
APART = (4.0, 8.0)
LASTS = (0.5, 3.0)


class Trouble:
    """A thread that troubles a rig until `stop`, or `end`."""

    def __init__(self, rig, seed):
        self.rig, self.chance, self.counts, self.failure = rig, random.Random(seed), {}, None
        self.kinds = {
            "receiver silent": (lambda: rig.receiver.command("pause"), lambda: rig.receiver.command("resume")),
            "no satellites": (lambda: rig.receiver.command("nofix"), lambda: rig.receiver.command("fix")),
            "gpsd killed": (rig.receiver.kill_gpsd, rig.receiver.start_gpsd),
            "garbage from the receiver": (lambda: rig.receiver.command("garbage"), lambda: None),
            "sensors gone": (rig.board.stop, rig.board.start),
        }
        self.stopping = threading.Event()
        self.thread = threading.Thread(target=self.run, daemon=True)
        self.thread.start()

    def run(self):
        try:
            while not self.stopping.wait(self.chance.uniform(*APART)):
                name = self.chance.choice(sorted(self.kinds))
                begin, end = self.kinds[name]
                begin()
                time.sleep(self.chance.uniform(*LASTS))
                end()
                self.counts[name] = self.counts.get(name, 0) + 1
        except BaseException as failure:  # whatever it is, the test's own thread raises it
            self.failure = failure

    def end(self):
        """Returns when the last trouble is taken back, and nothing of the rig will be started again."""
        self.stopping.set()
        self.thread.join()

    def stop(self):
        """How often each struck; raises what went wrong."""
        self.end()
        if self.failure:
            raise self.failure
        return self.counts
