"""What all tests in Python share: signals as programs expect them, groups for parallel runs, a record of results."""
import json
import os
import re
import signal

import pytest

from harness import living
from harness.paths import PROGRAMS, ROOT

# A JSON line for each attempt of each test goes to this file, if it is set; scripts/check reads it.
RESULTS = os.environ.get("WAYMARK_RESULTS")
# Of a failure that may not come again: its end, where the assertion stands.
REASON_LINES = 20


def pytest_configure(config):
    # A job in the background begins with Ctrl-C ignored, one under nohup with hang-ups; programs would inherit it.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    signal.signal(signal.SIGHUP, signal.SIG_DFL)
    # Whatever ends the tests early ends what they started, too.
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    for name in ("waymark", "waymarkd"):
        if not (PROGRAMS / name).exists():
            raise pytest.UsageError(f"{PROGRAMS / name} is missing: run `make build` first")
    # The workers of a parallel run report their tests to the process that started them, which writes them down.
    if not hasattr(config, "workerinput"):
        config.pluginmanager.register(Results())


# Ahead of pytest-xdist, which reads the groups in the same hook.
@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items):
    """In a parallel run tests that share a fixture stay together, in a group named after it; others run anywhere."""
    for item in items:
        if item.get_closest_marker("xdist_group"):
            continue
        # Those of the test's own conftest files and module; pytest's own are no reason to stay together.
        shared = {
            name: definitions[-1].scope for name, definitions in item._fixtureinfo.name2fixturedefs.items()
            if definitions[-1].baseid and definitions[-1].scope != "function"}
        for_all_modules = sorted(name for name, scope in shared.items() if scope == "session")
        if shared:
            item.add_marker(pytest.mark.xdist_group(for_all_modules[0] if for_all_modules else item.path.stem))


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item, call):
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


def pytest_deselected(items):
    # Each worker of a parallel run leaves out the same tests.
    if os.environ.get("PYTEST_XDIST_WORKER", "gw0") == "gw0":
        write({"deselected": len(items)})


class Results:
    """Adds up the phases of each attempt of a test, and writes it down when it is over."""

    def __init__(self):
        self.attempts = {}

    def pytest_runtest_logreport(self, report):
        # A parallel run appends the group, behind the brackets of parameters.
        test = re.sub(r"@[^\]]*$", "", report.nodeid)
        if report.when == "setup":
            self.attempts[test] = {"test": test, "outcome": "passed", "seconds": 0.0}
        attempt = self.attempts.get(test)
        if attempt is None:
            # The teardown of an attempt that is to be repeated, and was written down when it failed.
            return
        attempt["seconds"] += report.duration
        if report.outcome == "rerun":
            attempt["outcome"] = "repeated"
            attempt["reason"] = "\n".join(report.longreprtext.splitlines()[-REASON_LINES:])
        elif report.outcome != "passed" and attempt["outcome"] != "failed":
            attempt["outcome"] = report.outcome
        if report.when == "teardown" or report.outcome == "rerun":
            write(self.attempts.pop(test))
