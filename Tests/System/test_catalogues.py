"""The message catalogues: what is made of them is up to date, and what a translation lacks or adds is named."""

import shutil
import subprocess
import sys

import pytest

from harness.paths import ROOT


def generate(root, *options):
    return subprocess.run(
        [sys.executable, ROOT / "scripts/catalogues", "--root", root, *options], capture_output=True, text=True)


@pytest.fixture
def tree(tmp_path):
    shutil.copytree(ROOT / "po", tmp_path / "po")
    return tmp_path


def test_what_is_generated_is_up_to_date():
    done = generate(ROOT, "--check")
    assert (done.returncode, done.stderr) == (0, "")


def test_what_is_not_up_to_date_or_superfluous_is_named(tree):
    assert generate(tree).returncode == 0 and generate(tree, "--check").returncode == 0
    (tree / "docs/announcements-table.md").write_text("")
    (tree / "Sources/Wire/Messages/Wording/Generated/Old.swift").write_text("")
    done = generate(tree, "--check")
    assert done.returncode == 1
    assert "docs/announcements-table.md" in done.stderr and "Old.swift" in done.stderr


@pytest.mark.parametrize("old, new, problem", [
    ('msgstr "In {distanceAhead} links halten"', 'msgstr "Links halten"', "keepLeftAhead: placeholders [] in place of"),
    ('msgstr "Umkehren"', 'msgstr "Umkehren {distance}"', "turnRound: placeholders ['distance'] in place of []"),
    ('msgstr "Umkehren"', 'msgstr ""', "turnRound: not translated"),
    ('msgstr "Umkehren"', 'msgstr "Umkehren {"', "'Umkehren {'"),
    ('msgctxt "offRoute"', '#, fuzzy\nmsgctxt "offRoute"', "offRoute: marked as fuzzy"),
    ('msgid "Turn round"', 'msgid "Turn around"', "not as in"),
    ('plural=(n != 1)', 'plural=(m != 1)', "plural"),
    ('nplurals=2', 'nplurals=3', "3 plural forms are needed"),
    ('msgstr "Umkehren"', 'msgstr "Umkehren', "end-of-line within string"),
], ids=lambda text: text[:30])
def test_a_wrong_translation_is_named(tree, old, new, problem):
    file = tree / "po/de.po"
    text = file.read_text()
    assert old in text
    file.write_text(text.replace(old, new, 1))
    done = generate(tree)
    assert done.returncode == 1 and problem in done.stderr and "po/de.po" in done.stderr, done.stderr
    assert "Traceback" not in done.stderr


def test_the_formulas_of_gettexts_manual_are_those_of_swift(monkeypatch):
    monkeypatch.syspath_prepend(ROOT / "scripts")
    from catalogue_generator.plural import swift

    assert swift("(n != 1)") == ["return n != 1 ? 1 : 0"]
    assert swift("0") == ["return 0"]
    assert swift("n%10==1 && n%100!=11 ? 0 : n != 0 ? 1 : 2") == [
        "if n % 10 == 1 && n % 100 != 11 { return 0 }", "if n != 0 { return 1 }", "return 2"]
    for wrong in ("n", "m != 1", "n ? 0", "n != 1;x"):
        if wrong == "n":
            assert swift(wrong) == ["return n"]
            continue
        with pytest.raises(ValueError):
            swift(wrong)
