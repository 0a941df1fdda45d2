"""Cost of a wearer's program and of a broker with many wearers."""
import contextlib, datetime, json, pathlib, re, resource, subprocess, tempfile, time

from harness.daemon import Daemon
from harness.fleet import Fleet
from harness.mosquitto import Mosquitto
from harness.mqtt_reader import Reader
from harness.nats import NATSCluster
from harness.network_namespace import NetworkNamespace
from harness.paths import PROGRAMS
from harness.process import Program
from harness.wearer import Wearer, address

from .live import percentiles, used

# Until connections are there and the first messages have passed. Seconds.
SETTLED = 10
# A client has an open file at the broker, and a wearer of the simulation some more of its own.
DESCRIPTORS = 20_000
# Wearers of one program of the simulation.
MOST_OF_PROGRAM = 100


def measure_board(seconds, tls):
    with tempfile.TemporaryDirectory() as folder, contextlib.ExitStack() as stack:
        folder = pathlib.Path(folder)
        fleet = Fleet(folder / "fleet") if tls else None
        broker = Mosquitto(folder / "broker", fleet)
        stack.callback(broker.remove)
        broker.start()
        daemon = Daemon()
        stack.callback(daemon.remove)
        daemon.start("--demo", "--socket", daemon.socket)
        ada = Wearer(
            folder / "wearer", daemon.socket, address(broker.endpoint, "mqtts" if tls else "mqtt"), **credentials(fleet, "ada"))
        stack.callback(ada.remove)
        ada.start()
        daemon.wait_for_state("localized")
        time.sleep(SETTLED)
        print(f"waymark-mqtt at 10 poses a second{', TLS' if tls else ''}:", flush=True)
        before, earlier, began = used(ada.program.pid), used(daemon.program.pid), time.monotonic()
        time.sleep(seconds)
        passed = time.monotonic() - began
        print(f"  {100 * (used(ada.program.pid) - before) / passed:.2f} % of a core;"
              f" daemon {100 * (used(daemon.program.pid) - earlier) / passed:.2f} %")
        memory = memory_kib(ada.program.pid)
        print("  " + ", ".join(f"{name} {memory[name] / 1024:.1f} MiB" for name in ("Rss", "Pss", "Private")))


def memory_kib(pid):
    """Resident memory, that shared with other processes by its share, and that of this process alone."""
    found = dict(re.findall(r"^(\w+): +(\d+) kB", pathlib.Path(f"/proc/{pid}/smaps_rollup").read_text(), re.MULTILINE))
    values = {name: int(value) for name, value in found.items()}
    return {**values, "Private": values["Private_Clean"] + values["Private_Dirty"]}


def credentials(fleet, name):
    if not fleet:
        return {}
    identity = fleet.identity(name)
    return {"authority_file": str(identity.authority), "certificate_file": str(identity.certificate),
            "key_file": str(identity.key)}


class Broker:
    """One mosquitto behind a network namespace, or three nodes of nats-server."""

    def __init__(self, folder, nats, stack):
        resource.setrlimit(resource.RLIMIT_NOFILE, (DESCRIPTORS, DESCRIPTORS))
        self.cable = None
        if nats:
            self.broker = NATSCluster(folder / "broker")
        else:
            # The wearers are in the namespace, and the reader is not: the cable has what they send.
            self.cable = stack.enter_context(NetworkNamespace())
            self.broker = Mosquitto(folder / "broker", host=self.cable.outer)
        stack.callback(self.broker.remove)
        self.broker.start()

    @property
    def prefix(self):
        return self.cable.prefix if self.cable else ()

    @property
    def addresses(self):
        return " ".join(address(endpoint) for endpoint in self.broker.endpoints)

    @property
    def pids(self):
        return [node.pid for node in self.broker.nodes] if not self.cable else [self.broker.pid]

    def processor_seconds(self):
        return sum(used(pid) for pid in self.pids)

    def wire_bytes(self):
        """From and to the wearers, with the headers of Ethernet, IP and TCP."""
        return self.cable.wire_bytes() if self.cable else (0, 0)


def delays(messages):
    """Time from the pose's own time to the reader. Seconds."""
    found, epoch = [], time.time() - time.monotonic()
    for message in messages:
        if message.topic.endswith("/pose"):
            stamp = datetime.datetime.fromisoformat(json.loads(message.payload)["time"].replace("Z", "+00:00"))
            found.append(message.time + epoch - stamp.timestamp())
    return found


def measure_broker(wearers, seconds, nats, tls):
    assert not tls, "many wearers over TLS are not measured: each needs a certificate of its own"
    with tempfile.TemporaryDirectory() as folder, contextlib.ExitStack() as stack:
        folder = pathlib.Path(folder)
        broker = Broker(folder, nats, stack)
        reader = stack.enter_context(Reader(broker.broker.endpoints))
        simulations = []
        for first in range(0, wearers, MOST_OF_PROGRAM):
            simulations.append(Program(
                [*broker.prefix, PROGRAMS / "waymark", "fleet", "simulate", "--broker", broker.addresses, "--allow-remote",
                 "--prefix", f"trial-{first}", "--wearers", str(min(MOST_OF_PROGRAM, wearers - first)), "--rate", "1",
                 "--events", "0", "--duration", str(SETTLED + seconds + SETTLED)], folder / "fleet.log",
                stdout=subprocess.DEVNULL))
            stack.callback(simulations[-1].end)
        time.sleep(SETTLED)
        reader.forget()
        programs = lambda: (sum(used(each.pid) for each in simulations), broker.processor_seconds())
        before, bytes_before, began = programs(), broker.wire_bytes(), time.monotonic()
        time.sleep(seconds)
        own, theirs = (after - earlier for after, earlier in zip(programs(), before))
        passed = time.monotonic() - began
        wire = [after - earlier for after, earlier in zip(broker.wire_bytes(), bytes_before)]
        messages = reader.messages()
        count = len(messages)
        kind = "three nodes of nats-server" if nats else "mosquitto"
        print(f"{wearers} wearers at 1 pose a second into {kind}, {count} messages in {passed:.0f} s:")
        payload = sum(len(message.payload) for message in messages) / count
        print(f"  payload {payload:.0f} bytes; on the wire {wire[1] / count:.0f} from the wearer and {wire[0] / count:.0f} back")
        print(f"  processor time of a message: wearer {1000 * own / count:.3f} ms, broker {1000 * theirs / count:.3f} ms"
              f" ({100 * theirs / passed:.1f} % of a core)")
        memory = [memory_kib(pid)["Rss"] / 1024 for pid in broker.pids]
        own = sum(memory_kib(each.pid)["Rss"] for each in simulations) / 1024
        print(f"  resident memory: {len(simulations)} programs of the simulation {own:.1f} MiB, broker "
              + ", ".join(f"{each:.1f}" for each in memory) + " MiB")
        print(f"  pose to reader: {percentiles(delays(messages))}")
