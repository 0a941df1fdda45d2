"""The drill's board: sensors that move, a receiver behind the real gpsd, the service under systemd, witnesses."""
import json
import pathlib
import shlex
import shutil
import time

from waymark_interface import CALIBRATION_IMPORT, STATUS_LIST_DEVICES

from harness import calibration
from harness.paths import SUPPORT
from harness.poses import stamp
from harness.varlink import SERVICE_SOCKET, CallFailed
from rig.machine import PATIENCE, GuestFailed

from . import motion, oracle

HERE = pathlib.Path(__file__).resolve().parent
# What the scripts in the guest take from the harness: it needs the standard library only.
SHARED = [
    SUPPORT / "harness" / name for name in ("__init__.py", "calibration.py", "ports.py", "varlink.py", "waiting.py")]
STATE = "/var/lib/waymark"
# Of poses that are witnessed. Hz.
WITNESS_RATE = 5
# The daemon calls a sensor silent whose samples are a second old. Seconds.
LONGEST_LAG = 0.7
# What the estimator may take to find north again where the motion restarted: the board is turned then without a word
# from its gyroscope, which no board's daemon has to expect. Seconds of samples.
UNSEEN_TURN = 120.0
# Three sensors and the receiver.
SOURCES = 4
# Between two looks at the lag. Seconds.
LAG_INTERVAL = 5.0

SETTINGS = f"""[iio.accelerometer]
rate_hz = {motion.INERTIAL_RATE}
[iio.gyroscope]
rate_hz = {motion.INERTIAL_RATE}
[iio.magnetometer]
rate_hz = {motion.MAGNETIC_RATE}
[recording]
# The disk is small on purpose, and gets full.
minimum_free_megabytes = 0
"""
# The guest is many times slower than a board: the time is lengthened, what happens after it stays.
WATCHDOG = "[Service]\nWatchdogSec=30s\n"


