"""A stand-in for waymarkd with the replies that a test wants: states and mishaps that the real one has too rarely.

Usage: with StandIn(path, {POSE_GET_POSE: reply}) as daemon: …
A reply is a dictionary of parameters, an Error, an iterable of such (for calls with `more`), CLOSE, or a function of
the call's parameters and of the file descriptor that came with it, giving one of these. The last of an iterable that
comes to an end by itself is Last(parameters).

The calls it gets and its own replies are checked against the interface files; what does not fit is raised at the end of
the `with`. A reply that is not to fit is Foreign(parameters).
"""
import json
import os
import socket

import pytest
from waymark_interface import SERVICE_METHOD_NOT_FOUND

from . import command, interfaces
from .server import Server, unix_listener

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


class StandIn(Server):
    def __init__(self, path, replies):
        self.replies = replies
        self.calls = []
        # What in the calls and in the replies is not as the interface files say.
        self.flaws = []
        for method in replies:
            self.flaws += interfaces.flaws_of_method(method)
        super().__init__(unix_listener(path))

    def __exit__(self, failure, *_):
        self.close()
        assert failure or not self.flaws, "\n".join(self.flaws)

    def serve(self, connection):
        rest, files = b"", []
        with connection:
            while True:
                chunk, received, _, _ = socket.recv_fds(connection, 65536, 4)
                if not chunk:
                    return
                files += received
                *messages, rest = (rest + chunk).split(b"\0")
                for message in messages:
                    if not self.answer(connection, json.loads(message), files.pop(0) if files else None):
                        return

    def answer(self, connection, call, file):
        self.calls.append(call)
        method, parameters = call["method"], call.get("parameters", {})
        self.flaws += interfaces.flaws_of_call(method, parameters)
        reply = self.replies.get(method, Error(SERVICE_METHOD_NOT_FOUND, method=method))
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


@pytest.fixture
def waymark(tmp_path):
    """Runs the program with a stand-in daemon that gives these replies."""
    def run(*arguments, replies=None, **options):
        path = tmp_path / "daemon.sock"
        path.unlink(missing_ok=True)
        with StandIn(path, replies or {}) as stand_in:
            done = command.waymark(*arguments, socket=path, **options)
            done.calls = stand_in.calls
            return done
    return run
