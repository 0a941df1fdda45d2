"""What the window of xgps shows once it shows a position and satellites: values by their labels, as JSON;
nothing where it shows none for minutes.

Usage: xgps_window.py HOST:PORT, on an X display, by the Python that has Debian's python3-gi"""
import json
import runpy
import shutil
import sys

import gi

gi.require_version("Gtk", "3.0")
from gi.repository import GLib, Gtk


def grids(widget):
    """Grids of a widget that are on the display."""
    if isinstance(widget, Gtk.Grid) and widget.get_mapped():
        yield widget
    elif isinstance(widget, Gtk.Container):
        for child in widget.get_children():
            yield from grids(child)


def values(grid):
    """Labels that end with a colon, and the text beside each."""
    for label in grid.get_children():
        name = label.get_text().strip()
        if name.endswith(":"):
            column, row = (grid.child_get_property(label, f"{side}-attach") for side in ("left", "top"))
            yield name[:-1], grid.get_child_at(column + 1, row).get_text().strip()


def print_when_complete():
    found = {
        name: value for window in Gtk.Window.list_toplevels() for grid in grids(window) for name, value in values(grid)}
    if "n/a" in (found.get(name, "n/a") for name in ("Latitude", "Altitude MSL", "Sats Used")):
        return GLib.SOURCE_CONTINUE
    print(json.dumps(found))
    Gtk.main_quit()
    return GLib.SOURCE_REMOVE


# Milliseconds.
GLib.timeout_add(50, print_when_complete)
# Less than a test waits, which then shows what xgps said.
GLib.timeout_add_seconds(150, Gtk.main_quit)
program = sys.argv[0] = shutil.which("xgps")
runpy.run_path(program, run_name="__main__")