class World:
    def __init__(self, board):
        self.board, self.hub = board, board.hub
        self.folder = board.share / "drill"
        self.poses_path = self.folder / "poses"
        self.taken, self.rest, self.newest = 0, b"", None
        self.count = self.units = 0
        self.base = None
        self.prepare()

    # Setting up.

    def prepare(self):
        (self.folder / "harness").mkdir(parents=True)
        for script in (*(HERE / "guest").glob("*.py"), SUPPORT / "gpsd_feed.py"):
            shutil.copy(script, self.folder)
        for module in SHARED:
            shutil.copy(module, self.folder / "harness")
        (self.folder / "drill.toml").write_text(SETTINGS)
        (self.folder / "watchdog.conf").write_text(WATCHDOG)
        self.run(f"""set -e
            install -D -m 644 /job/drill/drill.toml /etc/waymark/waymark.toml.d/drill.toml
            install -D -m 644 /job/drill/watchdog.conf /etc/systemd/system/waymarkd.service.d/drill.conf
            mkdir -p {STATE}
            mount -t tmpfs -o size=24m,mode=750,uid=waymark,gid=waymark state {STATE}
            systemctl daemon-reload""")
        self.start_unit("receiver /run/receiver", unit="receiver")
        self.board.wait_for("test -e /run/receiver")
        terminal = self.run("readlink /run/receiver").output.strip()
        self.run("systemd-run --quiet --unit=satellites -p Restart=always -p RestartSec=1 -p StartLimitBurst=100 "
                 f"gpsd -N -n -b -S 2947 {terminal}")
        self.hub.plug()
        self.run("systemctl enable --quiet --now waymark.socket waymarkd.service", timeout=2 * PATIENCE)
        self.play()
        # Refused until the magnetometer is there.
        document = {"document": json.dumps(calibration.document(calibration.MAGNETOMETER))}
        self.wait_for(lambda: self.call(CALIBRATION_IMPORT, document, check=False), "the calibration to be taken in")
        self.start_unit(f"witness /job/drill/poses {WITNESS_RATE}", unit="witness")

    def play(self):
        """Sets the board in motion, from now on."""
        before = self.played()
        self.hub.play(motion.rows(), again_after=motion.PERIOD)
        self.base = self.hub.status()["base"] * 1e-9
        self.start = (self.base, before)

    def played(self):
        """Number of rows of the accelerometer that were played, plugged in or not."""
        counts = self.hub.status()["accelerometer"]
        return counts["sent"] + counts["unsent"]

    def lag(self):
        """What the sensors' stamps are behind the clock: a guest that gets no processor plays late."""
        base, before = self.start
        now = float(self.run("cat /proc/uptime").output.split()[0])
        return now - (base + (self.played() - before) / motion.INERTIAL_RATE)

    def keep_pace(self):
        """Restarts the motion when it has fallen so far behind that the daemon calls its samples stale."""
        lag = self.lag()
        if lag > LONGEST_LAG:
            print(f"the guest is slow: its sensors were {lag:.1f} s late and restart")
            self.play()
            return True
        return False

    # What can be done in the guest.

    def run(self, command, **options):
        return self.board.run(command, **options)

    def script(self, command):
        """The command line of one of the guest's scripts with its arguments."""
        name, *arguments = command if isinstance(command, (list, tuple)) else command.split()
        return shlex.join(["python3", f"/job/drill/{name}.py", *map(str, arguments)])

    def start_unit(self, command, unit=None):
        """Runs a script in the background; returns the unit's name."""
        self.units += 1
        unit = unit or f"drill-{self.units}"
        self.run(f"systemd-run --quiet --unit={unit} {self.script(command)}")
        return unit

    def call(self, method, parameters=None, check=True):
        """The reply of the daemon; None for an error or for none in time, unless `check`."""
        try:
            reply = self.board.ask(SERVICE_SOCKET, method, parameters, timeout=PATIENCE)
        except CallFailed:
            if check:
                raise
            return None
        if reply is None and check:
            raise GuestFailed(f"no answer to {method}")
        return reply

    def signal_unit(self, unit, name, check=True):
        self.run(f"systemctl kill --kill-whom=main --signal={name} {unit}.service", check=check)

    def main_process(self):
        """Of the daemon; 0 while there is none."""
        return int(self.run("systemctl show --property=MainPID --value waymarkd.service").output)

    def wait_for(self, condition, what, timeout=PATIENCE):
        return self.board.wait_for(condition, timeout=timeout, what=what)

    def wait_for_process(self, other_than=0):
        """The daemon's process, once it is another one and takes clients."""
        def found():
            process = self.main_process()
            return process not in (0, other_than) and process

        process = self.wait_for(found, "the daemon's next process")
        self.wait_for("systemctl is-active --quiet waymarkd.service", "the service to be active again")
        return process

    # What was witnessed.

    def take_poses(self):
        """Those that came since the last time."""
        if not self.poses_path.exists():
            return []
        with open(self.poses_path, "rb") as file:
            file.seek(self.taken)
            data = file.read()
        self.taken += len(data)
        *lines, self.rest = (self.rest + data).split(b"\n")
        poses = [message["parameters"]["pose"] for message in map(json.loads, lines)]
        if poses:
            self.newest = poses[-1]
        return poses

    def let_pass(self, seconds):
        """Waits until poses of this much time have come; where none come, about as long."""
        begin, started = self.newest and stamp(self.newest), time.monotonic()
        while time.monotonic() - started < 10 * seconds:
            self.take_poses()
            if begin is None:
                begin = self.newest and stamp(self.newest)
            elif stamp(self.newest) - begin >= seconds:
                return
            time.sleep(0.2)

    def recover(self):
        """Waits until all sensors deliver and the poses since the last look are right again; the seconds of samples."""
        counts, longest = self.sample_counts(), 0.0
        while True:
            longest = max(longest, self.wait_for_right_poses())
            before, counts = counts, self.sample_counts()
            if len(counts) == SOURCES and all(counts[name] > before.get(name, 0) for name in counts):
                return longest

    def sample_counts(self):
        """Number of measurements of each source that streams."""
        devices = self.wait_for(lambda: self.call(STATUS_LIST_DEVICES, check=False), "an answer")["devices"]
        return {device["name"]: device["samples"] for device in devices if device["state"] == "streaming"}

    def wait_for_right_poses(self):
        """Waits until the poses are right; the time of samples it took, in seconds."""
        deadline = time.monotonic() + 2 * PATIENCE
        recovery, looked = self.fresh_recovery(), time.monotonic()
        while True:
            # Samples that the daemon takes for fresh are not late.
            if recovery.returned is None and time.monotonic() - looked > LAG_INTERVAL:
                recovery, looked = self.fresh_recovery(recovery), time.monotonic()
            # All of them: what seems right may not have missed the sensor yet.
            if [recovery.take(pose) for pose in self.take_poses()][-1:] == [True]:
                return recovery.seconds
            if time.monotonic() > deadline:
                raise GuestFailed(f"no right poses within {2 * PATIENCE:g} s: {recovery.last_flaw}; {self.newest}")
            time.sleep(0.2)

    def fresh_recovery(self, present=None):
        """Another one where the motion had to restart: poses from before it count for nothing."""
        if self.keep_pace():
            self.take_poses()
            return oracle.Recovery(self.base, promise=UNSEEN_TURN)
        return present or oracle.Recovery(self.base)
