"""`waymark-mqtt` brings poses, state and events to real brokers: all of it, once, in order, and nothing that is private."""
import contextlib
import datetime
import json
import math
import os
import random
import shutil
import signal
import socket
import sqlite3
import struct
import subprocess
import tempfile
import threading
import time

import pytest
from waymark_interface import POSE_GET_POSE

from harness.daemon import SIMULATION
from harness.fleet import foreign_fleet, shared_fleet
from harness.link import Link
from harness.mosquitto import Mosquitto
from harness.mqtt_reader import Reader
from harness.network_namespace import namespace_or_skip
from harness.paths import PROGRAMS
from harness.server import Server, local_listener
from harness.stand_in import StandIn
from harness.waiting import wait_until
from harness.wearer import WINDOW, ScriptedDaemon, Wearer, address

pytestmark = pytest.mark.library


@pytest.fixture
def broker(tmp_path):
    made = Mosquitto(tmp_path / "broker")
    made.start()
    yield made
    made.remove()


@pytest.fixture
def script(tmp_path):
    """A daemon that emits what a test wants, at `script.socket`."""
    made = ScriptedDaemon()
    made.socket = tmp_path / "daemon.sock"
    with StandIn(made.socket, made.replies()) as stand_in:
        made.stand_in = stand_in
        yield made


@pytest.fixture
def wearer(tmp_path):
    """Makes wearers; they end with the test."""
    made = []

    def make(socket, brokers, **settings):
        wearer = Wearer(tmp_path / f"wearer-{len(made)}", socket, brokers, **settings)
        made.append(wearer)
        return wearer
    yield make
    for each in made:
        each.remove()


def decoded(reader, topic):
    return [json.loads(payload) for payload in reader.payloads(topic)]


def fresh(messages):
    """Messages without those that came again, which is how a reader takes them: a number that is not above all before."""
    newest, found = 0, []
    for message in messages:
        if message["sequence"] > newest:
            newest = message["sequence"]
            found.append(message)
    return found


def texts(reader, wearer):
    return [message["text"] for message in fresh(decoded(reader, wearer.topic("event")))]


def numbers(count):
    return [str(number) for number in range(1, count + 1)]


def metres(a, b):
    north = (a["lat"] - b["lat"]) * 111_200
    east = (a["lon"] - b["lon"]) * 111_200 * math.cos(math.radians(a["lat"]))
    return math.hypot(north, east)


def sight(quaternion):
    """Image of the body's line of sight (-z), in east, north, up."""
    w, x, y, z = (quaternion[name] for name in "wxyz")
    return [-2 * (x * z + w * y), -2 * (y * z - w * x), -(1 - 2 * (x * x + y * y))]


# What is published

def test_poses_of_the_daemon_come_with_position_rotation_accuracy_and_time(broker, daemon, wearer):
    served = daemon(SIMULATION).start()
    with Reader(broker.endpoint) as reader:
        ada = wearer(served.socket, address(broker.endpoint)).start()
        reader.wait_for(lambda messages: len([m for m in messages if m.topic == ada.topic("pose")]) >= 5)
        served.wait_for_state("localized")
        served.wait_until(
            lambda: (newest := decoded(reader, ada.topic("pose"))[-1])["state"] == "localized" and "quaternion" in newest)
        pose, message = reader.wait_for(lambda _: same_moment(served, decoded(reader, ada.topic("pose"))))
    assert list(message) == ["time", "clock", "sequence", "position", "quaternion", "accuracy", "state"]
    place = {"lat": pose["geo"]["latitude"], "lon": pose["geo"]["longitude"]}
    assert metres(message["position"], place) < 3
    assert message["state"] == "localized"
    assert abs(message["accuracy"]["horizontal"] - pose["accuracy"]["horizontalAccuracy"]) < 2
    assert math.isclose(sum(part ** 2 for part in message["quaternion"].values()), 1, abs_tol=1e-6)
    east, north, _ = sight(message["quaternion"])
    turned = math.degrees(math.atan2(east, north)) - pose["heading"]
    assert abs((turned + 180) % 360 - 180) < 10, "the wearer of the simulation may turn between two poses"
    numbers_of_poses = [m["sequence"] for m in decoded(reader, ada.topic("pose"))]
    assert numbers_of_poses == list(range(1, len(numbers_of_poses) + 1))


