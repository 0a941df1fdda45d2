"""A connection between client and server that tests cut."""
import contextlib
import socket
import struct
import threading

from .brokers import Endpoint
from .server import Server, local_listener

CHUNK = 65536


class Link(Server):
    """A relay on the loopback to a server's endpoint, which counts the bytes that clients send and receive."""

    def __init__(self, target):
        self.target = target
        self.state = threading.Condition()
        self.is_cut = self.is_silent = False
        self.pairs = []
        self.sent = self.received = 0
        # Number of connections that it has accepted while whole.
        self.accepted = 0
        super().__init__(local_listener())

    @property
    def endpoint(self):
        return Endpoint(self.port)

    def cut(self, silent=False):
        """Ends all connections and refuses new ones; or, silently, keeps them and loses what is sent on them."""
        with self.state:
            self.is_cut, self.is_silent = True, silent
            if not silent:
                self.reset_all()

    def restore(self):
        """New connections get through. Those that lost bytes are ended, since what follows would not fit."""
        with self.state:
            if self.is_cut:
                self.reset_all()
            self.is_cut = self.is_silent = False

    def reset_all(self):
        for pair in self.pairs:
            for each in pair:
                reset(each)
        self.pairs.clear()

    def serve(self, connection):
        with self.state:
            if self.is_cut and not self.is_silent:
                reset(connection)
                return
            if self.is_cut:
                # As packets that get no answer: open until the link is restored.
                self.pairs.append((connection,))
                return
        server = socket.create_connection((self.target.host, self.target.port))
        for each in (connection, server):
            each.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        with self.state:
            self.pairs.append((connection, server))
            self.accepted += 1
        back = threading.Thread(target=self.pump, args=[server, connection, False], daemon=True)
        back.start()
        self.pump(connection, server, True)
        back.join()

    def pump(self, source, sink, is_sent):
        """Carries bytes one way until either side ends."""
        with contextlib.suppress(OSError):
            while data := source.recv(CHUNK):
                with self.state:
                    if self.is_cut:
                        continue
                    if is_sent:
                        self.sent += len(data)
                    else:
                        self.received += len(data)
                sink.sendall(data)
        # A silent cut hides the end of a connection, too.
        with self.state:
            hidden = self.is_cut and self.is_silent
        if not hidden:
            with contextlib.suppress(OSError):
                sink.shutdown(socket.SHUT_WR)

    def close(self):
        super().close()
        with self.state:
            self.reset_all()


def reset(connection):
    """Ends a connection at once, also for threads that wait on it."""
    with contextlib.suppress(OSError):
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        connection.shutdown(socket.SHUT_RDWR)
    with contextlib.suppress(OSError):
        connection.close()
