"""The entries of a PO file, as gettext's own tools read it."""

import collections
import json
import re
import subprocess

#: A message: its context, texts and forms, the comments for translators and the flags.
Entry = collections.namedtuple("Entry", "context id plural forms comment flags")


class POError(Exception):
    """A file that gettext refuses, or that has something for which there is no use here."""


def entries(path):
    """The entries in their order, the header first."""
    # msgcat parses, and writes each text in one line.
    done = subprocess.run(["msgcat", "--no-wrap", "--force-po", str(path)], capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise POError(done.stderr.strip())
    blocks = [block for block in done.stdout.split("\n\n") if re.search(r"^msgid ", block, re.MULTILINE)]
    return [entry(path, block.splitlines()) for block in blocks]


def entry(path, lines):
    texts, comment, flags = {}, [], set()
    keyword = None
    for line in lines:
        if line.startswith("#."):
            comment.append(line[2:].strip())
        elif line.startswith("#,"):
            flags |= {flag.strip() for flag in line[2:].split(",")}
        elif match := re.fullmatch(r'(msg\w+(?:\[\d\])?) (".*")', line):
            keyword = match[1]
            texts[keyword] = json.loads(match[2])
        elif line.startswith('"') and keyword:
            texts[keyword] += json.loads(line)
        elif not line.startswith("#"):
            raise POError(f"{path}: not understood: {line}")
    forms = [texts[name] for name in sorted(texts) if name.startswith("msgstr")]
    return Entry(texts.get("msgctxt"), texts["msgid"], texts.get("msgid_plural"), forms, " ".join(comment), flags)


def header(found):
    """The fields of the header."""
    fields = (line.partition(":") for line in found.forms[0].splitlines())
    return {name.strip(): value.strip() for name, _, value in fields}
