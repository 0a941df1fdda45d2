"""The three circles of rights with real accounts: readers, those who may change, and what is the service's own."""
import json
import shutil

import pytest

from harness.paths import SUPPORT
from harness.rights import CALLERS, METHODS, flaws
from harness.varlink import SERVICE_SOCKET
from rig.service import Service

STATE = "/var/lib/waymark"
# Accounts of the guest, by the callers that they play.
ACCOUNTS = {caller: caller.split()[0] + ("-alone" if " " in caller else "") for caller in CALLERS}
# Dozens of calls by a program that starts slowly, in a guest on a busy machine. Seconds.
PATIENCE = 900


@pytest.fixture(scope="module")
def service(board):
    """The installed service on its default settings, and an account for each kind of caller."""
    for caller, groups in CALLERS.items():
        board.run(f"useradd {'--groups ' + ','.join(groups) if groups else ''} {ACCOUNTS[caller]}")
    shutil.copy(SUPPORT / "harness/rights.py", board.share)
    running = Service(board)
    board.run("systemctl restart waymark.socket waymarkd.service", timeout=600)
    running.wait_until_active()
    yield running
    for account in ACCOUNTS.values():
        board.run(f"userdel {account}")


def as_account(service, caller, command):
    account = ACCOUNTS[caller]
    return service.board.run(
        f"setpriv --reuid {account} --regid {account} --init-groups {command} 2>&1", timeout=PATIENCE, check=False)


CALLS = f"python3 /job/rights.py {SERVICE_SOCKET} {' '.join(METHODS)}"


@pytest.mark.parametrize("caller", CALLERS)
def test_each_account_may_call_what_its_groups_permit_and_nothing_else(service, caller):
    result = as_account(service, caller, CALLS)
    assert result.code == 0, result
    assert flaws(caller, json.loads(result.output)) == {}


def test_root_may_call_everything(service):
    result = service.board.run(CALLS, timeout=PATIENCE)
    assert flaws("root", json.loads(result.output)) == {}


def test_the_daemons_own_user_may_call_everything(service):
    result = service.board.run(
        f"setpriv --reuid waymark --regid waymark --clear-groups {CALLS}", timeout=PATIENCE)
    assert flaws("root", json.loads(result.output)) == {}


def test_a_caller_is_told_the_group_that_it_lacks(service):
    assert "usermod -aG waymark \"$USER\"" in as_account(service, "changer without reading", "waymark status").output
    refused = as_account(service, "reader", "waymark route clear")
    assert refused.code == 1 and 'usermod -aG waymark-change "$USER"' in refused.output
    assert as_account(service, "changer", "waymark route clear").code == 0


def test_a_changer_has_a_recording_of_its_own_in_a_folder_that_the_daemon_cannot_enter(service):
    service.board.run("install -d -o changer -m 700 /tmp/own")
    done = as_account(service, "changer", "waymark record /tmp/own/walk.mcap --duration 1")
    assert done.code == 0, done
    assert service.board.run("stat -c %U /tmp/own/walk.mcap").output == "changer\n"
    assert service.board.run("head -c 5 /tmp/own/walk.mcap | tail -c 4; rm -r /tmp/own").output == "MCAP"
    refused = as_account(service, "reader", "waymark record /tmp/refused.mcap --duration 1")
    assert refused.code == 1 and "waymark-change" in refused.output
    service.board.run("! test -e /tmp/refused.mcap")


@pytest.mark.parametrize("caller", CALLERS)
def test_the_state_is_the_daemons_alone(service, caller):
    assert service.board.run(f"stat -c '%U %a' {STATE}").output == "waymark 700\n"
    assert as_account(service, caller, f"ls {STATE}").code != 0


def test_a_group_that_does_not_exist_permits_no_change_until_it_does(service):
    mark = service.mark()
    service.setting('[service]\nchange_group = "waymark-missing"\n')
    service.board.run("systemctl reload waymarkd")
    service.board.wait_for(
        lambda: any("waymark-missing" in line for line in service.journal(mark)), what=lambda: service.journal(mark))
    assert as_account(service, "changer", "waymark route clear").code == 1
    service.board.run("waymark route clear")
    service.setting("")
    service.board.run("systemctl reload waymarkd")
    service.board.wait_for(lambda: as_account(service, "changer", "waymark route clear").code == 0)
