"""The README's tour, typed line by line into a shell on a terminal, and the examples that it uses."""

import contextlib
import json
import os
import pathlib
import pty
import re
import shutil
import signal
import subprocess
import sys

import pytest
from mcap.reader import make_reader

from harness.command import waymark
from harness.paths import PROGRAMS, ROOT
from harness.recording import messages
from harness.waiting import wait_until

EXAMPLES = ROOT / "examples"
TOUR = re.search(r"^## A minute's tour\n(.*?)^## ", (ROOT / "README.md").read_text(), re.MULTILINE | re.DOTALL).group(1)
LINES = [line.strip() for line in re.findall(r"^    (\S.*)$", TOUR, re.MULTILINE)]
# Seconds. A calibration of the simulated board may take a minute, and the machine may be busy.
LONG = 300
PROMPT = r"\[done (\d+)\]"


class Shell:
    """bash on a terminal of its own, without anybody's settings."""

    def __init__(self, folder, temporary):
        self.outer, inner = pty.openpty()
        os.set_blocking(self.outer, False)
        self.text, self.temporary = "", temporary
        environment = {
            "PATH": os.environ["PATH"], "HOME": str(temporary), "TMPDIR": str(temporary), "TERM": "xterm",
            "LANG": "C.UTF-8", "PS1": r"[done $?]"}
        self.bash = subprocess.Popen(
            ["bash", "--norc", "--noprofile", "--noediting", "-i"], cwd=folder, env=environment, stdin=inner, stdout=inner,
            stderr=inner, start_new_session=True, preexec_fn=lambda: os.set_blocking(0, True))
        os.close(inner)
        self.wait_for(PROMPT)

    def wait_for(self, pattern):
        def found():
            try:
                # What a command of before has drawn is no answer to this one.
                self.text += os.read(self.outer, 65536).decode(errors="replace")
            except (BlockingIOError, OSError):
                pass
            return re.search(pattern, self.text)

        return wait_until(found, LONG, what=lambda: f"{pattern} in {self.text[-2000:]!r}")

    def type(self, line, stop_at=None):
        """What a line printed and its status; Ctrl-C ends it at the first text like `stop_at`."""
        self.text = ""
        # The terminal echoes what is typed.
        os.write(self.outer, line.encode() + b"\n")
        self.wait_for(r"\n")
        if stop_at:
            self.wait_for(stop_at)
            os.write(self.outer, b"\x03")
        status = self.wait_for(PROMPT).group(1)
        return int(status), self.text.partition("\n")[2]

    def end(self):
        """Ends bash and what it has left running."""
        for process in processes_of(self.bash.pid):
            os.kill(process, signal.SIGTERM if process != self.bash.pid else signal.SIGKILL)
        self.bash.wait(LONG)
        os.close(self.outer)


def processes_of(session):
    for stat in pathlib.Path("/proc").glob("[0-9]*/stat"):
        with contextlib.suppress(OSError):
            # The sixth field, counted from behind the name, which may have blanks.
            if int(stat.read_text().rpartition(")")[2].split()[3]) == session:
                yield int(stat.parent.name)


@pytest.fixture
def shell(tmp_path):
    """In a folder as a clone has it: the examples, and the programs where `make build` leaves them."""
    clone, temporary = tmp_path / "clone", tmp_path / "tmp"
    (clone / ".build").mkdir(parents=True)
    temporary.mkdir()
    (clone / ".build/release").symlink_to(PROGRAMS)
    shutil.copytree(EXAMPLES, clone / "examples")
    started = Shell(clone, temporary)
    yield started
    started.end()


# By the first words of a line: what it prints, at least.
SHOWN = {
    "waymark pose": '"quaternion"', "waymark doctor": "the daemon answers", "waymark ahead": "Turn right",
    "waymark share": "geo:47.37", "waymark places import": "12 places", "waymark places search": "Café zum Turm",
    "waymark route to": "Fountain", "waymark route set directions.json": "Library Walk",
    "waymark route show": "Library Walk", "waymark wait": "ready", "waymark record": "mine.mcap",
    "waymark report": "walk.html", "waymark calibrate mag": "Magnetometer: accepted",
    "gpspipe": '"class":"TPV"',
}


