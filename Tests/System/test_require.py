"""scripts/require: quick when nothing is missing, plain about what to do when it cannot install."""

import shutil
import subprocess

from harness.paths import ROOT

# How apt is called, so that neither another apt nor an archive that hesitates is the end of it.
PATIENT = "-qq -o DPkg::Lock::Timeout=300 -o Acquire::Retries=5"


def run(folder, *groups, missing=(), user=1000, sudo=False):
    """Runs the script with stand-ins for the system's tools; what they were asked to install lands in apt.log."""
    tools = folder / "tools"
    tools.mkdir()
    for name in ["sh", "grep", "env"]:
        (tools / name).symlink_to(shutil.which(name))
    # The asked-for package is the last argument; a pattern stands for the C++ library's headers.
    (tools / "dpkg-query").write_text(
        "#!/bin/sh\nfor name; do :; done\n" + "".join(f'[ "$name" = "{name}" ] && exit 1\n' for name in missing)
        + "echo installed\n")
    (tools / "id").write_text(f"#!/bin/sh\necho {user}\n")
    (tools / "apt-get").write_text(f'#!/bin/sh\necho "$@" >> {folder}/apt.log\n')
    if sudo:
        (tools / "sudo").write_text('#!/bin/sh\n[ "$1" = -n ] && shift\nexec "$@"\n')
        (tools / "true").symlink_to(shutil.which("true"))
    for tool in tools.iterdir():
        if not tool.is_symlink():
            tool.chmod(0o755)
    done = subprocess.run(
        [ROOT / "scripts/require", *groups], env={"PATH": str(tools)}, capture_output=True, text=True,
        stdin=subprocess.DEVNULL)
    log = folder / "apt.log"
    return done, log.read_text().splitlines() if log.exists() else []


def test_nothing_is_asked_for_when_nothing_is_missing(tmp_path):
    done, asked = run(tmp_path, "build", "test")
    assert (done.returncode, done.stdout, done.stderr, asked) == (0, "", "", [])


def test_without_root_the_line_to_type_is_shown(tmp_path):
    done, asked = run(tmp_path, "build", missing=["libgps-dev", "libpopt-dev"])
    assert done.returncode == 1
    assert "apt-get install --no-install-recommends libgps-dev libpopt-dev" in done.stderr
    assert asked == []


def test_root_installs_just_what_is_missing(tmp_path):
    done, asked = run(tmp_path, "build", "test", missing=["libgps-dev", "gpsd"], user=0)
    assert done.returncode == 0
    assert asked == [f"{PATIENT} update", f"{PATIENT} install --yes --no-install-recommends libgps-dev gpsd"]


def test_sudo_is_used_where_it_needs_no_password(tmp_path):
    done, asked = run(tmp_path, "build", missing=["libiio-dev"], sudo=True)
    assert done.returncode == 0
    assert asked[-1] == f"{PATIENT} install --yes --no-install-recommends libiio-dev"


def test_the_compiler_is_installed_only_for_its_library_headers(tmp_path):
    _, asked = run(tmp_path, "build", missing=["libstdc++-*-dev", "g++"], user=0)
    assert asked[-1].endswith(" g++")


def test_an_unknown_group_is_a_usage_error(tmp_path):
    done, _ = run(tmp_path, "everything")
    assert done.returncode == 2
    assert "the groups are: build test" in done.stderr


def test_the_packages_of_groups_can_be_asked_for_and_nothing_is_installed(tmp_path):
    done, asked = run(tmp_path, "--list", "build", "test", missing=["libgps-dev"], user=0)
    assert (done.returncode, done.stderr, asked) == (0, "", [])
    assert {"libgps-dev", "gpsd"} <= set(done.stdout.split())
