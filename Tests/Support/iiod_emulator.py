#!/usr/bin/env python3
"""An IIOD server with virtual sensors, for the real libiio over its network backend (text protocol of 0.24).

    iiod_emulator.py [--port N] [--preset NAME | --config FILE | --json TEXT] [--replay PATH] [options]

Listens on 127.0.0.1 and prints "port N" on standard output when it is ready. Ends on SIGTERM or SIGINT.

Options
  --port N        port to listen on; 0 (default) lets the system choose
  --preset NAME   devices without writing JSON:
                    combined  one device with accelerometer and gyroscope (200 Hz), one magnetometer (50 Hz)
                    separate  accelerometer, gyroscope, magnetometer as three devices (hid-sensor like)
                    board     combined, and a barometer (10 Hz)
                  default: board
  --config FILE   the configuration below, as a JSON file; --json TEXT gives it on the command line
  --replay PATH   plays measurements instead of a board at rest: a CSV of "time_ns,kind,x,y,z" (kind a: m/s²,
                  g: rad/s, m: µT, p: hPa in x alone; a header line is skipped), or a folder with imu.csv
                  (t_s,ax,ay,az,gx,gy,gz), mag.csv or mag_uncalibrated.csv (t_s,mx,my,mz), baro.csv
                  (t_s,pressure_hpa), each also as .gz.
                  The play begins with the first buffer that is opened; all devices share its clock, and each
                  runs at the recording's own rate. At the end the sensors fall silent.
  --loop          starts the play again at its end
  --seed N        of the noise (default 1)
  --control       reads commands from standard input, one JSON object a line, and ends when it is closed
  --log           writes each request to standard error

Configuration
  {"devices": [DEVICE, …], "noise": true, "xml": "a text instead of the real description", "faults": {FAULTS}}

  DEVICE
    name            (required)            id        default iio:deviceN by position
    channels        [CHANNEL, …]          in scan order
    rate            Hz at start (200)     rates     what the driver can do: a request is rounded up to one of these
    rate_attribute  "channel" (default: in_accel_sampling_frequency), "device" or "none"
    rates_listed    adds sampling_frequency_available and refuses every other rate (-22)
    timestamp       whether there is a timestamp channel (true)
    timestamp_zero  the channel is there and always 0
    clock           initial current_timestamp_clock ("realtime"); null: no such attribute
    clock_fixed     a write of another clock is refused (-22)
    buffer          false: no scan elements, attributes only (true)
    needs_trigger   OPEN fails with -22 until the trigger NAME-devN is set (false)
    mount_matrix    "1, 0, 0; 0, 1, 0; 0, 0, 1"; a rotation is applied backwards to the values sent
    mount_style     "channel" (in_mount_matrix as libiio 0.24 shows it), "attribute" (mount_matrix of each
                    accelerometer or other channel) or "device" (in_mount_matrix of the device)
    attributes      {"in_accel_scale": "nan", …}: overrides by file name; null takes the attribute away
    faults          {FAULTS} of this device alone

  CHANNEL
    kind            "accel", "gyro", "magn" or "pressure"
    format          default "le:s16/16>>0"; an order other than x, y, z by "axes": "xzy"
    scale, offset   value = (raw + offset) * scale, in the kernel's units (m/s², rad/s, gauss, kilopascal)
    junk            true: the bits outside the value are random
    value           [x, y, z] or a number in body axes (m/s², rad/s, µT, hPa) instead of the board at rest
    noise           standard deviation per axis in the same unit

  FAULTS (of a device, or of the server for all its devices)
    silent          no samples: READBUF answers -110 after the client's time-out
    gone            unplugged: silent, attributes answer -2, and new descriptions leave the device out
    open_error      OPEN answers this, such as -16 (another process has the buffer) or -22
    attribute_error every attribute read answers this
    clock_offset_ns added to every stamp
    mute            (server) requests are read and never answered
    refuse          (server) new connections are closed at once

Control commands
  {"device": "NAME", "faults": {"silent": true}}   changes a device's faults; without "device" the server's
  {"device": "NAME", "attributes": {"in_accel_scale": "0.5"}}   changes attributes
Each is answered by "ok" on standard output, or by "error" and the reason.
"""
import argparse
import json
import os
import random
import signal
import socket
import socketserver
import struct
import sys
import threading
import time
from xml.sax.saxutils import quoteattr

