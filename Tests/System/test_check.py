"""scripts/check: what runs after what, what is repeated, what fails a run, and what its end reports."""
import datetime
import itertools
import json
import os
import pathlib
import re
import shlex
import shutil
import signal
import subprocess
import sys
import time

import pytest

from checking import part as parts
from checking import cache, repeats, shard, summary, table, unmarked
from checking.machine import REFERENCE, Machine
from checking.part import Part
from checking.schedule import Schedule
from harness.paths import ROOT, SUPPORT
from harness.waiting import wait_until

pytestmark = pytest.mark.pure

NO_LIMIT = 1e9


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    """Parts keep their files in a folder of the test's own."""
    found = tmp_path / "check"
    found.mkdir()
    for module in (parts, repeats, summary):
        monkeypatch.setattr(module, "ROOT", tmp_path)
        if hasattr(module, "FOLDER"):
            monkeypatch.setattr(module, "FOLDER", found)
    monkeypatch.setattr(repeats, "FLAKY", tmp_path / "flaky.toml")
    return found


def machine(slowness=1.0):
    """One that took this much longer than the reference machine for its fixed work."""
    made = Machine()
    made.measured = [(time.monotonic(), slowness * REFERENCE)]
    made.measure = lambda: None
    return made


def part(name, script, needs=(), **options):
    return Part(name, ("sh", "-c", script), needs, **options)


def with_results(*outcomes, name="test"):
    """A shell script of a part whose tests end so."""
    return with_attempts(*(
        {"test": f"{name}{number}", "outcome": outcome, "seconds": number} for number, outcome in enumerate(outcomes)))


def with_attempts(*attempts):
    """The same, whose tests write exactly this."""
    lines = " ".join(shlex.quote(json.dumps(each)) for each in attempts)
    status = any(each.get("outcome") == "failed" for each in attempts)
    return f"printf '%s\\n' {lines} >\"$WAYMARK_RESULTS\"; exit {int(status)}"


def passing_again(tests):
    """The command of a part whose failed tests pass when they are repeated."""
    return ("sh", "-c", with_attempts(*({"test": test, "outcome": "passed", "seconds": 1} for test in tests)))


def failing_again(tests):
    return ("sh", "-c", with_attempts(*(
        {"test": test, "outcome": "failed", "seconds": 1, "reason": "once more"} for test in tests)))


def run(*chosen, slowness=1.0, most_minutes=NO_LIMIT, is_full=False, left_out=()):
    schedule = Schedule(chosen, dict(os.environ), machine(slowness), most_minutes)
    schedule.run()
    repeated = repeats.repeat(schedule)
    repeats.keep(repeated, "1234")
    long = list(unmarked.reasons(schedule)) if is_full else []
    return summary.conclude(schedule, repeated, long, left_out, 1.0)


def test_a_part_starts_after_what_it_needs_and_the_sum_is_the_last_line(capfd):
    status = run(
        part("first", "sleep 0.5; touch made"), part("second", "test -e made", ["first"]),
        part("third", with_results("passed", "skipped", "passed"), has_tests=True))
    said = capfd.readouterr().out.splitlines()
    assert status == 0, said
    assert said[-1] == "2 passed, 0 failed, 1 skipped"
    assert "FAILED" not in "\n".join(said)


def test_the_time_of_each_part_and_the_slowest_tests_stand_at_the_end(capfd):
    run(part("only", with_results(*["passed"] * 12), has_tests=True))
    said = capfd.readouterr().out
    assert re.search(r"0:\d\d min +\d+ s +only", said)
    slowest = [line.split()[-1] for line in said.splitlines() if " s  only: " in line]
    assert slowest == [f"test{number}" for number in range(11, 1, -1)]


def test_what_needs_a_part_that_failed_is_not_run_and_the_run_fails(tmp_path, capfd):
    status = run(
        part("first", "echo so wrong; exit 3"), part("second", "touch ran", ["first"]),
        part("third", "touch ran", ["second"]))
    said = capfd.readouterr().out
    assert status == 1
    assert "so wrong" in said and "first: see check/first.log" in said
    assert "second was not run" in said and "third was not run" in said
    assert not (tmp_path / "ran").exists()


