"""Debian's kernel, from its package, and the initramfs that carries the modules and our own programs."""
import os
import pathlib
import shutil
import subprocess
import tempfile

from .paths import CACHE, GUEST, cached, digest

# The parts of the package that can matter to a machine of virtual devices.
KEPT = (
    "./boot/*", "./lib/modules/*/modules.*", *(f"./lib/modules/*/kernel/{folder}/*" for folder in (
        "arch", "block", "crypto", "fs", "lib", "drivers/block", "drivers/char", "drivers/hid", "drivers/iio",
        "drivers/virtio", "net/9p")))

# Each from its sources, linked statically: the guest's root need not have any library.
OWN_PROGRAMS = {
    "board-agent": ("agent.c", "port.c"),
    "sensor-hub": ("sensor-hub.c", "hub.c", "playback.c", "sensor.c", "descriptor.c", "port.c"),
}

BUSYBOX = pathlib.Path("/bin/busybox")
APPLETS = ("sh", "cat", "cp", "ifconfig", "ln", "mkdir", "modprobe", "mount", "switch_root")


def run(*command, **options):
    """Runs a tool; its output belongs to the error when it fails."""
    # Some of the tools are the administrator's.
    path = f"{os.environ.get('PATH', '')}:/usr/sbin:/sbin"
    done = subprocess.run(
        [str(word) for word in command], capture_output=True, text=True, env={**os.environ, "PATH": path}, **options)
    if done.returncode:
        raise RuntimeError(f"{' '.join(map(str, command))} failed ({done.returncode}):\n{done.stdout}{done.stderr}")
    return done.stdout


def kernel():
    """The unpacked kernel package; stays as it is until `make clean`, so that no test run changes kernels unasked."""
    return cached("kernel", digest(*KEPT), unpack_kernel)


def unpack_kernel(target):
    with tempfile.TemporaryDirectory(dir=CACHE) as folder:
        try:
            download_kernel(folder)
        except (RuntimeError, StopIteration):
            # The lists of packages are not there, or older than the archive.
            run("apt-get", "-qq", "-o", "DPkg::Lock::Timeout=300", "-o", "Acquire::Retries=5", "update")
            download_kernel(folder)
        archive = next(pathlib.Path(folder).glob("*.deb"))
        target.mkdir()
        unpacked = subprocess.Popen(["dpkg-deb", "--fsys-tarfile", str(archive)], stdout=subprocess.PIPE)
        run("tar", "--extract", "--directory", target, "--wildcards", *KEPT, stdin=unpacked.stdout)
        unpacked.stdout.close()
        if unpacked.wait():
            raise RuntimeError(f"{archive} cannot be unpacked")
    run("depmod", "--basedir", target, version(target))


def download_kernel(folder):
    depends = run("apt-cache", "depends", "linux-image-amd64").splitlines()
    package = next(line.split()[1] for line in depends if "Depends: linux-image-" in line)
    # Its own user, which apt would take for the download, may not write here.
    run("apt-get", "download", "-q", "-o", "APT::Sandbox::User=", "-o", "Acquire::Retries=5", package, cwd=folder)


def version(tree):
    return next((tree / "lib/modules").iterdir()).name


def image_of(tree):
    """The kernel itself."""
    return next((tree / "boot").glob("vmlinuz-*"))


def initramfs():
    tree = kernel()
    inputs = digest(version(tree), BUSYBOX, *sorted(path for path in GUEST.rglob("*") if path.is_file()), *APPLETS)
    return cached("initramfs", inputs, lambda target: pack_initramfs(tree, target))


def pack_initramfs(tree, target):
    with tempfile.TemporaryDirectory(dir=CACHE) as folder:
        content = pathlib.Path(folder)
        for name in ("bin", "dev", "proc", "sys", "root"):
            (content / name).mkdir()
        shutil.copy(BUSYBOX, content / "bin/busybox")
        for applet in APPLETS:
            (content / "bin" / applet).symlink_to("busybox")
        for program, sources in OWN_PROGRAMS.items():
            run("gcc", "-O2", "-Wall", "-Wextra", "-Werror", "-static", "-o", content / "bin" / program,
                *(GUEST / "src" / source for source in sources))
        shutil.copy(GUEST / "init", content / "init")
        copy_modules(tree, content)
        pack(content, target)


def copy_modules(tree, content):
    """Those on the list, and what they need."""
    release = version(tree)
    for module in (GUEST / "modules").read_text().split():
        shown = run("modprobe", "--dirname", tree, "--set-version", release, "--show-depends", module)
        for line in shown.splitlines():
            if line.startswith("insmod "):
                source = pathlib.Path(line.split()[1])
                place = content / source.relative_to(tree)
                place.parent.mkdir(parents=True, exist_ok=True)
                shutil.copy(source, place)
    for name in ("modules.order", "modules.builtin", "modules.builtin.modinfo"):
        shutil.copy(tree / "lib/modules" / release / name, content / "lib/modules" / release)
    run("depmod", "--basedir", content, release)


def pack(content, target):
    names = "".join(f"{path.relative_to(content)}\0" for path in sorted(content.rglob("*")))
    archive = subprocess.run(
        ["cpio", "--create", "--format=newc", "--null", "--quiet", "--owner=0:0"], input=names.encode(), cwd=content,
        stdout=subprocess.PIPE, check=True).stdout
    subprocess.run(["zstd", "--quiet", "-3", "-o", str(target)], input=archive, check=True)
