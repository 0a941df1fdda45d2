"""Calibration through the daemon: live from samples, kept over any end, applied without a jump, taken in and away."""
import contextlib
import json
import math
import os
import signal
import stat
import threading

import pytest
from waymark_interface import (
    CALIBRATION_ALREADY_CALIBRATING, CALIBRATION_CANNOT_STORE, CALIBRATION_EXPORT, CALIBRATION_FINISH,
    CALIBRATION_IMPORT, CALIBRATION_INVALID_DOCUMENT, CALIBRATION_LIST, CALIBRATION_NOT_CALIBRATING,
    CALIBRATION_NO_SUCH_SENSOR, CALIBRATION_RESET, CALIBRATION_SENSOR_MISSING, CALIBRATION_START,
    CALIBRATION_WORSE_THAN_PRESENT, SERVICE_PERMISSION_DENIED)

from harness import calibration, handled
from harness.account import as_other_user
from harness.command import waymark
from harness.daemon import SIMULATION, Daemon
from harness.handled import Flaws
from harness.iio import IIOServer
from harness.paths import PROGRAMS, ROOT
from harness.poses import stamp
from harness.process import Program
from harness.settings import merged, rates
from harness.stalls import now
from harness.varlink import CallFailed, Closed, Connection
from harness.waiting import PATIENCE, wait_until

GYRO_BIAS = (0.02, -0.03, 0.01)
ACCELEROMETER = Flaws(((1.01, 0.004, 0), (0, 0.985, -0.006), (0, 0, 1.02)), (0.12, -0.2, 0.15), 0.01)
MAGNETOMETER = Flaws(((1.05, 0.03, 0), (0.03, 0.93, -0.02), (0, -0.02, 1.02)), (18.0, -25.0, 9.0), 0.2)


def devices(**imu):
    """A board whose gyroscope is not clipped by quick turns."""
    return [
        {"name": "imu_6axis", "rate": handled.RATE, "clock": "boottime", "label": "display", "temperature": 31.5,
         "channels": [{"kind": "accel", "scale": 0.000598}, {"kind": "gyro", "scale": 0.0005}], **imu},
        {"name": "magn_3axis", "rate": handled.MAGNETIC_RATE, "clock": "boottime",
         "channels": [{"kind": "magn", "scale": 0.0005}]},
    ]


def on(board, *layers):
    return merged(
        {"iio": {"context": board.uri}, "gnss": {"enabled": False}}, rates(inertial=handled.RATE), *layers)


class Live:
    """A calibration in a thread of its own: its progress and how it ends."""

    def __init__(self, daemon, kind, **parameters):
        self.begun = now()
        self.connection = Connection(daemon.socket)
        self.progress, self.result, self.failure = [], None, None
        self.connection.send_call(CALIBRATION_START, {"kind": kind, **parameters}, more=True)
        self.thread = threading.Thread(target=self.run, daemon=True)
        self.thread.start()

    def run(self):
        try:
            while self.result is None:
                reply = self.connection.reply()
                if "progress" in reply:
                    self.progress.append(reply["progress"])
                self.result = reply.get("result")
        except Exception as failure:  # raised by `end`
            self.failure = failure

    def leave(self):
        self.connection.socket.shutdown(2)
        self.thread.join(PATIENCE)
        self.connection.close()

    def end(self):
        self.thread.join(PATIENCE)
        assert not self.thread.is_alive(), f"no end; the newest is {self.progress[-1:]}"
        self.connection.close()
        if self.failure:
            raise self.failure
        return self.result


def kept(daemon):
    """What lies in the folder, by name."""
    folder = daemon.folder / "state/calibration"
    return {path.name: path.read_bytes() for path in folder.iterdir()} if folder.exists() else {}


def entries(daemon):
    return {entry["sensor"]: entry for entry in daemon.call(CALIBRATION_LIST)["calibrations"]}


def document(sensor="gyroscope", bias=(0.01, 0.0, 0.0), matrix=None, device=None, **record):
    return json.dumps(calibration.document(calibration.sensor(sensor, bias, matrix, **record), device=device))


def take_in(daemon, text, **parameters):
    return daemon.call(CALIBRATION_IMPORT, {"document": text, **parameters})["imported"]


