"""The command `waymark` as a user runs it."""
import os
import subprocess

from .process import PATIENCE, PROGRAMS


def waymark(*arguments, socket=None, timeout=PATIENCE * 2, **options):
    """Runs it to its end; its code, output and errors as text."""
    environment = {**os.environ, **options.pop("env", {})}
    environment.pop("WAYMARK_SOCKET", None)
    if socket:
        environment["WAYMARK_SOCKET"] = str(socket)
    return subprocess.run(
        [str(PROGRAMS / "waymark"), *(str(argument) for argument in arguments)],
        env=environment, capture_output=True, text=True, timeout=timeout, stdin=subprocess.DEVNULL, **options)