def same_moment(served, messages):
    """A pose of the daemon and the message of the same moment; None while the newest are of different ones."""
    pose, message = served.call(POSE_GET_POSE)["pose"], messages[-1]
    apart = abs((utc(message["time"]) - utc(pose["utc"])).total_seconds())
    return message["clock"] == "gnss" and apart < 0.2 and (pose, message)


def utc(text):
    return datetime.datetime.fromisoformat(text.replace("Z", "+00:00"))


def test_the_rotation_is_that_of_geopose(broker, script, wearer):
    """An upright wearer who looks west, in a scene that is turned so that its -z axis points there too."""
    script.changes |= {"orientation": {"x": 0.0, "y": 0.0, "z": 0.0, "w": 1.0}, "heading": 270.0}
    ada = wearer(script.socket, address(broker.endpoint)).start()
    with Reader(broker.endpoint) as reader:
        message = reader.wait_for(lambda _: next(iter(decoded(reader, ada.topic("pose"))), None))
    w, x, y, z = (message["quaternion"][name] for name in "wxyz")
    # Image of the body's up (y), in east, north, up.
    up = [2 * (x * y - w * z), 1 - 2 * (x * x + z * z), 2 * (y * z + w * x)]
    assert sight(message["quaternion"]) == pytest.approx([-1, 0, 0], abs=1e-6)
    assert up == pytest.approx([0, 0, 1], abs=1e-6)


def test_a_vertical_line_of_sight_has_no_heading_and_so_no_rotation(broker, script, wearer):
    script.changes |= {"orientation": {"x": -math.sqrt(0.5), "y": 0.0, "z": 0.0, "w": math.sqrt(0.5)}, "heading": None}
    ada = wearer(script.socket, address(broker.endpoint)).start()
    with Reader(broker.endpoint) as reader:
        message = reader.wait_for(lambda _: next(iter(decoded(reader, ada.topic("pose"))), None))
    assert "quaternion" not in message
    assert message["position"]["lat"] == pytest.approx(47.3765, abs=1e-6)
    assert message["accuracy"]["heading"] == 4.5


def test_state_is_kept_by_the_broker_and_says_when_the_wearer_has_gone(broker, script, wearer):
    ada = wearer(script.socket, address(broker.endpoint)).start()
    with Reader(broker.endpoint) as reader:
        born = reader.wait_for(lambda _: next(
            (m for m in decoded(reader, ada.topic("state")) if m["online"] and {"state", "readiness"} <= m.keys()), None))
        assert {"daemon": True, "state": "localized", "readiness": "ready", "motion": "foot"}.items() <= born.items()
        with Reader(broker.endpoint, client_id="later") as later:
            kept = later.wait_for(lambda messages: [m for m in messages if m.topic == ada.topic("state")])
            assert kept[0].retained and json.loads(kept[0].payload)["online"]
        ada.program.end()
        farewell = reader.wait_for(lambda _: next(
            (m for m in decoded(reader, ada.topic("state")) if not m["online"]), None))
        assert "time" in farewell
        # It stays, since the broker publishes no will after a farewell.
        time.sleep(1)
        with Reader(broker.endpoint, client_id="afterwards") as afterwards:
            kept = afterwards.wait_for(lambda messages: [m for m in messages if m.topic == ada.topic("state")])
            assert kept[0].retained and "time" in json.loads(kept[0].payload)
        reader.forget()
        ada.start()
        reader.wait_for(lambda _: any(m["online"] for m in decoded(reader, ada.topic("state"))))
        ada.program.end(signal.SIGKILL)
        reader.wait_for_payload(b'{"online":false}', ada.topic("state"))


