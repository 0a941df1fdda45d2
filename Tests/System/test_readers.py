"""Who can read where the wearer is: each row of the table in SECURITY.md, as a user without any group meets it."""
import encodings.idna  # by which names are resolved: a user without rights can import nothing
import os
import pathlib
import re
import socket
import urllib.request

import pytest
from waymark_interface import POSE_GET_POSE
from websockets.exceptions import InvalidStatus

from harness.account import as_account, needs_root
from harness.daemon import SIMULATION, Daemon
from harness.default_rights import GROUPS, USER, on_default_rights, with_groups
from harness.live_server import LiveServer
from harness.paths import PROGRAMS, ROOT
from harness.process import Program
from harness.waiting import PATIENCE, wait_until

pytestmark = [needs_root, pytest.mark.xdist_group("readers")]


class World:
    """The daemon, the bridge with all outputs and the page, with the groups of the default settings."""

    def __init__(self):
        self.daemon = on_default_rights(Daemon(SIMULATION))
        self.folder = self.daemon.folder
        self.prefix = with_groups(self.folder)
        self.daemon.start(prefix=self.prefix)
        self.display, self.vehicle = (socket.socket(socket.AF_INET, socket.SOCK_DGRAM) for _ in range(2))
        for each in (self.display, self.vehicle):
            each.bind(("127.0.0.1", 0))
        self.bridge = Program([
            *self.prefix, PROGRAMS / "waymark-bridge", "--config", self.daemon.config, "--gpsd", "127.0.0.1:0",
            "--nmea-tcp", "127.0.0.1:0", "--nmea-socket", self.folder / "nmea", "--nmea-terminal", self.folder / "tty",
            "--metrics", "127.0.0.1:0", "--opentrack", f"127.0.0.1:{self.display.getsockname()[1]}",
            "--mavlink", f"udp:127.0.0.1:{self.vehicle.getsockname()[1]}",
        ], self.folder / "bridge.log")
        self.page, self.open_page = LiveServer(self.daemon), LiveServer(self.daemon, "--no-token")
        self.latitude = wait_until(self.position)["latitude"]

    def position(self):
        return self.daemon.call(POSE_GET_POSE)["pose"].get("geo")

    def port(self, output):
        found = wait_until(
            lambda: re.findall(rf"{output} at (?:http://)?127.0.0.1:(\d+)", self.bridge.log), what=lambda: self.bridge.log)
        return int(found[-1])

    def remove(self):
        for each in (self.page, self.open_page, self.bridge):
            each.end()
        self.display.close()
        self.vehicle.close()
        self.daemon.remove()


@pytest.fixture(scope="module")
def world():
    made = World()
    yield made
    made.remove()


def stranger(action):
    """What a user without any group gets, or the name of the error."""
    return by(action, [])


def reader(action):
    return by(action, [GROUPS["waymark"]])


def by(action, groups):
    def tried():
        try:
            return action()
        except OSError as error:
            return type(error).__name__
    return as_account(USER, groups, tried)


def connected(path):
    """The first bytes that a Unix socket sends by itself, or an empty text."""
    with socket.socket(socket.AF_UNIX) as made:
        made.settimeout(PATIENCE)
        made.connect(str(path))
        return made.recv(100).decode() if path.name == "nmea" else ""


def network_sockets(pid):
    """Inodes of the process's sockets of the internet protocols."""
    held = {os.readlink(link) for link in pathlib.Path(f"/proc/{pid}/fd").iterdir() if link.is_symlink()}
    found = set()
    for table in ("tcp", "tcp6", "udp", "udp6"):
        rows = pathlib.Path(f"/proc/{pid}/net/{table}").read_text().splitlines()[1:]
        found |= {f"socket:[{row.split()[9]}]" for row in rows}
    return held & found


def the_default(world):
    assert stranger(lambda: connected(world.daemon.socket)) == "PermissionError"
    assert reader(lambda: connected(world.daemon.socket)) == ""
    assert network_sockets(world.daemon.program.pid) == set()


