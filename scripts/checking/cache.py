"""A copy of the sources outside of the clone, in which the check builds only what differs from the run before."""
import fcntl
import hashlib
import os
import pathlib
import subprocess

from checking.part import ROOT

# Names the folder; unset or empty, the check works in the clone.
VARIABLE = "WAYMARK_CACHE"
# So many runs have one, as if drawn at random, that builds everything: what a cache hides cannot stay hidden.
RUNS_WITHOUT = 10


def is_ignored(commit):
    return commit is None or int(commit[8:16], 16) % RUNS_WITHOUT == 0


def key(compiler=None, system=None):
    """A name for what the compiler and the version of Debian make of the same sources."""
    compiler = compiler or subprocess.run(
        [os.environ.get("SWIFT") or "swift", "--version"], capture_output=True, check=True).stdout
    system = system or pathlib.Path("/etc/os-release").read_bytes()
    return hashlib.sha256(compiler + b"\0" + system).hexdigest()[:16]


def take_lock(folder):
    """The lock of a folder, held until this program ends, whatever it becomes; None where another check has it."""
    file = os.open(folder / "lock", os.O_CREAT | os.O_RDWR)
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        os.close(file)
        return None
    os.set_inheritable(file, True)
    return file


def bring(tree):
    """Makes a folder what the clone is, but for what is built. What is the same keeps its time, as the build asks for."""
    tree.mkdir(exist_ok=True)
    subprocess.run(
        ["rsync", "--recursive", "--links", "--perms", "--checksum", "--delete", "--exclude=/.build", f"{ROOT}/", tree],
        check=True)


def moved(commit):
    """The copy in which to check this commit, brought up to date; None where it is to be checked in the clone."""
    cache = os.environ.get(VARIABLE)
    if not cache:
        return None
    if is_ignored(commit):
        print("check: this run builds everything: one in ten has no cache, nor has what is no commit", flush=True)
        return None
    folder = pathlib.Path(cache).resolve() / key()
    folder.mkdir(parents=True, exist_ok=True)
    if take_lock(folder) is None:
        print(f"check: another check works in {folder}; this one builds everything", flush=True)
        return None
    tree = folder / "tree"
    bring(tree)
    print(f"check: in {tree}", flush=True)
    return tree


def continue_in(tree, arguments):
    """Becomes the check of the copy."""
    os.environ[VARIABLE] = ""
    os.environ.setdefault("WAYMARK_DATA", str(ROOT.parent / "shared/data"))
    os.chdir(tree)
    os.execv(tree / "scripts/check", [tree / "scripts/check", *arguments])