def test_a_failed_test_is_repeated_when_all_else_has_ended_and_named_with_what_it_had_failed_with(folder, capfd):
    failed = {"test": "drill", "outcome": "failed", "seconds": 1, "reason": "E  off by 12.3\nfile.py:7: AssertionError"}
    status = run(
        part("some", with_attempts(failed), has_tests=True, again=lambda tests: (
            "sh", "-c", f"test -e others-are-done && {passing_again(tests)[2]}")),
        part("others", "sleep 0.5; touch others-are-done"))
    said = capfd.readouterr().out
    assert status == 0, said
    assert said.split("DEFECT: ")[1].splitlines()[:4] == [
        "a test had to be repeated, and passed then: some: drill", "  it had failed with:", "    E  off by 12.3",
        "    file.py:7: AssertionError"]
    assert said.splitlines()[-1] == "1 passed, 0 failed, 0 skipped"
    [kept] = map(json.loads, (folder / "flaky.jsonl").read_text().splitlines())
    assert (kept["commit"], kept["part"], kept["test"]) == ("1234", "some", "drill") and "off by" in kept["reason"]


def test_a_test_that_fails_again_fails_the_run(folder, capfd):
    assert run(part("broken", with_results("failed", "passed"), has_tests=True, again=failing_again)) == 1
    said = capfd.readouterr().out
    assert "failed again: broken: test0" in said and said.splitlines()[-1] == "1 passed, 1 failed, 0 skipped"
    assert (folder / "flaky.jsonl").read_text() == ""


def test_of_two_tests_that_are_repeated_each_has_its_own_result(folder, capfd):
    again = with_attempts(
        {"test": "test0", "outcome": "failed", "seconds": 1}, {"test": "test1", "outcome": "passed", "seconds": 1})
    broken = part("some", with_results("failed", "failed"), has_tests=True, again=lambda _: ("sh", "-c", again))
    assert run(broken) == 1
    said = capfd.readouterr().out
    assert "failed again: some: test0" in said and "passed then: some: test1" in said
    assert said.splitlines()[-1] == "1 passed, 1 failed, 0 skipped"


@pytest.mark.parametrize("failed, tests, expected", [(3, 8, 0), (4, 8, 1), (4, 400, 0), (5, 400, 1)])
def test_more_than_three_failed_tests_or_one_in_a_hundred_are_not_repeated(capfd, failed, tests, expected):
    outcomes = ["failed"] * failed + ["passed"] * (tests - failed)
    assert run(part("some", with_results(*outcomes), has_tests=True, again=passing_again)) == expected
    assert capfd.readouterr().out.count("DEFECT") == (0 if expected else failed)


def test_a_part_that_crashed_is_not_repeated(capfd):
    script = with_results("failed").replace("exit 1", "exit 139")
    assert run(part("crashing", script, has_tests=True, again=passing_again)) == 1
    assert "DEFECT" not in capfd.readouterr().out


KNOWN = """[[test]]
part = "some"
name = "test{number}"
cause = "the relay closes too early"
until = {until}
"""


def test_tests_that_are_known_to_be_flaky_are_repeated_beside_others(capfd):
    later = datetime.date.today() + datetime.timedelta(days=1)
    repeats.FLAKY.write_text("".join(KNOWN.format(number=number, until=later) for number in range(2)))
    script = with_results(*["failed"] * 5, "passed")
    assert run(part("some", script, has_tests=True, again=passing_again)) == 0
    assert capfd.readouterr().out.count("DEFECT") == 5


@pytest.mark.parametrize("text, fault", [
    (KNOWN.format(number=1, until="2020-02-02"), "test1 was to be corrected by 2020-02-02"),
    ('[[test]]\npart = "some"\nname = "test1"\nuntil = 2999-01-01\n', "test1 lacks cause"),
    (KNOWN.format(number=1, until="2999-01-01") * 11, "11 tests, more than 10"),
])
def test_the_list_of_flaky_tests_is_short_and_explains_each_until_a_date(capfd, text, fault):
    repeats.FLAKY.write_text(text)
    assert run(part("fine", with_results("passed"), has_tests=True)) == 1
    assert fault in capfd.readouterr().out


def test_the_list_of_flaky_tests_is_as_it_should_be():
    assert list(repeats.faults_of_list(datetime.date.today(), ROOT / "Tests/flaky.toml")) == []


