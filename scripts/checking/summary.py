"""What the end of a check reports, and what fails it."""
import datetime

from checking import repeats
from checking.part import ROOT, minutes

SLOWEST_SHOWN = 10
# Of its budget, a part that takes more fails the run.
MOST_OF_BUDGET = 1.3


def conclude(schedule, repeated, unmarked, left_out, whole):
    """Prints the results; returns the exit status. `unmarked` are reasons, for tests that should be marked as long."""
    runs = schedule.ended
    attempts = [(run.part.name, each) for run in runs for each in run.attempts()]
    show_times(runs, schedule.machine, whole)
    show_slowest(attempts)
    show_what_is_left_out(left_out, runs)
    repeats.show(repeated)
    passed_then = {(each.part, each.test) for each in repeated if each.passed}
    count = {
        outcome: sum(each["outcome"] == outcome for _, each in attempts) for outcome in ("passed", "failed", "skipped")}
    count["failed"] -= len(passed_then)
    count["passed"] += len(passed_then)
    reasons = [
        *failures(schedule, passed_then), *over_budget(runs, schedule.machine), *unmarked,
        *repeats.faults_of_list(datetime.date.today())]
    print()
    for reason in reasons:
        print(f"FAILED: {reason}")
    print(f"{count['passed']} passed, {count['failed']} failed, {count['skipped']} skipped", flush=True)
    return 1 if reasons or count["failed"] else 0


def failures(schedule, passed_then):
    """What is wrong with the parts themselves."""
    for run in schedule.ended:
        is_explained = run.code == repeats.TESTS_FAILED and run.failed_tests() and all(
            (run.part.name, test) in passed_then for test in run.failed_tests())
        if run.failed and not is_explained:
            yield f"{run.part.name}: see {run.log.relative_to(ROOT) if run.log.is_relative_to(ROOT) else run.log}"
        if run.part.has_tests and not run.attempts():
            yield f"{run.part.name} ran no test"
    for name in schedule.too_long:
        yield f"{name} did not end in time"
    for name in schedule.given_up:
        yield f"{name} was not run: what it needs failed, or the time was over"


def over_budget(runs, machine):
    for run in runs:
        cost = reference_cost(run, machine, without_long=True)
        if run.part.budget and cost > MOST_OF_BUDGET * run.part.budget:
            yield (
                f"{run.part.name} took {cost:.0f} s of processor time, as the reference machine counts it; its budget "
                f"is {run.part.budget} s (scripts/checking/table.py)")


def reference_cost(run, machine, without_long=False):
    """Processor time as the reference machine counts it, with or without the share of the tests marked as long, which
    differs from commit to commit. Unit: seconds."""
    long = sum(each.get("cost", 0) for each in run.attempts() if each.get("long")) if without_long else 0
    return (run.cost - long) / machine.slowness_between(run.begun, run.begun + run.seconds)


def show_times(runs, machine, whole):
    print("\nTime of each part, its processor time as the reference machine counts it, and its budget:")
    for run in sorted(runs, key=lambda run: -run.seconds):
        budget = f" of {run.part.budget:4.0f} s" if run.part.budget else ""
        print(f"  {minutes(run.seconds):>10} {reference_cost(run, machine):6.0f} s{budget:10}  {run.part.name}")
    total = sum(reference_cost(run, machine) for run in runs)
    print(f"  {minutes(whole):>10} {total:6.0f} s{'':10}  the whole, parts side by side")
    print(f"This machine took {machine.slowness:.2f} times as long as the reference machine for the same work.")


def show_slowest(attempts):
    print(f"\nThe {SLOWEST_SHOWN} slowest tests:")
    for part, attempt in sorted(attempts, key=lambda each: -each[1]["seconds"])[:SLOWEST_SHOWN]:
        print(f"  {attempt['seconds']:8.1f} s  {part}: {attempt['test']}")


def show_what_is_left_out(parts, runs):
    """Parts that are left out, and of those that ran the tests that take long."""
    absent = [part.untested for part in parts if part.untested]
    for run in reversed(runs):
        if left_out := sum(each["left_out"] for each in run.results() if "left_out" in each):
            absent.insert(0, f"{left_out} tests that take long of {run.part.name}")
    if absent:
        print("\nLEFT OUT of this run: " + "; ".join(absent))