def angle(first, second):
    """Between two orientations, degrees."""
    dot = abs(sum(first[axis] * second[axis] for axis in "xyzw"))
    return 2 * math.degrees(math.acos(min(1.0, dot)))


# Live, side by side.


# From the axes of the body to those of a compass that is rotated, and the mount matrix that it has nevertheless.
COMPASS = ((0, 1, 0), (-1, 0, 0), (0, 0, 1))
COMPASS_MOUNT = "0, 0, 1; 1, 0, 0; 0, 1, 0"


def rotated(flaws):
    """The same flaws of a compass with other axes."""
    return Flaws(turned(COMPASS, flaws.matrix), turned(COMPASS, [[part] for part in flaws.bias], 0), flaws.noise)


def turned(rotation, matrix, column=None):
    rows = [[sum(row[k] * matrix[k][j] for k in range(3)) for j in range(len(matrix[0]))] for row in rotation]
    return rows if column is None else [row[column] for row in rows]


@pytest.fixture(scope="module")
def handled_boards(tmp_path_factory):
    """Four boards, at rest, held in poses and turned, each with a daemon of its own and calibrated at the same time."""
    folder = tmp_path_factory.mktemp("handled")
    handled.play(folder / "poses.csv", handled.poses(), 80, accelerometer=ACCELEROMETER, gyroscope=Flaws(noise=0.002))
    handled.play(folder / "turning.csv", handled.turning(), 40, accelerometer=Flaws(noise=0.02), magnetometer=MAGNETOMETER)
    handled.play(folder / "compass.csv", handled.turning(), 40, accelerometer=Flaws(noise=0.02),
                 magnetometer=rotated(MAGNETOMETER))
    own_axes = devices()
    own_axes[1]["mount_matrix"] = COMPASS_MOUNT
    still = devices()
    # Quiet enough for ten seconds to do.
    still[0]["channels"][1].update(value=GYRO_BIAS, noise=0.0005)
    arguments = {
        "gyro": ["--json", json.dumps({"devices": still})],
        "accel": ["--json", json.dumps({"devices": devices()}), "--replay", folder / "poses.csv"],
        "mag": ["--json", json.dumps({"devices": devices()}), "--replay", folder / "turning.csv"],
        "compass": ["--json", json.dumps({"devices": own_axes}), "--replay", folder / "compass.csv"],
    }
    with contextlib.ExitStack() as stack:
        made = {}
        for kind, board in arguments.items():
            program = IIOServer(folder / f"{kind}.log", *board).start()
            stack.callback(program.stop)
            made[kind] = Daemon(on(program, {"recording": {"at_start": kind == "gyro", "pose_rate_hz": 0}}))
            stack.callback(made[kind].remove)
        for daemon in made.values():
            daemon.start()
        for kind, daemon in made.items():
            daemon.live = None
            wait_until(lambda d=daemon: d.status()["poses"] > 50, what=lambda d=daemon: f"poses; {d.log}")
            if kind == "gyro":
                daemon.reader = stack.enter_context(daemon.subscribe(rate=100))
            daemon.live = Live(daemon, "mag" if kind == "compass" else kind)
        yield made


@pytest.mark.long
def test_a_board_at_rest_gives_the_bias_of_its_gyroscope(handled_boards):
    daemon = handled_boards["gyro"]
    result = daemon.live.end()
    assert result["accepted"] and result["stored"], result
    assert result["parameters"]["bias"] == pytest.approx(GYRO_BIAS, abs=5e-4)
    assert result["parameters"]["matrix"] == calibration.IDENTITY
    assert result["temperature"] == pytest.approx(31.5, abs=0.01)
    assert daemon.live.progress
    made = entries(daemon)["gyroscope"]
    assert made["inForce"] and made["origin"] == "calibrate" and made["kind"] == "gyro"
    assert made["age"] < now() - daemon.live.begun
    assert made["identity"] == "imu_6axis, label display" and made["mountMatrix"] == sum(calibration.IDENTITY, [])
    daemon.said("gyroscope of imu_6axis, label display active")
    [name] = kept(daemon)
    assert name.startswith("imu_6axis--label-display-")


