"""What a sample costs when it comes by a timer, and not in a loop that keeps the caches warm.

    paced.py LIBRARY SAMPLES [ROWS]

As a program: the same as `waymark-bench --paced SAMPLES` with VQF's C++ on a file of samples, or without that file with no
filter at all: what a wake-up costs alone.
"""
import contextlib, ctypes, os, shutil, signal, subprocess, sys, tempfile, time

RATE = 200
# The walk's first minute, which a filter gets at once.
WARM_UP = 60 * RATE
SOURCE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "paced.c")
EVENTS = ("instructions", "L1-icache-load-misses")
# Of the symbols of PyPI's compiled extension: VQF::VQF(double, double, double), VQF::update(rate, force, field).
CONSTRUCTOR, UPDATE = "_ZN3VQFC1Eddd", "_ZN3VQF6updateEPKdS1_S1_"
# More than the filter is large.
FILTER_BYTES = 1 << 16


def feed(library, samples, path):
    """Feeds VQF, or nothing, when a line of input has come; prints the processor time of a sample."""
    library = ctypes.CDLL(library)
    library.paced.restype = ctypes.c_double
    update, filter, rows = None, None, (ctypes.c_double * 1)()
    if path:
        import vqf

        extension = ctypes.CDLL(sys.modules[vqf.VQF.__module__].__file__)
        with open(path, "rb") as file:
            data = file.read()
        rows = (ctypes.c_double * (len(data) // 8)).from_buffer_copy(data)
        filter, update = ctypes.create_string_buffer(FILTER_BYTES), getattr(extension, UPDATE)
        interval = ctypes.c_double(1 / RATE)
        getattr(extension, CONSTRUCTOR)(filter, interval, ctypes.c_double(-1), ctypes.c_double(-1))
        for sample in range(WARM_UP):
            row = [ctypes.byref(rows, 8 * (9 * sample + first)) for first in (0, 3, 6)]
            update(filter, *row)
        rows = ctypes.byref(rows, 8 * 9 * WARM_UP)
    print("ready", flush=True)
    sys.stdin.readline()
    print(library.paced(update, filter, rows, ctypes.c_long(samples)))


def sleeps(pid):
    lines = open(f"/proc/{pid}/status").read().splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith("voluntary_ctxt_switches"))


@contextlib.contextmanager
def counters(pid, counts):
    """Adds to `counts` what the processor counts of a process meanwhile: a number for each event, or why there is none."""
    if not shutil.which("perf"):
        counts.update(dict.fromkeys(EVENTS, "perf is not installed (Debian: linux-perf)"))
        yield
        return
    perf = subprocess.Popen(
        ["perf", "stat", "--field-separator=;", "--event=" + ",".join(EVENTS), f"--pid={pid}"], stderr=subprocess.PIPE,
        text=True)
    # Until it is attached, which it does not say.
    time.sleep(0.5)
    yield
    perf.send_signal(signal.SIGINT)
    said = perf.communicate()[1].strip()
    fields = {line.split(";")[2]: line.split(";")[0] for line in said.splitlines() if line.count(";") > 2}
    for event in EVENTS:
        found = fields.get(event, said.splitlines()[0] if said else "perf said nothing")
        counts[event] = int(found) if found.isdigit() else f"perf said {found}"


def run(command, samples):
    """One run of a program: nanoseconds and wakes of a sample, and what the processor counted."""
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        if process.stdout.readline() != "ready\n":
            sys.exit(f"bench: {command[0]} did not start")
        counts = {}
        with counters(process.pid, counts):
            slept = sleeps(process.pid)
            process.stdin.write("\n")
            process.stdin.flush()
            cost = float(process.stdout.readline())
            wakes = (sleeps(process.pid) - slept) / samples
    return cost, wakes, counts


def paced(program, seconds, rounds, with_vqf, row):
    """A table of its own; `row` prints one of its lines."""
    samples = max(1, int(seconds * RATE))
    print(f"\nPaced by a timer at {RATE} Hz, {seconds:g} s each: processor time with that of the wake-up")
    with tempfile.TemporaryDirectory() as folder:
        library, rows = os.path.join(folder, "paced.so"), os.path.join(folder, "rows")
        subprocess.run(["cc", "-O2", "-Wall", "-shared", "-fPIC", "-o", library, SOURCE], check=True)
        with open(rows, "wb") as file:
            subprocess.run([program, "--rows"], stdout=file, check=True)
        least = [sys.executable, os.path.abspath(__file__), library, str(samples)]
        commands = [("Waymark, paced sample, all aids", [program, "--paced", str(samples)])]
        commands += [("VQF (C++, update), paced sample", [*least, rows])] if with_vqf else []
        commands += [("No filter, in C: the wake-up alone", least)]
        found = {name: [] for name, _ in commands}
        for _ in range(rounds):
            for name, command in commands:
                found[name].append(run(command, samples))
    reasons = {}
    for name, results in found.items():
        wakes = max(wakes for _, wakes, _ in results)
        row(name, [cost for cost, _, _ in results], f"µs, {wakes:.2f} wakes", scale=1000, digits=1)
        for event in EVENTS:
            counts = [counts[event] for _, _, counts in results]
            if isinstance(counts[0], int):
                row(f"  {event}", [count / samples for count in counts], "a sample")
            else:
                reasons[event] = counts[0]
    for event, reason in reasons.items():
        print(f"{event}: not counted: {reason}")


if __name__ == "__main__":
    feed(sys.argv[1], int(sys.argv[2]), sys.argv[3] if len(sys.argv) > 3 else None)
