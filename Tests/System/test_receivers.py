"""Real receivers: what the daemon takes of logs of gpsd's own test suite, through the gpsd that is installed.

Each log is played at its own pace, and in a burst as fast as a serial line. receivers/table.txt has what must come of it,
beside what gpsd reports of the same run. scripts/gpsd-logs brings the logs; where it cannot, these tests are skipped and
say why. With RECEIVERS=all whole logs are played rather than some seconds of each, and their numbers of fixes are compared
with gpsd's alone.
"""
import concurrent.futures
import dataclasses
import datetime
import functools
import http.server
import json
import os
import pathlib
import socket
import statistics
import subprocess
import threading
import time

import pytest

from harness.command import waymark
from harness.daemon import Daemon
from harness.gps import ClockOfGPSD, Receiver
from harness.paths import PROGRAMS, ROOT
from harness.process import Program
from harness.recording import messages
from harness.waiting import wait_until

pytestmark = pytest.mark.library

FOLDER = pathlib.Path(__file__).parent / "receivers"
# The gpsd by which the table was measured. Others make other errors of the same sentences: of theirs, what the daemon
# takes is compared with what they report in the same run.
MEASURED_WITH = "3.22"
PLAYS_ALL = os.environ.get("RECEIVERS") == "all"
RECORDS = os.environ.get("WAYMARK_RECORD") == "1"
# Played side by side, so that the pace of the slowest is that of all: most of them wait.
GROUPS = 4
# Baud of a burst: as fast as a serial line usually is.
BURST = 115200
# Fixes of all bursts of a group of logs, at least; there are 280 and more.
BURST_FIXES = 100
# Answers of the daemon in a row, a tenth of a second apart, without a further fix, after which none is to come: together
# longer than an epoch is held. Time alone would not do: a busy machine may let the daemon wait for seconds.
QUIET_ANSWERS = 15
SILENCE = 3
# Factor by which a sigma or an error may differ from the table's: a receiver's geometry varies among a few epochs, of
# which a busy machine may lose one.
SAME = 1.3
# Time back by which a receiver's clock steps rather than that it repeats an epoch, as some logs do. Seconds.
CLOCK_STEP = 10
# Difference of the times that a receiver has in sentences of one epoch. Seconds.
ROUNDING = 0.01
# Share of the fixes of a binary log, of several a second, that gpsd may miss while it looks for the kind of receiver.
MISSED = 0.15
# Standard deviation of a height that the receiver holds. Metres.
HELD_HEIGHT = 50


@dataclasses.dataclass
class Row:
    """A line of the table: the log, how it is played, and what comes of it."""

    log: str
    baud: int
    # Epochs that are played at their own pace: `first:N`, `last:N`, `all`, or `bytes` of what is no NMEA, at the line's pace.
    part: str
    # Positions with a time of gpsd, and fixes of the daemon.
    gpsd: int
    fixes: int
    # Shares of the fixes that have a time of the receiver, a velocity, a height. Per cent.
    timed: int
    velocity: int
    height: int
    # Median of gpsd's eph, and of the daemon's sigma to the east. Metres; 0 where there is none.
    eph: float
    sigma: float
    # What the receiver's report must have said, in the journal; - for nothing but a connection and fixes.
    says: str


def read_table():
    lines = (FOLDER / "table.txt").read_text().splitlines()
    rows = []
    for line in lines:
        if line and not line.startswith("#"):
            cells = line.split(None, 10)
            rows.append(Row(*(field.type(cell) for field, cell in zip(dataclasses.fields(Row), cells))))
    return rows


TABLE = read_table()


@functools.cache
def bring_logs():
    """The folder of gpsd's logs, and why there is none."""
    try:
        brought = subprocess.run([ROOT / "scripts/gpsd-logs"], capture_output=True, text=True, timeout=300)
    except subprocess.TimeoutExpired as expired:
        return None, str(expired)
    return (pathlib.Path(brought.stdout.strip()), None) if brought.returncode == 0 else (None, brought.stderr.strip())


# Not one of the session: its tests would be one group, for one worker.
@pytest.fixture
def logs():
    """The folder of gpsd's logs."""
    folder, reason = bring_logs()
    if folder is None:
        pytest.skip(reason)
    return folder


def epochs(times):
    """Names of the epochs of times in seconds: equal ones have the same name, but for those before a step of the clock."""
    names, steps, last = [], 0, None
    for time_now in times:
        if last is not None and time_now < last - CLOCK_STEP:
            steps += 1
        names.append((steps, round(time_now / ROUNDING)))
        last = time_now
    return names


