"""The reference in the manual, in scdoc's form: methods and errors with their comments as text, types as declared."""

import re

from . import model as models
from .words import fill, wrap

WIDTH = 70


def text(line):
    """What scdoc would take for markup is escaped; what stands in backquotes is a name."""
    line = re.sub(r"([\\*])", r"\\\1", line)
    line = re.sub(r"`([^`]*)`", r"*\1*", line)
    return "\\" + line if re.match(r"[-.#|\[\]]", line) else line


def paragraphs(doc, indent):
    return "\n\n".join(indent + text(paragraph) for paragraph in doc) + "\n" * bool(doc)


def fields(found):
    return ", ".join(f"{field.name}: {field.kind}" for field in found)


def block(head, found, tail):
    """Fields in lines of their own, each behind its comment."""
    lines = [head]
    for number, field in enumerate(found):
        lines += wrap(models.paragraphs(field.doc), "  # ", WIDTH)
        lines.append(f"  {field.name}: {field.kind}" + "," * (number + 1 < len(found)))
    return [*lines, tail]


def declaration(type):
    if type.words is not None:
        line = f"type {type.name} ({', '.join(type.words)})"
        lines = [line] if len(line) <= WIDTH else [f"type {type.name} (", *fill(type.words, "  ", WIDTH), ")"]
    elif any(field.doc for field in type.fields):
        lines = block(f"type {type.name} (", type.fields, ")")
    else:
        line = f"type {type.name} ({fields(type.fields)})"
        lines = [line] if len(line) <= WIDTH else block(f"type {type.name} (", type.fields, ")")
    return wrap(models.type_doc(type), "# ", WIDTH) + lines


def described(found):
    """Members by name, each with its comment below it."""
    return "".join(
        f"\n\t_{field.name}_\n" + paragraphs(models.paragraphs(field.doc), "\t\t") for field in found if field.doc)


def member(found, signature, doc, given, reply=()):
    """A method or an error; the signature has the types of the members."""
    out = f"*{found.name}*{text(signature)}\n" + paragraphs(doc, "\t") + described(given)
    replied = described(reply)
    return out + ("\n\tReply:\n" + replied if replied else "")


def reference(interface):
    """The section of one interface."""
    out = [f"# INTERFACE {interface.name}\n", paragraphs(models.paragraphs(interface.doc), "")]
    if interface.methods:
        out.append("## Methods\n")
    for method in interface.methods:
        signature = f"({fields(method.parameters)}) -> ({fields(method.reply)})"
        out.append(member(method, signature, models.method_doc(method), method.parameters, method.reply))
    if interface.failures:
        out.append("## Errors\n")
    for failure in interface.failures:
        signature = f" ({fields(failure.fields)})"
        out.append(member(failure, signature, models.paragraphs(failure.doc), failure.fields))
    if interface.types:
        out.append("## Types\n")
    for type in interface.types:
        out.append("```\n" + "\n".join(declaration(type)) + "\n```\n")
    return "\n".join(out) + "\n"
