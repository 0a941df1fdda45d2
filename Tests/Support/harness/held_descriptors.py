"""Descriptors whose closing takes as long as their sender likes: the process that closes the last copy waits."""
import contextlib
import os
import pathlib
import signal
import socket
import struct
import subprocess
import tempfile
import threading

from .paths import SUPPORT
from .process import Program
from .waiting import wait_until

# Longer than any test waits. Seconds.
FOREVER = 3600
SERVER = SUPPORT / "harness/stuck_file_system.py"


@contextlib.contextmanager
def lingering_socket(seconds=FOREVER):
    """A descriptor of a TCP connection whose peer does not read, which its last close waits for; and that peer."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        sender = socket.create_connection(listener.getsockname())
        peer, _ = listener.accept()
    with peer:
        sender.setblocking(False)
        with contextlib.suppress(BlockingIOError):
            while True:
                sender.send(bytes(65536))
        sender.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, seconds))
        # Its last close here would wait as well.
        descriptor = sender.detach()
        yield descriptor


def let_go(descriptor):
    """Closes this side's copy of a lingering connection. Where the other side has closed its own already, this close is the
    last one and waits for the peer: on a thread, so that no test does."""
    closing = threading.Thread(target=os.close, args=[descriptor], daemon=True)
    closing.start()
    closing.join(0.1)


def hand_over(sender, data, descriptor):
    """Sends the only copy of a lingering connection along with data, unless the kernel refuses it on the receiver's behalf."""
    try:
        socket.send_fds(sender, [data], [descriptor])
    except PermissionError:
        with socket.socket(fileno=os.dup(descriptor)) as refused:
            refused.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 0, 0))
    let_go(descriptor)


class StuckFiles:
    """Files of a file system that does not answer (see stuck_file_system.py), until it ends."""

    def __init__(self, folder):
        self.folder, self.opened = folder, []

    def open(self, name, flags=os.O_RDWR):
        """A descriptor, which is closed when the file system has ended: before, that would take as long."""
        self.opened.append(os.open(self.folder / name, flags))
        return self.opened[-1]

    def answer(self, text):
        """Lets reading `later` go on, with this text."""
        draft = self.folder.with_suffix(".draft")
        draft.write_text(text)
        draft.rename(self.folder.with_suffix(".later"))


@contextlib.contextmanager
def stuck_files():
    folder = pathlib.Path(tempfile.mkdtemp(prefix="wm-stuck-", dir="/tmp"))
    log = folder.with_suffix(".log")
    server = Program(["/usr/bin/python3", SERVER, folder], log)
    files = StuckFiles(folder)
    try:
        wait_until(lambda: (folder / "close").exists(), what=lambda: f"the file system; its log is:\n{server.log}")
        yield files
    finally:
        server.end(signal.SIGKILL)
        for descriptor in files.opened:
            with contextlib.suppress(OSError):
                os.close(descriptor)
        subprocess.run(["umount", "--lazy", folder], check=False)
        folder.rmdir()
        folder.with_suffix(".later").unlink(missing_ok=True)
        log.unlink()
