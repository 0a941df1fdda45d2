"""What the daemon learns of its sensors, kept from one run to the next."""
import csv
import json
import os
import signal
import stat

import pytest

from harness.command import waymark
from harness.daemon import SIMULATION, Daemon
from harness.recording import FORMS, messages
from harness.waiting import wait_until

# After twenty seconds of a run there is something to keep; it is looked for every ten.
FIRST = 60.0


def kept(daemon):
    return daemon.folder / "state" / "warm-start.json"


def wait_for_file(daemon):
    return wait_until(lambda: kept(daemon).exists(), FIRST, lambda: f"a warm start; the log is\n{daemon.log}")


def begun(daemon):
    """The status of the warm start once the estimator has begun."""
    reasons = ("none", "no file", "disabled", "the file")
    return wait_until(
        lambda: (start := daemon.status()["warmStart"])
        and (start.get("age") is not None or start.get("detail", "").startswith(reasons)) and start)


@pytest.fixture(scope="module")
def learned(tmp_path_factory):
    """The file of a run that was killed as soon as it had kept something, and the status of that run."""
    made = Daemon(SIMULATION)
    try:
        made.start()
        first = begun(made)
        wait_for_file(made)
        made.program.send(signal.SIGKILL)
        made.program.process.wait()
        yield kept(made).read_bytes(), stat.S_IMODE(os.stat(kept(made)).st_mode), first
    finally:
        made.remove()


def place(daemon, data):
    kept(daemon).parent.mkdir(parents=True, exist_ok=True)
    kept(daemon).write_bytes(data)


def test_the_first_run_begins_cold_and_what_it_keeps_is_whole_after_a_kill(learned):
    data, mode, first = learned
    assert first == {"used": [], "dropped": [], "detail": "no file yet"}
    assert mode == 0o600
    content = json.loads(data)
    assert content["gyroBias"]["deviation"]["x"] < 0.0052 and content["place"]["latitude"] == pytest.approx(47.38, abs=0.1)
    assert content["sensors"]["gyroscope"] == "simulated, seed 1"


def test_the_next_run_begins_with_it_and_tells_so(daemon, learned):
    made = daemon(SIMULATION)
    place(made, json.dumps({**json.loads(learned[0]), "compassConfirmationAge": 2.5}).encode())
    made.start()
    start = begun(made)
    assert {"gyroBias", "accelerometerBias", "place", "compass"} <= set(start["used"]) and start["dropped"] == []
    assert 0 <= start["age"] < 3600
    made.said("warm start: gyroBias, accelerometerBias")
    shown = waymark("status", socket=made.socket).stdout
    assert "warm start gyroBias accelerometerBias" in shown


def test_parts_of_another_board_are_not_used(daemon, learned):
    made = daemon(SIMULATION, {"simulation": {"seed": 2}})
    place(made, learned[0])
    made.start()
    start = begun(made)
    # The length of the wearer's steps does not depend on the board.
    assert "place" in start["used"]
    assert set(start["used"]) <= {"place", "stepScale"}
    assert {"part": "gyroBias", "reason": "otherSensor"} in start["dropped"]


def test_it_can_be_switched_off(daemon, learned):
    made = daemon(SIMULATION, {"state": {"warm_start": False}})
    place(made, learned[0])
    made.start()
    assert begun(made)["detail"] == "disabled by state.warm_start"
    made.wait_for_state("localized")
    assert made.stop() == 0
    assert kept(made).read_bytes() == learned[0]