from iiod_emulator_play import Play

ENOENT, EIO, EBADF, EBUSY, ENODEV, EINVAL, ETIMEDOUT = -2, -5, -9, -16, -19, -22, -110
CLOCKS = {
    "realtime": time.CLOCK_REALTIME, "monotonic": time.CLOCK_MONOTONIC, "boottime": time.CLOCK_BOOTTIME,
    "monotonic_raw": time.CLOCK_MONOTONIC_RAW, "tai": time.CLOCK_TAI,
    "realtime_coarse": time.CLOCK_REALTIME, "monotonic_coarse": time.CLOCK_MONOTONIC,
}
# kind: channel name, value of the board at rest (body: x right, y up, z back), noise, to the kernel's unit
KINDS = {
    "accel": ("accel", (0.0, 9.80665, 0.0), 0.02, 1.0),
    "gyro": ("anglvel", (0.0, 0.0, 0.0), 0.002, 1.0),
    "magn": ("magn", (0.0, -43.0, -20.0), 0.3, 0.01),
    "pressure": ("pressure", (1013.25,), 0.02, 0.1),
}
# What libiio validates a description against; without it libxml2 complains on standard error.
DTD = "<!DOCTYPE context [" + "".join(
    [f"<!ELEMENT {name} {content}>" for name, content in (
        ("context", "(device | context-attribute)*"), ("context-attribute", "EMPTY"),
        ("device", "(channel | attribute | debug-attribute | buffer-attribute)*"),
        ("channel", "(scan-element?, attribute*)"), ("attribute", "EMPTY"), ("scan-element", "EMPTY"),
        ("debug-attribute", "EMPTY"), ("buffer-attribute", "EMPTY"))]
    + [f"<!ATTLIST {name} {attributes}>" for name, attributes in (
        ("context", "name CDATA #REQUIRED version-major CDATA #REQUIRED version-minor CDATA #REQUIRED "
                    "version-git CDATA #REQUIRED description CDATA #IMPLIED"),
        ("context-attribute", "name CDATA #REQUIRED value CDATA #REQUIRED"),
        ("device", "id CDATA #REQUIRED name CDATA #IMPLIED label CDATA #IMPLIED"),
        ("channel", "id CDATA #REQUIRED type (input|output) #REQUIRED name CDATA #IMPLIED"),
        ("scan-element", "index CDATA #REQUIRED format CDATA #REQUIRED scale CDATA #IMPLIED"),
        ("attribute", "name CDATA #REQUIRED filename CDATA #IMPLIED value CDATA #IMPLIED"),
        ("debug-attribute", "name CDATA #REQUIRED value CDATA #IMPLIED"),
        ("buffer-attribute", "name CDATA #REQUIRED value CDATA #IMPLIED"))]) + "]>"
SCALES = {"accel": 0.000598, "gyro": 0.000152716, "magn": 0.0005, "pressure": 0.000244140}


def axes(kind):
    return {"kind": kind, "scale": SCALES[kind]}


PRESETS = {
    "combined": [
        {"name": "imu_6axis", "rate": 200, "channels": [axes("accel"), axes("gyro")], "clock": "realtime"},
        {"name": "magn_3axis", "rate": 50, "channels": [axes("magn")]},
    ],
    "separate": [
        {"name": name, "rate": rate, "channels": [{"kind": kind, "format": "le:S32/32>>0", "scale": scale}]}
        for name, kind, rate, scale in (
            ("accel_3d", "accel", 100, 1e-4), ("gyro_3d", "gyro", 100, 1e-5), ("magn_3d", "magn", 50, 1e-4))
    ],
}
PRESETS["board"] = PRESETS["combined"] + [
    {"name": "baro", "rate": 10, "channels": [dict(axes("pressure"), format="le:u24/32>>0")]}]


