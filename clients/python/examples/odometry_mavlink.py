"""Offers what a companion computer or a camera sends by MAVLink: ODOMETRY (331) and VISION_POSITION_ESTIMATE (102).

    pip install pymavlink
    python3 odometry_mavlink.py udpin:127.0.0.1:14550 [NUMBER]

With a number it ends after as many poses. The connection is what pymavlink takes: udpin:…, tcp:…, or a serial device.

Axes: Waymark's body has x right, y up and -z ahead, and the frame of an odometry y up, with any heading. So the frame of a
message may be any upright one, with z down (NED, FRD) or up (ENU, FLU), as its `frame_id` says. The body has x ahead, y
right and z down (FRD) unless `child_frame_id` says that z is up (FLU); that of a VISION_POSITION_ESTIMATE is FRD, in NED.
What is in another frame is passed over, as are velocities in a frame with z up, beside which the body is not told; each
such pair of frames is named once on stderr.

Clocks: `time_usec` counts from the boot of the sender, or from 1970 by its clock; this computer's clock is another one.
The difference is measured by TIMESYNC, each second, where the system and component that sends the poses answers it by
the clock of its stamps. Otherwise it is the least difference between arrival and stamp in the last ten seconds, less
`LATENCY`: a message may be late, and is never early. For a sender on this computer whose stamps are of CLOCK_MONOTONIC,
`waymark.boottime(1000 * time_usec)` is the time. TIMESYNC requests of others are not answered: an autopilot would take
this program's clock for that of its companion computer.
"""

import collections
import contextlib
import math
import os
import sys
import typing

import waymark_pose as waymark

# The id of ODOMETRY is one of MAVLink 2 alone; pymavlink reads this when it is imported.
os.environ.setdefault("MAVLINK20", "1")

from pymavlink import mavutil  # noqa: E402

# Least time from the middle of the exposure to the arrival of its message: tracking and transport. Unit: ns.
LATENCY = 30_000_000
# Age beyond which a stamp is of another clock than the answers to TIMESYNC: the daemon takes nothing older. Unit: ns.
OLDEST = 2_500_000_000

Vector = tuple[float, float, float]
#: x, y, z, w.
Rotation = tuple[float, float, float, float]
#: System and component.
Sender = tuple[int, int]

# Axes of Waymark from those of the message: x ahead becomes -z, y right x and z down -y; or y left -x and z up y.
FROM_FRD: Rotation = (0.5, 0.5, -0.5, 0.5)
FROM_FLU: Rotation = (-0.5, 0.5, 0.5, 0.5)
# Of frame_id: LOCAL_NED, LOCAL_FRD, and what were MOCAP_NED, VISION_NED and ESTIM_NED; LOCAL_ENU, LOCAL_FLU and so on.
Z_DOWN, Z_UP = (1, 20, 14, 16, 18), (4, 21, 15, 17, 19)
FRAMES = {**dict.fromkeys(Z_DOWN, FROM_FRD), **dict.fromkeys(Z_UP, FROM_FLU)}
# Of child_frame_id: BODY_FRD, BODY_NED and BODY_OFFSET_NED, which mean the same, what was BODY_FLU, and velocities in a
# frame with z down.
BODIES = {**dict.fromkeys((12, 8, 9, *Z_DOWN), FROM_FRD), 13: FROM_FLU}


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


def converted(
        position: Vector, orientation: Rotation, frame: Rotation, body: Rotation) -> tuple[Vector, Rotation]:
    """Position and orientation with the axes of Waymark for frame and body, whose own are turned so."""
    return turned(frame, position), product(product(frame, orientation), inverse(body))


def read_pose(message: typing.Any) -> Pose | None:
    """The pose of a message; None of one in another frame or without all numbers, which MAVLink has as NaN."""
    place = message.x, message.y, message.z
    frame: Rotation | None = FROM_FRD
    body: Rotation | None = FROM_FRD
    if message.get_type() == "ODOMETRY":
        frame, body = FRAMES.get(message.frame_id), BODIES.get(message.child_frame_id)
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
    if not frame or not body or not all(map(math.isfinite, place)) or not 0.5 < length < 2:
        return None
    # Of single precision in the message: here of length 1.
    unit = tuple(part / length for part in rotation)
    return Pose(1000 * stamp, *converted(place, unit, frame, body), message.reset_counter, min(tracking, 1.0))


