"""The parts of the check, in the order in which they start.

Budgets are a quarter above what a check of each change took on two virtual processors of 2026.
"""
import dataclasses
import re

from checking.part import ROOT, Part

# With the compiled test modules kept, and in the build folder.
PYTEST = (
    "env", "PYTHONDONTWRITEBYTECODE=", f"PYTHONPYCACHEPREFIX={ROOT / '.build/pycache'}", ".build/venv/bin/python", "-m",
    "pytest", "-q", "-rs")
# Most tests of the real programs wait for most of their time.
SIDE_BY_SIDE = ("-n", "6", "--dist", "loadgroup")

# What has a library of C behind it, which is another on Debian 13; golden walks stand for the modules of pure Swift.
LIBRARY_MODULES = (
    "Calibration Configuration Documents Fleet Geometry JSON Persistence Recording Sensors").split()
GOLDEN_WALKS = "^EngineTests.GoldenTests"


def make(*arguments):
    return ("make", "--no-print-directory", *arguments)


def debian13(*command, **variables):
    """A command on Debian 13, which has these environment variables."""
    return ("env", *(f"{name}={value}" for name, value in variables.items()), "scripts/check-debian13", "run", *command)


def unit_tests(*patterns):
    return ("env", "WAYMARK_PYTHON=.build/venv/bin/python", "scripts/unit-tests", *patterns)


def unit_tests_again(tests):
    """One process for each; tests of one process run one after the other."""
    return unit_tests(*("^" + re.escape(test) for test in tests))


def pytest_again(tests):
    """pytest names tests by the folder of its settings."""
    return (*PYTEST, *(f"Tests/{test}" for test in tests))


def on_debian13(again):
    return lambda tests: debian13(*again(tests))


def packages(*more):
    """What the browser, the guest, the package, arm64 and the bench need may be missing; their tests are then skipped and
    say why."""
    groups = ("browser", "package", "board", "arm64", "bench", "debian13", "container", *more)
    return Part(
        "packages", ("sh", "-c", f"for group in {' '.join(groups)}; do scripts/require $group || :; done"), weight=0)


COMMON = (
    Part("manual", make("man"), weight=0),
    Part("build", make("build-tests"), ("manual",), weight=2, budget=1900),
    Part("venv", ("scripts/venv",), budget=60),
    Part("lint", make("lint"), ("manual",), budget=40),
    Part("units", make("units"), ("build",)),
)
# For processes that run side by side, each of which would compile them: a tenth of what the tests take.
TEST_MODULES = Part("test-modules", (*PYTEST, "--collect-only", "Tests/System"), ("build", "venv"), budget=20)
UNIT_TESTS = Part(
    "unit-tests", unit_tests(), ("build", "venv"), weight=2, has_tests=True, again=unit_tests_again,
    untested="unit tests", budget=450)
# Behind all that writes into the manual pages, as some of them do.
SYSTEM_TESTS = Part(
    "system-tests", (*PYTEST, *SIDE_BY_SIDE, "Tests/System"), ("build", "lint", "packages", "test-modules"), weight=2,
    has_tests=True, again=pytest_again, untested="tests of the real programs", budget=750)
FUZZ = Part("fuzz", make("fuzz", "SECONDS=20"), ("build",), weight=2, is_patient=True, untested="made-up inputs")
GUEST_FILES = Part("guest-files", ("scripts/board-prepare",), ("packages",), is_patient=True, budget=100)


def board(name, *command, untested, budget=0):
    return Part(
        name, (*command, "Tests/Board"), ("build", "venv", "guest-files"), has_tests=True, again=pytest_again,
        untested=untested, is_patient=True, budget=budget)


WITHOUT_LONG = ("env", "WAYMARK_LONG=none")
BOARD_TESTS = board(
    "board-tests", *PYTEST, "-m", "board", untested="tests on a board in a guest, with systemd and udev")
# Of one boot.
SHORT_BOARD_TESTS = board(
    "board-tests", *WITHOUT_LONG, *PYTEST, "-m", "board", untested=BOARD_TESTS.untested, budget=450)
KERNEL_TESTS = board(
    "kernel-tests", *PYTEST, "-m", "not board", untested="tests on a real kernel in a guest, and the fault drill")

