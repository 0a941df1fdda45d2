"""The pose ring of the real daemon: shared memory that render threads read."""
import contextlib
import json
import mmap
import os
import signal
import socket
import subprocess
import time

import pytest
import waymark_interface
from waymark_interface import STATUS_GET_STATUS

from harness.daemon import SIMULATION
from harness.paths import PROGRAMS
from harness.pose_ring import OFF, TOO_MANY_CLIENTS, PoseRing, Refused
from harness.waiting import wait_until


def ring_path(daemon):
    return f"{daemon.socket}.ring"


def words(name):
    """The words of an enumeration in the order of their numbers."""
    return getattr(waymark_interface, name).__args__


def near(found, expected, decimals):
    """Whether a number is the one that was rounded to these decimals."""
    return abs(found - expected) <= 0.51 * 10 ** -decimals


def assert_same(slot, message):
    """A slot and the message of the same number agree, in what is absent too."""
    seconds, nanoseconds = divmod(slot["time"], 1_000_000_000)
    assert (seconds, nanoseconds) == (message["time"]["sec"], message["time"]["nsec"])
    assert slot["generation"] == message["generation"]
    assert words("LocalizationState")[slot["state"]] == message["state"]
    assert words("Quality")[slot["orientationTracking"]] == message["tracking"]["orientation"]
    assert words("Quality")[slot["positionTracking"]] == message["tracking"]["position"]
    assert words("HeadingReference")[slot["headingReference"]] == message["headingReference"]
    for name, kind in (("reasons", "Reason"), ("sources", "Source")):
        named = [word for bit, word in enumerate(words(kind)) if slot[name] >> bit & 1]
        assert named == message[name]
    for name, axes, decimals in (
            ("position", "xyz", 6), ("orientation", "xyzw", 9), ("linearVelocity", "xyz", 6),
            ("angularVelocity", "xyz", 6)):
        for value, axis in zip(slot[name], axes):
            assert near(value, message[name][axis], decimals), name
    assert ("geo" in slot) == ("geo" in message)
    for value, part, decimals in zip(slot.get("geo", ()), ("latitude", "longitude", "height"), (9, 9, 4)):
        assert near(value, message["geo"][part], decimals)
    for name, decimals in (("heading", 6), ("course", 6), ("speed", 4)):
        assert (name in slot) == (name in message)
        assert name not in slot or near(slot[name], message[name], decimals), name
    assert ("motion" in slot) == ("motion" in message)
    if "motion" in slot:
        mode, probability = slot["motion"]
        assert words("MotionMode")[mode] == message["motion"]["mode"]
        assert near(probability, message["motion"]["probability"], 4)
    for name, decimals in (
            ("horizontalAccuracy", 4), ("verticalAccuracy", 4), ("orientationYawAccuracy", 4),
            ("horizontalVelocityAccuracy", 4), ("verticalVelocityAccuracy", 4), ("angularVelocityAccuracy", 6)):
        accuracy = message["accuracy"].get(name)
        assert (name in slot) == (accuracy is not None), name
        assert accuracy is None or near(slot[name], accuracy, decimals), name
    assert ("utc" in slot) == ("utc" in message)


def test_the_poses_of_the_ring_are_those_of_a_subscription(simulation):
    simulation.wait_for_state("localized")
    with PoseRing(ring_path(simulation)) as ring, simulation.subscribe(rate=50) as subscriber:
        assert ring.magic == b"WAYMRING" and ring.clock == time.CLOCK_BOOTTIME
        with open("/proc/sys/kernel/random/boot_id") as file:
            assert ring.boot.hex() == file.read().strip().replace("-", "")
        compared = 0
        while compared < 40:
            message = subscriber.wait_for(lambda pose: True)
            slot = ring.pose(message["sequence"])
            # On a busy machine the ring may be a round ahead.
            if slot:
                assert_same(slot, message)
                compared += 1


def test_every_pose_is_in_the_ring_with_a_map_and_terms_for_predictions(simulation):
    simulation.wait_for_state("localized")
    with PoseRing(ring_path(simulation)) as ring:
        first = ring.newest
        wait_until(lambda: ring.newest >= first + 20, what=lambda: "poses in the ring")

        def many():
            """The poses of the ring that this process read whole; a busy machine may have kept it from most of them."""
            newest = ring.newest
            poses = [pose for pose in (ring.pose(number) for number in range(max(1, newest - 60), newest)) if pose]
            return poses if len(poses) > 20 else None

        poses = wait_until(many, what=lambda: "more than 20 poses read whole")
    for pose, after in zip(poses, poses[1:]):
        assert after["time"] > pose["time"]
    assert "map" in poses[-1] and "utc" in poses[-1]
    # The line through the last rates is near the last of them.
    assert all(abs(a - b) < 2 for a, b in zip(poses[-1]["turningRate"], poses[-1]["angularVelocity"]))


def test_a_client_can_map_the_ring_for_reading_alone(simulation):
    with PoseRing(ring_path(simulation)) as ring:
        again = os.open(f"/proc/self/fd/{ring.ring}", os.O_RDWR)
        for descriptor in (ring.ring, again):
            with pytest.raises(OSError):
                mmap.mmap(descriptor, 4096, prot=mmap.PROT_READ | mmap.PROT_WRITE)
            with pytest.raises(OSError):
                os.ftruncate(descriptor, 0)
            with pytest.raises(OSError):
                os.pwrite(descriptor, b"x", 0)
        os.close(again)


def test_after_a_kill_the_connection_ends_and_the_next_daemon_has_another_generation(simulation):
    with PoseRing(ring_path(simulation)) as ring:
        simulation.program.send(signal.SIGKILL)
        ring.wait_for_end()
        assert not ring.ended
    simulation.start()
    with PoseRing(ring_path(simulation)) as after:
        assert after.generation != ring.generation
        wait_until(lambda: after.newest > 0, what=lambda: "poses of the next daemon")