class Listener:
    """Another client of gpsd: what it reports, read without the daemon's parser."""

    def __init__(self, port):
        self.connection = socket.create_connection(("127.0.0.1", port), timeout=10)
        self.connection.settimeout(None)
        self.connection.sendall(b'?WATCH={"enable":true,"json":true};\n')
        self.reports = []
        self.thread = threading.Thread(target=self.listen, daemon=True)
        self.thread.start()

    def listen(self):
        with self.connection.makefile("rb") as lines:
            try:
                for line in lines:
                    self.reports.append(json.loads(line))
            except OSError:
                return

    def close(self):
        self.connection.shutdown(socket.SHUT_RDWR)
        self.thread.join()
        self.connection.close()

    @property
    def release(self):
        wait_until(lambda: self.reports, what="gpsd's greeting")
        return self.reports[0]["release"]

    @property
    def positions(self):
        """The last report with a position for each epoch."""
        reports = [report for report in self.reports if report["class"] == "TPV" and report.get("mode", 0) >= 2
                   and "lat" in report and "time" in report]
        times = [datetime.datetime.fromisoformat(report["time"].replace("Z", "+00:00")).timestamp() for report in reports]
        return list(dict(zip(epochs(times), reports)).values())

    @property
    def modes(self):
        found = {}
        for report in self.reports:
            if report["class"] == "TPV" and "lat" in report:
                found.setdefault((report["lat"], report["lon"]), set()).add(report["mode"])
        return found


@dataclasses.dataclass
class Outcome:
    fixes: list
    positions: list
    # Modes of all reports, by their place.
    modes: dict
    detail: str
    state: str
    is_measured: bool


def play(row, log, folder, paced):
    """Plays a log to gpsd and the daemon; returns what both made of it."""
    folder.mkdir()
    arguments = ["--replay", log, "--baud", row.baud if paced else BURST]
    if paced and row.part != "bytes":
        arguments.append("--pace")
        kind, _, count = row.part.partition(":")
        if kind != "all" and not PLAYS_ALL:
            arguments += [f"--{kind}", count]
    receiver = Receiver(folder / "feed", *arguments)
    listener = daemon = recorder = None
    try:
        listener = Listener(receiver.port)
        daemon = Daemon({
            "iio": {"enabled": False},
            "gnss": {"host": "127.0.0.1", "port": receiver.port, "silence_seconds": SILENCE}}).start()
        daemon.said("connected to gpsd")
        file = folder / "fixes.mcap"
        recorder = Program(
            [PROGRAMS / "waymark", "--socket", daemon.socket, "record", file], folder / "record.log",
            stdout=subprocess.DEVNULL)
        wait_until(lambda: daemon.status().get("recording"), what=lambda: f"a recording; {recorder.log}")
        receiver.command("resume", "replayed")
        wait_until_quiet(daemon, receiver.port)
        device = daemon.device("gpsd")
        is_measured = listener.release == MEASURED_WITH
        if paced and row.says != "-" and is_measured:
            # What was reported at any time: a log that has ended is a receiver that says nothing.
            daemon.said(row.says)
        recorder.end(2)
        fixes = [content for _, _, content in messages(file, ["/gnss/fix"])]
        return Outcome(fixes, listener.positions, listener.modes, device.get("detail") or "", device["state"], is_measured)
    finally:
        for part in (recorder, listener and Closing(listener), daemon and Removing(daemon), receiver and Stopping(receiver)):
            if part:
                part.end()


class Closing:
    def __init__(self, listener):
        self.end = listener.close


class Removing:
    def __init__(self, daemon):
        self.end = daemon.remove


class Stopping:
    def __init__(self, receiver):
        self.end = receiver.stop


def wait_until_quiet(daemon, port):
    """Returns when the daemon has taken all that gpsd has sent, and has nothing more to make of it."""
    count, answers = -1, 0
    while answers < QUIET_ANSWERS:
        time.sleep(0.1)
        samples = daemon.device("gpsd")["samples"]
        count, answers = samples, answers + 1 if samples == count and not under_way(port) else 0


def under_way(port):
    """Bytes between a port of this machine and its clients that neither side has read, by the kernel's table: addresses
    are its second and third column, the bytes to be sent and to be read the fifth."""
    rows = [line.split() for line in pathlib.Path("/proc/net/tcp").read_text().splitlines()[1:]]
    return sum(
        int(count, 16) for row in rows if f":{port:04X}" in (row[1][8:], row[2][8:]) for count in row[4].split(":"))


def share(fixes, condition):
    return round(100 * sum(map(condition, fixes)) / len(fixes)) if fixes else 0


def measured(row, outcome):
    """The row that this run would have."""
    fixes = outcome.fixes
    sigmas = [fix["sigmaEast"] for fix in fixes if fix.get("sigmaEast")]
    errors = [report["eph"] for report in outcome.positions if "eph" in report]
    return dataclasses.replace(
        row, gpsd=len(outcome.positions), fixes=len(fixes), timed=share(fixes, lambda fix: utc(fix) is not None),
        velocity=share(fixes, lambda fix: fix.get("velocityEast") is not None),
        height=share(fixes, lambda fix: fix["heightKind"] != "unknown"),
        eph=round(statistics.median(errors), 2) if errors else 0.0,
        sigma=round(statistics.median(sigmas), 2) if sigmas else 0.0)


