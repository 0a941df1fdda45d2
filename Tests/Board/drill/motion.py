"""How the board moves, which its sensors measure and by which its poses are checked. Pure.

It rotates at one place, as a head does: slowly left and right and up and down, and after one period is where it was, so
that the same rows can be played for ever. A pose of any time but the right one has a wrong heading.
"""
import math
import random

from harness.gps import PLACE  # noqa: F401
from rig.hub import Row, counts

PERIOD = 16.0
# Few, because the guest is slow; all of its processor must not go into samples. Hz.
INERTIAL_RATE, MAGNETIC_RATE = 25, 12.5
MIDDLE_HEADING, HEADING_SWING, PITCH_SWING = 40.0, 50.0, 8.0

GRAVITY = 9.8085
# By the World Magnetic Model 2025 at that place in 2027; it turns by a fifth of a degree a year. Degrees, gauss.
DECLINATION, HORIZONTAL_FIELD, DOWNWARD_FIELD = 4.4, 0.2110, 0.4402

# Errors of common parts, one standard deviation; rad/s, m/s², gauss.
NOISE = {"accelerometer": 0.02, "gyroscope": 0.001, "magnetometer": 0.003}
BIAS = {"accelerometer": (0.0, 0.0, 0.0), "gyroscope": (0.002, -0.001, 0.0015), "magnetometer": (0.0, 0.0, 0.0)}


def heading(seconds):
    """Degrees clockwise from true north, of where the board looks."""
    return MIDDLE_HEADING + HEADING_SWING * math.sin(2 * math.pi * seconds / PERIOD)


def pitch(seconds):
    """Degrees upwards."""
    return PITCH_SWING * math.sin(4 * math.pi * seconds / PERIOD)


def scene_from_body(seconds):
    """Rotation matrix, where the scene lies right on the earth: X east, Y up, Z south; body x right, y up, z back."""
    yaw, tilt = math.radians(-heading(seconds)), math.radians(pitch(seconds))
    about_up = ((math.cos(yaw), 0, math.sin(yaw)), (0, 1, 0), (-math.sin(yaw), 0, math.cos(yaw)))
    about_right = ((1, 0, 0), (0, math.cos(tilt), -math.sin(tilt)), (0, math.sin(tilt), math.cos(tilt)))
    return tuple(
        tuple(sum(about_up[i][k] * about_right[k][j] for k in range(3)) for j in range(3)) for i in range(3))


def in_body(matrix, vector):
    return tuple(sum(matrix[i][j] * vector[i] for i in range(3)) for j in range(3))


def up_in_body(seconds):
    return in_body(scene_from_body(seconds), (0, 1, 0))


def angular_rate(seconds, step=1e-3):
    """In the body, rad/s; by what two attitudes a moment apart differ in."""
    before, after = scene_from_body(seconds - step / 2), scene_from_body(seconds + step / 2)
    turn = [[sum(before[k][i] * after[k][j] for k in range(3)) for j in range(3)] for i in range(3)]
    return tuple((turn[i][j] - turn[j][i]) / 2 / step for i, j in ((2, 1), (0, 2), (1, 0)))


def field(seconds):
    """In the body, gauss."""
    declination = math.radians(DECLINATION)
    east, north = HORIZONTAL_FIELD * math.sin(declination), HORIZONTAL_FIELD * math.cos(declination)
    return in_body(scene_from_body(seconds), (east, -DOWNWARD_FIELD, -north))


def measured(sensor, seconds):
    if sensor == "accelerometer":
        return tuple(GRAVITY * part for part in up_in_body(seconds))
    return angular_rate(seconds) if sensor == "gyroscope" else field(seconds)


def rows(seed=1):
    """One period of all three sensors."""
    source = random.Random(seed)
    result = []
    for sensor in NOISE:
        rate = MAGNETIC_RATE if sensor == "magnetometer" else INERTIAL_RATE
        for index in range(round(PERIOD * rate)):
            true = measured(sensor, index / rate)
            values = [v + b + source.gauss(0, NOISE[sensor]) for v, b in zip(true, BIAS[sensor])]
            result.append(Row(round(index * 1e9 / rate), sensor, counts(sensor, values)))
    return sorted(result, key=lambda row: (row.time, row.sensor))
