"""Where the IIOD emulator's values come from: a board at rest, or a recording."""
import random
import threading
import time

from iiod_emulator_play import Play


class Rest:
    """The board at rest, without end: sample k of a device is due k periods after its buffer was opened.

    A rate that changes meanwhile counts from the next sample on.
    """

    def __init__(self, noise, seed):
        self.noise, self.random = noise, random.Random(seed)

    def row(self, device):
        values = {}
        for channel in device.channels:
            if channel.kind not in values:
                noise = channel.noise if self.noise else 0.0
                sample = [v + self.random.gauss(0, noise) if noise else v for v in channel.rest]
                values[channel.kind] = to_sensor(device, sample)
        return values

    def cursor(self, device, now_ns):
        start = due = now_ns
        rate, index = device.rate, 0
        while True:
            # Of a timer, whose rate may change while the buffer runs.
            if device.rate != rate:
                start, rate, index = due, device.rate, 0
            index += 1
            due = start + int(index * (1e9 / rate))
            yield due, self.row

    def now(self, device):
        return self.row(device)


def to_sensor(device, sample):
    """Body axes to the sensor's: the mount matrix backwards."""
    if device.mount is None or len(sample) != 3:
        return sample
    return [sum(device.mount[row][column] * sample[row] for row in range(3)) for column in range(3)]


class Recorded:
    """A play on the server's common clock, which starts with the first buffer that is opened."""

    def __init__(self, path, loop):
        self.play, self.loop, self.start, self.lock = Play(path), loop, None, threading.Lock()

    def begin(self, now_ns):
        with self.lock:
            if self.start is None:
                self.start = now_ns
            return self.start

    def cursor(self, device, now_ns):
        kinds = list(dict.fromkeys(channel.kind for channel in device.channels))
        for time_ns, values in self.play.rows(kinds, now_ns - self.begin(now_ns), self.loop):
            yield self.start + time_ns, lambda device, v=values: {k: to_sensor(device, x) for k, x in v.items()}

    def now(self, device):
        now = time.monotonic_ns()
        kinds = list(dict.fromkeys(channel.kind for channel in device.channels))
        values = self.play.at(kinds, now - self.begin(now), self.loop)
        return values and {kind: to_sensor(device, value) for kind, value in values.items()}
