"""System calls of a process, by strace."""
import collections, os, re, shutil, signal, subprocess, tempfile, time

# Number and name in a row of the table: % time, seconds, usecs/call, calls, and errors where there were some.
ROW = re.compile(r"^ *[\d.]+ +[\d.]+ +\d+ +(\d+) +(?:\d+ +)?(\w+)$", re.MULTILINE)


def count_calls(pid, meanwhile):
    """Calls by their names, and begin and end of the time in which they were counted, by CLOCK_BOOTTIME; or why not.

    The process waits for strace at each call: its times mean nothing meanwhile.
    """
    if not shutil.which("strace"):
        return "strace is not installed (scripts/require test brings it)"
    with tempfile.NamedTemporaryFile("r") as table:
        tracer = subprocess.Popen(
            ["strace", "--follow-forks", "--summary-only", "--output", table.name, "--attach", str(pid)],
            stderr=subprocess.PIPE, text=True)
        try:
            said = tracer.stderr.readline()
            if "attached" not in said:
                return f"strace said: {said.strip()}"
            began = time.clock_gettime_ns(time.CLOCK_BOOTTIME)
            meanwhile()
            ended = time.clock_gettime_ns(time.CLOCK_BOOTTIME)
        finally:
            tracer.send_signal(signal.SIGINT)
            tracer.communicate()
        calls = {name: int(number) for number, name in ROW.findall(table.read()) if name != "total"}
    return collections.Counter(calls), began, ended


def sent_between(path, began, ended):
    """Number of inertial samples that the made-up sensors have sent meanwhile."""
    return sum(began <= int(line.split()[1]) < ended for line in open(path))
