"""Whether calls, replies and errors are as the interface files say: which members there are, and of which types."""

import pathlib

import varlink.scanner as scanner

FOLDER = pathlib.Path(__file__).resolve().parents[2] / "Sources/WaymarkInterface"

TEXTS = [file.read_text() for file in FOLDER.glob("*.varlink")]
INTERFACES = {found.name: found.members for found in map(scanner.Interface, TEXTS)}
assert len(INTERFACES) > 1, f"no interface files in {FOLDER}"

PLAIN = {bool: "a bool", int: "an int", float: "a float", str: "a string"}


def flaws(kind, members, value, place):
    """What is wrong with a value of a type, each with its place."""
    if isinstance(kind, scanner._Maybe):
        kind = kind.element_type
    while isinstance(kind, (scanner._CustomType, scanner._Alias)):
        kind = members[kind.name] if isinstance(kind, scanner._CustomType) else kind.type
    if value is None:
        return [f"{place} is null, where what is not known is absent"]
    if isinstance(kind, scanner._Object):
        return []
    if isinstance(kind, scanner._Struct):
        return flaws_of_members(kind, members, value, place)
    if isinstance(kind, scanner._Enum):
        fits = isinstance(value, str) and value in kind.fields
        return [] if fits else [f"{place} is {value!r}, not one of {list(kind.fields)}"]
    if isinstance(kind, scanner._Array):
        if not isinstance(value, (list, tuple)):
            return [f"{place} is {value!r}, not a list"]
        return [flaw for number, part in enumerate(value)
                for flaw in flaws(kind.element_type, members, part, f"{place}[{number}]")]
    if isinstance(kind, scanner._Dict):
        if not isinstance(value, dict):
            return [f"{place} is {value!r}, not an object"]
        return [flaw for name, part in value.items()
                for flaw in flaws(kind.element_type, members, part, f"{place}.{name}")]
    # A number without a fraction may stand for a float; a bool, which Python counts among the numbers, for none.
    fits = type(value) is type(kind) or (type(kind) is float and type(value) is int)
    return [] if fits else [f"{place} is {value!r}, not {PLAIN[type(kind)]}"]


def flaws_of_members(kind, members, value, place):
    if not isinstance(value, dict):
        return [f"{place} is {value!r}, not an object"]
    found = [f"{place}.{name} is unknown" for name in value if name not in kind.fields]
    for name, part in kind.fields.items():
        if name in value:
            found += flaws(part, members, value[name], f"{place}.{name}")
        elif not isinstance(part, scanner._Maybe):
            found.append(f"{place}.{name} is missing")
    return found


def member(name, kind):
    """The members of the interface, and the one with this full name; None where there is none of this kind."""
    interface, _, short = name.rpartition(".")
    members = INTERFACES.get(interface, {})
    found = members.get(short)
    return members, found if isinstance(found, kind) else None


def flaws_of_call(method, parameters):
    members, found = member(method, scanner._Method)
    return flaws(found.in_type, members, parameters, method) if found else [f"there is no method {method}"]


def flaws_of_reply(method, parameters):
    members, found = member(method, scanner._Method)
    return flaws(found.out_type, members, parameters, f"the reply to {method}") if found else [f"no method {method}"]


def flaws_of_error(name, parameters):
    members, found = member(name, scanner._Error)
    return flaws(found.type, members, parameters, name) if found else [f"there is no error {name}"]
