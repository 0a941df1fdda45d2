"""Records and chunks of MCAP files, damaged ones as well, which the `mcap` package of PyPI does not read."""
import json
import struct
import zlib

import zstandard

from harness.recording import samples

CHANNEL, MESSAGE, CHUNK = 4, 5, 6
# Opcode and length of a chunk's record, size and checksum of its records, compression and size of these packed. The times
# between say nothing of what is in it.
HEAD = struct.Struct("<BQ16xQII4sQ")


def records(data, begin=8, end=-8):
    """Opcode, place and length of the records of a whole MCAP file; nine bytes stand before the content of each."""
    place = begin
    while place < len(data) + end:
        length = 9 + int.from_bytes(data[place + 1:place + 9], "little")
        yield data[place], place, length
        place += length


def chunks_of(data):
    """Places of the chunks of a whole MCAP file."""
    return [range(place, place + length) for opcode, place, length in records(data) if opcode == CHUNK]


def unpacked(chunk):
    """The records of a chunk's record; None for a damaged one."""
    opcode, length, size, checksum, letters, compression, packed = HEAD.unpack(chunk[:HEAD.size])
    if (opcode, length, letters, compression, packed) != (CHUNK, len(chunk) - 9, 4, b"zstd", len(chunk) - HEAD.size):
        return None
    try:
        content = zstandard.ZstdDecompressor().decompress(chunk[HEAD.size:], max_output_size=size)
    except zstandard.ZstdError:
        return None
    return content if len(content) == size and zlib.crc32(content) == checksum else None


def sample_times(chunk, channels):
    """The times of the angular rates in a sound chunk, as in a table."""
    times = set()
    content = unpacked(chunk)
    for opcode, place, length in records(content, 0, 0):
        message = content[place + 9:place + length]
        if opcode == MESSAGE and channels[int.from_bytes(message[:2], "little")].topic == "/samples":
            times |= {
                f"{sample['time']['sec']}.{sample['time']['nsec']:09d}"
                for topic, sample in samples(json.loads(message[22:])) if topic == "/imu/angular_rate"}
    return times
