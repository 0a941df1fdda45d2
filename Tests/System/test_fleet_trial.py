"""All faults at random and over one another, with twenty simulated wearers and one of a daemon: no event is lost, order is kept,
and poses are lost by the rule of the queue alone, and counted.

It takes 40 s, or `WAYMARK_TRIAL_SECONDS`; the table of what happened is on standard output (`pytest -s`).
"""
import contextlib
import json
import os
import pathlib
import random
import shutil
import signal
import sqlite3
import subprocess
import threading
import time

import pytest

from harness.link import Link
from harness.living import Living
from harness.mosquitto import Mosquitto
from harness.mqtt_reader import Reader
from harness.nats import NATSCluster
from harness.network_namespace import namespace_or_skip
from harness.paths import PROGRAMS
from harness.process import Program
from harness.stand_in import StandIn
from harness.waiting import PATIENCE, wait_until
from harness.wearer import WINDOW, ScriptedDaemon, Wearer, address

SECONDS = float(os.environ.get("WAYMARK_TRIAL_SECONDS", "40"))
# Between two faults, at random. Seconds.
PAUSE = (0.3, 2)
WEARERS = 20
# Reserve and journal of each wearer take 0.6 MB, so that the disk is soon full when another program fills it.
DISK = "40m"
EVENT = "waymark/ada/event"


