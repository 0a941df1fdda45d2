"""The disk image of a small Debian 12 with systemd, in which a board's life can be tried."""
import platform

from .kernel import run
from .paths import cached, digest

SUITE = "bookworm"
PACKAGES = (
    "systemd", "systemd-sysv", "udev", "kmod", "dbus", "procps", "python3", "apparmor",
    # What the programs are linked with or open, and what they talk to.
    "gpsd", "libcminpack1", "libexpat1", "libgps28", "libiio0", "libiio-utils", "libpopt0", "libsqlite3-0", "libstdc++6",
    "libsystemd0", "libudev1", "libwebsockets17",
    "libmosquitto1", "mosquitto", "mosquitto-clients",
    "libzstd1", "zlib1g")
LEFT_OUT = ("/usr/share/man/*", "/usr/share/doc/*", "/usr/share/locale/*", "/usr/share/info/*")

# Runs in the new system's folder, the argument. What systemd makes anew after an update is up to date.
FINISH = """
systemctl --root="$1" disable --quiet gpsd.socket gpsd.service mosquitto.service || true
echo board >"$1/etc/hostname"
echo 127.0.0.1 localhost board >"$1/etc/hosts"
echo 0123456789abcdef0123456789abcdef >"$1/etc/machine-id"
: >"$1/etc/fstab"
mkdir -p "$1/etc/systemd/journald.conf.d"
printf '[Journal]\\nRateLimitBurst=0\\nStorage=volatile\\n' >"$1/etc/systemd/journald.conf.d/all.conf"
rm -rf "$1"/var/lib/apt/lists/* "$1"/var/cache/apt/*.bin
touch "$1/etc/.updated" "$1/var/.updated"
"""


def system_image():
    return cached("system", digest(SUITE, PACKAGES, LEFT_OUT, FINISH), make_image)


def unfit():
    """Why the programs built here cannot run in the image; None when they can."""
    here = platform.freedesktop_os_release().get("VERSION_CODENAME")
    return None if here == SUITE else f"the image is of Debian {SUITE}, the programs are built on {here}"


def make_image(target):
    made = target.with_suffix(".ext2")
    # mmdebstrap reads no configuration of this machine's apt.
    proxy = run("apt-config", "shell", "proxy", "Acquire::http::Proxy").partition("=")[2].strip().strip("'")
    run("mmdebstrap", "--quiet", "--variant=minbase", *(f"--dpkgopt=path-exclude={path}" for path in LEFT_OUT),
        '--aptopt=Acquire::Retries "5"', *([f'--aptopt=Acquire::http::Proxy "{proxy}"'] if proxy else []),
        f"--include={','.join(PACKAGES)}", f"--customize-hook={FINISH}", SUITE, made)
    made.rename(target)
