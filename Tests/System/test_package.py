"""The Debian package as a file: what is in it, what it asks for, that its parts agree. Tests/Board installs it."""

import json
import os
import re
import shutil
import stat
import subprocess

import pytest

from harness.package import debian_package
from harness.paths import ROOT

pytestmark = pytest.mark.long

# Of what is installed; the programs carry Swift's runtime.
LARGEST = 24_500_000


def run(*command, **options):
    return subprocess.run(command, capture_output=True, text=True, check=True, **options).stdout


@pytest.fixture(scope="module")
def package():
    """The package of the programs built last."""
    if not shutil.which(os.environ.get("SWIFT", "swift")):
        pytest.skip("NOT TESTED AS A PACKAGE: Swift is not on PATH")
    return debian_package("NOT TESTED AS A PACKAGE")


@pytest.fixture(scope="module")
def tree(package, tmp_path_factory):
    """What it would put on a board; the folders of `/lib` are looked for in `/usr/lib`, where Debian 12 links them to."""
    folder = tmp_path_factory.mktemp("package")
    run("dpkg-deb", "--raw-extract", package, folder)
    if (folder / "lib").is_dir():
        shutil.copytree(folder / "lib", folder / "usr/lib", dirs_exist_ok=True)
        shutil.rmtree(folder / "lib")
    return folder


@pytest.mark.parametrize("place", [
    "etc/apparmor.d/waymark-bridge",
    "etc/apparmor.d/waymark-mqtt",
    "etc/apparmor.d/waymark-navigator",
    "etc/apparmor.d/waymark-serve",
    "etc/apparmor.d/waymarkd",
    "etc/waymark/waymark.toml",
    "usr/bin/waymark",
    "usr/bin/waymarkd",
    "usr/bin/waymark-bridge",
    "usr/bin/waymark-mqtt",
    "usr/bin/waymark-beacon",
    "usr/bin/waymark-voice",
    "usr/lib/systemd/user/waymark-voice.service",
    "usr/lib/systemd/system/waymark-bridge.service",
    "usr/lib/systemd/system/waymark-mqtt.service",
    "usr/lib/systemd/user/waymark-beacon.service",
    "usr/lib/systemd/system/waymark-serve.service",
    "usr/lib/systemd/system/waymark-navigator.service",
    "usr/lib/systemd/system/waymark-hrtimer.service",
    "usr/lib/systemd/system/waymark.socket",
    "usr/lib/systemd/system/waymarkd.service",
    "usr/lib/systemd/user/waymark-notify.service",
    "usr/lib/sysusers.d/waymark.conf",
    "usr/lib/udev/rules.d/60-waymark-iio.rules",
    "usr/lib/udev/waymark-hrtimer",
    "usr/lib/udev/waymark-iio-permissions",
    "usr/share/bash-completion/completions/waymark",
    "usr/share/dbus-1/system.d/org.waymark.SensorProxy.conf",
    "usr/share/doc/waymark/changelog.gz",
    "usr/share/doc/waymark/copyright",
    "usr/share/doc/waymark/examples/brokers/fleet-certificates",
    "usr/share/doc/waymark/examples/brokers/mosquitto.conf",
    "usr/share/doc/waymark/examples/town.geojson",
    "usr/share/doc/waymark/examples/walk.mcap",
    "usr/share/doc/waymark/NEWS.Debian.gz",
    "usr/share/doc/waymark/README.Debian",
    "usr/share/fish/vendor_completions.d/waymark.fish",
    "usr/share/man/man1/waymark.1.gz",
    "usr/share/man/man1/waymark-voice.1.gz",
    "usr/share/man/man5/waymark.toml.5.gz",
    "usr/share/man/man7/waymark-protocol.7.gz",
    "usr/share/man/man8/waymark-bridge.8.gz",
    "usr/share/man/man8/waymark-mqtt.8.gz",
    "usr/share/man/man1/waymark-beacon.1.gz",
    "usr/share/man/man8/waymarkd.8.gz",
    "usr/share/varlink/org.waymark.Pose.varlink",
    "usr/share/zsh/vendor-completions/_waymark",
])
def test_the_package_has(tree, place):
    assert (tree / place).is_file()


def test_the_package_has_every_interface_page_and_document(tree):
    def names(folder):
        return {path.name.removesuffix(".gz") for path in (tree / folder).rglob("*") if path.is_file()}

    assert names("usr/share/varlink") == {path.name for path in (ROOT / "Sources/Wire/WaymarkInterface").glob("org.waymark.*")}
    # That of section 3 is for programmers, in libwaymark-dev.
    assert names("usr/share/man") == {path.name.removesuffix(".scd") for path in (ROOT / "man").glob("*.[1-24-8].scd")}
    assert names("usr/share/doc/waymark") > {path.name for path in (ROOT / "docs").iterdir()}


def listed(package, name):
    """Files of one of the other packages, by its name."""
    [file] = package.parent.glob(f"{name}_*.deb")
    lines = run("dpkg-deb", "--contents", file).splitlines()
    return {re.sub(r"^\S+ \S+ +\S+ \S+ \S+ \./", "", line) for line in lines if not line.endswith("/")}


