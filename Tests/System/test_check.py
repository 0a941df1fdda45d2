"""scripts/check: what runs after what, what fails a run, and what its end reports."""
import importlib.machinery
import importlib.util
import json
import os
import pathlib
import re
import shlex
import shutil
import signal
import subprocess
import sys

import pytest

from harness.paths import ROOT, SUPPORT
from harness.waiting import wait_until


@pytest.fixture
def check(tmp_path):
    """The script as a module that keeps its files in a folder of the test's own."""
    loader = importlib.machinery.SourceFileLoader("check", str(ROOT / "scripts/check"))
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader("check", loader))
    sys.modules["check"] = module
    loader.exec_module(module)
    module.ROOT = tmp_path
    module.FOLDER = tmp_path / "check"
    module.FOLDER.mkdir()
    yield module
    del sys.modules["check"]


def part(check, name, script, needs=(), **options):
    return check.Part(name, ("sh", "-c", script), needs, **options)


def with_results(*outcomes, name="test"):
    """A shell script of a part whose tests end so."""
    return with_attempts(*(
        {"test": f"{name}{number}", "outcome": outcome, "seconds": number} for number, outcome in enumerate(outcomes)))


def with_attempts(*attempts):
    """The same, whose tests write exactly this."""
    lines = " ".join(shlex.quote(json.dumps(each)) for each in attempts)
    return f"printf '%s\\n' {lines} >\"$WAYMARK_RESULTS\""


def run(check, *parts):
    schedule = check.Schedule(parts, os.environ)
    schedule.run()
    return check.conclude(parts, schedule, 1.0)


def test_a_part_starts_after_what_it_needs_and_the_sum_is_the_last_line(check, tmp_path, capfd):
    status = run(
        check, part(check, "first", "sleep 0.5; touch made"), part(check, "second", "test -e made", ["first"]),
        part(check, "third", with_results("passed", "skipped", "passed"), has_tests=True))
    said = capfd.readouterr().out.splitlines()
    assert status == 0, said
    assert said[-1] == "2 passed, 0 failed, 1 skipped"
    assert "FAILED" not in "\n".join(said)


def test_the_time_of_each_part_and_the_slowest_tests_stand_at_the_end(check, capfd):
    run(check, part(check, "only", with_results(*["passed"] * 12), has_tests=True))
    said = capfd.readouterr().out
    assert "min  only" in said
    slowest = [line.split()[-1] for line in said.splitlines() if " s  only: " in line]
    assert slowest == [f"test{number}" for number in range(11, 1, -1)]


def test_what_needs_a_part_that_failed_is_not_run_and_the_run_fails(check, tmp_path, capfd):
    status = run(
        check, part(check, "first", "echo so wrong; exit 3"), part(check, "second", "touch ran", ["first"]),
        part(check, "third", "touch ran", ["second"]))
    said = capfd.readouterr().out
    assert status == 1
    assert "so wrong" in said and "first: see check/first.log" in said
    assert "second was not run" in said and "third was not run" in said
    assert not (tmp_path / "ran").exists()


def test_three_repeated_tests_are_named_as_defects_and_a_fourth_fails_the_run(check, capfd):
    for count, expected in ((3, 0), (4, 1)):
        status = run(check, part(
            check, "flaky", with_results(*["repeated"] * count, *["passed"] * 5), has_tests=True))
        said = capfd.readouterr().out
        assert status == expected, said
        assert said.count("DEFECT") == count
    assert "more than 3" in said


def test_a_repeated_test_says_what_each_failed_attempt_failed_with(check, capfd):
    attempts = [
        {"test": "drill", "outcome": "repeated", "seconds": 1, "reason": "E  off by 12.3\nfile.py:7: AssertionError"},
        {"test": "other", "outcome": "repeated", "seconds": 1, "reason": "E  it's late"},
        {"test": "drill", "outcome": "repeated", "seconds": 1, "reason": "E  no answer"},
        {"test": "drill", "outcome": "passed", "seconds": 1}, {"test": "other", "outcome": "passed", "seconds": 1}]
    assert run(check, part(check, "flaky", with_attempts(*attempts), has_tests=True)) == 0
    said = capfd.readouterr().out
    _, drill, other = said.split("DEFECT: ")
    assert drill.splitlines() == [
        "a test had to be repeated, and passed then: flaky: drill", "  attempt 1 failed with:", "    E  off by 12.3",
        "    file.py:7: AssertionError", "  attempt 2 failed with:", "    E  no answer", ""]
    assert "    E  it's late" in other and "off by" not in other


