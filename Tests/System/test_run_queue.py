"""The waiting for a processor that times of tests are checked without: harness/run_queue.py."""
import sys
import time

from harness.process import Program
from harness.run_queue import RunQueue, Stopwatch, seconds_to_end
from harness.stalls import now
from harness.waiting import wait_until

LOOP = "import os\nos.sched_setaffinity(0, [min(os.sched_getaffinity(0))])\nwhile True: pass"
ENDS = "import signal\nsignal.signal(signal.SIGTERM, lambda *_: exit(7))\nprint(flush=True)\nwhile True: signal.pause()"


def started(tmp_path, *arguments, **options):
    return Program(arguments, tmp_path / "log", **options)


def test_programs_on_one_processor_wait_for_each_other(tmp_path):
    programs = [started(tmp_path, sys.executable, "-c", LOOP) for _ in range(2)]
    try:
        queue = RunQueue(programs[0].pid)
        begun = queue.times[0]
        wait_until(lambda: queue.read() or queue.within(begun, queue.times[-1]) > 0.2, what="some waiting")
    finally:
        for program in programs:
            program.end()


def test_a_program_that_sleeps_is_forgiven_nothing(tmp_path):
    program = started(tmp_path, "sleep", "1000")
    try:
        wait_until(lambda: "S" in state(program), what="the program to sleep")
        queue = RunQueue(program.pid)
        time.sleep(0.2)
        queue.read()
        assert queue.totals[-1] == queue.totals[0]
    finally:
        program.end()


def state(program):
    name = f"/proc/{program.pid}/"
    with open(name + "comm") as command, open(name + "stat") as stat:
        return stat.read().rpartition(")")[2].split()[0] if command.read() == "sleep\n" else ""


def test_what_a_block_waited_is_no_part_of_what_it_took():
    with Stopwatch() as watch:
        time.sleep(0.3)
    assert watch.seconds + watch.waited >= 0.3


def test_the_end_of_a_program_is_timed_and_its_status_left(tmp_path):
    program = started(tmp_path, sys.executable, "-c", ENDS, stdout=-1)
    program.process.stdout.readline()
    begun = now()
    seconds = seconds_to_end(program)
    assert seconds <= now() - begun
    assert program.end() == 7