# Of poses at 100 Hz. A busy machine lets some come later, and the corrections that were made meanwhile come as one. Seconds.
LONGEST_STEP = 0.03


def pairs_after(poses, time):
    """Oriented poses that come one directly after the other since a time."""
    poses = [pose for pose in poses if stamp(pose) > time and pose["tracking"]["orientation"] != "invalid"]
    return [pair for pair in zip(poses, poses[1:]) if stamp(pair[1]) - stamp(pair[0]) < LONGEST_STEP]


@pytest.mark.long
def test_what_is_published_does_not_jump_when_it_is_applied(handled_boards):
    daemon = handled_boards["gyro"]
    daemon.live.end()
    ended = now()
    daemon.wait_until(lambda: len(pairs_after(daemon.reader.poses, ended)) > 100, what="poses afterwards")
    pairs = pairs_after(daemon.reader.poses, daemon.live.begun)
    poses = [pair[1] for pair in pairs]
    assert len({pose["generation"] for pose in poses}) == 1
    for before, after in pairs:
        # A board at rest whose gyroscope is off by 2.14 °/s is turned by no more than that between two poses.
        assert angle(before["orientation"], after["orientation"]) < 0.09 + 2.2 * (stamp(after) - stamp(before))
        assert math.dist(before["position"].values(), after["position"].values()) < 0.02
    # The rate that is published is the bias until then, and nothing of it afterwards.
    assert math.hypot(*poses[-1]["angularVelocity"].values()) < 0.01


@pytest.mark.long
def test_a_recording_of_it_replays_to_the_poses_that_were_published(handled_boards, tmp_path):
    from test_recording import check_replayed, messages
    daemon = handled_boards["gyro"]
    daemon.live.end()
    daemon.end_recording()
    assert daemon.stop() == 0
    [file] = daemon.recordings.iterdir()
    published = {pose["sequence"]: pose for topic, _, pose in messages(file) if topic == "/pose"}
    assert min(published) == 1
    check_replayed(published.values(), file, tmp_path / "poses.csv")


@pytest.mark.long
def test_a_board_held_in_poses_gives_its_accelerometer(handled_boards):
    daemon = handled_boards["accel"]
    result = daemon.live.end()
    assert result["accepted"] and result["stored"], result
    assert result["poses"] >= 9 and result["residualRMS"] < result["residualRMSBefore"]
    true_bias, matrix = ACCELEROMETER.bias, result["parameters"]["matrix"]
    assert result["parameters"]["bias"] == pytest.approx(true_bias, abs=0.03)
    # Put right, each axis of what was bent is as long as before: the rotation that norms cannot tell is left out.
    for column in range(3):
        bent = [ACCELEROMETER.matrix[row][column] for row in range(3)]
        straight = [sum(matrix[row][i] * bent[i] for i in range(3)) for row in range(3)]
        assert math.hypot(*straight) == pytest.approx(1, abs=0.004)
    assert result["predictedTiltError"] < 0.3
    assert max(len(step["poses"]) for step in daemon.live.progress) >= 6
    assert daemon.status()["calibration"]["sensors"][0]["sensor"] in ("gyroscope", "accelerometer")


@pytest.mark.long
def test_a_board_turned_through_the_sphere_gives_its_magnetometer(handled_boards):
    daemon = handled_boards["mag"]
    result = daemon.live.end()
    assert result["accepted"] and result["stored"], result
    assert result["parameters"]["bias"] == pytest.approx(MAGNETOMETER.bias, abs=0.7)
    assert result["predictedHeadingError"] < 1.5 and result["coverage"] > 0.5
    assert max(step.get("coverage", 0) for step in daemon.live.progress) > 0.5
    steps = [step for step in daemon.live.progress if "regions" in step]
    assert len(steps) > 5 and steps[-1]["coverage"] > 0.5
    assert all(len(step["regions"]) == round(step["coverage"] * 100) for step in steps)
    assert entries(daemon)["magnetometer"]["inForce"]


