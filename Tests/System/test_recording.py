"""Recordings through the daemon: complete, checked by the `mcap` package of PyPI, replayed to the same poses."""
import csv
import json
import os
import random
import signal
import subprocess
import time

import pytest
from mcap.reader import make_reader
from mcap.writer import Writer
from waymark_interface import (
    POSE, POSE_GET_POSE, POSE_NOT_READY, RECORDING_ALREADY_RECORDING, RECORDING_CANNOT_RECORD,
    RECORDING_NOT_RECORDING, RECORDING_START, RECORDING_STOP, SERVICE_INVALID_PARAMETER, SERVICE_PERMISSION_DENIED)

from harness.account import OTHER_ACCOUNT, as_other_user, needs_root
from harness.chunks import CHANNEL, CHUNK, chunks_of, records, sample_times, unpacked
from harness.command import waymark
from harness.daemon import SIMULATION, Daemon
from harness.iio import IIOServer
from harness.paths import PROGRAMS
from harness.poses import longest_gap, stamp
from harness.process import Program
from harness.recording import FORMS, check_pose_rate, messages, summary
from harness.stalls import now
from harness.varlink import CallFailed, Connection
from harness.waiting import PATIENCE, wait_until

pytestmark = pytest.mark.library


def record(daemon, file, seconds):
    result = waymark("record", "--duration", seconds, file, socket=daemon.socket)
    assert result.returncode == 0, result.stderr


def start_recording(daemon, file, log):
    """`waymark record` in the background; returns when the daemon records."""
    command = [PROGRAMS / "waymark", "--socket", daemon.socket, "record", "--poses", "0", file]
    program = Program(command, log, stdout=subprocess.DEVNULL)
    wait_until(lambda: daemon.status().get("recording"), what=lambda: f"a recording; {program.log}")
    return program


def wait_for_messages(daemon, count):
    """Waits until the recording has this number of messages, of which some are in one of the file."""
    wait_until(lambda: daemon.status()["recording"]["messages"] > count, what=f"{count} messages in the recording")


# The wire gives accuracies and angles four decimals, everything else six and more.
FOUR_DECIMALS = {
    "horizontalAccuracy", "verticalAccuracy", "orientationYawAccuracy", "horizontalVelocityAccuracy",
    "verticalVelocityAccuracy", "heading", "course", "probability"}


def difference(recorded, sent, key="pose"):
    """What a recorded message, which holds every bit, and the sent one, which is rounded, differ in."""
    if isinstance(recorded, dict):
        parts = [difference(recorded[name], sent.get(name), name) for name in recorded]
        parts += [f"{name}: only sent" for name in sent.keys() - recorded.keys()]
        return "; ".join(filter(None, parts))
    if isinstance(recorded, float) and sent is not None:
        same = abs(recorded - sent) <= (1e-4 if key in FOUR_DECIMALS else 1e-6)
    else:
        same = recorded == sent
    return "" if same else f"{key}: {recorded} recorded, {sent} sent"


def replay(file, output):
    result = waymark("replay", file, "--output", output, timeout=120)
    assert result.returncode == 0, result.stderr
    return result


def check_replayed(poses, file, table):
    """Whether a recording replays to these poses, all that were published; returns their rows.

    While the sensors are silent, as to a daemon that a busy machine keeps from reading them, poses are made at ticks of
    the clock. A table has rows of samples alone: those poses are counted.
    """
    result = replay(file, table)
    assert f" {len(poses)} poses, " in result.stderr
    with open(table, newline="") as lines:
        rows = {row["t_s"]: row for row in csv.DictReader(lines)}
    assert len(poses) > 100
    ticks = {seconds(tick) for _, _, tick in messages(file, ["/clock"])} - rows.keys()
    found = [(pose, rows[seconds(pose)]) for pose in poses if seconds(pose) not in ticks]
    for pose, row in found:
        for axis in "xyz":
            # The table has six decimals of a metre.
            assert abs(float(row[f"scene_{axis}_m"]) - pose["position"][axis]) <= 1e-6
        motion = pose["motion"]
        assert row["motion"] == motion["mode"]
        assert abs(float(row["motion_probability"]) - motion["probability"]) <= 1e-4
    oriented = [(pose, row) for pose, row in found if pose["tracking"]["orientation"] != "invalid"]
    assert len(oriented) > 100, "poses with an orientation are among them"
    for pose, row in oriented:
        for axis in "xyzw":
            assert abs(float(row[f"scene_q{axis}"]) - pose["orientation"][axis]) <= 1e-8
    return found


