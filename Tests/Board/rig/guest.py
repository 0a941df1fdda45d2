"""A running guest: commands in it, its virtual sensors, a folder that both sides see."""
import dataclasses
import shlex

from harness.living import Living
from harness.varlink import call_message, reply_parameters
from harness.waiting import wait_until

from .hub import Hub
from .kernel import initramfs, kernel
from .machine import ANSWER_PATIENCE, BOOT_PATIENCE, PATIENCE, GuestFailed, Machine
from .port import Port
from .system import system_image

HOST_ROOT = (
    "-fsdev", "local,id=host,path=/,security_model=none,readonly=on,multidevs=remap",
    "-device", "virtio-9p-pci,fsdev=host,mount_tag=host")

# What costs time at each boot and means nothing to a board.
MASKED = (
    "apparmor.service", "apt-daily.timer", "apt-daily-upgrade.timer", "dpkg-db-backup.timer", "e2scrub_all.timer", "e2scrub_reap.service",
    "fstrim.timer", "getty.target", "proc-sys-fs-binfmt_misc.automount", "serial-getty@ttyS0.service",
    "systemd-binfmt.service", "systemd-journal-flush.service", "systemd-logind.service", "systemd-pstore.service",
    "systemd-random-seed.service", "systemd-update-utmp.service", "systemd-update-utmp-runlevel.service")
SYSTEMD_ARGUMENTS = " ".join((
    "board.root=image", "board.init=systemd", "systemd.unit=multi-user.target",
    *(f"systemd.mask={unit}" for unit in MASKED)))


@dataclasses.dataclass
class Result:
    """What a command ended with, and what it wrote to both outputs."""
    code: int
    output: str


class Guest(Living):
    """Use `Guest.on_host_files()` or `Guest.with_systemd()`; always ended by `end`."""

    def __init__(self, machine):
        self.machine = machine
        self.share = machine.share
        # Set when a test fails: its state is unknown then.
        self.is_spoiled = False
        self.enlist()
        try:
            self.agent = Port(machine, "agent")
            self.hub = Hub(Port(machine, "sensors"), self.share)
            ready = self.agent.line(BOOT_PATIENCE)
            if ready != "ready":
                raise GuestFailed(f"the agent said {ready!r}")
        except BaseException:
            self.end()
            raise

    @classmethod
    def on_host_files(cls, **options):
        """Without systemd: the host's own files are its root, each change to them stays in the guest's memory."""
        return cls(Machine(
            kernel(), initramfs(), HOST_ROOT, "board.root=host board.init=agent", ("agent", "sensors"), **options))

    @classmethod
    def with_systemd(cls, suite=None, **options):
        """A small Debian 12 under systemd, with the kernel of another release where one is named."""
        disk = (
            "-drive", f"if=none,id=disk,file={system_image()},format=raw,readonly=on",
            "-device", "virtio-blk-pci,drive=disk")
        guest = cls(Machine(
            kernel(suite), initramfs(suite), disk, SYSTEMD_ARGUMENTS, ("agent", "sensors"), **options))
        try:
            guest.run("systemctl is-system-running --wait || systemctl --failed --no-pager", BOOT_PATIENCE, check=False)
        except BaseException:
            guest.end()
            raise
        return guest

    def run(self, command, timeout=PATIENCE, check=True):
        """Runs a shell command (or a list of words) as root; with `check`, a code other than 0 fails."""
        if not isinstance(command, str):
            command = shlex.join(str(word) for word in command)
        try:
            result, timely = self.exchange(command.encode(), timeout)
        except KeyboardInterrupt:
            # Its answer would be taken for that of the next command, if the end of a test still had one.
            self.machine.end()
            raise
        if not timely:
            raise GuestFailed(f"not within {timeout:g} s in the guest: {command}\n{result.output}")
        if check and result.code:
            raise GuestFailed(f"code {result.code} in the guest: {command}\n{result.output}")
        return result

    def exchange(self, command, timeout):
        """The command's result, and whether it ended by itself."""
        self.agent.send(b"run %d\n" % len(command) + command)
        timely = True
        try:
            line = self.agent.line(timeout)
        except TimeoutError:
            timely = False
            self.agent.send(b"kill\n")
            line = self.agent.line(PATIENCE)
        return self.result(line), timely

    def result(self, line):
        _, code, size = line.split()
        return Result(int(code), self.agent.take(int(size)).decode(errors="replace"))

    def ask(self, socket, method, parameters=None, timeout=ANSWER_PATIENCE):
        """Calls a Varlink method in the guest; the reply's parameters, or None without a server or a reply in time.

        Costs a tenth of what starting a program to ask does. An error reply is raised as CallFailed.
        """
        message = call_message(method, parameters or {})
        self.agent.send(b"ask %s %d %d\n" % (socket.encode(), timeout, len(message)) + message)
        try:
            answer = self.result(self.agent.line(PATIENCE + timeout))
        except TimeoutError:
            # Its late answer would be taken for that of the next command.
            self.machine.end()
            raise GuestFailed(f"the guest did not even say that {method} has no answer") from None
        return None if answer.code else reply_parameters(answer.output)

    def plug_sensors(self):
        """Plugs all sensors in, and waits until the kernel has a device for each."""
        self.hub.plug()
        self.wait_for("test $(ls -d /dev/iio:device* | wc -l) = 3")

    def wait_for(self, condition, timeout=PATIENCE, what=None, interval=0.3):
        """The first true value of `condition()`; a shell command is true when it ends with 0."""
        def succeeds():
            result = self.run(condition, check=False)
            return result.code == 0 and result

        if callable(condition):
            return wait_until(condition, timeout, what, interval, GuestFailed)
        return wait_until(succeeds, timeout, what or condition, interval, GuestFailed)

    def last_words(self):
        """Called after a failure; the guest is not used again. The console, and the journal or the kernel's log."""
        self.is_spoiled = True
        return "the guest", self.logs()

    def logs(self):
        text = f"console:\n{self.machine.last_words()}"
        try:
            journal = "if [ -d /run/systemd/system ]; then journalctl -b --no-pager -o short-monotonic -n 80"
            log = self.run(f"{journal}; else dmesg | tail -n 40; fi", 60, check=False)
            return f"{text}\n\nlog:\n{log.output}\n\nsensors: {self.hub.status()}"
        except (OSError, ValueError, GuestFailed) as failure:
            return f"{text}\n\nno log: {failure}"

    def end(self):
        self.delist()
        self.machine.end()