class Format:
    """One channel's packing, such as be:s12/16>>4; a text that is none of these is sent on as it is."""

    def __init__(self, text):
        self.text = text
        try:
            order, rest = text.split(":", 1)
            bits, rest = rest[1:].split("/", 1)
            storage, shift = rest.split(">>", 1)
            self.order = "big" if order == "be" else "little"
            self.signed = text.split(":", 1)[1][0] in "sS"
            self.bits, self.storage, self.shift = int(bits), int(storage), int(shift)
            self.valid = self.storage in (8, 16, 32, 64) and 0 < self.bits and self.bits + self.shift <= self.storage
        except (ValueError, IndexError):
            self.valid = False
        if not self.valid:
            self.order, self.signed, self.bits, self.storage, self.shift = "little", True, 16, 16, 0
        self.size = self.storage // 8

    def encode(self, raw, junk):
        low, high = (-(1 << self.bits - 1), (1 << self.bits - 1) - 1) if self.signed else (0, (1 << self.bits) - 1)
        mask = (1 << self.bits) - 1
        word = (min(max(raw, low), high) & mask) << self.shift
        if junk:
            word |= random.getrandbits(self.storage) & ~(mask << self.shift) & ((1 << self.storage) - 1)
        elif self.signed and raw < 0:
            word |= (1 << self.storage) - (1 << self.bits + self.shift)
        return word.to_bytes(self.size, self.order)


class Channel:
    """One axis: its name, place in the scan, packing, and how a value becomes counts."""

    def __init__(self, setting, kind, axis, index):
        name, rest, noise, to_kernel = KINDS[kind]
        self.kind, self.axis, self.index = kind, axis, index
        self.prefix = name
        self.id = name if kind == "pressure" else f"{name}_{'xyz'[axis]}"
        self.format = Format(setting.get("format", "le:s16/16>>0"))
        self.scale, self.offset = float(setting.get("scale", SCALES[kind])), float(setting.get("offset", 0))
        self.to_kernel, self.junk = to_kernel, setting.get("junk", False)
        value = setting.get("value", rest)
        self.rest = tuple(value) if isinstance(value, (list, tuple)) else (float(value),)
        self.noise = float(setting.get("noise", noise))

    def counts(self, value):
        return round(value * self.to_kernel / self.scale - self.offset)


def matrix(text):
    """The rows of a mount matrix when it is a rotation, else None."""
    try:
        rows = [[float(v) for v in row.split(",")] for row in text.split(";")]
        dot = [[sum(a * b for a, b in zip(r, s)) for s in rows] for r in rows]
        determinant = sum(
            rows[0][i] * (rows[1][(i + 1) % 3] * rows[2][(i + 2) % 3] - rows[1][(i + 2) % 3] * rows[2][(i + 1) % 3])
            for i in range(3))
        unit = all(abs(dot[i][j] - (i == j)) < 1e-3 for i in range(3) for j in range(3))
        return rows if unit and determinant > 0 else None
    except (ValueError, AttributeError, IndexError):
        return None


