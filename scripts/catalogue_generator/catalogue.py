"""The catalogues: what is translated, and what a translation has to keep."""

import gettext
import re
import string

from .plural import swift
from .po import POError, entries, header

#: The languages, the source first: the name of the file, that of the Swift table, and what the language calls itself.
LANGUAGES = (
    ("en", "English", "English"),
    ("de", "German", "Deutsch"),
    ("fr", "French", "Français"),
    ("es", "Spanish", "Español"),
    ("ru", "Russian", "Русский"),
    ("uk", "Ukrainian", "Українська"),
)
LONGEST = 400


class CatalogueError(Exception):
    """A catalogue that cannot be used, with its place."""


class Message:
    """A message of one language: its forms, one for each plural form, or one alone."""

    def __init__(self, entry):
        self.name = entry.context
        self.source = (entry.id, entry.plural)
        self.comment = entry.comment
        self.is_plural = entry.plural is not None
        self.is_fuzzy = "fuzzy" in entry.flags
        self.forms = entry.forms


class Catalogue:
    """All messages of one language."""

    def __init__(self, path, code, name, own_name):
        self.path, self.code, self.name, self.own_name = path, code, name, own_name
        try:
            first, *others = entries(path)
        except POError as error:
            raise CatalogueError(str(error)) from None
        fields = header(first)
        if fields.get("Language") != code:
            raise CatalogueError(f"{path}: the header has to say Language: {code}")
        plural = re.fullmatch(r"nplurals=(\d); plural=(.+?);?", fields.get("Plural-Forms", ""))
        if plural is None:
            raise CatalogueError(f"{path}: the header has no Plural-Forms: nplurals=…; plural=…;")
        self.count, self.formula = int(plural[1]), plural[2]
        try:
            self.form, self.choice = gettext.c2py(self.formula), swift(self.formula)
        except ValueError as error:
            raise CatalogueError(f"{path}: Plural-Forms: {error}") from None
        self.messages = [Message(entry) for entry in others]
        for message in self.messages:
            self.check(message)

    def check(self, message):
        place = f"{self.path}: {message.name}"
        if not re.fullmatch(r"[a-z][A-Za-z]*", message.name or ""):
            raise CatalogueError(f"{place}: the context has to be a name in lower camel case")
        if message.is_fuzzy:
            raise CatalogueError(f"{place}: marked as fuzzy: check the translation and delete the mark")
        if len(message.forms) != (self.count if message.is_plural else 1):
            raise CatalogueError(f"{place}: {self.count} plural forms are needed, by the header")
        for form in message.forms:
            if not form.strip() or form != form.strip():
                raise CatalogueError(f"{place}: not translated, or with space around it")
            if len(form) > LONGEST or not form.replace("\u00a0", " ").isprintable():
                raise CatalogueError(f"{place}: longer than {LONGEST} characters, or with a control character")
            try:
                found, expected = placeholders(form), placeholders(message.source[0])
            except ValueError as error:
                raise CatalogueError(f"{place}: {form!r}: {error}") from None
            if found != expected:
                raise CatalogueError(f"{place}: placeholders {found} in place of {expected}")


def placeholders(text):
    """The names in braces, sorted; each belongs once."""
    return sorted(name for _, name, _, _ in string.Formatter().parse(text) if name is not None)


def load(folder):
    """The catalogues, the source first."""
    catalogues = [Catalogue(folder / f"{code}.po", code, name, own) for code, name, own in LANGUAGES]
    others = {path.name for path in folder.glob("*.po")} - {catalogue.path.name for catalogue in catalogues}
    if others:
        raise CatalogueError(f"{folder}: {', '.join(sorted(others))}: add the language to "
                             "scripts/catalogue_generator/catalogue.py and to Sources/Wire/Messages/Wording/Language.swift")
    source = catalogues[0]
    expected = {message.name: message.source for message in source.messages}
    for message in source.messages:
        if message.source != (message.forms[0], message.forms[1] if message.is_plural else None):
            raise CatalogueError(f"{source.path}: {message.name}: msgstr is not msgid, as in the source it has to be")
    for catalogue in catalogues:
        found = {message.name: message.source for message in catalogue.messages}
        if len(found) != len(catalogue.messages):
            raise CatalogueError(f"{catalogue.path}: a context stands twice")
        different = sorted({name for name, _ in found.items() ^ expected.items()})
        if different:
            raise CatalogueError(f"{catalogue.path}: not as in {source.path}: {', '.join(different)} "
                                 f"(`msgmerge --update {catalogue.path} {source.path}`)")
        order = {message.name: index for index, message in enumerate(source.messages)}
        catalogue.messages.sort(key=lambda message: order[message.name])
    return catalogues
