"""What all tests in Python share: signals as programs expect them, groups for parallel runs, a record of results."""
import json
import os
import pathlib
import re
import signal

import pytest

from checking import shard
from harness import living
from harness.paths import PROGRAMS, ROOT

# A JSON line for each attempt of each test goes to this file, if it is set; scripts/check reads it.
RESULTS = os.environ.get("WAYMARK_RESULTS")
# Which of the tests marked as long run: all by default, none, or a share of them such as 3/12.
LONG = os.environ.get("WAYMARK_LONG")
# Of a failure that may not come again: its end, where the assertion stands.
REASON_LINES = 20
# The processor time at the end of the test before, which is the beginning of the next one: to read it takes some time.
BEGUN = pytest.StashKey()


def pytest_configure(config):
    # A job in the background begins with Ctrl-C ignored, one under nohup with hang-ups; programs would inherit it.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    signal.signal(signal.SIGHUP, signal.SIG_DFL)
    # Whatever ends the tests early ends what they started, too.
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        shard.chosen([], LONG)
    except ValueError as error:
        raise pytest.UsageError(str(error)) from error
    for name in ("waymark", "waymarkd"):
        if not (PROGRAMS / name).exists():
            raise pytest.UsageError(f"{PROGRAMS / name} is missing: run `make build` first")
    config.pluginmanager.register(LongTests())
    # The workers of a parallel run report their tests to the process that started them, which writes them down.
    if not hasattr(config, "workerinput"):
        config.pluginmanager.register(Results())


# Ahead of pytest-xdist, which reads the groups in the same hook.
@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config, items):
    for item in items:
        if not item.get_closest_marker("xdist_group"):
            join_group(item)


def join_group(item):
    """In a parallel run tests that share a fixture stay together, in a group named after it; others run anywhere."""
    # Those of the test's own conftest files and module; pytest's own are no reason to stay together.
    shared = {
        name: definitions[-1].scope for name, definitions in item._fixtureinfo.name2fixturedefs.items()
        if definitions[-1].baseid and definitions[-1].scope != "function"}
    for_all_modules = sorted(name for name, scope in shared.items() if scope == "session")
    if shared:
        item.add_marker(pytest.mark.xdist_group(for_all_modules[0] if for_all_modules else item.path.stem))


def group_or_name(item):
    marker = item.get_closest_marker("xdist_group")
    return str(marker.args[0]) if marker and marker.args else item.nodeid


def processor_time():
    """Of this process, of those that it saw end, and of those that it started and that run. Unit: seconds.

    Without the last, a test that sees a program end would have the time of the earlier tests that it served.
    """
    parents, ticks = {}, {}
    for folder in pathlib.Path("/proc").glob("[0-9]*"):
        try:
            fields = folder.joinpath("stat").read_text().rpartition(")")[2].split()
        except OSError:
            # It has just ended.
            continue
        parents[int(folder.name)] = int(fields[1])
        ticks[int(folder.name)] = sum(map(int, fields[11:15]))

    def is_own(process):
        return process == os.getpid() or process in parents and is_own(parents[process])

    return sum(time for process, time in ticks.items() if is_own(process)) / os.sysconf("SC_CLK_TCK")


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item):
    if BEGUN not in item.config.stash:
        item.config.stash[BEGUN] = processor_time()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item, call):
    if call.when == "teardown":
        begun, item.config.stash[BEGUN] = item.config.stash[BEGUN], processor_time()
        item.user_properties.append(("cost", item.config.stash[BEGUN] - begun))
    report = yield
    if report.failed:
        living.report_failure(report)
    return report


def pytest_sessionfinish():
    living.end_all()


def write(line):
    if RESULTS:
        with open(ROOT / RESULTS, "a", encoding="utf-8") as file:
            file.write(json.dumps(line) + "\n")


class LongTests:
    """Keeps those that WAYMARK_LONG chooses; the tests of a group are chosen together."""

    # Among what marks and names have chosen.
    @pytest.hookimpl(trylast=True)
    def pytest_collection_modifyitems(self, config, items):
        long = {item: group_or_name(item) for item in items if item.get_closest_marker("long")}
        chosen = shard.chosen(set(long.values()), LONG)
        left_out = [item for item, name in long.items() if name not in chosen]
        if not left_out:
            return
        config.hook.pytest_deselected(items=left_out)
        items[:] = [item for item in items if long.get(item, "") in {"", *chosen}]
        # Each worker of a parallel run leaves out the same tests.
        if os.environ.get("PYTEST_XDIST_WORKER", "gw0") == "gw0":
            write({"left_out": len(left_out)})


class Results:
    """Adds up the phases of each test, and writes it down when it is over."""

    def __init__(self):
        self.attempts = {}

    def pytest_runtest_logreport(self, report):
        # A parallel run appends the group, behind the brackets of parameters.
        test = re.sub(r"@[^\]]*$", "", report.nodeid)
        attempt = self.attempts.setdefault(
            test, {"test": test, "outcome": "passed", "seconds": 0.0, "long": "long" in report.keywords})
        attempt["seconds"] += report.duration
        if report.outcome != "passed" and attempt["outcome"] != "failed":
            attempt["outcome"] = report.outcome
        if report.failed:
            attempt["reason"] = "\n".join(report.longreprtext.splitlines()[-REASON_LINES:])
        if report.when == "teardown":
            attempt.update(report.user_properties)
            write(self.attempts.pop(test))