def utc(fix):
    return fix.get("utcSeconds")


def has_repetition(outcome):
    names = epochs([utc(fix) for fix in outcome.fixes if utc(fix) is not None])
    return len(set(names)) != len(names)


def others(outcome):
    """Fixes at places that gpsd did not report."""
    places = {(round(latitude, 7), round(longitude, 7)) for latitude, longitude in outcome.modes}
    return [fix for fix in outcome.fixes if (round(fix["latitude"], 7), round(fix["longitude"], 7)) not in places]


def faults(row, found, outcome):
    """What of a run at its own pace is not as the table says."""
    wrong = []

    def check(is_right, text):
        if not is_right:
            wrong.append(f"{row.log}: {text}")

    if outcome.is_measured and not PLAYS_ALL:
        # gpsd may miss the first sentences while it looks for the kind of receiver; a share moves with them.
        missed = max(1, MISSED * row.fixes if row.part == "bytes" else 1)
        check(abs(found.fixes - row.fixes) <= missed, f"{found.fixes} fixes, not {row.fixes}")
        for name in ("timed", "velocity", "height"):
            now, then = getattr(found, name), getattr(row, name)
            # Both are rounded.
            check(abs(now - then) <= 100 * missed / max(1, row.fixes) + 1, f"{name} {now} %, not {then} %")
        for name in ("eph", "sigma"):
            now, then = getattr(found, name), getattr(row, name)
            check(then / SAME <= now <= then * SAME, f"{name} {now} m, not {then} m")
    if found.timed == 100:
        # Of what gpsd has, no epoch is lost, and none comes twice.
        check(abs(found.fixes - found.gpsd) <= 1, f"{found.fixes} fixes of {found.gpsd} positions")
    check(not has_repetition(outcome), "an epoch came twice")
    for fix in outcome.fixes:
        if fix["heightKind"] != "unknown" and outcome.modes.get((fix["latitude"], fix["longitude"])) == {2}:
            check(fix.get("sigmaUp", 0) >= HELD_HEIGHT, f"a height in two dimensions to {fix.get('sigmaUp')} m")
    check(not others(outcome), f"positions that gpsd does not have: {others(outcome)[:2]}")
    return wrong


def play_group(group, logs, folder, paced):
    rows = TABLE[group::GROUPS]

    def play_row(row):
        return play(row, logs / f"{row.log}.log", folder / f"{row.log}-{row.part}".replace(":", "-"), paced)

    with concurrent.futures.ThreadPoolExecutor(len(rows)) as pool:
        return list(zip(rows, pool.map(play_row, rows)))


@pytest.mark.long
@pytest.mark.parametrize("group", range(GROUPS))
def test_a_receiver_at_its_own_pace_gives_each_epoch_once_with_all_that_it_has(group, logs, tmp_path):
    wrong, lines = [], []
    for row, outcome in play_group(group, logs, tmp_path, paced=True):
        found = measured(row, outcome)
        lines.append(" ".join(str(cell) for cell in dataclasses.astuple(found)) + f"   # {outcome.state}: {outcome.detail}")
        wrong += faults(row, found, outcome)
    if RECORDS:
        with open(FOLDER / "measured.txt", "a") as file:
            file.write("\n".join(lines) + "\n")
    assert not wrong, "\n".join([*wrong, "measured:", *lines])


# One group is enough for each change.
@pytest.mark.parametrize("group", [0, *(pytest.param(group, marks=pytest.mark.long) for group in range(1, GROUPS))])
def test_a_log_in_a_burst_gives_no_epoch_twice_and_no_position_that_gpsd_does_not_have(group, logs, tmp_path):
    wrong, count = [], 0
    for row, outcome in play_group(group, logs, tmp_path, paced=False):
        found = measured(row, outcome)
        if RECORDS:
            with open(FOLDER / "measured.txt", "a") as file:
                file.write(f"burst {row.log} {found.fixes} of {found.gpsd}\n")
        if has_repetition(outcome):
            wrong.append(f"{row.log}: an epoch came twice")
        if others(outcome):
            wrong.append(f"{row.log}: positions that gpsd does not have: {others(outcome)[:2]}")
        # With the table it cannot be compared: what gpsd reads before it knows the receiver is lost, at times a whole log.
        if found.timed == 100 and abs(found.fixes - found.gpsd) > max(1, 0.02 * found.gpsd):
            wrong.append(f"{row.log}: {found.fixes} fixes of {found.gpsd} positions in a burst")
        count += found.fixes
    assert count >= BURST_FIXES, f"{count} fixes in all"
    assert not wrong, "\n".join(wrong)


