"""The Debian package on a small Debian 12 without Swift: one life of it, installed, upgraded, removed, purged."""
import json
import pathlib
import subprocess

import pytest

from harness.package import debian_package
from rig.apparmor import confinement

HIGHER = "99.0.0"
SETTINGS = "/etc/waymark/waymark.toml"
STATE = "/var/lib/waymark"
OWN_RULES = "/etc/apparmor.d/local/waymarkd"
# As `unattended-upgrades`: no administrator is there to answer, and what the owner edited stays.
DPKG = "DEBIAN_FRONTEND=noninteractive dpkg --force-confdef --force-confold"
# Unpacking and a dozen small programs, in a guest on a busy machine.
PATIENCE = 900
# Where others keep books of packages, accounts and the time that passes.
NOT_OURS = ("/var/lib/dpkg", "/var/lib/apt", "/var/cache", "/var/log", "/var/lib/systemd/timers", "/tmp", "/var/tmp")
UNITS = "waymark.socket waymarkd.service"
GROUPS = ("waymark", "waymark-change", "waymark-aid")


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


# What the group `waymark` had before reading and changing were separate rights: sensors, state and recordings.
OLD_LAYOUT = f"""
groupdel waymark-change
groupdel waymark-aid
useradd --groups waymark member
chown root:waymark /dev/iio:device* && chmod 660 /dev/iio:device*
find -L /sys/bus/iio/devices/iio:device*/ -maxdepth 2 -user waymark -exec chown root:waymark {{}} + -exec chmod g+w {{}} +
mkdir -p {STATE}/recordings && echo walk >{STATE}/recordings/walk.mcap
chown -R waymark:waymark {STATE} && chmod -R u=rwX,g=rX,o= {STATE}
"""


@pytest.fixture(scope="module")
def upgraded(installed, higher_package):
    """Settings were edited, and rights were as former versions had them; then came the higher version.

    The board, and what was there.
    """
    installed.run(f"echo '# edited by the owner' >>{SETTINGS} && install -o waymark -m 640 /dev/null {STATE}/kept")
    installed.run(f"echo '/data/waymark/{{,**}} rwk,' >>{OWN_RULES}")
    installed.run(OLD_LAYOUT)
    assert set(one_word(installed, "stat -c %U:%G:%a /dev/iio:device*").split()) == {"root:waymark:660"}
    assert attributes(installed, "-perm -g+w") != ""
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


def attributes(board, condition):
    """The files of sensors in sysfs for which a condition of `find` holds."""
    return board.run(f"find -L /sys/bus/iio/devices/iio:device*/ -maxdepth 2 -type f {condition}").output


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
    # Not touched since they were plugged, when there was no such user.
    assert set(one_word(installed, "stat -c %U:%G:%a /dev/iio:device*").split()) == {"waymark:root:600"}
    assert one_word(installed, f"stat -c %U:%G:%a {STATE}") == "waymark:waymark:700"
    for group in GROUPS:
        assert one_word(installed, f"getent group {group}").endswith(":"), "a group without members"
    wait_for_sensors(installed)


def test_installing_confines_the_daemon_and_no_program_that_a_user_starts(installed):
    assert confinement(installed, life(installed)["daemon"]) == "waymarkd (enforce)"
    page = int(installed.run("waymark serve --http 127.0.0.1:0 >/dev/null 2>&1 & echo $!").output)
    installed.wait_for(f"readlink /proc/{page}/exe | grep -x /usr/bin/waymark")
    assert confinement(installed, page) == "unconfined"
    installed.run(f"kill {page}")


def test_an_upgrade_keeps_state_and_edited_settings_and_clients_find_the_socket(upgraded):
    board, was = upgraded
    assert one_word(board, "dpkg-query -W -f '${Version}' waymark") == HIGHER
    now = life(board)
    assert now["settings"] == was["settings"]
    assert "# of the later version" in board.run(f"cat {SETTINGS}.dpkg-dist").output
    board.run(f"test -e {STATE}/kept")
    # The new program runs, behind the same socket and under its profile with the owner's rules.
    assert "/data/waymark" in board.run(f"cat {OWN_RULES}").output
    assert confinement(board, now["daemon"]) == "waymarkd (enforce)"
    assert now["daemon"] not in (was["daemon"], "0")
    assert now["socket"] == was["socket"]
    wait_for_sensors(board)


def test_an_upgrade_from_one_group_for_all_leaves_its_members_reading_and_nothing_else(upgraded):
    board, _ = upgraded
    assert one_word(board, "getent group waymark").endswith(":member")
    assert one_word(board, "getent group waymark-change").endswith(":")
    assert one_word(board, "getent group waymark-aid").endswith(":")
    assert set(one_word(board, "stat -c %U:%G:%a /dev/iio:device*").split()) == {"waymark:root:600"}
    assert attributes(board, "-perm /g+w,o+w") == attributes(board, "-group waymark") == ""
    # Nothing is lost, and all of it is the service's own.
    assert board.run(f"cat {STATE}/recordings/walk.mcap").output == "walk\n"
    assert board.run(f"find {STATE} ! -user waymark -o -perm /077").output == ""

    def member(command):
        return board.run(f"setpriv --reuid member --regid member --init-groups {command} 2>&1", check=False)

    assert member("waymark status").code == 0
    for change in ("waymark route clear", "waymark record /tmp/member.mcap --duration 1"):
        refused = member(change)
        assert refused.code == 1 and "usermod -aG waymark-change" in refused.output, refused
    assert member(f"ls {STATE}").code != 0
    board.run("usermod -aG waymark-change member")
    assert member("waymark route clear").code == 0
    assert member("waymark record /tmp/member.mcap --duration 1").code == 0
    assert one_word(board, "stat -c %U /tmp/member.mcap") == "member"
    board.run("rm /tmp/member.mcap")


def test_removing_stops_the_daemon_and_keeps_settings_and_state(removed):
    assert "active" not in one_word(removed, f"systemctl is-active {UNITS}").split()
    assert removed.run("command -v waymark waymarkd", check=False).output == ""
    removed.run(f"test -e {SETTINGS} && test -e {STATE}/kept && ! test -e /run/waymark/waymark.sock")
    # The devices are root's alone again.
    assert set(one_word(removed, "stat -c %U:%G:%a /dev/iio:device*").split()) == {"root:root:600"}
    assert attributes(removed, r"\( -user waymark -o -group waymark \)") == ""


def test_purging_leaves_no_file_but_the_accounts(purged, before):
    after = files(purged)
    # The copies that the tools for accounts make of what they change.
    copies = {f"/etc/{name}-" for name in ("passwd", "group", "shadow", "gshadow", "subuid", "subgid")}
    assert after - before - copies == set()
    # What dh_apparmor leaves to purge removes this one, too, where it is empty.
    assert before - after <= {"/etc/apparmor.d/disable"}
    purged.run("! test -e /run/waymark")
    # As Debian's system users do, the account stays: README.Debian says so.
    assert purged.run("getent passwd waymark").output.startswith("waymark:")
    for group in GROUPS:
        assert purged.run(f"getent group {group}").output.startswith(f"{group}:")
