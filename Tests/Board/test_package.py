"""The Debian package on a small Debian 12 without Swift: one life of it, installed, upgraded, removed, purged."""
import json
import pathlib
import subprocess

import pytest

from harness.package import debian_package

HIGHER = "99.0.0"
SETTINGS = "/etc/waymark/waymark.toml"
STATE = "/var/lib/waymark"
# As `unattended-upgrades`: no administrator is there to answer, and what the owner edited stays.
DPKG = "DEBIAN_FRONTEND=noninteractive dpkg --force-confdef --force-confold"
# Unpacking and a dozen small programs, in a guest on a busy machine.
PATIENCE = 900
# Where others keep books of packages, accounts and the time that passes.
NOT_OURS = ("/var/lib/dpkg", "/var/lib/apt", "/var/cache", "/var/log", "/var/lib/systemd/timers", "/tmp", "/var/tmp")
UNITS = "waymark.socket waymarkd.service"


@pytest.fixture(scope="module")
def package(bare_board):
    """The package that was built of the programs built last, as the guest sees it."""
    path = debian_package("NOT TESTED ON A BOARD")
    subprocess.run(["dpkg-deb", "--raw-extract", path, bare_board.share / "tree"], check=True)
    return pack(bare_board, "waymark.deb")


def pack(board, name):
    """The package's tree as a package without compression, which the guest's slow processor would have to undo."""
    subprocess.run(
        ["dpkg-deb", "--root-owner-group", "-Znone", "--build", board.share / "tree", board.share / name],
        check=True, stdout=subprocess.DEVNULL)
    return pathlib.Path("/job") / name


@pytest.fixture(scope="module")
def higher_package(bare_board, package):
    """The same as a later version that brings settings of its own."""
    tree = bare_board.share / "tree"
    control = tree / "DEBIAN/control"
    lines = control.read_text().splitlines()
    control.write_text("".join(f"{'Version: ' + HIGHER if line.startswith('Version:') else line}\n" for line in lines))
    settings = tree / SETTINGS.lstrip("/")
    settings.write_text(settings.read_text() + "# of the later version\n")
    return pack(bare_board, "higher.deb")


@pytest.fixture(scope="module")
def before(bare_board):
    """All files there are before the package comes."""
    return files(bare_board)


@pytest.fixture(scope="module")
def installed(bare_board, package, before):
    """The package was just installed, on a board with sensors that were plugged long before."""
    bare_board.plug_sensors()
    bare_board.run(f"{DPKG} --install {package}", PATIENCE)
    bare_board.wait_for("waymark status", PATIENCE)
    return bare_board


@pytest.fixture(scope="module")
def upgraded(installed, higher_package):
    """Settings were edited and something was kept; then came the higher version. The board, and what was there."""
    installed.run(f"echo '# edited by the owner' >>{SETTINGS} && install -o waymark -m 640 /dev/null {STATE}/kept")
    was = life(installed)
    installed.run(f"{DPKG} --install {higher_package}", PATIENCE)
    installed.wait_for("waymark status", PATIENCE)
    return installed, was


@pytest.fixture(scope="module")
def removed(upgraded):
    board, _ = upgraded
    board.run(f"{DPKG} --remove waymark", PATIENCE)
    return board


@pytest.fixture(scope="module")
def purged(removed):
    removed.run(f"{DPKG} --purge waymark", PATIENCE)
    return removed


def files(board):
    skipped = " -o ".join(f"-path {folder}" for folder in NOT_OURS)
    return set(board.run(f"find / -xdev \\( {skipped} \\) -prune -o -print", PATIENCE).output.splitlines())


def one_word(board, command):
    return board.run(command, check=False).output.strip()


def life(board):
    """What an upgrade must keep, and what it must not."""
    return {
        "settings": board.run(f"cat {SETTINGS}").output,
        "socket": one_word(board, "stat -c %i /run/waymark/waymark.sock"),
        "daemon": one_word(board, "systemctl show --value -p MainPID waymarkd"),
    }


def has_the_sensors(board):
    """The daemon has opened every sensor, set its rate and its clock, and waits for samples; the hub plays none."""
    devices = json.loads(board.run("waymark devices --json").output)["devices"]
    inertial = [device for device in devices if device["name"] in ("accel_3d", "gyro_3d", "magn_3d")]
    return len(inertial) == 3 and all(device["state"] in ("silent", "streaming") for device in inertial)


def wait_for_sensors(board):
    board.wait_for(lambda: has_the_sensors(board), PATIENCE, what=lambda: board.run("waymark devices").output)


def test_installing_starts_the_daemon_which_has_the_sensors_at_once(installed):
    assert installed.run("command -v swift swiftc", check=False).output == ""
    assert one_word(installed, f"systemctl is-active {UNITS}").split() == ["active", "active"]
    assert one_word(installed, f"systemctl is-enabled {UNITS}").split() == ["enabled", "enabled"]
    # Not touched since they were plugged, when there was no such group.
    assert set(one_word(installed, "stat -c %G:%a /dev/iio:device*").split()) == {"waymark:660"}
    assert one_word(installed, f"stat -c %U:%G:%a {STATE}") == "waymark:waymark:750"
    wait_for_sensors(installed)


def test_an_upgrade_keeps_state_and_edited_settings_and_clients_find_the_socket(upgraded):
    board, was = upgraded
    assert one_word(board, "dpkg-query -W -f '${Version}' waymark") == HIGHER
    now = life(board)
    assert now["settings"] == was["settings"]
    assert "# of the later version" in board.run(f"cat {SETTINGS}.dpkg-dist").output
    board.run(f"test -e {STATE}/kept")
    # The new program runs, behind the same socket.
    assert now["daemon"] not in (was["daemon"], "0")
    assert now["socket"] == was["socket"]
    wait_for_sensors(board)


def test_removing_stops_the_daemon_and_keeps_settings_and_state(removed):
    assert "active" not in one_word(removed, f"systemctl is-active {UNITS}").split()
    assert removed.run("command -v waymark waymarkd", check=False).output == ""
    removed.run(f"test -e {SETTINGS} && test -e {STATE}/kept && ! test -e /run/waymark/waymark.sock")
    # The devices are root's alone again.
    assert set(one_word(removed, "stat -c %G:%a /dev/iio:device*").split()) == {"root:600"}
    assert removed.run("find /sys/bus/iio/devices/*/ -maxdepth 2 -type f -group waymark").output == ""


def test_purging_leaves_no_file_but_the_account(purged, before):
    after = files(purged)
    # The copies that the tools for accounts make of what they change.
    copies = {f"/etc/{name}-" for name in ("passwd", "group", "shadow", "gshadow", "subuid", "subgid")}
    assert after - before - copies == set()
    assert before - after == set()
    purged.run("! test -e /run/waymark")
    # As Debian's system users do, the account stays: README.Debian says so.
    assert purged.run("getent passwd waymark").output.startswith("waymark:")
