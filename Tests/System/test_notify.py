"""`waymark notify`: notifications on a real session bus, by a server of the test's own; the daemon is a stand-in."""
import threading

import pytest
from jeepney import DBusAddress, HeaderFields, MessageType, new_error, new_method_call, new_method_return
from jeepney.io.blocking import open_dbus_connection
from waymark_interface import SCENE_GET_PLACE, SCENE_NO_SUCH_PLACE, SCENE_SUBSCRIBE

from harness import sample_messages as sample
from harness.bus import BUS, Bus
from harness.paths import PROGRAMS
from harness.process import Program
from harness.stand_in import CLOSE, Error, StandIn
from harness.waiting import wait_until

pytestmark = pytest.mark.library

NAME = "org.freedesktop.Notifications"
# Before the first event: later than the start of any program. Unit: microseconds since the start of the system.
START = 10**15
DAEMON = DBusAddress("/org/freedesktop/DBus", bus_name="org.freedesktop.DBus", interface=BUS.interface)


class NotificationServer:
    """The server of a desktop: keeps what it is asked to show."""

    def __init__(self, address, capabilities):
        self.capabilities = capabilities
        self.shown = []
        self.connection = open_dbus_connection(bus=address)
        self.connection.send_and_get_reply(new_method_call(DAEMON, "RequestName", "su", (NAME, 4)))
        threading.Thread(target=self.serve, daemon=True).start()

    def serve(self):
        while True:
            try:
                message = self.connection.receive()
            except (OSError, EOFError):
                return
            if message.header.message_type == MessageType.method_call:
                self.connection.send(self.answer(message, message.header.fields[HeaderFields.member]))

    def answer(self, message, member):
        if member == "GetCapabilities":
            return new_method_return(message, "as", (self.capabilities,))
        if member != "Notify":
            return new_error(message, "org.freedesktop.DBus.Error.UnknownMethod")
        self.shown.append(message.body)
        return new_method_return(message, "u", (message.body[1] or len(self.shown),))

    def release(self):
        self.connection.send(new_method_call(DAEMON, "ReleaseName", "s", (NAME,)))

    def close(self):
        self.connection.close()


@pytest.fixture
def bus(tmp_path):
    made = Bus(tmp_path)
    yield made
    made.remove()


def event(sequence, kind="proximityEntered", **more):
    return {"sequence": START + sequence, "time": {"sec": 90, "nsec": 0}, "kind": kind, **more}


def scene(*events):
    return {"scene": {**sample.SCENE, "changed": [], "events": list(events)}}


def place(kind):
    return {"place": {
        "id": "cafe", "name": "Café", "kind": kind, "geo": {"latitude": 47.0, "longitude": 8.0}, "heightKind": "eye",
        "favorite": False}}


class Notify:
    """A run of the program on a bus and with the replies of a daemon."""

    def __init__(self, bus, folder, *arguments):
        self.program = Program(
            [PROGRAMS / "waymark", "notify", *arguments], folder / "notify.log",
            env={
                **bus.environment, "DBUS_SESSION_BUS_ADDRESS": bus.address, "LC_ALL": "de_AT.UTF-8",
                "WAYMARK_SOCKET": str(folder / "daemon.sock")})

    def __enter__(self):
        return self.program

    def __exit__(self, *_):
        assert self.program.end() == 0


def held(*replies):
    """These replies, and then silence until the client goes."""
    def stream(_parameters, _file):
        yield from replies
        threading.Event().wait(30)
    return stream


@pytest.mark.parametrize("markup", [True, False])
def test_a_place_is_notified_once_with_distance_and_kind_and_its_name_is_no_markup(bus, tmp_path, markup):
    server = NotificationServer(bus.address, ["body", "body-markup"] if markup else ["body"])
    reached = event(1, id="place/cafe", text="<b>Café\n& Bar</b>", distance=11.6)
    again = event(3, id="place/cafe", text="Café", distance=3.0)
    replies = {
        SCENE_SUBSCRIBE: held(scene(reached), scene(reached, event(2, "turnAhead")), scene(again)),
        SCENE_GET_PLACE: place("drinking_water<i>")}
    with StandIn(tmp_path / "daemon.sock", replies) as daemon, Notify(bus, tmp_path):
        wait_until(lambda: len(server.shown) == 2)
        assert 0 < daemon.calls[0]["parameters"]["eventsAfter"] < START, "events count from the start of the program"
    (name, replaced, _, summary, body, actions, hints, timeout), second = server.shown
    assert (name, replaced, summary, actions, timeout) == ("Waymark", 0, "<b>Café & Bar</b>", [], -1)
    assert body == ("drinking water&lt;i&gt;, 12 m" if markup else "drinking water<i>, 12 m")
    assert hints == {"urgency": ("y", 1)}
    assert second[1] == 1 and second[3] == "Café", "the notification of the same place is replaced"
    server.close()