# What takes long computes, and would for hours there; but for damaged files that libraries of C are given.
SANITIZED = """
WAYMARK_LONG=none make --no-print-directory check-sanitized
make --no-print-directory check-sanitized KIND=address TESTS='Documents Persistence'
"""
# Each is a build of its own, or time; the quickest first.
IN_DEPTH = (
    Part(
        "soak", make("soak", "MINUTES=10"), ("build", "venv"),
        untested="ten minutes of clients and failing sensors"),
    Part(
        "arm64", make("check-arm64"), ("build", "venv", "packages"), weight=2, is_patient=True,
        untested="programs and pure modules for arm64"),
    Part("mutations", make("mutations"), ("build", "venv"), weight=2, is_patient=True, untested="mutations"),
    Part(
        "sanitized", ("sh", "-ec", SANITIZED), ("build", "venv"), weight=2, is_patient=True,
        untested="unit tests under sanitizers"),
)

DEBIAN13_ROOT = Part("debian13-root", ("scripts/check-debian13", "prepare"), ("packages",), is_patient=True, budget=120)


def modules_with(text):
    """Test modules in which this stands; to read the others takes as long as a fifth of their tests."""
    return sorted(
        str(path.relative_to(ROOT)) for path in (ROOT / "Tests/System").glob("test_*.py") if text in path.read_text())


def debian13_tests(mark, *folders, **variables):
    return (
        Part("debian13-units", debian13(*make("units")), ("debian13-build",)),
        Part(
            "debian13-unit-tests", debian13(*unit_tests(*LIBRARY_MODULES, GOLDEN_WALKS), **variables),
            ("debian13-build",), has_tests=True, again=on_debian13(unit_tests_again),
            untested="unit tests on Debian 13", budget=160),
        Part(
            "debian13-system-tests", debian13(*PYTEST, *SIDE_BY_SIDE, "-m", mark, *folders, **variables),
            ("debian13-build",), weight=2, has_tests=True, again=on_debian13(pytest_again),
            untested="tests of the real programs on Debian 13", budget=350),
    )


# What another version of a library can break, from the objects of Debian 12: C is compiled there, all is linked there.
DEBIAN13_LINKED = Part(
    "debian13-build",
    debian13("sh", "-c", "scripts/venv && make --no-print-directory link-debian13"),
    ("debian13-root", "build"), is_patient=True, budget=95)
DEBIAN13_COMPILED = Part(
    "debian13-build", debian13(
        "sh", "-c", "scripts/venv && scripts/debian13-link --remove && make --no-print-directory build-tests",
        WAYMARK_TEST_MODULES=" ".join((*LIBRARY_MODULES, "Engine"))),
    ("debian13-root",), weight=2, is_patient=True)

# The board first: one guest is one processor's work, and the longest that waits for nothing else.
EACH_CHANGE = (
    packages(), *COMMON, GUEST_FILES, DEBIAN13_ROOT, SHORT_BOARD_TESTS, TEST_MODULES, SYSTEM_TESTS, UNIT_TESTS, DEBIAN13_LINKED,
    *debian13_tests("library", *modules_with("mark.library"), WAYMARK_LONG="none"))
# What is too large to be loaded for each change.
LARGE = {"venv": ("scripts/venv", "--large")}
# Budgets are those of a check of each change.
FULL = tuple(dataclasses.replace(each, budget=0, command=LARGE.get(each.name, each.command)) for each in (
    packages("outside"), *COMMON, GUEST_FILES, DEBIAN13_ROOT, TEST_MODULES, SYSTEM_TESTS, UNIT_TESTS, BOARD_TESTS, KERNEL_TESTS, FUZZ,
    DEBIAN13_COMPILED, *debian13_tests("not pure", "Tests/System"), *IN_DEPTH))
ON_DEBIAN13 = {part.name for part in FULL if part.name.startswith("debian13")}
QUICK = {"manual", "venv", "build", "lint", "units", "unit-tests", "test-modules", "system-tests"}


def with_needed(parts, names):
    """Of these parts those of these names and, transitively, what they need, in their order."""
    wanted = set(names)
    for part in reversed(parts):
        if part.name in wanted:
            wanted.update(part.needs)
    return [part for part in parts if part.name in wanted]
