#!/usr/bin/env python3
"""A real gpsd fed with the sentences of a made-up receiver, for tests.

    gpsd_feed.py [--walk SPEED HEADING | --csv FILE] [--rate HZ] ... < commands

Starts Debian's gpsd on a free port of 127.0.0.1 with a pseudo-terminal as its receiver and writes NMEA sentences
into it at real time: RMC, GGA, GSA, GST and ZDA for each epoch. The first line on standard output is `port NUMBER`,
printed when gpsd accepts connections; then follows one line for each event. Ends with gpsd when standard input
closes, on `quit` and on SIGTERM or SIGINT, and leaves nothing behind.

Commands, one a line on standard input:
    pause           the receiver falls silent; gpsd stays
    resume          it speaks again
    nofix           it speaks, but has lost its satellites
    fix             it has found them again
    gst / nogst     with or without standard deviations
    garbage         one round of broken sentences, on top of the good ones
    stop            gpsd ends; `unheard N` is printed at the Nth epoch that it misses
    start           gpsd starts again, on the same port
    restart [S]     stop, S seconds of absence (default 1), start
    freeze / thaw   gpsd is stopped as by SIGSTOP, and goes on
    quit

With --replay LOG the receiver says what a real one once said, byte for byte, at --baud; it begins with `resume`, so
that a client can connect first, and `replayed` is printed when gpsd has read and reported all of it. Lines that begin
with # at the start of LOG are remarks and left out. With --pace it says each epoch of a log of NMEA when that was said:
the time from one to the next is that of their sentences, or a second where these jump; with --first or --last a few
of them.

A CSV file has the columns t,lat,lon,height (seconds, degrees, degrees, metres above the ellipsoid) with a header
line; positions between its rows are interpolated, and after the last one the receiver stays there.

--truth FILE gets one line for each epoch: utc,lat,lon,height,east,north,written (seconds since 1970, degrees,
degrees, metres, m/s, m/s, seconds since 1970).
"""

import argparse
import csv
import fcntl
import math
import os
import pty
import re
import select
import shutil
import signal
import socket
import struct
import subprocess
import sys
import termios
import time
import tty

from harness.ports import ReservedPort

# Where the receiver is unless --origin says otherwise: degrees, degrees, metres above the ellipsoid.
PLACE = (48.1, 11.5, 566.0)
# Standard deviations that it reports unless --sigmas says otherwise: east, north, up. Metres.
SIGMAS = (1.9, 2.1, 3.3)
METRES_PER_DEGREE = 111_194.93  # of latitude, on the sphere of 6371.01 km: made-up paths need no more
GEOID_SEPARATION = 46.0  # metres, as this receiver claims it
DAEMON_WAIT = 60.0  # seconds for gpsd to greet a client, or to end; only a failure takes as long


class Path:
    """Where the receiver is at a time since the start: latitude, longitude, height, east and north velocity."""

    def __init__(self, arguments):
        self.origin = arguments.origin
        self.speed, heading = arguments.walk or (0.0, 0.0)
        self.heading = math.radians(heading)
        self.rows = read_rows(arguments.csv) if arguments.csv else None

    def at(self, seconds):
        if self.rows:
            return self.from_rows(seconds)
        latitude, longitude, height = self.origin
        east = self.speed * math.sin(self.heading)
        north = self.speed * math.cos(self.heading)
        return (
            latitude + north * seconds / METRES_PER_DEGREE,
            longitude + east * seconds / metres_per_degree_east(latitude),
            height,
            east,
            north,
        )

    def from_rows(self, seconds):
        first, last = self.rows[0], self.rows[-1]
        now = first[0] + seconds
        if now >= last[0]:
            return (*last[1:], 0.0, 0.0)
        index = max(1, next(i for i, row in enumerate(self.rows) if row[0] > now))
        before, after = self.rows[index - 1], self.rows[index]
        span = after[0] - before[0]
        part = (now - before[0]) / span
        latitude, longitude, height = (b + (a - b) * part for b, a in zip(before[1:], after[1:]))
        north = (after[1] - before[1]) * METRES_PER_DEGREE / span
        east = (after[2] - before[2]) * metres_per_degree_east(latitude) / span
        return latitude, longitude, height, east, north


