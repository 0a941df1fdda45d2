"""Who may do what, on the default configuration: every method of every interface, called with each caller's rights.

The groups are those of the default settings, in an account file that only the daemon sees.
"""
import os
import pathlib
import shutil
import subprocess
import tempfile

import pytest

from harness.account import as_account, needs_root
from harness.command import PROGRAM
from harness.daemon import SIMULATION, Daemon
from harness.default_rights import GROUPS, USER, numbers, on_default_rights, with_groups
from harness.interfaces import MODEL
from harness.rights import AIDERS, CALLERS, CHANGERS, METHODS, READERS, flaws, outcomes

@pytest.fixture(scope="module")
def default_daemon():
    made = on_default_rights(Daemon(SIMULATION))
    yield made.start(prefix=with_groups(made.folder))
    made.remove()


@pytest.fixture
def home():
    """A folder of the callers' own, below one with the program: the sources may lie where other users may not look."""
    folder = pathlib.Path(tempfile.mkdtemp(prefix="wm-", dir="/tmp"))
    folder.chmod(0o755)
    shutil.copy(PROGRAM, folder)
    (folder / "home").mkdir(mode=0o700)
    os.chown(folder / "home", USER, USER)
    yield folder / "home"
    shutil.rmtree(folder)


def test_every_method_stands_in_the_table_as_its_interface_has_it():
    declared = {
        f"{interface.name}.{method.name}": method.notes.keys() & {"changes", "aids"}
        for interface in MODEL.interfaces for method in interface.methods}
    assert not READERS & CHANGERS and not (READERS | CHANGERS) & AIDERS
    # A new method: decide who may call it, and enter it in harness/rights.py.
    assert declared.keys() == READERS | CHANGERS | AIDERS
    assert {name for name, notes in declared.items() if notes == {"changes"}} == CHANGERS
    assert {name for name, notes in declared.items() if notes == {"aids"}} == AIDERS


@needs_root
@pytest.mark.parametrize("caller", CALLERS)
def test_each_caller_may_call_what_its_groups_permit_and_nothing_else(default_daemon, caller):
    found = as_account(USER, numbers(caller), lambda: outcomes(str(default_daemon.socket), METHODS))
    assert flaws(caller, found) == {}


@needs_root
def test_root_may_call_everything(default_daemon):
    assert flaws("root", outcomes(str(default_daemon.socket), METHODS)) == {}


@needs_root
def test_a_group_counts_as_the_first_of_a_caller_as_well(default_daemon):
    method = "org.waymark.Scene.ClearRoute"

    def call():
        os.setgroups([GROUPS["waymark"]])
        os.setgid(GROUPS["waymark-change"])
        os.setuid(USER)
        return outcomes(str(default_daemon.socket), [method])

    assert flaws("changer", as_account(0, [0], call)) == {}


@needs_root
def test_a_group_that_does_not_exist_permits_no_change_and_is_reported(daemon):
    made = on_default_rights(daemon(SIMULATION))
    made.configure({"service": {"change_group": "waymark-missing"}})
    made.start(prefix=with_groups(made.folder))
    assert made.said("waymark-missing")
    found = as_account(USER, numbers("changer"), lambda: outcomes(str(made.socket), METHODS))
    assert flaws("reader", found) == {}
    assert flaws("root", outcomes(str(made.socket), METHODS)) == {}


@needs_root
def test_a_setting_may_let_every_reader_make_changes(daemon):
    made = on_default_rights(daemon(SIMULATION))
    made.configure({"service": {"change_group": "waymark"}})
    made.start(prefix=with_groups(made.folder))
    found = as_account(USER, numbers("reader"), lambda: outcomes(str(made.socket), METHODS))
    assert flaws("changer", found) == {}
    # By which the table of this test is seen to tell the two apart.
    assert flaws("reader", found).keys() == CHANGERS


def run_as(caller, default_daemon, home, *arguments, text=""):
    """The command `waymark`, as a caller with its groups runs it."""
    return subprocess.run(
        [*with_groups(default_daemon.folder), "setpriv", f"--reuid={USER}", f"--regid={USER}",
         f"--groups={','.join(map(str, [USER, *numbers(caller)]))}", home.parent / "waymark", *arguments,
         "--socket", default_daemon.socket], capture_output=True, text=True, input=text)


@needs_root
def test_an_aider_offers_a_table_and_a_reader_is_named_the_group(default_daemon, home):
    def offer(caller):
        return run_as(caller, default_daemon, home, "aid", "--csv", "-", text="alt_m,sd_m\n450,5\n")

    refused = offer("reader")
    assert refused.returncode == 1 and refused.stdout == ""
    assert 'sudo usermod -aG waymark-aid "$USER"' in refused.stderr and "log in again" in refused.stderr
    done = offer("aider")
    assert (done.returncode, done.stderr, done.stdout.splitlines()[0]) == (0, "", "1 row offered, 0 skipped")


@needs_root
def test_a_changer_records_into_a_file_of_its_own_and_a_reader_does_not(default_daemon, home):
    def record(caller, name):
        return run_as(caller, default_daemon, home, "record", home / name, "--duration", "0.5")

    refused = record("reader", "refused.mcap")
    assert refused.returncode == 1
    assert 'sudo usermod -aG waymark-change "$USER"' in refused.stderr and "log in again" in refused.stderr
    assert not (home / "refused.mcap").exists()
    done = record("changer", "walk.mcap")
    assert done.returncode == 0, done.stderr
    file = home / "walk.mcap"
    assert file.stat().st_uid == USER and file.read_bytes()[1:5] == b"MCAP"


@needs_root
def test_what_the_daemon_keeps_is_its_users_alone_whatever_its_mask(daemon):
    made = on_default_rights(daemon(SIMULATION, {"recording": {"at_start": True}}))
    made.start(prefix=(*with_groups(made.folder), "sh", "-c", 'umask 0 && exec "$0" "$@"'))
    made.wait_until(lambda: list(made.recordings.glob("*.mcap")))
    made.stop()
    kept = [path for folder in (made.recordings, made.folder / "state") for path in (folder, *folder.rglob("*"))]
    modes = {path: oct(path.stat().st_mode & 0o777) for path in kept}
    assert modes == {path: "0o700" if path.is_dir() else "0o600" for path in kept}
