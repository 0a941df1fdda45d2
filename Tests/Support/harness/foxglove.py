"""Foxglove's published schemas, and a client of its WebSocket protocol."""
import base64
import collections
import datetime
import functools
import importlib
import json
import struct
import typing

import numpy
from foxglove_websocket import types
from google.protobuf import descriptor_pb2, descriptor_pool, message_factory
from websockets.sync.client import connect

from .waiting import PATIENCE, wait_until

# Types of fields by the numbers of protobuf's descriptors.
FLAG, TEXT, MESSAGE, ENUM = 8, 9, 11, 14


def published(name):
    """The message type that a schema's name stands for."""
    package, kind = name.split(".")
    assert package == "foxglove"
    return getattr(importlib.import_module(f"foxglove_schemas_protobuf.{kind}_pb2"), kind)


def differences(schema, descriptor, path=""):
    """What a JSON schema has that the published message has not, or has as something else."""
    found = []
    fields = {field.name: field for field in descriptor.fields}
    for name, part in schema["properties"].items():
        where = f"{path}.{name}"
        if name not in fields:
            found.append(f"{where} is not published")
            continue
        field = fields[name]
        if field.is_repeated:
            if part["type"] != "array":
                found.append(f"{where} is an array")
                continue
            part = part["items"]
        if field.type == MESSAGE and field.message_type.full_name == "google.protobuf.Timestamp":
            if set(part["properties"]) != {"sec", "nsec"}:
                found.append(f"{where} is a time")
        elif field.type == MESSAGE and field.message_type.full_name == "google.protobuf.Duration":
            if set(part["properties"]) != {"sec", "nsec"}:
                found.append(f"{where} is a duration")
        elif field.type == MESSAGE:
            found += differences(part, field.message_type, where)
        else:
            expected = {TEXT: {"string"}, ENUM: {"integer"}, FLAG: {"boolean"}}.get(field.type, {"number", "integer"})
            if part["type"] not in expected:
                found.append(f"{where} is {expected}")
    return found


@functools.lru_cache(maxsize=None)
def described(name, descriptors):
    """The message type of a schema, by nothing but the descriptors that come with it."""
    pool = descriptor_pool.DescriptorPool()
    for file in descriptor_pb2.FileDescriptorSet.FromString(descriptors).file:
        pool.Add(file)
    return message_factory.GetMessageClass(pool.FindMessageTypeByName(name))


def decoded(data, encoding, name, schema):
    """Content of a message, JSON or protobuf, with members as JSON has them."""
    return plain(described(name, schema).FromString(data)) if encoding == "protobuf" else json.loads(data)


def plain(message):
    if message.DESCRIPTOR.full_name in ("google.protobuf.Timestamp", "google.protobuf.Duration"):
        return {"sec": message.seconds, "nsec": message.nanos}

    def value(field, part):
        return plain(part) if field.type == MESSAGE else part

    content = {}
    for field in message.DESCRIPTOR.fields:
        part = getattr(message, field.name)
        if field.is_repeated:
            content[field.name] = [value(field, each) for each in part]
        elif not field.has_presence or message.HasField(field.name):
            content[field.name] = value(field, part)
    return content


def descriptor_differences(own, other):
    """What the descriptor of a message has that the published one has not, or has as something else."""
    found = [] if own.full_name == other.full_name else [f"{own.full_name} is not {other.full_name}"]
    for field in own.fields:
        match = other.fields_by_number.get(field.number)
        forms = [
            each and (each.name, each.type, each.is_repeated, each.has_presence, each.message_type and each.message_type.full_name,
                      each.enum_type and each.enum_type.full_name,
                      each.enum_type and {value.name: value.number for value in each.enum_type.values})
            for each in (field, match)]
        if forms[0] != forms[1]:
            found.append(f"{own.full_name}: {forms[0]} is {forms[1]}")
        elif field.message_type:
            found += descriptor_differences(field.message_type, match.message_type)
    return found


def as_protobuf(content, name=None):
    """The content with its times and durations as protobuf's JSON has them."""
    if isinstance(content, dict) and set(content) == {"sec", "nsec"}:
        if name == "lifetime":
            return f"{content['sec']}.{content['nsec']:09d}s"
        time = datetime.datetime.fromtimestamp(content["sec"], datetime.timezone.utc)
        return time.strftime("%Y-%m-%dT%H:%M:%S") + f".{content['nsec']:09d}Z"
    if isinstance(content, dict):
        return {name: as_protobuf(part, name) for name, part in content.items()}
    return [as_protobuf(part) for part in content] if isinstance(content, list) else content


