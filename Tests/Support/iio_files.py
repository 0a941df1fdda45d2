#!/usr/bin/env python3
"""Files of made-up IIO devices, and their samples, for libiio's local backend.

    iio_files.py LIBRARY FOLDER [--preset NAME | --json TEXT] [--seed N] [--sent FILE]

Devices and values are those of iiod_emulator.py, whose options of these names are the same. FOLDER gets sys/bus/iio/devices
with plain files for the attributes, and dev with a FIFO for each character device; a program finds them at their usual
paths by LIBRARY, which is made of scripts/load_measurement/device_files.c and sends the samples as well. Prints "ready",
and ends on SIGTERM or SIGINT.

Samples come while buffer/enable is 1, buffer/watermark at once, at the rate and by the clock that the files say. Unlike
in a kernel, a file takes every value, and a batch that is not full cannot be read in part.
"""
import argparse
import contextlib
import ctypes
import errno
import json
import os
import pathlib
import signal
import sys
import time

from iiod_emulator import PRESETS, Emulator
from iiod_emulator_sources import Rest

# Time between two looks at what the reader wrote. Unit: ns.
LOOK_NS = 10_000_000


class DeviceFiles:
    """The files of one device, and the samples for the program that has enabled its buffer."""

    def __init__(self, device, root, send, sent):
        self.device, self.send, self.sent = device, send, sent
        self.folder = root / "sys/bus/iio/devices" / device.id
        self.node = root / "dev" / device.id
        self.descriptor = self.next = None
        self.pending, self.stamps, self.due, self.look = b"", [], 0, 0
        self.write("name", device.name)
        for key in device.attributes:
            self.write(key, device.read(None, key))
        for channel in device.channels:
            self.write(f"in_{channel.id}_raw", device.read(channel.id, "raw"))
        if device.buffered:
            self.make_buffer()

    def make_buffer(self):
        elements = [(channel.id, channel.format.text) for channel in self.device.channels]
        elements += [("timestamp", "le:s64/64>>0")] if self.device.timestamp else []
        for index, (identifier, form) in enumerate(elements):
            for key, value in (("en", 0), ("index", index), ("type", form)):
                self.write(f"scan_elements/in_{identifier}_{key}", value)
        self.enables = [self.folder / f"scan_elements/in_{identifier}_en" for identifier, _ in elements]
        for key, value in (("enable", 0), ("length", 2), ("watermark", 1), ("data_available", 0)):
            self.write(f"buffer/{key}", value)
        if self.device.own_trigger:
            self.write("trigger/current_trigger", self.device.trigger or "")
        self.node.parent.mkdir(exist_ok=True)
        os.mkfifo(self.node)

    def write(self, name, value):
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(f"{value}\n" if not str(value).endswith("\n") else value)

    def read(self, path):
        """What an attribute says; libiio ends what it writes with a zero."""
        return (self.folder / path).read_text().strip("\0\n ")

    def step(self, now):
        """Does what is due, and returns when something is again."""
        if now >= self.look:
            self.look = now + LOOK_NS
            self.follow(now)
        while self.descriptor is not None and self.due <= now:
            stamp = self.due + self.device.stamp_offset()
            self.pending += self.device.encode(self.places, self.stride, self.row(self.device), stamp)
            self.stamps.append(stamp)
            self.due, self.row = next(self.cursor)
            if len(self.stamps) >= self.watermark:
                self.deliver()
        return self.look if self.descriptor is None else min(self.look, self.due)

    def follow(self, now):
        """Adopts what the reader wrote into the files; without them the device is unplugged."""
        try:
            self.adopt(now)
        except FileNotFoundError:
            self.close()

    def adopt(self, now):
        if self.read("buffer/enable") != "1":
            return self.close()
        # A file that is being written is empty for a moment.
        keys = [key for key in self.device.attributes if key.endswith("sampling_frequency")]
        if rates := [text for key in keys if (text := self.read(key))]:
            self.device.rates.store(max(rates, key=float))
        if "current_timestamp_clock" in self.device.attributes:
            self.device.clock = self.read("current_timestamp_clock") or self.device.clock
        self.watermark = int(self.read("buffer/watermark") or 1)
        if self.descriptor is None:
            self.open(now)

    def open(self, now):
        try:
            self.descriptor = os.open(self.node, os.O_WRONLY | os.O_NONBLOCK)
        except OSError:
            return
        mask = sum(1 << index for index, path in enumerate(self.enables) if self.read(path) == "1")
        self.places, self.stride = self.device.scan(mask)
        self.pending, self.stamps = b"", []
        self.cursor = self.device.emulator.source.cursor(self.device, now)
        self.due, self.row = next(self.cursor)

    def close(self):
        if self.descriptor is not None:
            os.close(self.descriptor)
            self.descriptor = None

    def deliver(self):
        """Writes a batch; what the FIFO does not hold is lost, as in the kernel's buffer."""
        sent = self.send(self.descriptor, self.pending, len(self.pending))
        if sent == -errno.EPIPE:
            # The reader ended without a word; a kernel then stops the buffer.
            with contextlib.suppress(FileNotFoundError):
                (self.folder / "buffer/enable").write_text("0\n")
            self.close()
        if sent > 0 and self.sent and self.device.number == 0:
            self.sent.writelines(f"{stamp} {sent}\n" for stamp in self.stamps)
        self.pending, self.stamps = b"", []


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("library")
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--preset", choices=sorted(PRESETS), default="board")
    parser.add_argument("--json")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--sent")
    options = parser.parse_args()
    configuration = json.loads(options.json) if options.json else {"devices": PRESETS[options.preset]}
    sent = open(options.sent, "w", buffering=1, encoding="ascii") if options.sent else None
    emulator = Emulator(configuration, Rest(configuration.get("noise", True), options.seed), False)
    send = ctypes.CDLL(options.library).waymark_send_samples
    send.argtypes, send.restype = [ctypes.c_int, ctypes.c_char_p, ctypes.c_size_t], ctypes.c_int64
    devices = [DeviceFiles(device, options.folder, send, sent) for device in emulator.devices]
    for trigger in emulator.triggers():
        folder = options.folder / "sys/bus/iio/devices" / trigger.id
        folder.mkdir()
        (folder / "name").write_text(f"{trigger.name}\n")
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda *_: sys.exit(0))
    print("ready", flush=True)
    while True:
        now = time.monotonic_ns()
        due = min(device.step(now) for device in devices)
        time.sleep(max(due - time.monotonic_ns(), 0) / 1e9)


main()
