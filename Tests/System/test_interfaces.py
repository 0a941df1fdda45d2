"""What is generated from the interface files is up to date; a field is added by one line; mistakes are named."""

import json
import os
import re
import shutil
import subprocess
import sys

import pytest
from waymark_interface import POSE_GET_POSE

from harness import interfaces
from harness.paths import ROOT

FOLDER = "Sources/Wire/WaymarkInterface"


def generate(root, *options):
    return subprocess.run(
        [sys.executable, ROOT / "scripts/interfaces", "--root", root, *options], capture_output=True, text=True)


@pytest.fixture
def tree(tmp_path):
    """A copy of the interface files, with nothing generated yet."""
    shutil.copytree(ROOT / FOLDER, tmp_path / FOLDER, ignore=shutil.ignore_patterns("Generated"))
    return tmp_path


def edit(tree, interface, old, new):
    file = tree / FOLDER / f"{interface}.varlink"
    text = file.read_text()
    assert text.count(old) == 1
    file.write_text(text.replace(old, new))


def compile_c(tree, *command):
    source = '#include "waymark-interface.h"\nint main(void) { return 0; }\n'
    return subprocess.run(
        [*command, "-Wall", "-Wextra", "-Wpedantic", "-Wconversion", "-Werror", "-fsyntax-only",
         "-I", tree / "clients/c", "-"], input=source, capture_output=True, text=True)


C = ["gcc", "-std=c99", "-x", "c"]
CPP = ["g++", "-std=c++17", "-x", "c++"]


def test_what_is_generated_is_up_to_date():
    done = generate(ROOT, "--check")
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.parametrize("interface", interfaces.MODEL.interfaces, ids=lambda interface: interface.name)
def test_each_declaration_and_each_field_has_a_comment(interface):
    groups = [(type.name, type.fields or []) for type in interface.types]
    groups += [(method.name, [*method.parameters, *method.reply]) for method in interface.methods]
    groups += [(failure.name, failure.fields) for failure in interface.failures]
    declared = [*interface.types, *interface.methods, *interface.failures]
    lacking = [found.name for found in declared if not found.doc]
    lacking += [f"{name}.{field.name}" for name, fields in groups for field in fields if not field.doc]
    assert not lacking


def test_the_errors_values_are_described_in_swift():
    swift = (ROOT / FOLDER / "Generated/PoseInterface.swift").read_text()
    assert re.search(r"/// - Parameter reason: \w.*\n +case notReady\(reason: String\)", swift)
    assert re.search(r"/// - Parameters:\n +///   - oldest: .*\n +///   - newest: .*\n +case tooLate\(", swift)


def test_what_is_not_up_to_date_or_superfluous_is_named(tree):
    assert generate(tree).returncode == 0 and generate(tree, "--check").returncode == 0
    header = tree / "clients/c/waymark-interface.h"
    header.write_text(header.read_text() + "\n")
    (tree / FOLDER / "Generated/OldInterface.swift").write_text("")
    done = generate(tree, "--check")
    assert done.returncode == 1
    assert "clients/c/waymark-interface.h" in done.stderr and "OldInterface.swift" in done.stderr