@pytest.mark.parametrize("damage", [
    pytest.param(lambda data: data[: len(data) // 2], id="cut"),
    *(pytest.param(damage, id=name, marks=pytest.mark.long) for name, damage in {
        "empty": lambda data: b"", "zeros": lambda data: b"\0" * 100_000, "no moment": lambda data: b"{}",
        "beyond all numbers": lambda data: data.replace(b'"x":', b'"x":1e999,"q":', 1)}.items())])
def test_a_damaged_file_is_named_kept_aside_and_otherwise_ignored(daemon, learned, damage):
    made = daemon(SIMULATION)
    place(made, damage(learned[0]))
    made.start()
    assert begun(made)["detail"].startswith("the file is damaged: ")
    line = made.said("is not a valid warm start")
    assert str(kept(made)) in line
    assert (kept(made).parent / "warm-start.json.damaged").exists()
    made.wait_for_state("localized")


def test_one_from_long_ago_or_from_the_future_is_not_used(daemon, learned):
    for change, reason in [(-400 * 86400, "tooOld"), (400 * 86400, "implausible")]:
        content = json.loads(learned[0])
        content["moment"]["utcSeconds"] += change
        content["moment"]["boot"] = "another"
        made = daemon(SIMULATION)
        place(made, json.dumps(content).encode())
        made.start()
        start = begun(made)
        assert start["used"] == [] and {"part": "gyroBias", "reason": reason} in start["dropped"]
        made.stop()


def test_a_state_directory_that_cannot_be_written_is_told_and_nothing_else_suffers(daemon, tmp_path):
    blocked = tmp_path / "file"
    blocked.write_text("")
    made = daemon(SIMULATION, {"state": {"directory": str(blocked / "state")}}).start()
    made.said("the next start will be a cold start", FIRST)
    made.wait_for_state("localized")
    assert made.stop() == 0


def test_a_recording_from_the_start_holds_the_warm_start_and_replays_to_the_published_poses(daemon, learned, tmp_path):
    made = daemon(SIMULATION, {"recording": {"at_start": True, "pose_rate_hz": 0}})
    place(made, learned[0])
    made.start()
    assert "gyroBias" in begun(made)["used"]
    made.wait_for_state("localized")
    with made.subscribe() as reader:
        reader.wait_for_more(40)
    assert made.stop() == 0
    [file] = made.recordings.iterdir()
    replays_to_what_was_published(file, tmp_path)


def replays_to_what_was_published(file, tmp_path):
    content = messages(file)
    topics = [topic for topic, _, _ in content]
    assert topics.count("/warm_start") == 1
    assert topics.index("/warm_start") < topics.index("/imu/angular_rate")
    result = waymark("replay", file, "--output", tmp_path / "poses.csv", timeout=120)
    assert result.returncode == 0, result.stderr
    with open(tmp_path / "poses.csv", newline="") as table:
        rows = {row["t_s"]: row for row in csv.DictReader(table)}
    published = [pose for topic, _, pose in content if topic == "/pose"]
    assert len(published) > 100
    for pose in published:
        row = rows[f'{pose["time"]["sec"]}.{pose["time"]["nsec"]:09d}']
        # The table has six decimals of a metre and nine of a quaternion.
        assert all(abs(float(row[f"scene_{axis}_m"]) - pose["position"][axis]) <= 1e-6 for axis in "xyz")
        assert all(abs(float(row[f"scene_q{axis}"]) - pose["orientation"][axis]) <= 1e-8 for axis in "xyzw")


def test_a_recording_begun_under_way_holds_what_is_known_by_then(daemon, learned, tmp_path):
    made = daemon(SIMULATION).start()
    wait_for_file(made)
    file = tmp_path / "middle.mcap"
    assert waymark("record", "--duration", 3, file, socket=made.socket).returncode == 0
    # The line of the walk's route is recorded as a plan.
    content = [topic for topic, _, _ in messages(file) if topic not in FORMS | {"/plan", "/plans_in_use"}]
    # What was learned counts under the calibration on record, which comes first.
    assert content[:3] == ["/calibration", "/warm_start", "/estimator_state"]
    assert all(content.count(topic) == 1 for topic in content[:3])
    outputs = [tmp_path / "a.csv", tmp_path / "b.csv"]
    for output in outputs:
        assert waymark("replay", file, "--output", output, timeout=60).returncode == 0
    assert outputs[0].read_bytes() == outputs[1].read_bytes()
