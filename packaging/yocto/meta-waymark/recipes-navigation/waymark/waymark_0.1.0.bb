SUMMARY = "Pose daemon for wearable displays"
DESCRIPTION = "Reads a GNSS receiver through gpsd and inertial sensors through the kernel's IIO subsystem, fuses them in an \
error-state Kalman filter, and publishes poses with their accuracy to any program on the board."
SECTION = "base"
# Apache-2.0 is Waymark; the others are of the libraries that come along or are compiled in.
LICENSE = "Apache-2.0 & BSD-2-Clause & MIT & Minpack"
LIC_FILES_CHKSUM = "file://usr/share/doc/waymark/LICENSE;md5=3b83ef96387f14655fc854ddc3c6bd57"

# For the libraries of the system that the program is linked with or opens.
DEPENDS = "dbus expat libiio popt sqlite3 systemd zlib zstd"

# From scripts/tarball, on a machine of the same architecture: put it into the folder files/ beside this recipe.
SRC_URI = "file://waymark-${PV}-linux-${TARGET_ARCH}.tar.xz"

inherit bin_package systemd useradd features_check

# The units are systemd's, and lie below /usr/lib.
REQUIRED_DISTRO_FEATURES = "systemd usrmerge"
COMPATIBLE_HOST = "(x86_64|aarch64).*-linux"
# Swift's runtime for Linux is one for glibc; the program needs 2.36.
COMPATIBLE_HOST:libc-musl = "null"

SYSTEMD_SERVICE:${PN} = "waymark.socket waymarkd.service"

# As config/waymark.sysusers, at build time: a root file system may be read-only.
USERADD_PACKAGES = "${PN}"
GROUPADD_PARAM:${PN} = "--system waymark-change; --system waymark-aid"
USERADD_PARAM:${PN} = "--system --user-group --no-create-home --home-dir ${localstatedir}/lib/waymark --shell /sbin/nologin waymark; \
--system --user-group --no-create-home --home-dir / --shell /sbin/nologin waymark-bridge"

CONFFILES:${PN} = "${sysconfdir}/waymark/waymark.toml"
# Opened by the programs when they need them: bitbake finds only libraries that a program is linked with.
RDEPENDS:${PN} = "libiio libsqlite3 libsystemd libudev"
RRECOMMENDS:${PN} = "gpsd"

# These are the program's own, and no other package may be linked with them.
PRIVATE_LIBS:${PN} = "libcminpack.so.* libgps.so.*"
INHIBIT_PACKAGE_STRIP = "1"
INHIBIT_PACKAGE_DEBUG_SPLIT = "1"
INSANE_SKIP:${PN} = "already-stripped"
