"""Processor time and memory of the daemon, and how soon idle sensors are awake."""
import contextlib, json, os, statistics, subprocess, sys, time

from .aids import Aids
from .board import ORIGIN, Board, drain
from .calls import count_calls, sent_between
from .delivery import Delivery
from .least import Least

# Of the emulated sensors. Unit: Hz.
SAMPLE_RATE = 200
# How often sources of aiding measurements are there, and are not.
AID_ROUNDS = 3
# Of a pose's message. Unit: bytes.
MESSAGE = 900
# Time for which system calls are counted, and that the least program is measured. Unit: s.
COUNTED = 8


def spent(pid):
    """Of each thread: its name, the processor time in nanoseconds, and how often it slept."""
    threads = {}
    for thread in os.listdir(f"/proc/{pid}/task"):
        path = f"/proc/{pid}/task/{thread}/"
        lines = open(path + "status").read().splitlines()
        sleeps = next(int(line.split()[1]) for line in lines if line.startswith("voluntary_ctxt_switches"))
        threads[thread] = (open(path + "comm").read().strip(), int(open(path + "schedstat").read().split()[0]), sleeps)
    return threads


def wait_for_idle(board, deadline=60):
    end = time.monotonic() + deadline
    while (known := board.status())["power"]["mode"] != "idle" or known["devices"][0].get("grantedRate", 0) > 100:
        if time.monotonic() > end:
            sys.exit("daemon-load: the sensors do not go idle")
        time.sleep(0.2)
    # Until what the switch itself cost is over.
    time.sleep(2)


def wake(board, rate):
    """Seconds from a call to its first pose, and to the first sample at a rate; of the samples' own stamps."""
    began = time.clock_gettime(time.CLOCK_BOOTTIME)
    first, last, buffer = None, None, b""
    with board.subscribe(1000) as client:
        while True:
            buffer += client.recv(65536)
            *messages, buffer = buffer.split(b"\0")
            for message in messages:
                first = first or time.clock_gettime(time.CLOCK_BOOTTIME)
                moment = json.loads(message)["parameters"]["pose"]["time"]
                stamp = moment["sec"] + moment["nsec"] * 1e-9
                if last and stamp - last < 1.5 / rate:
                    return first - began, stamp - began
                last = stamp


