"""Fixtures of the system tests: the programs on this machine. What a test starts ends with it."""
import contextlib

import pytest

from harness.daemon import SIMULATION, Daemon
from harness.iio import IIOServer
from harness.rig import Rig
from harness.settings import merged


@pytest.fixture
def daemon():
    """Makes daemons on the given settings, not yet started."""
    with contextlib.ExitStack() as stack:
        def make(*layers, **options):
            made = Daemon(merged(*layers), **options)
            stack.callback(made.remove)
            return made

        yield make


@pytest.fixture
def simulation(daemon):
    """A running daemon of its own on the simulated walk."""
    return daemon(SIMULATION).start()


@pytest.fixture
def open_daemon(daemon):
    """Makes running daemons on the simulated walk to which other users of this machine may connect."""
    def make(*layers):
        made = daemon(SIMULATION, {"service": {"socket_mode": "0666"}}, *layers).start()
        made.folder.chmod(0o755)
        return made

    return make


@pytest.fixture(scope="module")
def walk():
    """A running daemon on the simulated walk that the tests of a module share."""
    shared = Daemon(SIMULATION).start()
    yield shared
    shared.remove()


@pytest.fixture
def iio_server(tmp_path):
    """Makes IIO servers, started."""
    with contextlib.ExitStack() as stack:
        numbers = iter(range(100))

        def make(*arguments):
            made = IIOServer(tmp_path / f"board{next(numbers)}.log", *arguments)
            stack.callback(made.stop)
            return made.start()

        yield make


@pytest.fixture(scope="session")
def rig():
    """Board, receiver and daemon of real parts, which the tests share; each leaves them running and whole."""
    # Power saving depends on subscribers, which come and go with the tests.
    shared = Rig({"power": {"enabled": False}})
    yield shared
    shared.remove()
