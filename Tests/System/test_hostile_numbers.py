"""Numbers that no sensor measures, in any table or message of a recording: no program ends by a signal, and the file is named.

All columns and numbers go through the readers in one process in RecordingTests/HostileNumberTests.swift; these are the
programs around them.
"""
import json

import pytest
from mcap.reader import make_reader
from mcap.writer import Writer

from harness.command import waymark
from harness.recording import write_tables

NUMBERS = ["1e20", "1e308", "-1e308", "nan", "inf", "1e999"]


def made(folder, table, column, number):
    """Four seconds of all tables, with the number in each row of a column."""
    tables = {
        "imu": (50, {"t_s": None, "ax": 0.01, "ay": 9.81, "az": 0, "gx": 0.001, "gy": 0.1, "gz": 0}),
        "mag": (10, {"t_s": None, "mx": 0.1, "my": -42, "mz": -22}),
        "baro": (5, {"t_s": None, "pressure_hpa": 950}),
        "gnss": (2, {"t_s": None, "lat_deg": 47, "lon_deg": 8, "alt_m": 500, "ve_mps": 1, "vn_mps": 0, "vu_mps": 0,
                     "sacc_mps": 0.2, "sdn_m": 2, "sde_m": 2, "sdu_m": 4}),
    }

    def row(name, cells):
        return lambda t: ",".join(
            number if (name, cell) == (table, column) else str(t if value is None else value)
            for cell, value in cells.items())

    return write_tables(folder, 4, {
        f"{name}.csv": (",".join(cells), rate, row(name, cells)) for name, (rate, cells) in tables.items()})


@pytest.mark.parametrize("number", NUMBERS)
@pytest.mark.parametrize(("table", "column"), [("imu", "ay"), ("imu", "t_s"), ("baro", "pressure_hpa"),
                                               ("gnss", "sde_m"), ("gnss", "alt_m"), ("gnss", "vn_mps")])
def test_a_table_with_such_a_number_is_named_and_ends_no_program_by_a_signal(tmp_path, table, column, number):
    folder = made(tmp_path / "walk", table, column, number)
    for command in (["report", folder, "-o", "-"], ["replay", folder, "-o", "-"], ["import", folder, tmp_path / "x.mcap"],
                    ["calibrate", "gyro", "--from", folder, "--dry-run"]):
        result = waymark(*command)
        assert result.returncode in (0, 1), (command, result.returncode, result.stderr)
        # Of a receiver's accuracy, zero and less is how it says that it knows none.
        if command[0] != "calibrate" and (column, number) != ("sde_m", "-1e308"):
            assert f"{table}.csv" in result.stderr, (command, result.stderr)
        if command[0] == "replay":
            assert "nan" not in result.stdout and "inf" not in result.stdout


def changed(source, target, topic, path, number):
    """A copy of a recording with the number in one member of the messages of a topic."""
    with open(source, "rb") as stream, open(target, "wb") as output:
        writer = Writer(output)
        writer.start()
        channels = {}
        for schema, channel, message in make_reader(stream).iter_messages():
            if channel.id not in channels:
                kind = writer.register_schema(schema.name, schema.encoding, schema.data)
                channels[channel.id] = writer.register_channel(channel.topic, channel.message_encoding, kind)
            data = message.data
            if channel.topic == topic:
                content = json.loads(data)
                part = content
                for name in path[:-1]:
                    part = part[name]
                part[path[-1]] = "HERE"
                data = json.dumps(content).replace('"HERE"', number).encode()
            writer.add_message(channels[channel.id], message.log_time, data, message.publish_time, message.sequence)
        writer.finish()
    return target


def leaves(content, path=()):
    if isinstance(content, dict):
        return [leaf for name, value in content.items() for leaf in leaves(value, (*path, name))]
    if isinstance(content, list):
        return leaves(content[0], (*path, 0)) if content else []
    return [path] if isinstance(content, (int, float)) else []


def test_a_recording_with_such_a_number_is_named_and_ends_no_program_by_a_signal(tmp_path):
    folder = made(tmp_path / "walk", None, None, None)
    recording = tmp_path / "walk.mcap"
    assert waymark("import", folder, recording).returncode == 0
    with open(recording, "rb") as stream:
        first = {}
        for _, channel, message in make_reader(stream).iter_messages():
            first.setdefault(channel.topic, json.loads(message.data))
    # A number for each member in turn, so that each member and each number has its turn.
    numbers = 0
    for topic, content in first.items():
        for path in leaves(content):
            number = NUMBERS[numbers % len(NUMBERS)]
            numbers += 1
            copy = changed(recording, tmp_path / "copy.mcap", topic, path, number)
            for command in (["report", copy, "-o", "-"], ["replay", copy, "-o", "-"]):
                result = waymark(*command)
                assert result.returncode in (0, 1), (topic, path, number, command, result.stderr)
                assert "nan," not in result.stdout and "inf," not in result.stdout
    assert numbers > 20
