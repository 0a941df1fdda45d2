"""A disk and a name server that take their time: no pose waits for them, and the end comes in time."""
import shutil
import signal
import subprocess
import threading
import time

import pytest
from waymark_interface import RECORDING_START

from harness.daemon import SIMULATION
from harness.poses import longest_gap

COMPILER = shutil.which("cc") or shutil.which("clang")
pytestmark = pytest.mark.skipif(not COMPILER, reason="needs a C compiler, to make calls of the system slow")

# Seconds that each call takes; the daemon has to answer and to end much sooner.
SLOWNESS = 4
NO_GAP = 1.0
# The project promises one second; the rest is for a machine that is busy.
END = 1.4

SLOW_CALLS = f"""
#include <netdb.h>
#include <unistd.h>
int fsync(int file) {{ (void)file; sleep({SLOWNESS}); return 0; }}
int fdatasync(int file) {{ (void)file; sleep({SLOWNESS}); return 0; }}
int getaddrinfo(const char *host, const char *port, const struct addrinfo *hints, struct addrinfo **list) {{
    (void)host; (void)port; (void)hints; (void)list;
    sleep({SLOWNESS});
    return EAI_AGAIN;
}}
"""


@pytest.fixture(scope="module")
def slowness(tmp_path_factory):
    """The environment in which these calls are slow."""
    folder = tmp_path_factory.mktemp("slow")
    (folder / "slow.c").write_text(SLOW_CALLS)
    subprocess.run([COMPILER, "-shared", "-fPIC", "-o", folder / "slow.so", folder / "slow.c"], check=True)
    return {"LD_PRELOAD": str(folder / "slow.so")}


def seconds_to_end(made):
    begun = time.monotonic()
    made.program.send(signal.SIGTERM)
    assert made.program.wait() == 0
    return time.monotonic() - begun


def test_a_slow_disk_holds_up_no_pose_and_no_call(daemon, slowness):
    made = daemon(SIMULATION, environment=slowness).start()
    with made.subscribe() as reader:
        reader.wait_for_more()
        begun = time.monotonic()
        starter = threading.Thread(target=made.call, args=(RECORDING_START, {"path": "walk"}))
        starter.start()
        while starter.is_alive():
            assert made.status()["state"]
            time.sleep(0.1)
        assert time.monotonic() - begun > SLOWNESS / 2, "the disk was not slow"
        reader.wait_for_more()
        assert longest_gap(reader) < NO_GAP
    assert made.status()["recording"]["path"].endswith("walk.mcap")
    assert seconds_to_end(made) < END


def test_the_end_comes_in_time_while_nothing_answers(daemon, slowness):
    made = daemon(
        {
            "iio": {"context": "ip:nowhere.invalid"}, "gnss": {"host": "nowhere.invalid"},
            "recording": {"at_start": True, "pose_rate_hz": 0},
        }, environment=slowness).start()
    assert made.status()["state"] == "initializing"
    assert seconds_to_end(made) < END
