"""A stand-in for the daemon's pose ring: poses, and mishaps that the real one has too rarely.

Usage: with PoseRing(path) as ring: ring.publish(time=…)
The layout is that of waymark-pose-ring.h, which `test_c_client` compares with this file by its offsets.
"""
import array
import ctypes
import fcntl
import mmap
import os
import pathlib
import socket
import struct
import threading
import time

MAGIC = b"WAYMRING"
GRANTED, TOO_MANY, OFF = 0, 1, 2
HEADER = struct.Struct("=8sIIIIiI16sQQ")
HEADER_SIZE, NEWEST, ENDED = 256, 64, 132
DOORBELL = struct.Struct("=II")
WAITING, FUTEX = 0, 4
SLOT = struct.Struct("=QQqqII5B3xdQQ22d3d3d6d7d8d48x")
FUTEX_CALL = {"x86_64": 202}.get(os.uname().machine, 98)
FUTEX_WAKE = 1
# Maximum number of threads of a client that a pose wakes.
WAKES = 64
SEALS = fcntl.F_SEAL_SHRINK | fcntl.F_SEAL_GROW


def boot_id():
    return bytes.fromhex(pathlib.Path("/proc/sys/kernel/random/boot_id").read_text().strip().replace("-", ""))


def slot_values(number, at, numbers=None, fields=0, generation=1, state=2, **words):
    """Values of a slot in the order of SLOT; `numbers` are the 49 from position on."""
    return [
        2 * number, words.get("sequence", number), at, words.get("utc", 0), fields, generation, state, 2, 2, 2,
        words.get("mode", 1), words.get("probability", 0.0), words.get("reasons", 0), words.get("sources", 0),
        *(numbers or [0.0] * 6 + [1.0] + [0.0] * 42)]


class PoseRing:
    """Offers a ring to each client, or what `offer` says in its place."""

    def __init__(self, path, slot_count=64, slot_size=SLOT.size, header_size=HEADER_SIZE, layout=1, answer=GRANTED,
                 boot=None, clock=7, generation=1, magic=MAGIC, seals=SEALS, cut=0, offer=None, descriptors=2):
        self.path, self.slot_count, self.slot_size, self.header_size = str(path), slot_count, slot_size, header_size
        self.answer, self.layout, self.magic, self.offer, self.descriptors = answer, layout, magic, offer, descriptors
        size = header_size + slot_count * slot_size
        self.file = self.sealed(size - cut, seals)
        self.memory = mmap.mmap(self.file, size - cut)
        HEADER.pack_into(
            self.memory, 0, magic, layout, header_size, slot_count, slot_size, clock, 0, boot or boot_id(), generation, 0)
        self.newest = 0
        self.lock = threading.Lock()
        self.clients, self.bells = [], []
        self.listener = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        pathlib.Path(path).unlink(missing_ok=True)
        self.listener.bind(self.path)
        self.listener.listen(16)
        self.granted = threading.Semaphore(0)
        threading.Thread(target=self.accept, daemon=True).start()

    @staticmethod
    def sealed(size, seals):
        made = os.memfd_create("ring", os.MFD_ALLOW_SEALING)
        os.ftruncate(made, size)
        if seals:
            fcntl.fcntl(made, fcntl.F_ADD_SEALS, seals)
        return made

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.kill()

    def accept(self):
        while True:
            try:
                client, _ = self.listener.accept()
            except OSError:
                return
            with self.lock:
                self.serve(client)
            self.granted.release()

    def serve(self, client):
        offer = struct.pack("=8sII", self.magic, self.layout, self.answer) if self.offer is None else self.offer
        files = []
        if self.answer == GRANTED and self.descriptors:
            bell = self.sealed(4096, SEALS)
            self.bells.append(mmap.mmap(bell, 4096))
            files = [self.file, bell, bell, bell][:self.descriptors]
            packed = array.array("i", files)
            client.sendmsg([offer], [(socket.SOL_SOCKET, socket.SCM_RIGHTS, packed)])
            os.close(bell)
        else:
            client.send(offer)
        self.clients.append(client)

    def publish(self, at=None, **options):
        """Writes the next pose as the daemon does, and wakes who waits; returns its number."""
        number = self.newest + 1
        values = slot_values(number, time.clock_gettime_ns(time.CLOCK_BOOTTIME) if at is None else at, **options)
        offset = self.header_size + (number - 1) % self.slot_count * self.slot_size
        struct.pack_into("=Q", self.memory, offset, 2 * number - 1)
        self.memory[offset + 8:offset + SLOT.size] = SLOT.pack(*values)[8:]
        struct.pack_into("=Q", self.memory, offset, 2 * number)
        self.newest = number
        struct.pack_into("=Q", self.memory, NEWEST, number)
        self.ring_bells()
        return number

    def ring_bells(self):
        """Wakes every client, whether or not it waits."""
        for bell in self.bells:
            word = ctypes.c_uint32.from_buffer(bell, FUTEX)
            struct.pack_into("=I", bell, WAITING, 0)
            word.value = (word.value + 1) & 0xFFFFFFFF
            ctypes.CDLL(None).syscall(FUTEX_CALL, ctypes.byref(word), FUTEX_WAKE, WAKES, None, None, 0)

    def end(self):
        """Ends in order."""
        struct.pack_into("=I", self.memory, ENDED, 1)
        self.ring_bells()
        self.kill()

    def kill(self):
        """Ends as a process does that is killed."""
        if self.listener.fileno() < 0:
            return
        self.listener.shutdown(socket.SHUT_RDWR)
        self.listener.close()
        pathlib.Path(self.path).unlink(missing_ok=True)
        with self.lock:
            for client in self.clients:
                client.close()
        os.close(self.file)
