"""Routing services: real ones on a map of a few streets, and one that answers as a test wants."""
import json
import os
import platform
import socket
import subprocess
import sys

import pytest

from . import street_map
from .paths import ROOT
from .process import ENDS_WITH_US, Program
from .server import Server, free_port, local_listener
from .waiting import wait_until

ROUTERS = ROOT / ".build/routers"


class Request:
    """What a client asked: its line, its headers by lower-case name, and its body."""

    def __init__(self, connection):
        data = b""
        while b"\r\n\r\n" not in data:
            chunk = connection.recv(65536)
            if not chunk:
                raise OSError("no request")
            data += chunk
        head, _, self.body = data.partition(b"\r\n\r\n")
        self.line, *lines = head.decode().split("\r\n")
        self.headers = {name.lower(): value.strip() for name, _, value in (line.partition(":") for line in lines)}
        while len(self.body) < int(self.headers.get("content-length", 0)):
            self.body += connection.recv(65536)


class FakeService(Server):
    """An HTTP server on this machine; `behave(connection, request)` sends what it likes."""

    def __init__(self, behave, tls=None):
        """With `tls`, an SSL context, it speaks HTTPS."""
        self.behave = behave
        self.tls = tls
        self.requests = []
        super().__init__(local_listener())
        self.address = f"http{'s' if tls else ''}://127.0.0.1:{self.port}"

    def serve(self, connection):
        with connection:
            if self.tls:
                connection = self.tls.wrap_socket(connection, server_side=True)
            request = Request(connection)
            self.requests.append(request)
            self.behave(connection, request)


def response(body, status="200 OK", kind="application/json", **headers):
    """The bytes of an answer."""
    body = body if isinstance(body, bytes) else (body if isinstance(body, str) else json.dumps(body)).encode()
    lines = [f"HTTP/1.1 {status}", f"Content-Type: {kind}", f"Content-Length: {len(body)}", "Connection: close"]
    lines += [f"{name.replace('_', '-')}: {value}" for name, value in headers.items()]
    return "\r\n".join([*lines, "", ""]).encode() + body


def answering(*arguments, **options):
    """A behaviour that always gives this answer."""
    return lambda connection, _: connection.sendall(response(*arguments, **options))


class Router:
    """A real routing service on a map."""

    def __init__(self, folder, nodes, ways):
        folder.mkdir()
        self.folder = folder
        self.port = free_port()
        self.map = folder / "map.osm.pbf"
        street_map.write(self.map, nodes, ways)
        self.prepare()
        self.program = None

    @property
    def address(self):
        return f"http://127.0.0.1:{self.port}"

    def start(self):
        self.program = Program(self.command(), self.folder / "log", stdout=subprocess.DEVNULL, cwd=self.folder)
        wait_until(self.listens, what=lambda: f"{self.program.name} listens; it said:\n{self.program.log}")
        return self

    def listens(self):
        try:
            socket.create_connection(("127.0.0.1", self.port), 1).close()
            return True
        except OSError:
            return False

    def run(self, program, *arguments):
        done = subprocess.run(
            [*ENDS_WITH_US, str(program), *map(str, arguments)], cwd=self.folder, capture_output=True, text=True,
            timeout=60)
        assert done.returncode == 0, done.stdout + done.stderr

    def end(self):
        if self.program:
            self.program.end()


class Valhalla(Router):
    kind = "valhalla"
    folder_of_programs = ROUTERS / "valhalla/bin"

    def prepare(self):
        text = subprocess.run(
            [sys.executable, "-c", "import runpy; runpy.run_module('valhalla_build_config', run_name='__main__')",
             "--mjolnir-tile-dir", str(self.folder / "tiles")],
            env={**os.environ, "PYTHONPATH": str(ROUTERS / "valhalla")}, capture_output=True, text=True, check=True,
            timeout=60).stdout
        configuration = json.loads(text)
        # Sockets of its own between its parts, so that two services do not meet in /tmp.
        configuration["httpd"]["service"].update({
            "listen": f"tcp://127.0.0.1:{self.port}", "loopback": f"ipc://{self.folder}/loopback",
            "interrupt": f"ipc://{self.folder}/interrupt", "drain_seconds": 0})
        for part in ("loki", "thor", "odin", "meili"):
            configuration[part].get("service", {})["proxy"] = f"ipc://{self.folder}/{part}"
        for extract in ("tile_extract", "traffic_extract"):
            configuration["mjolnir"].pop(extract, None)
        self.configuration = self.folder / "valhalla.json"
        self.configuration.write_text(json.dumps(configuration))
        self.run(self.folder_of_programs / "valhalla_build_tiles", "-c", self.configuration, "-j", 1, self.map)

    def command(self):
        return [self.folder_of_programs / "valhalla_service", self.configuration, 1]


class OSRM(Router):
    kind = "osrm"
    folder_of_programs = ROUTERS / "osrm/bin"

    def prepare(self):
        profile = ROUTERS / "osrm/share/profiles/foot.lua"
        self.run(self.folder_of_programs / "osrm-extract", "-t", 1, "-p", profile, self.map)
        self.run(self.folder_of_programs / "osrm-contract", "-t", 1, self.folder / "map.osrm")

    def command(self):
        return [self.folder_of_programs / "osrm-routed", "-i", "127.0.0.1", "-p", self.port, "-t", 1,
                self.folder / "map.osrm"]


needs_routers = pytest.mark.skipif(
    not (ROUTERS / "routers.txt").exists(),
    reason=f"no routing services for {platform.machine()} in .build/routers: scripts/venv brings them where there are")
