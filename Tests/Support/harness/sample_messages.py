"""Messages of a daemon that has everything: for the replies of a stand-in, and to be changed by tests."""
import time

from . import interfaces

POSE = {
    "sequence": 1, "time": {"sec": 90, "nsec": 250000000}, "utc": "2026-05-01T10:00:00.250000Z", "frame": "scene",
    "generation": 1, "position": {"x": 12.5, "y": 0.25, "z": -45.5},
    "orientation": {"x": 0.0, "y": 0.0, "z": 0.0, "w": 1.0}, "linearVelocity": {"x": 0.0, "y": 0.0, "z": -1.4},
    "angularVelocity": {"x": 0.0, "y": 0.0, "z": 0.0}, "tracking": {"orientation": "tracked", "position": "tracked"},
    "geo": {"latitude": 47.3765, "longitude": 8.5481, "height": 431.25}, "heading": 12.0,
    "headingReference": "trueNorth", "course": 10.0, "speed": 1.4, "motion": {"mode": "foot", "probability": 0.96875},
    "accuracy": {"horizontalAccuracy": 2.5, "verticalAccuracy": 3.5, "orientationYawAccuracy": 4.5,
        "horizontalVelocityAccuracy": 0.25, "verticalVelocityAccuracy": 0.125, "angularVelocityAccuracy": 0.004},
    "state": "localized", "reasons": [], "sources": ["inertial", "gnssPosition"],
}

# The scene lies turned by 90° on the earth: its X axis points north.
FRAME = {
    "sequence": 1, "time": {"sec": 90, "nsec": 0}, "generation": 1,
    "origin": {"latitude": 47.3761, "longitude": 8.5480, "height": 431.0},
    "published": {"yaw": 90.0, "east": 0.0, "north": 0.0, "up": 0.0},
    "target": {"yaw": 90.0, "east": 0.0, "north": 0.0, "up": 0.0},
    "before": {"yaw": 90.0, "east": 0.0, "north": 0.0, "up": 0.0}, "causes": [],
}

DEVICE = {
    "name": "lsm6dsx_gyro", "identifier": "iio:device1", "state": "streaming",
    "channels": [{"name": "anglvel_x", "format": "le:s16/16>>0", "scale": 0.000153, "offset": 0.0}],
    "requestedRate": 200.0, "grantedRate": 208.0, "mountMatrix": [1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0],
    "mountMatrixOrigin": "udev", "clock": "boottime", "samples": 41600, "gaps": 2, "dropped": 0, "age": 0.004,
    "axes": [{"sensor": "gyroscope", "mountMatrix": [1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0], "origin": "udev",
              "sign": 1, "mirrored": False}],
}

STATUS = {
    "version": "9.9", "uptime": 75.0, "source": "sensors", "state": "localized", "reasons": [],
    "advice": [], "sources": ["inertial", "gnssPosition"], "horizontalAccuracy": 2.5, "verticalAccuracy": 3.5,
    "orientationYawAccuracy": 4.5,
    "headingReference": "trueNorth", "motion": {"mode": "foot", "probability": 0.96875}, "readiness": "ready",
    "readinessReasons": [], "generation": 1,
    "slewAngle": 0.0, "slewDistance": 0.0, "poses": 4500, "poseRate": 60.0, "clients": 1, "subscriptions": 0,
    "warmStart": {"used": [], "dropped": [], "detail": "none was kept"},
    "calibration": {"sensors": [], "residuals": []}, "devices": [DEVICE],
}

ITEM = {
    "id": "t1", "kind": "turn", "name": "left into Mill Lane", "distance": 84.25, "alongRoute": 120.5, "bearing": 310.0,
    "turn": -62.0,
}

PLACEMENT = {
    "id": "place/mill", "revision": 1, "kind": "place", "name": "Mill", "lock": "scene",
    "position": {"x": 30.0, "y": 0.0, "z": -40.0}, "displayDistance": 10.05, "yaw": -36.87, "bearing": 36.87,
    "distance": 50.0, "distanceText": "50 m", "size": {"policy": "fading", "angle": 3.0, "scale": 1.0}, "order": 0,
    "visible": True,
}

ROUTE = {
    "id": "route", "name": "Inn", "state": "following", "length": 616.0, "vertices": 4, "turns": 2,
}

SCENE = {
    "revision": 1, "snapshot": True, "time": {"sec": 90, "nsec": 0}, "generation": 1, "readiness": "ready",
    "reasons": [], "labelRoll": 0.0,
    "changed": [PLACEMENT, {**PLACEMENT, "id": "place/nameless", "name": "", "visible": False}],
    "removed": [], "events": [],
}


def pose(**changes):
    """A pose with other values, which the interface has to allow."""
    changed = {**POSE, **changes}
    interfaces.check(interfaces.flaws_of_type("org.waymark.Pose.Pose", changed))
    return changed


def scenes():
    """All of a scene, a change with an event, and one that removes a placement."""
    turned = {**PLACEMENT, "revision": 2, "visible": False,
              "hint": {"u": 1.0, "v": 0.0, "turn": 50.0, "order": 0, "count": 2}}
    event = {"time": {"sec": 91, "nsec": 0}, "kind": "announcement", "text": "Turn left now"}
    change = {**SCENE, "snapshot": False, "changed": []}
    messages = [
        SCENE, {**change, "revision": 2, "changed": [turned], "events": [event]},
        {**change, "revision": 3, "removed": ["place/nameless"]}]
    return [{"scene": message} for message in messages]


def poses(count=1_000_000, interval=0.02, first=POSE, frame=None):
    """A stream of poses, each a fiftieth of a second after the one before."""
    def stream(parameters, _file):
        if frame and parameters.get("frame"):
            yield {"frame": frame}
        for number in range(count):
            yield {"pose": {**first, "sequence": number + 1}}
            time.sleep(interval)
    return stream