@pytest.mark.parametrize("workers", [[], ["-n", "1"]], ids=["alone", "parallel"])
def test_each_test_is_written_down_with_its_cost_and_the_end_of_its_failure(tmp_path, workers):
    (tmp_path / "test_some.py").write_text("""import pytest


@pytest.mark.long
def test_working():
    sum(number * number for number in range(3_000_000))


def test_failing():
    assert False, "\\n".join(f"line {number}" for number in range(100)) + "\\nthe last of a long reason"


def test_left_out():
    pytest.skip("not here")
""")
    (tmp_path / "pytest.ini").write_text("[pytest]\nmarkers =\n    long: takes long\n")
    results = run_pytest(tmp_path, *workers)
    assert [results[name]["outcome"] for name in ("working", "failing", "left_out")] == ["passed", "failed", "skipped"]
    assert results["working"]["long"] and not results["failing"]["long"]
    assert results["working"]["cost"] > results["left_out"]["cost"]
    lines = results["failing"]["reason"].splitlines()
    assert len(lines) == 20 and any(line.endswith("the last of a long reason") for line in lines)
    assert lines[-1].endswith("AssertionError") and "reason" not in results["working"]


@pytest.mark.parametrize("share, expected", [
    ("all", {"a", "b", "c0", "c1"}), ("none", {"a"}), ("1/2", {"a", "b"}), ("2/2", {"a", "c0", "c1"})])
def test_of_long_tests_a_share_runs_and_those_of_a_group_together(tmp_path, share, expected):
    (tmp_path / "test_some.py").write_text("""import pytest


def test_a():
    pass


@pytest.mark.long
@pytest.mark.xdist_group("b")
def test_b():
    pass


@pytest.mark.long
@pytest.mark.xdist_group("c")
def test_c0():
    pass


@pytest.mark.long
@pytest.mark.xdist_group("c")
def test_c1():
    pass
""")
    (tmp_path / "pytest.ini").write_text("[pytest]\nmarkers =\n    long: takes long\n")
    assert set(run_pytest(tmp_path, WAYMARK_LONG=share)) == expected


def test_tests_that_a_mark_leaves_out_are_not_counted_among_those_that_take_long(tmp_path):
    (tmp_path / "test_some.py").write_text("""import pytest


@pytest.mark.long
def test_long():
    pass


@pytest.mark.long
@pytest.mark.other
def test_other():
    pass


@pytest.mark.other
def test_short():
    pass
""")
    (tmp_path / "pytest.ini").write_text("[pytest]\nmarkers =\n    long: takes long\n    other: another\n")
    assert set(run_pytest(tmp_path, "-m", "other", WAYMARK_LONG="none")) == {"short"}
    lines = map(json.loads, (tmp_path / "results.jsonl").read_text().splitlines())
    assert [line["left_out"] for line in lines if "left_out" in line] == [1]


def run_pytest(folder, *options, **variables):
    """The results of the tests in a folder, by their names, as the conftest of all tests writes them."""
    results = folder / "results.jsonl"
    # They are not run by the worker that runs this test.
    outer = {name: value for name, value in os.environ.items() if not name.startswith("PYTEST_")}
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "conftest", *options, folder], cwd=folder, capture_output=True,
        text=True,
        env={**outer, "PYTHONPATH": f"{ROOT}/Tests:{ROOT}/scripts:{SUPPORT}", "WAYMARK_RESULTS": str(results),
             "WAYMARK_LONG": "all", **variables})
    assert done.returncode in (0, 1), done.stdout + done.stderr
    lines = map(json.loads, results.read_text().splitlines())
    return {line["test"].partition("::test_")[2]: line for line in lines if "test" in line}


def test_a_part_that_ran_no_test_fails_the_run(capfd):
    assert run(part("empty", "true", has_tests=True)) == 1
    assert "empty ran no test" in capfd.readouterr().out


def test_a_part_that_runs_tests_for_a_purpose_of_its_own_is_not_asked_for_results(monkeypatch):
    # The check above this test asks for them.
    monkeypatch.delenv("WAYMARK_RESULTS", raising=False)
    assert run(part("mutations", "test -z \"${WAYMARK_RESULTS:-}\"")) == 0


