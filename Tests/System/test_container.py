"""The container image: made from Debian's archive without root's storage or a registry, and the demonstration runs in it."""
import json
import shutil
import subprocess

import pytest

from harness.package import debian_package
from harness.paths import ROOT

# Debian's base packages have to be loaded and unpacked.
pytestmark = pytest.mark.long
SOCKET = "/run/waymark/waymark.sock"


@pytest.fixture
def buildah(tmp_path):
    """Runs buildah with storage of its own, which goes with the test."""
    debian_package("NOT TESTED AS A CONTAINER")
    needed = subprocess.run([ROOT / "scripts/require", "container"], capture_output=True, text=True)
    if needed.returncode:
        pytest.skip(f"NOT TESTED AS A CONTAINER: {needed.stderr.strip()}")
    storage = tmp_path / "storage"
    command = ["buildah", "--root", storage, "--runroot", storage / "run", "--storage-driver", "vfs"]
    yield command
    subprocess.run([*command, "rm", "--all"], capture_output=True)
    shutil.rmtree(storage, ignore_errors=True)


def run(*command):
    done = subprocess.run(command, capture_output=True, text=True, timeout=600)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_the_demonstration_in_the_container_gives_a_pose_without_rights_or_a_compiler(buildah, tmp_path):
    made = subprocess.run([ROOT / "scripts/container", tmp_path / "image"], capture_output=True, text=True)
    if made.returncode and "mmdebstrap" in made.stderr:
        pytest.skip(f"NOT TESTED AS A CONTAINER: {made.stderr.strip()[-300:]}")
    assert made.returncode == 0, made.stderr
    [image] = (tmp_path / "image").iterdir()
    container = run(*buildah, "from", f"oci-archive:{image}").strip()
    config = json.loads(run(*buildah, "inspect", container))["OCIv1"]["config"]
    assert (config["User"], config["Entrypoint"]) == ("waymark", ["/usr/bin/waymarkd"])
    inside = [*buildah, "run", "--isolation", "chroot", container, "--"]
    said = run(*inside, "sh", "-c", f"""
        id -un; command -v cc swift
        waymarkd --demo --socket {SOCKET} 2>/dev/null & daemon=$!
        until [ -S {SOCKET} ]; do kill -0 $daemon && sleep 0.1 || exit; done
        waymark --socket {SOCKET} wait --horizontal 20 --timeout 120 >/dev/null && waymark --socket {SOCKET} pose
        kill $daemon; wait $daemon""").splitlines()
    assert said[0] == "waymark" and json.loads(said[1])["state"] == "localized", said