def sender_of(message: typing.Any) -> Sender:
    return message.get_srcSystem(), message.get_srcComponent()


class RoundTrip(typing.NamedTuple):
    """A request and its answer, in ns."""

    duration: int
    #: Between this computer's clock and the answerer's.
    difference: int
    arrival: int


class RoundTrips:
    """Differences between this computer's clock and the senders' by TIMESYNC.

    That of a sender is the one of the shortest of its last ten round trips.
    """

    # How long a round trip counts, since clocks drift. Unit: ns.
    WINDOW = 30_000_000_000

    def __init__(self) -> None:
        self._asked = 0
        self._trips: dict[Sender, collections.deque[RoundTrip]] = {}

    def ask(self, connection: typing.Any, now: int) -> None:
        """Sends a request, once a second."""
        if now - self._asked >= 1_000_000_000:
            self._asked = now
            connection.mav.timesync_send(0, now)

    def take(self, message: typing.Any, arrival: int) -> None:
        """Takes an answer to the newest request; passes over requests, and answers to others."""
        if message.tc1 == 0 or message.ts1 != self._asked:
            return
        trips = self._trips.setdefault(sender_of(message), collections.deque(maxlen=10))
        trips.append(RoundTrip(arrival - message.ts1, (arrival + message.ts1) // 2 - message.tc1, arrival))

    def restart(self, sender: Sender) -> None:
        """Forgets the clock of a sender that has started anew."""
        self._trips.pop(sender, None)

    def time(self, sender: Sender, stamp: int, arrival: int) -> int | None:
        """The time of a stamp by this computer's clock; None where the sender answered nothing, or by another clock.

        Unit: ns.
        """
        trips = [trip for trip in self._trips.get(sender, ()) if trip.arrival >= arrival - self.WINDOW]
        moment = stamp + min(trips).difference if trips else None
        return moment if moment is not None and 0 <= arrival - moment < OLDEST else None


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


class Notes:
    """Lines on stderr, one of each kind."""

    def __init__(self) -> None:
        self._kinds: set[str] = set()

    def add(self, kind: str, line: str) -> None:
        if kind not in self._kinds:
            print(f"odometry_mavlink: {line}", file=sys.stderr, flush=True)
        self._kinds.add(kind)

    def add_frames(self, message: typing.Any) -> None:
        """Names the frames of a message that is passed over for them."""
        if message.get_type() != "ODOMETRY":
            return
        if message.frame_id not in FRAMES or message.child_frame_id not in BODIES:
            line = f"passed over: frame_id {message.frame_id} with child_frame_id {message.child_frame_id}"
            self.add(line, line)


def main(address: str, count: int) -> None:
    clock, trips, notes = ClockDifference(), RoundTrips(), Notes()
    with (contextlib.closing(mavutil.mavlink_connection(address, dialect="common")) as connection,
          waymark.Client().aid("mavlink", kinds=["odometry"]) as camera):
        print("odometry_mavlink: open", file=sys.stderr, flush=True)
        while count != 0:
            trips.ask(connection, waymark.now())
            message = connection.recv_match(
                type=["ODOMETRY", "VISION_POSITION_ESTIMATE", "TIMESYNC"], blocking=True, timeout=1)
            arrival = waymark.now()
            if message and message.get_type() == "TIMESYNC":
                trips.take(message, arrival)
                continue
            pose = read_pose(message) if message else None
            if pose is None:
                if message:
                    notes.add_frames(message)
                continue
            count -= 1
            sender = sender_of(message)
            epoch, guess = clock.epoch, clock.time(pose.stamp, arrival) - LATENCY
            if clock.epoch != epoch:
                trips.restart(sender)
            moment = trips.time(sender, pose.stamp, arrival) or guess
            # The sender counts to 255, and anew after each start, which has another frame as well.
            reset = (pose.reset + 256 * clock.epoch) % 2**32
            try:
                camera.odometry(pose.position, pose.orientation, reset=reset, tracking=pose.tracking, time=moment)
            except waymark.CallError as problem:
                notes.add(problem.name, str(problem))


if __name__ == "__main__":
    if not 2 <= len(sys.argv) <= 3:
        sys.exit("usage: odometry_mavlink.py CONNECTION [NUMBER]")
    main(sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else -1)