def seconds(message):
    """The time of a message, as in a table."""
    return f'{message["time"]["sec"]}.{message["time"]["nsec"]:09d}'


@pytest.fixture(scope="module")
def recorded(walk, tmp_path_factory):
    """A recording of a few seconds in the middle of the walk."""
    file = tmp_path_factory.mktemp("recorded") / "walk.mcap"
    walk.wait_for_state("localized")
    record(walk, file, 5)
    return file


def test_a_recording_is_read_whole_by_the_mcap_package(recorded):
    content = messages(recorded)
    assert len(content) > 1000
    topics = {topic for topic, _, _ in content}
    assert {"/imu/angular_rate", "/imu/specific_force", "/magnetic_field", "/gnss/fix", "/pose"} <= topics
    stamps = [stamp for _, stamp, _ in content]
    assert stamps == sorted(stamps)


def test_chunks_are_compressed_and_at_most_two_seconds_long(recorded):
    chunks = summary(recorded).chunk_indexes
    seconds_recorded = (chunks[-1].message_end_time - chunks[0].message_start_time) * 1e-9
    assert 2 <= len(chunks) <= 3 + seconds_recorded / 1.5
    for chunk in chunks:
        assert chunk.compression == "zstd" and chunk.message_end_time - chunk.message_start_time <= 2_100_000_000


def test_every_channel_is_json_with_a_schema(recorded):
    found = summary(recorded)
    assert len(found.channels) > 5
    for channel in found.channels.values():
        schema = found.schemas[channel.schema_id]
        assert channel.message_encoding == "json" and schema.encoding == "jsonschema"
        assert json.loads(schema.data)["type"] == "object"


def test_a_recorded_pose_is_the_pose_of_the_wire(recorded):
    schemas = {schema.name: json.loads(schema.data) for schema in summary(recorded).schemas.values()}
    required = schemas[POSE]["required"]
    content = messages(recorded)
    check_pose_rate(content, 10)
    poses = [pose for topic, _, pose in content if topic == "/pose"]
    assert len(poses) > 30
    for pose in poses:
        assert set(required) <= set(pose) and pose["frame"] == "scene"


def test_a_recording_replays_to_the_same_bytes_twice(recorded, tmp_path):
    for name in ("first.csv", "second.csv"):
        replay(recorded, tmp_path / name)
    assert (tmp_path / "first.csv").read_bytes() == (tmp_path / "second.csv").read_bytes()
    assert len((tmp_path / "first.csv").read_text().splitlines()) > 100


def test_what_was_recorded_from_the_first_sample_on_replays_to_the_poses_that_were_published(daemon, tmp_path):
    board = IIOServer(tmp_path / "board.log", "--preset", "board").start()
    board.stop()
    made = daemon({"iio": {"context": board.uri}, "gnss": {"enabled": False}}).start()
    file = tmp_path / "from-the-start.mcap"
    recording = start_recording(made, file, tmp_path / "record.log")
    board.start()
    try:
        with made.subscribe(rate=50) as reader:
            reader.wait_for_more(200)
        # What a subscriber has is in the recording, if that ends later.
        assert recording.end(signal.SIGINT) == 0
    finally:
        board.stop()
    recorded = {pose["sequence"]: pose for topic, _, pose in messages(file) if topic == "/pose"}
    for pose in reader.poses:
        pose.pop("missed", None)
        assert difference(recorded[pose["sequence"]], pose) == ""
    check_replayed(recorded.values(), file, tmp_path / "poses.csv")


def test_sensors_that_fall_silent_replay_to_the_poses_that_were_published(daemon, tmp_path):
    board = IIOServer(tmp_path / "board.log", "--preset", "board").start()
    made = daemon({"iio": {"context": board.uri}, "gnss": {"enabled": False}}).start()
    file = tmp_path / "silence.mcap"
    recording = start_recording(made, file, tmp_path / "record.log")
    try:
        with made.subscribe(rate=50) as reader:
            reader.wait_for_more(100)
            board.program.send(signal.SIGSTOP)
            reader.wait_for(lambda pose: "noInertialData" in pose["reasons"])
            board.program.send(signal.SIGCONT)
            reader.wait_for(lambda pose: "noInertialData" not in pose["reasons"])
            reader.wait_for_more(100)
        assert recording.end(signal.SIGINT) == 0
    finally:
        board.program.send(signal.SIGCONT)
        board.stop()
    published = [pose for topic, _, pose in messages(file) if topic == "/pose"]
    found = check_replayed(published, file, tmp_path / "poses.csv")
    assert len(found) < len(published), "some poses are of ticks of the clock"


