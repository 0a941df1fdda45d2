"""One guest for many modules of tests: put back between them, or booted anew where that cannot be."""
import shlex
import shutil
import time
import warnings

from .guest import Guest
from .hub import FIRST_INTERVAL
from .install import install
from .machine import GuestFailed

# Where `guest/init` shows the files as they were before the boot, and what differs from them.
BASE, CHANGES = "/opt/board/base", "/opt/board/changes"
KEPT = "/run/board-kept"
# What the system writes at any time, and what others keep of packages; the rest of /var counts.
BOOKS = ("opt/board/", "var/cache/", "var/lib/apt/", "var/lib/dpkg/", "var/lib/systemd/", "var/log/")
# Come and go by themselves, with sensors and services.
PASSING = (".device", ".scope", ".slice")

# Ends processes but the first, the kernel's (which have no command line), the two programs of the tests, and this one.
END_PROCESSES = """
for each in $(%s); do
    [ "$each" -gt 1 ] && [ "$each" != $$ ] && read -r name </proc/$each/comm || continue
    words=
    case $name in board-agent | sensor-hub) ;; *) read -r words </proc/$each/cmdline ;; esac
    [ -z "$words" ] || kill -KILL "$each"
done 2>/dev/null
:"""


class Shared:
    """The guest that `boot` makes, one after another for each module of tests, each time as it was the first time."""

    def __init__(self, boot):
        self.boot = boot
        self.guest = self.state = None

    def take(self):
        if self.guest and self.guest.is_spoiled:
            self.end()
        if self.guest:
            try:
                self.state.restore()
            except (GuestFailed, OSError, ValueError) as failure:
                warnings.warn(f"a guest could not be put back, so another one is booted: {failure}")
                self.end()
        if not self.guest:
            self.guest = self.boot()
            self.state = State(self.guest)
        return self.guest

    def end(self):
        if self.guest:
            self.guest.end()
        self.guest = self.state = None


class SharedBoard(Shared):
    """First without anything of ours, and from then on with the programs and their files."""

    def __init__(self, suite=None):
        super().__init__(lambda: Guest.with_systemd(suite))
        self.is_installed = False

    def take_bare(self):
        if self.is_installed:
            self.end()
        return self.take()

    def take_installed(self):
        guest = self.take()
        if not self.is_installed:
            install(guest)
            self.state = State(guest)
            self.is_installed = True
        return guest

    def end(self):
        super().end()
        self.is_installed = False


class State:
    """What tests may leave otherwise in a guest: its sensors, what runs, files, the clock, the journal."""

    def __init__(self, guest):
        self.guest = guest
        self.has_systemd = guest.run("test -d /run/systemd/system", check=False).code == 0
        guest.run(f"rm -rf {KEPT}")
        self.units, self.temporary, self.files = self.active_units(), self.run_entries(), self.changed_files()
        if self.has_systemd:
            guest.run(f"cp -a /etc {KEPT}")

    def active_units(self):
        if not self.has_systemd:
            return set()
        lines = self.guest.run("systemctl list-units --plain --no-legend --no-pager").output.splitlines()
        return {name for line in lines if not (name := line.split()[0]).endswith(PASSING)}

    def run_entries(self):
        return set(self.guest.run("ls -A /run").output.split())

    def changed_files(self):
        """What is not as before the boot, by path: kind, size, time and target; of folders only those that are new."""
        find = f"cd {CHANGES} && find . -mindepth 1"
        lines = self.guest.run(
            f"{find} ! -type d -printf '%P\\t%y %s %T@ %l\\n' && {find} -type d -printf '%P\\n' | "
            f"while read -r path; do [ -d \"{BASE}/$path\" ] || printf '%s\\td\\n' \"$path\"; done").output
        pairs = (line.split("\t") for line in lines.splitlines())
        return {path: rest for path, rest in pairs if not f"{path}/".startswith(BOOKS)}

    def keeps(self, path):
        """Whether there is a copy of the file; without systemd no test has to do with settings of the system."""
        return self.has_systemd and path.startswith("etc/")

    def restore(self):
        """Everything as it was; GuestFailed where something is not."""
        hub = self.guest.hub
        hub.stop()
        hub.unplug()
        hub.set(interval=FIRST_INTERVAL, stamps=True, time_field=True)
        self.end_what_runs()
        self.guest.run(f"date --set=@{time.time():.3f}")
        self.put_files_back()
        if self.has_systemd:
            self.guest.run(
                "journalctl --quiet --rotate && journalctl --quiet --vacuum-files=1 && echo restored | systemd-cat && "
                "udevadm control --reload && systemctl daemon-reload && systemctl reset-failed")
        self.guest.wait_for("! ls /sys/bus/iio/devices | grep -q iio:device")
        self.check()

    def end_what_runs(self):
        left = self.active_units() - self.units
        if left:
            self.guest.run(["systemctl", "stop", *sorted(left)])
        processes = ("cat /sys/fs/cgroup/system.slice/board-agent.service/cgroup.procs" if self.has_systemd else
                     "cd /proc && echo [0-9]*")
        self.guest.run(END_PROCESSES % processes)

    def put_files_back(self):
        now = self.changed_files()
        differ = [path for path in {**now, **self.files} if now.get(path) != self.files.get(path)]
        settings = [path.removeprefix("etc/") for path in differ if self.keeps(path)]
        if settings:
            self.guest.run(f"cd {KEPT} && for name in {shlex.join(settings)}; do "
                           'if [ -e "$name" ] || [ -L "$name" ]; then cp -a --parents "$name" /etc; '
                           'else rm -rf "/etc/$name"; fi; done')
        added = [f"/{path}" for path in differ if path not in self.files and not self.keeps(path)]
        added += [f"/run/{name}" for name in self.run_entries() - self.temporary - {KEPT.rpartition("/")[2]}]
        if added:
            self.guest.run(f"rm -rf -- {shlex.join(added)}")
        for path in self.guest.share.iterdir():
            shutil.rmtree(path) if path.is_dir() and not path.is_symlink() else path.unlink()

    def check(self):
        """GuestFailed where units or files differ. What was put back in /etc is another file: its content counts."""
        units, files = self.active_units(), self.changed_files()
        differ = {path for path in {**files, **self.files} if files.get(path) != self.files.get(path)}
        wrong = {path for path in differ if not (self.keeps(path) and path in files)}
        if units != self.units or wrong:
            raise GuestFailed(f"units that changed: {units ^ self.units}; files that changed: {wrong}")
        if self.has_systemd:
            self.guest.run(f"diff -r --no-dereference {KEPT} /etc")


def only(shared, kind):
    """The shared guest of this kind; those of other kinds are shut down first, for they would cost time meanwhile."""
    for name, each in shared.items():
        if name != kind:
            each.end()
    return shared[kind]
