"""Where the sources and the built programs are."""
import pathlib

ROOT = pathlib.Path(__file__).resolve().parents[3]
PROGRAMS = ROOT / ".build/release"
SUPPORT = ROOT / "Tests/Support"
INTERFACES = ROOT / "Sources/WaymarkInterface"
