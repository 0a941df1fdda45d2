"""Takes the pictures of the documents: `python -m screenshots FOLDER`, in Tests/System."""
import pathlib
import sys
import tempfile

# As Tests/pytest.ini has it.
ROOT = pathlib.Path(__file__).resolve().parents[3]
sys.path[:0] = [str(ROOT / folder) for folder in ("Tests/Support", "clients/python", "clients/python/waymark_pose", "scripts")]

from harness.browser import MISSING, PROGRAM, browser  # noqa: E402

from . import displays, pages, reports, terminals  # noqa: E402
from .sheet import Sheet  # noqa: E402

# Duration of the walks in the reports: the wearer stands for 18 s, then goes round two corners.
SECONDS = 120


def main(folder, seconds=SECONDS):
    displays.take(folder)
    with tempfile.TemporaryDirectory() as temporary, browser() as chromium:
        sheet, work = Sheet(chromium, folder), pathlib.Path(temporary)
        terminals.take(sheet, work)
        reports.take(sheet, work, seconds)
    with browser(webgl=True) as chromium:
        pages.take(Sheet(chromium, folder))


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit("usage: python -m screenshots FOLDER")
    if not PROGRAM:
        sys.exit(MISSING)
    main(pathlib.Path(sys.argv[1]))
