"""The command `waymark` as a user runs it."""
import os
import subprocess

from .paths import PROGRAMS
from .waiting import PATIENCE

PROGRAM = PROGRAMS / "waymark"


def environment(socket=None):
    """This process's environment, with the socket of the daemon to be asked."""
    found = {name: value for name, value in os.environ.items() if name != "WAYMARK_SOCKET"}
    return {**found, "WAYMARK_SOCKET": str(socket)} if socket else found


def waymark(*arguments, socket=None, env=None, timeout=PATIENCE * 5, program=PROGRAM, **options):
    """Runs it to its end; its code, output and errors as text."""
    if "input" not in options:
        options.setdefault("stdin", subprocess.DEVNULL)
    return subprocess.run(
        [str(program), *(str(argument) for argument in arguments)], env={**environment(socket), **(env or {})},
        capture_output=True, text=True, timeout=timeout, **options)
