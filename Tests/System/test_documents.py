"""The documents tell the truth: their links lead somewhere, their examples run, and nothing that exists is left out."""

import json
import os
import re
import shutil
import subprocess
import sys

import pytest
import varlink.scanner
from waymark_interface import POSE_SUBSCRIBE, RECORDING_START, SCENE_SUBSCRIBE, STATUS_GET_STATUS

from harness import sample_messages as sample
from harness.client_programs import compile_library, compile_program, python_environment
from harness.paths import PROGRAMS, ROOT
from harness.stand_in import StandIn

DOCUMENTS = sorted([
    *ROOT.glob("*.md"), *ROOT.glob("docs/*.md"),
    *(ROOT / name / "README.md" for name in ("clients", "examples", "examples/godot", "packaging"))])
INTERFACES = sorted(ROOT.glob("Sources/Wire/WaymarkInterface/org.waymark.*.varlink"))
EXAMPLES = re.findall(r"```python\n(.*?)```", (ROOT / "docs/protocol.md").read_text(), re.DOTALL)
C_EXAMPLES = re.findall(r"```c\n(.*?)```", (ROOT / "docs/protocol.md").read_text(), re.DOTALL)
LINK = r"\]\((?!https?:)([^)#]+)\)"


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: path.name)
def test_links_within_the_project_lead_somewhere(document):
    for target in re.findall(LINK, document.read_text()):
        assert (document.parent / target).exists(), target


def test_there_are_links_interfaces_and_examples_to_look_at():
    links = [link for document in DOCUMENTS for link in re.findall(LINK, document.read_text())]
    assert len(links) > 20 and len(INTERFACES) > 3
    for part in ("Pose.Subscribe", "Scene.Subscribe", "Recording.Start", "import waymark_pose"):
        assert sum(part in example for example in EXAMPLES) == 1, part


@pytest.mark.parametrize("interface", INTERFACES, ids=lambda path: path.stem)
def test_interface_files_are_understood_by_another_implementation(interface):
    text = interface.read_text()
    members = varlink.scanner.Interface(text).members
    assert set(re.findall(r"^(?:method|type|error) (\w+)", text, re.MULTILINE)) == set(members)


def test_the_commented_configuration_is_good_as_it_is_and_with_every_line_in_force(tmp_path):
    commented = (ROOT / "config/waymark.toml").read_text()
    uncommented = re.sub(r"^#([a-z_]+ = )", r"\1", commented, flags=re.MULTILINE)
    assert uncommented.count("\n#") < commented.count("\n#")
    for text in [commented, uncommented]:
        file = tmp_path / "waymark.toml"
        file.write_text(text)
        done = subprocess.run(
            [PROGRAMS / "waymarkd", "--check-config", "--config", file], capture_output=True, text=True)
        assert done.returncode == 0, done.stderr


def test_interface_files_are_installed_under_the_name_they_declare():
    for interface in INTERFACES:
        assert re.search(r"^interface (\S+)$", interface.read_text(), re.MULTILINE).group(1) == interface.stem


