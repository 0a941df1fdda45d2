"""Puts the built programs and their files into a guest, as `make install` does on a board."""
import os
import shutil
import subprocess

from harness.paths import ROOT

from . import apparmor


def install(guest):
    """Everything in place and known to systemd, udev, D-Bus and AppArmor, nothing enabled or started."""
    staging = guest.share / "install"
    environment = {**os.environ, "DESTDIR": str(staging), "PREFIX": "/usr", "SYSCONFDIR": "/etc"}
    subprocess.run([ROOT / "scripts/install", "put"], env=environment, check=True)
    guest.run("cp -r --preserve=mode,links /job/install/. /")
    shutil.rmtree(staging)
    guest.run("systemd-sysusers && udevadm control --reload && systemctl daemon-reload && systemctl reload dbus")
    apparmor.load(guest, *(profile.name for profile in (ROOT / "apparmor").iterdir()))
