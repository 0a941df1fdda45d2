"""Offers the ranges of a UWB tag, a Decawave or Qorvo DWM1001 with its own firmware (PANS).

    python3 ranges_dwm1001.py anchors.csv /dev/ttyACM0

The tag prints a line for each of its measurements once `lec` was typed into its shell, as with picocom (115 200 baud; two
returns open the shell):

    DIST,2,AN0,1151,5.00,8.00,2.25,6.48,AN1,0CA8,0.00,8.00,2.25,6.51,POS,6.95,5.37,-1.97,52

that is the number of anchors; for each of them its name, its address, x, y and z as the tag knows them, and the distance
(m); and, where the tag has solved one, its position, with a quality in percent. Only addresses and distances are used:
where the anchors are on the earth is in the table, a line "address,latitude,longitude,height" for each (degrees; metres
above the ellipsoid). Without a device the lines come from the standard input.
"""

import collections.abc
import contextlib
import io
import math
import re
import sys
import termios
import typing

import waymark_pose as waymark

# Half of a tag's interval of 0.1 s, in which the ranges of a line are measured one after the other.
# Unit: seconds.
LATENCY = 0.05
# Of a range with a free line of sight, in the open. Unit: metres.
ACCURACY = 0.15
ADDRESS = re.compile(r"[0-9A-F]{4}")
# Beyond what the radio reaches. Unit: metres.
LONGEST_RANGE = 300.0


def read_anchors(path: str) -> dict[str, waymark.Geo]:
    """Positions of the anchors by address."""
    anchors: dict[str, waymark.Geo] = {}
    with open(path, encoding="utf-8") as file:
        for line in file:
            if line.strip() and not line.startswith("#"):
                address, latitude, longitude, height = line.split(",")
                anchors[address.strip().upper()] = {
                    "latitude": float(latitude), "longitude": float(longitude), "height": float(height)}
    return anchors


def read_ranges(line: str) -> list[tuple[str, float]]:
    """Address and distance of each anchor of a line; none of a line that is another, cut off or garbled.

    At high rates, serial lines lose bytes in their midst: a line counts if all of it is as it should be.
    """
    fields = line.strip().split(",")
    if fields[0] != "DIST" or len(fields) < 2 or not fields[1].isdecimal():
        return []
    anchors = int(fields[1])
    parts = fields[2:2 + 6 * anchors]
    rest = fields[2 + 6 * anchors:]
    if len(parts) != 6 * anchors or (rest and (rest[0] != "POS" or len(rest) != 5)):
        return []
    found = []
    for number in range(anchors):
        name, address, *numbers = parts[6 * number:6 * number + 6]
        try:
            distance = [float(each) for each in numbers][-1]
        except ValueError:
            return []
        if name != f"AN{number}" or not ADDRESS.fullmatch(address) or not math.isfinite(distance):
            return []
        found.append((address, distance))
    return found


def open_tag(path: str) -> collections.abc.Iterator[str]:
    """The lines of the device, until it is unplugged."""
    device = open(path, "r+b", buffering=0)
    speed = termios.B115200
    attributes = termios.tcgetattr(device)
    attributes[:6] = [termios.IGNPAR, 0, termios.CS8 | termios.CREAD | termios.CLOCAL, 0, speed, speed]
    attributes[6][termios.VMIN], attributes[6][termios.VTIME] = 1, 0
    termios.tcsetattr(device, termios.TCSANOW, attributes)
    return lines_of(io.BufferedReader(device))


def lines_of(file: typing.BinaryIO | io.BufferedReader) -> collections.abc.Iterator[str]:
    """The lines, cut where they are longer than any of a tag, so that what is garbled does not pile up."""
    with contextlib.suppress(OSError):
        while line := file.readline(1024):
            yield line.decode("ascii", "replace")


def main(table: str, device: str | None = None) -> None:
    anchors = read_anchors(table)
    unknown: set[str] = set()
    refused: set[str] = set()
    lines = open_tag(device) if device else lines_of(sys.stdin.buffer)
    with waymark.Client().aid("uwb", kinds=["range"], latency=LATENCY) as uwb:
        for line in lines:
            time = waymark.now()
            for address, distance in read_ranges(line):
                if address not in anchors:
                    if address not in unknown:
                        print(f"ranges_dwm1001: {address} is not in {table}", file=sys.stderr, flush=True)
                    unknown.add(address)
                # A distance of zero is one that the tag has not measured.
                elif 0 < distance < LONGEST_RANGE:
                    try:
                        uwb.range(anchors[address], distance, ACCURACY, time=time)
                    except waymark.CallError as problem:
                        if problem.name not in refused:
                            print(f"ranges_dwm1001: {problem}", file=sys.stderr, flush=True)
                        refused.add(problem.name)


if __name__ == "__main__":
    if not 2 <= len(sys.argv) <= 3:
        sys.exit("usage: ranges_dwm1001.py ANCHORS [DEVICE]")
    main(*sys.argv[1:])