@pytest.mark.long
def test_the_tour_runs_line_by_line_as_it_is_written(shell):
    assert len(LINES) > 20
    shown = dict(SHOWN)
    for line in LINES:
        # Until the pose is localized or placements are there, as a person would watch for a moment.
        stop_at = r"localized|distance +bearing" if "until Ctrl-C" in line else None
        status, text = shell.type(line, stop_at)
        # The doctor also checks the computer, where other things may be wrong.
        expected = (0, 130) if stop_at else (0, 1) if line.startswith("waymark doctor") else (0,)
        assert status in expected, f"{line}: {status}\n{text}"
        for start in [start for start in shown if line.startswith(start)]:
            assert shown.pop(start) in text, f"{line}\n{text}"
        if line.startswith("waymark serve"):
            shell.wait_for("serves http://127.0.0.1:8765/")
        if line.startswith("waymark-bridge"):
            shell.wait_for("serves gpsd's clients")
    assert shown == {}, "lines that the tour has no longer"
    [folder] = shell.temporary.glob("tmp.*")
    assert {"mine.mcap", "poses.csv", "walk.html"} <= {path.name for path in folder.iterdir()}


def test_the_tour_names_the_examples_where_they_are_installed(tmp_path):
    subprocess.run(
        ["make", "--no-print-directory", "install", f"DESTDIR={tmp_path}", "PREFIX=/usr"], cwd=ROOT, check=True,
        capture_output=True)
    [place] = re.findall(r"# as installed: (/usr/\S+)", TOUR)
    installed = tmp_path / place.removeprefix("/")
    # Beside them lies the folder of the brokers' configurations.
    assert {path.name: path.read_bytes() for path in installed.iterdir() if path.is_file()} == {
        path.name: path.read_bytes() for path in EXAMPLES.iterdir()}


def test_every_example_is_described_and_small():
    described = set(re.findall(r"^\| `([^`]+)` \|", (EXAMPLES / "README.md").read_text(), re.MULTILINE))
    assert described | {"README.md"} == {path.name for path in EXAMPLES.iterdir()}
    # All are in the package, whose size test_package.py limits, and in every clone.
    assert sum(path.stat().st_size for path in EXAMPLES.iterdir()) < 600_000


@pytest.mark.parametrize("kind", ["gyro", "accel", "mag"])
@pytest.mark.parametrize("made", ["kept", "anew"])
def test_the_tables_give_the_calibrations_that_they_are_described_by(kind, made, tmp_path):
    folder = EXAMPLES
    if made == "anew":
        folder = tmp_path
        subprocess.run([sys.executable, ROOT / "scripts/examples", "tables", folder], check=True)
    done = waymark("calibrate", kind, "--from", folder / f"{kind}.csv.gz", "--json")
    assert done.returncode == 0, done.stdout + done.stderr
    bias = {"gyro": (0.01, -0.02, 0.004), "accel": (0.12, -0.2, 0.3), "mag": (12, -25, 8)}[kind]
    assert json.loads(done.stdout)["parameters"]["bias"] == pytest.approx(bias, abs=0.02 * max(map(abs, bias)))


def seconds_of(recording):
    with open(recording, "rb") as file:
        summary = make_reader(file).get_summary()
    topics = {topic for topic, _, _ in messages(recording)}
    assert topics >= {"/imu/specific_force", "/imu/angular_rate", "/magnetic_field", "/pressure", "/gnss/fix"}
    return (summary.statistics.message_end_time - summary.statistics.message_start_time) * 1e-9


def test_the_recording_is_a_minute_from_which_the_estimator_finds_north_and_place():
    assert seconds_of(EXAMPLES / "walk.mcap") == pytest.approx(60, abs=2)
    done = waymark("replay", EXAMPLES / "walk.mcap", "--rate", "1", "--output", "-")
    assert done.returncode == 0 and "warning" not in done.stderr, done.stderr
    header, *rows = [line.split(",") for line in done.stdout.splitlines()]
    last = dict(zip(header, rows[-1], strict=True))
    assert len(rows) == 60 and float(last["hacc_m"]) < 10 and float(last["yaw_acc_deg"]) < 10
    assert last["motion"] == "foot"


@pytest.mark.long
def test_the_recording_is_made_of_the_simulated_walk(tmp_path):
    done = subprocess.run(
        [sys.executable, ROOT / "scripts/examples", "walk", tmp_path, "5"], capture_output=True, text=True, timeout=LONG)
    assert done.returncode == 0, done.stderr
    assert [path.name for path in tmp_path.iterdir()] == ["walk.mcap"]
    # A measurement or two may be lost at either end.
    assert 3 < seconds_of(tmp_path / "walk.mcap") < 7
    assert waymark("replay", tmp_path / "walk.mcap").returncode == 0


def turns(document, daemon):
    assert waymark("route", "set", EXAMPLES / document, socket=daemon.socket).returncode == 0
    shown = waymark("route", "show", "--json", socket=daemon.socket)
    return json.loads(shown.stdout)["route"]["turns"]


def test_the_routes_have_the_turns_that_they_are_described_by(simulation):
    assert turns("directions.json", simulation) == 3
    assert turns("way.gpx", simulation) == 4
