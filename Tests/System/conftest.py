"""Fixtures of the system tests. Whatever a test starts ends with it, by its process id; logs are shown on failure."""
import pytest

from harness.daemon import SIMULATION, Daemon, merged
from harness.process import Program
from harness.rig import Rig
from harness.sensors import Board


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item, call):
    report = yield
    if report.failed:
        for program in Program.living:
            lines = program.log.splitlines()[-60:]
            report.sections.append((f"last words of {program.name} ({program.pid})", "\n".join(lines)))
    return report


def pytest_sessionfinish():
    for program in list(Program.living):
        program.end()


@pytest.fixture
def daemon():
    """Makes daemons on the given settings, not yet started."""
    made = []

    def make(*layers, **options):
        made.append(Daemon(merged(*layers), **options))
        return made[-1]

    yield make
    for each in made:
        each.remove()


@pytest.fixture
def simulation(daemon):
    """A running daemon of its own on the simulated walk."""
    return daemon(SIMULATION).start()


@pytest.fixture(scope="module")
def walk():
    """A running daemon on the simulated walk that the tests of a module share; they leave it as it is."""
    shared = Daemon(SIMULATION).start()
    yield shared
    shared.remove()


@pytest.fixture
def board(tmp_path):
    """Makes IIO servers, started."""
    made = []

    def make(*arguments):
        made.append(Board(tmp_path / f"board{len(made)}.log", *arguments).start())
        return made[-1]

    yield make
    for each in made:
        each.stop()


@pytest.fixture(scope="session")
def rig():
    """Board, receiver and daemon of real parts, which the tests share; each leaves them running and whole."""
    # Whether somebody reads at the moment is not what they are about.
    shared = Rig({"power": {"enabled": False}})
    yield shared
    shared.remove()