def matrix(rotation):
    x, y, z, w = (rotation[axis] for axis in "xyzw")
    return numpy.array([
        [1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)],
        [2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)],
        [2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)]])


def vector(content):
    return numpy.array([content[axis] for axis in "xyz"])


SUBPROTOCOL = "foxglove.websocket.v1"
# Operation code, subscription and time of a message.
HEADER = struct.Struct("<BIQ")
CLOCK = struct.Struct("<BQ")

Message = collections.namedtuple("Message", "time content")


def check_members(message, kind):
    """That a message in JSON has the members of its published type and no others."""
    members = typing.get_type_hints(kind)
    optional = {name for name, part in members.items() if type(None) in typing.get_args(part)}
    assert set(members) - optional <= set(message) <= set(members), message


class FoxgloveClient:
    """Subscribes to channels by their topics and keeps what comes, checked against the protocol."""

    def __init__(self, server, subprotocol=SUBPROTOCOL, **options):
        self.connection = connect(
            server.url.replace("http:", "ws:"), subprotocols=[subprotocol], proxy=None, max_size=None, **options)
        self.socket = self.connection.__enter__()
        self.messages = collections.defaultdict(list)
        self.clock, self.statuses, self.topics = [], [], {}
        self.info = self.read_json(types.ServerInfo)
        self.channels = {each["topic"]: each for each in self.read_json(types.Advertise)["channels"]}
        for channel in self.channels.values():
            check_members(channel, types.Channel)
            if channel["schemaEncoding"] == "protobuf":
                channel["schema"] = base64.b64decode(channel["schema"], validate=True)

    def __enter__(self):
        return self

    def __exit__(self, *failure):
        self.connection.__exit__(*failure)

    def read_json(self, kind):
        message = json.loads(self.socket.recv(PATIENCE))
        check_members(message, kind)
        return message

    def send(self, **message):
        self.socket.send(json.dumps(message))

    def subscribe(self, *topics, first=100):
        """Subscriptions count from `first`, so that they are not the channels' own numbers."""
        wanted = dict(enumerate(topics, first))
        self.topics.update(wanted)
        self.send(op="subscribe", subscriptions=[
            {"id": number, "channelId": self.channels[topic]["id"]} for number, topic in wanted.items()])

    def unsubscribe(self, *numbers):
        self.send(op="unsubscribe", subscriptionIds=list(numbers))

    def receive(self):
        """Takes one message."""
        message = self.socket.recv(PATIENCE)
        if isinstance(message, str):
            content = json.loads(message)
            assert content["op"] == "status", content
            check_members(content, types.StatusMessage)
            self.statuses.append(content)
        elif message[0] == types.BinaryOpcode.TIME:
            self.clock.append(CLOCK.unpack(message)[1])
        else:
            code, number, stamp = HEADER.unpack_from(message)
            assert code == types.BinaryOpcode.MESSAGE_DATA and self.clock and self.clock[-1] >= stamp
            channel = self.channels[self.topics[number]]
            self.messages[self.topics[number]].append(Message(stamp, decoded(
                message[HEADER.size:], channel["encoding"], channel["schemaName"], channel["schema"])))

    def wait_until(self, condition, what=None):
        """Takes messages until `condition()` holds; returns its value."""
        return wait_until(
            lambda: condition() or self.receive(), interval=0,
            what=what or (lambda: f"messages, not {self.counts()}, {self.statuses}"))

    def wait_for(self, topic, count=1):
        """The contents of a channel's messages, once there are `count` of them."""
        self.wait_until(lambda: len(self.messages[topic]) >= count)
        return [message.content for message in self.messages[topic]]

    def wait_for_status(self, *words):
        """The next status message with all the words."""
        return self.wait_until(lambda: next(
            (each for each in self.statuses if all(word in each["message"] for word in words)), None), what=words)

    def counts(self):
        return {topic: len(messages) for topic, messages in self.messages.items()}

    def entities(self):
        """What a 3D view shows after all updates, by ids."""
        shown = {}
        for update in (message.content for message in self.messages["/scene/placements"]):
            for deletion in update["deletions"]:
                shown = {
                    name: entity for name, entity in shown.items()
                    if not (deletion["type"] == 1 or deletion["id"] == name)
                    or instant(entity["timestamp"]) >= instant(deletion["timestamp"])}
            shown.update({entity["id"]: entity for entity in update["entities"]})
        return shown


def instant(stamp):
    """A time in nanoseconds."""
    return stamp["sec"] * 1_000_000_000 + stamp["nsec"]
