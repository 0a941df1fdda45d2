"""Tests that failed, once more and alone, when all else has ended; and the list of those that are known to be flaky."""
import dataclasses
import datetime
import json
import time
import tomllib

from checking.part import FOLDER, ROOT, Run

FLAKY = ROOT / "Tests/flaky.toml"
MOST_KNOWN = 10
# Of all tests of a run; and so many in any case.
MOST_REPEATED_SHARE = 0.01
MOST_REPEATED = 3
# Programs that run tests end with it where tests failed, and with others where they could not be run.
TESTS_FAILED = 1


@dataclasses.dataclass(frozen=True)
class Repeated:
    """A failed test, and whether it passed when it was repeated."""
    part: str
    test: str
    reason: str
    passed: bool


def repeat(schedule):
    """Repeats what failed in a schedule that has ended, unless it is too much for chance."""
    runs = schedule.ended
    failed = {run: run.failed_tests() for run in runs if run.part.again and run.code == TESTS_FAILED}
    known = {(each.get("part"), each.get("name")) for each in known_tests()}
    unknown = [(run, test) for run, tests in failed.items() for test in tests if (run.part.name, test) not in known]
    if len(unknown) > most_repeated(runs):
        return []
    return [
        each for run, tests in failed.items() if tests for each in repeat_part(run, tests, schedule)]


def most_repeated(runs):
    return max(MOST_REPEATED, int(MOST_REPEATED_SHARE * sum(len(run.attempts()) for run in runs)))


def repeat_part(run, tests, schedule):
    attempts = run_alone(run, tests, schedule, "again")
    passed = {each["test"] for each in attempts if each["outcome"] == "passed"}
    # A test whose teardown failed has passed, too, and then failed.
    passed -= {each["test"] for each in attempts if each["outcome"] == "failed"}
    reasons = {each["test"]: each.get("reason", "") for each in run.attempts() if each["outcome"] == "failed"}
    return [Repeated(run.part.name, test, reasons[test], test in passed) for test in tests]


def run_alone(run, tests, schedule, purpose):
    """Runs tests of a part when all else has ended; returns their attempts."""
    print(f"{purpose}, alone: {run.part.name}: {', '.join(tests)}", flush=True)
    again = Run(
        run.part, {**schedule.variables, "WAYMARK_LONG": "all"}, command=run.part.again(tests),
        name=f"{run.part.name}-{purpose}")
    while not again.ended and not schedule.is_interrupted:
        time.sleep(0.2)
    if not again.ended:
        again.end()
    return again.attempts()


def keep(repeated, commit):
    """Adds those that passed then to .build/check/flaky.jsonl."""
    with open(FOLDER / "flaky.jsonl", "a", encoding="utf-8") as file:
        for each in repeated:
            if each.passed:
                file.write(json.dumps({
                    "time": datetime.datetime.now(datetime.timezone.utc).isoformat(timespec="seconds"),
                    "commit": commit, "part": each.part, "test": each.test, "reason": each.reason}) + "\n")


def show(repeated):
    for each in repeated:
        then = "passed then" if each.passed else "failed again"
        print(f"\nDEFECT: a test had to be repeated, and {then}: {each.part}: {each.test}\n  it had failed with:")
        for line in each.reason.splitlines() or ["(nothing was written down)"]:
            print(f"    {line}".rstrip())


def known_tests(path=None):
    path = path or FLAKY
    return tomllib.loads(path.read_text()).get("test", []) if path.exists() else []


def faults_of_list(today, path=None):
    """What is wrong with the list of flaky tests itself."""
    tests = known_tests(path)
    if len(tests) > MOST_KNOWN:
        yield f"Tests/flaky.toml has {len(tests)} tests, more than {MOST_KNOWN}"
    for each in tests:
        name = each.get("name", "a test without a name")
        lacking = [field for field in ("part", "name", "cause", "until") if not each.get(field)]
        if lacking:
            yield f"Tests/flaky.toml: {name} lacks {' and '.join(lacking)}"
        elif each["until"] < today:
            yield f"Tests/flaky.toml: {name} was to be corrected by {each['until']}"
