"""Prepares everything that a guest needs, or gives the reason why there can be none."""
import platform
import shutil
import subprocess

from harness.paths import ROOT

from .kernel import NEWER, initramfs
from .machine import QEMU
from .paths import locked
from .system import system_image


def obstacle():
    """Why no guest can run on this machine; None when one can. Installs missing packages where that is allowed."""
    if platform.machine() != "x86_64":
        return f"the guest needs x86-64, this is {platform.machine()}"
    required = subprocess.run([ROOT / "scripts/require", "board"], capture_output=True, text=True)
    if required.returncode or not shutil.which(QEMU):
        return f"QEMU and its companions cannot be installed: {required.stderr.strip()}"
    return None


def prepare(image=True, newer=False):
    """Makes what is missing or out of date, once, however many ask; `newer`: also what the newer kernel needs."""
    with locked():
        initramfs()
        if image:
            system_image()
        if newer:
            initramfs(NEWER)
