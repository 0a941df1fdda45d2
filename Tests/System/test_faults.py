"""Parts die and come back, readers die or stop: poses go on, the state says what is missing, nothing grows."""
import contextlib
import json
import re
import signal
import subprocess
import threading
import time

from waymark_interface import POSE_SUBSCRIBE

from harness.paths import PROGRAMS
from harness.poses import longest_gap, stamp
from harness.process import Program
from harness.rig import lacks_motion_alone
from harness.run_queue import Stopwatch
from harness.waiting import PATIENCE, wait_until

# What the project promises between the return of a part and the daemon's use of it. Unit: s.
RECOVERY = 5.0
# A reader at 20 Hz that lost nothing sees 0.05 s. Unit: s.
NO_GAP = 1.0
# After one round has filled the allocator's pools, another of the same kind may move their edges by this. Unit: KiB.
RESIDENT_SLACK = 2048


def settles(daemon, descriptors):
    """Waits until the daemon holds the descriptors it held before."""
    wait_until(
        lambda: daemon.program.descriptors() == descriptors, PATIENCE,
        lambda: f"{descriptors} descriptors; there are {daemon.program.descriptors()}")


@contextlib.contextmanager
def steady_reader(rig):
    """A subscriber to a rig that has its place: it gets poses without a gap, and the daemon keeps no descriptor."""
    rig.placed()
    descriptors = rig.daemon.program.settled_descriptors()
    with rig.daemon.subscribe() as reader:
        reader.wait_for_more()
        yield reader
        assert longest_gap(reader) < NO_GAP, "while a part is away the last state is carried on"
    rig.placed()
    settles(rig.daemon, descriptors)


def boot_time():
    return time.clock_gettime(time.CLOCK_BOOTTIME)


def test_poses_go_on_while_gpsd_is_killed_and_comes_back(rig):
    with steady_reader(rig) as reader:
        rig.receiver.kill_gpsd()
        reader.wait_for(lambda pose: "noGNSSData" in pose["reasons"], what="a pose that misses the receiver")
        receiver = rig.daemon.device("gpsd")
        assert receiver["state"] in ("searching", "silent", "failed") and receiver["detail"]
        rig.receiver.start_gpsd()
        with Stopwatch(*rig.processes) as recovery:
            reader.wait_for(lambda pose: "noGNSSData" not in pose["reasons"], what="a pose with the receiver back")
        assert recovery.seconds < RECOVERY
        wait_until(lambda: rig.daemon.device("gpsd")["state"] == "streaming")


def test_poses_go_on_while_the_receiver_is_silent(rig):
    with steady_reader(rig):
        rig.receiver.command("pause")
        wait_until(lambda: rig.daemon.device("gpsd")["state"] == "silent")
        rig.receiver.command("resume")
        with Stopwatch(*rig.processes) as recovery:
            wait_until(lambda: rig.daemon.device("gpsd")["state"] == "streaming")
        assert recovery.seconds < RECOVERY


def test_poses_say_what_is_missing_while_the_board_is_away_and_come_back_with_it(rig):
    with steady_reader(rig) as reader:
        rig.board.stop()
        reader.wait_for(lambda pose: "noInertialData" in pose["reasons"] and pose["state"] == "aligning")
        wait_until(lambda: "noInertialData" in rig.daemon.status()["reasons"])
        for name in ("imu_6axis", "magn_3axis"):
            device = wait_until(lambda: (found := rig.daemon.device(name)) and found.get("detail") and found)
            assert device["state"] in ("searching", "silent", "failed")
        assert rig.daemon.device("gpsd")["state"] == "streaming"
        rig.board.start()
        with Stopwatch(*rig.processes) as recovery:
            reader.wait_for(lambda pose: "noInertialData" not in pose["reasons"], what="a pose with the board back")
        assert recovery.seconds < RECOVERY
        wait_until(lambda: rig.daemon.device("imu_6axis")["state"] == "streaming")