def metres_per_degree_east(latitude):
    return METRES_PER_DEGREE * math.cos(math.radians(latitude))


def read_rows(name):
    with open(name, newline="") as file:
        rows = [tuple(float(row[key]) for key in ("t", "lat", "lon", "height")) for row in csv.DictReader(file)]
    if not rows or any(b[0] <= a[0] for a, b in zip(rows, rows[1:])):
        sys.exit(f"{name}: needs rows whose t grows")
    return rows


def read_log(name):
    with open(name, "rb") as file:
        octets = file.read()
    while octets.startswith(b"#"):
        octets = octets[octets.index(b"\n") + 1 :]
    return octets


# The field with the time of day, by the kind of sentence.
TIMED = re.compile(
    rb"\$..(?:(?:GGA|RMC|ZDA|GST|GBS),|GLL,[^,]*,[^,]*,[^,]*,[^,]*,)(\d\d)(\d\d)(\d\d(?:\.\d+)?),")
LONGEST_STEP = 3.0  # seconds between epochs that a log is waited for


def epochs_of(octets):
    """A log of NMEA as pairs: seconds since the epoch before, and what is said then."""
    epochs, now = [], None
    for line in octets.splitlines(keepends=True):
        found = TIMED.match(line)
        time_of_day = found and 3600 * int(found[1]) + 60 * int(found[2]) + float(found[3])
        if not epochs or time_of_day is not None and now is not None and abs(time_of_day - now) > 0.02:
            step = time_of_day - now if epochs else 0.0
            epochs.append([step if 0 <= step <= LONGEST_STEP else 1.0, b""])
        if time_of_day is not None:
            now = time_of_day
        epochs[-1][1] += line
    return epochs


def sentence(body):
    checksum = 0
    for byte in body.encode():
        checksum ^= byte
    return f"${body}*{checksum:02X}\r\n".encode()


def degrees_minutes(value, digits):
    """ddmm.mmmmmmm: the form of NMEA, here to a centimetre and better."""
    units = round(abs(value) * 60e7)
    degrees, rest = divmod(units, 600_000_000)
    return f"{degrees:0{digits}d}{rest // 10_000_000:02d}.{rest % 10_000_000:07d}"


def position(latitude, longitude):
    return (
        f"{degrees_minutes(latitude, 2)},{'N' if latitude >= 0 else 'S'},"
        f"{degrees_minutes(longitude, 3)},{'E' if longitude >= 0 else 'W'}"
    )