@pytest.mark.long
def test_a_compass_of_other_axes_is_calibrated_and_its_mount_matrix_offered(handled_boards):
    daemon = handled_boards["compass"]
    result = daemon.live.end()
    assert result["accepted"] and result["stored"], result
    axes = result["axes"]
    assert axes["agreement"] == "rotated" and axes["rotation"] == [0, -1, 0, 1, 0, 0, 0, 0, 1]
    # The rotation times the matrix that there is.
    assert axes["mountMatrix"] == [-1, 0, 0, 0, 0, 1, 0, 1, 0]
    stored = entries(daemon)["magnetometer"]
    assert stored["inForce"] and abs(stored["parameters"]["matrix"][0][1] + 1) < 0.15
    assert stored["rotation"] == axes["rotation"]
    mount = stored["mountMatrix"]
    assert mount == [0, 0, 1, 1, 0, 0, 0, 1, 0], "the one that was there is left as it was"
    file = json.loads(next(data for name, data in kept(daemon).items() if name.startswith("magn")))
    record = file["devices"][0]["sensors"][0]["present"]
    assert record["turn"] == axes["rotation"] and record["accelerometerMount"] == sum(calibration.IDENTITY, [])


# What keeps one from being made.


def test_one_at_a_time_until_its_caller_leaves(simulation):
    first = Live(simulation, "gyro")
    wait_until(lambda: first.progress or first.failure, what="progress")
    with simulation.connect() as other:
        with pytest.raises(CallFailed) as refused:
            other.send_call(CALIBRATION_START, {"kind": "mag"}, more=True)
            other.reply()
        assert (refused.value.name, refused.value.parameters) == (CALIBRATION_ALREADY_CALIBRATING, {"kind": "gyro"})
    assert simulation.status()["calibration"]["running"] == "gyro"
    first.leave()
    simulation.said("gyro cancelled")
    assert "running" not in simulation.status()["calibration"]
    assert kept(simulation) == {}
    assert simulation.connect().error(CALIBRATION_FINISH) == CALIBRATION_NOT_CALIBRATING


def test_a_walk_is_not_still(simulation):
    live = Live(simulation, "gyro", store=True)
    wait_until(lambda: len(live.progress) > 20 or live.failure, what="progress")
    assert len(live.progress) < 10 * live.progress[-1]["seconds"] + 20
    simulation.call(CALIBRATION_FINISH)
    result = live.end()
    assert not result["accepted"] and not result["stored"] and result["refusal"] and result["reason"]
    assert kept(simulation) == {}


def test_a_device_that_vanishes_half_way_ends_it_and_nothing_is_kept(iio_server, daemon):
    program = iio_server("--json", json.dumps({"devices": devices()}))
    made = daemon(on(program)).start()
    wait_until(lambda: made.status()["poses"] > 20, what=lambda: f"poses; {made.log}")
    live = Live(made, "noise")
    wait_until(lambda: live.progress and live.progress[-1]["seconds"] > 1, what=lambda: f"progress; {live.failure}")
    program.command(device="imu_6axis", faults={"gone": True})
    result = live.end()
    assert result["refusal"] == "silent" and "sent no samples for 3 s" in result["reason"] and kept(made) == {}
    # And one that says nothing at all is refused before anything is asked of the daemon.
    with pytest.raises(CallFailed) as refused:
        Live(made, "accel").end()
    assert refused.value.name == CALIBRATION_SENSOR_MISSING
    assert "accelerometer" in refused.value.parameters["detail"]


def test_without_the_sensor_it_does_not_begin(iio_server, daemon):
    program = iio_server("--json", json.dumps({"devices": devices()[:1]}))
    made = daemon(on(program)).start()
    wait_until(lambda: made.status()["poses"] > 20, what=lambda: f"poses; {made.log}")
    with pytest.raises(CallFailed) as refused:
        Live(made, "mag").end()
    assert refused.value.name == CALIBRATION_SENSOR_MISSING and refused.value.parameters["kind"] == "mag"
    assert "there is no magnetometer" in refused.value.parameters["detail"]
    assert made.device("imu_6axis")["temperature"] == pytest.approx(31.5, abs=0.01)


