"""A package of its own uses the client library of a tagged clone."""
import os
import shutil
import subprocess

import pytest
from scipy.spatial.transform import Rotation

from harness.paths import ROOT
from harness.sources import copy_tracked
from test_aid_examples import check_trajectory, recorded

SWIFT = os.environ.get("SWIFT", "swift")
PACKAGE = ROOT / "Tests/ClientPackage"
VERSION = "0.1.0"
# Building the library takes a minute or two, and more beside other builds.
BUILD_PATIENCE = 1200

pytestmark = [
    pytest.mark.pure, pytest.mark.long,
    pytest.mark.skipif(not shutil.which(SWIFT) or not shutil.which("git"), reason="needs swift and git")]


def run(*command, **options):
    done = subprocess.run(
        [str(part) for part in command], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, **options)
    assert done.returncode == 0, f"{command[0]} ended with {done.returncode}:\n{done.stdout}"
    return done.stdout


def tagged_clone(folder):
    """Repository with the tracked files as they are now, and a tag of the version."""
    git = ("git", "-C", folder, "-c", "user.name=Test", "-c", "user.email=test@localhost")
    copy_tracked(folder, "Package.swift", "Sources")
    run(*git, "init", "--quiet", "--initial-branch=main")
    run(*git, "add", "--all")
    run(*git, "commit", "--quiet", "--message=all")
    run(*git, "tag", VERSION)
    return folder


@pytest.fixture(scope="module")
def programs(tmp_path_factory):
    """Folder of the client programs, built with the library of a tagged clone."""
    folder = tmp_path_factory.mktemp("client")
    clone = folder / "waymark"
    clone.mkdir()
    tagged_clone(clone)
    package = shutil.copytree(PACKAGE, folder / "package", ignore=shutil.ignore_patterns(".build", "Package.resolved"))
    run(SWIFT, "build", "--package-path", package, "--cache-path", folder / "cache", timeout=BUILD_PATIENCE,
        env={**os.environ, "WAYMARK_REPOSITORY": str(clone)})
    return package / ".build/debug"


@pytest.fixture
def program(programs):
    return programs / "walk-along"


def test_a_package_that_depends_on_a_version_reads_poses_and_the_scene(program, walk):
    lines = [line.split() for line in run(program, walk.socket, timeout=60).splitlines()]
    poses = [line for line in lines if line[0] == "pose"]
    numbers = [int(pose[1]) for pose in poses]
    assert len(poses) == 10 and numbers == sorted(set(numbers))
    assert {pose[2] for pose in poses} <= {"initializing", "aligning", "limited", "localized"}
    assert any(line[0] == "placement" for line in lines)


def test_a_program_that_draws_reads_predicted_poses_from_shared_memory(programs, walk):
    lines = [line.split() for line in run(programs / "ring-pose", f"{walk.socket}.ring", timeout=60).splitlines()]
    assert len(lines) == 10 and {line[0] for line in lines} == {"pose"}
    numbers = [int(line[1]) for line in lines]
    assert numbers == sorted(set(numbers)) and {line[2] for line in lines} == {"20000000"}


def test_without_a_daemon_the_program_ends_with_the_reason(program, tmp_path):
    done = subprocess.run([program, tmp_path / "none"], stderr=subprocess.PIPE, text=True, timeout=60)
    assert done.returncode != 0 and str(tmp_path / "none") in done.stderr


def test_the_library_needs_no_libsystemd_and_none_of_the_daemon_s_libraries(program):
    for each in (program, program.parent / "ring-pose"):
        needed = run("ldd", each)
        for library in ("systemd", "sqlite3", "gps", "iio", "Geographic", "curl"):
            assert f"lib{library}" not in needed, needed


def test_a_program_with_a_camera_offers_its_odometry(programs, walk):
    lines = ["# timestamp tx ty tz qx qy qz qw"] + [f"{5 + number / 60} 0 {number / 60} 1.6 0 0 0 1" for number in range(30)]
    with recorded(walk, "swift", "/aid/odometry") as found:
        assert run(programs / "camera-odometry", walk.socket, input="\n".join(lines), timeout=60) == "30 accepted\n"
    check_trajectory(found, [(5 + number / 60, [0, number / 60, 1.6], Rotation.identity()) for number in range(30)])
