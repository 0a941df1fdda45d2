"""Elevation models as files: tiles of SRTM and GeoTIFF."""
import array
import ctypes
import struct

# Of 3 seconds of arc, as SRTM's.
INTERVALS = 1200


def degree(folder, south, west, height):
    """A file of heights, of a formula by the number of the row from the south."""
    samples = array.array("h")
    for row in range(INTERVALS, -1, -1):
        samples.extend([height(row)] * (INTERVALS + 1))
    samples.byteswap()
    latitude, longitude = f"{'NS'[south < 0]}{abs(south):02}", f"{'EW'[west < 0]}{abs(west):03}"
    path = folder / f"{latitude}{longitude}.hgt"
    path.write_bytes(samples.tobytes())
    return path


def geotiff(path, south, west, spacing, rows, columns, height):
    """A GeoTIFF of floats in WGS84, as Copernicus' are: tags of TIFF 6 and GeoTIFF 1.1."""
    data = b"".join(
        struct.pack("<f", height(south + (rows - 1 - row) * spacing, west + column * spacing))
        for row in range(rows) for column in range(columns))
    # Samples are in the middle of their pixels.
    corner = struct.pack("<6d", 0, 0, 0, west - spacing / 2, south + (rows - 0.5) * spacing, 0)
    keys = struct.pack("<16H", 1, 1, 0, 3, 1024, 0, 1, 2, 1025, 0, 1, 1, 2048, 0, 1, 4326)
    long = {33550: (12, 3, struct.pack("<3d", spacing, spacing, 0)), 33922: (12, 6, corner), 34735: (3, 16, keys)}
    tags = [(256, 4, 1, columns), (257, 4, 1, rows), (258, 3, 1, 32), (259, 3, 1, 1), (262, 3, 1, 1), (273, 4, 1, 8),
            (277, 3, 1, 1), (278, 4, 1, rows), (279, 4, 1, len(data)), (339, 3, 1, 3)]
    tail = b""
    for tag, (kind, count, content) in long.items():
        tags.append((tag, kind, count, 8 + len(data) + len(tail)))
        tail += content
    directory = struct.pack("<H", len(tags)) + b"".join(struct.pack("<HHII", *tag) for tag in sorted(tags)) + bytes(4)
    path.write_bytes(struct.pack("<2sHI", b"II", 42, 8 + len(data) + len(tail)) + data + tail + directory)
    return path


def has_gdal():
    for version in (36, 35, 34, 33, 32):
        try:
            ctypes.CDLL(f"libgdal.so.{version}")
            return True
        except OSError:
            continue
    return False
