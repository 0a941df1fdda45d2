"""The pose ring as a client in another language reads it: by the layout of waymark-pose-ring.h, without its functions."""
import array
import mmap
import socket
import struct

from .waiting import PATIENCE

MAGIC = b"WAYMRING"
HEADER = struct.Struct("<8sIIIIiI16sQQ")
NEWEST = 64
ENDED = 132
# The answers to a connection.
GRANTED, TOO_MANY_CLIENTS, OFF = range(3)
# Up to the accuracies; what follows is for the map and predictions.
SLOT = struct.Struct("<QQqqII5B3xdQQ3d4d3d3d9d3d3d6d7d8d")
HAS = ("utc", "geo", "heading", "course", "speed", "motion", "horizontalAccuracy", "verticalAccuracy",
       "orientationYawAccuracy", "horizontalVelocityAccuracy", "verticalVelocityAccuracy", "angularVelocityAccuracy",
       "map")


class Refused(Exception):
    """The daemon's answer is not the ring."""

    def __init__(self, answer):
        super().__init__(f"answer {answer}")
        self.answer = answer


class PoseRing:
    """A connection, and what it gave."""

    def __init__(self, path):
        self.socket = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        self.socket.settimeout(PATIENCE)
        self.socket.connect(str(path))
        fds = array.array("i")
        packet, ancillary, _, _ = self.socket.recvmsg(64, socket.CMSG_SPACE(2 * fds.itemsize))
        if not packet:
            raise ConnectionResetError("no offer")
        magic, self.layout, answer = struct.unpack("<8sII", packet)
        assert magic == MAGIC and self.layout == 1
        if answer != GRANTED:
            raise Refused(answer)
        for _, _, data in ancillary:
            fds.frombytes(data)
        self.ring, self.doorbell = fds
        self.map = mmap.mmap(self.ring, 0, prot=mmap.PROT_READ)
        header = HEADER.unpack_from(self.map)
        (self.magic, _, self.header_size, self.slots, self.slot_size, self.clock, _, self.boot, self.generation,
         _) = header

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.socket.close()

    @property
    def newest(self):
        return struct.unpack_from("<Q", self.map, NEWEST)[0]

    @property
    def ended(self):
        return struct.unpack_from("<I", self.map, ENDED)[0] == 1

    def slot(self, number):
        """The slot of a pose as bytes; None if the ring does not have it whole."""
        begin = self.header_size + (number - 1) % self.slots * self.slot_size
        before = struct.unpack_from("<Q", self.map, begin)[0]
        data = bytes(self.map[begin:begin + self.slot_size])
        after = struct.unpack_from("<Q", self.map, begin)[0]
        return data if before == after == 2 * number else None

    def pose(self, number):
        """A pose as a dictionary of what is known; None if the ring does not have it."""
        data = self.slot(number)
        if data is None:
            return None
        (_, sequence, time, utc, fields, generation, state, orientation_tracking, position_tracking, reference, mode,
         probability, reasons, sources, *numbers) = SLOT.unpack(data[:SLOT.size])
        values = iter(numbers)

        def take(count):
            return [next(values) for _ in range(count)]

        pose = {
            "sequence": sequence, "time": time, "utc": utc, "generation": generation, "state": state,
            "orientationTracking": orientation_tracking, "positionTracking": position_tracking,
            "headingReference": reference, "motion": (mode, probability), "reasons": reasons, "sources": sources,
            "position": take(3), "orientation": take(4), "linearVelocity": take(3), "angularVelocity": take(3),
            "turningRate": take(3), "turningAcceleration": take(3), "acceleration": take(3), "geo": take(3)}
        pose |= zip(("heading", "course", "speed", *HAS[6:12]), values)
        pose["map"] = take(7)
        for bit, name in enumerate(HAS):
            if not fields >> bit & 1:
                del pose[name]
        return pose

    def wait_for_end(self):
        """Returns when the daemon has closed the connection."""
        assert self.socket.recv(1) == b""