def test_owntracks_reads_the_same_positions(broker, script, wearer):
    ada = wearer(script.socket, address(broker.endpoint), owntracks=True, owntracks_interval_s=0.2, owntracks_least_m=0)
    begun = time.time()
    ada.start()
    with Reader(broker.endpoint, topics=["owntracks/#"]) as reader:
        message = reader.wait_for(lambda _: next(iter(decoded(reader, "owntracks/waymark/ada")), None))
    assert message["_type"] == "location" and message["tid"] == "da"
    assert int(begun) <= message["tst"] <= time.time()
    place = script.pose()["geo"]
    assert metres(message, {"lat": place["latitude"], "lon": place["longitude"]}) < 0.1
    # Above the sea, which by EGM96 is 47.5 m above the ellipsoid there.
    assert (message["acc"], message["vac"], message["alt"], message["cog"], message["vel"]) == (3, 4, 384, 10, 5)


def test_health_has_the_queue_the_devices_and_advice(broker, script, wearer):
    ada = wearer(script.socket, address(broker.endpoint), health_interval_s=5).start()
    with Reader(broker.endpoint) as reader:
        message = reader.wait_for(lambda _: next(
            (m for m in decoded(reader, ada.topic("health")) if m["published"] > 10 and m.get("devices")), None))
    assert message["queue"]["droppedPoses"] == message["queue"]["lostEvents"] == 0
    assert message["connections"] == 1
    assert message["devices"] == [{"name": "lsm6dsx_gyro", "state": "streaming", "gaps": 2}]
    assert message["daemon"]["version"] == "9.9"


def test_without_movement_a_pose_is_not_published_again(broker, script, wearer):
    with Reader(broker.endpoint) as reader:
        ada = wearer(script.socket, address(broker.endpoint), pose_least_m=5, health_interval_s=5).start()
        reader.wait_for(lambda _: decoded(reader, ada.topic("health")))
        assert len(decoded(reader, ada.topic("pose"))) == 1
        place = script.pose()["geo"]
        script.changes["geo"] = {**place, "latitude": place["latitude"] + 0.0001}
        reader.wait_for(lambda _: len(decoded(reader, ada.topic("pose"))) == 2)


# Consent and privacy

@pytest.mark.parametrize("settings, words", [
    ({"publish": None}, "mqtt.publish = true"),
    ({"publish": False}, "mqtt.publish = true"),
    ({"brokers": ""}, "no broker is named"),
    ({"brokers": "mqtt://198.51.100.1"}, "is not encrypted"),
    ({"brokers": "http://127.0.0.1"}, "must begin with mqtts:// or mqtt://"),
    ({"brokers": "mqtts://user:secret@broker"}, "must not hold a user name"),
    ({"id": "a/b"}, "letters, digits, hyphens and underscores"),
    ({"topic": "#"}, "must be names of letters"),
    ({"brokers": "mqtts://127.0.0.1", "certificate_file": "/missing"}, "/missing cannot be read"),
    ({"brokers": "mqtts://127.0.0.1", "key_file": "/etc/hostname"}, "a certificate needs its private key"),
    ({"private_areas": "home 52 13"}, "NAME LATITUDE LONGITUDE RADIUS"),
    ({"grid_m": -1}, "out of range"),
])
def test_what_the_settings_lack_is_said_and_nothing_is_published(script, wearer, settings, words):
    ada = wearer(script.socket, **{"brokers": "mqtt://127.0.0.1:9", **settings})
    for arguments in [[]] if "publish" in settings else [["--check-config"], []]:
        done = subprocess.run(
            [PROGRAMS / "waymark-mqtt", "--config", ada.config, "--socket", script.socket, *arguments], capture_output=True,
            text=True, timeout=60)
        assert done.returncode == 78 and words in done.stderr and done.stderr.count("\n") == 1, done
    assert not list(ada.queue.iterdir()) and not script.stand_in.calls