def test_a_failed_test_fails_the_run_whatever_its_part_ended_with(capfd):
    script = with_results("passed", "failed").replace("exit 1", "exit 0")
    assert run(part("kind", script, has_tests=True)) == 1
    assert capfd.readouterr().out.splitlines()[-1] == "1 passed, 1 failed, 0 skipped"


WORK = f"{sys.executable} -c 'import time\nwhile time.process_time() < 1.5: pass'"


@pytest.mark.parametrize("budget, slowness, expected", [(1, 1, 1), (1, 2, 0), (10, 1, 0), (0, 1, 0)])
def test_a_part_that_takes_more_than_its_budget_fails_the_run(capfd, budget, slowness, expected):
    """By the time that the reference machine would have taken."""
    assert run(part("work", WORK, budget=budget), slowness=slowness) == expected
    assert ("work took" in capfd.readouterr().out) == bool(expected)


def test_tests_marked_as_long_do_not_count_against_the_budget(capfd):
    attempts = [{"test": "drill", "outcome": "passed", "seconds": 1, "cost": 1.4, "long": True}]
    script = f"{WORK}\n{with_attempts(*attempts)}"
    assert run(part("work", script, has_tests=True, budget=1)) == 0
    assert "work took" not in capfd.readouterr().out


def test_a_part_is_measured_by_the_machine_of_its_own_time():
    made = Machine()
    made.measured = [(0, REFERENCE), (60, 3 * REFERENCE), (90, 3 * REFERENCE)]
    assert [made.slowness_between(*times) for times in [(0, 30), (50, 100), (70, 80)]] == pytest.approx([1, 3, 7 / 3])


@pytest.mark.skipif(not os.path.exists("/proc/self/autogroup"), reason="this kernel does not group by sessions")
@pytest.mark.parametrize("is_patient", [False, True])
def test_a_patient_part_gives_way_as_a_whole_to_those_that_wait_for_events(tmp_path, is_patient):
    """With what it starts, which may take another nice value; the group that these share has one of its own."""
    value = parts.PATIENCE if is_patient else 0
    is_so = f"until grep -q 'nice {value}$' /proc/self/autogroup; do sleep 0.02; done"
    assert run(part("builds", f"sh -c \"{is_so}\"; touch seen", is_patient=is_patient), most_minutes=1) == 0
    assert (tmp_path / "seen").exists()


def test_a_run_ends_itself_and_names_the_part_that_was_under_way(capfd):
    assert run(part("endless", "sleep 1000 & wait"), part("next", "true", ["endless"]), most_minutes=1e-5) == 1
    said = capfd.readouterr().out
    assert "endless did not end in time" in said and "next was not run" in said


@pytest.mark.parametrize("is_full, name, changes, expected", [
    (True, "unit-tests", {}, 1), (True, "system-tests", {"cost": 7.0}, 1), (True, "unit-tests", {"long": True}, 0),
    (False, "unit-tests", {}, 0), (True, "kernel-tests", {}, 0), (True, "system-tests", {"cost": 1.0}, 0),
    # Of programs that another test left.
    (True, "system-tests", {"cost": 70.0, "seconds": 1}, 0)])
def test_a_full_run_fails_where_a_long_test_is_not_marked(capfd, is_full, name, changes, expected):
    attempt = {"test": "slow", "outcome": "passed", "seconds": 60, **changes}
    assert run(part(name, with_attempts(attempt), has_tests=True), is_full=is_full) == expected
    assert ("and is not marked" in capfd.readouterr().out) == bool(expected)


@pytest.mark.parametrize("then, expected", [
    ({"outcome": "passed", "cost": 1.6}, None), ({"outcome": "passed", "cost": 8.0}, "took 8.0 s"),
    ({"outcome": "failed", "cost": 1.6}, "took 19.4 s")])
def test_a_test_that_seems_long_beside_others_is_measured_again_alone(capfd, then, expected):
    slow = {"test": "slow", "outcome": "passed", "seconds": 60, "cost": 19.4}
    script = with_attempts(slow, {**slow, "test": "quick", "cost": 1.0})
    system_tests = part("system-tests", script, has_tests=True, again=lambda tests: (
        "sh", "-c", with_attempts(*({"test": test, "seconds": 60, **then} for test in tests))))
    assert run(system_tests, is_full=True) == int(expected is not None)
    said = capfd.readouterr().out
    assert "measured, alone: system-tests: slow\n" in said
    assert f"slow {expected} and is not marked" in said if expected else "is not marked" not in said
    assert said.splitlines()[-1] == "2 passed, 0 failed, 0 skipped"


