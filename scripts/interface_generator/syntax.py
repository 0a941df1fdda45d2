"""Reads an interface file (https://varlink.org/Interface-Definition) with its comments and its lines for generators."""

import dataclasses
import re

PLAIN = ("bool", "int", "float", "string", "object")
TOKEN = re.compile(r"(?P<space>[ \t\r]+)|(?P<line>\n)|(?P<comment>#[^\n]*)|(?P<sign>->|\[\]|\[string\]|[?():,])"
                   r"|(?P<word>[A-Za-z][A-Za-z0-9_.]*)")


class InterfaceError(Exception):
    """A mistake in an interface file, with its place."""

    def __init__(self, path, line, message):
        super().__init__(f"{path}:{line}: {message}")


@dataclasses.dataclass
class Kind:
    """A type: plain or named, maybe of an array or of a dictionary by strings, maybe optional."""
    name: str
    wrapper: str = ""
    optional: bool = False

    def __str__(self):
        return "?" * self.optional + self.wrapper + self.name


@dataclasses.dataclass
class Field:
    name: str
    kind: Kind
    doc: list
    notes: dict
    line: int


@dataclasses.dataclass
class Type:
    """A structure with fields, or an enumeration with words."""
    name: str
    fields: list | None
    words: list | None
    doc: list
    notes: dict
    line: int


@dataclasses.dataclass
class Method:
    name: str
    parameters: list
    reply: list
    doc: list
    notes: dict
    line: int


@dataclasses.dataclass
class Failure:
    name: str
    fields: list
    doc: list
    notes: dict
    line: int


@dataclasses.dataclass
class Interface:
    path: str
    text: str
    name: str = ""
    doc: list = dataclasses.field(default_factory=list)
    types: list = dataclasses.field(default_factory=list)
    methods: list = dataclasses.field(default_factory=list)
    failures: list = dataclasses.field(default_factory=list)

    @property
    def short(self):
        """The last part of the name with a capital."""
        last = self.name.rpartition(".")[2]
        return last[0].upper() + last[1:]


def parse(path, text):
    return Parser(path, text).interface()


class Parser:
    def __init__(self, path, text):
        self.path, self.text = path, text
        self.tokens = list(self.scan())
        self.position = 0

    def fail(self, message, line=None):
        if line is None:
            line = self.tokens[min(self.position, len(self.tokens) - 1)][2] if self.tokens else 1
        raise InterfaceError(self.path, line, message)

    def scan(self):
        """Tokens as (kind, text, line); a blank line is one too, as it parts comments."""
        at, line, begins = 0, 1, True
        while at < len(self.text):
            found = TOKEN.match(self.text, at)
            if not found:
                self.fail(f"unexpected {self.text[at]!r}", line)
            at = found.end()
            if found.lastgroup == "line":
                if begins:
                    yield "blank", "", line
                line, begins = line + 1, True
                continue
            if found.lastgroup != "space":
                begins = False
                yield found.lastgroup, found.group(), line

    # What comes next

    def comments(self):
        """The text lines and the notes of the comments before a declaration; a blank line parts them from others."""
        doc, notes = [], {}
        while self.position < len(self.tokens) and self.tokens[self.position][0] in ("comment", "blank"):
            kind, text, line = self.tokens[self.position]
            if kind == "blank":
                if notes:
                    self.fail("a line for generators that stands before nothing")
                doc = []
            elif text.startswith("#:"):
                for note in text[2:].split(","):
                    name, _, value = note.strip().partition(" ")
                    notes[note.strip() if note.strip() == "optional more" else name] = value or True
            else:
                doc.append(text[1:].removeprefix(" ").rstrip())
            self.position += 1
        return doc, notes

    def peek(self):
        return self.tokens[self.position][1] if self.position < len(self.tokens) else None

    def take(self):
        if self.position == len(self.tokens):
            self.fail("the file ends early")
        self.position += 1
        return self.tokens[self.position - 1]

    def expect(self, sign):
        kind, text, line = self.take()
        if text != sign or kind == "comment":
            self.fail(f"{sign!r} is needed, not {text!r}", line)

    def word(self, what, pattern):
        kind, text, line = self.take()
        if kind != "word" or not re.fullmatch(pattern, text):
            self.fail(f"{what} is needed, not {text!r}", line)
        return text, line

    # Declarations

    def interface(self):
        found = Interface(self.path, self.text)
        found.doc, _ = self.comments()
        self.expect("interface")
        found.name, _ = self.word("the name of the interface", r"[a-z][A-Za-z0-9]*(\.[A-Za-z0-9]+)+")
        while True:
            doc, notes = self.comments()
            if self.peek() is None:
                break
            keyword, line = self.word("type, method or error", "type|method|error")
            name, _ = self.word(f"the name of a {keyword}", "[A-Z][A-Za-z0-9]*")
            if keyword == "type":
                found.types.append(self.type(name, doc, notes, line))
            elif keyword == "method":
                parameters = self.fields()
                self.expect("->")
                found.methods.append(Method(name, parameters, self.fields(), doc, notes, line))
            else:
                found.failures.append(Failure(name, self.fields(), doc, notes, line))
        return found

    def type(self, name, doc, notes, line):
        start = self.position
        self.expect("(")
        self.comments()
        following = self.tokens[self.position + 1][1] if self.position + 1 < len(self.tokens) else None
        self.position = start
        if following == ":" or self.tokens[start + 1][1] == ")":
            return Type(name, self.fields(), None, doc, notes, line)
        return Type(name, None, self.words(), doc, notes, line)

    def words(self):
        self.expect("(")
        words = []
        while True:
            self.comments()
            word, line = self.word("a word", "[A-Za-z][A-Za-z0-9]*")
            if word in words:
                self.fail(f"the word {word} stands there twice", line)
            words.append(word)
            self.comments()
            if self.peek() == ")":
                self.take()
                return words
            self.expect(",")

    def fields(self):
        self.expect("(")
        fields = []
        while True:
            doc, notes = self.comments()
            if self.peek() == ")" and not fields:
                self.take()
                return fields
            name, line = self.word("the name of a field", "[a-z][A-Za-z0-9]*")
            if any(field.name == name for field in fields):
                self.fail(f"the field {name} stands there twice", line)
            self.expect(":")
            fields.append(Field(name, self.kind(), doc, notes, line))
            self.comments()
            if self.peek() == ")":
                self.take()
                return fields
            self.expect(",")

    def kind(self):
        optional = self.peek() == "?"
        if optional:
            self.take()
        wrapper = self.take()[1] if self.peek() in ("[]", "[string]") else ""
        if self.peek() == "(":
            self.fail("a type within another: declare it by a name of its own")
        name, _ = self.word("a type", "|".join(PLAIN) + "|[A-Z][A-Za-z0-9]*")
        return Kind(name, wrapper, optional)
