"""Programs in C and Python that use the client libraries: compiled, started, and driven line by line."""
import os
import queue
import subprocess
import sys
import threading

from .paths import ROOT
from .process import Program
from .waiting import PATIENCE, wait_until

# A fault of memory ends a program at once, with what it was.
SANITIZED = "-O1 -g -fsanitize=address,undefined -fno-sanitize-recover=all"
PYTHON_CLIENT = ROOT / "clients/python"


def compile_library(folder, flags=SANITIZED):
    """Builds the C library into a folder, which is its return value."""
    subprocess.run(
        ["make", "--no-print-directory", "-C", ROOT / "clients/c", f"BUILD={folder}", f"CFLAGS={flags}", "STRICT=1", "-j2",
         f"{folder}/libwaymark.a"], check=True, capture_output=True, text=True, env=without_make())
    return folder


def compile_program(folder, source, flags=SANITIZED):
    """Compiles one program with the library of that folder; returns its path."""
    program = folder / f"{source.stem}-{source.parent.name}"
    subprocess.run(
        ["cc", "-std=c99", "-D_GNU_SOURCE", "-Wall", "-Wextra", "-Werror", *flags.split(), "-I", ROOT / "clients/c",
         source, folder / "libwaymark.a", "-lm", "-pthread", "-o", program], check=True)
    return program


def without_make():
    return {name: value for name, value in os.environ.items() if name not in ("MAKEFLAGS", "MFLAGS", "MAKELEVEL")}


def python_environment(**more):
    return {**os.environ, "PYTHONPATH": str(PYTHON_CLIENT), "PYTHONDONTWRITEBYTECODE": "1", **more}


class LineProgram(Program):
    """A program whose lines of output are awaited, and that ends when its input does."""

    def __init__(self, arguments, folder, environment=None):
        super().__init__(
            arguments, folder / "program.log", stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1,
            env={**os.environ, **(environment or {})})
        self.lines = queue.Queue()
        self.seen = []
        self.reading = threading.Thread(target=self.read, daemon=True)
        self.reading.start()

    def read(self):
        for line in self.process.stdout:
            self.lines.put(line.rstrip("\n"))
        self.lines.put(None)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.finish()

    def line(self):
        """Next line of the output."""
        line = self.lines.get(timeout=PATIENCE)
        assert line is not None, f"the program ended; its log is:\n{self.log}"
        self.seen.append(line)
        return line

    def line_with(self, *begin):
        """Next line that begins with one of these, as words; others are passed over, and are in `seen`."""
        while not (line := self.line()).startswith(begin):
            pass
        return line.split(" ")

    def ask(self, command, *numbers):
        self.process.stdin.write(" ".join(map(str, [command, *(numbers or [0])])) + "\n")
        self.process.stdin.flush()
        return self.line().split(" ")

    def ask_until(self, wanted, command, *numbers):
        """Asks again until the answer begins with this word."""
        answers = []

        def asked():
            answers.append(self.ask(command, *numbers))
            return answers[-1][0] == wanted and answers[-1]

        return wait_until(asked, what=lambda: f"{wanted} from {command}, not {answers[-3:]}", interval=0.01)

    def finish(self):
        """Ends its input and waits for its end; it must have found nothing to complain about."""
        if self.runs:
            self.process.stdin.close()
            self.wait()
            self.reading.join(PATIENCE)
        code = self.end()
        assert code == 0, f"the program ended with {code}:\n{self.log}"


def run_python(code, folder, **environment):
    """Runs a piece of Python with the client module; returns what it prints."""
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", code], cwd=folder, capture_output=True, text=True, timeout=PATIENCE,
        env=python_environment(**environment))
    assert done.returncode == 0, done.stderr
    return done.stdout
