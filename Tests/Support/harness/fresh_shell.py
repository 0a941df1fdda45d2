"""bash on a terminal of its own, where nothing of this machine can be met: a new user's first hour."""
import contextlib
import os
import pathlib
import pty
import re
import shutil
import signal
import subprocess

import pytest

from .living import Living
from .paths import PROGRAMS, ROOT
from .waiting import wait_until

# Seconds. A calibration of the simulated board may take a minute, and the machine may be busy.
PATIENCE = 300
PROMPT = r"\[done (\d+)\]"
# The folder in which a shell begins.
HOME = "/srv"
# Folders of this machine are hidden below those of the shell, the programs built last shown where a clone has them.
SET_UP = f"""
mount --bind "$2" "$1/home/.build/bin" && mount --rbind "$1/home" {HOME} && mount --bind "$1/run" /run &&
mount --bind "$1/tmp" /tmp && ip link set lo up && cd {HOME} && exec bash --norc --noprofile --noediting -i
"""
# No user of the tests may become root by it: it runs the command as it is.
SUDO = '#!/bin/sh\nexec "$@"\n'


class FreshShell(Living):
    """A shell in a folder as a clone has it: the examples, and the programs where the Makefile leaves them.

    /tmp, /run and the network are its own, so that addresses and paths can stand as a document writes them, and `sudo` changes
    nothing.
    """

    def __init__(self, folder):
        self.folder, self.text = folder, ""
        self.enlist()
        home = folder / "home"
        for part in ("home/.build/bin", "home/bin", "run/user", "tmp"):
            (folder / part).mkdir(parents=True)
        (folder / "run/user").chmod(0o700)
        shutil.copytree(ROOT / "examples", home / "examples")
        (home / "bin/sudo").write_text(SUDO)
        (home / "bin/sudo").chmod(0o755)
        self.outer, inner = pty.openpty()
        os.set_blocking(self.outer, False)
        self.bash = subprocess.Popen(
            [*isolation(), "sh", "-c", SET_UP, "sh", folder, PROGRAMS.resolve()], env=self.environment(), stdin=inner,
            stdout=inner, stderr=inner, start_new_session=True, preexec_fn=lambda: os.set_blocking(0, True))
        os.close(inner)
        self.wait_for(PROMPT)

    def environment(self):
        return {
            "PATH": f"{os.environ['PATH']}:{HOME}/bin:{HOME}/.build/bin", "HOME": HOME, "TERM": "xterm", "LANG": "C.UTF-8",
            "XDG_RUNTIME_DIR": "/run/user", "PS1": r"[done $?]"}

    def wait_for(self, pattern):
        def found():
            with contextlib.suppress(BlockingIOError, OSError):
                self.text += os.read(self.outer, 65536).decode(errors="replace")
            return re.search(pattern, self.text)

        return wait_until(found, PATIENCE, what=lambda: f"{pattern} in {self.text[-2000:]!r}")

    def type(self, line, stop_at=None):
        """What a line printed and its status; Ctrl-C ends it at the first text like `stop_at`."""
        # What a command of before has drawn is no answer to this one.
        self.text = ""
        os.write(self.outer, line.encode() + b"\n")
        # The terminal echoes what is typed.
        self.wait_for(r"\n")
        if stop_at:
            self.wait_for(stop_at)
            os.write(self.outer, b"\x03")
        status = self.wait_for(PROMPT).group(1)
        return int(status), self.text.partition("\n")[2]

    def paste(self, lines, stop_at):
        """What lines that are pasted at once print until a text like `stop_at`, where Ctrl-C ends the last, and their statuses."""
        self.text = ""
        os.write(self.outer, "".join(f"{line}\n" for line in lines).encode())
        self.wait_for(stop_at)
        os.write(self.outer, b"\x03")
        self.wait_for(f"(?s)({PROMPT}.*){{{len(lines)}}}")
        return self.text, [int(status) for status in re.findall(PROMPT, self.text)]

    def last_words(self):
        return "shell", self.text[-2000:]

    def end(self):
        for process in processes_of(self.bash.pid):
            with contextlib.suppress(ProcessLookupError):
                os.kill(process, signal.SIGTERM if process != self.bash.pid else signal.SIGKILL)
        self.bash.wait(PATIENCE)
        os.close(self.outer)
        self.delist()


def isolation():
    """The command that gives a program mounts and a network of its own; a user other than root needs a user namespace."""
    words = ["unshare", "--mount", "--net", *([] if os.geteuid() == 0 else ["--map-root-user"])]
    tried = subprocess.run([*words, "true"], capture_output=True, text=True)
    if tried.returncode:
        pytest.skip(f"NOT TESTED AS A NEW USER: {tried.stderr.strip()}")
    return words


def processes_of(session):
    for stat in pathlib.Path("/proc").glob("[0-9]*/stat"):
        with contextlib.suppress(OSError):
            # The sixth field, counted from behind the name, which may have blanks.
            if int(stat.read_text().rpartition(")")[2].split()[3]) == session:
                yield int(stat.parent.name)