def test_a_daemon_that_records_from_its_start_publishes_what_a_replay_gives(daemon, tmp_path):
    made = daemon(SIMULATION, {"recording": {"at_start": True, "pose_rate_hz": 0}}).start()
    made.wait_for_state("localized")
    with made.subscribe() as reader:
        reader.wait_for_more(40)
    made.end_recording()
    assert made.stop() == 0
    [file] = made.recordings.iterdir()
    published = {pose["sequence"]: pose for topic, _, pose in messages(file) if topic == "/pose"}
    assert min(published) == 1
    for pose in reader.poses:
        pose.pop("missed", None)
        assert difference(published[pose["sequence"]], pose) == ""

    found = check_replayed(published.values(), file, tmp_path / "poses.csv")
    located = [(pose["geo"], row) for pose, row in found if "geo" in pose]
    assert len(located) > 100
    for geo, row in located:
        # Nine decimals of a degree are in the table.
        assert abs(float(row["lat_deg"]) - geo["latitude"]) <= 1e-9
        assert abs(float(row["lon_deg"]) - geo["longitude"]) <= 1e-9


def test_what_was_recorded_under_way_replays_to_the_poses_that_were_published_from_the_first_on(walk, tmp_path):
    walk.wait_for_state("localized")
    recorded = tmp_path / "every.mcap"
    assert waymark("record", "--poses", 0, "--duration", 5, recorded, socket=walk.socket).returncode == 0
    content = messages(recorded)
    topics = [topic for topic, _, _ in content]
    assert topics.count("/estimator_state") == 1
    state = topics.index("/estimator_state")
    assert not {"/imu/angular_rate", "/imu/specific_force", "/pose"} & set(topics[:state])
    published = [pose for topic, _, pose in content if topic == "/pose"]
    assert all("utc" in pose and "geo" in pose for pose in published), "also before the first fix"
    found = check_replayed(published, recorded, tmp_path / "poses.csv")
    assert found[0][0] == published[0], "the first pose is among them"
    result = waymark("replay", recorded, timeout=120)
    assert "localized at the end" in result.stderr and "warning" not in result.stderr


def test_a_state_of_another_version_is_left_out_with_a_warning(recorded, tmp_path):
    file = tmp_path / "other.mcap"
    with open(recorded, "rb") as source, open(file, "wb") as target:
        reader, writer = make_reader(source), Writer(target)
        writer.start()
        channels = {}
        for schema, channel, message in reader.iter_messages(log_time_order=False):
            if channel.id not in channels:
                number = writer.register_schema(schema.name, schema.encoding, schema.data)
                channels[channel.id] = writer.register_channel(channel.topic, channel.message_encoding, number)
            data = message.data
            if channel.topic == "/estimator_state":
                state = json.loads(data)
                data = json.dumps(state | {"layout": "1", "version": "99"}).encode()
            writer.add_message(channels[channel.id], message.log_time, data, message.publish_time)
        writer.finish()
    result = replay(file, tmp_path / "poses.csv")
    assert "state at the beginning was not restored: it is of an estimator with another layout" in result.stderr


def test_a_recording_begun_under_way_is_served_from_where_it_began(recorded):
    folder = Daemon()
    try:
        command = [PROGRAMS / "waymark", "--socket", folder.socket, "replay", "--serve", recorded]
        folder.program = Program(command, folder.log_path)
        wait_until(folder.takes_clients)
        with folder.subscribe(rate=50) as reader:
            reader.wait_for_more(10)
        assert reader.poses[0]["state"] == "localized", "a start would take seconds"
        assert "utc" in reader.poses[0]
        folder.program.send(signal.SIGINT)
        assert folder.program.wait() == 0
    finally:
        folder.remove()


