"""MQTT brokers of any kind: where clients connect, who they are, and what a broker costs."""
import functools
import os
import pathlib
import re
import ssl
from dataclasses import dataclass

from .paths import ROOT
from .process import Program

CONFIGURATION = ROOT / "config/brokers"


@dataclass(frozen=True)
class Identity:
    """What a client shows of itself, a certificate with its key or a password, and the authority that it trusts."""
    name: str
    authority: pathlib.Path | None = None
    certificate: pathlib.Path | None = None
    key: pathlib.Path | None = None
    password: str | None = None

    def tls(self):
        """A context of the client's side, or nothing for plain TCP."""
        if not self.authority:
            return None
        context = ssl.create_default_context(cafile=self.authority)
        if self.certificate:
            context.load_cert_chain(self.certificate, self.key)
        return context

    def options(self):
        """Those of mosquitto's own clients."""
        files = {"--cafile": self.authority, "--cert": self.certificate, "--key": self.key}
        words = [word for name, path in files.items() if path for word in (name, str(path))]
        return words + (["-u", self.name, "-P", self.password] if self.password else [])


@dataclass(frozen=True)
class Endpoint:
    """Where a broker, or a link to it, listens."""
    port: int
    host: str = "127.0.0.1"


class BrokerProgram(Program):
    """A broker as a process, with its figures."""

    @functools.cached_property
    def ticks(self):
        return os.sysconf("SC_CLK_TCK")

    def processor_seconds(self):
        """User and system time of all its threads."""
        # The name, in parentheses, may contain spaces; after it user and system time are the 12th and 13th.
        fields = self.proc("stat").rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / self.ticks

    def interface_bytes(self):
        """Bytes received and sent by all interfaces but the loopback of the network namespace that it runs in."""
        rows = re.findall(r"^ *(\S+): *(.*)$", self.proc("net/dev"), re.MULTILINE)
        counts = [[int(number) for number in row.split()] for name, row in rows if name != "lo"]
        return sum(row[0] for row in counts), sum(row[8] for row in counts)

    def proc(self, name):
        return pathlib.Path(f"/proc/{self.pid}/{name}").read_text()


def substituted(text, replacements):
    """A configuration with other paths and ports; each text to be replaced has to be in it."""
    for old, new in replacements.items():
        assert old in text, f"the shipped configuration has no {old!r}"
        text = text.replace(old, str(new))
    return text

