"""What a daemon sends to a display, kept as it comes: the poses with the frame, and the scene."""
import socket
import threading

from waymark_interface import POSE_SUBSCRIBE, SCENE_SUBSCRIBE

from harness import interfaces
from harness.varlink import Closed, Connection, parse
from harness.waiting import PATIENCE

from .camera import CAMERA


class Stream:
    """The messages of one subscription; they are read when all have come, so that reading holds nothing up."""

    def __init__(self, path, method, parameters):
        self.method, self.messages = method, []
        interfaces.check_call(method, parameters)
        self.connection = Connection(path)
        self.connection.send_call(method, parameters, more=True)
        self.thread = threading.Thread(target=self.run, daemon=True)
        self.thread.start()

    def run(self):
        try:
            while True:
                self.messages.append(self.connection.message())
        except (Closed, OSError):
            # What is missing then shows in the walk, which does not go on.
            pass

    def read(self):
        """The parameters of all that has come so far."""
        replies = [parse(message) for message in self.messages]
        for reply in replies:
            assert "error" not in reply, reply
            interfaces.check_reply(self.method, reply["parameters"])
        return [reply["parameters"] for reply in replies]

    def newest(self):
        return parse(self.messages[-1])["parameters"] if self.messages else None

    def close(self):
        # Ends the thread's reading, too.
        self.connection.socket.shutdown(socket.SHUT_RDWR)
        self.thread.join(PATIENCE)
        self.connection.close()


class Display:
    """Both subscriptions of a display."""

    def __init__(self, path, scenes=30, poses=60):
        self.poses = Stream(path, POSE_SUBSCRIBE, {"rate": poses, "frame": True})
        self.scenes = Stream(path, SCENE_SUBSCRIBE, {"rate": scenes, "camera": CAMERA})

    def close(self):
        self.poses.close()
        self.scenes.close()
