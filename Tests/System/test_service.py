"""The daemon as a service: what it reports to the service manager, the socket it is given or makes, its end and its log."""
import os
import re
import signal
import socket
import stat
import subprocess
import sys
import time

import pytest
from waymark_interface import POSE_GET_POSE, SERVICE_GET_INFO, STATUS_GET_STATUS

from harness.daemon import IN_MEMORY, SIMULATION
from harness.paths import PROGRAMS
from harness.run_queue import Stopwatch, seconds_to_end
from harness.varlink import Connection
from harness.waiting import PATIENCE, wait_until

# The project promises this from a signal to the end. Seconds.
END = 1.0
# At which the service manager takes it for hung. Seconds.
WATCHDOG = 2.0


class Manager:
    """The service manager's end of sd_notify."""

    def __init__(self, path):
        self.path = str(path)
        self.socket = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self.socket.bind(self.path)
        self.socket.settimeout(PATIENCE)
        self.heard = []

    def hear(self, beginning):
        """The next line that begins so; all that came before are kept in `heard`."""
        deadline = time.monotonic() + PATIENCE
        while time.monotonic() < deadline:
            for line in self.socket.recv(65536).decode().splitlines():
                self.heard.append(line)
                if line.startswith(beginning):
                    return line
        raise AssertionError(f"no {beginning}; heard {self.heard}")


@pytest.fixture
def manager():
    path = f"/tmp/wm-notify-{os.getpid()}"
    made = Manager(path)
    yield made
    made.socket.close()
    os.unlink(path)


def test_the_service_manager_hears_ready_status_and_stopping(daemon, manager):
    made = daemon(SIMULATION, environment={"NOTIFY_SOCKET": manager.path}).launch()
    manager.hear("READY=1")
    # Ready means that clients are taken, without waiting.
    with made.connect() as connection:
        connection.call(SERVICE_GET_INFO)
    manager.hear("STATUS=")
    made.wait_for_state("localized")
    while "localized" not in manager.hear("STATUS="):
        pass
    made.program.send(signal.SIGTERM)
    manager.hear("STOPPING=1")
    assert made.program.wait() == 0


def test_a_reload_is_told_to_the_service_manager(daemon, manager):
    made = daemon(SIMULATION, environment={"NOTIFY_SOCKET": manager.path}).launch()
    manager.hear("READY=1")
    made.wait_for_state("localized")
    while "localized" not in manager.hear("STATUS="):
        pass
    made.reload()
    manager.hear("RELOADING=1")
    # What it said of its state still holds.
    assert "localized" in manager.hear("STATUS=")
    assert manager.heard[-2] == "READY=1"


def test_the_watchdog_is_fed_at_least_twice_an_interval(daemon, manager):
    watched = {"NOTIFY_SOCKET": manager.path, "WATCHDOG_USEC": f"{WATCHDOG * 1e6:.0f}"}
    made = daemon(SIMULATION, environment=watched).launch()
    manager.hear("READY=1")
    manager.hear("WATCHDOG=1")
    with Stopwatch(made.program.pid) as watch:
        for _ in range(4):
            manager.hear("WATCHDOG=1")
    assert watch.seconds < 4 * WATCHDOG / 2
    assert made.program.runs


ACTIVATE = """
import os, socket, sys
listener = socket.socket(socket.AF_UNIX)
# A client that sees it may connect to it.
listener.bind(sys.argv[1] + ".new")
listener.listen(16)
os.rename(sys.argv[1] + ".new", sys.argv[1])
os.dup2(listener.fileno(), 3)
os.set_inheritable(3, True)
os.environ.update(LISTEN_FDS="1", LISTEN_PID=str(os.getpid()))
os.execv(sys.argv[2], sys.argv[2:])
"""


def test_a_socket_from_the_service_manager_is_used_and_left_there(daemon):
    made = daemon(SIMULATION)
    handed = made.folder / "handed"
    made.launch(prefix=[sys.executable, "-c", ACTIVATE, handed])
    wait_until(handed.exists)
    with Connection(handed) as connection:
        assert connection.call(STATUS_GET_STATUS)["status"]["source"] == "simulation"
    assert not made.socket.exists(), "it has a socket: it makes no other"
    assert made.stop() == 0
    assert handed.exists(), "the socket belongs to the service manager"


