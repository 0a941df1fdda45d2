"""Fixtures of the tests in a guest: Debian's kernel, its real IIO drivers, virtual sensors behind them."""
import signal

import pytest

from rig.guest import Guest
from rig.install import install
from rig.paths import PROGRAMS
from rig.prepare import obstacle, prepare
from rig.system import unfit


def pytest_configure(config):
    # A job in the background begins with Ctrl-C ignored, and hands that down.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    # Whoever ends the tests early ends the guests, too.
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    for name in ("waymark", "waymarkd"):
        if not (PROGRAMS / name).exists():
            raise pytest.UsageError(f"{PROGRAMS / name} is missing: run `make build` first")


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item, call):
    report = yield
    if report.failed:
        for guest in Guest.living:
            report.sections.append(("last words of the guest", guest.last_words()))
    return report


@pytest.fixture(scope="session")
def prepared():
    """Kernel, initramfs and system image are there; skips where there can be no guest."""
    reason = obstacle()
    if reason:
        pytest.skip(f"NOT TESTED ON A KERNEL: {reason}")
    prepare()


@pytest.fixture(scope="module")
def guest(prepared):
    """A guest without systemd on the host's own files: the programs built last run in it from where they lie."""
    with closing(Guest.on_host_files()) as running:
        yield running


@pytest.fixture(scope="module")
def bare_board(prepared):
    """A small Debian 12 under systemd, without anything of ours."""
    if unfit():
        pytest.skip(f"NOT TESTED ON A BOARD: {unfit()}")
    with closing(Guest.with_systemd()) as running:
        yield running


@pytest.fixture(scope="module")
def board(bare_board):
    """The same with the programs and their files installed; nothing is enabled or started."""
    install(bare_board)
    return bare_board


class closing:
    """Ends a guest, whatever happens."""

    def __init__(self, guest):
        self.guest = guest

    def __enter__(self):
        return self.guest

    def __exit__(self, *_):
        self.guest.end()