def test_the_client_libraries_have_packages_of_their_own(package):
    architecture = run("dpkg-architecture", "-qDEB_HOST_MULTIARCH").strip()
    libraries = f"usr/lib/{architecture}"
    assert f"{libraries}/libwaymark.so.0" in listed(package, "libwaymark0")
    examples = {f"usr/share/doc/libwaymark-dev/examples/{path.name}" for path in (ROOT / "clients/c/examples").iterdir()}
    assert listed(package, "libwaymark-dev") >= examples | {
        "usr/include/waymark.h", "usr/include/waymark-interface.h", "usr/include/waymark-pose-ring.h",
        f"{libraries}/libwaymark.a", f"{libraries}/libwaymark.so -> libwaymark.so.0",
        f"{libraries}/pkgconfig/waymark.pc", "usr/share/man/man3/waymark-client.3.gz"}
    assert listed(package, "python3-waymark-pose") >= {
        *(f"usr/lib/python3/dist-packages/waymark_pose/{name}" for name in ("__init__.py", "waymark_interface.py", "py.typed")),
        "usr/share/doc/python3-waymark-pose/examples/render.py"}


def test_the_openxr_layer_has_a_package_whose_manifests_are_the_same_for_all_processors(package, tmp_path):
    architecture = run("dpkg-architecture", "-qDEB_HOST_MULTIARCH").strip()
    name, layers = "libXrApiLayer_waymark.so", "usr/share/openxr/1/api_layers"
    manifests = [f"{layers}/{kind}.d/XrApiLayer_waymark.json" for kind in ("explicit", "implicit")]
    assert listed(package, "waymark-openxr") >= {
        f"usr/lib/{architecture}/{name}", *manifests, "usr/include/waymark-openxr.h",
        "usr/share/doc/waymark-openxr/examples/places.c"}
    [file] = package.parent.glob("waymark-openxr_*.deb")
    run("dpkg-deb", "--extract", file, tmp_path)
    explicit, implicit = (json.loads((tmp_path / path).read_text())["api_layer"] for path in manifests)
    # The dynamic loader looks a bare name up where the package has the library.
    assert implicit["library_path"] == name
    assert implicit == explicit | {
        "enable_environment": "WAYMARK_OPENXR", "disable_environment": "DISABLE_WAYMARK_OPENXR"}
    library = tmp_path / f"usr/lib/{architecture}/{name}"
    seen = run("nm", "--dynamic", "--defined-only", "--format=just-symbols", library).split()
    assert seen == ["xrNegotiateLoaderApiLayerInterface"]
    assert not re.search(r"NEEDED.*(openxr|waymark)", run("readelf", "--wide", "--dynamic", library))


def test_a_program_is_built_and_runs_with_the_packages_of_the_client_libraries(package, tmp_path):
    for name in ["libwaymark0", "libwaymark-dev", "python3-waymark-pose"]:
        [file] = package.parent.glob(f"{name}_*.deb")
        run("dpkg-deb", "--extract", file, tmp_path)
    [pc] = tmp_path.rglob("waymark.pc")
    environment = {**os.environ, "PKG_CONFIG_PATH": str(pc.parent), "PKG_CONFIG_SYSROOT_DIR": str(tmp_path)}
    flags = run("pkg-config", "--cflags", "--libs", "waymark", env={
        **environment, "PKG_CONFIG_ALLOW_SYSTEM_CFLAGS": "1", "PKG_CONFIG_ALLOW_SYSTEM_LIBS": "1"}).split()
    run("cc", ROOT / "clients/c/examples/status.c", *flags, "-o", tmp_path / "status")
    done = subprocess.run(
        [tmp_path / "status"], capture_output=True, text=True,
        env={**os.environ, "LD_LIBRARY_PATH": str(pc.parent.parent), "WAYMARK_SOCKET": str(tmp_path / "none")})
    assert done.returncode == 1 and "cannot be reached" in done.stderr, done
    version = run("dpkg-deb", "--field", package, "Version").strip()
    assert run("pkg-config", "--modversion", "waymark", env=environment).strip() == version
    module = tmp_path / "usr/lib/python3/dist-packages"
    printed = run("python3", "-c", "import waymark_pose; print(waymark_pose.__version__)", env={**os.environ, "PYTHONPATH": str(module)})
    assert printed.strip() == version


def test_the_tests_of_the_installed_package_are_there_and_the_first_passes_with_the_unpacked_one(tree, tmp_path):
    named = re.findall(r"^Tests: (\S+)$", (ROOT / "debian/tests/control").read_text(), re.MULTILINE)
    assert named == ["demo", "client-libraries"]
    assert all(os.access(ROOT / "debian/tests" / name, os.X_OK) for name in named)
    done = subprocess.run(
        ["debian/tests/demo"], cwd=ROOT, capture_output=True, text=True, timeout=600,
        env={**os.environ, "PATH": f"{tree / 'usr/bin'}:{os.environ['PATH']}", "AUTOPKGTEST_TMP": str(tmp_path)})
    assert done.returncode == 0, done.stdout + done.stderr
    assert "Magnetometer: accepted" in done.stdout