def test_fixes_without_a_time_are_used_and_reported_wherever_one_looks(daemon, tmp_path):
    receiver = Receiver(tmp_path / "feed", "--walk", 1.4, 30, "--no-date")
    try:
        listener = Listener(receiver.port)
        wait_until(lambda: len(listener.modes) >= 3, what="positions that move")
        has_time = bool(listener.positions)
        listener.close()
        if has_time:
            pytest.skip("this gpsd takes the date from elsewhere")
        made = daemon({"iio": {"enabled": False}, "gnss": {"host": "127.0.0.1", "port": receiver.port}}).start()
        made.said("fixes have no time")
        wait_until(lambda: made.device("gpsd")["samples"] >= 3, what=lambda: f"fixes; it is {made.device('gpsd')}")
        device = made.device("gpsd")
        assert device["state"] == "streaming" and device["clock"] == "host"
        assert "lower accuracy" in device["detail"] and "RMC or ZDA" in device["detail"]
        assert "fixes have no time" in waymark("devices", socket=made.socket).stdout
        # Without --config: of the gpsd that the daemon uses, not of the one on the usual port.
        finding = doctor_on_receiver(made)
        assert finding["id"] == "gnss.no-time" and finding["level"] == "warning"
        assert finding["subject"] == f"127.0.0.1:{receiver.port}"
    finally:
        receiver.stop()


def doctor_on_receiver(made):
    """The one finding about the receiver, of a doctor that knows the daemon's socket alone."""
    report = json.loads(waymark("doctor", "--json", "--seconds", 1, socket=made.socket).stdout)
    found = [finding for finding in report["findings"] if finding["id"].startswith("gnss.")]
    assert len(found) == 1, found
    return found[0]


def test_a_clock_that_stands_still_leaves_fixes_that_move(daemon):
    class Moving(ClockOfGPSD):
        def place(self):
            return {"lat": 47 + 1e-6 * (self.number % 1000)}

    with Moving(0.1) as server:
        made = daemon({
            "iio": {"enabled": False},
            "gnss": {"host": "127.0.0.1", "port": server.port, "silence_seconds": 1}}).start()
        wait_until(lambda: made.device("gpsd")["samples"] > 3)
        assert made.device("gpsd").get("detail") is None
        server.pace = 0.0
        made.said("their time does not go on: they are stamped by arrival")
        count = made.device("gpsd")["samples"]
        wait_until(lambda: made.device("gpsd")["samples"] > count + 5, what=lambda: made.device("gpsd"))
        assert made.device("gpsd")["state"] == "streaming"
        server.pace = 0.1
        wait_until(lambda: made.device("gpsd").get("detail") is None, what=lambda: made.device("gpsd"))
        assert made.stop() == 0


def test_the_table_has_forty_logs(logs):
    names = {row.log for row in TABLE}
    assert len(names) >= 40
    assert [name for name in names if not (logs / f"{name}.log").exists()] == []


class TestBringingTheLogs:
    """scripts/gpsd-logs, which downloads them."""

    @staticmethod
    def bring(folder, mirror):
        return subprocess.run(
            [ROOT / "scripts/gpsd-logs", folder], capture_output=True, text=True, timeout=300,
            env={**os.environ, "DEBIAN_MIRROR": mirror, "no_proxy": "127.0.0.1"})

    def test_an_archive_with_another_file_is_refused_and_nothing_kept(self, tmp_path):
        class Handler(http.server.BaseHTTPRequestHandler):
            def do_GET(self):
                self.send_response(200)
                self.end_headers()
                self.wfile.write(b"no archive")

            def log_message(self, *_):
                pass

        with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
            thread = threading.Thread(target=server.serve_forever)
            thread.start()
            try:
                brought = self.bring(tmp_path, f"http://127.0.0.1:{server.server_port}")
            finally:
                server.shutdown()
                thread.join()
        assert brought.returncode != 0 and brought.stdout == "" and "SHA-256" in brought.stderr
        assert [file.name for file in tmp_path.iterdir()] == ["lock"]

    def test_an_archive_that_is_not_reached_is_named_and_what_else_one_can_do(self, tmp_path):
        with socket.socket() as closed:
            # Bound and never listened on: a connection is refused.
            closed.bind(("127.0.0.1", 0))
            mirror = f"http://127.0.0.1:{closed.getsockname()[1]}"
            brought = self.bring(tmp_path, mirror)
        assert brought.returncode != 0 and mirror in brought.stderr and "$DEBIAN_MIRROR" in brought.stderr
        assert [file.name for file in tmp_path.iterdir()] == ["lock"]
