"""OpenXR on Debian 13: Monado without a GPU or a headset, the program hello_xr, and a probe between layers.

The root with them is that of scripts/openxr-root, in which /tmp is this machine's.
"""
import contextlib
import json
import os
import pathlib
import shutil
import signal
import socket
import struct
import subprocess
import tempfile
import threading

import numpy as np
import pytest

from .client_programs import without_make
from .paths import ROOT
from .process import Program
from .waiting import PATIENCE, wait_until

ENTER = (ROOT / "scripts/openxr-root", "run")
# Khronos's layers, in the root.
INSTALLED = "/usr/share/openxr/1/api_layers/explicit.d"
PROBE = ROOT / "Tests/System/openxr/probe.c"
VIEW, LOCAL, STAGE = 1, 2, 3
# XrViewStateFlags and XrSpaceLocationFlags have the same bits.
VALID, TRACKED = 0b0011, 0b1100
REFERENCE_SPACE_CHANGE_PENDING = 40

POSE = np.dtype([("orientation", "<f4", 4), ("position", "<f4", 3)])
PREDICTION = np.dtype([
    ("daemon", "<u8"), ("number", "<u8"), ("frame", "<u4"), ("outcome", "<u4"), ("orientation", "<f8", 4),
    ("position", "<f8", 3)])
# struct record of probe.c.
RECORD = np.dtype([
    ("kind", "<u4"), ("result", "<i4"), ("space", "<u4"), ("base", "<u4"), ("time", "<i8"), ("boottime", "<i8"),
    ("begun", "<i8"), ("ended", "<i8"), ("flags", "<u8"), ("descriptors", "<u4"), ("threads", "<u4"), ("valid", "<u4"),
    ("fill", "<u4"), ("poses", POSE, 2), ("before", PREDICTION), ("after", PREDICTION)])
VIEWS_LOCATED, SPACE_LOCATED, EVENT = 1, 2, 3


def root_or_skip():
    """Makes the root where it is missing, which loads 250 MB; skips where this machine cannot."""
    made = subprocess.run([ROOT / "scripts/openxr-root", "prepare"], capture_output=True, text=True)
    if made.returncode:
        pytest.skip(made.stderr.strip().splitlines()[-1])


class Layers:
    """Probes and Waymark's layer, built on Debian 13, with manifests in a folder of their own."""

    def __init__(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="wm-", dir="/tmp"))
        # The compiler runs as another process of this user, without this one's variables of make.
        subprocess.run([*ENTER, "sh", "-ec", self.recipe()], check=True, env=without_make(), timeout=PATIENCE)
        for place in ("above", "below"):
            self.write_manifest(f"XR_APILAYER_TEST_{place}", self.folder / f"probe-{place}.so")
        # As a package puts it into /usr/share: the loader reads such folders by itself.
        self.installed = self.folder / "data"
        implicit = self.installed / "openxr/1/api_layers"
        implicit.mkdir(parents=True)
        (implicit / "implicit.d").symlink_to(self.folder / "openxr/implicit.d")
        self.environment = {
            "XR_API_LAYER_PATH": f"{self.folder}:{self.folder}/openxr/explicit.d:{INSTALLED}",
            "LD_LIBRARY_PATH": f"{self.folder}/openxr"}

    def recipe(self):
        probes = "\n".join(
            f"gcc -std=c99 -D_GNU_SOURCE -O2 -Wall -Wextra -Werror -fPIC -fvisibility=hidden -shared "
            f"-DPROBE='\"{place}\"' -Iclients/c {PROBE} {self.folder}/c/libwaymark.a -lm -pthread "
            f"-o {self.folder}/probe-{place}.so" for place in ("above", "below"))
        return (
            f"make -s -C clients/c BUILD={self.folder}/c {self.folder}/c/libwaymark.a\n"
            f"make -s -C clients/openxr BUILD={self.folder}/openxr STRICT=1\n{probes}")

    def write_manifest(self, name, library):
        layer = {"name": name, "library_path": str(library), "api_version": "1.0", "implementation_version": "1",
                 "description": name}
        (self.folder / f"{name}.json").write_text(json.dumps({"file_format_version": "1.0.0", "api_layer": layer}))

    def remove(self):
        shutil.rmtree(self.folder, ignore_errors=True)


