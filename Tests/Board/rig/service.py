"""The daemon as systemd's service on a board, and what its journal says."""
import json
import re

SOCKET = "/run/waymark/waymark.sock"
NAMES = ("accel_3d", "gyro_3d", "magn_3d")
DROP_INS = "/etc/systemd/system/waymarkd.service.d"
# A guest on a busy machine may stand still for longer than a board's daemon may.
PATIENT = "[Service]\nWatchdogSec=300s\nTimeoutStartSec=300s\nTimeoutStopSec=60s\n"


class Service:
    """`waymarkd.service` of a board."""

    def __init__(self, board):
        self.board = board
        self.drop_in("patient", PATIENT)

    def value(self, name, unit="waymarkd.service"):
        """Such as `MainPID` or `NRestarts`, of the service or another unit."""
        return self.board.run(["systemctl", "show", "--property", name, "--value", unit]).output.strip()

    @property
    def is_active(self):
        return self.value("ActiveState") == "active"

    def wait_until_active(self):
        self.board.wait_for(lambda: self.is_active, what=lambda: f"the service runs; {self.journal()}")

    def waymark(self, words):
        """What `waymark WORDS` says; tried again while the guest is too slow to answer in its time."""
        said = None

        def answer():
            nonlocal said
            said = self.board.run(f"waymark {words}", check=False)
            # 3: not reached, or no answer in time; 4: timed out.
            assert said.code in (0, 3, 4), said
            return said.code == 0

        self.board.wait_for(answer, what=lambda: f"waymark {words}; it says {said}")
        return said.output

    def ask(self, method):
        """The reply of the daemon's `org.waymark.Status`; None where it has no answer in time."""
        return self.board.ask(SOCKET, f"org.waymark.Status.{method}")

    def devices(self):
        """What `waymark devices` tells, by the device's name; asked again while the guest is too slow to answer."""
        said = self.board.wait_for(lambda: self.ask("ListDevices"), what=lambda: f"an answer; {self.journal()}")
        return {device["name"]: device for device in said["devices"]}

    def wait_for_devices(self, condition):
        """Waits until a service that runs has devices of which `condition(devices)` holds; returns them."""
        found = {}
        # To ask one that does not run would start it.
        self.wait_until_active()

        def look():
            nonlocal found
            found = self.devices()
            return found and condition(found)

        self.board.wait_for(look, what=lambda: f"devices as wanted; they are {found}; {self.journal()}")
        return found

    def wait_until_all_stream(self):
        """Waits until the three sensors deliver; returns the devices."""
        return self.wait_for_devices(
            lambda devices: all(devices.get(name, {}).get("state") == "streaming" for name in NAMES))

    def poses(self, count=3):
        """The next poses."""
        return [json.loads(line) for line in self.waymark(f"watch --json -n {count}").splitlines()]

    def mark(self):
        """A place in the journal, for `journal`."""
        return re.search(r"cursor: (\S+)", self.board.run("journalctl -n 1 --show-cursor --no-pager").output)[1]

    def journal(self, since=None):
        """The daemon's own lines, those of systemd about it left out."""
        after = f"--after-cursor='{since}'" if since else ""
        # Chosen here: where the cursor's own line is not of those that it is asked for, journalctl leaves out one that is.
        fields = "--output-fields=MESSAGE,_SYSTEMD_UNIT"
        told = self.board.run(f"journalctl -b -o json {fields} --no-pager {after}", check=False).output.splitlines()
        entries = [json.loads(line) for line in told if line.startswith("{")]
        return [entry["MESSAGE"] for entry in entries if entry.get("_SYSTEMD_UNIT") == "waymarkd.service"]

    def drop_in(self, name, text):
        """Puts a drop-in in force from the next start on; an empty text takes it away."""
        if text:
            (self.board.share / "drop-in").write_text(text)
            self.board.run(f"mkdir -p {DROP_INS} && cp /job/drop-in {DROP_INS}/{name}.conf")
        else:
            self.board.run(f"rm -f {DROP_INS}/{name}.conf")
        self.board.run("systemctl daemon-reload")

    def restart(self):
        """With the settings and drop-ins as they are now; returns when all sensors deliver."""
        self.board.run("systemctl restart waymarkd.service", timeout=600)
        self.wait_until_all_stream()

    def setting(self, text):
        """Writes a part of the configuration; an empty text takes it away."""
        folder = "/etc/waymark/waymark.toml.d"
        (self.board.share / "setting").write_text(text)
        self.board.run(f"mkdir -p {folder} && cp /job/setting {folder}/test.toml" if text else
                       f"rm -f {folder}/test.toml")
