"""Sensors and receivers that say impossible things: it is named, nothing impossible is published, and it passes."""
import json
import random
import time

import pytest

from harness.gps import GREETING, ClockOfGPSD, StandInGPSD
from harness.poses import longest_gap, stamp
from harness.rig import Rig
from harness.run_queue import Stopwatch
from harness.stalls import now
from harness.waiting import wait_until

pytestmark = pytest.mark.library

RECOVERY = 5.0  # see test_faults.py
NO_GAP = 1.0


def flows_now(rig, reader):
    """Waits for a pose that is made from now on, and soon: none of a past or a future that a wrong clock made up."""
    begun = now()
    with Stopwatch(*rig.processes) as recovery:
        reader.wait_for(lambda pose: begun < stamp(pose) < now(), what="a pose of now")
    assert recovery.seconds < RECOVERY


@pytest.mark.parametrize("text", ["nan", "inf", "0", "-0.01", "-1e999", "", "garbage", "1" * 5000], ids=lambda text: text[:8])
def test_a_scale_that_is_no_scale_is_named_and_keeps_the_daemon_alive(daemon, iio_server, text):
    devices = [
        {"name": "odd_imu", "rate": 100, "channels": [{"kind": "accel"}, {"kind": "gyro"}],
         "attributes": {"in_accel_scale": text}},
        {"name": "magn", "rate": 50, "channels": [{"kind": "magn"}]},
    ]
    odd = iio_server("--json", json.dumps({"devices": devices}))
    made = daemon({"iio": {"context": odd.uri}, "gnss": {"enabled": False}}).start()
    wait_until(lambda: (found := made.device("magn")) and found["state"] == "streaming")
    report = wait_until(lambda: (found := made.device("odd_imu")) and found.get("detail") and found)
    assert "scale" in report["detail"]
    assert "noInertialData" in made.status()["reasons"]


@pytest.mark.parametrize("xml", ["", "<context", "\0\1\2", "<context>" * 2000, '<?xml version="1.0"?><nothing/>'],
                         ids=["empty", "cut", "binary", "deep", "other"])
def test_a_description_that_is_none_is_named_and_keeps_the_daemon_alive(daemon, iio_server, xml):
    odd = iio_server("--json", json.dumps({"xml": xml}))
    made = daemon({"iio": {"context": odd.uri}, "gnss": {"enabled": False}}).start()
    report = wait_until(lambda: next(iter(made.status()["devices"]), None))
    assert report["state"] in ("searching", "failed")
    wait_until(lambda: made.status()["devices"][0].get("detail"))
    assert made.program.runs


def test_a_server_that_never_answers_holds_nothing_up(daemon, iio_server):
    mute = iio_server("--json", json.dumps({"faults": {"mute": True}}))
    made = daemon({"iio": {"context": mute.uri}, "gnss": {"enabled": False}}).start()
    assert made.status()["state"] == "initializing"
    assert made.stop() == 0


@pytest.mark.parametrize("step", [-3600.0, -10.0, 10.0, 3600.0])
def test_a_step_of_the_sensor_clock_is_survived(rig, step):
    rig.placed()
    with rig.daemon.subscribe() as reader:
        flows_now(rig, reader)
        rig.board.command(faults={"clock_offset_ns": int(step * 1e9)})
        time.sleep(2)
        rig.board.command(faults={"clock_offset_ns": 0})
        flows_now(rig, reader)
        longest_gap(reader)
        for pose in reader.poses:
            assert stamp(pose) < now(), "a pose of the future"
    rig.placed()


def test_stamps_that_go_back_a_little_are_left_out(rig):
    rig.placed()
    with rig.daemon.subscribe(rate=1000) as reader:
        reader.wait_for_more()
        for _ in range(20):
            rig.board.command(faults={"clock_offset_ns": -12_000_000})
            rig.board.command(faults={"clock_offset_ns": 0})
            time.sleep(0.05)
        reader.wait_for_more(100)
        # That time and sequence grow is what this checks.
        assert longest_gap(reader) < NO_GAP
    rig.placed()


def test_a_gap_is_counted_and_passes(rig):
    rig.placed()
    gaps = rig.daemon.device("imu_6axis")["gaps"]
    with rig.daemon.subscribe() as reader:
        reader.wait_for_more()
        rig.board.command(device="imu_6axis", faults={"silent": True})
        reader.wait_for_more(1)
        wait_until(lambda: rig.daemon.device("imu_6axis")["state"] == "silent")
        rig.board.command(device="imu_6axis", faults={"silent": False})
        flows_now(rig, reader)
    wait_until(lambda: rig.daemon.device("imu_6axis")["gaps"] > gaps)
    rig.placed()


def test_an_unplugged_device_is_missed_and_taken_again(rig):
    rig.placed()
    with rig.daemon.subscribe() as reader:
        rig.board.command(device="magn_3axis", faults={"gone": True})
        reader.wait_for(lambda pose: "noMagneticData" in pose["reasons"])
        magnetometer = rig.daemon.device("magn_3axis")
        assert magnetometer is None or magnetometer["state"] != "streaming"
        rig.board.command(device="magn_3axis", faults={"gone": False})
        with Stopwatch(*rig.processes) as recovery:
            reader.wait_for(lambda pose: "noMagneticData" not in pose["reasons"])
        assert recovery.seconds < RECOVERY
        assert longest_gap(reader) < NO_GAP
    rig.placed()


