"""One of the guest's virtio-serial ports, seen from the host."""
import time

from .machine import PATIENCE, GuestFailed


class Port:
    def __init__(self, machine, name):
        self.machine, self.name = machine, name
        self.socket = machine.connect(name)
        self.buffer = b""

    def send(self, data):
        self.socket.settimeout(PATIENCE)
        try:
            self.socket.sendall(data)
        except (BrokenPipeError, ConnectionResetError):
            raise self.gone() from None

    def line(self, timeout=PATIENCE):
        """The next line; TimeoutError when none comes in time."""
        deadline = time.monotonic() + timeout
        while b"\n" not in self.buffer:
            self.receive(deadline)
        line, _, self.buffer = self.buffer.partition(b"\n")
        return line.decode(errors="replace")

    def take(self, size):
        """The next bytes, of this number."""
        deadline = time.monotonic() + PATIENCE
        while len(self.buffer) < size:
            self.receive(deadline)
        data, self.buffer = self.buffer[:size], self.buffer[size:]
        return data

    def receive(self, deadline):
        self.socket.settimeout(max(deadline - time.monotonic(), 0.001))
        try:
            data = self.socket.recv(1 << 16)
        except ConnectionResetError:
            data = b""
        if not data:
            raise self.gone()
        self.buffer += data

    def gone(self):
        self.machine.process.wait()
        return GuestFailed(f"the guest ended; its last words:\n{self.machine.last_words()}")
