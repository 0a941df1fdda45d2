"""A file system that does not answer, for the system's Python with Debian's python3-fuse: reading `read`, writing `write`,
closing `close` and asking for the size of `size` take until the file system ends; reading `later` until there is a file with
the name of the folder and `.later`, whose text it has then.

Usage: stuck_file_system.py FOLDER
"""
import errno
import pathlib
import stat
import sys
import threading
import time

import fuse

fuse.fuse_python_api = (0, 2)
NAMES = ("read", "write", "close", "size", "later")
# Size that `later` has from the beginning: its text is followed by blanks. Bytes.
SIZE = 4096
LATER = pathlib.Path(sys.argv[-1]).with_suffix(".later")


def never():
    threading.Event().wait()


class Files(fuse.Fuse):
    def __init__(self):
        super().__init__()
        self.opened = set()

    def getattr(self, path):
        found = fuse.Stat()
        if path == "/":
            found.st_mode, found.st_nlink = stat.S_IFDIR | 0o755, 2
            return found
        if path[1:] not in NAMES:
            return -errno.ENOENT
        if path == "/size" and path in self.opened:
            never()
        found.st_mode, found.st_nlink = stat.S_IFREG | 0o666, 1
        found.st_size = SIZE if path == "/later" else 0
        return found

    def readdir(self, path, offset):
        yield from (fuse.Direntry(name) for name in (".", "..", *NAMES))

    def open(self, path, flags):
        self.opened.add(path)

    def read(self, path, length, offset):
        if path == "/read":
            never()
        if path == "/later":
            while not LATER.exists():
                time.sleep(0.01)
            return LATER.read_bytes().ljust(SIZE)[offset:offset + length]
        return b""

    def write(self, path, data, offset):
        if path == "/write":
            never()
        return len(data)

    def flush(self, path):
        if path == "/close":
            never()
        return 0


files = Files()
files.parse(["-f", "-o", "direct_io,attr_timeout=0", *sys.argv[1:]])
files.main()