def test_what_is_handed_over_and_is_no_socket_is_refused(daemon):
    made = daemon(SIMULATION)
    script = 'import os, sys\nos.dup2(os.open("/dev/null", os.O_RDWR), 3)\nos.set_inheritable(3, True)\n' \
        'os.environ.update(LISTEN_FDS="1", LISTEN_PID=str(os.getpid()))\nos.execv(sys.argv[1], sys.argv[1:])\n'
    made.launch(prefix=[sys.executable, "-c", script])
    assert made.program.wait() == 1
    assert "socket" in made.log


def test_its_own_socket_has_the_mode_of_the_settings_and_goes_with_it(daemon):
    made = daemon(SIMULATION, {"service": {"socket_mode": "0640"}}).start()
    assert stat.S_IMODE(os.stat(made.socket).st_mode) == 0o640
    assert made.stop() == 0
    assert not made.socket.exists()


def test_a_socket_left_by_a_killed_daemon_is_replaced(daemon):
    made = daemon(SIMULATION).start()
    made.program.end(signal.SIGKILL)
    assert made.socket.exists()
    made.start()
    assert made.status()["poses"] >= 0


def test_a_second_daemon_on_the_same_socket_is_refused_and_harms_nothing(daemon):
    first = daemon(SIMULATION).start()
    second = daemon(SIMULATION, {"service": {"socket": str(first.socket)}}).launch()
    assert second.program.wait() == 1
    assert str(first.socket) in second.log
    assert first.status()["source"] == "simulation"


def test_a_second_daemon_on_the_same_state_is_refused_and_one_after_a_kill_is_not(daemon):
    first = daemon(SIMULATION).start()
    second = daemon(SIMULATION, {"state": {"directory": first.settings["state"]["directory"]}}).launch()
    assert second.program.wait() == 1
    assert f"in use by process {first.program.pid}" in second.log and first.settings["state"]["directory"] in second.log
    assert first.status()["source"] == "simulation"
    first.program.end(signal.SIGKILL)
    assert second.start().status()["source"] == "simulation"


def test_a_file_in_the_place_of_the_socket_is_not_removed(daemon):
    made = daemon(SIMULATION)
    made.socket.write_text("mine")
    made.launch()
    assert made.program.wait() == 1
    assert made.socket.read_text() == "mine" and str(made.socket) in made.log


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT], ids=lambda number: number.name)
def test_a_signal_ends_it_at_once_with_clients_connected(daemon, number):
    made = daemon(SIMULATION, parent=IN_MEMORY).start()
    reader = made.subscribe()
    reader.wait_for_more()
    assert seconds_to_end(made.program, number) < END
    assert made.program.wait() == 0
    assert not made.socket.exists()
    reader.thread.join(PATIENCE)
    assert not reader.thread.is_alive(), "the client's connection is closed"


def test_the_real_parts_end_at_once_too(daemon, iio_server):
    made = daemon({"iio": {"context": iio_server().uri}, "gnss": {"host": "127.0.0.1", "port": 1}}, parent=IN_MEMORY).start()
    wait_until(lambda: (imu := made.device("imu_6axis")) and imu["state"] == "streaming")
    assert seconds_to_end(made.program) < END
    assert made.program.wait() == 0


def test_log_lines_are_few(daemon):
    made = daemon(SIMULATION).start()
    with made.subscribe(rate=200) as reader:
        reader.wait_for(lambda pose: pose["state"] == "localized")
        before = len(made.log.splitlines())
        started = time.monotonic()
        while time.monotonic() < started + 10:
            with made.connect() as connection:
                connection.call(POSE_GET_POSE)
            time.sleep(0.05)
        lines = made.log.splitlines()
    # Priorities are for the journal: test_demo.py.
    assert all(re.match(r"[^<\s]", line) for line in lines), lines
    assert 0 < before < 30 and len(lines) - before < 10, lines


def test_version_and_help():
    for option, text in (("--version", "waymarkd "), ("--help", "--config")):
        result = subprocess.run([PROGRAMS / "waymarkd", option], capture_output=True, text=True, timeout=60)
        assert result.returncode == 0 and text in result.stdout and result.stderr == ""
    result = subprocess.run([PROGRAMS / "waymarkd", "--frobnicate"], capture_output=True, text=True, timeout=60)
    assert result.returncode == 2 and "--frobnicate" in result.stderr and result.stdout == ""
