"""The broker mosquitto, by the configuration that is shipped or by a plain one."""
import os
import pathlib
import pwd
import re
import signal
import socket
import subprocess

from .brokers import CONFIGURATION, BrokerProgram, Endpoint, substituted
from .fleet import OBSERVERS
from .ports import ReservedPort
from .waiting import wait_until

# Debian has it where only root's PATH leads.
PROGRAM = "/usr/sbin/mosquitto"
CLIENT_PATIENCE_SECONDS = "20"


class Mosquitto:
    """A broker with a folder of its own, not started yet; it keeps ports and folder over restarts.

    With a fleet it has the shipped configuration, by certificates, and by passwords too if there are some; without, one
    that accepts anyone.
    """

    def __init__(self, folder, fleet=None, passwords=None, settings="", host="127.0.0.1", namespace=None):
        self.folder = pathlib.Path(folder)
        self.store = self.folder / "store"
        self.store.mkdir(parents=True)
        self.host, self.namespace = host, namespace
        self.ports = [ReservedPort(), ReservedPort()]
        self.program = None
        listeners = self.shipped(fleet, passwords or {}) if fleet else self.plain()
        # As on Debian: the main file turns persistence on, and the fleet's is one of its folder.
        included = self.folder / "conf.d"
        included.mkdir()
        (included / "waymark.conf").write_text(listeners)
        account = pwd.getpwuid(os.geteuid()).pw_name
        self.configuration = self.folder / "mosquitto.conf"
        self.configuration.write_text(
            f"user {account}\npersistence true\npersistence_location {self.store}/\nlog_dest stderr\nlog_type all\n"
            f"connection_messages true\n{settings}\ninclude_dir {included}\n")

    def plain(self):
        return f"listener {self.ports[0]} {self.host}\nallow_anonymous true\nset_tcp_nodelay true\n"

    def shipped(self, fleet, passwords):
        text = (CONFIGURATION / "mosquitto.conf").read_text()
        replacements = {"listener 8883": f"listener {self.ports[0]} {self.host}",
                        "/etc/mosquitto/waymark.acl": self.access_list()}
        files = fleet.broker_files()
        for name in ("client-authority.pem", "broker.pem", "broker.key", "revoked.pem"):
            replacements[f"/etc/mosquitto/certs/fleet/{name}"] = files[name]
        if passwords:
            text = re.sub(r"^#(?=\w)", "", text, flags=re.MULTILINE)
            replacements["listener 8884"] = f"listener {self.ports[1]} {self.host}"
            replacements["/etc/mosquitto/waymark.passwords"] = self.password_file(passwords)
        return substituted(text, replacements)

    def access_list(self):
        """The shipped one, with its lines for the observer once for each; it has to be readable by the broker alone."""
        text = (CONFIGURATION / "mosquitto.acl").read_text()
        [block] = re.findall(r"^user dispatch\n.*?(?=\n\n)", text, re.DOTALL | re.MULTILINE)
        file = self.folder / "waymark.acl"
        others = [block.replace("dispatch", name) for name in OBSERVERS if name != "dispatch"]
        file.write_text("\n".join([text, *others, ""]))
        file.chmod(0o600)
        return file

    def password_file(self, passwords):
        file = self.folder / "waymark.passwords"
        file.touch(0o600)
        for name, password in passwords.items():
            subprocess.run(["mosquitto_passwd", "-b", file, name, password], check=True, capture_output=True)
        return file

    @property
    def endpoint(self):
        """By certificates, or the plain one."""
        return Endpoint(int(self.ports[0]), self.host)

    @property
    def endpoints(self):
        return [self.endpoint]

    @property
    def password_endpoint(self):
        return Endpoint(int(self.ports[1]), self.host)

    @property
    def pid(self):
        return self.program.pid

    @property
    def log(self):
        return self.program.log

    def start(self):
        prefix = self.namespace.prefix if self.namespace else ()
        self.program = BrokerProgram([*prefix, PROGRAM, "-c", self.configuration], self.folder / "mosquitto.log")
        wait_until(self.listens, what=lambda: f"mosquitto at port {self.endpoint.port}: {self.log}", interval=0.01)
        return self

    def listens(self):
        assert self.program.runs, f"mosquitto ended: {self.log}"
        try:
            socket.create_connection((self.host, self.endpoint.port), timeout=1).close()
        except OSError:
            return False
        return True

    def stop(self):
        """Gracefully: it saves what it has."""
        return self.program.end()

    def kill(self):
        """As by a power cut of the program alone."""
        self.program.end(signal.SIGKILL)

    def save(self):
        """Has it write its store now, and waits until it has."""
        file = self.store / "mosquitto.db"
        before = file.stat().st_mtime_ns if file.exists() else None
        self.program.send(signal.SIGUSR1)
        wait_until(lambda: file.exists() and file.stat().st_mtime_ns != before, what="the saved store")

    def restart(self):
        self.stop()
        return self.start()

    def remove(self):
        if self.program:
            self.program.end(signal.SIGKILL)
        for port in self.ports:
            port.release()
