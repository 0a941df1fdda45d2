"""AppArmor on a board: how its processes are confined, what a profile permits, and what was denied to the services."""
import re
import shlex

FOLDER = "/etc/apparmor.d"
# A shell under this name tries what a profile forbids; what is denied to it is no fault of a service.
TRESPASSER = "/run/trespasser"


def load(board, *profiles, mode=""):
    """As apparmor.service does at boot, which is masked here: it would load the profiles of others, too."""
    board.run(f"cd {FOLDER} && apparmor_parser --replace {mode} {' '.join(profiles)}")


def unload(board, profile):
    board.run(f"apparmor_parser --remove {FOLDER}/{profile}")


def confinement(board, process):
    """The profile of a process and its mode, such as `waymarkd (enforce)`."""
    return board.run(f"cat /proc/{process}/attr/apparmor/current").output.strip()


def permitted(board, user, profile, attempts):
    """Those of the shell commands that succeed for a user under a profile; `unconfined` is the absence of one."""
    script = "".join(f"({attempt}) 2>/dev/null && echo {shlex.quote(attempt)}\n" for attempt in attempts)
    board.run(f"cp /bin/sh {TRESPASSER}")
    words = ["setpriv", "--reuid", user, "--regid", user, "--clear-groups", "aa-exec", "--profile", profile, "--",
             TRESPASSER, "-c", script + "true"]
    return board.run(words).output.splitlines()


def denials(board):
    """The records of what was denied to profiles of Waymark, since the journal was last emptied."""
    lines = board.run("journalctl -b --no-pager -o cat").output.splitlines()
    denied = [line for line in lines if re.search(r'apparmor="DENIED".* profile="waymark', line)]
    return [line for line in denied if f'comm="{TRESPASSER.rpartition("/")[2]}"' not in line]
