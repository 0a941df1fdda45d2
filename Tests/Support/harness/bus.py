"""A bus of D-Bus in a folder of its own, and clients of it."""
import collections
import contextlib
import os
import pathlib

from jeepney import DBusAddress, HeaderFields, MessageType, Properties, new_method_call
from jeepney.io.blocking import open_dbus_connection

from .process import Program
from .waiting import PATIENCE, wait_until

SENSOR_NAME = "net.hadess.SensorProxy"
SENSOR = DBusAddress("/net/hadess/SensorProxy", bus_name=SENSOR_NAME, interface=SENSOR_NAME)
COMPASS = DBusAddress("/net/hadess/SensorProxy/Compass", bus_name=SENSOR_NAME, interface=f"{SENSOR_NAME}.Compass")
BUS = DBusAddress("/org/freedesktop/DBus", bus_name="org.freedesktop.DBus", interface="org.freedesktop.DBus")

OPEN = """
  <policy context="default">
    <allow send_destination="*"/>
    <allow receive_sender="*"/>
    <allow own="*"/>
  </policy>"""

# As Debian's system bus: method calls and names only by the policies of services.
CLOSED = """
  <policy context="default">
    <allow user="*"/>
    <deny own="*"/>
    <deny send_type="method_call"/>
    <allow send_type="signal"/>
    <allow send_requested_reply="true" send_type="method_return"/>
    <allow send_requested_reply="true" send_type="error"/>
    <allow receive_type="method_call"/>
    <allow receive_type="method_return"/>
    <allow receive_type="error"/>
    <allow receive_type="signal"/>
    <allow send_destination="org.freedesktop.DBus"/>
  </policy>
  <include>{policy}</include>"""


class Bus:
    """dbus-daemon with a configuration of its own; nothing of the system's is read."""

    def __init__(self, folder, policies=OPEN):
        self.folder = pathlib.Path(folder)
        self.socket = self.folder / "bus"
        self.address = f"unix:path={self.socket}"
        self.config = self.folder / "bus.conf"
        self.config.write_text(f"""<busconfig>
  <type>system</type>
  <listen>{self.address}</listen>
  <auth>EXTERNAL</auth>
  <limit name="max_connections_per_user">1000</limit>
  <limit name="max_completed_connections">1000</limit>
{policies}
</busconfig>
""")
        self.clients = contextlib.ExitStack()
        self.start()

    @property
    def environment(self):
        """For programs that are to use it as the system's."""
        return {**os.environ, "DBUS_SYSTEM_BUS_ADDRESS": self.address}

    def start(self):
        self.program = Program(
            ["dbus-daemon", f"--config-file={self.config}", "--nofork", "--nopidfile"], self.folder / "bus.log")
        wait_until(self.answers, what=lambda: f"a bus; its log is:\n{self.program.log}")
        self.socket.chmod(0o666)

    def answers(self):
        try:
            self.client(closes=False).close()
            return True
        except (FileNotFoundError, ConnectionRefusedError):
            return False

    def client(self, closes=True, **options):
        client = Client(self.address, **options)
        if closes:
            self.clients.callback(client.close)
        return client

    def remove(self):
        self.clients.close()
        self.program.end()


class Client:
    """One connection."""

    def __init__(self, address, **options):
        self.connection = open_dbus_connection(bus=address, **options)
        # Signals that came before a reply.
        self.signals = collections.deque()

    def ask(self, message):
        """The reply to a message."""
        serial = next(self.connection.outgoing_serial)
        self.connection.send(message, serial=serial)
        while True:
            answer = self.connection.receive(timeout=PATIENCE)
            if answer.header.fields.get(HeaderFields.reply_serial) == serial:
                return answer
            self.signals.append(answer)

    def call(self, object, method, signature=None, body=()):
        """The reply's body, or the name of the error."""
        return content(self.ask(new_method_call(object, method, signature, body)))

    def send(self, object, method):
        """Calls without waiting for the reply, or reading anything."""
        self.connection.send(new_method_call(object, method))

    def get(self, object, name):
        """The value of a property, or the name of the error."""
        found = content(self.ask(Properties(object).get(name)))
        return found if isinstance(found, str) else found[0][1]

    def changes(self, object, timeout=PATIENCE):
        """The next changed properties of an object that the service sends."""
        while True:
            message = self.signals.popleft() if self.signals else self.connection.receive(timeout=timeout)
            fields = message.header.fields
            if fields.get(HeaderFields.member) == "PropertiesChanged" and message.body[0] == object.interface:
                assert fields[HeaderFields.path] == object.object_path and message.body[2] == []
                return {name: value for name, (_, value) in message.body[1].items()}

    def close(self):
        self.connection.close()


def content(reply):
    """The body of a reply, or the name of the error that it is."""
    if reply.header.message_type == MessageType.error:
        return reply.header.fields[HeaderFields.error_name]
    return reply.body
