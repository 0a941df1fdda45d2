"""A terminal of a given size, by the real tmux: what a person sees of a program."""
import os
import pathlib
import shlex
import subprocess
import tempfile

from .waiting import PATIENCE, wait_until


class Terminal:
    """A tmux server of its own with one window in which a command runs; `with` ends it."""

    def __init__(self, command, environment=None, columns=80, rows=24):
        self.folder = tempfile.TemporaryDirectory(prefix="wm-tmux-", dir="/tmp")
        self.socket = pathlib.Path(self.folder.name) / "tmux"
        # UTF-8 and the size whatever the terminal of the tests is; no configuration of this machine's.
        self.environment = {
            **{name: value for name, value in os.environ.items() if not name.startswith(("TMUX", "COLUMNS", "LINES"))},
            "LC_ALL": "C.UTF-8", "TERM": "xterm-256color", **(environment or {})}
        line = shlex.join(str(part) for part in command)
        # What was shown last stays, so that a test can look at it.
        self.tmux(
            "-f", "/dev/null", "new-session", "-d", "-x", columns, "-y", rows,
            # Ctrl-C is for the program.
            f"trap : INT; {line}; echo ended with $?; exec cat")

    def tmux(self, *arguments):
        done = subprocess.run(
            ["tmux", "-u", "-S", str(self.socket), *map(str, arguments)], env=self.environment, capture_output=True,
            text=True, timeout=PATIENCE, stdin=subprocess.DEVNULL)
        assert done.returncode == 0, done
        return done.stdout

    @property
    def lines(self):
        """The lines of the screen as they stand there, from the first to the last."""
        return self.tmux("capture-pane", "-p").split("\n")[:-1]

    @property
    def text(self):
        return "\n".join(self.lines)

    @property
    def coloured(self):
        """The text with the colours of its characters, as escape sequences (ECMA-48, 8.3.117)."""
        return self.tmux("capture-pane", "-p", "-e")

    def wait_for(self, text, timeout=PATIENCE):
        """Waits until a text stands on the screen; returns the lines of that moment."""
        def shown():
            lines = self.lines
            return lines if text in "\n".join(lines) else None
        return wait_until(shown, timeout, lambda: f"{text!r} on the screen; there is:\n{self.text}")

    def press(self, *keys):
        self.tmux("send-keys", *keys)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        subprocess.run(
            ["tmux", "-S", str(self.socket), "kill-server"], capture_output=True, timeout=PATIENCE, check=False)
        self.folder.cleanup()
