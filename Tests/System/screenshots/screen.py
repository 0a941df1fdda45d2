"""What stands on a terminal as a page: the characters that tmux captured, with their colours."""
import html
import re

FOREGROUND, BACKGROUND = "#d8dee4", "#10161e"
# By the parameter of "Select Graphic Rendition" (ECMA-48, 8.3.117), as far as Waymark's commands use it.
STYLES = {"1": "font-weight: bold", "2": "opacity: 0.6", "31": "color: #ff7b72", "32": "color: #7ee787", "33": "color: #f2cc60"}
# Back to all defaults, to that of the foreground, and to that of the background, which is never changed.
PLAIN, PLAIN_FOREGROUND, PLAIN_BACKGROUND = ("", "0"), "39", "49"
RENDITION = re.compile(r"\x1b\[([\d;]*)m")
PAGE = """<!DOCTYPE html><meta charset="utf-8"><style>
body {{ margin: 0; width: fit-content; background: {background} }}
pre {{ margin: 0; padding: 14px 18px; color: {foreground}; font: 15px/1.3 "DejaVu Sans Mono", monospace }}
</style><pre>{text}</pre>
"""


def after(parameter, active):
    """Active renditions after one more."""
    if parameter in PLAIN:
        return []
    if parameter == PLAIN_FOREGROUND:
        return [each for each in active if each in ("1", "2")]
    return active if parameter == PLAIN_BACKGROUND else [*active, parameter]


def styled(text):
    """HTML of captured text. A rendition holds until another one ends it, also beyond the end of a line."""
    active, result = [], ""
    for number, piece in enumerate(RENDITION.split(text)):
        if number % 2:
            for parameter in piece.split(";"):
                active = after(parameter, active)
        elif piece:
            style = "; ".join(STYLES[each] for each in active)
            shown = html.escape(piece, quote=False)
            result += f'<span style="{style}">{shown}</span>' if style else shown
    return result


def page(command, captured):
    """A page that shows a command after a prompt, and below what it has written."""
    line = html.escape(" ".join(map(str, command)), quote=False)
    prompt = f'<span style="{STYLES["2"]}">$</span> <b>{line}</b>'
    text = f"{prompt}\n{styled(captured.rstrip())}"
    return PAGE.format(foreground=FOREGROUND, background=BACKGROUND, text=text)
