"""A recording with a damaged chunk: everything behind it is read, what is missing is named, and the rest is recovered."""
import os
import re
import shutil
import subprocess

import pytest
from mcap.writer import Writer

from harness.command import environment, waymark
from harness.paths import PROGRAMS
from harness.recording import messages, summary, write_tables

MISSING = re.compile(
    r"at byte (\d+): the chunk is damaged: missing are (\d+) bytes, from ([\d.]+) s to ([\d.]+) s, with (\d+) messages")


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    """A recording of 20 s of a board at rest, with fixes."""
    folder = tmp_path_factory.mktemp("recordings")
    tables = write_tables(folder / "tables", 20, {
        "imu.csv": ("t_s,ax,ay,az,gx,gy,gz", 100, lambda t: f"{t:.2f},0.01,{9.81 + t % 0.03:.3f},0.02,0.001,0,0"),
        "gnss.csv": ("t_s,lat_deg,lon_deg,height_m,hacc_m,vacc_m", 1, lambda t: f"{t:.0f},48.1,11.5,566,2,3"),
    })
    result = waymark("import", tables, folder / "whole.mcap")
    assert result.returncode == 0, result.stderr
    return folder / "whole.mcap"


@pytest.fixture
def damaged(whole, tmp_path):
    """The same with a byte changed in the middle of its fifth chunk."""
    data = bytearray(whole.read_bytes())
    chunk = summary(whole).chunk_indexes[4]
    data[chunk.chunk_start_offset + chunk.chunk_length // 2] ^= 1
    file = tmp_path / "damaged.mcap"
    file.write_bytes(data)
    return file


def replay(file, table):
    result = waymark("replay", file, "--output", table)
    assert result.returncode == 0, result.stderr
    return table.read_text().splitlines(), result.stderr


def test_a_replay_goes_on_behind_a_damaged_chunk_and_names_what_is_missing(whole, damaged, tmp_path):
    rows, _ = replay(whole, tmp_path / "whole.csv")
    part, errors = replay(damaged, tmp_path / "damaged.csv")
    place, size, start, end, count = MISSING.search(errors).groups()
    chunk = summary(whole).chunk_indexes[4]
    assert (int(place), int(size)) == (chunk.chunk_start_offset, chunk.chunk_length)
    assert 7 < float(start) < float(end) < 12 and int(count) > 3
    missing = len(rows) - len(part)
    assert 100 < missing < 300, "two seconds at 100 Hz"
    first = next(index for index, row in enumerate(part) if row != rows[index])
    assert float(rows[first].split(",")[0]) > float(start) - 2, "rows before the gap are the same"
    assert [row.split(",")[0] for row in part[-700:]] == [row.split(",")[0] for row in rows[-700:]]
    assert all(row.split(",")[5] for row in part[-700:]), "there are positions behind the gap"


@pytest.mark.parametrize("arguments", [
    ["export", "--format", "csv", "--what", "receiver"], ["report", "--output", "-"],
    ["calibrate", "gyro", "--from"]], ids=lambda arguments: arguments[0])
def test_others_name_what_is_missing_too(damaged, arguments):
    command = [*arguments, damaged]
    result = waymark(*command)
    assert MISSING.search(result.stderr), result
    if arguments[0] == "export":
        assert result.returncode == 0 and 16 <= result.stdout.count("\n") < 21


def test_what_is_whole_is_recovered_and_replays_with_one_warning(damaged, tmp_path):
    part, errors = replay(damaged, tmp_path / "damaged.csv")
    copy = tmp_path / "copy.mcap"
    result = waymark("recover", damaged, copy)
    assert result.returncode == 0 and MISSING.search(result.stderr).group() in errors, result.stderr
    assert copy.stat().st_mode & 0o777 == 0o600
    found, errors = replay(copy, tmp_path / "copy.csv")
    assert found == part and errors.count("warning") == 1
    assert "recovered from a damaged recording: 1 place is missing; the poses may differ" in errors
    statistics = summary(copy).statistics
    assert f"{copy}: {statistics.message_count} messages" in result.stderr
    assert len(messages(copy)) > 3000


def test_a_whole_recording_is_recovered_to_the_same_poses(whole, tmp_path):
    copy = tmp_path / "copy.mcap"
    result = waymark("recover", whole, copy)
    assert result.returncode == 0 and "nothing is missing" in result.stderr and "warning" not in result.stderr
    replay(whole, tmp_path / "whole.csv")
    replay(copy, tmp_path / "copy.csv")
    assert (tmp_path / "whole.csv").read_bytes() == (tmp_path / "copy.csv").read_bytes()
    assert messages(copy) == messages(whole)


def test_messages_of_topics_that_are_not_known_are_counted(tmp_path):
    file, copy = tmp_path / "other.mcap", tmp_path / "copy.mcap"
    with open(file, "wb") as stream:
        writer = Writer(stream)
        writer.start()
        for topic, count in (("/clock", 5), ("/other", 3)):
            channel = writer.register_channel(topic=topic, message_encoding="json", schema_id=0)
            for time in range(count):
                writer.add_message(channel, log_time=time, publish_time=time, data=b'{"time":{"nsec":5,"sec":1}}')
        writer.finish()
    result = waymark("recover", file, copy)
    assert result.returncode == 0 and "warning" not in result.stderr, result.stderr
    assert f"{copy}: 5 messages" in result.stderr
    assert result.stderr.endswith("; 3 messages of other topics were not copied\n")


def test_what_is_no_recording_is_not_recovered(whole, tmp_path):
    text, new = tmp_path / "text.mcap", tmp_path / "new.mcap"
    text.write_text("not a recording")
    os.mkfifo(tmp_path / "fifo")
    for path in (text, tmp_path, tmp_path / "fifo"):
        result = waymark("recover", path, new)
        assert result.returncode == 1 and f"{path} is not a recording" in result.stderr, result
    result = waymark("recover", tmp_path / "none", new)
    assert result.returncode == 1 and "No such file" in result.stderr
    assert not new.exists()


def test_a_file_that_exists_is_not_written_over_the_recording_least_of_all(whole, tmp_path):
    file = tmp_path / "walk.mcap"
    shutil.copy(whole, file)
    (tmp_path / "link.mcap").symlink_to(file)
    for path in (file, tmp_path / "link.mcap"):
        result = waymark("recover", file, path)
        assert result.returncode == 1 and "exists already" in result.stderr
    assert file.read_bytes() == whole.read_bytes()
    assert waymark("recover", file).returncode == 2


def test_a_full_disk_leaves_no_half_a_recording(whole, tmp_path):
    copy = tmp_path / "copy.mcap"
    # Blocks of 1024 bytes.
    command = ["bash", "-c", 'ulimit -f 20; exec "$@"', "-", PROGRAMS / "waymark", "recover", whole, copy]
    limited = subprocess.run(command, capture_output=True, text=True, env=environment())
    assert limited.returncode == 1 and "File too large" in limited.stderr and not copy.exists()
