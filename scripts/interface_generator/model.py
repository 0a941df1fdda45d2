"""What the interfaces declare together: checks them, and finds which types of several interfaces are one."""

import re

from .syntax import PLAIN, InterfaceError

# A type that several interfaces declare alike belongs to the first of these.
ORDER = ("org.varlink.service", "org.waymark.Pose", "org.waymark.Status", "org.waymark.Scene",
         "org.waymark.Recording", "org.waymark.Calibration", "org.waymark.Aid", "org.waymark.Plan", "org.waymark.Terrain")

# Names that the generated Swift has for something else.
RESERVED = {"Call", "Failure", "Reply", "String", "Int", "Double", "Bool", "UInt8", "Hashable", "Sendable", "JSONNode",
            "JSONWriter", "NumberForm", "DocumentProblem", "WordSet", "OpenWord", "UTCTime", "MethodTraits"}

NOTES = {"struct": {"decimals"}, "enum": {"open"}, "method": {"more", "optional more", "changes", "aids", "descriptor"},
         "field": {"decimals", "exact", "rfc3339", "mark", "numbers"}, "error": set()}

MOST_WORDS = 64


class Model:
    """All interfaces, checked, in the order of `ORDER`."""

    def __init__(self, interfaces):
        known = {name: number for number, name in enumerate(ORDER)}
        self.interfaces = sorted(interfaces, key=lambda found: (known.get(found.name, len(ORDER)), found.name))
        self.scopes = {found.name: {type.name: type for type in found.types} for found in self.interfaces}
        for interface in self.interfaces:
            Check(self, interface).run()
        self.owners = {}
        for interface in self.interfaces:
            for type in interface.types:
                self.owners[interface.name, type.name] = self.find_owner(interface, type)

    def find_owner(self, interface, type):
        """The first interface with the same type."""
        signature = self.signature(interface, type)
        for earlier in self.interfaces:
            same = self.scopes[earlier.name].get(type.name)
            if same and self.signature(earlier, same) == signature:
                return earlier
        raise AssertionError("a type is at least its own")

    def signature(self, interface, type):
        if type.words is not None:
            return type.name, tuple(type.words), "open" in type.notes
        return type.name, type.notes.get("decimals"), tuple(
            (field.name, str(field.kind), tuple(sorted(field.notes.items())),
             self.signature(interface, self.scopes[interface.name][field.kind.name])
             if field.kind.name in self.scopes[interface.name] else None)
            for field in type.fields)

    def owner(self, interface, name):
        return self.owners[interface.name, name]

    def named(self, interface, kind):
        """The type that a field has; nothing for a plain one."""
        return self.scopes[interface.name].get(kind.name)

    def own_types(self, interface):
        return [type for type in interface.types if self.owner(interface, type.name) is interface]

    def decimals(self, interface, owner_notes, field):
        """How many decimals the numbers of a field have; nothing where they are exact."""
        value = field.notes.get("decimals", owner_notes.get("decimals"))
        return None if value is None or "exact" in field.notes else int(value)

    def is_overridden(self, interface, type):
        """Whether some field writes the numbers of this type in a form of its own."""
        for other in self.interfaces:
            groups = [found.fields or [] for found in other.types]
            groups += [group for method in other.methods for group in (method.parameters, method.reply)]
            for field in (field for group in groups for field in group):
                has_own = field.kind.name == type.name and {"decimals", "exact"} & field.notes.keys()
                if has_own and self.owners.get((other.name, type.name)) is interface:
                    return True
        return False

    def distinct_types(self):
        """Pairs of interface and type, each of which once, such that none comes before one that it contains."""
        done, out = set(), []

        def visit(interface, type):
            owner = self.owner(interface, type.name)
            if (owner.name, type.name) in done:
                return
            done.add((owner.name, type.name))
            for field in type.fields or []:
                inner = self.named(owner, field.kind)
                if inner:
                    visit(owner, inner)
            out.append((owner, self.scopes[owner.name][type.name]))

        for interface in self.interfaces:
            for type in interface.types:
                visit(interface, type)
        return out

    def flat_name(self, interface, name):
        """A name that is the only one of all interfaces: with the interface's in front where it has to be."""
        owner = self.owner(interface, name)
        owners = [self.owner(other, name) for other in self.interfaces if name in self.scopes[other.name]]
        return name if owners[0] is owner else owner.short + name


