"""A subscriber to poses, which keeps them and checks each against the interface."""
import socket
import threading

from waymark_interface import POSE_SUBSCRIBE

from . import interfaces
from .run_queue import RunQueue, peer
from .varlink import Closed, Connection
from .waiting import PATIENCE, wait_until


class Subscriber:
    """Takes poses in a thread and keeps them; what goes wrong in it is raised in the test's own."""

    def __init__(self, path, rate=20.0, frame=False):
        self.poses, self.frames, self.failure = [], [], None
        self.connection = Connection(path)
        self.connection.send_call(POSE_SUBSCRIBE, {"rate": rate, "frame": frame}, more=True)
        self.stopping = False
        self.run_queue = RunQueue(peer(self.connection.socket))
        self.thread = threading.Thread(target=self.run, daemon=True)
        self.thread.start()

    def __enter__(self):
        return self

    def __exit__(self, failure, *_):
        self.close()
        # That the daemon ended may be what the test is about; that it sent what it must not is never.
        if failure is None and self.failure and not isinstance(self.failure, (Closed, OSError)):
            raise self.failure

    def run(self):
        try:
            while not self.stopping:
                reply = self.connection.reply()
                interfaces.check_reply(POSE_SUBSCRIBE, reply)
                self.run_queue.read_seldom()
                if "pose" in reply:
                    self.poses.append(reply["pose"])
                if "frame" in reply:
                    self.frames.append(reply["frame"])
        except Exception as failure:  # whatever it is, the test's own thread raises it
            if not self.stopping:
                self.failure = failure

    def close(self):
        self.stopping = True
        self.connection.socket.shutdown(socket.SHUT_RDWR)
        self.thread.join(PATIENCE)
        self.connection.close()

    @property
    def newest(self):
        if self.failure:
            raise self.failure
        return self.poses[-1] if self.poses else None

    def wait_for(self, condition, timeout=PATIENCE, what=None):
        """The first pose, from now on, for which `condition` holds."""
        seen = len(self.poses)

        def found():
            nonlocal seen
            if self.failure:
                raise self.failure
            while seen < len(self.poses):
                pose = self.poses[seen]
                seen += 1
                if condition(pose):
                    return pose
            return None

        return wait_until(found, timeout, lambda: f"{what or 'a pose as wanted'}; the newest is {self.newest}")

    def wait_for_more(self, count=5, timeout=PATIENCE):
        """Waits for this number of further poses."""
        wanted = len(self.poses) + count
        wait_until(lambda: self.newest and len(self.poses) >= wanted, timeout, f"{count} further poses")
