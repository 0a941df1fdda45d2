"""scripts/unit-tests with a stand-in for the test program: what is repeated, and what fails whatever is repeated."""
import json
import os
import shutil
import subprocess

import pytest

from harness.paths import ROOT

# Each call takes the next of the outcomes that the plan has for its filters: outcomes by test, or a crash.
PROGRAM = """#!/usr/bin/env python3
import json, os, pathlib, signal, sys
arguments = sys.argv[1:]
filters = " ".join(value for name, value in zip(arguments, arguments[1:]) if name == "--filter")
output = arguments[arguments.index("--xunit-output") + 1]
path = pathlib.Path(__file__).with_name(f"plan-{filters}".replace("/", "|"))
calls = json.loads(path.read_text())
outcomes = calls.pop(0)
path.write_text(json.dumps(calls))
if outcomes == "crash":
    os.kill(os.getpid(), signal.SIGSEGV)
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
    """Runs the script on patterns with the calls that are planned for each; what came of it and its results."""
    (tmp_path / "scripts").mkdir()
    shutil.copy(ROOT / "scripts/unit-tests", tmp_path / "scripts")
    folder = tmp_path / ".build/release"
    folder.mkdir(parents=True)
    program = folder / "waymarkPackageTests.xctest"
    program.write_text(PROGRAM)
    program.chmod(0o755)
    results = tmp_path / "results"

    reasons = {}

    def run(patterns, again=None):
        plans = {**{pattern: [outcomes] for pattern, outcomes in patterns.items()}, **(again or {})}
        for filters, calls in plans.items():
            (folder / f"plan-{filters}".replace("/", "|")).write_text(json.dumps(calls))
        done = subprocess.run(
            [tmp_path / "scripts/unit-tests", *patterns], env={**os.environ, "WAYMARK_RESULTS": str(results)},
            capture_output=True, text=True)
        lines = [json.loads(line) for line in results.read_text().splitlines()] if results.exists() else []
        reasons.update({line["test"]: line["reason"] for line in lines if "reason" in line})
        return done, [(line["test"], line["outcome"]) for line in lines]

    run.reasons = reasons
    return run


def test_tests_that_pass_are_written_down_and_counted(unit_tests):
    done, results = unit_tests({"A": {"S/a": "passed", "S/b": "passed"}, "B": {"T/c": "passed"}})
    assert done.returncode == 0, done
    assert results == [("S/a", "passed"), ("S/b", "passed"), ("T/c", "passed")]
    assert "3 unit tests passed, 0 failed" in done.stdout


def test_a_failed_test_is_repeated_alone_and_named(unit_tests):
    done, results = unit_tests({"A": {"S/a": "failed", "S/b": "passed"}}, {"^S/a": [{"S/a": "passed"}]})
    assert done.returncode == 0, done
    assert results == [("S/a", "repeated"), ("S/b", "passed"), ("S/a", "passed")]
    assert unit_tests.reasons == {"S/a": "expected 1\nexpected 2"}
    assert "run again, alone:\n  S/a" in done.stdout and "2 unit tests passed, 0 failed, 0 skipped, 1 rep" in done.stdout


@pytest.mark.parametrize("again", [{"S/a": "failed"}, "crash", {"S/other": "passed"}])
def test_a_failed_test_that_does_not_pass_when_it_is_repeated_fails_the_run(unit_tests, again):
    done, results = unit_tests({"A": {"S/a": "failed", "S/b": "passed"}}, {"^S/a": [again]})
    assert done.returncode == 1, done
    assert ("S/b", "passed") in results


def test_a_crash_fails_the_run_whatever_is_repeated(unit_tests):
    done, results = unit_tests(
        {"A": "crash", "B": {"S/a": "failed", "S/b": "failed"}}, {"^S/a ^S/b": [{"S/a": "passed", "S/b": "passed"}]})
    assert done.returncode == 1, done
    assert ("S/a", "failed") in results


def test_patterns_that_differ_in_signs_alone_do_not_share_their_files(unit_tests):
    done, results = unit_tests({"^S.(?!a)": {"S/b": "passed"}, "^S.a": {"S/a": "passed"}})
    assert done.returncode == 0, done
    assert sorted(results) == [("S/a", "passed"), ("S/b", "passed")]


def test_a_pattern_of_no_test_fails_the_run(unit_tests):
    done, _ = unit_tests({"A": {"S/a": "passed"}, "B": {}})
    assert done.returncode == 1 and "no test is called B" in done.stdout, done


def test_more_than_three_failed_tests_are_not_repeated(unit_tests):
    done, results = unit_tests({"A": {f"S/{name}": "failed" for name in "abcd"}})
    assert done.returncode == 1, done
    assert [outcome for _, outcome in results] == ["failed"] * 4


def test_without_tests_that_were_built_it_says_what_to_do(tmp_path):
    (tmp_path / "scripts").mkdir()
    shutil.copy(ROOT / "scripts/unit-tests", tmp_path / "scripts")
    done = subprocess.run([tmp_path / "scripts/unit-tests"], capture_output=True, text=True)
    assert done.returncode == 1 and "make build-tests" in done.stderr
