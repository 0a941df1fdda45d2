"""Offers what a companion computer or a camera sends by MAVLink: ODOMETRY (331) and VISION_POSITION_ESTIMATE (102).

    pip install pymavlink
    python3 odometry_mavlink.py udpin:127.0.0.1:14550 [NUMBER]

With a number it ends after as many poses. The connection is what pymavlink takes: udpin:…, tcp:…, or a serial device.

Axes: in both messages the body has x ahead, y right and z down (FRD), and the frame is NED, or FRD with any heading.
Waymark's body has x right, y up and -z ahead, and the frame of an odometry y up. Both are turned alike, and the source is
opened without a mount. Frames with z up (ENU, FLU) are left out: programs differ in the body that belongs to them.

Clocks: `time_usec` counts from the boot of the sender, or from 1970 by its clock; this computer's clock is another one.
Taken for the difference between the clocks is the least difference between arrival and stamp in the last ten seconds, less
`LATENCY`: a message may be late, and is never early. TIMESYNC measures the way there and back, and so the difference
without that assumption: where the sender answers it, use that in place of `ClockDifference`. For a sender on this computer
whose stamps are of CLOCK_MONOTONIC, `waymark.boottime(1000 * time_usec)` is the time.
"""

import collections
import contextlib
import math
import os
import sys
import typing

import waymark

# The id of ODOMETRY is one of MAVLink 2 alone; pymavlink reads this when it is imported.
os.environ.setdefault("MAVLINK20", "1")

from pymavlink import mavutil  # noqa: E402

# Least time from the middle of the exposure to the arrival of its message: tracking and transport. Unit: seconds.
LATENCY = 0.03

Vector = tuple[float, float, float]
#: x, y, z, w.
Rotation = tuple[float, float, float, float]

# Axes of Waymark from those of the message: x ahead becomes -z, y right x and z down -y.
FROM_FRD: Rotation = (0.5, 0.5, -0.5, 0.5)
# Of frame_id: LOCAL_NED and LOCAL_FRD, and what were MOCAP_NED, VISION_NED and ESTIM_NED.
FRAMES = {1, 20, 14, 16, 18}


class Pose(typing.NamedTuple):
    """A pose as Waymark has it: y up, body with -z ahead."""

    #: By the clock of the sender. Unit: ns.
    stamp: int
    position: Vector
    orientation: Rotation
    reset: int
    tracking: float


def product(p: Rotation, q: Rotation) -> Rotation:
    """The rotation by q and then by p."""
    (x, y, z, w), (a, b, c, d) = p, q
    return (w * a + x * d + y * c - z * b, w * b - x * c + y * d + z * a,
            w * c + x * b - y * a + z * d, w * d - x * a - y * b - z * c)


def inverse(q: Rotation) -> Rotation:
    return -q[0], -q[1], -q[2], q[3]


def turned(q: Rotation, vector: Vector) -> Vector:
    """The vector after the rotation."""
    return product(product(q, (*vector, 0.0)), inverse(q))[:3]


def by_angles(roll: float, pitch: float, yaw: float) -> Rotation:
    """The rotation by roll about x, then pitch about y, then yaw about z, as MAVLink has them (rad)."""
    about_x = (math.sin(roll / 2), 0.0, 0.0, math.cos(roll / 2))
    about_y = (0.0, math.sin(pitch / 2), 0.0, math.cos(pitch / 2))
    about_z = (0.0, 0.0, math.sin(yaw / 2), math.cos(yaw / 2))
    return product(about_z, product(about_y, about_x))


def converted(position: Vector, orientation: Rotation) -> tuple[Vector, Rotation]:
    """Position and orientation with the axes of Waymark for frame and body."""
    return turned(FROM_FRD, position), product(product(FROM_FRD, orientation), inverse(FROM_FRD))


def read_pose(message: typing.Any) -> Pose | None:
    """The pose of a message; None of one in another frame or without all numbers, which MAVLink has as NaN."""
    place = message.x, message.y, message.z
    if message.get_type() == "ODOMETRY":
        if message.frame_id not in FRAMES:
            return None
        w, x, y, z = message.q
        stamp, rotation = message.time_usec, (x, y, z, w)
        # In percent: -1 for a failure, 0 for an unknown quality.
        tracking = message.quality / 100 if message.quality > 0 else float(message.quality == 0)
    else:
        stamp, tracking = message.usec, 1.0
        if not all(map(math.isfinite, (message.roll, message.pitch, message.yaw))):
            return None
        rotation = by_angles(message.roll, message.pitch, message.yaw)
    length = math.hypot(*rotation)
    if not all(map(math.isfinite, place)) or not 0.5 < length < 2:
        return None
    # Of single precision in the message: here of length 1.
    unit = tuple(part / length for part in rotation)
    return Pose(1000 * stamp, *converted(place, unit), message.reset_counter, min(tracking, 1.0))


class ClockDifference:
    """Difference between this computer's clock and the sender's: the least one between arrival and stamp.

    It is found anew when the sender has started anew, which shows by stamps that go back. A larger difference shows none:
    a link that stood still delivers late what it has kept.
    """

    # How long a difference counts, since clocks drift; and by how much stamps go back after a start of the sender, more
    # than messages overtake each other. Unit: ns.
    WINDOW, RESTART = 10_000_000_000, 1_000_000_000

    def __init__(self) -> None:
        #: Number of starts of the sender that were noticed.
        self.epoch = 0
        self._newest = 0
        # Arrival and difference; each later one is larger.
        self._least: collections.deque[tuple[int, int]] = collections.deque()

    def time(self, stamp: int, arrival: int) -> int:
        """The time of a stamp by this computer's clock. Unit: ns."""
        difference = arrival - stamp
        if stamp < self._newest - self.RESTART:
            self.epoch += 1
            self._newest = 0
            self._least.clear()
        self._newest = max(self._newest, stamp)
        while self._least and self._least[-1][1] >= difference:
            self._least.pop()
        self._least.append((arrival, difference))
        while self._least[0][0] < arrival - self.WINDOW:
            self._least.popleft()
        return stamp + self._least[0][1]


def main(address: str, count: int) -> None:
    clock = ClockDifference()
    refused: set[str] = set()
    with (contextlib.closing(mavutil.mavlink_connection(address, dialect="common")) as connection,
          waymark.Client().aid("mavlink", kinds=["odometry"], latency=LATENCY) as camera):
        print("odometry_mavlink: open", file=sys.stderr, flush=True)
        while count != 0:
            message = connection.recv_match(type=["ODOMETRY", "VISION_POSITION_ESTIMATE"], blocking=True, timeout=1)
            pose = read_pose(message) if message else None
            if pose is None:
                continue
            count -= 1
            moment = clock.time(pose.stamp, waymark.now())
            # The sender counts to 255, and anew after each start, which has another frame as well.
            reset = (pose.reset + 256 * clock.epoch) % 2**32
            try:
                camera.odometry(pose.position, pose.orientation, reset=reset, tracking=pose.tracking, time=moment)
            except waymark.CallError as problem:
                if problem.name not in refused:
                    print(f"odometry_mavlink: {problem}", file=sys.stderr, flush=True)
                refused.add(problem.name)


if __name__ == "__main__":
    if not 2 <= len(sys.argv) <= 3:
        sys.exit("usage: odometry_mavlink.py CONNECTION [NUMBER]")
    main(sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else -1)