def test_valid_settings_are_confirmed(script, wearer):
    ada = wearer(script.socket, "mqtts://broker.example mqtts://[::1]:9883")
    done = subprocess.run(
        [PROGRAMS / "waymark-mqtt", "--config", ada.config, "--check-config"], capture_output=True, text=True, check=True)
    assert "below waymark/ada at mqtts://broker.example:8883, mqtts://[::1]:9883" in done.stdout


def test_settings_are_checked_before_the_wearer_has_agreed(script, wearer):
    ada = wearer(script.socket, "mqtts://broker.example", publish=False)
    done = subprocess.run(
        [PROGRAMS / "waymark-mqtt", "--config", ada.config, "--check-config"], capture_output=True, text=True)
    assert done.returncode == 0 and "Not yet: nothing is published before the wearer has agreed" in done.stdout, done


def test_within_a_private_area_neither_poses_nor_events_leave(broker, script, wearer):
    place = script.pose()["geo"]
    ada = wearer(script.socket, address(broker.endpoint), owntracks=True, owntracks_interval_s=0.1, owntracks_least_m=0,
                 private_areas=f"home {place['latitude']} {place['longitude']} 100", health_interval_s=5).start()
    with Reader(broker.endpoint, topics=["#"]) as reader:
        reader.wait_for(lambda _: any(m.get("withheld") for m in decoded(reader, ada.topic("state"))))
        script.emit(id="place/home")
        reader.wait_for(lambda _: any(m["withheld"] > 5 for m in decoded(reader, ada.topic("health"))))
        # Outside: what is made from now on is published, and nothing of before.
        script.changes["geo"] = {**place, "latitude": place["latitude"] + 0.01}
        first = reader.wait_for(lambda _: next(iter(decoded(reader, ada.topic("pose"))), None))
        assert first["sequence"] == 1 and first["position"]["lat"] == pytest.approx(place["latitude"] + 0.01)
        script.emit()
        assert reader.wait_for(lambda _: texts(reader, ada)) == ["2"]
        everything = b"".join(reader.payloads())
    assert b"home" not in everything
    assert str(place["latitude"]).encode() not in everything


def test_with_a_grid_only_the_cell_is_published(broker, script, wearer):
    ada = wearer(script.socket, address(broker.endpoint), grid_m=500, owntracks=True, owntracks_interval_s=0.1,
                 owntracks_least_m=0).start()
    place = script.pose()["geo"]
    with Reader(broker.endpoint, topics=["#"]) as reader:
        pose = reader.wait_for(lambda _: next(iter(decoded(reader, ada.topic("pose"))), None))
        location = reader.wait_for(lambda _: next(iter(decoded(reader, "owntracks/waymark/ada")), None))
        for step in range(20):
            script.changes["geo"] = {**place, "latitude": place["latitude"] + step * 1e-7}
            time.sleep(0.05)
        poses = decoded(reader, ada.topic("pose"))
    distance = metres(pose["position"], {"lat": place["latitude"], "lon": place["longitude"]})
    assert 0 < distance < 360
    assert pose["accuracy"]["horizontal"] == pytest.approx(math.hypot(2.5, 0.465 * 500), abs=0.01)
    assert len({json.dumps(each["position"]) for each in poses}) == 1
    # Of an exact heading, over time, the streets would show: only its eighth of the compass is published.
    assert pose["accuracy"]["heading"] > 0.34 * 45
    assert "vel" not in location and "cog" not in location and metres(location, pose["position"]) < 0.1


# Nothing lost

def repeated(messages):
    """Number of the messages that came again."""
    return len(messages) - len({message["sequence"] for message in messages})


def allowed(wearer):
    """The number that may have come again: what was not acknowledged is sent again when the program connects again, as
    it also does when a busy machine lets it wait for the broker."""
    return (wearer.log.count("connected to") - 1) * WINDOW