class Device:
    """A virtual device: its description, attributes and the schedule of its samples."""

    def __init__(self, number, setting, emulator):
        self.emulator, self.setting, self.number = emulator, setting, number
        self.name, self.id = setting["name"], setting.get("id", f"iio:device{number}")
        self.faults = dict(setting.get("faults", {}))
        self.lock = threading.Lock()
        self.channels = []
        for part in setting["channels"]:
            count = 1 if part["kind"] == "pressure" else 3
            for letter in part.get("axes", "xyz")[:count]:
                self.channels.append(Channel(part, part["kind"], "xyz".index(letter), len(self.channels)))
        self.buffered = setting.get("buffer", True)
        self.timestamp = setting.get("timestamp", True) and self.buffered
        self.rate = float(setting.get("rate", 200))
        self.trigger = None if setting.get("needs_trigger") else f"{self.name}-dev{number}"
        self.clock = setting.get("clock", "realtime")
        self.mount = matrix(setting.get("mount_matrix", ""))
        self.opened = 0
        self.attributes = self.initial_attributes()
        for key, value in setting.get("attributes", {}).items():
            self.attributes[key] = value

    def initial_attributes(self):
        values, setting = {}, self.setting
        for channel in self.channels:
            values[f"in_{channel.prefix}_scale"] = repr(channel.scale)
            if channel.offset:
                values[f"in_{channel.prefix}_offset"] = repr(channel.offset)
        where = setting.get("rate_attribute", "channel")
        if where == "device":
            values["sampling_frequency"] = None
        elif where == "channel":
            for channel in self.channels:
                values[f"in_{channel.prefix}_sampling_frequency"] = None
        if setting.get("rates_listed"):
            values["sampling_frequency_available"] = " ".join(f"{rate:.6f}" for rate in setting["rates"])
        if self.clock is not None:
            values["current_timestamp_clock"] = None
        text = setting.get("mount_matrix")
        if text is not None:
            values[{"channel": "in_mount_matrix", "device": "in_mount_matrix"}.get(
                setting.get("mount_style", "channel"), "in_accel_mount_matrix")] = text
        return values

    def fault(self, name):
        return self.faults.get(name, self.emulator.faults.get(name))

    # Description

    def xml(self):
        parts = [f"<device id={quoteattr(self.id)} name={quoteattr(self.name)}>"]
        channels = [(channel.id, channel) for channel in self.channels]
        for identifier, channel in channels:
            parts.append(f'<channel id="{identifier}" type="input">')
            if self.buffered:
                parts.append(f'<scan-element index="{channel.index}" format={quoteattr(channel.format.text)} />')
            parts.append(f'<attribute name="raw" filename="in_{identifier}_raw" />')
            for key in ("scale", "offset", "sampling_frequency", "mount_matrix"):
                if f"in_{channel.prefix}_{key}" in self.attributes:
                    parts.append(f'<attribute name="{key}" filename="in_{channel.prefix}_{key}" />')
            parts.append("</channel>")
        if self.timestamp:
            index = len(self.channels)
            parts.append(
                '<channel id="timestamp" type="input">'
                f'<scan-element index="{index}" format="le:S64/64&gt;&gt;0" /></channel>')
        if "in_mount_matrix" in self.attributes and self.setting.get("mount_style", "channel") == "channel":
            parts.append(
                '<channel id="mount" type="input"><attribute name="matrix" filename="in_mount_matrix" /></channel>')
        for key in ("current_timestamp_clock", "sampling_frequency", "sampling_frequency_available", "in_mount_matrix"):
            own = key != "in_mount_matrix" or self.setting.get("mount_style") == "device"
            if key in self.attributes and own:
                parts.append(f'<attribute name="{key}" />')
        if self.buffered:
            parts.append('<buffer-attribute name="data_available" />')
        return "".join(parts) + "</device>"

    # Attributes

    def file_name(self, channel, attribute):
        if channel is None or attribute in ("current_timestamp_clock", "sampling_frequency_available"):
            return attribute
        if channel == "mount":
            return "in_mount_matrix"
        if attribute == "raw":
            return f"in_{channel}_raw"
        return f"in_{channel.split('_')[0]}_{attribute}"

    def read(self, channel, attribute):
        """The text of an attribute, or a negative error."""
        if self.fault("gone"):
            return ENOENT
        if self.fault("attribute_error"):
            return self.fault("attribute_error")
        key = self.file_name(channel, attribute)
        if attribute == "raw" and channel and key not in self.attributes:
            return self.read_raw(channel)
        if key not in self.attributes:
            return ENOENT
        value = self.attributes[key]
        if value is None and key.endswith("sampling_frequency"):
            return f"{self.rate:.6f}\n"
        if value is None and key == "current_timestamp_clock":
            return f"{self.clock}\n"
        return ENOENT if value is None else f"{value}\n"

    def read_raw(self, identifier):
        row = self.emulator.value_now(self)
        for channel in self.channels:
            if channel.id == identifier:
                return EIO if row is None else f"{channel.counts(row[channel.kind][channel.axis])}\n"
        return ENOENT

    def write(self, channel, attribute, text):
        if self.fault("gone"):
            return ENOENT
        key = self.file_name(channel, attribute)
        if key not in self.attributes:
            return ENOENT
        if key == "current_timestamp_clock":
            if text not in CLOCKS or (self.setting.get("clock_fixed") and text != self.clock):
                return EINVAL
            if self.opened:
                return EBUSY
            self.clock = text
        elif key.endswith("sampling_frequency"):
            return self.set_rate(text)
        else:
            self.attributes[key] = text
        return 0

    def set_rate(self, text):
        try:
            wanted = float(text)
        except ValueError:
            return EINVAL
        if not wanted > 0:
            return EINVAL
        rates = sorted(self.setting.get("rates", [wanted]))
        if self.setting.get("rates_listed") and not any(abs(rate - wanted) < 1e-6 for rate in rates):
            return EINVAL
        self.rate = next((rate for rate in rates if rate >= wanted - 1e-6), rates[-1])
        return 0

    # Samples

    def scan(self, mask):
        """What a buffer with this mask holds: (offset, channel or None for the stamp) and the stride."""
        places, offset, largest = [], 0, 1
        for index in range(len(self.channels) + 1):
            if not mask >> index & 1:
                continue
            channel = self.channels[index] if index < len(self.channels) else None
            size = channel.format.size if channel else 8
            offset += -offset % size
            places.append((offset, channel))
            offset, largest = offset + size, max(largest, size)
        return places, offset + -offset % largest

    def encode(self, places, stride, row, stamp):
        out = bytearray(stride)
        for offset, channel in places:
            if channel is None:
                zero = self.setting.get("timestamp_zero")
                struct.pack_into("<q", out, offset, 0 if zero else stamp)
            else:
                value = row[channel.kind][channel.axis]
                out[offset:offset + channel.format.size] = channel.format.encode(channel.counts(value), channel.junk)
        return out

    def stamp_offset(self):
        """To add to monotonic nanoseconds to get the device's clock."""
        return self.emulator.clock_offset(self.clock) + int(self.fault("clock_offset_ns") or 0)


