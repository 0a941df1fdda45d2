"""The real daemon in a guest: one that tests start on the kernel's own devices, without systemd."""
import json

from waymark_interface import STATUS_GET_STATUS

from harness import interfaces
from harness.daemon import AnyDaemon
from harness.paths import PROGRAMS
from harness.settings import merged, private, toml

from .hub import NAMES
from .machine import PATIENCE, GuestFailed

FOLDER = "/run/waymark"
# Over the compiled defaults: no receiver, everything in the guest's memory, full rate with and without clients.
SETTINGS = merged(
    private(FOLDER), {"iio": {"context": "local:"}, "gnss": {"enabled": False}, "power": {"enabled": False}})


class GuestDaemon(AnyDaemon):
    """Whatever starts it: asked over its socket in the guest, and asked again where a slow guest gave no answer."""

    patience = PATIENCE

    def __init__(self, guest, socket):
        self.guest, self.socket = guest, socket

    def ask(self, method, parameters=None):
        """The reply to a call, which is as the interface declares it; None where there is no answer in time."""
        reply = self.guest.ask(self.socket, method, parameters)
        if reply is not None:
            interfaces.check_reply(method, reply)
        return reply

    def call(self, method, parameters=None):
        """The reply to a call that changes nothing."""
        reply = None

        def answer():
            nonlocal reply
            reply = self.ask(method, parameters)
            return reply is not None

        self.wait_until(answer, what=lambda: f"a reply to {method}; the log is:\n{self.log}")
        return reply

    def wait_until(self, condition, **options):
        return self.guest.wait_for(condition, **options)

    def wait_for_streams(self, *names, **options):
        """Waits until these devices (all three when none is named) stream; returns all devices."""
        return super().wait_for_streams(*(names or NAMES.values()), **options)

    def poses(self, count=3):
        """The next poses."""
        return [json.loads(line) for line in self.waymark("watch", "--json", "-n", count).output.splitlines()]


class Daemon(GuestDaemon):
    """One `waymarkd` of the guest, with its log in the shared folder."""

    def __init__(self, guest, settings=None):
        super().__init__(guest, SETTINGS["service"]["socket"])
        self.pid = None
        guest.run(f"mkdir -p {FOLDER}/state {FOLDER}/recordings")
        (guest.share / "waymark.toml").write_text(toml(merged(SETTINGS, settings or {})))
        self.log_path = guest.share / "waymarkd.log"

    def launch(self):
        self.log_path.write_text("")
        started = self.guest.run(
            f"{PROGRAMS}/waymarkd --config /job/waymark.toml >/dev/null 2>>/job/waymarkd.log & echo $!")
        self.pid = int(started.output)

    def answers(self):
        return self.ask(STATUS_GET_STATUS) is not None

    @property
    def runs(self):
        return self.guest.run(f"test -d /proc/{self.pid}", check=False).code == 0

    @property
    def log(self):
        return self.log_path.read_text(errors="replace")

    def waymark(self, *arguments, check=True):
        words = [f"{PROGRAMS}/waymark", "--socket", self.socket, *arguments]
        return self.guest.run(words, check=check)

    def signal(self, name):
        self.guest.run(f"kill -{name} {self.pid}")

    def stop(self):
        """Ends it in order."""
        if self.pid is None:
            return
        self.signal("TERM")
        try:
            self.guest.wait_for(f"! test -d /proc/{self.pid}")
        except GuestFailed:
            self.signal("KILL")
            raise
        finally:
            self.pid = None