def test_an_end_in_order_is_marked_and_removes_the_socket(simulation):
    with PoseRing(ring_path(simulation)) as ring:
        assert simulation.stop() == 0
        ring.wait_for_end()
        assert ring.ended
    assert not os.path.exists(ring_path(simulation))


def test_the_status_counts_the_clients_of_the_ring(simulation):
    assert simulation.status()["poseRing"] == {"clients": 0}
    with PoseRing(ring_path(simulation)), PoseRing(ring_path(simulation)):
        assert simulation.status()["poseRing"] == {"clients": 2}
        shown = subprocess.run(
            [PROGRAMS / "waymark", "status", "--socket", simulation.socket], capture_output=True, text=True, check=True)
        assert any(line.split() == ["pose", "ring", "connections", "2"] for line in shown.stdout.splitlines())
    wait_until(lambda: simulation.status()["poseRing"] == {"clients": 0}, what=lambda: "both clients gone")


def test_a_client_that_sends_something_is_closed_and_the_others_stay(simulation):
    with PoseRing(ring_path(simulation)) as quiet, PoseRing(ring_path(simulation)) as loud:
        loud.socket.send(b"hello")
        # The end, or that what it sent was not read: the connection is closed right after the end was announced.
        with contextlib.suppress(ConnectionResetError):
            assert loud.socket.recv(1) == b""
        first = quiet.newest
        wait_until(lambda: quiet.newest > first, what=lambda: "poses for the other client")


def test_clients_beyond_the_limit_get_that_answer(daemon):
    made = daemon(SIMULATION, {"service": {"max_clients": 2}}).start()
    with PoseRing(ring_path(made)), PoseRing(ring_path(made)):
        with pytest.raises(Refused) as refusal:
            PoseRing(ring_path(made))
        assert refusal.value.answer == TOO_MANY_CLIENTS


def test_without_a_ring_there_is_no_socket_and_no_status(daemon):
    made = daemon(SIMULATION, {"service": {"pose_ring": False}}).start()
    assert not os.path.exists(ring_path(made))
    assert "poseRing" not in made.status()


def test_a_ring_socket_that_cannot_be_made_is_reported_and_all_else_is_served(daemon, tmp_path):
    made = daemon(SIMULATION, {"service": {"pose_ring_socket": str(tmp_path / "missing/ring.sock")}}).start()
    assert "pose ring" in made.status()["poseRing"]["problem"]
    assert "pose ring" in made.log
    made.wait_for_state("localized")


def test_the_service_manager_s_packet_socket_is_taken_for_the_ring(daemon):
    made = daemon(SIMULATION)
    stream, packets = made.folder / "s", made.folder / "p"
    sockets = []
    for path, kind in ((packets, socket.SOCK_SEQPACKET), (stream, socket.SOCK_STREAM)):
        listener = socket.socket(socket.AF_UNIX, kind)
        listener.bind(str(path))
        listener.listen(8)
        sockets.append(listener)

    # As systemd does: descriptors from 3 on, and the process that they are for.
    script = 'exec 3<&"$1" 4<&"$2"; shift 2; export LISTEN_FDS=2 LISTEN_PID=$$; exec "$@"'
    for listener in sockets:
        os.set_inheritable(listener.fileno(), True)
    made.socket = stream
    made.launch(
        prefix=["bash", "-c", script, "bash", str(sockets[0].fileno()), str(sockets[1].fileno())],
        pass_fds=[listener.fileno() for listener in sockets])
    for listener in sockets:
        listener.close()
    wait_until(made.takes_clients, what=lambda: made.log)
    with PoseRing(packets) as ring:
        wait_until(lambda: ring.newest > 0, what=lambda: "poses in the ring")
    assert made.call(STATUS_GET_STATUS)["status"]["poseRing"]["clients"] in (0, 1)


def test_with_the_ring_turned_off_a_client_of_the_service_manager_s_socket_gets_that_answer(daemon):
    made = daemon(SIMULATION, {"service": {"pose_ring": False}})
    path = made.folder / "p"
    with socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET) as packets, \
            socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as stream:
        for listener, place in ((packets, path), (stream, made.folder / "s")):
            listener.bind(str(place))
            listener.listen(8)
        made.socket = made.folder / "s"
        script = 'exec 3<&"$1" 4<&"$2"; shift 2; export LISTEN_FDS=2 LISTEN_PID=$$; exec "$@"'
        made.launch(
            prefix=["bash", "-c", script, "bash", str(packets.fileno()), str(stream.fileno())],
            pass_fds=[packets.fileno(), stream.fileno()])
        wait_until(made.takes_clients, what=lambda: made.log)
        with pytest.raises(Refused) as refusal:
            PoseRing(path)
        assert refusal.value.answer == OFF


def ring_bench(reads):
    done = subprocess.run(
        [PROGRAMS / "waymark-bench", "--ring", str(reads)], capture_output=True, text=True, timeout=600)
    assert done.returncode == 0, done.stdout + done.stderr
    figures = json.loads(done.stdout)
    assert figures["torn"] == 0 and figures["failed"] == 0 and figures["reads"] >= reads, figures
    return figures


def test_no_read_is_torn_beside_a_process_that_writes_without_pause():
    figures = ring_bench(3_000_000)
    assert figures["stops"] >= 5 and figures["written"] > 64


@pytest.mark.long
def test_no_read_of_a_hundred_million_is_torn():
    figures = ring_bench(100_000_000)
    # Reads that met the writer in their slot, and noticed.
    assert figures["overtaken"] > 0, figures