def test_a_replay_has_nothing_to_calibrate(daemon):
    # A minute, so that it still goes on when a busy machine comes to ask.
    file = ROOT / "examples/walk.mcap"
    folder = daemon()
    program = Program(
        [PROGRAMS / "waymark", "--socket", folder.socket, "replay", "--serve", file], folder.log_path)
    try:
        wait_until(folder.socket.exists, what=lambda: folder.log)
        with folder.connect() as connection:
            with pytest.raises(CallFailed) as refused:
                connection.send_call(CALIBRATION_START, {"kind": "gyro"}, more=True)
                connection.reply()
            assert "a recording is being replayed" in refused.value.parameters["detail"]
            assert connection.error(CALIBRATION_IMPORT, {
                "document": document(device={"name": "x"})}) == CALIBRATION_CANNOT_STORE
    finally:
        program.end()


# What is kept.


def test_one_is_taken_in_given_out_and_taken_away_again(simulation, daemon):
    assert take_in(simulation, document(bias=(0.01, 0, 0))) == ["gyroscope"]
    assert take_in(simulation, document("accelerometer", (0.1, 0, 0))) == ["accelerometer"]
    assert take_in(simulation, document("mount", (0, 0, 0), [[0, 0, 1], [0, 1, 0], [-1, 0, 0]])) == ["mount"]
    assert take_in(simulation, document(bias=(0.02, 0, 0))) == ["gyroscope"]
    # The same once more is no other one.
    assert take_in(simulation, document(bias=(0.02, 0, 0))) == []
    made = entries(simulation)
    assert made["gyroscope"]["history"] == 1 and made["gyroscope"]["origin"] == "import"
    assert all(entry["inForce"] for entry in made.values()) and len(made) == 3
    simulation.said("gyroscope of simulated, serial seed 1 active")

    text = simulation.call(CALIBRATION_EXPORT)["document"]
    # The same again changes nothing, not even the file.
    before = kept(simulation)
    assert take_in(simulation, text) == [] and kept(simulation) == before

    assert simulation.call(CALIBRATION_RESET, {"sensor": "gyro"})["reset"] == ["gyroscope"]
    simulation.said("gyroscope: no active calibration")
    assert "gyroscope" not in entries(simulation)
    assert take_in(simulation, text) == ["gyroscope"]
    assert simulation.call(CALIBRATION_RESET)["reset"] == ["gyroscope", "accelerometer", "mount"]
    assert simulation.call(CALIBRATION_RESET)["reset"] == [] and kept(simulation) == {}

    other = daemon(SIMULATION, {"simulation": {"seed": 2}}).start()
    assert take_in(other, text) == ["gyroscope", "accelerometer", "mount"]
    # They are of another board.
    assert {entry["detail"] for entry in entries(other).values()} == {"the device is not present"}


def test_only_those_who_may_change_it(simulation):
    simulation.open_to_all()
    path = str(simulation.socket)

    def action():
        with Connection(path) as connection:
            names = [connection.error(method, parameters) for method, parameters in [
                (CALIBRATION_START, {"kind": "gyro"}), (CALIBRATION_FINISH, {}), (CALIBRATION_RESET, {}),
                (CALIBRATION_IMPORT, {"document": "{}"})]]
            return names + [connection.call(CALIBRATION_LIST), "document" in connection.call(CALIBRATION_EXPORT)]

    assert as_other_user(action) == [SERVICE_PERMISSION_DENIED] * 4 + [{"calibrations": []}, True]


HOSTILE = {
    "nothing": ("", "$"),
    "another file": (json.dumps({"format": "shoe sizes"}), "$.format"),
    "a newer version": (json.dumps({"format": "waymark calibration", "version": 7}), "$.version"),
    "a mirror": (document(matrix=[[1, 0, 0], [0, 1, 0], [0, 0, -1]]), "$.devices[0].sensors[0].present.parameters.matrix"),
    "no rotation": (
        document("mount", (0, 0, 0), [[1, 0, 0], [0, 2, 0], [0, 0, 1]]),
        "$.devices[0].sensors[0].present.parameters.matrix"),
    "beyond any sensor": (document(bias=(50, 0, 0)), "$.devices[0].sensors[0].present"),
    "counts": (document(matrix=[[1e-3, 0, 0], [0, 1e-3, 0], [0, 0, 1e-3]], ofCounts=True), "$.devices[0].sensors[0].present"),
    "axes that no sensor has": (
        document("magnetometer", matrix=[[0.011, 0, 0], [0, 90, 0], [0, 0, 1]]), "$.devices[0].sensors[0].present"),
    "a bias that is not known": (
        document(standardDeviations={"bias": [1e11] * 3, "matrix": calibration.IDENTITY}), "$.devices[0].sensors[0].present"),
    "an error without degrees": (
        document(headingErrorRadians=1e308), "$.devices[0].sensors[0].present.headingErrorRadians"),
    "a device by its name and without": (
        json.dumps({"format": "waymark calibration", "version": 1, "devices": [
            *json.loads(document())["devices"],
            *json.loads(document(bias=(0.02, 0, 0), device={"name": "simulated", "serial": "seed 1"}))["devices"]]}),
        "$.devices[1].sensors[0]"),
    "deep": ("[" * 5000, None),
}


