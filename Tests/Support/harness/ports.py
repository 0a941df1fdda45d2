"""Ports of this machine for servers that have to come back at the same one."""
import socket


class ReservedPort:
    """A free port that no other socket is given until `release`, though a server may listen on it.

    The reservation is a socket that is bound and never listens: the kernel then leaves the port out where it chooses
    one itself, and lets a server bind it that sets SO_REUSEADDR, as brokers do.
    """

    def __init__(self, host="127.0.0.1"):
        self.socket = socket.socket()
        self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        self.socket.bind((host, 0))
        self.number = self.socket.getsockname()[1]

    def release(self):
        self.socket.close()

    def __int__(self):
        return self.number

    def __str__(self):
        return str(self.number)
