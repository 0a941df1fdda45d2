"""The daemon's socket from inside the guest: JSON objects with a zero byte behind each."""
import json
import socket

SOCKET = "/run/waymark/waymark.sock"


class Refused(Exception):
    """An error reply: its name, its parameters."""


class Connection:
    def __init__(self, timeout=None):
        self.socket = socket.socket(socket.AF_UNIX)
        self.socket.settimeout(timeout)
        self.socket.connect(SOCKET)
        self.rest = b""

    def send(self, method, parameters=None, **flags):
        self.socket.sendall(json.dumps({"method": method, "parameters": parameters or {}, **flags}).encode() + b"\0")

    def message(self):
        while b"\0" not in self.rest:
            part = self.socket.recv(1 << 16)
            if not part:
                raise ConnectionResetError("the daemon closed")
            self.rest += part
        message, _, self.rest = self.rest.partition(b"\0")
        return message

    def call(self, method, parameters=None):
        self.send(method, parameters)
        reply = json.loads(self.message())
        if "error" in reply:
            raise Refused(reply["error"], reply.get("parameters"))
        return reply.get("parameters", {})
