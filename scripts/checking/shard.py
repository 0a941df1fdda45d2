"""The share of the long tests that a run takes, chosen by the commit."""
import subprocess

from checking.part import ROOT

SHARDS = 12


def number(commit):
    """From 1 on; of commits one after the other it is as if drawn at random."""
    return int(commit[:8], 16) % SHARDS + 1


def commit():
    """That of the sources; None where they are no repository, or git is missing."""
    try:
        asked = subprocess.run(["git", "rev-parse", "HEAD"], cwd=ROOT, capture_output=True, text=True)
    except FileNotFoundError:
        return None
    return asked.stdout.strip() if asked.returncode == 0 else None


def variable(index):
    """The value of WAYMARK_LONG that chooses it; see `chosen`."""
    return f"{index}/{SHARDS}"


def chosen(names, variable):
    """Of these names of long tests, or of groups of them, those that a value of WAYMARK_LONG chooses."""
    ordered = sorted(names)
    if variable in (None, "", "all"):
        return set(ordered)
    if variable == "none":
        return set()
    index, _, count = variable.partition("/")
    if not (index.isdecimal() and count.isdecimal() and 1 <= int(index) <= int(count)):
        raise ValueError(f"WAYMARK_LONG is {variable!r}; it may be all, none, or a share such as 3/12")
    return set(ordered[int(index) - 1::int(count)])
