"""A network namespace behind a pair of virtual Ethernet interfaces: a cable that can be pulled."""
import os
import pathlib
import subprocess

import pytest

from .living import Living

# The last two numbers of an address come from the cable's. This range is private (RFC 1918), and seldom used.
FIRST = "10.213"
MOST = 16384


class NetworkNamespace(Living):
    """Programs run in it by the words of `prefix`, and reach this machine as `outer`; it reaches them as `inner`."""

    def __init__(self):
        self.number, self.interface = self.claim()
        self.name = self.interface
        self.enlist()
        self.outer, self.inner = (self.address(host) for host in (1, 2))
        try:
            ip("netns", "add", self.name)
            ip("link", "set", self.peer, "netns", self.name)
            ip("addr", "add", f"{self.outer}/30", "dev", self.interface)
            ip("link", "set", self.interface, "up")
            self.inside("addr", "add", f"{self.inner}/30", "dev", self.peer)
            self.inside("link", "set", "lo", "up")
            self.inside("link", "set", self.peer, "up")
        except BaseException:
            self.remove()
            raise

    @property
    def peer(self):
        return f"{self.interface}p"

    @property
    def prefix(self):
        return ("ip", "netns", "exec", self.name)

    def claim(self):
        """The first number whose interface does not exist; the kernel gives each name once."""
        for number in range(os.getpid() % 1000, MOST):
            name = f"wmk{number}"
            done = subprocess.run(
                ["ip", "link", "add", name, "type", "veth", "peer", "name", f"{name}p"], capture_output=True, text=True)
            if done.returncode == 0:
                return number, name
            if "exists" not in done.stderr:
                raise OSError(f"no virtual interfaces: {done.stderr.strip()}")
        raise OSError("no free number for a virtual interface")

    def address(self, host):
        return f"{FIRST}.{self.number // 64}.{self.number % 64 * 4 + host}"

    def inside(self, *words):
        ip("-n", self.name, *words)

    def cut(self):
        """Pulls the cable at the far side: packets get lost, and TCP sends them again."""
        self.inside("link", "set", self.peer, "down")

    def restore(self):
        self.inside("link", "set", self.peer, "up")

    def wire_bytes(self):
        """Bytes to and from the programs inside, with the headers of Ethernet, IP and TCP."""
        folder = pathlib.Path(f"/sys/class/net/{self.interface}/statistics")
        return tuple(int((folder / name).read_text()) for name in ("tx_bytes", "rx_bytes"))

    def last_words(self):
        return f"network namespace {self.name}", f"bytes in and out: {self.wire_bytes()}"

    def end(self):
        self.remove()

    def remove(self):
        # Either end takes the other with it.
        subprocess.run(["ip", "link", "del", self.interface], capture_output=True)
        subprocess.run(["ip", "netns", "del", self.name], capture_output=True)
        self.delist()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.remove()


def ip(*words):
    subprocess.run(["ip", *words], check=True, capture_output=True)


def namespace_or_skip():
    """A namespace where this machine permits one, which needs root."""
    try:
        return NetworkNamespace()
    except (OSError, subprocess.CalledProcessError) as error:
        pytest.skip(f"NOT TESTED WITH A REAL CABLE: {error}")