def test_what_waits_for_a_broker_comes_in_order_and_says_that_it_is_late(broker, script, wearer):
    with Reader(broker.endpoint) as reader:
        ada = wearer(script.socket, address(broker.endpoint)).start()
        reader.wait_for(lambda _: decoded(reader, ada.topic("pose")))
        broker.stop()
        for _ in range(30):
            script.emit()
            time.sleep(0.25)
        broker.start()
        wait_until(lambda: len(texts(reader, ada)) == 30, what=lambda: texts(reader, ada))
        assert texts(reader, ada) == numbers(30)
        events = fresh(decoded(reader, ada.topic("event")))
        assert events[0]["late"] > 5 and all("position" in event for event in events)

        def is_sent_at_once():
            script.emit()
            return any("late" not in event for event in fresh(decoded(reader, ada.topic("event")))[30:])
        wait_until(is_sent_at_once)
        poses = decoded(reader, ada.topic("pose"))
    sequences = {message["sequence"] for message in poses}
    assert sequences == set(range(1, max(sequences) + 1)), "no pose is lost"
    assert repeated(poses) <= allowed(ada)


def test_a_program_that_is_killed_at_any_moment_loses_no_event_and_repeats_no_more_than_the_window(broker, script, wearer):
    random.seed(5)
    stop = threading.Event()

    def emit():
        while not stop.wait(0.01):
            script.emit()
    emitter = threading.Thread(target=emit)
    with Reader(broker.endpoint) as reader:
        ada = wearer(script.socket, address(broker.endpoint)).start()
        reader.wait_for(lambda _: decoded(reader, ada.topic("pose")))
        emitter.start()
        for _ in range(12):
            time.sleep(random.uniform(0.05, 1.0))
            ada.program.end(signal.SIGKILL)
            ada.start()
        time.sleep(1)
        stop.set()
        emitter.join()
        wait_until(lambda: len(texts(reader, ada)) >= script.emitted, what=lambda: (len(texts(reader, ada)), script.emitted))
        assert texts(reader, ada) == numbers(script.emitted)
        for topic in ("pose", "event"):
            messages = decoded(reader, ada.topic(topic))
            sequences = {message["sequence"] for message in messages}
            assert sequences == set(range(1, max(sequences) + 1)), topic
            assert repeated(messages) <= allowed(ada)


def test_events_from_before_the_first_one_that_was_stored_are_not_lost_either(broker, script, wearer):
    ada = wearer(script.socket, address(broker.endpoint)).start()
    with Reader(broker.endpoint) as reader:
        reader.wait_for(lambda _: decoded(reader, ada.topic("pose")))
        ada.program.end(signal.SIGKILL)
        for _ in range(3):
            script.emit()
        ada.start()
        wait_until(lambda: len(texts(reader, ada)) == 3, what=lambda: ada.log)
        assert texts(reader, ada) == numbers(3)


def test_a_program_that_stalls_while_the_connection_changes_keeps_the_order(broker, script, wearer):
    with Link(broker.endpoint) as link, Reader(broker.endpoint) as reader:
        ada = wearer(script.socket, address(link.endpoint)).start()
        reader.wait_for(lambda _: decoded(reader, ada.topic("pose")))
        for _ in range(3):
            ada.program.send(signal.SIGSTOP)
            link.cut()
            for _ in range(30):
                script.emit()
            link.restore()
            time.sleep(0.5)
            ada.program.send(signal.SIGCONT)
            wait_until(lambda: len(texts(reader, ada)) == script.emitted, what=lambda: ada.log)
        assert texts(reader, ada) == numbers(90)


