"""Recordings: MCAP files read by the `mcap` package of PyPI with all checksums checked, and folders of tables made."""
import json

from mcap.reader import SeekingReader


def messages(file, topics=None):
    """Topic, stamp and JSON content of all messages, or of those of some topics."""
    with open(file, "rb") as stream:
        return [
            (channel.topic, message.log_time, json.loads(message.data))
            for _, channel, message in SeekingReader(stream, validate_crcs=True).iter_messages(topics=topics)]


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
