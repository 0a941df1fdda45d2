"""Maps of a few streets in OpenStreetMap's own form, .osm.pbf: as much of it as routing services read of them.

Source: OpenStreetMap wiki, "PBF Format".
"""
import struct
import zlib


def write(path, nodes, ways):
    """Writes {number: (latitude, longitude)} and {number: ([node numbers], {tag: value})}."""
    texts = [""] + sorted({text for _, tags in ways.values() for item in tags.items() for text in item})
    index = {text: number for number, text in enumerate(texts)}
    table = _field(1, b"".join(_field(1, text.encode()) for text in texts))
    numbers = sorted(nodes)
    dense = (
        _packed(1, _deltas(numbers))
        + _packed(8, _deltas(round(nodes[number][0] * 1e7) for number in numbers))
        + _packed(9, _deltas(round(nodes[number][1] * 1e7) for number in numbers)))
    streets = b"".join(
        _field(3, _field(1, number) + _packed(2, [index[key] for key in tags])
               + _packed(3, [index[value] for value in tags.values()]) + _packed(8, _deltas(line)))
        for number, (line, tags) in sorted(ways.items()))
    header = _field(4, b"OsmSchema-V0.6") + _field(4, b"DenseNodes")
    with open(path, "wb") as file:
        file.write(_blob(b"OSMHeader", header))
        file.write(_blob(b"OSMData", table + _field(2, _field(2, dense))))
        file.write(_blob(b"OSMData", table + _field(2, streets)))


def _blob(kind, data):
    body = _field(2, len(data)) + _field(3, zlib.compress(data))
    header = _field(1, kind) + _field(3, len(body))
    return struct.pack(">I", len(header)) + header + body


def _varint(number):
    data = bytearray()
    while number > 0x7F:
        data.append(number & 0x7F | 0x80)
        number >>= 7
    return bytes([*data, number])


def _field(number, value):
    if isinstance(value, int):
        return _varint(number << 3) + _varint(value)
    return _varint(number << 3 | 2) + _varint(len(value)) + value


def _packed(number, values):
    return _field(number, b"".join(map(_varint, values)))


def _deltas(values):
    """Differences, zigzag encoded."""
    last = 0
    for value in values:
        difference, last = value - last, value
        yield difference << 1 if difference >= 0 else (-difference << 1) - 1
