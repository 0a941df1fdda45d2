"""Where the parts of a guest are, and what is remade when its inputs change."""
import contextlib
import fcntl
import hashlib
import pathlib
import shutil

from harness.paths import ROOT

GUEST = ROOT / "Tests/Board/guest"
CACHE = ROOT / ".build/board"


def digest(*inputs):
    """One short word for files (by what they hold) and texts."""
    sum = hashlib.sha256()
    for each in inputs:
        sum.update(each.read_bytes() if isinstance(each, pathlib.Path) else str(each).encode())
        sum.update(b"\0")
    return sum.hexdigest()[:16]


@contextlib.contextmanager
def locked():
    """One preparation at a time, of however many processes."""
    CACHE.mkdir(parents=True, exist_ok=True)
    with open(CACHE / "lock", "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def cached(name, inputs, make):
    """The file or folder `name` of the cache; `make(path)` makes it anew when the inputs are others than before."""
    CACHE.mkdir(parents=True, exist_ok=True)
    target, mark = CACHE / name, CACHE / f"{name}.inputs"
    if target.exists() and mark.exists() and mark.read_text() == inputs:
        return target
    fresh = CACHE / f"{name}.new"
    remove(fresh)
    mark.unlink(missing_ok=True)
    make(fresh)
    remove(target)
    fresh.rename(target)
    mark.write_text(inputs)
    return target


def remove(path):
    if path.is_dir():
        shutil.rmtree(path)
    else:
        path.unlink(missing_ok=True)
