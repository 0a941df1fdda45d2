"""scripts/unit-tests with a stand-in for the test program: what runs, what it writes down, and what it ends with."""
import json
import os
import shutil
import subprocess

import pytest

from harness.paths import ROOT

pytestmark = pytest.mark.pure

# Does what the plan has for its filter: outcomes by test, or a crash. What it is to skip does not run.
PROGRAM = """#!/usr/bin/env python3
import json, os, pathlib, re, signal, sys
arguments = sys.argv[1:]
output = arguments[arguments.index("--xunit-output") + 1]
pattern = arguments[arguments.index("--filter") + 1]
skipped = [value for name, value in zip(arguments, arguments[1:]) if name == "--skip"]
outcomes = json.loads(pathlib.Path(__file__).with_name(f"plan-{pattern}".replace("/", "|")).read_text())
if outcomes == "crash":
    os.kill(os.getpid(), signal.SIGSEGV)
outcomes = {name: outcome for name, outcome in outcomes.items() if not any(re.search(each, name) for each in skipped)}
failures = '<failure message="expected 1"/><failure message="expected 2"/>'
cases = "".join(
    f'<testcase classname="{name.split("/")[0]}" name="{name.split("/")[1]}" time="1">'
    f'{failures if outcome == "failed" else ""}</testcase>' for name, outcome in outcomes.items())
pathlib.Path(output).write_text(f"<testsuites><testsuite>{cases}</testsuite></testsuites>")
for name, outcome in outcomes.items():
    if outcome == "failed":
        print(f"✘ Test {name} recorded an issue")
sys.exit("failed" in outcomes.values())
"""


@pytest.fixture
def unit_tests(tmp_path):
    """Runs the script on patterns with what is planned for each; what came of it and its results."""
    shutil.copytree(ROOT / "scripts/checking", tmp_path / "scripts/checking")
    shutil.copy(ROOT / "scripts/unit-tests", tmp_path / "scripts")
    (tmp_path / "Tests").mkdir()
    folder = tmp_path / ".build/release"
    folder.mkdir(parents=True)
    program = folder / "waymarkPackageTests.xctest"
    program.write_text(PROGRAM)
    program.chmod(0o755)
    results = tmp_path / "results"

    def run(patterns, long="", **variables):
        (tmp_path / "Tests/long-unit-tests").write_text(long)
        for pattern, outcomes in patterns.items():
            (folder / f"plan-{pattern}".replace("/", "|")).write_text(json.dumps(outcomes))
        results.unlink(missing_ok=True)
        done = subprocess.run(
            [tmp_path / "scripts/unit-tests", *patterns],
            env={**os.environ, "WAYMARK_RESULTS": str(results), "WAYMARK_LONG": "all", **variables},
            capture_output=True, text=True)
        return done, [json.loads(line) for line in results.read_text().splitlines()] if results.exists() else []

    return run


def outcomes(results):
    return [(line["test"], line["outcome"]) for line in results if "test" in line]


def test_tests_that_pass_are_written_down_and_counted(unit_tests):
    done, results = unit_tests({"A": {"S/a": "passed", "S/b": "passed"}, "B": {"T/c": "passed"}})
    assert done.returncode == 0, done
    assert outcomes(results) == [("S/a", "passed"), ("S/b", "passed"), ("T/c", "passed")]
    assert "3 unit tests passed, 0 failed" in done.stdout


def test_a_failed_test_is_written_down_with_its_reason_and_fails_the_run(unit_tests):
    done, results = unit_tests({"A": {"S/a": "failed", "S/b": "passed"}})
    assert done.returncode == 1, done
    assert outcomes(results) == [("S/a", "failed"), ("S/b", "passed")]
    assert results[0]["reason"] == "expected 1\nexpected 2" and "reason" not in results[1]


def test_a_crash_is_told_from_failed_tests(unit_tests):
    done, results = unit_tests({"A": "crash", "B": {"S/a": "failed"}})
    assert done.returncode == 2, done
    assert outcomes(results) == [("S/a", "failed")]


@pytest.mark.parametrize("share, expected", [
    ("all", ["S/a()", "S/b()", "S/c()"]), ("none", ["S/c()"]), ("1/2", ["S/a()", "S/c()"]), ("2/2", ["S/b()", "S/c()"])])
def test_of_long_tests_a_share_runs(unit_tests, share, expected):
    done, results = unit_tests(
        {"A": {"S/a()": "passed", "S/b()": "passed", "S/c()": "passed"}}, long="# Seconds and names.\n12 S/a()\n7 S/b()\n",
        WAYMARK_LONG=share)
    assert done.returncode == 0, done
    assert [test for test, _ in outcomes(results)] == expected
    assert all(line["long"] == (line["test"] != "S/c()") for line in results if "test" in line)
    assert sum(line.get("left_out", 0) for line in results) == 3 - len(expected)


def test_a_share_that_does_not_exist_is_refused(unit_tests):
    done, results = unit_tests({"A": {"S/a()": "passed"}}, WAYMARK_LONG="13/12")
    assert done.returncode == 1 and "may be all, none, or a share" in done.stderr and not results, done


def test_patterns_that_differ_in_signs_alone_do_not_share_their_files(unit_tests):
    done, results = unit_tests({"^S.(?!a)": {"S/b": "passed"}, "^S.a": {"S/a": "passed"}})
    assert done.returncode == 0, done
    assert sorted(outcomes(results)) == [("S/a", "passed"), ("S/b", "passed")]


def test_a_pattern_of_no_test_fails_the_run(unit_tests):
    done, _ = unit_tests({"A": {"S/a": "passed"}, "B": {}})
    assert done.returncode == 2 and "no test is called B" in done.stdout, done


def test_without_tests_that_were_built_it_says_what_to_do(tmp_path):
    shutil.copytree(ROOT / "scripts/checking", tmp_path / "scripts/checking")
    shutil.copy(ROOT / "scripts/unit-tests", tmp_path / "scripts")
    done = subprocess.run([tmp_path / "scripts/unit-tests"], capture_output=True, text=True)
    assert done.returncode == 1 and "make build-tests" in done.stderr