def test_the_package_is_no_larger_than_a_board_may_want(package, tree):
    # What dpkg says, in KiB, and the files' own sizes.
    assert int(run("dpkg-deb", "--field", package, "Installed-Size")) * 1024 <= LARGEST
    files = [path for path in tree.rglob("*") if path.is_file() and not path.is_symlink() and "DEBIAN" not in path.parts]
    assert sum(path.stat().st_size for path in files) <= LARGEST


def test_settings_and_profiles_are_the_only_files_that_upgrades_must_keep(tree):
    kept = {f"/etc/apparmor.d/{path.name}" for path in (ROOT / "apparmor").iterdir()} | {"/etc/waymark/waymark.toml"}
    assert set((tree / "DEBIAN/conffiles").read_text().split()) == kept


def test_the_parser_of_apparmor_accepts_each_profile_and_a_unit_names_it(tree):
    units = {unit.name.partition(".")[0]: unit.read_text() for unit in (tree / "usr/lib/systemd/system").glob("*.service")}
    for profile in (tree / "etc/apparmor.d").iterdir():
        done = subprocess.run(
            ["/sbin/apparmor_parser", "--skip-kernel-load", "--skip-cache", profile],
            capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
        named = subprocess.run(["/sbin/apparmor_parser", "--names", profile], capture_output=True, text=True, check=True)
        assert named.stdout == f"{profile.name}\n"
        # A unit also starts where there is no such profile.
        assert f"\nAppArmorProfile=-{profile.name}\n" in units[profile.name]


def test_profiles_are_loaded_before_the_services_start(tree):
    script = (tree / "DEBIAN/postinst").read_text()
    assert script.rindex("apparmor_parser -r") < script.index("deb-systemd-invoke $_dh_action")


def test_the_package_asks_for_libraries_of_debian_and_none_of_swift(package):
    depends = run("dpkg-deb", "--field", package, "Depends")
    # The program opens all but the last, so that dpkg-shlibdeps does not find them by itself.
    for name in ("libgps", "libiio0", "libsqlite3-0", "libsystemd0", "libudev1", "libpopt0"):
        assert name in depends
    assert "swift" not in depends.lower()
    assert "gpsd" in run("dpkg-deb", "--field", package, "Recommends")


def test_the_program_carries_swift_and_is_stripped_and_hardened(tree):
    program = tree / "usr/bin/waymark"
    assert stat.S_IMODE(program.stat().st_mode) == 0o755
    dynamic = run("readelf", "--wide", "--dynamic", program)
    # What only some programs use is opened when they need it: most of it brings others along.
    assert not re.search(
        r"NEEDED.*(swift|Foundation|dispatch|curl|gps|iio|mosquitto|sqlite|systemd|udev|websockets)", dynamic)
    assert re.search(r"FLAGS_1.*\bNOW\b.*\bPIE\b", dynamic)
    # Libraries come from the system alone, and the C library checks the sizes of buffers.
    assert "RUNPATH" not in dynamic and "RPATH" not in dynamic
    assert re.search(r"UND __\w+_chk@", run("readelf", "--wide", "--dyn-syms", program))
    assert "GNU_RELRO" in run("readelf", "--wide", "--segments", program)
    sections = run("readelf", "--wide", "--sections", program)
    assert re.search(r"\.text\b", sections) and not re.search(r"\.(debug_info|symtab)\b", sections)


def test_all_programs_are_one_and_tell_the_packages_version(package, tree):
    version = run("dpkg-deb", "--field", package, "Version").strip()
    for name in ["waymark", "waymarkd", "waymark-bridge", "waymark-mqtt", "waymark-beacon", "waymark-voice"]:
        assert run(tree / "usr/bin" / name, "--version").strip() == f"{name} {version}"


def test_the_version_is_the_same_wherever_it_stands():
    [version] = re.findall(r'version = "(.+)"', (ROOT / "Sources/Core/Model/Version.swift").read_text())
    packaged, release = re.match(
        r"waymark \((\S+)\) (\S+);", (ROOT / "debian/changelog").read_text()).groups()
    assert packaged == version
    # The newest section of the changelog is this version's, and has a date as soon as the package is released.
    newest, date = re.search(r"^## \[(.+?)\] - (\S+)$", (ROOT / "CHANGELOG.md").read_text(), re.MULTILINE).groups()
    assert newest == version and (date == "Unreleased") == (release == "UNRELEASED")


def test_the_package_builds_with_what_the_build_installs():
    control = (ROOT / "debian/control").read_text()
    field = re.search(r"^Build-Depends:\n((?: .*\n)+)", control, re.MULTILINE)[1]
    # Of any processor: what runs while it is built for another one.
    asked = {line.split()[0].rstrip(",").removesuffix(":any") for line in field.splitlines()}
    installed = set(run(ROOT / "scripts/require", "--list", "build").split())
    tools = {"debhelper-compat", "dh-apparmor", "dh-sequence-installsysusers", "systemd-dev"}
    # What Debian counts as essential for a build is not named.
    assert asked - tools == {name for name in installed if name not in ("make", "gcc", "libc6-dev", "g++")}
