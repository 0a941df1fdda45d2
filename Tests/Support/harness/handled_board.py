"""Samples of a board that a person holds, lays down and rotates: tables for calibrations without a daemon.

A small stand-in of its own making: the tests of the mathematics have the simulation; these test what the program says.
"""
import math
import random


def turned(matrix, vector):
    return [sum(matrix[i][j] * vector[j] for j in range(3)) for i in range(3)]


def transposed(matrix):
    return [list(row) for row in zip(*matrix)]


def product(a, b):
    return [[sum(a[i][k] * b[k][j] for k in range(3)) for j in range(3)] for i in range(3)]


def rotation(axis, angle):
    """About an axis of any length, by the formula of Rodrigues."""
    length = math.sqrt(sum(part * part for part in axis))
    x, y, z = (part / length for part in axis)
    c, s = math.cos(angle), math.sin(angle)
    return [[c + x * x * (1 - c), x * y * (1 - c) - z * s, x * z * (1 - c) + y * s],
            [y * x * (1 - c) + z * s, c + y * y * (1 - c), y * z * (1 - c) - x * s],
            [z * x * (1 - c) - y * s, z * y * (1 - c) + x * s, c + z * z * (1 - c)]]


class Board:
    """World: x east, y north, z up. `attitude` is body from world."""

    GRAVITY = 9.80665
    FIELD = (0.0, 21.0, -43.0)

    def __init__(self, seed=1, rate=100, force_matrix=None, force_bias=(0.12, -0.2, 0.3), rate_bias=(0.01, -0.02, 0.004),
                 iron=(12.0, -25.0, 8.0)):
        self.random = random.Random(seed)
        self.rate = rate
        self.force_matrix = force_matrix or [[1.01, 0.004, -0.002], [0.0, 0.985, 0.006], [0.0, 0.0, 1.02]]
        self.force_bias, self.rate_bias, self.iron = force_bias, rate_bias, iron
        self.attitude = [[1.0, 0, 0], [0, 0, 1.0], [0, -1.0, 0]]
        self.rows = []

    def _sample(self, angular_rate, disturbance=(0, 0, 0)):
        noise = self.random.gauss
        force = turned(self.force_matrix, turned(self.attitude, [0, 0, self.GRAVITY]))
        field = turned(self.attitude, [f + d for f, d in zip(self.FIELD, disturbance)])
        self.rows.append(
            [len(self.rows) / self.rate]
            + [f + b + noise(0, 0.02) for f, b in zip(force, self.force_bias)]
            + [r + b + noise(0, 0.001) for r, b in zip(angular_rate, self.rate_bias)]
            + [m + b + noise(0, 0.3) for m, b in zip(field, self.iron)])

    def still(self, seconds):
        for _ in range(round(seconds * self.rate)):
            self._sample([0, 0, 0])
        return self

    def turn(self, axis, angle, seconds, disturbance=(0, 0, 0)):
        """About an axis of the body, at one rate."""
        count = max(1, round(seconds * self.rate))
        length = math.sqrt(sum(part * part for part in axis))
        angular_rate = [part / length * angle / seconds for part in axis]
        step = rotation(axis, -angle / count)
        for _ in range(count):
            self.attitude = product(step, self.attitude)
            self._sample(angular_rate, disturbance)
        return self

    def any_turn(self, seconds, angle=None, disturbance=(0, 0, 0)):
        axis = [self.random.gauss(0, 1) for _ in range(3)]
        return self.turn(axis, self.random.uniform(0.8, 2.4) if angle is None else angle, seconds, disturbance)

    def poses(self, count, each=3.0):
        self.still(each)
        for _ in range(count - 1):
            self.any_turn(1.2).still(each)
        return self

    def sphere(self, seconds, disturbance=None):
        """Through all directions. `disturbance` is what a magnet adds, by the second."""
        for second in range(round(seconds)):
            self.any_turn(1.0, angle=1.2, disturbance=disturbance(second) if disturbance else (0, 0, 0))
        return self

    COLUMNS = ["t_s", "ax", "ay", "az", "gx", "gy", "gz", "mx", "my", "mz"]

    def write(self, path, columns=None, change=lambda index, name, value: value):
        """A table of some of the columns; `change` may put anything in a cell's place, or leave out the row by None."""
        columns = columns or self.COLUMNS
        places = [self.COLUMNS.index(name) for name in columns]
        with open(path, "w") as table:
            table.write(",".join(columns) + "\n")
            for index, row in enumerate(self.rows):
                cells = [change(index, name, row[place]) for name, place in zip(columns, places)]
                if None not in cells:
                    table.write(",".join(cell if isinstance(cell, str) else f"{cell:.6f}" for cell in cells) + "\n")
        return path