def test_a_recording_is_served_in_real_time_in_place_of_a_daemon(recorded, tmp_path):
    folder = Daemon()
    started = now()
    try:
        command = [PROGRAMS / "waymark", "--socket", folder.socket, "replay", "--serve", recorded]
        folder.program = Program(command, folder.log_path)
        wait_until(folder.takes_clients)
        status = folder.status()
        assert status["source"] == "replay"
        assert "updates" in status and "poseLatency" not in status, "no sensor has measured what is served"
        with folder.subscribe(rate=50) as reader:
            reader.wait_for_more(50)
            poses = list(reader.poses)
            assert started < stamp(poses[0]), "stamps are of the time when they are served"
            assert stamp(poses[-1]) < now(), "none is served before its time"
        assert stamp(poses[-1]) - stamp(poses[0]) > 0.8, "50 poses at 50 Hz last a second"
        folder.program.send(signal.SIGINT)
        assert folder.program.wait() == 0
        assert not folder.socket.exists()
    finally:
        folder.remove()


def test_ctrl_c_ends_a_recording_complete(simulation, tmp_path):
    file = tmp_path / "walk.mcap"
    recording = start_recording(simulation, file, tmp_path / "record.log")
    wait_for_messages(simulation, 200)
    assert recording.end(signal.SIGINT) == 0
    assert len(messages(file)) > 100
    assert "recording" not in simulation.status()


def test_sigterm_for_the_daemon_finishes_the_file(simulation, tmp_path):
    file = tmp_path / "walk.mcap"
    recording = start_recording(simulation, file, tmp_path / "record.log")
    wait_for_messages(simulation, 2000)
    assert simulation.stop() == 0
    recording.wait()
    recording.end()
    assert summary(file).statistics.message_count > 300 and len(messages(file)) > 300


def test_a_recording_of_a_killed_daemon_replays_up_to_the_cut_with_a_warning(simulation, tmp_path):
    file = tmp_path / "walk.mcap"
    recording = start_recording(simulation, file, tmp_path / "record.log")
    # Schemas and the state of the estimator come first.
    wait_until(lambda: file.stat().st_size > 60_000)
    simulation.program.end(signal.SIGKILL)
    assert recording.wait() == 3, recording.log
    recording.end()
    result = replay(file, tmp_path / "poses.csv")
    assert "warning" in result.stderr and str(file) in result.stderr
    assert len((tmp_path / "poses.csv").read_text().splitlines()) > 100


def test_a_file_that_is_cut_anywhere_replays_up_to_the_cut(recorded, tmp_path):
    whole = recorded.read_bytes()
    table = tmp_path / "whole.csv"
    replay(recorded, table)
    rows = table.read_text().splitlines()
    file, output = tmp_path / "cut.mcap", tmp_path / "cut.csv"
    for cut in (0, 1, 7):
        file.write_bytes(whole[:cut])
        result = waymark("replay", file, "--output", output)
        assert result.returncode == 1 and str(file) in result.stderr, (cut, result)
        assert not output.exists(), "what does not begin as a recording does is none"
    lengths = []
    # Random places may all lie in the first chunk, which has the state of the estimator and maybe nothing else.
    last = summary(recorded).chunk_indexes[-1].chunk_start_offset
    for cut in sorted([8, *random.Random(2).sample(range(8, len(whole)), 12), last, len(whole) - 1]):
        file.write_bytes(whole[:cut])
        result = replay(file, output)
        assert "warning" in result.stderr and str(file) in result.stderr, (cut, result)
        part = output.read_text().splitlines()
        assert part == rows[: len(part)], f"cut at {cut}: the poses up to the cut are the same"
        lengths.append(len(part))
    assert lengths == sorted(lengths), "more of the file never gives less"
    assert lengths[0] == 1 and lengths[-1] == len(rows) and len(set(lengths)) > 2, lengths


class Damage:
    """Damaged copies of a recording, and what their replays have to give."""

    def __init__(self, file, folder):
        self.whole, self.folder = file.read_bytes(), folder
        replay(file, folder / "whole.csv")
        self.rows = (folder / "whole.csv").read_text().splitlines()
        channels = summary(file).channels
        self.chunks = {place: sample_times(self.whole[place.start:place.stop], channels)
                       for place in chunks_of(self.whole)}

    def check(self, places, chance):
        """Flips a bit at each of some places; returns whether the replay lacks poses by that.

        A replay has a pose for each sample of what is whole, and says what is not. Without a lost chunk it is the same.
        """
        data = bytearray(self.whole)
        for place in places:
            data[place] ^= 1 << chance.randrange(8)
        file, output = self.folder / "damaged.mcap", self.folder / "damaged.csv"
        file.write_bytes(data)
        output.unlink(missing_ok=True)
        result = waymark("replay", file, "--output", output)
        assert result.returncode == 0, result.stderr
        part = output.read_text().splitlines()
        assert part == self.rows or ("warning" in result.stderr and str(file) in result.stderr), result
        lost = [times for place, times in self.chunks.items() if unpacked(data[place.start:place.stop]) is None]
        whole, found = ([row.split(",")[0] for row in rows[1:]] for rows in (self.rows, part))
        assert found == sorted(set(found) & set(whole), key=float), "rows of other samples"
        gone = set().union(*lost) & set(whole)
        missing = set(whole) - set(found)
        # A sample at the edge of a gap may wait for its other half, which is in the gap.
        assert gone <= missing and len(missing - gone) <= 2 * len(lost), (places, len(gone), len(missing), result.stderr)
        assert lost or part == self.rows, (places, result.stderr)
        return bool(missing)


