"""`waymark doctor` and what it examines: boards with faults, a computer of files."""
import json
import os
import pathlib
import shutil

from .account import IS_ROOT, OTHER_USER
from .command import PROGRAM, waymark
from .settings import merged, private, toml

AXES = {"accel": 0.000598, "gyro": 0.000152716, "magn": 0.0005}


def channel(kind, **changes):
    return {"kind": kind, "scale": AXES[kind], **changes}


def board(imu=None, magnetometer=None, accel=None, gyro=None, magn=None, **configuration):
    """An emulated board by what is not as usual; `gyro=False` and `magn=False` leave a sensor out."""
    parts = [channel("accel", **(accel or {}))]
    if gyro is not False:
        parts.append(channel("gyro", **(gyro or {})))
    devices = [{"name": "imu", "rate": 200, "channels": parts, **(imu or {})}]
    if magn is not False:
        parts = [channel("magn", **(magn or {}))]
        devices.append({"name": "mag", "rate": 50, "channels": parts, **(magnetometer or {})})
    return ("--json", json.dumps({"devices": devices, **configuration}))


def play(path, times, rate_of_magnetometer=4):
    """A play of a board at rest with samples at these seconds."""
    with open(path, "w", encoding="utf-8") as file:
        for number, seconds in enumerate(times):
            noise = 0.01 if number % 2 else -0.01
            file.write(f"{round(seconds * 1e9)},a,{noise},9.80665,0\n{round(seconds * 1e9)},g,{noise / 10},0,0\n")
            if number % rate_of_magnetometer == 0:
                file.write(f"{round(seconds * 1e9)},m,{noise},-43,-20\n")
    return ("--replay", str(path), "--loop")


class Patient:
    """What is looked at: settings in a folder of their own, and whatever runs on them."""

    def __init__(self, folder, *layers):
        self.folder = pathlib.Path(folder)
        self.socket = self.folder / "socket"
        self.config = self.folder / "waymark.toml"
        self.config.write_text(toml(merged(private(self.folder), {"gnss": {"enabled": False}}, *layers)))

    def look(self, *arguments, seconds=1, **options):
        command = ["doctor", "--json", "--config", self.config, "--seconds", seconds, *arguments]
        return Report(waymark(*command, **options))

    def look_as_stranger(self, *arguments, **options):
        """As another user, who may read the folder; where this is not root, as oneself."""
        os.chmod(self.folder, 0o755)
        # Its own folder may be closed to others.
        program = shutil.copy(PROGRAM, self.folder / "waymark")
        account = {"user": OTHER_USER, "group": OTHER_USER, "extra_groups": []} if IS_ROOT else {}
        return self.look(*arguments, program=program, cwd="/", **account, **options)


class Report:
    """What the doctor found."""

    def __init__(self, done):
        assert done.stdout, f"the doctor said nothing on its output, and this beside it: {done.stderr}"
        self.code, self.errors = done.returncode, done.stderr
        self.whole = json.loads(done.stdout)
        self.findings = self.whole["findings"]

    @property
    def troubles(self):
        """What is not well: its level by its name."""
        return {finding["id"]: finding["level"] for finding in self.findings if finding["level"] != "ok"}

    def besides(self, *names):
        """Its troubles but for these names and groups."""
        return {
            name: level for name, level in self.troubles.items()
            if name not in names and name.split(".")[0] not in names}

    def find(self, name):
        found = [finding for finding in self.findings if finding["id"] == name]
        assert found, f"{name} is not among {sorted(finding['id'] for finding in self.findings)}"
        return found[0]


class Computer:
    """A computer made of files: what the doctor reads of the kernel, of devices and of processes."""

    def __init__(self, root):
        self.root = pathlib.Path(root)
        self.file("/proc/sys/kernel/osrelease", "6.1.0-test\n")
        self.file("/usr/lib/udev/rules.d/60-waymark-iio.rules", "")

    @property
    def environment(self):
        return {"WAYMARK_DOCTOR_ROOT": str(self.root)}

    def file(self, path, text, mode=0o666):
        place = self.root / path.lstrip("/")
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(text)
        place.chmod(mode)
        return place

    def link(self, path, target):
        place = self.root / path.lstrip("/")
        place.parent.mkdir(parents=True, exist_ok=True)
        place.symlink_to(target)

    def sensor(self, number, name, *prefixes, node=0o666, buffer="0"):
        folder = f"/sys/bus/iio/devices/iio:device{number}"
        self.file(f"{folder}/name", name + "\n", 0o444)
        for prefix in prefixes:
            for axis in "xyz":
                self.file(f"{folder}/in_{prefix}_{axis}_raw", "0\n", 0o444)
                self.file(f"{folder}/scan_elements/in_{prefix}_{axis}_en", "0\n")
            self.file(f"{folder}/in_{prefix}_sampling_frequency", "200\n")
        for attribute, value in (("enable", buffer), ("length", "2"), ("watermark", "1")):
            self.file(f"{folder}/buffer/{attribute}", value + "\n")
        if node is not None:
            self.file(f"/dev/iio:device{number}", "", node)

    def open_to_all(self):
        """Folders, so that another user can look."""
        for folder, _, _ in os.walk(self.root):
            os.chmod(folder, 0o755)
        return self
