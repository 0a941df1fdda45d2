"""A stand-in for waymarkd that says what a test wants: states and mishaps that the real one cannot be brought to at will.

Usage: with StandIn(path, {"org.waymark.Pose.GetPose": reply}) as daemon: …
A reply is a dictionary of parameters, an Error, an iterable of such (for calls with `more`), CLOSE, or a function of the
call's parameters and of the file descriptor that came with it, giving one of these. The last of an iterable that comes to
an end by itself is Last(parameters).

The calls it gets and its own replies are held against the interface files; what does not fit is raised at the end of
the `with`. A reply that is not to fit is Foreign(parameters).
"""

import json
import os
import socket
import threading
import time

import interfaces

CLOSE = object()


class Error:
    def __init__(self, name, **parameters):
        self.message = {"error": name, "parameters": parameters}


class Last:
    """The reply that ends a stream."""

    def __init__(self, parameters):
        self.parameters = parameters


class Foreign:
    """A reply that the interface does not allow, from a daemon that is none, or of another version."""

    def __init__(self, parameters):
        self.parameters = parameters


class StandIn:
    def __init__(self, path, replies):
        self.replies = replies
        self.calls = []
        # What in the calls and in the replies is not as the interface files say.
        self.flaws = []
        self.listener = socket.socket(socket.AF_UNIX)
        self.listener.bind(str(path))
        self.listener.listen(16)
        self.connections = []

    def __enter__(self):
        threading.Thread(target=self.accept, daemon=True).start()
        return self

    def __exit__(self, failure, *_):
        self.listener.shutdown(socket.SHUT_RDWR)
        self.listener.close()
        for connection in self.connections:
            connection.close()
        assert failure or not self.flaws, self.flaws

    def accept(self):
        while True:
            try:
                connection, _ = self.listener.accept()
            except OSError:
                return
            self.connections.append(connection)
            threading.Thread(target=self.serve, args=[connection], daemon=True).start()

    def serve(self, connection):
        rest, files = b"", []
        try:
            while True:
                chunk, received, _, _ = socket.recv_fds(connection, 65536, 4)
                if not chunk:
                    return
                files += received
                *messages, rest = (rest + chunk).split(b"\0")
                for message in messages:
                    if not self.answer(connection, json.loads(message), files.pop(0) if files else None):
                        return
        except OSError:
            return
        finally:
            connection.close()

    def answer(self, connection, call, file):
        self.calls.append(call)
        method, parameters = call["method"], call.get("parameters", {})
        self.flaws += interfaces.flaws_of_call(method, parameters)
        reply = self.replies.get(method, Error("org.varlink.service.MethodNotFound", method=method))
        if callable(reply):
            reply = reply(parameters, file)
        if file is not None:
            os.close(file)
        if isinstance(reply, (dict, Error, Foreign)) or reply is CLOSE:
            return self.send(connection, method, reply, False)
        if call.get("more") is not True:
            self.flaws.append(f"{method} was called without `more`, and has more than one reply")
        for part in reply:
            if not self.send(connection, method, part, not isinstance(part, Last)):
                return False
        return True

    def send(self, connection, method, reply, continues):
        if reply is CLOSE:
            connection.shutdown(socket.SHUT_RDWR)
            return False
        if isinstance(reply, Error):
            message = reply.message
            self.flaws += interfaces.flaws_of_error(message["error"], message["parameters"])
        else:
            parameters = reply if isinstance(reply, dict) else reply.parameters
            message = {"parameters": parameters, **({"continues": True} if continues else {})}
            if not isinstance(reply, Foreign):
                self.flaws += interfaces.flaws_of_reply(method, parameters)
        connection.sendall(json.dumps(message).encode() + b"\0")
        return True


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
}

STATUS = {
    "version": "9.9", "uptime": 75.0, "source": "sensors", "state": "localized", "reasons": [],
    "advice": [], "sources": ["inertial", "gnssPosition"], "horizontalAccuracy": 2.5, "verticalAccuracy": 3.5,
    "orientationYawAccuracy": 4.5,
    "headingReference": "trueNorth", "motion": {"mode": "foot", "probability": 0.96875}, "readiness": "ready", "readinessReasons": [], "generation": 1,
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

SCENE = {
    "revision": 1, "snapshot": True, "time": {"sec": 90, "nsec": 0}, "generation": 1, "readiness": "ready", "reasons": [],
    "labelRoll": 0.0, "changed": [PLACEMENT, {**PLACEMENT, "id": "place/nameless", "name": "", "visible": False}],
    "removed": [], "events": [],
}


def scenes():
    """All of a scene, a change with an event, and one that takes a placement away."""
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
