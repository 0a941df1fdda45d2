"""The documents tell the truth: their links lead somewhere, their examples run, and nothing that exists is left out."""

import os
import pathlib
import re
import subprocess
import sys

import pytest
import varlink.scanner

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "Tests/Support"))

import stand_in_daemon as daemon  # noqa: E402
from stand_in_daemon import StandIn  # noqa: E402

DOCUMENTS = sorted([*ROOT.glob("*.md"), *ROOT.glob("docs/*.md")])
INTERFACES = sorted(ROOT.glob("Sources/Service/Interfaces/*.varlink"))
PROTOCOL = (ROOT / "docs/protocol.md").read_text()


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: path.name)
def test_links_within_the_project_lead_somewhere(document):
    for target in re.findall(r"\]\((?!https?:)([^)#]+)\)", document.read_text()):
        assert (document.parent / target).exists(), target


@pytest.mark.parametrize("interface", INTERFACES, ids=lambda path: path.stem)
def test_the_protocol_page_names_every_method(interface):
    text = interface.read_text()
    assert f"`{interface.stem}`" in PROTOCOL
    for method in re.findall(r"^method (\w+)", text, re.MULTILINE):
        assert f"`{method}`" in PROTOCOL, method


@pytest.mark.parametrize("interface", INTERFACES, ids=lambda path: path.stem)
def test_interface_files_are_understood_by_another_implementation(interface):
    text = interface.read_text()
    members = varlink.scanner.Interface(text).members
    assert set(re.findall(r"^(?:method|type|error) (\w+)", text, re.MULTILINE)) == set(members)


def test_the_commented_configuration_is_good_as_it_is_and_with_every_line_in_force(tmp_path):
    commented = (ROOT / "config/waymark.toml").read_text()
    in_force = re.sub(r"^#([a-z_]+ = )", r"\1", commented, flags=re.MULTILINE)
    assert in_force.count("\n#") < commented.count("\n#")
    for text in [commented, in_force]:
        file = tmp_path / "waymark.toml"
        file.write_text(text)
        done = subprocess.run(
            [ROOT / ".build/release/waymarkd", "--check-config", "--config", file], capture_output=True, text=True)
        assert done.returncode == 0, done.stderr


def test_interface_files_are_installed_under_the_name_they_declare():
    for interface in INTERFACES:
        assert re.search(r"^interface (\S+)$", interface.read_text(), re.MULTILINE).group(1) == interface.stem


@pytest.mark.parametrize("number, example", list(enumerate(re.findall(r"```python\n(.*?)```", PROTOCOL, re.DOTALL))))
def test_the_examples_of_the_protocol_page_run(number, example, tmp_path):
    path = tmp_path / "daemon.sock"
    replies = {
        "org.waymark.Pose.Subscribe": daemon.poses(),
        "org.waymark.Recording.Start": lambda parameters, file: {"path": f"{parameters['path']} {os.write(file, b'x')}"},
    }
    with StandIn(path, replies):
        done = subprocess.run(
            [sys.executable, "-c", example], cwd=tmp_path, env={**os.environ, "WAYMARK_SOCKET": str(path)},
            capture_output=True, text=True, timeout=20)
    assert done.returncode == 0, done.stderr
    if "Subscribe" in example:
        assert len(done.stdout.splitlines()) == 10
        assert done.stdout.startswith("localized {'x': 12.5")
    else:
        assert (tmp_path / "walk.mcap").read_bytes() == b"x"


def test_the_readme_shows_only_commands_and_options_that_exist():
    readme = (ROOT / "README.md").read_text()
    shown = re.findall(r"^    waymark (\w+)(.*?)(?:#|&&|$)", readme, re.MULTILINE)
    assert len(shown) >= 9
    for command, rest in shown:
        done = subprocess.run(
            [ROOT / ".build/release/waymark", command, "--help"], capture_output=True, text=True)
        assert done.returncode == 0, command
        for option in re.findall(r"--\w+", rest):
            assert option in done.stdout, f"{command} {option}"


def test_the_readme_names_every_folder_of_the_sources():
    readme = (ROOT / "README.md").read_text()
    where = readme.split("## Where things are")[1].split("\n## ")[0]
    for folder in (ROOT / "Sources").iterdir():
        if not re.match(r"C[A-Z]", folder.name):
            assert f"`{folder.name}`" in where or f"`Sources/{folder.name}`" in where, folder.name


def test_every_make_target_explains_itself():
    makefile = (ROOT / "Makefile").read_text()
    phony = set(re.search(r"^\.PHONY: (.*)$", makefile, re.MULTILINE).group(1).split())
    told = set(re.findall(r"^([a-z-]+):.*## ", makefile, re.MULTILINE))
    assert phony == told
    shown = subprocess.run(["make", "--no-print-directory", "help"], cwd=ROOT, capture_output=True, text=True).stdout
    assert set(re.findall(r"^  make ([a-z-]+)", shown, re.MULTILINE)) == told