class Rest:
    """The board at rest, without end: sample k of a device is due k periods after its buffer was opened."""

    def __init__(self, noise, seed):
        self.noise, self.random = noise, random.Random(seed)

    def row(self, device):
        values = {}
        for channel in device.channels:
            if channel.kind not in values:
                noise = channel.noise if self.noise else 0.0
                sample = [v + self.random.gauss(0, noise) if noise else v for v in channel.rest]
                values[channel.kind] = to_sensor(device, sample)
        return values

    def cursor(self, device, now_ns):
        period = 1e9 / device.rate
        index = 0
        while True:
            index += 1
            yield now_ns + int(index * period), self.row

    def now(self, device):
        return self.row(device)


def to_sensor(device, sample):
    """Body axes to the sensor's: the mount matrix backwards."""
    if device.mount is None or len(sample) != 3:
        return sample
    return [sum(device.mount[row][column] * sample[row] for row in range(3)) for column in range(3)]


class Recorded:
    """A play on the server's common clock, which starts with the first buffer that is opened."""

    def __init__(self, path, loop):
        self.play, self.loop, self.start, self.lock = Play(path), loop, None, threading.Lock()

    def begin(self, now_ns):
        with self.lock:
            if self.start is None:
                self.start = now_ns
            return self.start

    def cursor(self, device, now_ns):
        kinds = list(dict.fromkeys(channel.kind for channel in device.channels))
        for time_ns, values in self.play.rows(kinds, now_ns - self.begin(now_ns), self.loop):
            yield self.start + time_ns, lambda device, v=values: {k: to_sensor(device, x) for k, x in v.items()}

    def now(self, device):
        now = time.monotonic_ns()
        kinds = list(dict.fromkeys(channel.kind for channel in device.channels))
        values = self.play.at(kinds, now - self.begin(now), self.loop)
        return values and {kind: to_sensor(device, value) for kind, value in values.items()}


class Emulator:
    """The server's state: devices, faults and the source of values."""

    def __init__(self, configuration, source, log):
        self.faults = dict(configuration.get("faults", {}))
        self.xml_override, self.log, self.source = configuration.get("xml"), log, source
        self.timeout_ms, self.offsets = 1000, {}
        self.devices = [Device(i, d, self) for i, d in enumerate(configuration["devices"])]

    def clock_offset(self, name):
        """From monotonic to a clock; the same to the nanosecond until that clock is set, so that devices agree."""
        clock = CLOCKS.get(name, time.CLOCK_REALTIME)
        offset = time.clock_gettime_ns(clock) - time.monotonic_ns()
        known = self.offsets.get(clock)
        # Two readings in a row differ by less than this unless the process was preempted in between.
        if known is None or abs(offset - known) > 1_000_000:
            self.offsets[clock] = known = offset
        return known

    def value_now(self, device):
        return self.source.now(device)

    def find(self, identifier):
        return next((d for d in self.devices if identifier in (d.id, d.name)), None)

    def trigger(self, name):
        return next((d for d in self.devices if name in (f"trigger{d.number}", f"{d.name}-dev{d.number}")), None)

    def xml(self):
        if self.xml_override is not None:
            return self.xml_override
        present = [device for device in self.devices if not device.fault("gone")]
        triggers = "".join(
            f"<device id=\"trigger{d.number}\" name={quoteattr(f'{d.name}-dev{d.number}')}></device>"
            for d in present if d.buffered)
        return (
            '<?xml version="1.0" encoding="utf-8"?>' + DTD +
            '<context name="local" version-major="0" version-minor="24" version-git="v0.24" '
            'description="iiod_emulator"><context-attribute name="local,kernel" value="6.1.0-emulated" />' + "".join(d.xml() for d in present) + triggers + "</context>")

    def control(self, line):
        command = json.loads(line)
        device = self.find(command["device"]) if "device" in command else None
        if "device" in command and device is None:
            raise ValueError(f"no device {command['device']}")
        (device or self).faults.update(command.get("faults", {}))
        if "attributes" in command:
            device.attributes.update(command["attributes"])


