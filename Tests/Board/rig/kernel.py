"""Debian's kernel, from its package, and the initramfs that carries the modules and our own programs."""
import lzma
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
        "drivers/virtio", "net/9p", "net/ipv4")))

# The release whose kernel has what that of this machine's does not (iio-trig-hrtimer), and its modules. Debian 13 keeps
# them below /usr, compressed.
NEWER = "trixie"
NEWER_MODULES = ("iio-trig-hrtimer",)
MIRROR = os.environ.get("DEBIAN_MIRROR") or "http://deb.debian.org/debian"

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


def named(part, suite):
    return f"{part}-{suite}" if suite else part


def kernel(suite=None):
    """The unpacked kernel package of a release, by default this machine's.

    It stays as it is until `make clean`, so that no test run changes kernels unasked.
    """
    return cached(named("kernel", suite), digest(*KEPT), lambda target: unpack_kernel(target, suite))


def unpack_kernel(target, suite):
    with tempfile.TemporaryDirectory(dir=CACHE) as folder:
        options = foreign_lists(pathlib.Path(folder), suite) if suite else ()
        try:
            download_kernel(folder, options)
        except (RuntimeError, StopIteration):
            # The lists of packages are not there, or older than the archive.
            run("apt-get", "-qq", *options, "-o", "DPkg::Lock::Timeout=300", "-o", "Acquire::Retries=5", "update")
            download_kernel(folder, options)
        archive = next(pathlib.Path(folder).glob("*.deb"))
        target.mkdir()
        unpacked = subprocess.Popen(["dpkg-deb", "--fsys-tarfile", str(archive)], stdout=subprocess.PIPE)
        kept = [path.replace("./lib/", "./usr/lib/") for path in KEPT] if suite else KEPT
        run("tar", "--extract", "--directory", target, "--transform", "s|^./usr/lib/|./lib/|", "--wildcards", *kept,
            stdin=unpacked.stdout)
        unpacked.stdout.close()
        if unpacked.wait():
            raise RuntimeError(f"{archive} cannot be unpacked")
    for module in target.rglob("*.ko.xz"):
        module.with_suffix("").write_bytes(lzma.decompress(module.read_bytes()))
        module.unlink()
    run("depmod", "--basedir", target, version(target))


def foreign_lists(folder, suite):
    """Options by which apt has the lists of another release, in this folder, and nothing of this machine's packages."""
    for part in ("state/lists/partial", "cache/archives/partial"):
        (folder / part).mkdir(parents=True)
    (folder / "sources.list").write_text(f"deb {MIRROR} {suite} main\n")
    settings = {
        "Dir::State": folder / "state", "Dir::State::status": "/dev/null", "Dir::Cache": folder / "cache",
        "Dir::Etc::SourceList": folder / "sources.list", "Dir::Etc::SourceParts": "/dev/null",
        "Dir::Etc::Preferences": "/dev/null", "Dir::Etc::PreferencesParts": "/dev/null", "APT::Sandbox::User": ""}
    return [word for name, value in settings.items() for word in ("-o", f"{name}={value}")]


def download_kernel(folder, options):
    depends = run("apt-cache", *options, "depends", "linux-image-amd64").splitlines()
    package = next(line.split()[1] for line in depends if "Depends: linux-image-" in line)
    # Its own user, which apt would take for the download, may not write here.
    run("apt-get", *options, "download", "-q", "-o", "APT::Sandbox::User=", "-o", "Acquire::Retries=5", package,
        cwd=folder)


def version(tree):
    return next((tree / "lib/modules").iterdir()).name


def image_of(tree):
    """The kernel itself."""
    return next((tree / "boot").glob("vmlinuz-*"))


def initramfs(suite=None):
    tree = kernel(suite)
    modules = (GUEST / "modules").read_text().split() + [*(NEWER_MODULES if suite else ())]
    inputs = digest(
        version(tree), BUSYBOX, *sorted(path for path in GUEST.rglob("*") if path.is_file()), *APPLETS, *modules)
    return cached(named("initramfs", suite), inputs, lambda target: pack_initramfs(tree, modules, target))


def pack_initramfs(tree, modules, target):
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
        copy_modules(tree, modules, content)
        pack(content, target)


def copy_modules(tree, modules, content):
    """Those on the list, and what they need."""
    release = version(tree)
    for module in modules:
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