def test_the_daemon_is_waited_for_and_events_go_on_after_the_last_one(bus, tmp_path):
    server = NotificationServer(bus.address, [])
    calls = []

    def subscribe(parameters, _file):
        calls.append(parameters.get("eventsAfter"))
        number = 5 if len(calls) == 1 else 6
        yield scene(event(5, id="place/gone", text="Five"), *([event(6, id="place/six", text="Six")] if number == 6 else []))
        if number == 5:
            yield CLOSE
        threading.Event().wait(30)

    with Notify(bus, tmp_path) as program:
        wait_until(lambda: "waiting for the daemon" in program.log)
        replies = {SCENE_SUBSCRIBE: subscribe, SCENE_GET_PLACE: Error(SCENE_NO_SUCH_PLACE, id="gone")}
        with StandIn(tmp_path / "daemon.sock", replies):
            wait_until(lambda: len(server.shown) == 2)
    assert calls[0] < START and calls[1] == START + 5
    assert [each[3] for each in server.shown] == ["Five", "Six"]
    server.close()


def test_a_server_that_takes_the_place_of_another_is_given_no_id_of_that(bus, tmp_path):
    first, second = NotificationServer(bus.address, []), None
    goes_on = threading.Event()

    def subscribe(_parameters, _file):
        yield scene(event(1, id="place/cafe", text="One"))
        goes_on.wait(30)
        yield scene(event(2, id="place/cafe", text="Two"))
        threading.Event().wait(30)

    replies = {SCENE_SUBSCRIBE: subscribe, SCENE_GET_PLACE: place("cafe")}
    with StandIn(tmp_path / "daemon.sock", replies), Notify(bus, tmp_path):
        wait_until(lambda: first.shown)
        first.release()
        second = NotificationServer(bus.address, [])
        goes_on.set()
        wait_until(lambda: second.shown)
    assert second.shown[0][1] == 0
    first.close()
    second.close()


@pytest.mark.parametrize("arguments, expected", [([], ["Café"]), (["--announcements"], ["Turn left", "Café"])])
def test_announcements_are_shown_where_they_are_asked_for(bus, tmp_path, arguments, expected):
    server = NotificationServer(bus.address, [])
    said = event(1, "announcement", about="turn", route="r", text="Turn left")
    replies = {
        SCENE_SUBSCRIBE: held(scene(said, event(2, "proximityLeft", id="place/a", text="A"), event(3, id="place/cafe", text="Café"))),
        SCENE_GET_PLACE: place("cafe")}
    with StandIn(tmp_path / "daemon.sock", replies) as daemon, Notify(bus, tmp_path, *arguments):
        wait_until(lambda: len(server.shown) == len(expected))
        assert daemon.calls[0]["parameters"]["acceptLanguage"] == "de", "the language of the locale"
    assert [each[3] for each in server.shown] == expected
    server.close()


def test_a_missing_bus_and_a_missing_server_are_named_with_what_to_do(bus, tmp_path):
    missing = Program(
        [PROGRAMS / "waymark", "notify"], tmp_path / "missing.log",
        env={"DBUS_SESSION_BUS_ADDRESS": f"unix:path={tmp_path}/nowhere", "PATH": "/usr/bin"})
    assert missing.wait() == 1
    missing.end()
    assert "no session bus" in missing.log and "DBUS_SESSION_BUS_ADDRESS" in missing.log
    replies = {SCENE_SUBSCRIBE: held(scene(event(1, id="place/cafe", text="Café"))), SCENE_GET_PLACE: place("cafe")}
    with StandIn(tmp_path / "daemon.sock", replies), Notify(bus, tmp_path) as program:
        wait_until(lambda: "no program shows notifications on the session bus" in program.log)