def test_a_cut_link_loses_nothing(broker, script, wearer):
    with Link(broker.endpoint) as link, Reader(broker.endpoint) as reader:
        ada = wearer(script.socket, address(link.endpoint)).start()
        reader.wait_for(lambda _: decoded(reader, ada.topic("pose")))
        for _ in range(3):
            link.cut()
            for _ in range(20):
                script.emit()
                time.sleep(0.02)
            link.restore()
            wait_until(lambda: len(texts(reader, ada)) == script.emitted, what=lambda: ada.log)
        assert texts(reader, ada) == numbers(60)


def test_a_cable_that_is_pulled_for_a_minute_loses_nothing(tmp_path, script, wearer):
    cable = namespace_or_skip()
    broker = Mosquitto(tmp_path / "outside", host=cable.outer)
    try:
        broker.start()
        with Reader(broker.endpoint) as reader:
            ada = wearer(script.socket, address(broker.endpoint), allow_unencrypted=True).start(prefix=cable.prefix)
            reader.wait_for(lambda _: decoded(reader, ada.topic("pose")))
            cable.cut()
            for _ in range(120):
                script.emit()
                time.sleep(0.5)
            before = len(texts(reader, ada))
            cable.restore()
            wait_until(lambda: len(texts(reader, ada)) == 120, what=lambda: ada.log)
            assert before < 5 and texts(reader, ada) == numbers(120)
            events, poses = decoded(reader, ada.topic("event")), decoded(reader, ada.topic("pose"))
        assert any(event.get("late", 0) > 40 for event in events)
        for messages in (events, poses):
            sequences = [message["sequence"] for message in fresh(messages)]
            assert sequences == list(range(1, max(sequences) + 1))
            assert repeated(messages) <= allowed(ada)
    finally:
        broker.remove()
        cable.remove()


def test_an_exhausted_quota_is_a_full_disk(broker, script, wearer):
    """The kernels of the tests have no quotas on file systems that tests can make, so the system call is made to fail. The
    program stays a child of the test's (-D), so that it is ended with the test."""
    if subprocess.run(["strace", "-o", "/dev/null", "true"], capture_output=True).returncode:
        pytest.skip("NOT TESTED: no program may be traced here")
    with Reader(broker.endpoint) as reader:
        broker.stop()
        ada = wearer(script.socket, address(broker.endpoint)).start(prefix=[
            "strace", "-D", "-f", "-qq", "-o", "/dev/null", "-e", "trace=pwrite64",
            "-e", "inject=pwrite64:error=EDQUOT:when=100..300"])
        ada.wait_for_log("no connection")
        wait_until(lambda: script.emit() or "the queue can be written again" in ada.log, what=lambda: ada.log)
        ada.wait_for_log("the disk quota is exhausted: free disk space for mqtt.directory")
        broker.start()
        wait_until(lambda: len(texts(reader, ada)) == script.emitted, what=lambda: (texts(reader, ada), ada.log))
        assert texts(reader, ada) == numbers(script.emitted)


def test_a_full_disk_costs_the_oldest_poses_and_no_event(broker, script, wearer, tmp_path):
    if os.geteuid() != 0:
        pytest.skip("a small disk needs root")
    ada = wearer(script.socket, address(broker.endpoint), owntracks=True, owntracks_interval_s=0.1, owntracks_least_m=0)
    with Reader(broker.endpoint) as reader:
        broker.stop()
        # A disk of 2.5 MB, of which the reserve takes one and another program nearly all of the rest.
        ada.start(prefix=["unshare", "--mount", "sh", "-c",
                          f'mount -t tmpfs -o size=2500k tmpfs {ada.queue} && exec "$@"', "sh"])
        wait_until(lambda: (own := inside(ada, "reserve")).exists() and own.stat().st_size == 1 << 20)
        filler = inside(ada, "filler")
        fill(filler)
        wait_until(lambda: not inside(ada, "reserve").exists(), what=lambda: ada.log)
        for _ in range(50):
            script.emit()
            time.sleep(0.1)
        fill(filler)
        for _ in range(50):
            script.emit()
            time.sleep(0.1)
        filler.unlink()
        broker.start()
        wait_until(lambda: len(texts(reader, ada)) == 100, what=lambda: (texts(reader, ada), ada.log))
        assert texts(reader, ada) == numbers(100)


