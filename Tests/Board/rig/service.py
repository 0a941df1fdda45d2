"""The daemon as systemd's service on a board, and its lines in the journal."""
import json
import re

from harness.varlink import SERVICE_SOCKET

from .daemon import GuestDaemon

DROP_INS = "/etc/systemd/system/waymarkd.service.d"
# A guest on a busy machine may stand still for longer than a board's daemon may.
PATIENT = "[Service]\nWatchdogSec=300s\nTimeoutStartSec=300s\nTimeoutStopSec=60s\n"


class Service(GuestDaemon):
    """`waymarkd.service` of a board."""

    def __init__(self, board):
        super().__init__(board, SERVICE_SOCKET)
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

    def waymark(self, *arguments):
        """The result of `waymark`; run again while the guest is too slow to answer in its time."""
        result = None

        def answer():
            nonlocal result
            result = self.board.run(["waymark", *arguments], check=False)
            # 3: not reached, or no answer in time; 4: timed out.
            assert result.code in (0, 3, 4), result
            return result.code == 0

        self.board.wait_for(answer, what=lambda: f"waymark {arguments} succeeds; {result}")
        return result

    def wait_for_devices(self, condition, **options):
        # To ask one that does not run would start it.
        self.wait_until_active()
        return super().wait_for_devices(condition, **options)

    @property
    def log(self):
        return "\n".join(self.journal())

    def mark(self):
        """A place in the journal, for `journal`."""
        return re.search(r"cursor: (\S+)", self.board.run("journalctl -n 1 --show-cursor --no-pager").output)[1]

    def journal(self, since=None):
        """The daemon's own lines, those of systemd about it left out."""
        after = f"--after-cursor='{since}'" if since else ""
        # Chosen here: where the cursor's own line is not among those asked for, journalctl leaves out one that is.
        fields = "--output-fields=MESSAGE,_SYSTEMD_UNIT"
        output = self.board.run(f"journalctl -b -o json {fields} --no-pager {after}", check=False).output
        entries = [json.loads(line) for line in output.splitlines() if line.startswith("{")]
        return [entry["MESSAGE"] for entry in entries if entry.get("_SYSTEMD_UNIT") == "waymarkd.service"]

    def drop_in(self, name, text):
        """Writes a drop-in for the next start; an empty text removes it."""
        if text:
            (self.board.share / "drop-in").write_text(text)
            self.board.run(f"mkdir -p {DROP_INS} && cp /job/drop-in {DROP_INS}/{name}.conf")
        else:
            self.board.run(f"rm -f {DROP_INS}/{name}.conf")
        self.board.run("systemctl daemon-reload")

    def restart(self):
        """With the settings and drop-ins as they are now; returns when all sensors deliver."""
        self.board.run("systemctl restart waymarkd.service", timeout=600)
        self.wait_for_streams()

    def setting(self, text):
        """Writes a part of the configuration; an empty text removes it."""
        folder = "/etc/waymark/waymark.toml.d"
        (self.board.share / "setting").write_text(text)
        self.board.run(f"mkdir -p {folder} && cp /job/setting {folder}/test.toml" if text else
                       f"rm -f {folder}/test.toml")