def test_duplicate_samples_give_no_second_pose(daemon, iio_server, tmp_path):
    play = tmp_path / "twice.csv"
    with open(play, "w") as file:
        for index in range(2000):
            row = index // 2 * 10_000_000
            file.write(f"{row},a,0,9.8,0\n{row},g,0,0,0\n")
    twice = iio_server("--preset", "combined", "--replay", play)
    made = daemon({"iio": {"context": twice.uri}, "gnss": {"enabled": False}}).start()
    with made.subscribe(rate=1000) as reader:
        reader.wait_for_more(100)
        longest_gap(reader)


VERSION = b'{"class":"VERSION","release":"3.22","proto_major":3,"proto_minor":14}\n'
FIX = '{"class":"TPV","device":"/dev/x","mode":3,"time":"2026-11-20T10:00:00.000Z","lat":%s,"lon":%s,"altHAE":%s}\n'
NONSENSE = {
    "noise": random.Random(4).randbytes(1 << 20),
    "a line without end": b"{" * (8 << 20),
    "no numbers": VERSION + (FIX % ("NaN", "Infinity", "-Infinity")).encode(),
    "no place on earth": VERSION + (FIX % ("1e308", "-1e308", "1e308")).encode() * 100,
    "wrong types": VERSION + (FIX % ('"here"', "[1]", "{}")).encode(),
    "dates beyond all dates": VERSION + (FIX % (48, 11, 500)).replace("2026-11-20", "99999-99-99").encode(),
    "nesting": b"[" * 100_000 + b"\n",
    "only a greeting": VERSION,
}


class BadGPSD(StandInGPSD):
    """Hangs up on its first clients; the daemon comes back, and the later ones get no answer."""

    def serve(self, connection):
        if len(self.connections) <= 3:
            super().serve(connection)
            connection.recv(4096)
            connection.close()


class LeavingGPSD(StandInGPSD):
    """Greets and leaves."""

    def serve(self, connection):
        with connection:
            super().serve(connection)


@pytest.mark.parametrize("pace", [0.0, -0.1, -30.0])
def test_a_receiver_whose_clock_does_not_go_on_is_named_until_it_does(daemon, pace):
    with ClockOfGPSD(0.1) as server:
        made = daemon({
            "iio": {"enabled": False},
            "gnss": {"host": "127.0.0.1", "port": server.port, "silence_seconds": 1}}).start()
        wait_until(lambda: made.device("gpsd")["state"] == "streaming" and made.device("gpsd")["samples"] > 3)
        server.pace = pace
        wait_until(
            lambda: (found := made.device("gpsd"))["state"] == "silent" and
            "their time does not go on" in found.get("detail", ""))
        made.said("their time does not go on")
        server.pace = 0.1
        wait_until(lambda: made.device("gpsd")["state"] == "streaming")
        assert made.stop() == 0


class OffTheEarth(ClockOfGPSD):
    """A receiver whose fixes are at a latitude that does not exist."""

    def place(self):
        return {"lat": 91.0}


def test_a_receiver_with_impossible_positions_is_not_told_to_lack_satellites(daemon):
    with OffTheEarth(0.1) as server:
        made = daemon({"iio": {"enabled": False}, "gnss": {"host": "127.0.0.1", "port": server.port}}).start()
        wait_until(lambda: "out of range" in made.device("gpsd").get("detail", ""))
        assert made.device("gpsd")["samples"] == 0
        assert made.stop() == 0


@pytest.mark.parametrize("text", NONSENSE.values(), ids=NONSENSE)
def test_a_gpsd_that_talks_nonsense_gives_no_fix_and_stops_nothing(daemon, text):
    with BadGPSD(text) as server:
        made = daemon({
            "iio": {"enabled": False},
            "gnss": {"host": "127.0.0.1", "port": server.port, "silence_seconds": 1}}).start()
        # It has heard it all three times, and then nothing.
        wait_until(lambda: len(server.connections) > 3)
        receiver = wait_until(lambda: (found := made.device("gpsd")).get("detail") and found)
        assert receiver["state"] != "streaming" and receiver["samples"] == 0
        # What is hostile fills no memory: the longest line a gpsd sends has some kilobytes.
        assert made.program.resident_kib() < 40_000
        assert made.stop() == 0


def test_broken_sentences_from_the_receiver_move_nothing():
    garbled = Rig(receiver=["--garbage"])
    try:
        garbled.placed()
        with garbled.daemon.subscribe() as reader:
            reader.wait_for_more(60)
            for pose in reader.poses:
                assert abs(pose["geo"]["latitude"] - 48.1) < 1e-3 and abs(pose["geo"]["longitude"] - 11.5) < 1e-3
            assert longest_gap(reader) < NO_GAP
    finally:
        garbled.remove()


def test_a_receiver_that_comes_and_goes_does_not_fill_the_log(daemon):
    """A server that greets and leaves is asked again four times a second."""
    with LeavingGPSD(GREETING) as server:
        made = daemon({"iio": {"enabled": False}, "gnss": {"port": server.port}}).start()
        wait_until(lambda: len(server.connections) > 20)
        assert made.log.count("gnss:") <= 15, made.log
        assert made.device("gpsd")["state"] == "searching"