def inside(wearer, name):
    """A file of the queue's folder as the program sees it."""
    return type(wearer.queue)(f"/proc/{wearer.program.pid}/root{wearer.queue}/{name}")


def fill(file):
    """Takes all space that is left."""
    with file.open("ab", buffering=0) as stream:
        try:
            while True:
                stream.write(b"x" * 4096)
        except OSError:
            pass


# Time

def clock_offset(queue):
    """UTC of the present run of the computer less its boot clock, of the queue; None while it is written. Unit: ns.

    The program has its file for itself: a copy is read.
    """
    with tempfile.TemporaryDirectory() as folder, contextlib.suppress(sqlite3.Error, OSError):
        shutil.copytree(queue, folder, dirs_exist_ok=True)
        with contextlib.closing(sqlite3.connect(f"{folder}/queue.sqlite")) as database:
            return database.execute("SELECT clock_offset FROM boot").fetchone()[0]
    return None


def test_a_clock_that_is_known_later_is_that_of_what_waited(broker, script, wearer):
    with Reader(broker.endpoint) as reader:
        broker.stop()
        ada = wearer(script.socket, address(broker.endpoint)).start()
        ada.wait_for_log("no connection")
        script.emit()
        boot = time.clock_gettime_ns(time.CLOCK_BOOTTIME)
        # A receiver that says it is 2030.
        known = datetime.datetime(2030, 1, 1, tzinfo=datetime.timezone.utc)
        script.changes["utc"] = "2030-01-01T00:00:00.000000Z"
        script.changes["time"] = {"sec": boot // 10**9, "nsec": boot % 10**9}
        offset = int(known.timestamp()) * 10**9 - boot
        wait_until(lambda: clock_offset(ada.queue) == offset, what="the clock of the receiver", interval=0.5)
        broker.start()
        event = reader.wait_for(lambda _: next(iter(decoded(reader, ada.topic("event"))), None))
    [emitted] = script.events
    before = boot - emitted["time"]["sec"] * 10**9 - emitted["time"]["nsec"]
    assert event["clock"] == "gnss"
    assert abs((known - utc(event["time"])).total_seconds() - before * 1e-9) < 0.01


# Security

def test_over_tls_broker_and_wearer_know_each_other_by_certificates(tmp_path, script, wearer):
    fleet = shared_fleet()
    broker = Mosquitto(tmp_path / "secure", fleet)
    ada = fleet.identity("ada")
    try:
        broker.start()
        settings = {"authority_file": str(ada.authority), "certificate_file": str(ada.certificate), "key_file": str(ada.key)}
        own = wearer(script.socket, address(broker.endpoint, "mqtts"), **settings).start()
        with Reader(broker.endpoint, fleet.identity("dispatch")) as reader:
            reader.wait_for(lambda _: decoded(reader, own.topic("pose")))
        own.program.end()
        foreign = foreign_fleet().identity("ada")
        own.configure(**{**settings, "authority_file": str(foreign.authority)})
        own.start()
        own.wait_for_log("certificate verify failed")
    finally:
        broker.remove()


def test_user_name_and_password_come_from_the_service_managers_credentials(tmp_path, script, wearer):
    fleet = shared_fleet()
    broker = Mosquitto(tmp_path / "secure", fleet, {"ada": "open sesame", "dispatch": "x"})
    secrets = tmp_path / "credentials"
    secrets.mkdir()
    (secrets / "waymark-mqtt.username").write_text("ada\n")
    (secrets / "waymark-mqtt.password").write_text("open sesame\n")
    (secrets / "waymark-mqtt.authority").write_bytes(fleet.broker_authority.read_bytes())
    try:
        broker.start()
        own = wearer(script.socket, address(broker.password_endpoint, "mqtts"))
        environment = {**os.environ, "CREDENTIALS_DIRECTORY": str(secrets)}
        own.start(env=environment)
        with Reader(broker.endpoint, fleet.identity("dispatch")) as reader:
            reader.wait_for(lambda _: decoded(reader, own.topic("pose")))
        own.program.end()
        (secrets / "waymark-mqtt.password").write_text("wrong")
        own.start(env=environment)
        own.wait_for_log("the broker does not permit this client")
        assert "open sesame" not in own.log and "wrong" not in own.log.replace("wrong version", "")
    finally:
        broker.remove()


# Brokers that lie

class LyingBroker(Server):
    """Accepts a client, and then sends what a test wants."""

    def __init__(self, greeting=b"\x20\x02\x00\x00", then=b"", drains=True):
        self.greeting, self.then, self.drains = greeting, then, drains
        self.clients = 0
        super().__init__(local_listener())

    def serve(self, connection):
        with connection:
            if not connection.recv(65536):
                return
            self.clients += 1
            connection.sendall(self.greeting)
            connection.sendall(self.then)
            while self.drains and connection.recv(65536):
                pass
            if not self.drains:
                time.sleep(60)


def publication(topic, payload, qos=0):
    body = struct.pack("!H", len(topic)) + topic + (b"\x00\x01" if qos else b"") + payload
    return bytes([0x30 | qos << 1]) + length(len(body)) + body


def length(number):
    """The variable length of MQTT 3.1.1, section 2.2.3."""
    encoded = b""
    while True:
        number, digit = divmod(number, 128)
        encoded += bytes([digit | (0x80 if number else 0)])
        if not number:
            return encoded


class FloodingBroker(LyingBroker):
    """Accepts a client, and then sends the same without end."""

    def __init__(self, packet):
        self.packets = packet * 4096
        super().__init__()

    def serve(self, connection):
        with connection, contextlib.suppress(OSError):
            if not connection.recv(65536):
                return
            self.clients += 1
            connection.sendall(self.greeting)
            while True:
                connection.sendall(self.packets)


def test_a_broker_that_answers_without_end_is_left_and_tried_again(script, wearer):
    signs_of_life = b"\xd0\x00"
    with FloodingBroker(signs_of_life) as flood:
        ada = wearer(script.socket, f"mqtt://127.0.0.1:{flood.port}").start()
        ada.wait_for_log("the broker sends answers that nothing asked for; trying again")
        wait_until(lambda: flood.clients >= 2, what=lambda: ada.log)
        # What comes meanwhile costs nothing: it is read no more.
        assert ada.program.runs, ada.log


# FleetTests has what else a broker may not say.
@pytest.mark.parametrize("lie", [
    {"then": publication(b"a", b"x" * 100_000, qos=2) * 50},
    {"then": b"\x30" + length(268_435_455) + b"\x00\x01a" + b"x" * 1_000_000},
    {"then": b"\x20\x02\x00\x00" * 10_000}, {"drains": False},
], ids=["flood", "giant", "acceptances", "deaf"])
def test_a_broker_that_lies_harms_nothing(script, wearer, tmp_path, lie):
    with LyingBroker(**lie) as liar:
        ada = wearer(script.socket, f"mqtt://127.0.0.1:{liar.port}").start()
        wait_until(lambda: liar.clients, what=lambda: ada.log)
        time.sleep(2)
        assert ada.program.runs, ada.log
        assert ada.program.resident_kib() < 100_000
        # What waited is there for a sound one.
        ada.program.end()
    sound = Mosquitto(tmp_path / "sound")
    sound.start()
    try:
        ada.brokers = address(sound.endpoint)
        ada.configure()
        script.emit()
        # It listens before the first of what waited comes.
        with Reader(sound.endpoint) as reader:
            ada.start()
            reader.wait_for(lambda _: min((m["sequence"] for m in decoded(reader, ada.topic("pose"))), default=0) == 1)
    finally:
        sound.remove()