@pytest.mark.parametrize("name", HOSTILE)
def test_a_document_that_is_none_changes_nothing(walk, name):
    text, path = HOSTILE[name]
    with pytest.raises(CallFailed) as refused:
        take_in(walk, text)
    assert refused.value.name == CALIBRATION_INVALID_DOCUMENT and refused.value.parameters["reason"]
    assert path is None or refused.value.parameters["path"] == path
    assert kept(walk) == {}


def test_more_devices_than_a_document_may_have_are_not_kept(simulation):
    def of(count, prefix):
        parts = [json.loads(document(device={"name": f"{prefix}{index}"}))["devices"][0] for index in range(count)]
        return json.dumps({"format": "waymark calibration", "version": 1, "devices": parts})
    assert take_in(simulation, of(40, "old")) == ["gyroscope"]
    with pytest.raises(CallFailed) as refused:
        take_in(simulation, of(40, "new"))
    assert refused.value.parameters["path"] == "$.devices" and "80 devices" in refused.value.parameters["reason"]
    assert len(kept(simulation)) == 40
    assert take_in(simulation, of(40, "old")) == []


def test_a_worse_one_is_taken_in_only_by_force(simulation):
    good, poor = [
        document("magnetometer", (value, 0, 0), headingErrorRadians=error) for value, error in ((5, 0.005), (9, 0.02))]
    assert take_in(simulation, good) == ["magnetometer"]
    with pytest.raises(CallFailed) as refused:
        take_in(simulation, poor)
    assert refused.value.name == CALIBRATION_WORSE_THAN_PRESENT
    assert refused.value.parameters["sensor"] == "magnetometer" and "in the heading" in refused.value.parameters["reason"]
    assert take_in(simulation, poor, force=True) == ["magnetometer"]
    assert entries(simulation)["magnetometer"]["parameters"]["bias"] == [9, 0, 0]
    assert simulation.connect().error(CALIBRATION_RESET, {"sensor": "nose"}) == CALIBRATION_NO_SUCH_SENSOR


def test_one_that_comes_out_worse_is_kept_only_by_force(iio_server, daemon):
    still = devices()
    still[0]["channels"][1].update(value=GYRO_BIAS, noise=0.0005)
    made = daemon(on(iio_server("--json", json.dumps({"devices": still})))).start()
    wait_until(lambda: made.status()["poses"] > 50, what=lambda: f"poses; {made.log}")
    # It is right, and says that it was estimated in a longer rest than the ten seconds here.
    take_in(made, document("gyroscope", GYRO_BIAS, headingErrorRadians=4e-4))
    before = kept(made)
    result = Live(made, "gyro", store=True).end()
    assert not result["accepted"] and not result["stored"] and kept(made) == before, result
    assert result["refusal"] == "worseThanPresent" and "still valid" in result["reason"]
    result = Live(made, "gyro", store=True, force=True).end()
    assert result["accepted"] and result["stored"], result
    assert entries(made)["gyroscope"]["origin"] == "calibrate"


def test_damaged_files_are_set_aside_and_newer_ones_left_alone(daemon):
    made = daemon(SIMULATION).start()
    take_in(made, document())
    made.stop()
    [name] = kept(made)
    file = made.folder / "state/calibration" / name
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    good = file.read_bytes()

    file.write_bytes(good[:-20])
    made.start()
    made.said(f"{name}.damaged")
    assert entries(made) == {} and set(kept(made)) == {name + ".damaged"}
    made.stop()

    newer = good.replace(b'"version":1', b'"version":2', 1)
    file.write_bytes(newer)
    made.start()
    made.said("written by a newer Waymark")
    assert entries(made) == {}
    with made.connect() as connection:
        assert connection.error(CALIBRATION_IMPORT, {"document": document()}) == CALIBRATION_CANNOT_STORE
    assert file.read_bytes() == newer
    made.stop()

    file.write_bytes(good)
    made.start()
    assert entries(made)["gyroscope"]["inForce"]


