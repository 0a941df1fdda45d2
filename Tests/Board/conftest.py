"""Fixtures of the tests in a guest: Debian's kernel, its real IIO drivers, virtual sensors behind them."""
import contextlib

import pytest

from harness.settings import merged
from rig.apparmor import denials
from rig.daemon import Daemon
from rig.guest import Guest
from rig.kernel import NEWER
from rig.prepare import obstacle, prepare
from rig.shared import Shared, SharedBoard, only
from rig.system import unfit

# A board is bare before it has the programs.
ORDER = (None, "guest", "bare_board", "board", "newer_board")
# Fixtures that take minutes on an installed board; what needs another guest than that takes long, too.
LONG = {"calibrated", "clients", "publishing"}


def kind_of_guest(item):
    """The fixture by which a test has its guest; None where it needs none."""
    return next((name for name in ORDER if name in item.fixturenames), None)


def pytest_itemcollected(item):
    """Marks what has to share a process, but the drill, the longest test, and what takes long."""
    if kind_of_guest(item) in ("bare_board", "board", "newer_board") and not item.get_closest_marker("drill"):
        item.add_marker(pytest.mark.board)
    if kind_of_guest(item) not in (None, "board") or LONG & set(item.fixturenames):
        item.add_marker(pytest.mark.long)


def pytest_collection_modifyitems(items):
    """Sorts tests so that each kind of guest is booted once."""
    items.sort(key=lambda item: (ORDER.index(kind_of_guest(item)), item.get_closest_marker("drill") is not None))


@pytest.fixture(scope="session")
def prepared():
    """Kernel, initramfs and system image are there; skips where there can be no guest."""
    reason = obstacle()
    if reason:
        pytest.skip(f"NOT TESTED ON A KERNEL: {reason}")
    prepare()


@pytest.fixture(scope="session")
def shared(prepared):
    """The guests that modules of tests take one after another, by their kind."""
    guests = {"guest": Shared(Guest.on_host_files), "board": SharedBoard(), "newer_board": SharedBoard(NEWER)}
    yield guests
    for each in guests.values():
        each.end()


@pytest.fixture(scope="module")
def guest(shared):
    """A guest without systemd on the host's own files: the programs built last run in it from where they lie."""
    return only(shared, "guest").take()


@pytest.fixture(scope="module")
def sensors(guest):
    """The guest's virtual sensors, plugged in and found by the kernel."""
    guest.plug_sensors()
    return guest.hub


@pytest.fixture
def daemon(guest):
    """Makes daemons on the given settings, not yet started."""
    with contextlib.ExitStack() as stack:
        def make(*layers):
            made = Daemon(guest, merged(*layers))
            stack.callback(made.stop)
            return made

        yield make


@pytest.fixture(scope="session")
def fit():
    """The programs built here run in the system image; skips where they do not."""
    if unfit():
        pytest.skip(f"NOT TESTED ON A BOARD: {unfit()}")


def without_denials(board):
    """The board; after its tests AppArmor must have denied nothing to the services."""
    yield board
    # One whose state is unknown, or that was ended with the tests, may not answer.
    assert board.is_spoiled or not board.machine.runs or denials(board) == []


@pytest.fixture(scope="module")
def bare_board(shared, fit):
    """A small Debian 12 under systemd, without anything of ours."""
    yield from without_denials(only(shared, "board").take_bare())


@pytest.fixture(scope="module")
def board(shared, fit):
    """The same with the programs and their files installed; nothing is enabled or started."""
    yield from without_denials(only(shared, "board").take_installed())


@pytest.fixture(scope="module")
def newer_board(shared, fit):
    """The same with the kernel of Debian 13, which has hrtimer triggers."""
    prepare(newer=True)
    yield from without_denials(only(shared, "newer_board").take_installed())