def tell_wakes(board, count):
    times = []
    for _ in range(count):
        wait_for_idle(board)
        # Who comes sooner than after three times the patience, of one second, makes the daemon more patient.
        time.sleep(2)
        times.append(wake(board, 200))
    for name, part in (("first pose", 0), ("second sample at full rate", 1)):
        values = sorted(1000 * each[part] for each in times)
        middle = values[len(values) // 2]
        print(f"{name} {values[0]:.1f} to {values[-1]:.1f} ms after the call, in the middle {middle:.1f} ms")


def memory(pid):
    lines = open(f"/proc/{pid}/status").read().splitlines()
    return {line.split(":")[0]: int(line.split()[1]) for line in lines if line.startswith(("VmRSS", "VmHWM", "RssAnon"))}


def mapped(pid):
    """Resident memory by what it holds. Unit: kB."""
    held = {"program": 0, "libraries": 0, "its own": 0}
    part = "its own"
    for line in open(f"/proc/{pid}/smaps"):
        words = line.split()
        if "-" in words[0] and not words[0].endswith(":"):
            name = words[5] if len(words) > 5 else ""
            part = "program" if name.endswith("waymark") else "libraries" if name.startswith("/") else "its own"
        elif words[0] == "Rss:":
            held[part] += int(words[1])
    return held


def import_city(board, places):
    """A dense city around the walk; how long it took to import."""
    city = os.path.join(board.folder, "city.geojsonl")
    bench, waymark = (os.path.join(board.programs, name) for name in ("waymark-bench", "waymark"))
    subprocess.run([bench, "--city", city, str(places), *ORIGIN[:2]], check=True)
    began = time.monotonic()
    subprocess.run([waymark, "--socket", board.path, "places", "import", city], check=True)
    return time.monotonic() - began


def spent_between(before, after, seconds):
    """Processor time in percent of one core, and how often threads slept a second, of all threads together."""
    used, sleeps = (
        sum(each[part] for each in after.values()) - sum(each[part] for each in before.values()) for part in (1, 2))
    return used / 1e7 / seconds, sleeps / seconds


def tell_cost(before, after, seconds):
    """Prints what each thread used; those named "iio" read sensors."""
    whole, wakes = spent_between(before, after, seconds)
    print(f"{whole:.2f} % of one core, woken {wakes:.0f} times a second, over {seconds:.0f} s")
    others = 0
    for thread, (name, used, sleeps) in after.items():
        _, earlier, slept = before.get(thread, (name, 0, 0))
        if used > earlier:
            share, wakes = (used - earlier) / 1e7 / seconds, (sleeps - slept) / seconds
            others += 0 if name.startswith("iio ") else share
            print(f"  {name:15} {share:6.3f} %, woken {wakes:6.1f} times a second")
    print(f"  {others:.2f} % without the threads that read sensors")
    return whole


def tell_calls(board, pid, clients):
    """Prints the system calls for each inertial sample."""
    counted = count_calls(pid, lambda: drain(clients, COUNTED))
    if isinstance(counted, str):
        return print(f"System calls are not counted: {counted}")
    calls, began, ended = counted
    samples = max(1, sent_between(board.sent, began, ended))
    kinds = ", ".join(f"{name} {number / samples:.2f}" for name, number in calls.most_common(8))
    return print(f"{calls.total() / samples:.1f} system calls a sample: {kinds}")


def tell_aids(board, clients, options):
    """What sources that offer a camera's odometry cost: by lost cameras, which the estimator passes over, and by others.

    In turns, since the machine may have other work.
    """
    shares = {"none": [], "passed over": [], "used": []}
    for _ in range(AID_ROUNDS):
        for name, tracking in [("none", None), ("passed over", 0.0), ("used", 1.0)]:
            with Aids(board, options.aids, options.rate, tracking) if name != "none" else contextlib.nullcontext():
                # A camera that is new is watched for two seconds.
                drain(clients, 5)
                before, began = spent(board.daemon.pid), time.monotonic()
                drain(clients, options.seconds / AID_ROUNDS)
                after, passed = spent(board.daemon.pid), time.monotonic() - began
            used = sum(each[1] for each in after.values()) - sum(each[1] for each in before.values())
            shares[name].append(100 * used / 1e9 / passed)
    for name, found in shares.items():
        rounds = ", ".join(f"{share:.2f}" for share in found)
        print(f"{statistics.median(found):.2f} % with the odometry of {options.aids} sources {name}: {rounds}")


def tell_echo(board, options):
    """What the wake-ups and messages alone cost on this machine."""
    delivery = Delivery(board.folder)
    _, used = delivery.echo(options.subscribers, options.rate, SAMPLE_RATE, options.seconds, MESSAGE)
    print(
        f"{100 * used / options.seconds:.2f} % for the least: a process in C that is woken {SAMPLE_RATE} times a second and "
        "writes as many messages")


def tell_least(board, options, whole):
    """Ends the daemon, and measures the least program on the same sensors."""
    board.end_daemon()
    least = Least(board, options.subscribers, options.rate, MESSAGE)
    drain(least.clients, 2)
    before, began = spent(least.pid), time.monotonic()
    messages = drain(least.clients, options.seconds, size=MESSAGE)
    share, wakes = spent_between(before, spent(least.pid), passed := time.monotonic() - began)
    print(
        f"{share:.2f} % for the least, the daemon {whole / share:.1f} times that: a process in C that reads the same devices, "
        f"woken {wakes:.0f} times a second,\n  and writes {messages / passed / options.subscribers:.1f} messages a second to "
        f"each of {options.subscribers} sockets")
    tell_calls(board, least.pid, least.clients)


def measure_cost(programs, options):
    with Board(programs, is_local=options.local) as board:
        clients = [board.subscribe(options.rate) for _ in range(options.subscribers)]
        if options.scenes:
            board.connect().close()
            seconds = import_city(board, options.places)
            print(f"{options.places / seconds:.0f} places a second imported")
        scenes = [board.subscribe(options.rate, "Scene") for _ in range(options.scenes)]
        # Until the filter has levelled itself and its rings are full; a scene begins when the frame is ready.
        drain(clients + scenes, max(options.settled, 30 if scenes else 10))
        if not clients + scenes:
            wait_for_idle(board)
        before, began = spent(board.daemon.pid), time.monotonic()
        messages = drain(clients + scenes, options.seconds)
        after, passed = spent(board.daemon.pid), time.monotonic() - began
        held, parts = memory(board.daemon.pid), mapped(board.daemon.pid)
        whole = tell_cost(before, after, passed)
        count = options.subscribers + options.scenes
        print(f"{messages / passed / max(1, count):.1f} messages a second to each of {count} subscribers")
        print(
            f"{held['VmRSS'] / 1024:.1f} MB resident (peak {held['VmHWM'] / 1024:.1f}): "
            + ", ".join(f"{name} {size / 1024:.1f} MB" for name, size in parts.items()))
        tell_calls(board, board.daemon.pid, clients + scenes)
        # Before the least, during which nobody reads.
        if options.aids:
            tell_aids(board, clients, options)
        if options.wakes:
            tell_wakes(board, options.wakes)
        if options.subscribers and options.local:
            tell_least(board, options, whole)
        elif options.subscribers:
            tell_echo(board, options)
