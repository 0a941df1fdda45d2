"""`waymark fleet simulate`: many wearers at real brokers, whose faults cost no event and no order."""
import contextlib
import itertools
import json
import random
import signal
import subprocess
import time

import pytest

from harness.mosquitto import Mosquitto
from harness.mqtt_reader import Reader
from harness.nats import NATSCluster
from harness.paths import PROGRAMS
from harness.process import Program
from harness.waiting import wait_until
from harness.wearer import WINDOW, address


class Trial:
    """Simulated wearers in a program that can be killed and continued."""

    def __init__(self, folder, endpoints, wearers=10, rate=5, events="0.5s", duration="10s"):
        self.folder = folder
        self.queues = folder / "queues"
        self.queues.mkdir(parents=True)
        self.wearers = wearers
        self.arguments = [
            PROGRAMS / "waymark", "fleet", "simulate", "--broker", " ".join(address(each) for each in endpoints), "--wearers",
            str(wearers), "--rate", str(rate), "--events", events, "--directory", self.queues, "--json"]
        self.duration = duration
        self.program = None

    def start(self, duration=None):
        with (self.folder / "result.json").open("w") as output:
            self.program = Program(
                [*self.arguments, "--duration", duration or self.duration], self.folder / "trial.log", stdout=output)
        return self

    def result(self):
        """What the program says at its end."""
        assert self.program.wait() == 0, self.program.log
        return json.loads((self.folder / "result.json").read_text())

    def final(self):
        """What the program says when nothing waits: it runs once more where a busy machine took longer than the half
        minute that it grants for what is not acknowledged."""
        return wait_until(
            lambda: (found := self.result())["waiting"] == 0 and found or self.start("3s") and None,
            what=lambda: self.program.log)

    def kill(self):
        self.program.end(signal.SIGKILL)

    def remove(self):
        if self.program:
            self.program.end(signal.SIGKILL)


def by_topic(reader):
    """Sequences of the messages of each topic, in the order in which they came."""
    found = {}
    for message in reader.messages():
        if message.topic.endswith(("/pose", "/event")):
            found.setdefault(message.topic, []).append(json.loads(message.payload)["sequence"])
    return found


def reconnections(broker):
    """How often a wearer came back to a broker of mosquitto, by its name."""
    return lambda name: broker.log.count(f" as {name} (") - 1


def check(found, wearers, reconnections):
    """All of each wearer, in order but for what came again, and of that at most the window for each reconnection."""
    assert len([topic for topic in found if topic.endswith("/event")]) == wearers
    for topic, sequences in found.items():
        newest = list(itertools.accumulate(sequences, max))
        fresh = [each for each, before in zip(sequences, [0, *newest]) if each > before]
        assert fresh == list(range(1, max(sequences) + 1)), topic
        assert len(sequences) - len(fresh) <= reconnections(topic.split("/")[1]) * WINDOW, topic


@pytest.fixture
def trial(tmp_path):
    with contextlib.ExitStack() as stack:
        def make(endpoints, **options):
            made = Trial(tmp_path / "trial", endpoints, **options)
            stack.callback(made.remove)
            return made
        yield make


def test_simulated_wearers_publish_all_that_they_say(tmp_path, trial):
    broker = Mosquitto(tmp_path / "broker")
    try:
        broker.start()
        with Reader(broker.endpoint) as reader:
            result = trial(broker.endpoints).start().result()
            assert result["waiting"] == result["droppedPoses"] == result["lostEvents"] == 0
            assert result["connections"] >= 10 and result["acknowledged"] == result["poses"] + result["events"]
            wait_until(lambda: sum(len(set(each)) for each in by_topic(reader).values()) == result["acknowledged"])
            check(by_topic(reader), 10, reconnections(broker))
            states = {message.topic for message in reader.messages() if message.topic.endswith("/state")}
            assert states == {f"waymark/trial-{number}/state" for number in range(10)}
    finally:
        broker.remove()


def test_a_program_and_a_broker_that_end_again_and_again_cost_no_event_and_no_order(tmp_path, trial):
    random.seed(11)
    broker = Mosquitto(tmp_path / "broker")
    try:
        broker.start()
        with Reader(broker.endpoint) as reader:
            own = trial(broker.endpoints, wearers=20).start("60s")
            for _ in range(4):
                time.sleep(random.uniform(0.5, 2))
                broker.stop()
                time.sleep(random.uniform(0, 1.5))
                broker.start()
                time.sleep(random.uniform(0.5, 2))
                own.kill()
                own.start("60s")
            own.kill()
            result = own.start("3s").final()
            assert result["droppedPoses"] == result["lostEvents"] == 0
            wait_until(lambda: not_come(reader) == [], what=lambda: not_come(reader))
            check(by_topic(reader), 20, reconnections(broker))
    finally:
        broker.remove()


def not_come(reader):
    """Topics of which numbers are missing."""
    return [topic for topic, sequences in by_topic(reader).items() if set(sequences) != set(range(1, max(sequences) + 1))]


def test_the_end_of_a_node_of_three_costs_no_event_and_no_order(tmp_path, trial):
    cluster = NATSCluster(tmp_path / "cluster")
    try:
        cluster.start()
        if cluster.version < (2, 10):
            pytest.skip("nats-server 2.9 loses acknowledged messages without any fault")
        with Reader(cluster.endpoints) as reader:
            own = trial(cluster.endpoints, wearers=5, rate=1, events="1s").start("15s")
            wait_until(lambda: by_topic(reader))
            cluster.kill(cluster.leader())
            result = own.final()
            assert result["droppedPoses"] == result["lostEvents"] == 0
            wait_until(lambda: by_topic(reader) and not_come(reader) == [])
            check(by_topic(reader), 5, lambda _: 3)
    finally:
        cluster.remove()


@pytest.mark.parametrize("arguments, words", [
    (["--broker", "mqtt://192.0.2.1"], "is on another computer"),
    (["--broker", "tcp://127.0.0.1"], "must begin with mqtts:// or mqtt://"),
    (["--wearers", "0"], "a whole number"),
    (["--wearers", "101"], "a whole number"),
    (["--prefix", "a/b"], "--prefix must be letters"),
    (["--duration", "2h"], "a time"),
    (["--certificate", "/etc/hostname"], "--certificate and --key go together"),
    (["--password-file", "/etc/hostname"], "--password-file needs --username"),
    (["--directory", "/missing/folder"], "/missing/folder"),
])
def test_wrong_uses_are_named(arguments, words):
    done = subprocess.run(
        [PROGRAMS / "waymark", "fleet", "simulate", *arguments], capture_output=True, text=True, timeout=60)
    assert done.returncode in (1, 2) and words in done.stderr, done


def test_as_many_wearers_as_a_program_may_have_are_all_connected(tmp_path, trial):
    broker = Mosquitto(tmp_path / "broker")
    try:
        broker.start()
        trial(broker.endpoints, wearers=100, rate=1, duration="3s").start().final()
        assert all(reconnections(broker)(f"trial-{number}") >= 0 for number in range(100))
    finally:
        broker.remove()