def test_a_field_is_added_by_one_line_in_one_file(tree):
    edit(tree, "org.waymark.Pose", "  generation: int,\n  # Position in the scene.",
         "  generation: int,\n  curiousness: ?float,\n  # Position in the scene.")
    assert generate(tree).returncode == 0
    swift = (tree / FOLDER / "Generated/PoseInterface.swift").read_text()
    for part in ("public var curiousness: Double?", "curiousness: Double? = nil,",
                 '"generation", "curiousness", "position"', 'json.member("curiousness", curiousness, .exact)'):
        assert part in " ".join(swift.split())
    assert "curiousness: ?float" in generate(tree, "--manual").stdout
    assert "    curiousness: NotRequired[float]\n" in (tree / "clients/python/waymark_pose/waymark_interface.py").read_text()
    header = (tree / "clients/c/waymark-interface.h").read_text()
    assert "    bool has_curiousness;\n    double curiousness;\n" in header
    assert compile_c(tree, *C).returncode == 0
    own = sorted((ROOT / FOLDER).glob("*.swift")) + sorted((tree / FOLDER / "Generated").glob("*.swift"))
    modules = ROOT / ".build/release/Modules"
    shims = [option for name in ("CJSON", "CNumber", "CInterfaceFiles")
             for option in ("-Xcc", f"-fmodule-map-file={ROOT}/.build/release/{name}.build/module.modulemap")]
    # SwiftPM names a package by its folder; what is `package` in JSON is seen by that name alone.
    done = subprocess.run(
        ["swiftc", "-typecheck", "-swift-version", "6", "-package-name", ROOT.name.lower(),
         "-module-name", "WaymarkInterface", "-I", modules, *shims, *own], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize(
    "command", [C, ["gcc", "-std=c11", "-x", "c"], CPP, ["g++", "-std=c++11", "-x", "c++"]],
    ids=["c99", "c11", "c++17", "c++11"])
def test_the_header_compiles_without_a_warning(command):
    done = compile_c(ROOT, *command)
    assert (done.returncode, done.stderr) == (0, "")


def test_a_program_in_c_finds_words_and_names(tmp_path):
    source = tmp_path / "words.c"
    source.write_text("""
        #include "waymark-interface.h"
        #include <stdio.h>
        int main(void) {
            struct waymark_place place = {.id = "a", .has_distance = true, .distance = 2.5};
            printf("%s %s %s\\n", WAYMARK_POSE_GET_POSE, waymark_reason_word(WAYMARK_REASON_POOR_GNSS), place.id);
            printf("%d %d\\n", waymark_reason_of("clockStepped") == WAYMARK_REASON_CLOCK_STEPPED,
                   waymark_reason_of("later"));
            return waymark_reason_word(WAYMARK_REASON_UNKNOWN) != NULL;
        }""")
    subprocess.run(
        ["gcc", "-std=c99", "-Wall", "-Werror", "-I", ROOT / "clients/c", source, "-o", tmp_path / "words"], check=True)
    done = subprocess.run([tmp_path / "words"], capture_output=True, text=True, check=True)
    assert done.stdout == "org.waymark.Pose.GetPose poorGNSS a\n1 -1\n"


def test_the_python_declarations_are_complete_and_resolve():
    code = """
import sys, typing
sys.path.insert(0, "clients/python/waymark_pose")
import waymark_interface as waymark
types = [found for found in vars(waymark).values() if typing.is_typeddict(found)]
assert len(types) > 100, len(types)
for found in types:
    typing.get_type_hints(found)
assert waymark.POSE_GET_POSE == "org.waymark.Pose.GetPose" and waymark.POSE_NOT_READY == "org.waymark.Pose.NotReady"
assert waymark.Pose.__optional_keys__ >= {"geo", "utc"} and "state" in waymark.Pose.__required_keys__
assert "from" in waymark.SceneGetRouteParameters.__optional_keys__
"""
    subprocess.run([sys.executable, "-c", code], cwd=ROOT, check=True)


def example(language, socket, folder):
    """The example in this language of the clients' page, for a daemon at this socket, in a file."""
    [text] = re.findall(rf"```{language}\n(.*?)```", (ROOT / "clients/README.md").read_text(), re.DOTALL)
    assert text.count("/run/waymark/waymark.sock") == 1
    file = folder / f"example.{language}"
    file.write_text(text.replace("/run/waymark/waymark.sock", str(socket)))
    return file


def run(*command, **options):
    done = subprocess.run(command, capture_output=True, text=True, **options)
    assert (done.returncode, done.stderr) == (0, ""), done
    return done.stdout


def test_the_example_in_python_prints_the_pose(simulation, tmp_path):
    state = simulation.wait_for_state("aligning", "localized", "limited")["state"]
    file = example("python", simulation.socket, tmp_path)
    output = run(sys.executable, file, env={**os.environ, "PYTHONPATH": str(ROOT / "clients/python/waymark_pose")})
    assert output.split()[0] in (state, "localized", "limited")


def test_the_example_in_c_prints_the_pose(simulation, tmp_path):
    simulation.wait_for_state("aligning", "localized", "limited")
    file = example("c", simulation.socket, tmp_path)
    run("gcc", "-Wall", "-Wextra", "-Wpedantic", "-Werror", "-I", ROOT / "clients/c", file, "-o", tmp_path / "example")
    interfaces.check_reply(POSE_GET_POSE, json.loads(run(tmp_path / "example"))["parameters"])


@pytest.mark.parametrize("old, new, line, words", [
    ("  position: Quality\n", "  position Quality\n", "  position", "':' is needed"),
    ("  position: Quality\n", "  position: Qualty\n", "  position", "no type Qualty"),
    ("  position: Quality\n", "  orientation: Quality\n", "  orientation", "stands there twice"),
    ("  position: Quality\n", "  position: (good, bad)\n", "  position", "of its own"),
    ("type Clock (boottime, realtime)", "type Clock (boottime, boottime)", "type Clock", "stands there twice"),
    ("type Clock (boottime, realtime)", "#: closed\ntype Clock (boottime, realtime)", "type Clock", "`#: closed`"),
    ("type Clock (boottime, realtime)", "type Time (boottime, realtime)", "type Time (boot", "declared twice"),
    ("  mode: MotionMode,", "  #: decimals 4\n  mode: MotionMode,", "  mode:", "decimals are for numbers"),
    ("  mode: MotionMode,", "  mode: ?Motion,", "  mode:", "contains itself"),
    ("  mode: MotionMode,", "  mode: object,", "  mode:", "[]object"),
    ("  mode: MotionMode,", "  mode: MotionMode;", "  mode:", "unexpected ';'"),
    ("error SkippedTime ()", "eror SkippedTime ()", "eror SkippedTime", "type, method or error"),
])
def test_a_mistake_in_an_interface_file_is_named_with_its_line(tree, old, new, line, words):
    edit(tree, "org.waymark.Pose", old, new)
    file = tree / FOLDER / "org.waymark.Pose.varlink"
    done = generate(tree)
    found = re.match(rf"{re.escape(str(file))}:(\d+): (.*)\n", done.stderr)
    assert done.returncode == 1 and found, done.stderr
    assert file.read_text().split("\n")[int(found.group(1)) - 1].startswith(line)
    assert words in found.group(2)


def test_types_of_the_same_name_that_differ_stay_apart(tree):
    generate(tree)
    alike = (tree / FOLDER / "Generated/SceneInterface.swift").read_text()
    assert "public typealias Frame = PoseInterface.Frame" in alike
    edit(tree, "org.waymark.Scene", "  nsec: int\n", "  nsec: int,\n  later: ?int\n")
    assert generate(tree).returncode == 0
    differing = (tree / FOLDER / "Generated/SceneInterface.swift").read_text()
    assert "public struct Time:" in differing and "public struct Frame:" in differing
    assert "public typealias Vector = PoseInterface.Vector" in differing
    assert "class SceneTime(TypedDict)" in (tree / "clients/python/waymark_pose/waymark_interface.py").read_text()
    assert "struct waymark_scene_time {" in (tree / "clients/c/waymark-interface.h").read_text()