def nmea_on_this_computer(world):
    assert stranger(lambda: connected(world.folder / "nmea")) == "PermissionError"
    assert stranger(lambda: open(world.folder / "tty", "rb").close()) == "PermissionError"
    assert reader(lambda: connected(world.folder / "nmea")).startswith("$GPGGA")


def text_by_tcp(port, request, pattern):
    """What has come by TCP until a pattern matches, or the end."""
    with socket.create_connection(("127.0.0.1", port), PATIENCE) as made:
        made.sendall(request)
        text = ""
        while not re.search(pattern, text) and (more := made.recv(4096)):
            text += more.decode()
    return text


def outputs_by_tcp(world):
    gpsd, nmea = world.port("gpsd's clients"), world.port("NMEA 0183")
    watch = b'?WATCH={"enable":true,"json":true};'
    assert "lat" in stranger(lambda: text_by_tcp(gpsd, watch, r'"lat":\d+'))
    assert "RMC" in stranger(lambda: text_by_tcp(nmea, b"", r"RMC,[\d.]+,A"))


def metrics(world):
    port = world.port("metrics")

    def read():
        with urllib.request.urlopen(f"http://127.0.0.1:{port}/metrics", timeout=PATIENCE) as answer:
            return answer.read().decode()

    text = stranger(read)
    assert "waymark_" in text and f"{world.latitude:.2f}" not in text


def an_opentrack_program(world):
    """Position in centimetres and attitude, as six numbers: the position only by a setting."""
    world.display.settimeout(PATIENCE)
    datagram = memoryview(world.display.recv(100)).cast("d")
    assert list(datagram[:3]) == [0, 0, 0] and any(datagram[3:])


def a_mavlink_program(world):
    """Latitude in 1e-7 degrees after the time, in message 33."""
    world.vehicle.settimeout(PATIENCE)
    datagram = wait_until(lambda: (found := world.vehicle.recv(300))[7] == 33 and found, interval=0)
    assert abs(int.from_bytes(datagram[14:18], "little", signed=True) / 1e7 - world.latitude) < 0.01


def the_page(world):
    with pytest.raises(InvalidStatus):
        world.page.open(token="")
    assert "parameters" in world.page.call("org.waymark.Pose.GetPose")


def the_page_without_a_token(world):
    assert "parameters" in world.open_page.call("org.waymark.Pose.GetPose")


def held_by(file, test):
    """The check is another test."""
    def check(_):
        assert f"def {test}(" in (ROOT / "Tests/System" / file).read_text()
    return check


CHECKS = {
    "nothing: the default": the_default,
    "`bridge.nmea_socket`, `bridge.nmea_terminal`": nmea_on_this_computer,
    "`bridge.gpsd`, `bridge.nmea_tcp`": outputs_by_tcp,
    "`bridge.metrics`": metrics,
    "`bridge.sensor_proxy`": held_by(
        "test_bridge_sensor_proxy.py", "test_the_policy_gives_the_orientation_to_all_and_the_compass_to_few"),
    "`bridge.opentrack`": an_opentrack_program,
    "`bridge.mavlink`": a_mavlink_program,
    "`waymark serve`": the_page,
    "`serve.require_token = false`": the_page_without_a_token,
    "`mqtt.publish`": held_by("test_mqtt.py", "test_what_the_settings_lack_is_said_and_nothing_is_published"),
    "`allow_remote` of a section, with the unit's addresses": held_by("test_serve.py", "test_wrong_uses_say_what_to_do"),
}


def test_each_row_of_the_table_has_a_check():
    table = (ROOT / "SECURITY.md").read_text().split("| Turned on by")[1].split("\n\n")[0]
    assert [row.split(" |")[0].removeprefix("| ") for row in table.splitlines()[2:]] == list(CHECKS)


@pytest.mark.parametrize("row", CHECKS)
def test_a_user_without_any_group_reads_what_the_table_says(world, row):
    CHECKS[row](world)
