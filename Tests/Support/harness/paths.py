"""Where the sources, the built programs and the recordings with truth are."""
import os
import pathlib

ROOT = pathlib.Path(__file__).resolve().parents[3]
PROGRAMS = ROOT / ".build/release"
SUPPORT = ROOT / "Tests/Support"
INTERFACES = ROOT / "Sources/Wire/WaymarkInterface"
DATA = pathlib.Path(os.environ.get("WAYMARK_DATA", ROOT.parent / "shared/data"))
