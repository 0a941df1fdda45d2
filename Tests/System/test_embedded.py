"""What packaging/ has for images of other systems: the tarball has all that is installed, and the recipes fit to it."""

import fnmatch
import hashlib
import os
import re
import shutil
import subprocess
import tarfile

import pytest

from harness.paths import ROOT

# Compressing the program takes most of it.
pytestmark = pytest.mark.long

VERSION = re.search(r'version = "(.*)"', (ROOT / "Sources/Core/Model/Version.swift").read_text()).group(1)
YOCTO = ROOT / "packaging/yocto/meta-waymark"
BUILDROOT = ROOT / "packaging/buildroot"
# What the program is linked with or opens, by its recipe and by its package in Buildroot; the toolchain has the others.
PROVIDERS = {
    "libdbus-1.so.3": ("dbus", "dbus"), "libexpat.so.1": ("expat", "expat"), "libiio.so.0": ("libiio", "libiio"),
    "libpopt.so.0": ("popt", "popt"), "libsqlite3.so.0": ("sqlite3", "sqlite"), "libsystemd.so.0": ("systemd", "systemd"),
    "libudev.so.1": ("systemd", "systemd"), "libz.so.1": ("zlib", "zlib"), "libzstd.so.1": ("zstd", "zstd"),
}
# What is compiled into it.
CONTAINED = ("libgeographiclib", "libtomlplusplus")
TOOLCHAIN = r"(ld-linux.*|lib(c|m|gcc_s|stdc\+\+))\.so\.\d+"


def run(*command, **options):
    return subprocess.run(command, capture_output=True, text=True, check=True, cwd=ROOT, **options).stdout


@pytest.fixture(scope="module")
def tarball(tmp_path_factory):
    """Of the programs built last."""
    if not shutil.which("patchelf") or not shutil.which("dpkg-query"):
        pytest.skip("NOT TESTED AS A TARBALL: patchelf is not installed, or this is no Debian system")
    folder = tmp_path_factory.mktemp("tarball")
    run("make", "--no-print-directory", "man")
    run("scripts/tarball", folder)
    [path] = folder.glob("*.tar.xz")
    return path


@pytest.fixture(scope="module")
def tree(tarball, tmp_path_factory):
    """Its content elsewhere, as an image has it."""
    folder = tmp_path_factory.mktemp("image")
    with tarfile.open(tarball) as archive:
        archive.extractall(folder, filter="tar")
    return folder / f"waymark-{VERSION}"


def carried(tree):
    return {path.name for path in (tree / "usr/lib/waymark").iterdir()}


def loaded(program):
    return set(run("scripts/loaded-libraries", program).split())


def needed(file):
    return set(re.findall(r"NEEDED.*\[(.*)\]", run("readelf", "--wide", "--dynamic", file)))


def test_the_tarball_has_all_that_is_installed_and_its_own_libraries_with_their_licences(tree):
    listed = run("scripts/install", "list", "programs", env={**os.environ, "PREFIX": "/usr", "DESTDIR": ""}).split()
    found = {f"/{path.relative_to(tree)}" for path in tree.rglob("*") if not path.is_dir()}
    libraries = {f"/usr/lib/waymark/{name}" for name in carried(tree)}
    names = {name.split(".")[0] for name in carried(tree)}
    licences = {f"/usr/share/doc/waymark/copyright.{name}" for name in names | set(CONTAINED)}
    assert len(libraries) == 2 and found == {*listed, *libraries, *licences}


def test_the_tarball_has_the_same_bytes_each_time(tarball, tmp_path):
    run("scripts/tarball", tmp_path)
    assert (tmp_path / tarball.name).read_bytes() == tarball.read_bytes()


def test_the_program_uses_its_own_libraries_wherever_it_lies(tree):
    program = tree / "usr/bin/waymarkd"
    linked = dict(re.findall(r"(\S+) => (\S+)", run("ldd", program)))
    [name] = carried(tree) & set(linked)
    assert os.path.realpath(linked[name]) == str(tree / "usr/lib/waymark" / name)
    # dlopen looks there too.
    assert carried(tree) - {name} < loaded(program)
    assert run(program, "--version") == f"waymarkd {VERSION}\n"
    done = run(tree / "usr/bin/waymark", "calibrate", "gyro", "--from", tree / "usr/share/doc/waymark/examples/gyro.csv.gz")
    assert "accepted" in done


def yocto():
    """Variables of the recipe; what is continued on the next line is one."""
    text = (YOCTO / f"recipes-navigation/waymark/waymark_{VERSION}.bb").read_text().replace("\\\n", "")
    return dict(re.findall(r'^(\S+) = "(.*)"$', text, re.MULTILINE))


def test_the_recipe_for_yocto_depends_on_what_the_program_is_linked_with_or_opens(tree):
    program = tree / "usr/bin/waymark"
    opened = loaded(program) - carried(tree)
    linked = set().union(*map(needed, [program, *(tree / "usr/lib/waymark").iterdir()])) - carried(tree)
    linked = {name for name in linked if not re.fullmatch(TOOLCHAIN, name)}
    # Which of them libgps needs differs between versions of Debian.
    assert linked | opened <= set(PROVIDERS)
    assert yocto()["DEPENDS"].split() == sorted({recipe for recipe, _ in PROVIDERS.values()})
    # bitbake finds what a program is linked with; its packages of libraries have their names.
    assert yocto()["RDEPENDS:${PN}"].split() == sorted(name.split(".")[0] for name in opened)
    patterns = yocto()["PRIVATE_LIBS:${PN}"].split()
    assert [[name for name in carried(tree) if fnmatch.fnmatch(name, pattern)] for pattern in patterns] == [
        [name] for name in sorted(carried(tree))]