def test_a_killed_subscriber_leaves_nothing_behind(rig):
    rig.placed()
    descriptors = rig.daemon.program.settled_descriptors()
    clients = rig.daemon.status()["clients"]
    with rig.daemon.subscribe() as reader:
        for _ in range(3):
            watcher = watch(rig)
            watcher.process.stdout.readline()
            watcher.end(signal.SIGKILL)
        reader.wait_for_more()
        wait_until(lambda: rig.daemon.status()["clients"] <= clients + 1)
        assert longest_gap(reader) < NO_GAP
    settles(rig.daemon, descriptors)


def watch(rig, rate=1000):
    command = [PROGRAMS / "waymark", "--socket", rig.daemon.socket, "watch", "--json", "--rate", str(rate)]
    return Program(command, rig.folder / "watch.log", stdout=subprocess.PIPE)


def test_a_stopped_subscriber_slows_nobody_and_learns_what_it_missed(rig):
    rig.placed()
    before = rig.daemon.status()["missedMessages"]
    with rig.daemon.subscribe() as reader:
        watcher = watch(rig)
        poses = []
        taker = threading.Thread(target=lambda: poses.extend(map(json.loads, watcher.process.stdout)), daemon=True)
        # Extending by a generator adds one pose after the other: the list can be read meanwhile.
        taker.start()
        wait_until(lambda: len(poses) > 10)
        watcher.send(signal.SIGSTOP)
        # All buffers between the daemon and the stopped reader are full then.
        wait_until(lambda: rig.daemon.status()["missedMessages"] > before + 300, what="many missed messages")
        watcher.send(signal.SIGCONT)
        resumed = boot_time()
        wait_until(lambda: stamp(poses[-1]) > resumed)
        watcher.end(signal.SIGINT)
        taker.join(PATIENCE)
        assert longest_gap(reader) < NO_GAP
    missed = [pose.get("missed", 0) for pose in poses]
    assert max(missed) > 100, "nearly all of them by the reader that was stopped, at one go"
    for earlier, later in zip(poses, poses[1:]):
        assert later["sequence"] == earlier["sequence"] + 1 + later.get("missed", 0)
    assert rig.daemon.status()["missedMessages"] >= before + sum(missed)


def test_a_stuck_client_is_closed_and_said_so(daemon):
    stuck = daemon({"source": {"kind": "simulation"}, "service": {"stuck_client_seconds": 1}}).start()
    descriptors = stuck.program.settled_descriptors()
    with stuck.subscribe() as reader, stuck.connect(receive_buffer=4096) as client:
        client.send_call(POSE_SUBSCRIBE, {"rate": 1000}, more=True)
        wait_until(lambda: stuck.status()["subscriptions"] == 2)
        wait_until(lambda: stuck.status()["subscriptions"] == 1, what="the stuck client to be closed")
        assert client.is_closed_within()
        reader.wait_for_more()
        assert longest_gap(reader) < NO_GAP
    assert stuck.status()["droppedClients"] == 1
    settles(stuck, descriptors)
    assert re.search(r"client .* read nothing for .* s: closed", stuck.log), stuck.log


def test_sixty_four_subscribe_at_once(rig):
    rig.placed()
    descriptors = rig.daemon.program.settled_descriptors()
    resident = []
    with rig.daemon.subscribe() as reader:
        for _ in range(3):
            crowd = [rig.daemon.connect() for _ in range(64)]
            for member in crowd:
                member.send_call(POSE_SUBSCRIBE, {"rate": 60}, more=True)
            for _ in range(20):
                for member in crowd:
                    assert lacks_motion_alone(member.reply()["pose"])
            assert rig.daemon.status()["subscriptions"] == 65
            for member in crowd:
                member.close()
            wait_until(lambda: rig.daemon.status()["subscriptions"] == 1)
            resident.append(rig.daemon.program.resident_kib())
        assert longest_gap(reader) < NO_GAP
    settles(rig.daemon, descriptors)
    assert resident[-1] - resident[0] < RESIDENT_SLACK