def test_many_tests_that_are_not_marked_are_not_measured_again(capfd):
    attempts = [{"test": f"slow{number}", "outcome": "passed", "seconds": 60} for number in range(4)]
    unit_tests = part("unit-tests", with_attempts(*attempts), has_tests=True, again=passing_again)
    assert run(unit_tests, is_full=True) == 1
    said = capfd.readouterr().out
    assert said.count("took 30.0 s and is not marked as long") == 4 and "measured" not in said


def test_all_shares_together_have_each_long_test_once():
    names = [f"test{number}" for number in range(100)]
    shares = [shard.chosen(names, shard.variable(index)) for index in range(1, shard.SHARDS + 1)]
    assert sorted(name for share in shares for name in share) == sorted(names)
    assert max(map(len, shares)) - min(map(len, shares)) <= 1


def test_each_commit_has_a_share():
    assert {shard.number(f"{number:08x}ffff") for number in range(100)} == set(range(1, shard.SHARDS + 1))


@pytest.mark.parametrize("text", ["0/12", "13/12", "some", "3/", "-1/12"])
def test_a_share_that_does_not_exist_is_refused(text):
    with pytest.raises(ValueError, match="may be all, none, or a share"):
        shard.chosen(["a"], text)


def test_a_check_of_a_share_that_does_not_exist_begins_nothing():
    done = subprocess.run(
        [ROOT / "scripts/check"], env={**os.environ, "WAYMARK_LONG": "13/12"}, capture_output=True, text=True)
    assert done.returncode == 2 and "may be all, none, or a share" in done.stderr and not done.stdout, done


@pytest.mark.parametrize("is_linked", [True, False])
def test_before_all_is_compiled_on_debian_13_links_to_objects_are_removed_and_a_build_is_kept(tmp_path, is_linked):
    folder = tmp_path / ".build/x86_64/release/Model.build"
    folder.mkdir(parents=True)
    (tmp_path / ".build/release").symlink_to("x86_64/release")
    made = folder / "Pose.swift.o"
    made.symlink_to("/of/debian12") if is_linked else made.touch()
    subprocess.run([ROOT / "scripts/debian13-link", "--remove"], cwd=tmp_path, check=True)
    assert made.exists() != is_linked and not made.is_symlink()


def test_the_parts_can_be_listed():
    for options, expected in (
            ([], {"lint", "build", "unit-tests", "system-tests", "board-tests", "debian13-system-tests"}),
            (["--full"], {"fuzz", "kernel-tests", "soak", "arm64", "mutations", "sanitized"})):
        listed = subprocess.run(
            [ROOT / "scripts/check", "--list", *options], capture_output=True, text=True, check=True).stdout.split()
        assert expected <= set(listed)


def test_what_was_left_out_is_named(capfd):
    script = "echo '{\"left_out\": 17}' >\"$WAYMARK_RESULTS\""
    deselecting = part("system-tests", script, has_tests=True)
    left_out = [each for each in table.FULL if each.name not in table.QUICK]
    run(deselecting, left_out=left_out)
    said = capfd.readouterr().out
    for each in ("LEFT OUT", "17 tests that take long of system-tests", "guest", "Debian 13"):
        assert each in said


def test_a_part_that_does_not_exist_is_a_usage_error():
    done = subprocess.run([ROOT / "scripts/check", "everything"], capture_output=True, text=True)
    assert done.returncode == 2 and "unit-tests" in done.stderr


@pytest.mark.parametrize("tier", [table.EACH_CHANGE, table.FULL], ids=["each change", "full"])
def test_the_parts_of_the_real_check_need_only_parts_above_them(tier):
    above = set()
    for each in tier:
        assert set(each.needs) <= above, each.name
        above.add(each.name)
    assert {each.name for each in table.with_needed(tier, ["system-tests"])} == {
        "system-tests", "build", "lint", "manual", "packages", "test-modules", "venv"}
    assert table.QUICK <= above


