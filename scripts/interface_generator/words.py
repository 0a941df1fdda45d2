"""Names and text in the forms of the languages."""

import re
import textwrap


def lower(name):
    """As Swift begins its cases: `NotReady` is `notReady`."""
    return name[0].lower() + name[1:]


def snake(name):
    """`noGNSSData` is `no_gnss_data`."""
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])", "_", name).lower()


def wrap(paragraphs, begin, width, between=None):
    """Lines of paragraphs, each with its beginning; an empty one between two."""
    lines = []
    for number, paragraph in enumerate(paragraphs):
        if number:
            lines.append((begin if between is None else between).rstrip())
        lines += textwrap.wrap(
            paragraph, width, initial_indent=begin, subsequent_indent=begin, break_long_words=False,
            break_on_hyphens=False)
    return lines


def fill(parts, indent, width, separator=","):
    """Parts with commas, or another sign, between them, as many in a line as fit."""
    lines, line = [], indent
    for number, part in enumerate(parts):
        part += separator * (number + 1 < len(parts))
        if line != indent and len(line) + 1 + len(part) > width:
            lines.append(line)
            line = indent
        line += part if line == indent else " " + part
    return [*lines, line]
