"""Recordings: MCAP files read by the `mcap` package of PyPI with all checksums checked, and folders of tables made."""
import itertools
import json

from mcap.reader import SeekingReader

from .foxglove import decoded

# Samples of a block, by their letters: the topic that each would have as a message of its own, its member and columns.
SAMPLES = {
    "g": ("/imu/angular_rate", "angularRate", "xyz"), "a": ("/imu/specific_force", "specificForce", "xyz"),
    "m": ("/magnetic_field", "magneticField", "xyz"), "b": ("/pressure", "pressure", ["hectopascal"]),
    "c": ("/clock", "clock", [])}


# Topics that repeat others in forms that other programs know.
FORMS = {"/location", "/gnss/location", "/tf", "/scene/pose", "/map/route", "/map/places", "/log"}


def messages(file, topics=None):
    """Topic, stamp and content of all messages, or of those of some topics; samples of blocks one by one."""
    found = []
    with open(file, "rb") as stream:
        for schema, channel, message in SeekingReader(stream, validate_crcs=True).iter_messages():
            content = decoded(message.data, channel.message_encoding, schema.name, schema.data) if schema else json.loads(message.data)
            entries = samples(content) if channel.topic == "/samples" else [(channel.topic, content)]
            found += [(topic, message.log_time, entry) for topic, entry in entries if topics is None or topic in topics]
    return found


def samples(block):
    """Topic and content of each sample of a block, in their order."""
    start = block["time"]["sec"] * 1_000_000_000 + block["time"]["nsec"]
    columns = {}
    for letter, (topic, member, names) in SAMPLES.items():
        if member in block:
            times = itertools.accumulate(block[member]["step"], initial=start)
            next(times)
            values = [dict(zip(names, row)) for row in zip(*(block[member][name] for name in names))]
            columns[letter] = iter(zip(times, values or itertools.repeat({})))
    for letter in block["order"]:
        time, values = next(columns[letter])
        yield SAMPLES[letter][0], {"time": {"sec": time // 1_000_000_000, "nsec": time % 1_000_000_000}, **values}
    assert all(next(column, None) is None for letter, column in columns.items() if letter != "c")


def check_pose_rate(content, rate):
    """Whether a recording has one pose for each interval of a rate in which there were samples; for 0, for each sample.

    However long it lasted, and however a busy machine held up what was recorded. Of samples that come after a pose that
    was made without them, since they were late, there is none.
    """
    def interval(message):
        time = message["time"]["sec"] * 1_000_000_000 + message["time"]["nsec"]
        return time * rate // 1_000_000_000 if rate else time

    poses = [part for topic, _, part in content if topic == "/pose"]
    intervals = [interval(pose) for pose in poses]
    assert len(intervals) == len(set(intervals)), "more than one pose in an interval"
    held = [pose["time"]["sec"] for pose in poses if "noInertialData" in pose["reasons"]]
    sampled = {
        interval(sample) for topic, _, sample in content
        if topic == "/imu/angular_rate" and not any(-2 <= sample["time"]["sec"] - second <= 1 for second in held)}
    missing = {each for each in sampled if intervals[0] < each < intervals[-1]} - set(intervals)
    assert not missing, f"{len(missing)} of {len(sampled)} without a pose"


def summary(file):
    with open(file, "rb") as stream:
        return SeekingReader(stream, validate_crcs=True).get_summary()


def write_tables(folder, seconds, tables):
    """A recording as a folder of tables: by file name the header, the rate in Hz, and the row at a time in seconds."""
    folder.mkdir()
    for name, (header, rate, row) in tables.items():
        rows = [row(index / rate) for index in range(round(seconds * rate))]
        (folder / name).write_text("\n".join([header, *rows, ""]))
    return folder
