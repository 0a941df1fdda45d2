"""The virtual devices of the IIOD emulator: channels, packings, attributes and scans."""
import random
import struct
import threading
import time
from xml.sax.saxutils import quoteattr

from iiod_emulator_rates import Rates

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
SCALES = {"accel": 0.000598, "gyro": 0.000152716, "magn": 0.0005, "pressure": 0.000244140}


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
        scale = setting.get("scale", SCALES[kind])
        self.has_own_scale = isinstance(scale, (list, tuple))
        self.scale = float(scale[axis] if self.has_own_scale else scale)
        self.offset = float(setting.get("offset", 0))
        self.to_kernel, self.junk = to_kernel, setting.get("junk", False)
        value = setting.get("value", rest)
        self.rest = tuple(value) if isinstance(value, (list, tuple)) else (float(value),)
        self.noise = float(setting.get("noise", noise))

    def counts(self, value):
        return round(value * self.to_kernel / self.scale - self.offset)


def decimal(value):
    """A number as the kernel prints it: without an exponent."""
    text = repr(value)
    return f"{value:.15f}" if "e" in text else text


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
        self.rates = Rates(setting, 200)
        # A device with a FIFO alone knows no trigger, and the kernel shows it no trigger folder.
        self.has_fifo = setting.get("fifo", False)
        self.has_dead_fifo = setting.get("dead_fifo", False)
        pattern = None if self.has_fifo or not self.buffered else setting.get("trigger", "{name}-dev{number}")
        self.own_trigger = pattern.format(name=self.name, number=number) if pattern else None
        self.trigger = setting.get("current_trigger", None if setting.get("needs_trigger") else self.own_trigger)
        self.busy = list(setting.get("busy", [])) + (["sampling_frequency"] if setting.get("rate_busy") else [])
        self.clock = setting.get("clock", "realtime")
        self.mount = matrix(setting.get("mount_matrix", ""))
        self.opened = 0
        self.attributes = self.initial_attributes()
        for key, value in setting.get("attributes", {}).items():
            self.attributes[key] = value

    def initial_attributes(self):
        values, setting = {}, self.setting
        shared = "" if setting.get("scale_attribute") == "device" else "in_{}_"
        for channel in self.channels:
            own = channel.id if channel.has_own_scale else channel.prefix
            values[shared.format(own) + "scale"] = decimal(channel.scale)
            if channel.offset:
                values[shared.format(channel.prefix) + "offset"] = repr(channel.offset)
        where = setting.get("rate_attribute", "channel")
        if where == "device":
            values["sampling_frequency"] = None
        elif where == "channel":
            for channel in self.channels:
                if channel.kind in setting.get("rate_kinds", [channel.kind]):
                    values[f"in_{channel.prefix}_sampling_frequency"] = None
                    if self.rates.list and setting.get("rates_attribute") == "channel":
                        values[f"in_{channel.prefix}_sampling_frequency_available"] = self.rates.list
        if self.rates.list and setting.get("rates_attribute", "device") == "device":
            values["sampling_frequency_available"] = self.rates.list
        if setting.get("temperature") is not None:
            # The kernel's rule: (raw + offset) · scale is millidegrees; those of a common chip.
            values["in_temp_offset"], values["in_temp_scale"] = "12420", "2.941176"
            values["in_temp_raw"] = str(round(setting["temperature"] * 1000 / 2.941176 - 12420))
        if self.clock is not None:
            values["current_timestamp_clock"] = None
        text = setting.get("mount_matrix")
        if text is not None:
            style = setting.get("mount_style", "channel")
            kinds = {channel.prefix for channel in self.channels} if style == "kinds" else {"accel"}
            own = {"channel": ["in_mount_matrix"], "device": ["in_mount_matrix"], "all": ["mount_matrix"]}
            for name in own.get(style, [f"in_{kind}_mount_matrix" for kind in sorted(kinds)]):
                values[name] = text
        return values

    def fault(self, name):
        return self.faults.get(name, self.emulator.faults.get(name))

    def refuses_open(self):
        """Whether OPEN still answers its error; counts `open_errors` down."""
        left = self.fault("open_errors")
        if left is None:
            return True
        self.faults["open_errors"] = max(left - 1, 0)
        return left > 0

    # Description

    def xml(self):
        label = f" label={quoteattr(self.setting['label'])}" if "label" in self.setting else ""
        parts = [f"<device id={quoteattr(self.id)} name={quoteattr(self.name)}{label}>"]
        channels = [(channel.id, channel) for channel in self.channels]
        for identifier, channel in channels:
            parts.append(f'<channel id="{identifier}" type="input">')
            if self.buffered:
                parts.append(f'<scan-element index="{channel.index}" format={quoteattr(channel.format.text)} />')
            parts.append(f'<attribute name="raw" filename="in_{identifier}_raw" />')
            for key in ("scale", "offset", "sampling_frequency", "sampling_frequency_available", "mount_matrix"):
                file = self.file_name(identifier, key)
                if file in self.attributes:
                    parts.append(f'<attribute name="{key}" filename="{file}" />')
            parts.append("</channel>")
        if self.timestamp:
            index = len(self.channels)
            parts.append(
                '<channel id="timestamp" type="input">'
                f'<scan-element index="{index}" format="le:S64/64&gt;&gt;0" /></channel>')
        if "in_temp_raw" in self.attributes:
            parts.append('<channel id="temp" type="input">' + "".join(
                f'<attribute name="{key}" filename="in_temp_{key}" />' for key in ("raw", "offset", "scale")) + "</channel>")
        if "in_mount_matrix" in self.attributes and self.setting.get("mount_style", "channel") == "channel":
            parts.append(
                '<channel id="mount" type="input"><attribute name="matrix" filename="in_mount_matrix" /></channel>')
        for key in (
                "current_timestamp_clock", "sampling_frequency", "sampling_frequency_available", "in_mount_matrix",
                "mount_matrix", "scale", "offset"):
            own = key != "in_mount_matrix" or self.setting.get("mount_style") == "device"
            if key in self.attributes and own:
                parts.append(f'<attribute name="{key}" />')
        if self.buffered:
            parts.append('<buffer-attribute name="data_available" />')
        return "".join(parts) + "</device>"

    # Attributes

    def file_name(self, channel, attribute):
        if channel is None or attribute == "current_timestamp_clock":
            return attribute
        if channel == "mount":
            return "in_mount_matrix"
        own = f"in_{channel}_{attribute}"
        if attribute == "raw" or own in self.attributes:
            return own
        return f"in_{channel.split('_')[0]}_{attribute}"

    def read(self, channel, attribute):
        """The text of an attribute, or a negative error."""
        if self.fault("gone"):
            return ENOENT
        if self.fault("attribute_error"):
            return self.fault("attribute_error")
        key = self.file_name(channel, attribute)
        time.sleep(self.faults.get("late_answers", {}).get(key, 0) / 1000)
        if attribute == "raw" and channel and key not in self.attributes:
            return EBUSY if self.opened and "raw" in self.busy else self.read_raw(channel)
        if key not in self.attributes:
            return ENOENT
        value = self.attributes[key]
        if value is None and key.endswith("sampling_frequency"):
            return self.rates.show()
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
        if self.fault("write_error"):
            return self.fault("write_error")
        key = self.file_name(channel, attribute)
        if key not in self.attributes:
            return ENOENT
        if self.opened and any(key.endswith(name) for name in self.busy):
            return EBUSY
        if key == "current_timestamp_clock":
            if text not in CLOCKS or (self.setting.get("clock_fixed") and text != self.clock):
                return EINVAL
            if self.opened:
                return EBUSY
            self.clock = text
        elif key.endswith("sampling_frequency"):
            return self.rates.store(text)
        else:
            self.attributes[key] = text
        return 0

    @property
    def rate(self):
        """Samples a second: of the timer that samples the device, else of the device's own."""
        timer = self.emulator.timer(self.trigger)
        return timer.rates.rate if timer else self.rates.rate

    @property
    def can_open(self):
        return self.buffered and (self.trigger is not None or self.has_fifo or self.has_dead_fifo)

    @property
    def is_dead(self):
        """Whether the buffer waits for an interrupt that is not wired."""
        return self.has_dead_fifo and self.trigger is None

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