@pytest.mark.parametrize("workers", [[], ["-n", "1"]], ids=["alone", "parallel"])
def test_the_end_of_a_failure_is_written_down_before_the_test_is_repeated(tmp_path, workers):
    (tmp_path / "test_flaky.py").write_text("""attempts = []


def test_flaky():
    attempts.append("\\n".join(f"line {number}" for number in range(100)))
    assert len(attempts) > 1, attempts[0] + "\\nthe last of a long reason"
""")
    results = tmp_path / "results.jsonl"
    subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "conftest", "--reruns", "1", *workers, tmp_path], check=True,
        cwd=tmp_path, capture_output=True,
        env={**os.environ, "PYTHONPATH": f"{ROOT}/Tests:{SUPPORT}", "WAYMARK_RESULTS": str(results)})
    failed, passed = map(json.loads, results.read_text().splitlines())
    assert (failed["outcome"], passed["outcome"]) == ("repeated", "passed")
    lines = failed["reason"].splitlines()
    assert len(lines) == 20 and any(line.endswith("the last of a long reason") for line in lines)
    assert lines[-1].endswith("test_flaky.py:6: AssertionError") and "reason" not in passed


def test_a_part_that_ran_no_test_fails_the_run(check, capfd):
    assert run(check, part(check, "empty", "true", has_tests=True)) == 1
    assert "empty ran no test" in capfd.readouterr().out


def test_a_failed_test_fails_the_run_whatever_its_part_ended_with(check, capfd):
    assert run(check, part(check, "kind", with_results("passed", "failed"), has_tests=True)) == 1
    assert capfd.readouterr().out.splitlines()[-1] == "1 passed, 1 failed, 0 skipped"


def test_the_parts_can_be_listed():
    listed = subprocess.run(
        [ROOT / "scripts/check", "--list"], capture_output=True, text=True, check=True).stdout.split()
    assert {"lint", "build", "unit-tests", "system-tests", "board-tests", "debian13-system-tests"} <= set(listed)


def test_what_was_left_out_is_named(check, capfd):
    quick = [each for each in check.PARTS if each.name in check.QUICK]
    deselecting = part(check, "system-tests", "echo '{\"deselected\": 17}' >\"$WAYMARK_RESULTS\"")
    schedule = check.Schedule([deselecting], os.environ)
    schedule.run()
    check.show_what_is_left_out(quick, schedule.ended)
    said = capfd.readouterr().out
    assert "LEFT OUT" in said and "17 tests" in said and "guest" in said and "Debian 13" in said


def test_a_part_that_does_not_exist_is_a_usage_error():
    done = subprocess.run([ROOT / "scripts/check", "everything"], capture_output=True, text=True)
    assert done.returncode == 2 and "unit-tests" in done.stderr


