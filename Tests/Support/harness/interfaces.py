"""Whether calls, replies and errors are as the interface files declare them: which fields there are, of which types.

The declarations are read by the generator of the clients' types (scripts/interface_generator). What is wrong is named
by its place in the message, and by the interface, the type and the field that say otherwise.
"""
import dataclasses

from interface_generator.model import Model
from interface_generator.syntax import parse

from .paths import INTERFACES

MODEL = Model([parse(str(file), file.read_text()) for file in sorted(INTERFACES.glob("*.varlink"))])
BY_NAME = {interface.name: interface for interface in MODEL.interfaces}
assert len(BY_NAME) > 1, f"no interface files in {INTERFACES}"

PLAIN = {"bool": (bool, "a bool"), "int": (int, "an int"), "float": (float, "a float"), "string": (str, "a string")}


@dataclasses.dataclass(frozen=True)
class Place:
    """Where a value is in a message, and which field of which type declares it."""
    path: str
    interface: object
    type: str = ""
    field: str = ""

    def inside(self, part):
        """An element of a list or of a dictionary, of the same field."""
        return dataclasses.replace(self, path=self.path + part)

    def member(self, type, field):
        return Place(f"{self.path}.{field}", self.interface, type, field)

    def flaw(self, what):
        declared = f" ({self.interface.name}: {self.type}.{self.field})" if self.field else ""
        return f"{self.path} {what}{declared}"


def flaws_of_value(kind, value, place):
    """What is wrong with the value of a field."""
    if value is None:
        return [place.flaw("is null, where an unknown value is absent")]
    if kind.wrapper:
        wanted, name = (dict, "an object") if kind.wrapper == "[string]" else ((list, tuple), "a list")
        if not isinstance(value, wanted):
            return [place.flaw(f"is {value!r}, not {name}")]
        parts = [(f".{key}", part) for key, part in value.items()] if wanted is dict else [
            (f"[{index}]", part) for index, part in enumerate(value)]
        element = dataclasses.replace(kind, wrapper="")
        return [flaw for part, inner in parts for flaw in flaws_of_value(element, inner, place.inside(part))]
    named = MODEL.named(place.interface, kind)
    if named is not None:
        return flaws_of_named(named, value, place)
    if kind.name == "object":
        return []
    wanted, name = PLAIN[kind.name]
    # A number without a fraction may stand for a float; a bool, which Python counts among the numbers, for none.
    fits = type(value) is wanted or (wanted is float and type(value) is int)
    return [] if fits else [place.flaw(f"is {value!r}, not {name}")]


def flaws_of_named(type, value, place):
    if type.words is None:
        return flaws_of_fields(type.name, type.fields, value, place)
    fits = isinstance(value, str) and value in type.words
    return [] if fits else [place.flaw(f"is {value!r}, not one of {type.words}")]


def flaws_of_fields(type, fields, value, place):
    """What is wrong with a structure: fields that there are not, that are missing, or that do not fit."""
    if not isinstance(value, dict):
        return [place.flaw(f"is {value!r}, not an object")]
    names = {field.name for field in fields}
    found = [place.member(type, name).flaw("is unknown") for name in value if name not in names]
    for field in fields:
        inner = place.member(type, field.name)
        if field.name in value:
            found += flaws_of_value(field.kind, value[field.name], inner)
        elif not field.kind.optional:
            found.append(inner.flaw("is missing"))
    return found


def declared(name, group):
    """The interface of a full name, and its method, error or type of this name; None where there is none."""
    interface_name, _, short = name.rpartition(".")
    interface = BY_NAME.get(interface_name)
    members = getattr(interface, group) if interface else []
    return interface, next((member for member in members if member.name == short), None)


def flaws_of_method(name):
    _, method = declared(name, "methods")
    return [] if method else [f"there is no method {name}"]


def flaws_of_call(name, parameters):
    interface, method = declared(name, "methods")
    if method is None:
        return flaws_of_method(name)
    return flaws_of_fields(f"{method.name} parameters", method.parameters, parameters, Place(name, interface))


def flaws_of_reply(name, parameters):
    interface, method = declared(name, "methods")
    if method is None:
        return flaws_of_method(name)
    place = Place(f"the reply to {name}", interface)
    return flaws_of_fields(f"{method.name} reply", method.reply, parameters, place)


def flaws_of_error(name, parameters):
    interface, failure = declared(name, "failures")
    if failure is None:
        return [f"there is no error {name}"]
    return flaws_of_fields(f"{failure.name} error", failure.fields, parameters, Place(name, interface))


def flaws_of_type(name, value):
    """What is wrong with a value of a type such as org.waymark.Pose.Pose."""
    interface, type = declared(name, "types")
    return flaws_of_named(type, value, Place(name, interface)) if type else [f"there is no type {name}"]


def check(flaws):
    """Fails where something is wrong."""
    assert not flaws, "\n".join(flaws)


def check_call(method, parameters):
    check(flaws_of_call(method, parameters))


def check_reply(method, parameters):
    check(flaws_of_reply(method, parameters))