@pytest.mark.parametrize("number, example", list(enumerate(EXAMPLES)))
def test_the_examples_of_the_protocol_page_run(number, example, tmp_path):
    path = tmp_path / "daemon.sock"
    replies = {
        POSE_SUBSCRIBE: sample.poses(),
        SCENE_SUBSCRIBE: sample.scenes(),
        STATUS_GET_STATUS: {"status": sample.STATUS},
        RECORDING_START: lambda parameters, file: {"path": f"{parameters['path']} {os.write(file, b'x')}"},
    }
    with StandIn(path, replies):
        done = subprocess.run(
            [sys.executable, "-c", example], cwd=tmp_path, env=python_environment(WAYMARK_SOCKET=str(path)),
            capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stderr
    if "Scene.Subscribe" in example:
        assert done.stdout.splitlines() == [
            "ready 2 placed; on the display: Mill", "announcement Turn left now", "ready 2 placed; on the display: ",
            "ready 1 placed; on the display: "]
    elif "import waymark_pose" in example:
        first, *poses = done.stdout.splitlines()
        assert first.startswith("daemon ") and len(poses) == 3 and poses[0].startswith("localized {'x': 12.5")
    elif "Subscribe" in example:
        assert len(done.stdout.splitlines()) == 10
        assert done.stdout.startswith("localized {'x': 12.5")
    else:
        assert (tmp_path / "walk.mcap").read_bytes() == b"x"


@pytest.mark.skipif(not shutil.which("cc"), reason="needs a C compiler")
def test_the_examples_in_c_run(tmp_path):
    folder = compile_library(tmp_path)
    assert len(C_EXAMPLES) == 1
    for number, example in enumerate(C_EXAMPLES):
        source = tmp_path / f"example{number}.c"
        source.write_text(example)
        program = compile_program(folder, source)
        with StandIn(tmp_path / "daemon.sock", {POSE_SUBSCRIBE: sample.poses()}):
            done = subprocess.run(
                [program], capture_output=True, text=True, timeout=60,
                env={**os.environ, "WAYMARK_SOCKET": str(tmp_path / "daemon.sock")})
        assert done.returncode == 0, done.stderr
        assert [json.loads(line)["pose"]["sequence"] for line in done.stdout.splitlines()] == [1, 2, 3]


def swift_examples():
    """Bodies of functions: the examples of the documents and of the library's doc comments, without what they import."""
    texts = [(ROOT / name).read_text() for name in ("docs/protocol.md", "Sources/Wire/WaymarkClient/README.md")]
    for source in sorted((ROOT / "Sources/Wire/WaymarkClient").rglob("*.swift")):
        # Without the marks of the comments that are in examples themselves.
        texts.append("\n".join(re.findall(r"^ */// ?(.*)$", source.read_text(), re.MULTILINE)))
    found = [each for text in texts for each in re.findall(r"^```swift\n(.*?)^```", text, re.DOTALL | re.MULTILINE)]
    return [each.replace("import WaymarkClient\n", "") for each in found if not each.startswith("dependencies")]


@pytest.mark.skipif(
    not shutil.which("swiftc") or not (PROGRAMS / "Modules").exists(), reason="needs swiftc and the modules that were built")
def test_the_examples_in_swift_have_the_types_of_the_library(tmp_path):
    examples = swift_examples()
    assert len(examples) >= 10
    source = tmp_path / "examples.swift"
    source.write_text("import WaymarkClient\n" + "".join(
        f"func example{number}() async throws {{\n{example}}}\n" for number, example in enumerate(examples)))
    maps = [word for file in PROGRAMS.glob("*.build/module.modulemap") for word in ("-Xcc", f"-fmodule-map-file={file}")]
    done = subprocess.run(
        ["swiftc", "-typecheck", "-swift-version", "6", "-parse-as-library", "-warnings-as-errors", "-I", PROGRAMS / "Modules", *maps,
         source], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


@pytest.mark.skipif(not shutil.which("cc"), reason="needs a C compiler")
def test_the_offsets_of_the_pose_ring_are_those_of_the_header_file(tmp_path):
    page = (ROOT / "docs/protocol.md").read_text()
    [table] = re.findall(r"Byte offsets.*?\n\n(.*?)\n\n", page, re.DOTALL)
    checked = 0
    source = '#include <stddef.h>\n#include "waymark-pose-ring.h"\n'
    for structure, members in re.findall(r"(offer|doorbell|header|slot): ((?:[^;-]|-(?!\s))*)", table):
        for name, offset in re.findall(r"`(\w+)` (\d+)", members):
            source += f'_Static_assert(offsetof(struct waymark_ring_{structure}, {name}) == {offset}, "{name}");\n'
            checked += 1
    assert checked == 41
    (tmp_path / "offsets.c").write_text(source)
    subprocess.run(["cc", "-c", f"-I{ROOT / 'clients/c'}", "offsets.c", "-o", "offsets.o"], cwd=tmp_path, check=True)


def test_the_example_of_the_placements_page_runs():
    example, = re.findall(r"```python\n(.*?)```", (ROOT / "docs/placements.md").read_text(), re.DOTALL)
    done = subprocess.run([sys.executable, "-c", example], capture_output=True, text=True, timeout=60)
    assert done.stdout == "looking east: 0.346 -0.231\nsize: 0.0454\nbehind: None\n", done.stderr


@pytest.mark.parametrize("document, fewest", [("docs/recordings.md", 3)])
def test_only_commands_and_options_that_exist_are_shown(document, fewest):
    text_of_document = (ROOT / document).read_text()
    program = PROGRAMS / "waymark"
    text = subprocess.run([program, "--help"], capture_output=True, text=True).stdout
    offered = set(re.findall(r"^  ([a-z]+(?: [a-z]+)?)  +[A-Z]", text, re.MULTILINE))
    shown = re.findall(r"^    waymark (.*?)(?:#|&&|$)", text_of_document, re.MULTILINE)
    assert len(shown) >= fewest and any("--" in line for line in shown)
    for line in shown:
        words = line.split()
        command = next((words[:count] for count in (2, 1) if " ".join(words[:count]) in offered), None)
        assert command, line
        done = subprocess.run([program, *command, "--help"], capture_output=True, text=True)
        for option in re.findall(r"--\w+", line):
            assert option in done.stdout, line


def test_every_street_and_module_of_the_sources_has_a_readme_and_is_named_by_the_one_above():
    for street in (path for path in (ROOT / "Sources").iterdir() if path.is_dir()):
        assert f"`{street.name}`" in (ROOT / "Sources/README.md").read_text()
        where = (street / "README.md").read_text()
        for module in (path for path in street.iterdir() if path.is_dir()):
            assert f"`{module.name}`" in where, module
            assert module.name == "CLibraries" or (module / "README.md").exists(), module


# Written by programs, and as long as what they list.
GENERATED = {"constants.md", "metrics.md", "announcements-table.md"}


# The README is read in two minutes; the documents are what one person can keep true.
@pytest.mark.parametrize("documents, most", [("README.md", 900), ("CONTRIBUTING.md", 700), ("docs/*.md", 45_000)])
def test_documents_stay_short(documents, most):
    written = [path for path in ROOT.glob(documents) if path.name not in GENERATED]
    assert written and sum(len(path.read_text().split()) for path in written) <= most


def test_the_index_names_every_document():
    index = (ROOT / "docs/index.md").read_text()
    for document in ROOT.glob("docs/*.md"):
        assert document.name == "index.md" or f"({document.name})" in index, document.name


def test_every_make_target_explains_itself():
    makefile = (ROOT / "Makefile").read_text()
    phony = set(" ".join(re.findall(r"^\.PHONY: (.*)$", makefile, re.MULTILINE)).split())
    described = set(re.findall(r"^([a-z0-9-]+):.*## ", makefile, re.MULTILINE))
    assert phony == described
    shown = subprocess.run(["make", "--no-print-directory", "help"], cwd=ROOT, capture_output=True, text=True).stdout
    assert set(re.findall(r"^  make ([a-z0-9-]+)", shown, re.MULTILINE)) == described


def behaviours_in_tests():
    """The files of the tests whose name begins with the number of a behaviour, by that number."""
    found = {}
    patterns = {"*.swift": r'@Test\(\s*"behaviour (\d+): ', "test_*.py": r'"""behaviour (\d+): '}
    for pattern, name in patterns.items():
        for file in (ROOT / "Tests").rglob(pattern):
            for number in re.findall(name, file.read_text()):
                found.setdefault(int(number), set()).add(str(file.relative_to(ROOT / "Tests")))
    return found


def rows_of_the_scene_page():
    """What the page says of each behaviour, by its number: text, settings, sources, tests."""
    rows = re.findall(r"^\| (\d+) \|(.*)\|$", (ROOT / "docs/scene.md").read_text(), re.MULTILINE)
    numbers = [int(number) for number, _ in rows]
    assert len(numbers) == len(set(numbers))
    return {int(number): [cell.strip() for cell in row.split(" | ")] for number, row in rows}


def settings_that_exist():
    """Keys with their section, as the commented configuration has them."""
    keys, section = set(), None
    for line in (ROOT / "config/waymark.toml").read_text().splitlines():
        if begun := re.match(r"\[(\w+)\]$", line):
            section = begun.group(1)
        elif key := re.match(r"#([a-z_]+) = ", line):
            keys.add(f"{section}.{key.group(1)}")
    return keys


# Of the rows after these, those that the page has: the others are not the scene's, or are still to be built.
FIRST_ROWS = set(range(1, 48))


def test_every_behaviour_of_the_scene_is_held_by_a_test_that_is_named_after_it():
    missing = FIRST_ROWS - set(behaviours_in_tests())
    assert not missing, f"no test begins with 'behaviour N: ' for {sorted(missing)}"


def test_the_scene_page_has_every_behaviour_with_the_tests_that_hold_it():
    rows, held = rows_of_the_scene_page(), behaviours_in_tests()
    assert FIRST_ROWS <= set(rows) <= set(held)
    for number, (_, _, sources, tests) in rows.items():
        assert set(re.findall(r"`([^`]+)`", tests)) == held.get(number, set()), f"row {number}"
        named = re.findall(r"`([^`]+)`", sources)
        assert named, f"row {number} names no source"
        for source in named:
            assert (ROOT / "Sources" / source).exists(), f"row {number}: {source}"


def test_the_settings_of_the_scene_page_exist_and_none_of_the_scene_is_left_out():
    mentioned = {key for _, keys, _, _ in rows_of_the_scene_page().values() for key in re.findall(r"`([^`]+)`", keys)}
    exist = settings_that_exist()
    assert len(mentioned) > 20
    assert mentioned <= exist, mentioned - exist
    sections = {key.split(".")[0] for key in mentioned}
    assert mentioned == {key for key in exist if key.split(".")[0] in sections}


def test_the_page_on_the_doctor_names_every_finding():
    codes = re.findall(r'case \w+ = "([a-z.-]+)"', (ROOT / "Sources/Programs/Commands/Diagnosis/FindingCode.swift").read_text())
    named = re.findall(r"^\| `([a-z.-]+)` \|", (ROOT / "docs/doctor.md").read_text(), re.MULTILINE)
    assert named == codes and len(codes) > 60