def type_doc(type):
    return paragraphs(type.doc) + (["Later versions may add words."] if "open" in type.notes else [])


# For whom a method is reserved, by its note.
RESERVED_FOR = {"changes": "the configured user and group", "aids": "the group waymark-aid"}


def method_doc(method):
    return paragraphs(method.doc) + [
        f"Reserved for {who}." for note, who in RESERVED_FOR.items() if note in method.notes]


def paragraphs(doc):
    """Each paragraph as one line."""
    text = "\n".join(doc).strip()
    return [" ".join(part.split()) for part in re.split(r"\n\s*\n", text)] if text else []


class Check:
    def __init__(self, model, interface):
        self.scope, self.interface = model.scopes[interface.name], interface

    def fail(self, line, message):
        raise InterfaceError(self.interface.path, line, message)

    def run(self):
        names = {}
        for found in [*self.interface.types, *self.interface.methods, *self.interface.failures]:
            space = "errors" if found in self.interface.failures else "names"
            if (space, found.name) in names:
                self.fail(found.line, f"{found.name} is declared twice")
            names[space, found.name] = found
            if space == "names" and found.name in RESERVED:
                self.fail(found.line, f"{found.name} is a name that the generated code has for something else")
        for type in self.interface.types:
            self.check_type(type)
        for method in self.interface.methods:
            self.check_notes(method, "method")
            for field in method.parameters + method.reply:
                self.check_field(field)
        for failure in self.interface.failures:
            self.check_notes(failure, "error")
            for field in failure.fields:
                self.check_field(field)

    def check_notes(self, found, what):
        for note in found.notes:
            if note not in NOTES[what]:
                self.fail(found.line, f"`#: {note}` does not go with a {what}")
        if "decimals" in found.notes and not re.fullmatch("[0-9]", str(found.notes["decimals"])):
            self.fail(found.line, "`#: decimals` is followed by a digit")

    def check_type(self, type):
        if type.words is not None:
            self.check_notes(type, "enum")
            if len(type.words) > MOST_WORDS:
                self.fail(type.line, f"{type.name} has more than {MOST_WORDS} words")
            return
        self.check_notes(type, "struct")
        for field in type.fields:
            self.check_field(field)
        self.check_depth(type, (type.name,))

    def check_depth(self, type, path):
        for field in type.fields or []:
            inner = self.scope.get(field.kind.name)
            if inner and inner.name in path:
                self.fail(field.line, f"{type.name} contains itself")
            if inner:
                self.check_depth(inner, (*path, inner.name))

    def check_field(self, field):
        kind = field.kind
        self.check_notes(field, "field")
        if kind.name not in PLAIN and kind.name not in self.scope:
            self.fail(field.line, f"there is no type {kind.name}")
        if kind.name == "object" and not (kind.wrapper == "[]" and "numbers" in field.notes):
            self.fail(field.line, "an object has to be one of []object with `#: numbers`")
        named = self.scope.get(kind.name)
        has_numbers = kind.name in ("float", "object") or (
            named and named.fields and not kind.wrapper and all(str(inner.kind) == "float" for inner in named.fields))
        if {"decimals", "exact"} & field.notes.keys() and not has_numbers:
            self.fail(field.line, "decimals are for numbers, or for a type of nothing but numbers")
        if "rfc3339" in field.notes and (kind.name != "string" or kind.wrapper):
            self.fail(field.line, "`#: rfc3339` is for a string")
        if "mark" in field.notes and (kind.name != "int" or kind.wrapper):
            self.fail(field.line, "`#: mark` is for an int")
        if "numbers" in field.notes and kind.name != "object":
            self.fail(field.line, "`#: numbers` is for []object")