class SmallDisk(Living):
    """A file system of few megabytes that outlives the programs whose queues are in it, and that can be filled."""

    def __init__(self, folder):
        self.folder = folder
        folder.mkdir()
        self.keeper = subprocess.Popen(
            ["unshare", "--mount", "sh", "-c", f"mount -t tmpfs -o size={DISK} tmpfs {folder} && echo && exec cat"],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        if not self.keeper.stdout.readline():
            pytest.skip("NOT TESTED WITH A FULL DISK: a small disk needs root")
        self.enlist()

    @property
    def prefix(self):
        # The root as well: the tests themselves may run below a folder.
        return ("nsenter", f"--mount=/proc/{self.keeper.pid}/ns/mnt", f"--root=/proc/{self.keeper.pid}/root")

    @property
    def inside(self):
        """The folder, for programs without the disk."""
        return pathlib.Path(f"/proc/{self.keeper.pid}/root{self.folder}")

    def fill(self):
        with (self.inside / "filler").open("ab", buffering=0) as stream, contextlib.suppress(OSError):
            while True:
                stream.write(b"x" * 4096)

    def free(self):
        (self.inside / "filler").unlink(missing_ok=True)

    def last_words(self):
        return "small disk", "\n".join(sorted(str(file) for file in self.inside.glob("*/*")))

    def end(self):
        self.keeper.stdin.close()
        self.keeper.wait()
        self.keeper.stdout.close()
        self.delist()


class Found:
    """How often each sequence of each topic came, what came out of order, and the texts of one wearer's events."""

    def __init__(self, reader):
        self.reader, self.seen, self.newest = reader, 0, {}
        self.sequences, self.texts = {}, []
        # By topic, what came for the first time after a higher number, and whether the broker said that it sent it again.
        self.late = {}

    def update(self):
        messages = self.reader.messages()[self.seen:]
        self.seen += len(messages)
        for message in messages:
            if not message.topic.endswith(("/pose", "/event")):
                continue
            content = json.loads(message.payload)
            known = self.sequences.setdefault(message.topic, {})
            sequence, newest = content["sequence"], self.newest.get(message.topic, 0)
            if message.topic == EVENT and sequence > newest:
                self.texts.append(int(content["text"]))
            if sequence < newest and sequence not in known:
                self.late.setdefault(message.topic, []).append((sequence, newest, message.duplicate))
            known[sequence] = known.get(sequence, 0) + 1
            self.newest[message.topic] = max(newest, sequence)
        return self

    def missing(self, kind):
        """Numbers that have not come, by topic."""
        found = {}
        for topic, sequences in self.sequences.items():
            lost = set(range(1, max(sequences) + 1)) - set(sequences)
            if topic.endswith(kind) and lost:
                found[topic] = len(lost)
        return found

    def repeated(self, topic):
        return sum(self.sequences[topic].values()) - len(self.sequences[topic])


class Trial:
    """The wearers' programs, and the faults that are on at the moment."""

    def __init__(self, folder, disk, brokers, prefix, seed):
        self.disk, self.random = disk, random.Random(seed)
        self.counts = {}
        self.prefix = [*disk.prefix, *prefix]
        self.script = ScriptedDaemon()
        self.socket = folder / "daemon.sock"
        self.ada = Wearer(folder / "ada", self.socket, brokers, allow_unencrypted=True, directory=str(disk.folder / "ada"))
        (disk.inside / "ada").mkdir()
        self.arguments = [
            PROGRAMS / "waymark", "fleet", "simulate", "--broker", brokers, "--allow-remote", "--wearers", str(WEARERS), "--rate",
            "2", "--events", "1s", "--directory", disk.folder, "--json"]
        self.folder = folder
        self.others = None
        self.ending = threading.Event()
        # What restores, of each fault that is on.
        self.on = {}

    def count(self, word):
        self.counts[word] = self.counts.get(word, 0) + 1

    def start_others(self, duration="1h"):
        with (self.folder / "result.json").open("w") as output:
            self.others = Program(
                [*self.prefix, *self.arguments, "--duration", duration], self.folder / "others.log", stdout=output)

    def start_ada(self):
        self.ada.start(prefix=self.prefix)

    def keep_running(self):
        """As the service manager does: a program that could not open its queue on the full disk is started again."""
        if not self.others.runs:
            self.count("restarts of simulate by itself")
            self.start_others()
        if not self.ada.program.runs:
            self.count("restarts of waymark-mqtt by itself")
            self.start_ada()

    def emit(self):
        while not self.ending.wait(0.25):
            self.script.emit()

    def toggle(self, word, begin, finish):
        if word in self.on:
            self.on.pop(word)()
        else:
            begin()
            self.on[word] = finish
            self.count(word)

    def fault(self, faults):
        word = self.random.choice([*faults, "kill simulate", "kill waymark-mqtt", "disk full"])
        if word == "kill simulate":
            self.count(word)
            self.others.end(signal.SIGKILL)
            self.start_others()
        elif word == "kill waymark-mqtt":
            self.count(word)
            self.ada.program.end(signal.SIGKILL)
            self.start_ada()
        elif word == "disk full":
            self.toggle(word, self.disk.fill, self.disk.free)
        else:
            self.toggle(word, *faults[word])

    def begin(self, found):
        """Starts the programs; returns when the first event has come: ada gets no event of before its first start."""
        self.start_others()
        self.start_ada()
        wait_until(lambda: self.script.subscribers, what=lambda: self.ada.log)
        self.script.emit()
        wait_until(lambda: found.update().texts == [1], what=lambda: self.ada.log)

    def run(self, faults, seconds):
        """Faults for a time, and none at its end."""
        emitter = threading.Thread(target=self.emit)
        emitter.start()
        # A number of them, so that the same happen on a slow machine.
        for _ in range(round(seconds / sum(PAUSE) * 2)):
            time.sleep(self.random.uniform(*PAUSE))
            self.fault(faults)
            self.keep_running()
        for finish in self.on.values():
            finish()
        self.keep_running()
        self.ending.set()
        emitter.join()
        self.others.end(signal.SIGKILL)

    def end_others(self):
        """Lets the simulation end by itself; the number of messages that wait in its queues then."""
        self.start_others("3s")
        assert self.others.wait() == 0, self.others.log
        return json.loads((self.folder / "result.json").read_text())["waiting"]

    @property
    def interruptions(self):
        """How often unacknowledged messages may have been sent again, at most."""
        return sum(self.counts.values()) + 1

    def lost(self):
        """What the queues have counted: dropped poses and lost events of each wearer."""
        found = {}
        # SQLite would look for the real path, which is not in this process's mounts.
        copies = self.folder / "copies"
        shutil.copytree(self.disk.inside, copies)
        for file in copies.glob("*/queue.sqlite"):
            with contextlib.closing(sqlite3.connect(file)) as database:
                found[file.parent.name] = database.execute("SELECT dropped_poses, lost_events FROM counters").fetchone()
        return found

    def remove(self):
        self.ending.set()
        for program in (self.others, self.ada.program):
            if program:
                program.end(signal.SIGKILL)


def check(trial, reader, seconds, faults, permits=lambda *_: False):
    found = Found(reader)
    with StandIn(trial.socket, trial.script.replies()):
        trial.begin(found)
        trial.run(faults, seconds)
        # It waits half a minute for what is not acknowledged, which a busy machine may take longer for.
        wait_until(lambda: trial.end_others() == 0, what=lambda: trial.others.log)
        wait_until(lambda: found.update().texts[-1:] == [trial.script.emitted], PATIENCE,
                   what=lambda: (found.texts[-5:], trial.script.emitted, trial.ada.log))
        trial.ada.program.end()
    wait_until(lambda: not found.update().missing("/event"), PATIENCE, what=lambda: found.missing("/event"))
    lost = trial.lost()
    repeated = {topic: found.repeated(topic) for topic in found.sequences}
    poses = sum(len(each) for topic, each in found.sequences.items() if topic.endswith("/pose"))
    events = sum(len(each) for topic, each in found.sequences.items() if topic.endswith("/event"))
    print(json.dumps({
        **trial.counts, "poses": poses, "events": events, "poses not come": sum(found.missing("/pose").values()),
        "poses dropped by the queues": sum(dropped for dropped, _ in lost.values()),
        "events lost": sum(events for _, events in lost.values()), "repeated": sum(repeated.values()),
        "most repeated of one topic": max(repeated.values()),
        "out of order": sum(map(len, found.late.values())), "interruptions": trial.interruptions}, indent=1))
    assert len(lost) == WEARERS + 1
    assert len(found.sequences) == 2 * (WEARERS + 1)
    assert found.texts == list(range(1, trial.script.emitted + 1))
    for name, (dropped, events) in lost.items():
        assert events == 0, name
        assert found.missing("/pose").get(f"waymark/{name}/pose", 0) <= dropped, name
    assert {topic: late for topic, late in found.late.items() if not all(permits(topic, again) for _, _, again in late)} == {}
    for topic in found.sequences:
        assert repeated[topic] <= trial.interruptions * WINDOW, topic


@contextlib.contextmanager
def trial_at(folder, brokers, prefix=(), seed=7):
    disk = SmallDisk(folder / "disk")
    trial = None
    try:
        trial = Trial(folder, disk, brokers, prefix, seed)
        yield trial
    finally:
        if trial:
            trial.remove()
        disk.end()


def test_one_broker_with_all_faults_at_random(tmp_path):
    cable = namespace_or_skip()
    # Nothing is dropped for the reader, who is away as often as the broker.
    broker = Mosquitto(tmp_path / "broker", host=cable.outer, settings="max_queued_messages 0\nmax_inflight_messages 100")
    try:
        broker.start()
        faults = {"broker stopped": (broker.stop, broker.start), "cable pulled": (cable.cut, cable.restore)}
        with Reader(broker.endpoint) as reader, trial_at(tmp_path, address(broker.endpoint), cable.prefix) as trial:
            check(trial, reader, SECONDS, faults)
    finally:
        broker.remove()
        cable.remove()


def test_three_nodes_with_all_faults_at_random(tmp_path):
    cluster = NATSCluster(tmp_path / "cluster")
    try:
        cluster.start()
        if cluster.version < (2, 10):
            pytest.skip("nats-server 2.9 loses acknowledged messages without any fault")
        with contextlib.ExitStack() as stack:
            links = [stack.enter_context(Link(endpoint)) for endpoint in cluster.endpoints]
            reader = stack.enter_context(Reader(cluster.endpoints))
            brokers = " ".join(address(link.endpoint) for link in links)
            trial = stack.enter_context(trial_at(tmp_path, brokers))
            killed = []

            def kill():
                killed.append(trial.random.randrange(3))
                cluster.kill(killed[-1])

            def cut():
                for link in links:
                    link.cut(silent=trial.random.random() < 0.5)

            def restore():
                for link in links:
                    link.restore()

            def revive():
                cluster.restart(killed[-1])

            # Another node sends again what a killed one had sent and its reader had not got, after what came meanwhile; and a
            # node may take what came before a link was cut later than the next one takes what came after it, which shows
            # where the poses in between were dropped.
            check(trial, reader, SECONDS, {"node killed": (kill, revive), "links cut": (cut, restore)},
                  permits=lambda topic, duplicate: duplicate or topic.endswith("/pose"))
    finally:
        cluster.remove()
