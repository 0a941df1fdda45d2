"""Whether a pose is right, by where the board truly was at the pose's own time. Pure.

All times here are of the sensors' stamps: a busy machine delays samples and poses alike, and makes neither wrong.
"""
import dataclasses
import math

from harness.poses import stamp

from . import motion

# What a board that has its place may be off by, whatever it says of itself. Degrees, metres, metres, degrees.
HEADING_BOUND, HORIZONTAL_BOUND, VERTICAL_BOUND, TILT_BOUND = 10.0, 10.0, 15.0, 3.0
# Accuracies hold the truth in 68 % of cases; errors of three times as much in all that a drill sees.
CONFIDENCE = 3.0
# Of the truth itself: the magnetic field of another year, a stamp rounded by the driver while the board turns.
HEADING_MARGIN, POSITION_MARGIN = 1.5, 0.5
METRES_PER_DEGREE = 111_195.0

# With these a pose says that a sensor does not deliver.
ABSENCES = frozenset({
    "noInertialData", "noAccelerometerData", "noGyroscopeData", "noMagneticData", "noGNSSData"})


@dataclasses.dataclass(frozen=True)
class Error:
    """What a pose is off by. Degrees, metres, metres, degrees."""
    heading: float
    horizontal: float
    vertical: float
    tilt: float

    def __str__(self):
        return (f"heading {self.heading:+.1f}°, {self.horizontal:.1f} m, {self.vertical:.1f} m in height, "
                f"tilt {self.tilt:.1f}°")


def has_sensors(pose):
    return not ABSENCES & set(pose["reasons"])


def error_of(pose, base):
    """None where the pose leaves something out; `base` is the stamp of the start of some period of the motion."""
    if "heading" not in pose or "geo" not in pose:
        return None
    seconds = stamp(pose) - base
    off = pose["heading"] - motion.heading(seconds)
    latitude, longitude, height = motion.PLACE
    north = (pose["geo"]["latitude"] - latitude) * METRES_PER_DEGREE
    east = (pose["geo"]["longitude"] - longitude) * METRES_PER_DEGREE * math.cos(math.radians(latitude))
    cosine = sum(a * b for a, b in zip(up_of(pose["orientation"]), motion.up_in_body(seconds)))
    return Error(
        (off + 180) % 360 - 180, math.hypot(east, north), abs(pose["geo"]["height"] - height),
        math.degrees(math.acos(max(-1.0, min(1.0, cosine)))))


def up_of(orientation):
    """The scene's up in the body: the second row of the rotation from body to scene."""
    x, y, z, w = (orientation[name] for name in "xyzw")
    return 2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)


def is_placed(pose):
    """Whether a pose is as good as one of a board that stays in its place can be: motion does not confirm its compass."""
    reasons = set(pose["reasons"])
    return pose["state"] == "localized" or "headingUnconfirmed" in reasons and not reasons & {
        "noInertialData", "positionUncertain", "headingUncertain", "headingUnknown"}


def flaw(pose, base):
    """What is wrong with a pose, in words; None for one that is right."""
    error = error_of(pose, base)
    if not is_placed(pose) or error is None:
        return f"it is {pose['state']}, for {', '.join(pose['reasons']) or 'no reason'}"
    accuracy = pose["accuracy"]
    if not {"orientationYawAccuracy", "horizontalAccuracy", "verticalAccuracy"} <= accuracy.keys():
        return f"it is {pose['state']}, but says of its accuracy only {accuracy}"
    limits = (
        ("heading", error.heading, HEADING_BOUND, accuracy["orientationYawAccuracy"], HEADING_MARGIN),
        ("position", error.horizontal, HORIZONTAL_BOUND, accuracy["horizontalAccuracy"], POSITION_MARGIN),
        ("height", error.vertical, VERTICAL_BOUND, accuracy["verticalAccuracy"], POSITION_MARGIN))
    for name, off, bound, reported, margin in limits:
        allowed = min(bound, CONFIDENCE * reported + margin)
        if abs(off) > allowed:
            return f"its {name} is off by {off:.2f}, beyond {allowed:.2f}; it says ±{reported:.2f}"
    if error.tilt > TILT_BOUND:
        return f"its tilt is off by {error.tilt:.1f}°"
    return None


class Recovery:
    """Checks the poses after a fault, one by one: since when the sensors are there, and since when all is right."""

    # What is promised between the return of the sensors and right poses; the time that they have to stay so. Seconds.
    PROMISE, HOLD = 10.0, 2.0

    def __init__(self, base, promise=PROMISE):
        self.base, self.promise = base, promise
        self.returned = self.right = None
        self.holds = False
        # From the sensors' return to right poses, the longest where it took more than one turn.
        self.seconds = 0.0
        self.last_flaw = "there was no pose"

    def take(self, pose):
        """True while the poses are right and have been so; AssertionError when they did not come right in time."""
        now = stamp(pose)
        if not has_sensors(pose):
            self.returned = self.right = None
            self.holds = False
            return False
        found = flaw(pose, self.base)
        if self.returned is None or (found and self.holds):
            self.returned = now
        if found:
            self.last_flaw, self.right, self.holds = found, None, False
        elif self.right is None:
            self.right = now
        late = (now if self.right is None else self.right) - self.returned > self.promise
        assert not late, f"{now - self.returned:.1f} s of samples after the sensors' return: {self.last_flaw}\n{pose}"
        if self.right is not None and not self.holds and now - self.right >= self.HOLD:
            self.holds = True
            self.seconds = max(self.seconds, self.right - self.returned)
        return self.holds
