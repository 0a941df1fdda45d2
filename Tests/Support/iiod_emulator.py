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
  --sent FILE     writes a line for each inertial sample: its stamp, and CLOCK_BOOTTIME just before it is sent

Configuration
  {"devices": [DEVICE, …], "noise": true, "xml": "a text instead of the real description", "faults": {FAULTS},
   "triggers": [TRIGGER, …]}

  DEVICE
    name            (required)            id        default iio:deviceN by position
    channels        [CHANNEL, …]          in scan order
    rate            Hz at start (200)     rates     what the driver can do: a request is rounded up to one of these
    rate_attribute  "channel" (default: in_accel_sampling_frequency), "device" or "none"
    rate_kinds      kinds that have the attribute of the channel; all by default
    rate_parse      "decimal" (default; the kernel's iio_str_to_fixpoint), "whole" (200.5 is refused, -22) or "integer"
                    (kstrtoint: "200.0" too is refused)
    rate_text       how the rate is shown ("%.6f")
    rates_listed    adds sampling_frequency_available and refuses every other rate (-22)
    rates_text      sampling_frequency_available as the driver spells it; the rates are these, unless "rates" has
                    others. "[first step last]" is a range: a rate outside of it or off its steps is refused (-22)
    rates_attribute "device" (default) or "channel": where that list is
    rate_rounding   of a request that is none of the rates: "up" (default), "nearest" or "exact" (refused, -22)
    rate_divided    the driver divides this rate by a whole number, the nearest to the request
    rate_fixed      every request is refused (-22)
    rate_busy       a request is refused (-16) while a buffer of the device runs
    busy            names of attributes that are refused (-16) while a buffer of the device runs: "scale" refuses
                    writes of in_accel_scale, "raw" refuses to be read
    timestamp       whether there is a timestamp channel (true)
    timestamp_zero  the channel is there and always 0
    clock           initial current_timestamp_clock ("realtime"); null: no such attribute
    clock_fixed     a write of another clock is refused (-22)
    buffer          false: no scan elements, attributes only (true)
    trigger         name of the driver's own trigger ("{name}-dev{number}"); null: it has none
    needs_trigger   no trigger is set at start, and OPEN fails with -22 until one is (false)
    current_trigger name of the trigger that is set at start, whatever the two before say
    fifo            the device fills its buffer by itself and knows no trigger (false)
    dead_fifo       without a trigger the buffer can be opened and stays empty: its interrupt is not wired (false)
    mount_matrix    "1, 0, 0; 0, 1, 0; 0, 0, 1"; a rotation is applied backwards to the values sent
    mount_style     "channel" (in_mount_matrix as libiio 0.24 shows it), "attribute" (mount_matrix of each
                    accelerometer), "kinds" (the same of each kind), "device" (in_mount_matrix of the device) or "all"
                    (mount_matrix of the device)
    scale_attribute "device": scale and offset are attributes of the device, for all of its channels
    label           what the board's description calls it
    temperature     degrees Celsius: a channel "temp" with raw, offset and scale
    attributes      {"in_accel_scale": "nan", …}: overrides by file name; null takes the attribute away
    faults          {FAULTS} of this device alone

  CHANNEL
    kind            "accel", "gyro", "magn" or "pressure"
    format          default "le:s16/16>>0"; an order other than x, y, z by "axes": "xzy"
    scale, offset   value = (raw + offset) * scale, in the kernel's units (m/s², rad/s, gauss, kilopascal); a scale of
                    each axis as [x, y, z]
    junk            true: the bits outside the value are random
    value           [x, y, z] or a number in body axes (m/s², rad/s, µT, hPa) instead of the board at rest
    noise           standard deviation per axis in the same unit

  TRIGGER           a name, or
    name            (required) of an hrtimer trigger, which samples each device that it is set for at its own rate
    rate            Hz at start (100)     rate_parse, rate_text ("%.3f")   as of a device
    write_error     every write of its sampling_frequency answers this

  FAULTS (of a device, or of the server for all its devices)
    silent          no samples: READBUF answers -110 after the client's time-out
    gone            unplugged: silent, attributes answer -2, and new descriptions leave the device out
    open_error      OPEN answers this, such as -16 (another process has the buffer) or -22
    open_errors     number of OPENs that still answer that; without it all do
    attribute_error every attribute read answers this
    write_error     every attribute write answers this
    late_answers    attributes by their files' names, such as in_accel_scale: ms until a read is answered
    clock_offset_ns added to every stamp
    mute            (server) requests are read and never answered
    refuse          (server) new connections are closed at once

Control commands
  {"device": "NAME", "faults": {"silent": true}}   changes a device's faults; without "device" the server's
  {"device": "NAME", "attributes": {"in_accel_scale": "0.5"}}   changes attributes
  {"triggers": ["waymark-gyroscope"]}               adds hrtimer triggers, which new descriptions have
Each is answered by "ok" on standard output, or by "error" and the reason.
"""
import argparse
import json
import os
import signal
import socket
import socketserver
import sys
import threading
import time

from iiod_emulator_devices import CLOCKS, EBADF, EINVAL, EIO, ENODEV, ENOENT, ETIMEDOUT, SCALES, Device
from iiod_emulator_sources import Recorded, Rest
from iiod_emulator_triggers import DeviceTrigger, HrtimerTrigger

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


class Emulator:
    """The server's state: devices, faults and the source of values."""

    def __init__(self, configuration, source, log, sent=None):
        self.faults = dict(configuration.get("faults", {}))
        self.xml_override, self.log, self.source = configuration.get("xml"), log, source
        self.timeout_ms, self.offsets, self.sent = 1000, {}, sent
        self.timers = [HrtimerTrigger(i, t) for i, t in enumerate(configuration.get("triggers", []))]
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
        return next((d for d in self.devices + self.timers if identifier in (d.id, d.name)), None)

    def triggers(self):
        present = [device for device in self.devices if not device.fault("gone")]
        return [DeviceTrigger(device) for device in present if device.own_trigger] + self.timers

    def trigger(self, name):
        return next((trigger for trigger in self.triggers() if name in (trigger.id, trigger.name)), None)

    def timer(self, name):
        """The hrtimer trigger of that name; None for any other trigger."""
        return next((timer for timer in self.timers if timer.name == name), None)

    def xml(self):
        if self.xml_override is not None:
            return self.xml_override
        present = [device for device in self.devices if not device.fault("gone")]
        triggers = "".join(trigger.xml() for trigger in self.triggers())
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
        for setting in command.get("triggers", []):
            self.timers.append(HrtimerTrigger(len(self.timers), setting))
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
                    # In one piece: print() writes line and end apart, and lines of other connections come between.
                    sys.stderr.write(f"{self.client_address[1:]} {' '.join(words)}\n")
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
        if device.fault("open_error") and device.refuses_open():
            return self.answer(int(device.fault("open_error")))
        if not device.can_open:
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
        if device is None:
            return self.answer(ENODEV)
        if not device.buffered or device.has_fifo:
            return self.answer(ENOENT)
        # An empty file, which libiio behind a real server takes for a failed read.
        return self.answer(device.trigger or EIO)

    def do_settrig(self, words):
        device = self.emulator.find(words[1])
        trigger = self.emulator.trigger(words[2]) if len(words) > 2 else None
        if device is None or (len(words) > 2 and trigger is None):
            return self.answer(ENODEV)
        if not device.buffered or device.has_fifo:
            return self.answer(ENOENT)
        device.trigger = trigger.name if trigger else None
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
        samples, stamps = [], []
        error = self.collect(buffer, max(wanted // stride, 1), samples, stamps)
        if error:
            return self.answer(error)
        data = b"".join(samples)
        reply = b"%d\n%s\n%s" % (len(data), buffer["mask"].encode(), data)
        sent = time.clock_gettime_ns(time.CLOCK_BOOTTIME)
        self.say(reply)
        if self.emulator.sent and buffer["device"].number == 0:
            self.emulator.sent.writelines(f"{stamp} {sent}\n" for stamp in stamps)
        return None

    def collect(self, buffer, count, samples, stamps):
        """Waits for `count` samples and their stamps; returns 0, or the error that ends the wait."""
        device, emulator = buffer["device"], self.emulator
        offset, deadline = device.stamp_offset(), time.monotonic_ns() + emulator.timeout_ms * 1_000_000
        while len(samples) < count:
            silent = device.fault("silent") or device.fault("gone") or device.is_dead
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
                stamps.append(due + offset)
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
    parser.add_argument("--sent")
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
    sent = open(options.sent, "w", buffering=1, encoding="ascii") if options.sent else None
    emulator = Emulator(configuration, source, options.log, sent)
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