def test_a_kill_at_any_time_leaves_the_old_or_the_new(daemon):
    made = daemon(SIMULATION)
    last = 0
    for turn in range(12):
        made.start()
        known = entries(made)
        found = round(known["gyroscope"]["parameters"]["bias"][0] * 1e6) if known else 0
        # The last that was confirmed, or the one that was on its way.
        assert found in (last, last + 1)
        last = found
        killer = threading.Timer(0.03 + 0.013 * turn, made.program.send, [signal.SIGKILL])
        killer.start()
        try:
            with made.connect() as connection:
                while True:
                    connection.call(
                        CALIBRATION_IMPORT, {"document": document(bias=((last + 1) * 1e-6, 0, 0)), "force": True})
                    last += 1
        except (Closed, OSError):  # the ways in which the end of the daemon shows; a refusal is none
            killer.join()
        made.program.process.wait()
        names = set(kept(made))
        assert not any(name.endswith(".damaged") for name in names)
        whole = [data for name, data in kept(made).items() if name.endswith(".json")]
        assert whole or last == 0, "what was confirmed is kept"
        for data in whole:
            assert json.loads(data)["devices"][0]["sensors"][0]["sensor"] == "gyroscope"
    assert last > 12


def test_the_calibration_follows_its_device_and_its_mount(iio_server, daemon):
    program = iio_server("--json", json.dumps({"devices": devices()}))
    made = daemon(on(program)).start()
    wait_until(lambda: made.status()["poses"] > 20, what=lambda: f"poses; {made.log}")
    take_in(made, document("accelerometer", (0.3, 0.2, 0.1)))
    made.stop()
    program.stop()

    # The next start finds it under another number, and mounted otherwise.
    turned = "0, 1, 0; -1, 0, 0; 0, 0, 1"
    swapped = [devices()[1], {**devices(mount_matrix=turned)[0]}]
    other = iio_server("--json", json.dumps({"devices": swapped}))
    made.configure({"iio": {"context": other.uri}})
    made.start()
    made.said("accelerometer of imu_6axis, label display active")
    wait_until(lambda: made.status()["poses"] > 20, what=lambda: f"poses; {made.log}")
    assert entries(made)["accelerometer"]["inForce"]
    file = made.folder / "state/warm-start.json"
    # After twenty seconds of a run there is something to keep; it is looked for every ten.
    wait_until(file.exists, 90, lambda: f"a warm start; {made.log}")
    sensors = json.loads(file.read_text())["sensors"]
    assert " calibrated " in sensors["accelerometer"], "what was learned holds with this calibration alone"


def test_settings_switch_it_off_and_on(simulation):
    take_in(simulation, document())
    simulation.said("gyroscope of simulated")
    simulation.configure({"calibration": {"apply": False}})
    simulation.reload()
    simulation.said("gyroscope: no active calibration")
    assert entries(simulation)["gyroscope"]["detail"] == "calibration.apply is false"
    simulation.configure({"calibration": {"apply": True}})
    simulation.reload()
    wait_until(lambda: entries(simulation)["gyroscope"]["inForce"], what="it is active again")


def test_a_disk_that_takes_nothing_is_told_and_nothing_changes(simulation):
    take_in(simulation, document())
    folder = simulation.folder / "state/calibration"
    # A folder in the place of the file that is written beside it cannot be replaced, even by root.
    [name] = kept(simulation)
    os.makedirs(folder / (name + ".new") / "x")
    with pytest.raises(CallFailed) as refused:
        take_in(simulation, document(bias=(0.02, 0, 0)), force=True)
    assert refused.value.name == CALIBRATION_CANNOT_STORE and refused.value.parameters["path"].endswith(name)
    assert entries(simulation)["gyroscope"]["parameters"]["bias"] == [0.01, 0, 0]
