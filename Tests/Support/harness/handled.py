"""A board that a person holds in poses and rotates for a calibration, as the IIO emulator plays it."""
import math
import random

GRAVITY = 9.80665
# Of the place: a dip of 64°, microtesla. Frame: x to magnetic north, y west, z up.
FIELD = (21.0, 0.0, -43.0)
RATE = 100
MAGNETIC_RATE = 50


def multiply(a, b):
    ax, ay, az, aw = a
    bx, by, bz, bw = b
    return (aw * bx + ax * bw + ay * bz - az * by, aw * by - ax * bz + ay * bw + az * bx,
            aw * bz + ax * by - ay * bx + az * bw, aw * bw - ax * bx - ay * by - az * bz)


def conjugate(q):
    return (-q[0], -q[1], -q[2], q[3])


def rotate(q, v):
    return multiply(multiply(q, (*v, 0.0)), conjugate(q))[:3]


def slerp(a, b, part):
    dot = sum(x * y for x, y in zip(a, b))
    if dot < 0:
        b, dot = tuple(-x for x in b), -dot
    angle = math.acos(min(1.0, dot))
    if angle < 1e-9:
        return a
    first, second = math.sin((1 - part) * angle) / math.sin(angle), math.sin(part * angle) / math.sin(angle)
    return tuple(first * x + second * y for x, y in zip(a, b))


def facing(direction, turn):
    """The attitude in which the board's `direction` looks up, turned about it: world from board."""
    x, y, z = direction
    norm = math.sqrt(x * x + y * y + z * z)
    x, y, z = x / norm, y / norm, z / norm
    # From (x, y, z) to (0, 0, 1) by the shorter way.
    axis, w = (y, -x, 0.0), 1 + z
    length = math.sqrt(axis[0] ** 2 + axis[1] ** 2 + w * w)
    shortest = (axis[0] / length, axis[1] / length, 0.0, w / length) if length > 1e-6 else (1.0, 0.0, 0.0, 0.0)
    return multiply((0.0, 0.0, math.sin(turn / 2), math.cos(turn / 2)), shortest)


class Flaws:
    """measured = matrix · true + bias, with white noise."""

    def __init__(self, matrix=((1, 0, 0), (0, 1, 0), (0, 0, 1)), bias=(0, 0, 0), noise=0.0):
        self.matrix, self.bias, self.noise = matrix, bias, noise

    def of(self, true, chance):
        return [sum(row[i] * true[i] for i in range(3)) + bias + chance.gauss(0, self.noise)
                for row, bias in zip(self.matrix, self.bias)]


def poses(count=14, still=2.4, move=1.1, settle=2.0):
    """Attitudes by time: still in directions over the whole sphere, and quick smooth moves in between."""
    golden = math.pi * (3 - math.sqrt(5))
    directions = []
    for index in range(count):
        height = 1 - (2 * index + 1) / count
        radius = math.sqrt(1 - height * height)
        directions.append((radius * math.cos(golden * index), height, radius * math.sin(golden * index)))
    attitudes = [facing(direction, 1.3 * index) for index, direction in enumerate(directions)]
    period = still + move

    def at(time):
        time = max(0.0, time - settle)
        index, rest = int(time / period), time % period
        now, after = attitudes[index % count], attitudes[(index + 1) % count]
        if rest < still:
            return now
        part = (rest - still) / move
        return slerp(now, after, 10 * part**3 - 15 * part**4 + 6 * part**5)
    return at


def turning(period=24.0, settle=1.0):
    """Attitudes by time: a slow spin whose axis wanders over the sphere."""
    def at(time):
        phase = 2 * math.pi * max(0.0, time - settle) / period
        height = -math.cos(phase / 2)
        radius = math.sqrt(max(0.0, 1 - height * height))
        direction = (radius * math.cos(7 * phase), height, radius * math.sin(7 * phase))
        return facing(direction, 3 * phase)
    return at


def play(path, attitude, seconds, accelerometer=Flaws(), gyroscope=Flaws(), magnetometer=Flaws(), seed=1):
    """Writes a play of the emulator: the board as it stands or turns on the spot."""
    chance = random.Random(seed)
    step = 1.0 / RATE
    with open(path, "w", encoding="utf-8") as file:
        file.write("time_ns,kind,x,y,z\n")

        def line(time, kind, values):
            file.write(f"{round(time * 1e9)},{kind},{values[0]:.9g},{values[1]:.9g},{values[2]:.9g}\n")

        for index in range(int(seconds * RATE)):
            time = index * step
            before, now, after = attitude(time - step / 2), attitude(time), attitude(time + step / 2)
            turn = multiply(conjugate(before), after)
            sign = 2 / step if turn[3] >= 0 else -2 / step
            line(time, "a", accelerometer.of(rotate(conjugate(now), (0, 0, GRAVITY)), chance))
            line(time, "g", gyroscope.of([sign * part for part in turn[:3]], chance))
            if index % (RATE // MAGNETIC_RATE) == 0:
                line(time, "m", magnetometer.of(rotate(conjugate(now), FIELD), chance))