def test_a_damaged_file_is_told_so_and_gives_the_rest(recorded, tmp_path):
    damage = Damage(recorded, tmp_path)
    chance = random.Random(3)
    filled = [place for place, times in damage.chunks.items() if times]
    short = 0
    for hit in filled * 3:
        # In a chunk with samples, behind its head, and anywhere but in the others: what those have is still there.
        others = [place for place in filled if place != hit]
        anywhere = [place for place in chance.sample(range(8, len(damage.whole)), 9)
                    if not any(place in other for other in others)]
        short += damage.check([chance.randrange(hit.start + 60, hit.stop), *anywhere[:3]], chance)
    assert short >= len(filled), "what is damaged in a chunk keeps its poses away"


def test_a_copy_of_what_is_whole_replays_to_the_same_bytes(recorded, tmp_path):
    copy = tmp_path / "copy.mcap"
    result = waymark("recover", recorded, copy)
    assert result.returncode == 0 and result.stderr.endswith("; nothing is missing\n"), result.stderr
    for file, table in ((recorded, "first.csv"), (copy, "second.csv")):
        assert "warning" not in replay(file, tmp_path / table).stderr
    assert (tmp_path / "first.csv").read_bytes() == (tmp_path / "second.csv").read_bytes()
    assert messages(copy) == messages(recorded)


@pytest.mark.long
def test_damage_that_no_checksum_covers_is_told_and_gives_the_rest(recorded, tmp_path):
    """A chunk has a checksum; a channel, and the first bytes of any record, have none."""
    damage = Damage(recorded, tmp_path)
    chance = random.Random(4)
    places = []
    for opcode, place, length in records(damage.whole):
        places += [place, place + 1 + chance.randrange(8)] * (opcode in (CHANNEL, CHUNK))
        places += [place + 9 + chance.randrange(length - 9) for _ in range(2)] * (opcode == CHANNEL)
    short = sum(damage.check([place], chance) for place in places)
    # The opcode and the length of each chunk with samples.
    assert len(places) > 50 and short == 2 * sum(map(bool, damage.chunks.values())), (len(places), short)


def small_disk(folder, script):
    """Runs a shell script in a mount namespace of its own, with a tiny file system at `folder`."""
    rights = [] if os.getuid() == 0 else ["-r"]
    mount = f"mount -t tmpfs -o size=300k none {folder} && "
    command = ["unshare", *rights, "-m", "sh", "-c"]
    if subprocess.run([*command, mount + "true"], capture_output=True).returncode != 0:
        pytest.skip("this machine lets no test mount a file system")
    return subprocess.run([*command, mount + script], capture_output=True, text=True, timeout=PATIENCE * 2)


def test_a_full_disk_ends_the_recording_by_name_and_nothing_else(simulation, tmp_path):
    disk, kept = tmp_path / "disk", tmp_path / "kept.mcap"
    disk.mkdir()
    with simulation.subscribe() as reader:
        reader.wait_for_more()
        result = small_disk(
            disk,
            f"{PROGRAMS}/waymark --socket {simulation.socket} record {disk}/walk.mcap; code=$?; "
            f"cp {disk}/walk.mcap {kept}; exit $code")
        assert result.returncode == 1, result
        assert "No space left" in result.stderr and "walk.mcap" in result.stderr
        assert "recording stopped early" in simulation.said("No space left")
        reader.wait_for_more()
        assert longest_gap(reader) < 1.0
    assert "recording" not in simulation.status()
    with simulation.connect() as connection:
        assert connection.error(RECORDING_STOP) == RECORDING_NOT_RECORDING
    # A name may say where the wearer goes.
    assert "walk.mcap" not in simulation.log
    # Another recording can begin, and what was saved of the first one can be used.
    record(simulation, tmp_path / "next.mcap", 1)
    replay(kept, tmp_path / "poses.csv")


