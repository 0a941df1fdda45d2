"""`waymark serve`, and clients of it."""
import contextlib
import http.client
import json
import re

from websockets.sync.client import connect

from .command import PROGRAM
from .process import Program
from .waiting import PATIENCE, wait_until


class LiveServer:
    """`waymark serve` at a port of its own, for a daemon of its own.

    `token` is the part of the address from the question mark on, empty where none is required.
    """

    def __init__(self, daemon, *options):
        self.daemon, self.options = daemon, options
        self.start()

    def start(self):
        log, printed = self.daemon.folder / "serve.log", self.daemon.folder / "serve.out"
        log.unlink(missing_ok=True)
        with open(printed, "wb") as file:
            self.program = Program(
                [PROGRAM, "--socket", self.daemon.socket, "serve", "--http", "127.0.0.1:0", *self.options], log, stdout=file)
        # A service logs its address, without the token.
        found = wait_until(
            lambda: re.findall(
                r"serves http://127.0.0.1:(\d+)/(\?token=[\w-]+)?", printed.read_text() + self.program.log),
            what=lambda: self.program.log)
        self.port, self.token = int(found[-1][0]), found[-1][1]

    @property
    def url(self):
        """Address of the page."""
        return f"http://127.0.0.1:{self.port}/{self.token}"

    def end(self):
        """Ends it; returns its code."""
        return self.program.end()

    def open(self, token=None, **options):
        """A WebSocket of the page; `token` stands for that of the address."""
        query = self.token if token is None else token
        return connect(
            f"ws://127.0.0.1:{self.port}/varlink{query}", subprotocols=["varlink"], proxy=None, max_size=None, **options)

    def call(self, method, **parameters):
        """The reply to one call."""
        with self.open() as socket:
            socket.send(json.dumps({"method": method, "parameters": parameters}))
            return json.loads(socket.recv(PATIENCE))

    def get(self, path, **headers):
        """Status, headers and content of a page."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=PATIENCE)
        with contextlib.closing(connection):
            connection.request("GET", path, headers=headers)
            response = connection.getresponse()
            return response.status, response.headers, response.read()
