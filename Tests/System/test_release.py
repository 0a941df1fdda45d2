"""What a release consists of: sources that are fit for one, and a list of the software in it that others can read."""
import json
import os
import re
import shutil
import subprocess

import pytest
from spdx_tools.spdx.parser.jsonlikedict.json_like_dict_parser import JsonLikeDictParser
from spdx_tools.spdx.validation.document_validator import validate_full_spdx_document

from harness.paths import PROGRAMS, ROOT

VERSION = re.search(r'version = "(.*)"', (ROOT / "Sources/Core/Model/Version.swift").read_text())[1]


@pytest.fixture(scope="module")
def bill():
    """Text of the SPDX document of the program built last."""
    if not shutil.which("dpkg-query"):
        pytest.skip("NOT TESTED AS A RELEASE: this is no Debian system")
    return subprocess.run(
        [ROOT / "scripts/sbom", PROGRAMS / "waymark", "6.3"], capture_output=True, text=True, check=True,
        env={**os.environ, "SOURCE_DATE_EPOCH": "1790000000"}).stdout


def test_the_bill_of_materials_is_valid_spdx_and_names_what_is_linked_and_loaded(bill):
    document = JsonLikeDictParser().parse(json.loads(bill))
    assert validate_full_spdx_document(document) == []
    named = {package.name for package in document.packages}
    # The first is opened at first use, the second linked.
    assert all(any(re.fullmatch(rf"{name}\d+(t64)?", each) for each in named) for name in ("libgps", "libpopt"))
    assert {"waymark", "Swift runtime", "FoundationEssentials", "libc6", "rapidjson-dev"} <= named
    assert [str(document.creation_info.created)] == ["2026-09-21 14:13:20"]


@pytest.fixture
def clone(tmp_path):
    """Runs git, or `scripts/release --check`, in a repository with what the latter reads, all of it in a commit."""
    for name in ("scripts/release", "Sources/Core/Model/Version.swift"):
        (tmp_path / name).parent.mkdir(parents=True)
        shutil.copy2(ROOT / name, tmp_path / name)
    (tmp_path / "CHANGELOG.md").write_text(f"# Changelog\n\n## [{VERSION}] - 2026-12-01\n")

    def call(*command):
        return subprocess.run(command, cwd=tmp_path, capture_output=True, text=True)

    call("git", "init", "--quiet")
    commit(call)
    return call


def commit(call):
    call("git", "add", "--all")
    done = call("git", "-c", "user.name=Test", "-c", "user.email=test@localhost", "commit", "--quiet", "--message=all")
    assert done.returncode == 0, done.stderr


def test_a_release_is_made_of_a_commit_alone(clone, tmp_path):
    done = clone("scripts/release", "--check")
    assert done.returncode == 0, done.stderr
    (tmp_path / "more").touch()
    done = clone("scripts/release", "--check")
    assert done.returncode == 1 and "?? more" in done.stderr


def test_a_release_has_a_section_in_the_changelog(clone, tmp_path):
    (tmp_path / "CHANGELOG.md").write_text("# Changelog\n\n## [Unreleased]\n")
    commit(clone)
    done = clone("scripts/release", "--check")
    assert (done.returncode, done.stderr) == (1, f"release: CHANGELOG.md has no section '## [{VERSION}]'\n")