class Monado:
    """The runtime's service: with its simulated head, which wobbles, or in a namespace with one that tests move."""

    def __init__(self, namespace=None):
        # Short, because the path of a socket may have 107 bytes.
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="wm-", dir="/tmp"))
        self.environment = {
            "XDG_RUNTIME_DIR": str(self.folder), "XDG_CONFIG_HOME": str(self.folder), "XRT_COMPOSITOR_NULL": "1",
            "XRT_NO_STDIN": "1"}
        # There, because it listens at all addresses.
        self.namespace, self.head = namespace, None
        if namespace:
            (self.folder / "monado").mkdir()
            (self.folder / "monado/config_v0.json").write_text(json.dumps({"active": "remote"}))
        else:
            self.environment["SIMULATED_ENABLE"] = "1"
        self.program = Program(
            [*(namespace.prefix if namespace else ()), *ENTER, "monado-service"], self.folder / "monado.log",
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, env={**os.environ, **self.environment})
        wait_until((self.folder / "monado_comp_ipc").exists, what=lambda: f"Monado's socket:\n{self.program.log}")
        if namespace:
            self.head = RemoteHead(namespace.inner)

    def remove(self):
        if self.head:
            self.head.close()
        self.program.end(signal.SIGKILL)
        if self.namespace:
            self.namespace.remove()
        shutil.rmtree(self.folder, ignore_errors=True)


class RemoteHead:
    """The head of Monado's driver `remote`: where it was put last, it is, at whatever time one asks for."""

    PORT = 4242
    # Within its struct: behind a header, and field of view and pose of two views.
    CENTRE = 8 + 2 * 48
    POSE = struct.Struct("<7f")

    def __init__(self, host):
        def connected():
            with contextlib.suppress(ConnectionRefusedError):
                return socket.create_connection((host, self.PORT), timeout=PATIENCE)

        self.socket = wait_until(connected, what=f"Monado's remote driver at {host}")
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        # It sends its struct twice, with what it begins with and what it has; its size is its version's.
        received = self.socket.recv(65536)
        while len(received) < 2 * 376:
            received += self.socket.recv(65536)
        self.message = bytearray(received[:len(received) // 2])
        assert self.POSE.unpack_from(self.message, self.CENTRE)[3:] == pytest.approx((1, 0, 1.6, 0)), self.message

    def put(self, position, orientation):
        self.POSE.pack_into(self.message, self.CENTRE, *orientation, *position)
        self.socket.sendall(self.message)

    def close(self):
        self.socket.close()


class HelloXR:
    """hello_xr among layers, named from the top; ends by `end`, and has what its probes wrote down."""

    def __init__(self, monado, layers, names, **environment):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="wm-", dir="/tmp"))
        # The cache of shaders has threads that come and go.
        self.program = Program(
            [*ENTER, "hello_xr", "-g", "Vulkan2"], self.folder / "hello.log", stdin=subprocess.PIPE,
            stdout=open(self.folder / "output", "wb"), env={
                **os.environ, **monado.environment, **layers.environment, "XR_ENABLE_API_LAYERS": ":".join(names),
                "MESA_SHADER_CACHE_DISABLE": "true", **environment,
                "WAYMARK_PROBE_ABOVE": str(self.folder / "above"), "WAYMARK_PROBE_BELOW": str(self.folder / "below")})

    @property
    def output(self):
        return (self.folder / "output").read_text(errors="replace") + self.program.log

    def records(self, place, kind=None):
        path = self.folder / place
        found = np.fromfile(path, RECORD) if path.exists() else np.empty(0, RECORD)
        return found if kind is None else found[found["kind"] == kind]

    def views(self, place="above"):
        """In a space without a pose of its own."""
        found = self.records(place, VIEWS_LOCATED)
        return found[found["base"] != 0]

    def wait_for_views(self, count, place="above"):
        """Waits for as many more, and returns all."""
        begin = len(self.views(place))

        def enough():
            assert self.program.runs, f"hello_xr ended:\n{self.output[-3000:]}"
            return len(self.views(place)) >= begin + count

        wait_until(enough, timeout=PATIENCE + count, what=lambda: f"views by hello_xr:\n{self.output[-3000:]}")
        return self.views(place)

    def end(self):
        """At the end of its input it ends by itself."""
        if self.program.runs:
            self.program.process.stdin.close()
            self.program.process.stdin = None
            with contextlib.suppress(subprocess.TimeoutExpired):
                self.program.wait(20)
        return self.program.end(signal.SIGKILL)

    def remove(self):
        self.end()
        shutil.rmtree(self.folder, ignore_errors=True)


class Mover:
    """Moves a remote head until it ends, as a function says that returns position and orientation."""

    def __init__(self, head, place):
        self.head, self.place, self.failure = head, place, None
        self.ended = threading.Event()
        self.thread = threading.Thread(target=self.run, daemon=True)
        self.thread.start()

    def run(self):
        try:
            while not self.ended.wait(0.004):
                if pose := self.place():
                    self.head.put(*pose)
        except Exception as failure:  # whatever it is, the test's own thread looks at it
            self.failure = failure

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.ended.set()
        self.thread.join(PATIENCE)
