"""The soak: 64 subscribers and 8 scenes read on while others flood, come and go, and receiver and sensors fail.

Half a minute here; `make soak MINUTES=30` for longer. Prints a table of what the daemon held and what clients saw.
"""
import contextlib
import os
import time

import pytest

from harness.rig import Rig
from soak import gauges
from soak.clients import Clients, callers, churn, floods, subscribers
from soak.trouble import Trouble

MINUTES = float(os.environ.get("MINUTES") or 0.5)
SEED = int(os.environ.get("SEED") or 1)
SUBSCRIBERS, SCENES, FLOODS = 64, 8, 6
# Until all clients are there, and the first allocations of each kind of call are made. Seconds.
SETTLING = 10
# Between readings. Seconds.
STEP = 1.0
# What caches of the allocator may still take in the last third. Unit: KiB.
MOST_GROWTH = 1536
# The daemon opens the places when they are first asked for. Descriptors.
OPENED_LATER = 3
# One for work that some calls ask for may be there or not. Threads.
MORE_THREADS = 1
# Of all messages: a busy machine may keep the daemon itself from its sensors for longer than a pose is of use.
MOST_MISSED = 1e-2
pytestmark = pytest.mark.long


@pytest.fixture
def rig():
    made = Rig({
        "power": {"enabled": False},
        "service": {"max_clients": 256, "max_subscriptions": 256}})
    yield made
    made.remove()


def test_what_the_daemon_holds_stays_level_and_nobody_who_keeps_up_misses_anything(rig):
    daemon = rig.daemon
    idle = daemon.program.settled_descriptors()
    readings, seen = [], {}
    with contextlib.ExitStack() as stack:
        kinds = [
            Clients(subscribers, daemon.socket, SEED, SUBSCRIBERS, SCENES), Clients(floods, daemon.socket, SEED, FLOODS),
            Clients(churn, daemon.socket, SEED), Clients(callers, daemon.socket, SEED)]
        for kind in kinds:
            stack.callback(kind.kill)
        time.sleep(SETTLING)
        trouble = Trouble(rig, SEED)
        stack.callback(trouble.end)
        begun = time.monotonic()
        while (passed := time.monotonic() - begun) < 60 * MINUTES:
            assert daemon.runs, f"the daemon ended; its log is:\n{daemon.log[-4000:]}"
            readings.append(gauges.read(daemon.program, passed))
            time.sleep(STEP)
        counts = trouble.stop()
        seen = {kind.name: kind.stop() for kind in kinds}
    left = daemon.program.settled_descriptors()
    print(f"soak of seed {SEED}: {MINUTES:g} minutes", gauges.table(readings), sep="\n")
    print("trouble:", ", ".join(f"{name} {count}" for name, count in sorted(counts.items())))
    for name, found in seen.items():
        print(f"{name}:", ", ".join(f"{word} {count}" for word, count in found.items()))
    print(f"descriptors before {idle}, after {left}")
    assert seen["subscribers"]["disordered"] == seen["subscribers"]["ended"] == 0
    assert seen["subscribers"]["missed"] <= MOST_MISSED * seen["subscribers"]["messages"]
    assert left <= idle + OPENED_LATER
    assert gauges.growth(readings, "descriptors") <= OPENED_LATER
    assert gauges.growth(readings, "own") <= MOST_GROWTH + gauges.growth_of_past_poses(readings)
    assert gauges.growth(readings, "threads") <= MORE_THREADS
