"""Floods of valid calls: whatever clients ask, and however they behave, poses come on time and the watchdog is fed.

A choice of methods, behaviours and numbers of clients; with FLOODS=all in the environment, every combination.
"""
import dataclasses
import os
import socket
import threading
import time

import pytest
from waymark_interface import POSE_GET_POSE, SCENE_NEAR_PLACES, STATUS_GET_STATUS

from harness import flood
from harness.account import as_other_user, needs_root
from harness.daemon import SIMULATION, Daemon
from harness.interfaces import MODEL
from harness.run_queue import PERIOD, RunQueue, first_thread
from harness.stalls import now
from harness.varlink import CallFailed, Closed, Connection, call_message
from harness.waiting import PATIENCE, wait_until

# Of the subscriber. Hz.
RATE = 60
# Duration of each part of a round, in seconds, and the number of rounds of which a noisy machine may spoil all but one.
FLOODED, LOADED, ROUNDS = 2.5, 2.5, 5
# Of some 150 intervals of a part eight are longer: the ones that a busy machine makes do not decide.
SHARE = 0.95
SETTLING = 0.5
# The daemon feeds the watchdog three times in this time. Seconds.
WATCHDOG = 3.0


class Manager:
    """The service manager's end of sd_notify, which notes when the watchdog was fed."""

    def __init__(self, path):
        self.path = str(path)
        self.socket = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self.socket.bind(self.path)
        self.fed = []
        self.thread = threading.Thread(target=self.run, daemon=True)
        self.thread.start()

    def run(self):
        while message := self.socket.recv(65536):
            if b"WATCHDOG=1" in message.split(b"\n"):
                self.fed.append(now())

    def close(self):
        with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as end:
            end.sendto(b"", self.path)
        self.thread.join(PATIENCE)
        self.socket.close()


@pytest.fixture(scope="module")
def flooded():
    """A daemon on the simulated walk, with its route and places, under a watchdog."""
    made = Daemon(SIMULATION)
    manager = Manager(made.folder / "manager")
    made.environment.update(NOTIFY_SOCKET=manager.path, WATCHDOG_USEC=str(int(WATCHDOG * 1e6)))
    made.start(prefix=flood.AHEAD)
    made.wait_for_state("localized")
    made.manager = manager
    yield made
    manager.close()
    made.remove()


def read_methods():
    """The methods with one reply that change nothing and take no file."""
    return [
        f"{interface.name}.{method.name}" for interface in MODEL.interfaces for method in interface.methods
        if not {"changes", "descriptor", "more"} & method.notes.keys()]


def parameters(daemon, method):
    """What the methods need that have required parameters."""
    short = method.rpartition(".")[2]
    if short == "GetInterfaceDescription":
        return {"interface": "org.waymark.Scene"}
    if short == "SearchPlaces":
        return {"text": "ca"}
    if short == "GetPlace":
        return {"id": daemon.call(SCENE_NEAR_PLACES, {"radius": 2000, "limit": 1})["places"][0]["id"]}
    if short == "EstimateAt":
        pose = daemon.call(POSE_GET_POSE)["pose"]
        return {"time": pose["time"], "geo": pose["geo"], "horizontalAccuracy": 1}
    return {}


@dataclasses.dataclass
class Round:
    """What a subscriber to 60 poses a second saw beside a flood, and beside a process that burns as much processor but does
    not call the daemon: its 95 % and longest intervals. Seconds."""
    method: str
    mode: str
    clients: int
    loaded: tuple
    flooded: tuple
    calls: int
    share: float
    watchdog: float

    @property
    def is_good(self):
        return (
            self.flooded[0] <= 2 * self.loaded[0] and self.flooded[1] <= self.loaded[1] + 0.1
            # Fed at a third of its time, and never a second later.
            and self.watchdog <= WATCHDOG / 3 + 1)

    def __str__(self):
        figures = [f"{1000 * value:.1f}" for value in (*self.loaded, *self.flooded)]
        return (f"{self.method.rpartition('.')[2]:<24}{self.mode:<9}{self.clients:>3} clients "
                f"loaded {figures[0]}/{figures[1]} ms, flooded {figures[2]}/{figures[3]} ms, {self.calls} calls sent, "
                f"{100 * self.share:.0f} % of a processor, watchdog {self.watchdog:.2f} s")


def measured(daemon, method, mode, clients):
    """One round, in which both parts meet the same machine."""
    call = call_message(method, parameters(daemon, method))
    spans = []
    with flood.noting(daemon.socket, RATE) as subscriber:
        # The daemon serves its clients in the first thread.
        queues = [RunQueue(each.program.pid, chosen=first_thread) for each in (daemon, subscriber)]
        with flood.flooding(daemon.socket, clients, mode, call) as flooders:
            time.sleep(SETTLING)
            spans.append(span(FLOODED, queues))
        calls, share = flooders.result
        with flood.burning(share):
            time.sleep(SETTLING)
            spans.append(span(LOADED, queues))
        time.sleep(SETTLING)
    flooded, loaded = (typical_and_longest(flood.intervals(subscriber.result, *each), queues) for each in spans)
    fed = flood.intervals(daemon.manager.fed, spans[0][0] - 1, spans[0][1])
    return Round(method, mode, clients, loaded, flooded, calls, share, typical_and_longest(fed, queues)[1])


