"""A virtual machine of our own: started, watched and certainly ended."""
import pathlib
import shutil
import signal
import socket
import subprocess
import tempfile

from harness.waiting import wait_until

from .kernel import image_of

# What a guest on a busy machine may take. It measures nothing: it ends a test that would never pass.
PATIENCE = 180.0
BOOT_PATIENCE = 600.0
# Of one question to a server in the guest, which is asked again.
ANSWER_PATIENCE = 10
QEMU = "qemu-system-x86_64"
# Also where there is /dev/kvm: the same everywhere, and not every one of them runs a kernel.
ACCELERATOR = "tcg,thread=multi"
# What newer ones can do more is costly to imitate: guests are a tenth slower with `max`.
PROCESSOR = "Nehalem"
KERNEL_ARGUMENTS = "console=ttyS0 quiet loglevel=4 panic=-1 oops=panic mitigations=off nokaslr"


class GuestFailed(AssertionError):
    """The guest gave no answer, or a command in it failed."""


class Machine:
    """QEMU with the given kernel, initramfs and devices; ports of the guest are sockets here."""

    def __init__(self, tree, initramfs, arguments=(), kernel_arguments="", ports=(), processors=1, memory=1024):
        # Short, because the path of a socket may have 107 bytes.
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="wmb-", dir="/tmp"))
        self.share = self.folder / "job"
        self.share.mkdir()
        self.console_path = self.folder / "console"
        self.errors_path = self.folder / "qemu"
        command = [
            # The kernel ends it with the process that started it, also where that one was killed.
            "setpriv", "--pdeathsig=KILL", QEMU, "-M", "q35", "-accel", ACCELERATOR, "-cpu", PROCESSOR,
            "-smp", str(processors), "-m", str(memory), "-nodefaults", "-no-user-config", "-display", "none",
            "-no-reboot", "-serial", f"file:{self.console_path}", "-device", "virtio-rng-pci",
            "-device", "virtio-serial-pci", "-kernel", str(image_of(tree)), "-initrd", str(initramfs),
            "-append", f"{KERNEL_ARGUMENTS} {kernel_arguments}",
            "-fsdev", f"local,id=job,path={self.share},security_model=none",
            "-device", "virtio-9p-pci,fsdev=job,mount_tag=job", *arguments]
        for port in ports:
            command += [
                "-chardev", f"socket,id={port},path={self.folder / port},server=on,wait=off",
                "-device", f"virtserialport,chardev={port},name={port}"]
        with open(self.errors_path, "wb") as errors:
            # A group of its own: Ctrl-C is ours to take, and ends it in order.
            self.process = subprocess.Popen(
                command, stdin=subprocess.DEVNULL, stdout=errors, stderr=errors, process_group=0)

    @property
    def runs(self):
        return self.process.poll() is None

    def connect(self, port):
        """A socket to the guest's port of this name."""
        def connected():
            connection = socket.socket(socket.AF_UNIX)
            try:
                connection.connect(str(self.folder / port))
                return connection
            except (FileNotFoundError, ConnectionRefusedError):
                connection.close()
                if not self.runs:
                    raise GuestFailed(f"QEMU does not run: {self.last_words()}") from None

        return wait_until(connected, PATIENCE, lambda: f"QEMU listens: {self.last_words()}", failure=GuestFailed)

    def last_words(self, lines=60):
        """The end of what kernel and init said, and of QEMU's own errors."""
        texts = [path.read_text(errors="replace") for path in (self.errors_path, self.console_path) if path.exists()]
        return "\n".join("".join(texts).splitlines()[-lines:])

    def end(self):
        """Kills it: nothing in it is worth keeping."""
        if self.runs:
            self.process.send_signal(signal.SIGKILL)
        self.process.wait()
        shutil.rmtree(self.folder, ignore_errors=True)