def test_a_disk_with_less_than_the_minimum_free_takes_no_recording(daemon, tmp_path):
    made = daemon(SIMULATION, {"recording": {"minimum_free_megabytes": 1048576}}).start()
    result = waymark("record", "--duration", 5, tmp_path / "walk.mcap", socket=made.socket)
    assert result.returncode == 1 and "free" in result.stderr


def test_why_a_recording_ended_unasked_is_told_once(simulation):
    simulation.call(RECORDING_START, {"path": "walk.mcap"})
    simulation.configure({"recording": {"minimum_free_megabytes": 1048576}})
    simulation.reload()
    wait_until(lambda: "recording" not in simulation.status())
    with simulation.connect() as connection:
        with pytest.raises(CallFailed) as raised:
            connection.call(RECORDING_STOP)
        assert raised.value.name == RECORDING_CANNOT_RECORD and "free" in raised.value.parameters["reason"]
        assert connection.error(RECORDING_STOP) == RECORDING_NOT_RECORDING
    assert len(messages(simulation.recordings / "walk.mcap")) > 0


def test_the_daemon_records_into_its_own_folder_and_nowhere_else(simulation):
    with simulation.connect() as connection:
        started = connection.call(RECORDING_START, {"path": "one.mcap"})
        assert started["path"] == str(simulation.recordings / "one.mcap")
        assert connection.error(
            RECORDING_START, {"path": "two.mcap"}) == RECORDING_ALREADY_RECORDING
        time.sleep(1)
        stopped = connection.call(RECORDING_STOP)
        assert stopped["path"] == started["path"] and stopped["dropped"] == 0
        content = messages(stopped["path"])
        # Plans count with those in use, which they precede: here the line of the walk's route.
        uncounted = FORMS | {"/plan"}
        assert stopped["messages"] == len([topic for topic, _, _ in content if topic not in uncounted])
        assert stopped["bytes"] == os.path.getsize(stopped["path"])
        assert connection.error(RECORDING_STOP) == RECORDING_NOT_RECORDING
        for path in ("one.mcap", "../out.mcap", "/tmp/out.mcap", "a/../../out.mcap", "", "\0", "x" * 300):
            name = connection.error(RECORDING_START, {"path": path})
            assert name in (RECORDING_CANNOT_RECORD, SERVICE_INVALID_PARAMETER), path
    assert [file.name for file in simulation.recordings.iterdir()] == ["one.mcap"]


def test_a_recording_goes_on_when_its_starter_leaves(simulation):
    simulation.call(RECORDING_START, {"path": "long.mcap"})
    wait_for_messages(simulation, simulation.status()["recording"]["messages"] + 100)
    assert simulation.call(RECORDING_STOP)["messages"] > 100


def test_a_file_that_exists_is_not_overwritten(simulation, tmp_path):
    file = tmp_path / "mine.mcap"
    file.write_text("mine")
    result = waymark("record", "--duration", 1, file, socket=simulation.socket)
    assert result.returncode == 1 and "mine.mcap" in result.stderr and file.read_text() == "mine"


@needs_root
def test_somebody_without_permission_reads_but_does_not_record(open_daemon):
    made = open_daemon()

    def action():
        with Connection(made.socket) as connection:
            wait_until(lambda: reads(connection))
            errors = [connection.error(method, parameters) for method, parameters in (
                (RECORDING_START, {"path": "theirs.mcap"}), (RECORDING_STOP, None))]
            return [*errors, reads(connection)]

    denied = SERVICE_PERMISSION_DENIED
    assert as_other_user(action) == [denied, denied, "scene"]
    assert "recording" not in made.status()


@needs_root
def test_the_configured_user_may_record(open_daemon):
    made = open_daemon({"service": {"change_user": OTHER_ACCOUNT}})

    def action():
        with Connection(made.socket) as connection:
            connection.call(RECORDING_START, {"path": "theirs.mcap"})
            return connection.call(RECORDING_STOP)["path"]

    assert as_other_user(action) == str(made.recordings / "theirs.mcap")


def reads(connection):
    try:
        return connection.call(POSE_GET_POSE)["pose"]["frame"]
    except CallFailed as failure:
        assert failure.name == POSE_NOT_READY
        return None