def typical_and_longest(intervals, queues):
    """The 95 % and the longest interval, less what the programs waited for a processor: in the mean, and within it."""
    def waited(begin, end):
        return sum(queue.within(begin, end) for queue in queues)

    (begin, _), (_, end) = intervals[0], intervals[-1]
    lengths = [later - earlier for earlier, later in intervals]
    # Were there fewer poses than asked for, each would have waited longer.
    mean = waited(begin, end) / (RATE * (end - begin))
    return (
        max(flood.percentile(lengths, SHARE) - mean, 1 / RATE),
        max(length - waited(*times) for length, times in zip(lengths, intervals)))


def span(seconds, queues):
    """Begin and end of a time in which the waiting of programs is read."""
    begin = now()
    while now() < begin + seconds:
        for queue in queues:
            queue.read()
        time.sleep(PERIOD)
    for queue in queues:
        queue.read()
    return begin, now()


def check(daemon, method, mode, clients):
    """A starved subscriber starves in every round; a busy machine spoils one or the other."""
    rounds = []
    for _ in range(ROUNDS):
        rounds.append(measured(daemon, method, mode, clients))
        assert daemon.runs and rounds[-1].calls > 0
        if rounds[-1].is_good:
            break
    report = "\n".join(str(each) for each in rounds)
    print(report)
    if os.environ.get("WAYMARK_FLOOD_REPORT"):
        with open(os.environ["WAYMARK_FLOOD_REPORT"], "a", encoding="utf-8") as file:
            file.write(report + "\n")
    assert rounds[-1].is_good, report


CHOICE = [
    (STATUS_GET_STATUS, "closes", 1), (STATUS_GET_STATUS, "closes", 16), (STATUS_GET_STATUS, "reads", 4),
    ("org.waymark.Scene.GetScene", "closes", 4), ("org.waymark.Scene.GetScene", "ignores", 16),
    ("org.waymark.Scene.NearPlaces", "reads", 16), ("org.waymark.Scene.Explain", "reads", 1),
    ("org.waymark.Scene.GetAhead", "closes", 4),
]


# All of them take a quarter of an hour, on a machine that does nothing else.
ALL = [(method, mode, clients) for method in read_methods() for mode in flood.MODES for clients in (1, 4, 16)]


@pytest.mark.long
@pytest.mark.parametrize("method, mode, clients", ALL if os.environ.get("FLOODS") == "all" else CHOICE)
def test_a_flood_of_calls_delays_no_subscriber(flooded, method, mode, clients):
    check(flooded, method, mode, clients)


@pytest.mark.long
def test_a_client_that_takes_200_poses_a_second_has_each_of_them_beside_a_flood(flooded):
    with flooded.subscribe(rate=200) as subscriber:
        subscriber.wait_for_more()
        with flood.flooding(flooded.socket, 4, "closes", call_message(STATUS_GET_STATUS)):
            subscriber.wait_for_more(400)
        poses = list(subscriber.poses)
    # What a busy machine held up is counted.
    for earlier, later in zip(poses, poses[1:]):
        assert later["sequence"] == earlier["sequence"] + later.get("missed", 0) + 1


@needs_root
def test_one_user_leaves_room_for_others_and_for_root(open_daemon):
    made = open_daemon({"service": {
        "max_clients": 16, "max_clients_per_user": 8, "max_subscriptions": 16, "max_subscriptions_per_user": 4}})

    def crowd():
        """What another user's connections are answered: the number of served ones, and the limits of the others."""
        served, limits, kept = 0, set(), []
        for _ in range(12):
            connection = Connection(made.socket)
            kept.append(connection)
            try:
                connection.call(STATUS_GET_STATUS)
                served += 1
            except CallFailed as failure:
                limits.add((failure.parameters["limit"], failure.parameters["maximum"]))
            except (Closed, OSError):
                pass
        streams = []
        for connection in kept[:5]:
            connection.send_call("org.waymark.Pose.Subscribe", {"rate": 1}, more=True)
            try:
                connection.reply()
                streams.append("served")
            except CallFailed as failure:
                streams.append(failure.parameters["limit"])
        return served, sorted(limits), streams

    assert as_other_user(crowd) == [8, [["clientsOfUser", 8]], ["served"] * 4 + ["streamsOfUser"]]
    wait_until(lambda: made.status()["clients"] == 1, what="the crowd to be gone")
    assert "limit clientsOfUser of 8 reached" in made.log
    # Root has all connections, the reserve included.
    crowd_of_root = [made.connect() for _ in range(16)]
    assert crowd_of_root[-1].call(STATUS_GET_STATUS)["status"]["clients"] == 16
    for connection in crowd_of_root:
        connection.close()
