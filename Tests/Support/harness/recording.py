"""What a recording holds, read by the `mcap` package of PyPI with all checksums checked."""
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
