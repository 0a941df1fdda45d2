"""A wearer at a broker: `waymark-mqtt` with settings of a test's own, and a daemon that says what the test wants."""
import json
import queue
import time

from waymark_interface import POSE_SUBSCRIBE, SCENE_SUBSCRIBE, STATUS_GET_STATUS

from .paths import PROGRAMS
from .process import Program
from .sample_messages import POSE, SCENE, STATUS
from .waiting import wait_until

WINDOW = 20


class Wearer:
    """`waymark-mqtt`, not started yet. It keeps its queue over restarts."""

    def __init__(self, folder, socket, brokers, name="ada", **settings):
        self.folder, self.name, self.socket = folder, name, socket
        self.queue = folder / "queue"
        self.queue.mkdir(parents=True, exist_ok=True)
        self.config = folder / "mqtt.toml"
        self.brokers = brokers
        self.configure(**settings)
        self.program = None

    def configure(self, **settings):
        settings = {
            "publish": True, "brokers": self.brokers, "id": self.name, "directory": str(self.queue), "pose_rate_hz": 10,
            **settings}
        lines = [f"{key} = {json.dumps(value)}" for key, value in settings.items() if value is not None]
        self.config.write_text("[mqtt]\n" + "\n".join(lines) + "\n")

    def start(self, prefix=(), **options):
        self.program = Program(
            [*prefix, PROGRAMS / "waymark-mqtt", "--config", self.config, "--socket", self.socket],
            self.folder / "mqtt.log", **options)
        return self

    def topic(self, name):
        return f"waymark/{self.name}/{name}"

    @property
    def log(self):
        return self.program.log

    def wait_for_log(self, text):
        wait_until(lambda: text in self.log, what=lambda: f"{text!r} in the log:\n{self.log}")

    def remove(self):
        if self.program:
            self.program.end()


def address(endpoint, scheme="mqtt"):
    return f"{scheme}://{endpoint.host}:{endpoint.port}"


class ScriptedDaemon:
    """Replies for a stand-in that sends poses at a rate, changed as asked (None leaves out a member), and the events that a test
    emits, each with a number. A subscriber that names the last one that it has gets those after it, as of the real daemon."""

    def __init__(self, rate=20, **changes):
        self.rate, self.changes = rate, changes
        self.events = []
        self.first_sequence = 1
        self.subscribers = []
        self.emitted = 0

    def replies(self):
        return {POSE_SUBSCRIBE: self.poses, SCENE_SUBSCRIBE: self.scenes, STATUS_GET_STATUS: {"status": STATUS}}

    def pose(self):
        now = time.clock_gettime_ns(time.CLOCK_BOOTTIME)
        changed = {**POSE, "utc": None, "time": {"sec": now // 10**9, "nsec": now % 10**9}, **self.changes}
        return {key: value for key, value in changed.items() if value is not None}

    def poses(self, _parameters, _file):
        while True:
            yield {"pose": self.pose()}
            time.sleep(1 / self.rate)

    def emit(self, **changes):
        """An event, whose text is its number."""
        self.emitted += 1
        now = time.clock_gettime_ns(time.CLOCK_BOOTTIME)
        sequence = max(self.events[-1]["sequence"] + 1 if self.events else 1, now // 1000)
        event = {"time": {"sec": now // 10**9, "nsec": now % 10**9}, "kind": "arrived", "text": str(self.emitted),
                 "sequence": sequence, **changes}
        self.events.append(event)
        for subscriber in list(self.subscribers):
            subscriber.put(event)

    def scenes(self, parameters, _file):
        inbox = queue.Queue()
        after = parameters.get("eventsAfter")
        self.subscribers.append(inbox)
        waiting = [event for event in list(self.events) if after is not None and event["sequence"] > after]
        revision = 1
        while True:
            events, waiting = waiting, []
            while not inbox.empty():
                event = inbox.get()
                if not events or event["sequence"] > events[-1]["sequence"]:
                    events.append(event)
            yield {"scene": {**SCENE, "revision": revision, "snapshot": revision == 1, "events": events}}
            revision += 1
            time.sleep(0.05)