def test_the_recipe_for_yocto_names_files_that_the_tarball_has(tree, tarball):
    recipe = yocto()
    source = recipe["SRC_URI"].replace("${PV}", VERSION).replace("${TARGET_ARCH}", os.uname().machine)
    assert source == f"file://{tarball.name}"
    licence, digest = re.fullmatch(r"file://(\S+);md5=(\w+)", recipe["LIC_FILES_CHKSUM"]).groups()
    assert hashlib.md5((tree / licence).read_bytes()).hexdigest() == digest
    # Units without that section are started by others.
    enabled = {path.name for path in (tree / "usr/lib/systemd/system").iterdir() if "[Install]" in path.read_text()}
    # Off until they are wanted.
    off = {
        "waymark-bridge.service", "waymark-mqtt.service", "waymark-navigator.service", "waymark-serve.service"}
    assert set(recipe["SYSTEMD_SERVICE:${PN}"].split()) == enabled - off
    assert (tree / recipe["CONFFILES:${PN}"].replace("${sysconfdir}", "etc")).is_file()


def accounts():
    """Users with their homes, "-" for none, and the groups without a user, of sysusers.d."""
    text = (ROOT / "config/waymark.sysusers").read_text()
    users = re.findall(r'^u (\S+) - ".*" (\S+)$', text, re.MULTILINE)
    return dict(users), re.findall(r"^g (\S+) -$", text, re.MULTILINE)


def test_the_recipe_for_yocto_creates_the_users_and_the_groups():
    users, groups = accounts()
    assert [command.split()[-1] for command in yocto()["GROUPADD_PARAM:${PN}"].split(";")] == groups
    made = {}
    for command in yocto()["USERADD_PARAM:${PN}"].split(";"):
        words = command.split()
        assert {"--system", "--user-group", "--no-create-home"} <= set(words)
        made[words[-1]] = words[words.index("--home-dir") + 1].replace("${localstatedir}", "/var")
    # sysusers.d gives "/" to those without a home.
    assert made == {user: "/" if home == "-" else home for user, home in users.items()}


# Buildroot's variables and commands, as its makefiles expand them.
MAKEFILE = """
qstrip = $(subst ",,$(1))
BR2_ARCH = "{machine}"
BR2_EXTERNAL_WAYMARK_PATH = {tree}
TARGET_DIR = {target}
include {tree}/external.mk
install: @D = {source}
install: ; $(WAYMARK_INSTALL_TARGET_CMDS)
show: ; @: $(foreach name,VERSION SOURCE SITE_METHOD LICENSE_FILES DEPENDENCIES,$(info $(name) $(WAYMARK_$(name))))
users: ; @: $(info $(WAYMARK_USERS))
"""


@pytest.fixture
def buildroot(tree, tmp_path):
    """Runs a target of a makefile that reads the external tree as Buildroot does."""
    makefile, target = tmp_path / "Makefile", tmp_path / "target"
    makefile.write_text(MAKEFILE.format(machine=os.uname().machine, tree=BUILDROOT, target=target, source=tree))

    def make(goal):
        return run("make", "--no-print-directory", "-f", makefile, goal), target

    return make


def test_the_package_for_buildroot_fits_to_the_tarball(buildroot, tree, tarball):
    shown = dict(line.split(" ", 1) for line in buildroot("show")[0].splitlines())
    assert (shown["VERSION"], shown["SOURCE"], shown["SITE_METHOD"]) == (VERSION, tarball.name, "file")
    assert all((tree / name).is_file() for name in shown["LICENSE_FILES"].split())
    dependencies = sorted({package for _, package in PROVIDERS.values()})
    assert shown["DEPENDENCIES"].split() == dependencies
    selected = re.findall(r"^\tselect BR2_PACKAGE_(\w+)$", (BUILDROOT / "package/waymark/Config.in").read_text(), re.MULTILINE)
    # systemd is the init system, and cannot be selected.
    assert [name.lower() for name in selected] == [name for name in dependencies if name != "systemd"]


def test_the_package_for_buildroot_installs_the_whole_tarball_and_the_accounts(buildroot, tree):
    _, target = buildroot("install")
    assert {path.relative_to(target) for path in target.rglob("*")} == {path.relative_to(tree) for path in tree.rglob("*")}
    users, groups = accounts()
    rows = [line.split() for line in buildroot("users")[0].splitlines() if line.strip()]
    # Name, number, group, its number, password, home.
    assert {row[0]: row[5] for row in rows if row[0] != "-"} == users
    assert [row[2] for row in rows] == [*users, *groups]


def test_the_image_is_made_of_the_package_as_make_builds_it():
    lines = (ROOT / "packaging/Containerfile").read_text()
    for source in re.findall(r"^COPY (\S+) \S+$", lines, re.MULTILINE):
        assert (ROOT / source).exists(), source
    assert len(re.findall(r"^FROM ", lines, re.MULTILINE)) == 2 and "RUN make deb" in lines
    # The second stage has the package alone.
    assert re.findall(r"from=build,source=(\S+?),", lines) == ["/packages"] and "COPY --from" not in lines
    [user] = re.findall(r"^USER (\S+)$", lines, re.MULTILINE)
    assert user == next(iter(accounts()[0]))