def test_the_parts_of_the_real_check_need_only_parts_above_them(check):
    above = set()
    for each in check.PARTS:
        assert set(each.needs) <= above, each.name
        above.add(each.name)
    assert check.with_needed(["system-tests"]) == {"system-tests", "build", "lint", "manual", "packages"}
    assert check.QUICK <= above


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_an_interrupted_check_ends_all_that_it_started(tmp_path, number):
    """In a copy, whose first part is a child that would go on for long."""
    scripts = tmp_path / "scripts"
    scripts.mkdir()
    text = (ROOT / "scripts/check").read_text()
    begin, end = text.index("PARTS = ["), text.index("ON_DEBIAN13 =")
    # A background job of a shell takes no notice of an interrupt.
    sleeper = 'PARTS = [Part("sleeper", ("sh", "-c", "sleep 1000 & echo $! >pid; wait"))]\n'
    (scripts / "check").write_text(text[:begin] + sleeper + text[end:])
    started = subprocess.Popen(
        [sys.executable, scripts / "check", "sleeper"], cwd=tmp_path, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    pid = tmp_path / "pid"
    wait_until(lambda: pid.exists() and pid.read_text().strip(), what="the part to start")
    started.send_signal(number)
    _, errors = started.communicate(timeout=60)
    assert started.returncode == 130 and b"interrupted" in errors
    wait_until(lambda: not pathlib.Path(f"/proc/{pid.read_text().strip()}").exists(), what="the end of its child")


PATCHES = sorted((ROOT / "Tests/Mutations").glob("*.patch"))


def test_there_are_twenty_mutations():
    assert len(PATCHES) >= 20


@pytest.mark.pure
@pytest.mark.skipif(not shutil.which("git"), reason="needs git")
@pytest.mark.parametrize("patch", PATCHES, ids=lambda path: path.stem)
def test_a_mutation_still_fits_the_sources(patch):
    subprocess.run(["git", "apply", "--check", "-C1", patch], cwd=ROOT, check=True)


def a_package(folder, dependencies, **sources):
    """A package whose target `Near` declares these dependencies, of three targets with these lines of source."""
    (folder / "Package.swift").write_text(
        "// swift-tools-version: 6.0\nimport PackageDescription\n"
        'let package = Package(name: "some", targets: [.target(name: "Far"), .systemLibrary(name: "CShim"),\n'
        f'    .target(name: "Near", dependencies: {json.dumps(dependencies)})])\n')
    for name in ("Far", "Near", "CShim"):
        (folder / "Sources" / name).mkdir(parents=True)
        (folder / "Sources" / name / f"{name}.swift").write_text(sources.get(name, "") + "\n")
    return folder


@pytest.mark.pure
@pytest.mark.skipif(not shutil.which(os.environ.get("SWIFT", "swift")), reason="needs swift")
@pytest.mark.parametrize("declared, source, expected", [
    (["Far", "CShim"], "@testable import Far\nimport Glibc\n    internal import CShim", []),
    (["Far", "CShim"], "import struct Far.Kilometre\n// import CShim",
     ["Package.swift: Near declares CShim, which none of its sources imports"]),
    (["Far"], "import Far\n\nimport CShim",
     ["Sources/Near/Near.swift:3: Near imports CShim, which it does not declare"]),
])
def test_each_dependency_is_imported_and_each_import_declared(tmp_path, declared, source, expected):
    package = a_package(tmp_path, declared, Near=source)
    done = subprocess.run([ROOT / "scripts/dependencies", package], stdout=subprocess.PIPE, text=True)
    assert done.stdout.splitlines() == expected
    assert done.returncode == (1 if expected else 0)


def test_each_public_declaration_without_a_doc_comment_is_named(tmp_path):
    (tmp_path / "Near").mkdir()
    (tmp_path / "Near/One.swift").write_text("""
/// A thing.
@frozen
public struct Thing {
    public var bare = 1
    /// A number.
    public var documented = 2
    var ours = 3
}

public extension Thing {}
""")
    done = subprocess.run([ROOT / "scripts/undocumented", tmp_path], stdout=subprocess.PIPE, text=True)
    [line] = done.stdout.splitlines()
    assert line.endswith("Near/One.swift:5: no doc comment: public var bare = 1") and done.returncode == 1
    (tmp_path / "Near/One.swift").write_text("/// A thing.\npublic struct Thing {}\n")
    done = subprocess.run([ROOT / "scripts/undocumented", tmp_path], stdout=subprocess.PIPE, text=True)
    assert not done.stdout and done.returncode == 0


def test_a_readme_names_files_that_there_are():
    named = 0
    for readme in sorted((ROOT / "Sources").glob("*/README.md")):
        for name in re.findall(r"`([\w/+.-]+\.swift)`", readme.read_text()):
            assert (readme.parent / name).exists() or list(readme.parent.rglob(name)), f"{readme}: {name}"
            named += 1
    whole = (ROOT / "Sources/README.md").read_text()
    for name in re.findall(r"`([\w+-]+/[\w/+.-]+\.swift)`", whole):
        assert (ROOT / "Sources" / name).exists(), f"Sources/README.md: {name}"
        named += 1
    assert named > 100
