"""The Debian package on a small Debian 12 without Swift: installed, upgraded, removed and purged as apt does it."""
import pathlib
import shutil
import subprocess

import pytest

from rig.paths import ROOT

HIGHER = "99.0.0"
SETTINGS = "/etc/waymark/waymark.toml"
STATE = "/var/lib/waymark"
# As `unattended-upgrades` and everybody whose terminal is not there to answer: what the owner edited stays.
APT = (
    "DEBIAN_FRONTEND=noninteractive apt-get -qq -o Dpkg::Options::=--force-confdef -o Dpkg::Options::=--force-confold"
    " -o Dpkg::Use-Pty=0")
# Where others keep books of packages, accounts and the time that passes.
NOT_OURS = ("/var/lib/dpkg", "/var/lib/apt", "/var/cache", "/var/log", "/var/lib/systemd/timers", "/tmp", "/var/tmp")
UNITS = "waymark.socket waymarkd.service"


@pytest.fixture(scope="module")
def package(bare_board):
    """The package that was built of the programs built last, as the guest sees it."""
    if not shutil.which("dpkg-deb"):
        pytest.skip("NOT TESTED ON A BOARD: this is no Debian system, so there is no package")
    needed = subprocess.run([ROOT / "scripts/require", "build", "package"], capture_output=True, text=True)
    if needed.returncode:
        pytest.skip(f"NOT TESTED ON A BOARD: {needed.stderr.strip()}")
    made = subprocess.run([ROOT / "scripts/deb", "--if-older"], capture_output=True, text=True)
    assert made.returncode == 0, made.stdout + made.stderr
    [path] = (ROOT / ".build/deb").glob("waymark_*.deb")
    shutil.copy(path, bare_board.share / "waymark.deb")
    return pathlib.Path("/job/waymark.deb")


@pytest.fixture(scope="module")
def higher_package(bare_board, package):
    """The same as a later version that brings settings of its own."""
    tree = bare_board.share / "higher"
    subprocess.run(["dpkg-deb", "--raw-extract", bare_board.share / package.name, tree], check=True)
    control = tree / "DEBIAN/control"
    lines = control.read_text().splitlines()
    control.write_text("".join(f"{'Version: ' + HIGHER if line.startswith('Version:') else line}\n" for line in lines))
    settings = tree / SETTINGS.lstrip("/")
    settings.write_text(settings.read_text() + "# of the later version\n")
    # Unpacked by the guest's slow processor: little compression is quicker.
    subprocess.run(
        ["dpkg-deb", "--root-owner-group", "-Zgzip", "-z1", "--build", tree, bare_board.share / "higher.deb"],
        check=True, stdout=subprocess.DEVNULL)
    shutil.rmtree(tree)
    return pathlib.Path("/job/higher.deb")


@pytest.fixture(scope="module")
def before(bare_board):
    """All files there are before the package comes."""
    return files(bare_board)


@pytest.fixture
def installed(bare_board, package, before):
    """A board with sensors on which the package was just installed, whatever other tests left."""
    board = bare_board
    board.run(f"{APT} purge -y waymark", timeout=600, check=False)
    board.hub.plug()
    board.wait_for("test $(ls -d /dev/iio:device* | wc -l) = 3")
    board.run(f"{APT} install -y {package}", timeout=600)
    board.wait_for("waymark status")
    yield board
    board.hub.unplug()


def files(board):
    skipped = " -o ".join(f"-path {folder}" for folder in NOT_OURS)
    return set(board.run(f"find / -xdev \\( {skipped} \\) -prune -o -print", timeout=600).output.splitlines())


def one_word(board, command):
    return board.run(command, check=False).output.strip()


def streams(board):
    return board.run("waymark devices --json").output.count('"streaming"') == 3


def test_installing_starts_the_daemon_which_has_the_sensors_at_once(installed):
    board = installed
    assert board.run("command -v swift swiftc; ls /usr/lib/swift", check=False).output.count("\n") == 1
    assert one_word(board, f"systemctl is-active {UNITS}").split() == ["active", "active"]
    assert one_word(board, f"systemctl is-enabled {UNITS}").split() == ["enabled", "enabled"]
    # Plugged before the group was there, and not touched since.
    assert set(one_word(board, "stat -c %G:%a /dev/iio:device*").split()) == {"waymark:660"}
    board.wait_for(lambda: streams(board), what=lambda: board.run("waymark devices").output)
    assert one_word(board, "stat -c %U:%G:%a /var/lib/waymark") == "waymark:waymark:750"


def test_an_upgrade_keeps_state_and_edited_settings_and_clients_find_the_socket(installed, higher_package):
    board = installed
    board.run(f"echo '# edited by the owner' >>{SETTINGS} && install -o waymark -m 640 /dev/null {STATE}/kept")
    settings = board.run(f"cat {SETTINGS}").output
    socket = one_word(board, "stat -c %i /run/waymark/waymark.sock")
    daemon = one_word(board, "systemctl show --value -p MainPID waymarkd")

    board.run(f"{APT} install -y {higher_package}", timeout=600)

    assert one_word(board, "dpkg-query -W -f '${Version}' waymark") == HIGHER
    board.wait_for("waymark status")
    assert board.run(f"cat {SETTINGS}").output == settings
    assert "# of the later version" in board.run(f"cat {SETTINGS}.dpkg-dist").output
    board.run(f"test -e {STATE}/kept")
    # The new program runs, behind the same socket.
    assert one_word(board, "systemctl show --value -p MainPID waymarkd") not in (daemon, "0")
    assert one_word(board, "stat -c %i /run/waymark/waymark.sock") == socket
    board.wait_for(lambda: streams(board), what=lambda: board.run("waymark devices").output)


def test_removing_stops_the_daemon_and_keeps_settings_and_state(installed):
    board = installed
    board.run(f"install -o waymark -m 640 /dev/null {STATE}/kept")

    board.run(f"{APT} remove -y waymark", timeout=600)

    assert "active" not in one_word(board, f"systemctl is-active {UNITS}").split()
    assert board.run("command -v waymark waymarkd", check=False).output == ""
    board.run(f"test -e {SETTINGS} && test -e {STATE}/kept && ! pidof waymarkd waymark && ! test -e /run/waymark/waymark.sock")
    # The devices are nobody's but root's again.
    board.wait_for("test \"$(stat -c %G /dev/iio:device* | sort -u)\" = root")


def test_purging_leaves_no_file_but_the_account(installed, before):
    board = installed
    board.run(f"install -o waymark -m 640 /dev/null {STATE}/kept && echo '# edited' >>{SETTINGS}")

    board.run(f"{APT} purge -y waymark", timeout=600)

    # The copies that the tools for accounts make of what they change.
    new = {path for path in files(board) - before if path not in ("/etc/passwd-", "/etc/group-", "/etc/shadow-", "/etc/gshadow-")}
    assert new == set()
    assert before - files(board) == set()
    assert board.run("ls /run/waymark /run/systemd/units/*waymark*", check=False).output.count("No such file") == 2
    # As Debian's system users do, the account stays: README.Debian tells.
    assert board.run("getent passwd waymark").output.startswith("waymark:")
