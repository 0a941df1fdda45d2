"""Tests that should be marked as long, so that they leave the check of each change."""
from checking import repeats

# What a test that is not marked may take, with some latitude. Unit: seconds of processor time.
LONGEST_TEST = 1.3 * 5
# The parts whose tests the marks are for.
MARKED = ("unit-tests", "system-tests")
PROCESSORS = 2
# Each has this share of a processor, as scripts/unit-tests runs four side by side.
UNIT_TEST_SHARE = PROCESSORS / 4


def reasons(schedule):
    """Measures those that seem too long once more and alone, unless they are many; yields what is too long then, too.

    Beside other tests a test may be taken for too long: a program that others have used may end in it.
    """
    for run in schedule.ended:
        if run.part.name not in MARKED:
            continue
        seeming = too_long(run.attempts(), schedule.machine, UNIT_TEST_SHARE)
        if seeming and run.part.again and len(seeming) <= repeats.MOST_REPEATED:
            alone = repeats.run_alone(run, list(seeming), schedule, "measured")
            seeming = too_long(alone, schedule.machine, 1) | not_measured(seeming, alone)
        for test, seconds in seeming.items():
            yield f"{run.part.name}: {test} took {seconds:.1f} s and is not marked as long"


def too_long(attempts, machine, unit_test_share):
    """The times of those that are. Unit: seconds of processor time, as the reference machine counts it."""
    times = {
        each["test"]: processor_time(each, unit_test_share) / machine.slowness for each in attempts
        if each["outcome"] == "passed" and not each.get("long")}
    return {test: time for test, time in times.items() if time > LONGEST_TEST}


def processor_time(attempt, unit_test_share):
    """Of unit tests the elapsed time alone is known."""
    if "cost" not in attempt:
        return unit_test_share * attempt["seconds"]
    # A program that is no longer a test's own when it begins, but ends in it, is counted there.
    return min(attempt["cost"], PROCESSORS * attempt["seconds"])


def not_measured(times, attempts):
    """Those that did not pass then keep what they took beside others."""
    passed = {each["test"] for each in attempts if each["outcome"] == "passed"}
    return {test: time for test, time in times.items() if test not in passed}
