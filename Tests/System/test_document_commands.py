"""Each command of each document runs as it is written, in the order of the page, in a folder of its own."""
import re

import pytest

from documents.page import Page
from documents.pages import PAGES, README
from harness.fresh_shell import FreshShell
from harness.paths import ROOT

# No page may be left out.
SHOWING = [str(path.relative_to(ROOT)) for path in [
    *ROOT.glob("*.md"), *ROOT.glob("docs/*.md"), *(ROOT / name / "README.md" for name in ("clients", "examples", "packaging"))]]


@pytest.fixture
def shell(tmp_path):
    started = FreshShell(tmp_path)
    yield started
    started.end()


@pytest.mark.long
def test_the_tour_of_the_readme_works_as_a_pasted_block(shell):
    [stop_at] = README.endless.values()
    text, statuses = shell.paste(README.own, stop_at)
    assert statuses[:-1] == [0] * (len(README.own) - 1) and statuses[-1] in (0, 130), text
    assert all(printed in text for printed in README.prints.values()), text


@pytest.mark.long
@pytest.mark.parametrize("page", [page for page in PAGES if page.own], ids=lambda page: page.name)
def test_the_commands_of_a_page_run_as_they_are_written(page, shell):
    page.files(shell.folder / "home")
    for line in page.before:
        assert shell.type(line)[0] == 0, shell.text
    left = dict(page.prints)
    for command in page.own:
        stop_at = next((text for pattern, text in page.endless.items() if re.match(pattern, command)), None)
        status, text = shell.type(command, stop_at)
        # The doctor also checks the computer, where other things may be wrong.
        expected = (0, 130) if stop_at else (0, 1) if "waymark doctor" in command else (0,)
        assert status in expected, f"{command}: {status}\n{text}"
        for start in [start for start in left if command.startswith(start)]:
            assert left.pop(start) in text, f"{command}\n{text}"
    assert left == {}, "commands that the page has no longer"


def test_no_command_of_a_document_is_left_out():
    known = {page.name for page in [README, *PAGES]}
    assert {name for name in SHOWING if Page(name).commands} == known
    for page in [README, *PAGES]:
        for pattern, file in page.elsewhere.items():
            assert any(re.match(pattern, command) for command in page.commands), f"{page.name}: {pattern}"
            assert file.startswith("(") or (ROOT / "Tests" / file).exists(), file
