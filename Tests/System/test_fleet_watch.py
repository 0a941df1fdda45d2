"""`waymark fleet watch`: the wearers of a real broker as lines and on a terminal, and whatever else a broker may send."""
import contextlib
import json
import random
import subprocess

import pytest

from harness import fleet, tmux
from harness.brokers import Endpoint
from harness.mosquitto import Mosquitto
from harness.mqtt_reader import Reader
from harness.mqtt_writer import Writer
from harness.nats import NATSCluster
from harness.paths import PROGRAMS
from harness.process import Program
from harness.server import Server, local_listener
from harness.waiting import wait_until
from harness.wearer import address

WAYMARK = PROGRAMS / "waymark"


@pytest.fixture(scope="module")
def trial(tmp_path_factory):
    """A broker with three simulated wearers who walk for as long as the tests take."""
    folder = tmp_path_factory.mktemp("watch")
    broker = Mosquitto(folder / "broker")
    program = None
    try:
        broker.start()
        program = Program(
            [WAYMARK, "fleet", "simulate", "--broker", address(broker.endpoint), "--wearers", "3", "--rate", "5", "--events",
             "1s", "--duration", "1h"], folder / "trial.log")
        yield broker
    finally:
        if program:
            program.end()
        broker.remove()


@pytest.fixture
def broker(tmp_path):
    made = Mosquitto(tmp_path / "broker")
    made.start()
    yield made
    made.remove()


def arguments(endpoint, *more, scheme="mqtt"):
    return [WAYMARK, "fleet", "watch", "--broker", address(endpoint, scheme), *more]


def watch(endpoint, *more, scheme="mqtt"):
    return subprocess.run(arguments(endpoint, *more, scheme=scheme), capture_output=True, text=True, timeout=60)


def publish(endpoint, topic, payload):
    """Lets the broker keep a message."""
    with Writer(endpoint) as writer:
        writer.publish(topic, payload, retain=True)


@contextlib.contextmanager
def following(endpoint, folder, *more):
    """A run whose lines a test looks at while it goes on."""
    output = folder / "lines.json"
    with output.open("w") as stream:
        program = Program(arguments(endpoint, "--json", "--interval", "0", *more), folder / "watch.log", stdout=stream)
    try:
        yield lambda: [json.loads(line) for line in output.read_text().splitlines(keepends=True) if line.endswith("\n")]
    finally:
        program.end()


# Lines

def test_each_wearer_has_lines_with_state_position_and_event(trial):
    done = watch(trial.endpoint, "--json", "--count", "60")
    assert done.returncode == 0, done
    wearers = {}
    for line in done.stdout.splitlines():
        wearer = json.loads(line)
        wearers.setdefault(wearer["id"], []).append(wearer)
    assert sorted(wearers) == ["trial-0", "trial-1", "trial-2"]
    for lines in wearers.values():
        newest = lines[-1]
        assert newest["online"] and newest["state"]["state"] == "localized" and newest["state"]["daemon"]
        assert 47 < newest["pose"]["position"]["lat"] < 48 and newest["pose"]["horizontalAccuracy"] == 2
        assert newest["pose"]["heading"] in (0, 90, 180, 270)
        assert newest["event"]["kind"] == "arrived"
        sequences = [line["pose"]["sequence"] for line in lines if "pose" in line]
        assert sequences == sorted(sequences)


def test_lines_for_people_have_one_wearer_each(trial):
    done = watch(trial.endpoint, "--count", "6", "--interval", "0.2")
    assert done.returncode == 0 and len(done.stdout.splitlines()) == 6, done
    assert any("trial-0  localized  47." in line and "±2.0 m  heading" in line for line in done.stdout.splitlines())


def test_the_interval_bounds_the_lines_of_each_wearer(trial):
    done = watch(trial.endpoint, "--json", "--timeout", "3s", "--interval", "1h")
    assert done.returncode == 0
    assert sorted(json.loads(line)["id"] for line in done.stdout.splitlines()) == ["trial-0", "trial-1", "trial-2"]


