"""The real daemon in a guest without systemd, on the kernel's own devices."""
import json
import shlex

from .machine import PATIENCE, GuestFailed
from .paths import PROGRAMS

# Over the compiled defaults: no receiver, everything in the guest's memory, full rate whoever reads.
SETTINGS = {
    "service": {"socket": "/run/waymark/socket", "socket_group": "", "change_group": ""},
    "state": {"directory": "/run/waymark/state"},
    "recording": {"directory": "/run/waymark/recordings", "minimum_free_megabytes": 0},
    "iio": {"context": "local:"},
    "gnss": {"enabled": False},
    "power": {"enabled": False},
}


def toml(sections):
    """Sections of numbers, truth values, texts and lists as TOML, which writes them as JSON does."""
    return "".join(
        f"[{name}]\n" + "".join(f"{key} = {json.dumps(value)}\n" for key, value in keys.items())
        for name, keys in sections.items())


class Daemon:
    """One `waymarkd` of the guest, with what it said in the shared folder."""

    def __init__(self, guest, **sections):
        self.guest, self.pid = guest, None
        settings = {name: {**keys, **sections.pop(name, {})} for name, keys in SETTINGS.items()}
        guest.run("mkdir -p /run/waymark/state /run/waymark/recordings")
        (guest.share / "waymark.toml").write_text(toml({**settings, **sections}))
        self.log_path = guest.share / "waymarkd.log"

    def start(self):
        self.log_path.write_text("")
        started = self.guest.run(
            f"{PROGRAMS}/waymarkd --config /job/waymark.toml >/dev/null 2>>/job/waymarkd.log & echo $!")
        self.pid = int(started.output)
        self.guest.wait_for(self.answers, what=lambda: f"waymarkd takes clients; it said:\n{self.log}")
        return self

    def answers(self):
        if self.ask("GetStatus") is not None:
            return True
        assert self.runs, f"waymarkd ended; it said:\n{self.log}"
        return False

    @property
    def runs(self):
        return self.guest.run(f"test -d /proc/{self.pid}", check=False).code == 0

    @property
    def log(self):
        return self.log_path.read_text(errors="replace")

    def waymark(self, *arguments, check=True):
        words = [f"{PROGRAMS}/waymark", "--socket", SETTINGS["service"]["socket"], *arguments]
        return self.guest.run(shlex.join(str(word) for word in words), check=check)

    def ask(self, method):
        """The reply of the daemon's `org.waymark.Status`; None where it has no answer in time."""
        return self.guest.ask(SETTINGS["service"]["socket"], f"org.waymark.Status.{method}")

    def status(self):
        """What `waymark status` tells; asked again where a slow guest had no answer in time."""
        return self.wait_for_reply("GetStatus")["status"]

    def devices(self):
        """What `waymark devices` tells, by the device's name; asked again where a slow guest had no answer in time."""
        return {device["name"]: device for device in self.wait_for_reply("ListDevices")["devices"]}

    def wait_for_reply(self, method):
        return self.guest.wait_for(lambda: self.ask(method), what=lambda: f"waymarkd answers; it said:\n{self.log}")

    def wait_for_devices(self, condition, timeout=PATIENCE):
        """Waits until `condition(devices)` holds; returns the devices."""
        devices = {}

        def found():
            nonlocal devices
            devices = self.devices()
            return condition(devices)

        self.guest.wait_for(found, timeout, lambda: f"devices as wanted; they are {devices}; the log is:\n{self.log}")
        return devices

    def wait_for_streams(self, *names):
        """Waits until these devices (all three when none is named) stream; returns all devices."""
        names = names or ("accel_3d", "gyro_3d", "magn_3d")
        return self.wait_for_devices(
            lambda devices: all(devices.get(name, {}).get("state") == "streaming" for name in names))

    def poses(self, count=3):
        """The next poses."""
        output = self.waymark("watch", "--json", "-n", count).output
        return [json.loads(line) for line in output.splitlines()]

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