def epoch_sentences(utc, state, sigmas, has_fix, has_date=True):
    latitude, longitude, height, east, north = state
    milliseconds = round(utc * 1000)
    day = time.gmtime(milliseconds // 1000)
    clock = f"{day.tm_hour:02d}{day.tm_min:02d}{day.tm_sec:02d}.{milliseconds % 1000:03d}"
    date = f"{day.tm_mday:02d}{day.tm_mon:02d}{day.tm_year % 100:02d}"
    if not has_fix:
        return [
            f"GNRMC,{clock},V,,,,,,,{date},,,N",
            f"GNGGA,{clock},,,,,0,00,99.99,,,,,,",
            "GNGSA,A,1,,,,,,,,,,,,,99.99,99.99,99.99",
            f"GNZDA,{clock},{day.tm_mday:02d},{day.tm_mon:02d},{day.tm_year},00,00",
        ]
    place = position(latitude, longitude)
    speed = math.hypot(east, north)
    course = f"{math.degrees(math.atan2(east, north)) % 360:.2f}" if speed >= 0.1 else ""
    bodies = [
        f"GNRMC,{clock},A,{place},{speed * 3600 / 1852:.3f},{course},{date},,,A",
        f"GNGGA,{clock},{place},1,09,0.90,{height - GEOID_SEPARATION:.3f},M,{GEOID_SEPARATION:.1f},M,,",
        "GNGSA,A,3,01,02,03,04,05,06,07,08,09,,,,1.50,0.90,1.20",
    ]
    if sigmas:
        east_sigma, north_sigma, up_sigma = sigmas
        major, minor = max(east_sigma, north_sigma), min(east_sigma, north_sigma)
        sigma_fields = f"{major:.2f},{minor:.2f},0.0,{north_sigma:.2f},{east_sigma:.2f},{up_sigma:.2f}"
        bodies.append(f"GNGST,{clock},5.0,{sigma_fields}")
    bodies.append(f"GNZDA,{clock},{day.tm_mday:02d},{day.tm_mon:02d},{day.tm_year},00,00")
    # GGA and GSA alone: nothing else has a date, without which gpsd has no time.
    return bodies if has_date else bodies[1:3]


def garbage(utc):
    """What a bad cable or a bad receiver sends: none of it may become a position."""
    clock = time.strftime("%H%M%S.00", time.gmtime(utc))
    return b"".join(
        [
            b"$GNRMC,120000.00,A,8959.0,N,00000.0,E,9.0,90.0,010100,,,A*00\r\n",  # a wrong checksum
            sentence(f"GNGGA,{clock},nan,N,nan,E,1,09,nan,nan,M,nan,M,,"),
            sentence(f"GNGGA,{clock},9959.0,N,19959.0,E,1,09,0.9,1e99,M,46.0,M,,"),
            sentence(f"GNGST,{clock},nan,nan,nan,nan,nan,nan,nan"),
            sentence("GNRMC,,,,,,,,,,,,"),
            sentence("GNGGA," + "9" * 60),
            bytes(range(128, 256)) + b"\r\n",
            b"$GNGGA,12\r\n$$$$*\r\n",
        ]
    )


class Daemon:
    """gpsd itself, which may be stopped and started again on its port."""

    def __init__(self, device, port, log):
        program = shutil.which("gpsd", path=os.environ.get("PATH", "") + ":/usr/sbin:/usr/local/sbin")
        if program is None:
            sys.exit("gpsd is not installed (apt install gpsd)")
        # -N in the foreground, -n without waiting for a client, -b never writing to the receiver.
        self.command = [program, "-N", "-n", "-b", "-S", str(port), device]
        self.port = port
        self.log = log
        self.process = None

    def start(self):
        if self.process is None:
            self.process = subprocess.Popen(
                self.command, stdin=subprocess.DEVNULL, stdout=self.log, stderr=self.log, start_new_session=True)
            self.wait_until_greeting()

    def wait_until_greeting(self):
        deadline = time.monotonic() + DAEMON_WAIT
        while time.monotonic() < deadline:
            if self.process.poll() is not None:
                sys.exit(f"gpsd ended by itself, with {self.process.returncode}")
            try:
                with socket.create_connection(("127.0.0.1", self.port), timeout=1) as client:
                    if client.recv(1):
                        return
            except OSError:
                time.sleep(0.02)
        sys.exit(f"gpsd does not answer on port {self.port}")

    def signal(self, number):
        if self.process is not None:
            self.process.send_signal(number)

    def stop(self):
        if self.process is None:
            return
        # One that was frozen takes no other signal.
        self.process.send_signal(signal.SIGCONT)
        self.process.terminate()
        try:
            self.process.wait(DAEMON_WAIT)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        self.process = None


class Feed:
    def __init__(self, arguments):
        self.arguments = arguments
        self.path = Path(arguments)
        self.has_fix = True
        self.is_paused = arguments.replay is not None
        self.has_sigmas = not arguments.no_gst
        self.has_date = not arguments.no_date
        self.owes_garbage = False
        self.unheard = 0
        self.start_at = None
        self.is_over = False
        self.master, self.slave = pty.openpty()
        tty.setraw(self.slave)
        os.set_blocking(self.master, False)
        # gpsd gives up root before it opens its receivers.
        os.chmod(os.ttyname(self.slave), 0o666)
        # gpsd comes back at its port, and may take its time to come for the first time.
        self.reserved = None if arguments.port else ReservedPort()
        log = open(arguments.log, "ab") if arguments.log else subprocess.DEVNULL
        self.daemon = Daemon(os.ttyname(self.slave), arguments.port or int(self.reserved), log)
        self.truth = open(arguments.truth, "w") if arguments.truth else None
        if self.truth:
            self.truth.write("utc,lat,lon,height,east,north,written\n")

    def run(self):
        self.daemon.start()
        say(f"port {self.daemon.port}")
        say(f"device {os.ttyname(self.slave)}")
        if self.arguments.replay:
            octets = read_log(self.arguments.replay)
            if self.arguments.pace:
                self.replay_epochs(epochs_of(octets)[-self.arguments.last :][: self.arguments.first])
            else:
                self.replay(octets, self.arguments.baud / 10)
                self.end_replay()
        else:
            self.write_epochs()

    def replay_epochs(self, epochs):
        while self.is_paused and not self.is_over:
            self.serve_until(time.time() + 0.01)
        due = time.time()
        for step, octets in epochs:
            due += step
            self.serve_until(due)
            self.replay(octets, self.arguments.baud / 10)
        self.end_replay()

    def replay(self, octets, octets_per_second):
        position = 0
        while not self.is_over and position < len(octets):
            # As serial ports deliver: some bytes a hundredth of a second, whatever they mean.
            self.serve_until(time.time() + 0.01)
            if not self.is_paused:
                position += self.write(octets[position : position + max(1, round(octets_per_second * 0.01))])

    def end_replay(self):
        """Waits until gpsd has read all and reported it: it greets a new client after that alone."""
        empty = 0
        # Bytes on their way through the pseudo-terminal are not counted for a moment.
        while not self.is_over and empty < 5:
            self.serve_until(time.time() + 0.01)
            empty = 0 if self.unread_octets() else empty + 1
        if not self.is_over:
            self.daemon.wait_until_greeting()
            say("replayed")
        while not self.is_over:
            self.serve_until(time.time() + 60)

    def unread_octets(self):
        return struct.unpack("i", fcntl.ioctl(self.slave, termios.FIONREAD, bytes(4)))[0]

    def write(self, octets):
        """The number of octets that the pseudo-terminal took: none while gpsd reads more slowly than the line is fast."""
        try:
            return os.write(self.master, octets)
        except BlockingIOError:
            return 0

    def write_all(self, octets):
        """Never a part alone, whose sentences would be of half an epoch."""
        while octets and not self.is_over and self.daemon.process is not None:
            octets = octets[self.write(octets):]
            if octets:
                self.serve_until(time.time() + 0.01)

    def write_epochs(self):
        period = 1 / self.arguments.rate
        # Epochs lie on whole multiples of the period, as those of receivers do.
        number = first = math.ceil(time.time() / period)
        while not self.is_over:
            epoch = number * period
            self.serve_until(epoch + self.arguments.latency)
            if self.is_over:
                break
            self.write_epoch(epoch, (number - first) * period)
            number += 1
            # After a suspend or a stop of this process: no flood of what is past.
            number = max(number, math.floor((time.time() - self.arguments.latency) / period))

    def serve_until(self, when):
        while not self.is_over:
            if self.start_at is not None and time.time() >= self.start_at:
                self.start_at = None
                self.daemon.start()
                say("gpsd started")
            wake = when if self.start_at is None else min(when, self.start_at)
            readable, _, _ = select.select([sys.stdin], [], [], max(0.0, wake - time.time()))
            if readable:
                self.take_commands()
            elif time.time() >= when:
                return

    def take_commands(self):
        text = os.read(sys.stdin.fileno(), 4096)
        if not text:
            self.is_over = True
        for line in text.decode(errors="replace").splitlines():
            self.obey(line.split())

    def obey(self, words):
        match words:
            case ["pause"]: self.is_paused = True
            case ["resume"]: self.is_paused = False
            case ["nofix"]: self.has_fix = False
            case ["fix"]: self.has_fix = True
            case ["gst"]: self.has_sigmas = True
            case ["nogst"]: self.has_sigmas = False
            case ["garbage"]: self.owes_garbage = True
            case ["stop"]: self.daemon.stop()
            case ["start"]: self.start_at = 0.0
            case ["restart", *seconds]:
                self.daemon.stop()
                self.start_at = time.time() + float(seconds[0] if seconds else 1)
            case ["freeze"]: self.daemon.signal(signal.SIGSTOP)
            case ["thaw"]: self.daemon.signal(signal.SIGCONT)
            case ["quit"]: self.is_over = True
            case []: return
            case _:
                say(f"unknown command {words[0]}")
                return
        say(" ".join(words))

    def write_epoch(self, epoch, seconds):
        state = self.path.at(seconds)
        sigmas = self.arguments.sigmas if self.has_sigmas else None
        octets = b"".join(map(sentence, epoch_sentences(epoch, state, sigmas, self.has_fix, self.has_date)))
        if self.owes_garbage or self.arguments.garbage:
            octets = garbage(epoch) + octets
            self.owes_garbage = False
        if self.daemon.process is None:
            self.unheard += 1
            say(f"unheard {self.unheard}")
        if self.is_paused or self.daemon.process is None:
            return
        # First what is true: a fix may be compared with it as soon as gpsd has read the sentences.
        if self.truth:
            self.truth.write(",".join(f"{value!r}" for value in (epoch, *state, time.time())) + "\n")
            self.truth.flush()
        self.write_all(octets)

    def close(self):
        self.daemon.stop()
        if self.reserved:
            self.reserved.release()
        os.close(self.master)
        os.close(self.slave)


def say(line):
    print(line, flush=True)


def arguments():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    add = parser.add_argument
    add("--rate", type=float, default=1.0, metavar="HZ", help="epochs a second (default 1)")
    add("--latency", type=float, default=0.1, metavar="S", help="from an epoch to its sentences (default 0.1)")
    add("--origin", type=float, nargs=3, default=PLACE, metavar=("LAT", "LON", "HEIGHT"),
        help="where it starts; degrees, degrees, metres above the ellipsoid (default 48.1 11.5 566)")
    add("--walk", type=float, nargs=2, metavar=("SPEED", "HEADING"),
        help="walks straight on, m/s and degrees from north, instead of standing still")
    add("--csv", metavar="FILE", help="follows the positions in FILE")
    add("--replay", metavar="LOG", help="says what is in LOG, as bytes")
    add("--pace", action="store_true", help="says each epoch of LOG at its own time")
    add("--first", type=int, metavar="N", help="of --pace: N epochs at most")
    add("--last", type=int, default=0, metavar="N", help="of --pace: of the last N epochs alone")
    add("--baud", type=float, default=38400, help="of --replay (default 38400)")
    add("--sigmas", type=float, nargs=3, default=SIGMAS, metavar=("EAST", "NORTH", "UP"),
        help="standard deviations in GST, metres (default 1.9 2.1 3.3)")
    add("--no-gst", action="store_true", help="begins without GST sentences")
    add("--no-date", action="store_true", help="GGA and GSA alone")
    add("--garbage", action="store_true", help="broken sentences before each epoch")
    add("--port", type=int, default=0, help="of gpsd (default: one that is free)")
    add("--log", metavar="FILE", help="takes what gpsd prints")
    add("--truth", metavar="FILE", help="takes a line for each epoch")
    return parser.parse_args()


def main():
    # The program that starts this may have signals blocked, and gpsd would inherit that and never end.
    signal.pthread_sigmask(signal.SIG_SETMASK, [])
    feed = Feed(arguments())

    def end(*_):
        raise SystemExit(0)

    signal.signal(signal.SIGTERM, end)
    signal.signal(signal.SIGINT, end)
    try:
        feed.run()
    finally:
        # A second signal must not keep gpsd alive.
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        feed.close()


if __name__ == "__main__":
    main()
