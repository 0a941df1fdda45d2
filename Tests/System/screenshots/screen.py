"""What stands on a terminal as a page: the characters that tmux captured, with their colours."""
import html
import re

FOREGROUND, BACKGROUND = "#d8dee4", "#10161e"
# By the parameter of "Select Graphic Rendition" (ECMA-48, 8.3.117), as far as Waymark's commands use it.
STYLES = {
    "1": "font-weight: bold", "2": "opacity: 0.6", "31": "color: #ff7b72", "32": "color: #7ee787", "33": "color: #f2cc60",
    "35": "color: #d2a8ff", "36": "color: #56d4dd", "93": "color: #ffdf5d", "97": "color: #ffffff"}
ATTRIBUTES = ("1", "2")
# Back to all defaults, to that of the foreground, and to that of the background.
PLAIN, PLAIN_FOREGROUND, PLAIN_BACKGROUND = ("", "0"), "39", "49"
# What begins a colour of the 256, with what it is of.
INDEXED = {"38": "color", "48": "background"}
SIGNS = re.compile("[\u2190-\u24ff\u25a0-\u28ff]")
RENDITION = re.compile(r"\x1b\[([\d;]*)m")
PAGE = """<!DOCTYPE html><meta charset="utf-8"><style>
body {{ margin: 0; width: fit-content; background: {background} }}
pre {{ margin: 0; padding: 14px 18px; color: {foreground}; font: 15px/1.17 "DejaVu Sans Mono", monospace }}
.sign {{ display: inline-block; width: 1ch }}
</style><pre>{text}</pre>
"""


def indexed(number):
    """A colour of the 256, of which Waymark uses the cube of 6 × 6 × 6 and the greys."""
    if number >= 232:
        return f"#{8 + 10 * (number - 232):02x}" + f"{8 + 10 * (number - 232):02x}" * 2
    levels = (0, 95, 135, 175, 215, 255)
    red, rest = divmod(number - 16, 36)
    return "#" + "".join(f"{levels[part]:02x}" for part in (red, *divmod(rest, 6)))


def parameters(rendition):
    """The parameters of a rendition; a colour of the 256 is one with its number, such as 38;5;94."""
    parts = rendition.split(";")
    while parts:
        length = 3 if parts[0] in INDEXED else 1
        yield ";".join(parts[:length])
        parts = parts[length:]


def style_of(parameter):
    kind, _, number = parameter.partition(";5;")
    return f"{INDEXED[kind]}: {indexed(int(number))}" if number else STYLES[parameter]


def after(parameter, active):
    """Active renditions after one more."""
    if parameter in PLAIN:
        return []
    if parameter == PLAIN_FOREGROUND:
        return [each for each in active if each in ATTRIBUTES or each.startswith("48")]
    if parameter == PLAIN_BACKGROUND:
        return [each for each in active if not each.startswith("48")]
    return [*active, parameter]


def in_columns(text):
    """Signs that fonts without them take from others, of other widths, keep to their column."""
    return SIGNS.sub(r'<span class="sign">\g<0></span>', text)


def styled(text):
    """HTML of captured text. A rendition holds until another one ends it, also beyond the end of a line."""
    active, result = [], ""
    for number, piece in enumerate(RENDITION.split(text)):
        if number % 2:
            for parameter in parameters(piece):
                active = after(parameter, active)
        elif piece:
            style = "; ".join(map(style_of, active))
            shown = in_columns(html.escape(piece, quote=False))
            result += f'<span style="{style}">{shown}</span>' if style else shown
    return result


def page(command, captured):
    """A page that shows a command after a prompt, and below what it has written."""
    line = html.escape(" ".join(map(str, command)), quote=False)
    prompt = f'<span style="{STYLES["2"]}">$</span> <b>{line}</b>'
    text = f"{prompt}\n{styled(captured.rstrip())}"
    return PAGE.format(foreground=FOREGROUND, background=BACKGROUND, text=text)
