"""The pictures of the documents are those that `make screenshots` takes, and show what it says."""
import re

import pytest
from PIL import Image
from harness.browser import MISSING, PROGRAM, browser
from harness.paths import ROOT
from screenshots import displays, pages, reports, screen, terminals
from screenshots.sheet import Sheet

TAKEN = {*displays.PICTURES, *terminals.PICTURES, *reports.PICTURES, *pages.PICTURES}
DOCUMENTS = [ROOT / "README.md", *sorted(ROOT.glob("docs/*.md"))]


def shown_in(document):
    """Names of the pictures of a document, each with the text for those who do not see it."""
    return {name: text for text, name in re.findall(r"!\[([^]]*)\]\((?:docs/)?([\w-]+\.png)\)", document.read_text())}


def test_all_pictures_of_the_documents_are_taken_anew_and_all_that_are_taken_are_shown():
    assert {path.name for path in ROOT.glob("docs/*.png")} == TAKEN
    assert set().union(*map(shown_in, DOCUMENTS)) == TAKEN
    assert set(shown_in(ROOT / "docs/tour.md")) == TAKEN
    assert len(shown_in(ROOT / "README.md")) == 1


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: path.name)
def test_pictures_have_a_text_for_those_who_do_not_see_them(document):
    assert all(len(text) > 20 for text in shown_in(document).values())


def test_pictures_are_small_enough_for_every_clone():
    assert sum(path.stat().st_size for path in ROOT.glob("docs/*.png")) < 600_000


@pytest.mark.parametrize("captured, expected", [
    ("plain <&>", "plain &lt;&amp;&gt;"),
    ("\x1b[1mbold\x1b[0m plain", '<span style="font-weight: bold">bold</span> plain'),
    # tmux closes a colour with that of the foreground, and joins renditions by semicolons.
    ("\x1b[2m\x1b[32mfaint\x1b[39m still\x1b[0m",
     '<span style="opacity: 0.6; color: #7ee787">faint</span><span style="opacity: 0.6"> still</span>'),
    ("\x1b[1;33mnext\x1b[0;2m\x1b[39m\x1b[49mfaint",
     '<span style="font-weight: bold; color: #f2cc60">next</span><span style="opacity: 0.6">faint</span>'),
    ("\x1b[38;5;94m\x1b[48;5;25m▄\x1b[49m ↱",
     '<span style="color: #875f00; background: #005faf">▄</span>'
     '<span style="color: #875f00"> <span class="sign">↱</span></span>'),
    ("\x1b[31mbegun\nand on\x1b[39m\nover", '<span style="color: #ff7b72">begun\nand on</span>\nover'),
])
def test_colours_of_a_terminal_become_those_of_the_page(captured, expected):
    assert screen.styled(captured) == expected


def test_a_colour_that_is_not_known_is_no_plain_text():
    with pytest.raises(KeyError):
        screen.styled("\x1b[34mblue")


def is_of_one_colour(picture):
    return len(picture.convert("RGB").getcolors(1 << 24)) == 1


def look(path):
    """A picture is about as wide as the one in the documents, and has something in each quarter of its height."""
    with Image.open(path) as taken, Image.open(ROOT / "docs" / path.name) as kept:
        assert 0.7 < taken.width / kept.width < 1.4, path.name
        for quarter in range(4):
            box = (0, quarter * taken.height // 4, taken.width, (quarter + 1) * taken.height // 4)
            assert not is_of_one_colour(taken.crop(box)), (path.name, quarter)


@pytest.mark.long
@pytest.mark.skipif(not PROGRAM, reason=MISSING)
def test_terminals_reports_and_pages_are_taken(tmp_path):
    with browser() as chromium:
        sheet = Sheet(chromium, tmp_path)
        terminals.take(sheet, tmp_path)
        reports.take(sheet, tmp_path, seconds=10)
        assert chromium.complaints == []
    with browser(webgl=True) as chromium:
        pages.take(Sheet(chromium, tmp_path))
        assert chromium.complaints == []
    pictures = sorted(tmp_path.glob("*.png"))
    assert {path.name for path in pictures} == TAKEN - set(displays.PICTURES)
    for path in pictures:
        look(path)