def copy_with_part(folder, script):
    """A clone of a repository of the check alone, with one part."""
    shutil.copytree(ROOT / "scripts/checking", folder / "scripts/checking")
    shutil.copy(ROOT / "scripts/check", folder / "scripts/check")
    with open(folder / "scripts/checking/table.py", "a") as file:
        file.write(f"EACH_CHANGE = (Part('only', ('sh', '-c', {script!r})),)\n")
    return folder


def commit(folder, ignoring):
    """Commits all that is there, by a hash with which a cache is ignored or not."""
    git = ["git", "-c", "user.name=a", "-c", "user.email=a@localhost", "-c", "commit.gpgsign=false", "-C", folder]
    subprocess.run([*git, "init", "-q"], check=True)
    subprocess.run([*git, "add", "-A"], check=True)
    for attempt in itertools.count():
        change = "--amend" if attempt else "--allow-empty"
        subprocess.run([*git, "commit", "-q", change, "-m", f"{attempt}"], check=True)
        name = subprocess.run([*git, "rev-parse", "HEAD"], check=True, capture_output=True, text=True).stdout.strip()
        if cache.is_ignored(name) == ignoring:
            return


def check_with_cache(folder, cached):
    done = subprocess.run(
        [folder / "scripts/check"], env={**os.environ, "WAYMARK_CACHE": str(cached)}, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_a_cache_keeps_what_was_built_and_the_times_of_what_is_the_same(tmp_path):
    script = "echo built >>.build/made"
    for number in (1, 2):
        clone = copy_with_part(tmp_path / f"clone{number}", script)
        (clone / "same").write_text("same")
        (clone / f"only{number}").write_text("another")
        commit(clone, ignoring=False)
        said = check_with_cache(clone, tmp_path / "cache")
        [tree] = (tmp_path / "cache").glob("*/tree")
        assert f"in {tree}" in said and not (clone / ".build").exists()
        if number == 1:
            first = (tree / "same").stat().st_mtime_ns
    assert (tree / ".build/made").read_text() == "built\nbuilt\n"
    assert (tree / "same").stat().st_mtime_ns == first
    assert (tree / "only2").exists() and not (tree / "only1").exists()


def test_one_run_in_ten_and_one_beside_another_use_no_cache(tmp_path):
    clone = copy_with_part(tmp_path / "clone", "touch .build/made")
    commit(clone, ignoring=True)
    assert "builds everything" in check_with_cache(clone, tmp_path / "cache")
    assert (clone / ".build/made").exists() and not (tmp_path / "cache").exists()
    commit(clone, ignoring=False)
    folder = tmp_path / "cache" / cache.key()
    folder.mkdir(parents=True)
    lock = cache.take_lock(folder)
    assert "another check works" in check_with_cache(clone, tmp_path / "cache")
    os.close(lock)
    assert "tree" in check_with_cache(clone, tmp_path / "cache")


def test_a_cache_is_of_one_compiler_and_system():
    assert len({cache.key(b"6.3", b"12"), cache.key(b"6.4", b"12"), cache.key(b"6.3", b"13")}) == 3
    assert sum(cache.is_ignored(f"{number:016x}") for number in range(1000)) == 100
    assert cache.is_ignored(None)


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_an_interrupted_check_ends_all_that_it_started(tmp_path, number):
    """In a copy, whose only part is a child that would go on for long."""
    # A background job of a shell takes no notice of an interrupt.
    copy_with_part(tmp_path, "sleep 1000 & echo $! >pid; wait")
    started = subprocess.Popen(
        [sys.executable, tmp_path / "scripts/check", "only"], cwd=tmp_path, stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE)
    pid = tmp_path / "pid"
    wait_until(lambda: pid.exists() and pid.read_text().strip(), what="the part to start")
    started.send_signal(number)
    _, errors = started.communicate(timeout=60)
    assert started.returncode == 130 and b"interrupted" in errors
    wait_until(lambda: not pathlib.Path(f"/proc/{pid.read_text().strip()}").exists(), what="the end of its child")


PATCHES = sorted((ROOT / "Tests/Mutations").glob("*.patch"))


def test_there_are_twenty_mutations():
    assert len(PATCHES) >= 20


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


@pytest.mark.skipif(not shutil.which(os.environ.get("SWIFT", "swift")), reason="needs swift")
def test_a_dependency_on_a_later_street_is_named(tmp_path):
    (tmp_path / "Package.swift").write_text(
        "// swift-tools-version: 6.0\nimport PackageDescription\n"
        'let package = Package(name: "some", targets: [.target(name: "Low", dependencies: ["High"], path: "Sources/Core/Low"),\n'
        '    .target(name: "High", dependencies: ["Same"], path: "Sources/Daemon/High"),\n'
        '    .target(name: "Same", path: "Sources/Daemon/Same")])\n')
    for name, source in (("Core/Low", "import High"), ("Daemon/High", "import Same"), ("Daemon/Same", "")):
        (tmp_path / "Sources" / name).mkdir(parents=True)
        (tmp_path / "Sources" / name / "One.swift").write_text(source + "\n")
    done = subprocess.run([ROOT / "scripts/dependencies", tmp_path], stdout=subprocess.PIPE, text=True)
    assert done.stdout.splitlines() == ["Package.swift: Low in Core depends on High in Daemon, which is a later street"]
    assert done.returncode == 1


def test_each_public_declaration_without_a_doc_comment_and_each_unknown_parameter_is_named(tmp_path):
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
    (tmp_path / "Near/One.swift").write_text("""
/// A thing.
/// - Parameters:
///   - size: in metres.
///   - colour: of the outside.
public func thing(
    of size: Double, _ named: String
) {}
/// Another.
/// - Parameter name: its name.
func other(_ name: String) {}
""")
    done = subprocess.run([ROOT / "scripts/undocumented", tmp_path], stdout=subprocess.PIPE, text=True)
    [line] = done.stdout.splitlines()
    assert line.endswith("Near/One.swift:5: no such parameter: colour") and done.returncode == 1
    (tmp_path / "Near/One.swift").write_text("/// A thing.\npublic struct Thing {}\n")
    done = subprocess.run([ROOT / "scripts/undocumented", tmp_path], stdout=subprocess.PIPE, text=True)
    assert not done.stdout and done.returncode == 0


@pytest.mark.parametrize("name, text, lines", [
    ("short.py", """
import time
def test_one():
    begun = time.monotonic()
    assert time.monotonic() - begun >= 0.5, "lasts at least"
    assert time.monotonic() - begun < 3
    took = time.perf_counter() - begun
    assert (
        not took > 3)
    assert abs(begun - time.time()) < 60
""", [6, 8, 10]),
    ("allowed.py", """
import time
def test_two():
    begun = time.monotonic()
    took = time.monotonic() - begun
    assert 3 < took and not took <= 3 and begun <= time.monotonic()
    assert took < 3  # wall time: of a fixed delay
    assert took < 3  # wall time:
def test_three(took):
    assert took < 3, "measured by another clock"
""", [8]),
    ("Some.swift", """
    #expect(ContinuousClock.now - begun >= .seconds(1))
    #expect(
        watch.elapsed
            < .seconds(3))
    let found = try #require(.seconds(3) > watch.elapsed ? 1 : nil)
    #expect(watch.elapsed < .seconds(3))  // wall time: of a fixed delay
""", [3, 6])])
def test_an_upper_bound_on_a_measured_time_is_named_unless_it_has_a_reason(tmp_path, name, text, lines):
    (tmp_path / name).write_text(text)
    done = subprocess.run([ROOT / "scripts/clocks", tmp_path], stdout=subprocess.PIPE, text=True)
    assert [int(line.split(":")[1]) for line in done.stdout.splitlines()] == lines
    assert done.returncode == 1


def test_a_readme_names_files_that_there_are():
    named = 0
    for readme in sorted((ROOT / "Sources").glob("*/*/README.md")):
        for name in re.findall(r"`([\w/+.-]+\.swift)`", readme.read_text()):
            assert (readme.parent / name).exists() or list(readme.parent.rglob(name)), f"{readme}: {name}"
            named += 1
    whole = (ROOT / "Sources/README.md").read_text()
    for name in re.findall(r"`([\w+-]+/[\w/+.-]+\.swift)`", whole):
        assert (ROOT / "Sources" / name).exists(), f"Sources/README.md: {name}"
        named += 1
    assert named > 100
