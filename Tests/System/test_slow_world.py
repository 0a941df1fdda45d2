"""A disk and a name server that do not answer: no pose waits for them, and the end comes in time."""
import shutil
import subprocess
import threading

import pytest
from waymark_interface import RECORDING_START

from harness.daemon import IN_MEMORY, SIMULATION
from harness.poses import longest_gap
from harness.run_queue import seconds_to_end

COMPILER = shutil.which("cc") or shutil.which("clang")
pytestmark = pytest.mark.skipif(not COMPILER, reason="needs a C compiler, to make calls of the system slow")

NO_GAP = 1.0
# The project promises this from a signal to the end. Seconds.
END = 1.0

SLOW_CALLS = """
#include <netdb.h>
#include <stdlib.h>
#include <unistd.h>
static void wait_for_the_world(void) { while (access(getenv("SLOW_WORLD"), F_OK) == 0) usleep(10000); }
int fsync(int file) { (void)file; wait_for_the_world(); return 0; }
int fdatasync(int file) { (void)file; wait_for_the_world(); return 0; }
int getaddrinfo(const char *host, const char *port, const struct addrinfo *hints, struct addrinfo **list) {
    (void)host; (void)port; (void)hints; (void)list;
    wait_for_the_world();
    return EAI_AGAIN;
}
"""


class World:
    """The environment of a program for which disk and name server do not answer while a file is there."""

    def __init__(self, library, file):
        self.file = file
        self.environment = {"LD_PRELOAD": str(library), "SLOW_WORLD": str(file)}

    def stop(self):
        self.file.touch()

    def go_on(self):
        self.file.unlink()


@pytest.fixture(scope="module")
def library(tmp_path_factory):
    folder = tmp_path_factory.mktemp("slow")
    (folder / "slow.c").write_text(SLOW_CALLS)
    subprocess.run([COMPILER, "-shared", "-fPIC", "-o", folder / "slow.so", folder / "slow.c"], check=True)
    return folder / "slow.so"


@pytest.fixture
def world(library, tmp_path):
    return World(library, tmp_path / "slow")


def test_a_slow_disk_holds_up_no_pose_and_no_call(daemon, world):
    made = daemon(SIMULATION, environment=world.environment, parent=IN_MEMORY).start()
    with made.subscribe() as reader:
        reader.wait_for_more()
        world.stop()
        starter = threading.Thread(target=made.call, args=(RECORDING_START, {"path": "walk"}))
        starter.start()
        for _ in range(20):
            assert made.status()["state"]
            reader.wait_for_more()
        assert starter.is_alive(), "the disk has answered"
        world.go_on()
        starter.join()
        assert longest_gap(reader) < NO_GAP
    assert made.status()["recording"]["path"].endswith("walk.mcap")
    world.stop()
    assert seconds_to_end(made.program) < END
    assert made.program.wait() == 0


def test_the_end_comes_in_time_while_nothing_answers(daemon, world):
    world.stop()
    made = daemon(
        {
            "iio": {"context": "ip:nowhere.invalid"}, "gnss": {"host": "nowhere.invalid"},
            "recording": {"at_start": True, "pose_rate_hz": 0},
        }, environment=world.environment, parent=IN_MEMORY).start()
    assert made.status()["state"] == "initializing"
    assert seconds_to_end(made.program) < END
    assert made.program.wait() == 0
