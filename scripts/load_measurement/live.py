"""Cost and delay of the programs that show poses or pass them on, beside the simulated walk."""
import contextlib, os, pty, re, socket, subprocess, sys, threading, time

import waymark_pose as waymark
from harness.browser import MISSING, PROGRAM as CHROMIUM, browser
from harness.daemon import Daemon
from harness.foxglove import FoxgloveClient
from harness.live_server import LiveServer
from harness.paths import PROGRAMS
from harness.process import Program
from harness.waiting import wait_until

from .cost import spent

# Until a consumer and its connections are there. Seconds.
SETTLED = 3


def boot():
    return time.clock_gettime(time.CLOCK_BOOTTIME)


def used(pid):
    """Processor time of all threads. Seconds."""
    return sum(nanoseconds for _, nanoseconds, _ in spent(pid).values()) / 1e9


def percentiles(delays):
    """In milliseconds."""
    ordered = sorted(1000 * each for each in delays)
    return f"p50 {ordered[len(ordered) // 2]:.1f} ms, p99 {ordered[len(ordered) * 99 // 100]:.1f} ms, of {len(ordered)}"


class Measurement:
    """A daemon of the demonstration, and the time for which each consumer is watched."""

    def __init__(self, daemon, seconds):
        self.daemon, self.seconds = daemon, seconds
        self.ring = f"{daemon.socket}.ring"

    def cost(self, name, consumer=None):
        """Prints what a program costs now, and the daemon meanwhile."""
        time.sleep(SETTLED)
        programs = [each for each in (consumer, self.daemon.program) if each]
        before, began = [used(each.pid) for each in programs], time.monotonic()
        time.sleep(self.seconds)
        passed = time.monotonic() - began
        shares = [100 * (used(each.pid) - earlier) / passed for each, earlier in zip(programs, before)]
        own = f"{shares[0]:6.2f} % of a core, {consumer.resident_kib() / 1024:5.1f} MiB" if consumer else " " * 26
        print(f"{name:42} {own}; daemon {shares[-1]:5.2f} %, {self.daemon.program.resident_kib() / 1024:.1f} MiB", flush=True)

    @contextlib.contextmanager
    def bridge(self, *options):
        program = Program(
            [PROGRAMS / "waymark-bridge", "--config", self.daemon.config, "--socket", self.daemon.socket, *options],
            self.daemon.folder / "bridge.log")
        try:
            yield program
        finally:
            program.end()

    def watch(self):
        """`waymark watch` on a terminal of 120 × 40 that is read."""
        outer, inner = pty.openpty()
        environment = {**os.environ, "WAYMARK_SOCKET": str(self.daemon.socket), "TERM": "xterm-256color"}
        subprocess.run(["stty", "rows", "40", "cols", "120"], stdin=inner, check=True)
        program = Program([PROGRAMS / "waymark", "watch"], self.daemon.folder / "watch.log", env=environment,
                          stdin=inner, stdout=inner)
        os.close(inner)
        reader = subprocess.Popen(["cat"], stdin=outer, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        try:
            self.cost("waymark watch, 120 × 40", program)
        finally:
            program.end()
            reader.terminate()
            reader.wait()
            os.close(outer)

    def gpsd(self):
        with self.bridge("--gpsd", "127.0.0.1:0", "--rate", "50") as program:
            port = wait_until(lambda: re.findall(r"127.0.0.1:(\d+)", program.log), what=lambda: program.log)[-1]
            client = subprocess.Popen(["gpspipe", "-w", f"127.0.0.1:{port}"], stdout=subprocess.DEVNULL)
            try:
                self.cost("waymark-bridge, gpsd at 50 Hz", program)
            finally:
                client.terminate()
                client.wait()

    def opentrack(self):
        """Cost, and the age of the newest sample when a datagram, predicted to its sending, arrives."""
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as receiver, waymark.PoseRing(self.ring) as ring:
            receiver.bind(("127.0.0.1", 0))
            with self.bridge("--opentrack", f"127.0.0.1:{receiver.getsockname()[1]}") as program:
                ages, end = [], time.monotonic() + self.seconds + SETTLED
                receiver.recv(100)
                while time.monotonic() < end:
                    receiver.recv(100)
                    now = boot()
                    ring.update()
                    if newest := ring.newest():
                        ages.append(now - newest.time / 1e9)
                print(f"  sample → OpenTrack datagram: {percentiles(ages)}", flush=True)
                reader = subprocess.Popen(
                    [sys.executable, "-c", "import socket, sys; s = socket.socket(fileno=0)\nwhile True: s.recv(100)"],
                    stdin=receiver)
                try:
                    self.cost("waymark-bridge, OpenTrack at 90 Hz", program)
                finally:
                    reader.terminate()
                    reader.wait()

    def page(self):
        """Cost, delay and frames of the page."""
        began = time.monotonic()
        server = LiveServer(self.daemon)
        print(f"  start to listening: {1000 * (time.monotonic() - began):.0f} ms", flush=True)
        try:
            with browser(webgl=True) as chromium:
                chromium.size(1280, 800)
                began = time.monotonic()
                chromium.open_url(server.url)
                chromium.wait("globalThis.waymark?.shown().frames > 0 && waymark.shown().placements.length")
                print(f"  navigation to first picture of the scene: {1000 * (time.monotonic() - began):.0f} ms", flush=True)
                time.sleep(SETTLED)
                chromium.evaluate("waymark.measure()")
                frames, start = chromium.evaluate("waymark.shown().frames"), time.monotonic()
                time.sleep(9)
                frames = (chromium.evaluate("waymark.shown().frames") - frames) / (time.monotonic() - start)
                moments = chromium.evaluate("waymark.measure()")
                offset = time.time() - boot()
                self.delays("message", moments, "arrival", offset)
                self.delays("frame", [each for each in moments if each["drawn"]], "drawn", offset)
                print(f"  page: {frames:.1f} frames a second at 1280 × 800, drawn by the processor", flush=True)
                self.cost("waymark serve, a page at 60 Hz", server.program)
        finally:
            server.end()

    def foxglove(self):
        server, has_ended = LiveServer(self.daemon), threading.Event()
        try:
            with FoxgloveClient(server) as client:
                client.subscribe("/pose", "/tf", "/location", "/scene/placements", "/status")

                def read():
                    while not has_ended.is_set():
                        client.receive()
                        client.messages.clear()

                reader = threading.Thread(target=read)
                reader.start()
                self.cost("waymark serve, Foxglove at 60 Hz", server.program)
                has_ended.set()
                reader.join()
        finally:
            has_ended.set()
            server.end()

    @staticmethod
    def delays(name, moments, member, offset):
        delays = [each[member] / 1000 - offset - each["poseTime"] for each in moments]
        print(f"  sample → page's {name}: {percentiles(delays)}", flush=True)


def measure(seconds):
    if not CHROMIUM:
        sys.exit(MISSING)
    daemon = Daemon()
    try:
        daemon.start("--demo", "--socket", daemon.socket)
        daemon.wait_for_state("localized")
        measurement = Measurement(daemon, seconds)
        measurement.cost("nothing")
        consumers = (
            measurement.watch, measurement.gpsd, measurement.opentrack, measurement.foxglove, measurement.page)
        for consumer in consumers:
            consumer()
    finally:
        daemon.remove()