def test_a_kept_state_is_shown_without_a_time_of_life(broker, tmp_path):
    publish(broker.endpoint, "waymark/ada/state", '{"online":false}')
    done = watch(broker.endpoint, "--json", "--count", "1", "--timeout", "20s")
    assert json.loads(done.stdout) == {
        "id": "ada", "online": False, "state": {"daemon": False, "withheld": False}}


def test_other_topics_are_those_of_the_option(broker, tmp_path):
    publish(broker.endpoint, "site/north/ada/state", '{"online":true,"daemon":true}')
    publish(broker.endpoint, "waymark/bob/state", '{"online":true,"daemon":true}')
    done = watch(broker.endpoint, "--json", "--count", "1", "--timeout", "20s", "--topic", "site/north")
    assert json.loads(done.stdout)["id"] == "ada"


def test_two_of_them_do_not_disturb_each_other(trial):
    first = subprocess.Popen(
        arguments(trial.endpoint, "--json", "--count", "30"), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    assert watch(trial.endpoint, "--json", "--count", "30").returncode == 0
    _, complaints = first.communicate(timeout=60)
    assert first.returncode == 0 and complaints == ""


# Brokers that fail or lie

def test_a_broker_that_ends_is_found_again(broker, tmp_path):
    with following(broker.endpoint, tmp_path) as lines:
        publish(broker.endpoint, "waymark/ada/state", '{"online":true,"daemon":true}')
        wait_until(lambda: [line["id"] for line in lines()] == ["ada"])
        broker.stop()
        wait_until(lambda: "connecting again and again" in (tmp_path / "watch.log").read_text())
        broker.start()
        with Writer(broker.endpoint) as writer:
            def found():
                writer.publish("waymark/bob/state", '{"online":true,"daemon":true}')
                return lines()[-1]["id"] == "bob"
            wait_until(found)


def test_what_is_no_message_changes_nothing(broker, tmp_path):
    random.seed(5)
    with following(broker.endpoint, tmp_path) as lines, Writer(broker.endpoint) as writer:
        def noise():
            writer.publish("waymark/ada/state", '{"online":true,"daemon":true}')
            return lines()
        wait_until(noise)
        writer.wait()
        for kind in ("pose", "state", "event", "health", "other"):
            for size in (1, 10, 1000, 100_000):
                writer.publish(f"waymark/ada/{kind}", random.randbytes(size))
            writer.publish(f"waymark/ada/{kind}", "[" * 50_000)
            writer.publish(f"waymark/ada/{kind}", '{"time":"2026-01-01T00:00:00Z","sequence":1e400}')
            writer.publish(f"waymark/ada/{kind}", '{"online":true,"version":"' + "\\u001b[2J" * 9000 + '"}')
            writer.publish(f"waymark/\u200b{kind}/{kind}", "{}")
        writer.publish("waymark/bob/state", '{"online":true,"daemon":true,"version":"\\u001b[2J"}')
        wait_until(lambda: lines()[-1]["id"] == "bob")
        assert {line["id"] for line in lines()} == {"ada", "bob"}
        assert all(list(line["state"]) == ["daemon", "withheld"] for line in lines() if line["id"] == "ada")


def test_a_broker_that_sends_anything_but_mqtt_is_named(tmp_path):
    class Liar(Server):
        def serve(self, connection):
            with contextlib.suppress(OSError):
                connection.sendall(b"HTTP/1.1 200 OK\r\n\r\n")

    with Liar(local_listener()) as liar:
        endpoint = Endpoint(liar.port)
        done = watch(endpoint)
    assert done.returncode == 3 and f"{address(endpoint)}: " in done.stderr


@pytest.mark.parametrize("more, code, words", [
    (["--topic", "a//b"], 2, "--topic must be names"),
    (["--count", "0"], 2, "a whole number"),
    (["--interval", "2h"], 2, "a time"),
    (["--broker", "http://127.0.0.1"], 2, "must begin with mqtts:// or mqtt://"),
    (["--key", "/etc/hostname"], 2, "--certificate and --key go together"),
    (["--authority", "/missing.pem"], 1, "/missing.pem"),
    (["--broker", "mqtt://127.0.0.1:1"], 3, "cannot be reached: Connection refused"),
])
def test_wrong_uses_are_named(more, code, words):
    done = subprocess.run([WAYMARK, "fleet", "watch", *more], capture_output=True, text=True, timeout=60)
    assert done.returncode == code and words in done.stderr and done.stdout == "", done


def test_silence_ends_with_4_and_says_what_may_be_the_cause(broker):
    done = watch(broker.endpoint, "--timeout", "1s")
    assert done.returncode == 4 and "nothing has come on waymark/+/+" in done.stderr


# Rights

def options(identity):
    return ["--authority", identity.authority, "--certificate", identity.certificate, "--key", identity.key]


def test_an_observer_sees_what_a_wearer_may_not(tmp_path):
    shared = fleet.shared_fleet()
    secure = Mosquitto(tmp_path / "secure", shared)
    try:
        secure.start()
        with Writer(secure.endpoint, shared.identity("bob")) as writer:
            writer.publish("waymark/bob/state", '{"online":true,"daemon":true}', retain=True)
        seen = watch(secure.endpoint, "--json", "--count", "1", *options(shared.identity("board")), scheme="mqtts")
        assert seen.returncode == 0 and json.loads(seen.stdout)["id"] == "bob", seen
        blind = watch(secure.endpoint, "--timeout", "2s", *options(shared.identity("ada")), scheme="mqtts")
        assert blind.returncode == 4 and "may this client read it" in blind.stderr
        foreign = watch(secure.endpoint, *options(fleet.foreign_fleet().identity("ada")), scheme="mqtts")
        assert foreign.returncode == 3 and "certificate verify failed" in foreign.stderr
    finally:
        secure.remove()


def test_a_broker_that_refuses_the_subscription_is_named(tmp_path):
    shared = fleet.shared_fleet()
    cluster = NATSCluster(tmp_path / "cluster", shared)
    try:
        cluster.start()
        # The first client has the streams of MQTT made, which a node that has just started may not do at once.
        with Reader(cluster.endpoints[0], shared.identity("board")):
            done = watch(cluster.endpoints[0], *options(shared.identity("ada")), scheme="mqtts")
        assert done.returncode == 3 and "does not permit this client to read waymark/+/+" in done.stderr, done
    finally:
        cluster.remove()


# The terminal

def screen(endpoint, columns=110, rows=30):
    return tmux.Terminal(arguments(endpoint), columns=columns, rows=rows)


def test_a_terminal_shows_list_map_and_all_of_one_wearer(trial):
    with screen(trial.endpoint) as terminal:
        terminal.wait_for("3 wearers  3 localized")
        # The wearer who was heard first is selected.
        terminal.press("kk")
        terminal.wait_for("▶● trial-0")
        text = "\n".join(terminal.wait_for("arrived"))
        assert "trial-0: localized, foot" in text and "N ↑" in text and "├" in text
        terminal.press("j")
        terminal.wait_for("▶● trial-1")
        terminal.press("q")
        terminal.wait_for("ended with 0")
        assert "localized" not in terminal.text


def test_the_view_says_when_the_broker_is_gone_and_goes_on_when_it_is_back(broker):
    publish(broker.endpoint, "waymark/ada/state", '{"online":true,"daemon":true,"state":"localized"}')
    with screen(broker.endpoint) as terminal:
        terminal.wait_for("● ada")
        broker.stop()
        terminal.wait_for("no broker for")
        assert "● ada" in terminal.text
        broker.start()
        wait_until(lambda: "no broker" not in terminal.text)


def test_without_a_broker_the_terminal_is_untouched(broker):
    endpoint = broker.endpoint
    broker.stop()
    with screen(endpoint) as terminal:
        terminal.wait_for("ended with 3")
        assert "cannot be reached" in terminal.text