class Handler(socketserver.StreamRequestHandler):
    """One connection: libiio opens one for the context and one for each buffer."""

    def setup(self):
        super().setup()
        self.buffers = {}
        self.connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)

    @property
    def emulator(self):
        return self.server.emulator

    def say(self, text):
        self.wfile.write(text if isinstance(text, bytes) else text.encode())

    def answer(self, value):
        """A number alone, or a text with its length before it."""
        if isinstance(value, int):
            self.say(f"{value}\n")
        else:
            data = value.encode()
            self.say(b"%d\n%s\n" % (len(data), data))

    def handle(self):
        if self.emulator.faults.get("refuse"):
            return
        try:
            for line in self.rfile:
                words = line.decode(errors="replace").split()
                if not words:
                    continue
                if self.emulator.log:
                    print(self.client_address[1], " ".join(words), file=sys.stderr, flush=True)
                while self.emulator.faults.get("mute"):
                    time.sleep(0.05)
                if words[0] == "EXIT":
                    return
                action = getattr(self, "do_" + words[0].lower(), None)
                try:
                    action(words) if action else self.answer(EINVAL)
                except (IndexError, ValueError) as error:
                    print(f"iiod_emulator: {line!r}: {error}", file=sys.stderr, flush=True)
                    self.answer(EINVAL)
        except (BrokenPipeError, ConnectionResetError):
            pass
        finally:
            for device in [buffer["device"] for buffer in self.buffers.values()]:
                device.opened -= 1
            self.buffers.clear()

    def do_version(self, words):
        self.say("0.24.v0.24  \n")

    def do_print(self, words):
        self.answer(self.emulator.xml())

    def do_timeout(self, words):
        self.emulator.timeout_ms = int(words[1])
        self.answer(0)

    def do_set(self, words):
        self.answer(0)

    def do_open(self, words):
        """OPEN device samples mask [CYCLIC]"""
        device = self.emulator.find(words[1])
        if device is None or device.fault("gone"):
            return self.answer(ENODEV)
        if device.fault("open_error"):
            return self.answer(int(device.fault("open_error")))
        if not device.buffered or device.trigger is None:
            return self.answer(EINVAL)
        places, stride = device.scan(int(words[3], 16))
        if not places:
            return self.answer(EINVAL)
        now = time.monotonic_ns()
        self.buffers[words[1]] = {
            "device": device, "mask": words[3], "places": places, "stride": stride, "next": None,
            "cursor": self.emulator.source.cursor(device, now)}
        device.opened += 1
        return self.answer(0)

    def do_close(self, words):
        buffer = self.buffers.pop(words[1], None)
        if buffer:
            buffer["device"].opened -= 1
        self.answer(0 if buffer else EBADF)

    def do_gettrig(self, words):
        device = self.emulator.find(words[1])
        self.answer(ENODEV if device is None else device.trigger if device.trigger else 0)

    def do_settrig(self, words):
        device = self.emulator.find(words[1])
        trigger = self.emulator.trigger(words[2]) if len(words) > 2 else None
        if device is None or (len(words) > 2 and trigger is None):
            return self.answer(ENODEV)
        device.trigger = f"{trigger.name}-dev{trigger.number}" if trigger else None
        return self.answer(0)

    def target(self, words):
        """READ|WRITE device [INPUT|OUTPUT channel | BUFFER | DEBUG] attribute"""
        device = self.emulator.find(words[1])
        if words[2] in ("INPUT", "OUTPUT"):
            return device, words[3], words[4]
        return (device, None, words[3]) if words[2] in ("BUFFER", "DEBUG") else (device, None, words[2])

    def do_read(self, words):
        device, channel, attribute = self.target(words)
        value = ENODEV if device is None else device.read(channel, attribute)
        self.answer(value if isinstance(value, int) else value + "\0")

    def do_write(self, words):
        data = self.rfile.read(int(words[-1]))
        device, channel, attribute = self.target(words)
        if device is None:
            return self.answer(ENODEV)
        error = device.write(channel, attribute, data.decode(errors="replace").rstrip("\0").strip())
        return self.answer(error if error else len(data))

    def do_readbuf(self, words):
        """READBUF device bytes: blocks of 'length, mask (first block only), samples'."""
        buffer = self.buffers.get(words[1])
        if buffer is None:
            return self.answer(EBADF)
        wanted, stride = int(words[2]), buffer["stride"]
        samples = []
        error = self.collect(buffer, max(wanted // stride, 1), samples)
        if error:
            return self.answer(error)
        data = b"".join(samples)
        return self.say(b"%d\n%s\n%s" % (len(data), buffer["mask"].encode(), data))

    def collect(self, buffer, count, samples):
        """Waits for `count` samples; returns 0, or the error that ends the wait."""
        device, emulator = buffer["device"], self.emulator
        offset, deadline = device.stamp_offset(), time.monotonic_ns() + emulator.timeout_ms * 1_000_000
        while len(samples) < count:
            silent = device.fault("silent") or device.fault("gone")
            if buffer["next"] is None and not silent:
                buffer["next"] = self.due(buffer)
            due = buffer["next"][0] if buffer["next"] else None
            now = time.monotonic_ns()
            if silent or due is None or due > now:
                if now >= deadline:
                    return ETIMEDOUT
                until = deadline if due is None else min(due, deadline)
                # Short steps, so that a fault switched meanwhile is seen.
                time.sleep(min(max(until - now, 0), 20_000_000 if silent else 200_000_000) * 1e-9)
                continue
            if not silent:
                row = buffer["next"][1](device)
                samples.append(device.encode(buffer["places"], buffer["stride"], row, due + offset))
            buffer["next"] = None
        return 0

    def due(self, buffer):
        """The next sample; what is more than a second late was lost in the kernel's buffer."""
        for due, row in buffer["cursor"]:
            if due > time.monotonic_ns() - 1_000_000_000:
                return due, row
        return None


class Server(socketserver.ThreadingTCPServer):
    allow_reuse_address = True
    daemon_threads = True


def read_control(emulator, server):
    for line in sys.stdin:
        try:
            emulator.control(line)
            print("ok", flush=True)
        except (ValueError, KeyError, AttributeError) as error:
            print("error", error, flush=True)
    os._exit(0)


def main():
    parser = argparse.ArgumentParser(description="IIOD server with virtual sensors; see the head of the file.")
    parser.add_argument("--port", type=int, default=0)
    parser.add_argument("--preset", choices=sorted(PRESETS), default="board")
    parser.add_argument("--config")
    parser.add_argument("--json")
    parser.add_argument("--replay")
    parser.add_argument("--loop", action="store_true")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--control", action="store_true")
    parser.add_argument("--log", action="store_true")
    options = parser.parse_args()
    configuration = {"devices": PRESETS[options.preset]}
    if options.config:
        with open(options.config, encoding="utf-8") as file:
            configuration = json.load(file)
    elif options.json:
        configuration = json.loads(options.json)
    configuration.setdefault("devices", PRESETS[options.preset])
    if options.replay:
        source = Recorded(options.replay, options.loop)
    else:
        source = Rest(configuration.get("noise", True), options.seed)
    emulator = Emulator(configuration, source, options.log)
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda *_: os._exit(0))
    with Server(("127.0.0.1", options.port), Handler) as server:
        server.emulator = emulator
        print(f"port {server.server_address[1]}", flush=True)
        if options.control:
            threading.Thread(target=read_control, args=(emulator, server), daemon=True).start()
        server.serve_forever()


if __name__ == "__main__":
    main()
