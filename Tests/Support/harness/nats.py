"""A cluster of three nats-server nodes with JetStream and MQTT listeners, by the configuration that is shipped."""
import json
import pathlib
import re
import signal
import subprocess
import urllib.error
import urllib.request

from .brokers import CONFIGURATION, BrokerProgram, Endpoint, substituted
from .fleet import OBSERVERS, WEARERS
from .ports import ReservedPort
from .waiting import wait_until

PROGRAM = "/usr/sbin/nats-server"
# The shipped 8 GB for each of three nodes would be reserved on a disk that may be smaller.
STORE_SIZE = "256MB"


class NATSNode:
    """One node with its folder, which it keeps over restarts."""

    def __init__(self, folder, number):
        self.folder, self.number = pathlib.Path(folder), number
        (self.folder / "nats").mkdir(parents=True)
        self.mqtt, self.cluster, self.client, self.monitor = (ReservedPort() for _ in range(4))
        self.configuration = self.folder / "nats-server.conf"
        self.program = None

    @property
    def name(self):
        return f"node{self.number + 1}"

    @property
    def endpoint(self):
        return Endpoint(int(self.mqtt))

    @property
    def pid(self):
        return self.program.pid

    @property
    def runs(self):
        return self.program is not None and self.program.runs

    @property
    def log(self):
        return self.program.log if self.program else ""

    def start(self):
        self.program = BrokerProgram([PROGRAM, "-c", self.configuration], self.folder / "nats-server.log")

    def ask(self, path):
        """A document of the monitoring port, or nothing while there is none."""
        try:
            with urllib.request.urlopen(f"http://127.0.0.1:{self.monitor}/{path}", timeout=5) as reply:
                return json.load(reply)
        except (urllib.error.URLError, OSError, json.JSONDecodeError):
            return None

    def is_ready(self):
        """Whether it serves, by its own report, and is knows the leader of the cluster.

        The full report of health is of no use here: a follower of a queue without traffic counts as behind until there
        is some (nats-server 2.9).
        """
        assert self.runs, f"{self.name} ended: {self.log}"
        health = self.ask("healthz?js-server-only=true")
        jetstream = self.ask("jsz")
        serves = bool(health) and health.get("status") == "ok"
        return serves and bool(jetstream and jetstream.get("meta_cluster", {}).get("leader"))

    def streams(self):
        """Replicated streams by their names, as this node sees them."""
        report = self.ask("jsz?accounts=true&streams=true") or {}
        return {stream["name"]: stream.get("cluster", {}) for account in report.get("account_details", [])
                for stream in account.get("stream_detail", [])}

    def remove(self):
        if self.program:
            self.program.end(signal.SIGKILL)
        for port in (self.mqtt, self.cluster, self.client, self.monitor):
            port.release()


class NATSCluster:
    """Three nodes, not started yet: with a fleet by the shipped configuration, without by one that accepts anyone."""

    def __init__(self, folder, fleet=None, users=None):
        self.nodes = [NATSNode(pathlib.Path(folder) / f"node{number + 1}", number) for number in range(3)]
        for node in self.nodes:
            node.configuration.write_text(self.shipped(node, fleet, users) if fleet else self.plain(node))

    @property
    def version(self):
        """Major and minor number of nats-server."""
        text = subprocess.run([PROGRAM, "--version"], capture_output=True, text=True, check=True).stdout
        return tuple(int(number) for number in re.search(r"v(\d+)\.(\d+)", text).groups())

    def routes(self, node):
        return [f"nats-route://127.0.0.1:{other.cluster}" for other in self.nodes if other is not node]

    def plain(self, node):
        text = re.sub(r"\n  tls \{.*?\n  \}", "", self.common(node), flags=re.DOTALL)
        return re.sub(r"\n# NATS has no pattern.*", "\n", text, flags=re.DOTALL)

    def shipped(self, node, fleet, users):
        write_users(node.folder / "nats/users.conf", users or default_users())
        files = fleet.broker_files()
        names = ("client-authority.pem", "broker-authority.pem", "broker.pem", "broker.key")
        return substituted(self.common(node), {f"/etc/nats/fleet/{name}": files[name] for name in names})

    def common(self, node):
        """The shipped configuration with the node's own names, ports and folder."""
        return substituted((CONFIGURATION / "nats-server.conf").read_text(), {
            '"node1"': f'"{node.name}"',
            "127.0.0.1:4222": f"127.0.0.1:{node.client}",
            "127.0.0.1:8222": f"127.0.0.1:{node.monitor}",
            "0.0.0.0:8883": f"127.0.0.1:{node.mqtt}",
            "0.0.0.0:6222": f"127.0.0.1:{node.cluster}",
            '["nats-route://node2:6222", "nats-route://node3:6222"]': json.dumps(self.routes(node)),
            "/var/lib/nats/jetstream": node.folder / "store",
            "max_file_store: 8GB": f"max_file_store: {STORE_SIZE}",
        })

    @property
    def endpoints(self):
        """Those of all nodes in the order of their numbers; clients try one after the other."""
        return [node.endpoint for node in self.nodes]

    def start(self):
        """Starts one node after another: two that call each other at once may close both connections for good."""
        for node in self.nodes:
            node.start()
            wait_until(lambda: "Listening for route connections" in node.log, what=lambda: node.log)
        self.wait_until_ready()
        self.admit_all()
        return self

    def admit_all(self):
        """Starts a node again without which the cluster has begun: it is admitted when it comes.

        The first leader counts the nodes of which it has heard by then, and may leave one out for good (nats-server
        2.10.27). With two nodes nothing is kept in three copies, and no session.
        """
        for node in self.nodes:
            if self.size() == len(self.nodes):
                return
            if node.name not in self.members():
                node.program.end()
                self.restart(node.number)
                wait_until(lambda: node.name in self.members(), what=lambda: f"{node.name} among {self.members()}")

    def size(self):
        """Number of nodes of which the cluster consists, whether they run or not, by its leader."""
        return self.cluster().get("cluster_size")

    def members(self):
        cluster = self.cluster()
        return {cluster.get("leader"), *(replica["name"] for replica in cluster.get("replicas", []))}

    def cluster(self):
        """The leader's report of the cluster."""
        return (self.nodes[self.leader()].ask("jsz") or {}).get("meta_cluster", {})

    def wait_until_ready(self):
        """Until the nodes that run serve, and have the streams of MQTT as their leaders have them."""
        wait_until(
            lambda: all(node.is_ready() for node in self.running) and self.is_current(),
            what=lambda: "a ready cluster:\n" + "\n".join(node.log[-2000:] for node in self.nodes))

    @property
    def running(self):
        return [node for node in self.nodes if node.runs]

    def is_current(self):
        """Whether each stream has a leader that finds the other running nodes up to date."""
        names, led = set(), set()
        running = {node.name for node in self.running}
        for node in self.running:
            for name, state in node.streams().items():
                names.add(name)
                if state.get("leader") == node.name and all(
                        replica["current"] for replica in state.get("replicas", []) if replica["name"] in running):
                    led.add(name)
        return names == led

    def kill(self, number):
        """As by a power cut of one node; the other two go on."""
        self.nodes[number].program.end(signal.SIGKILL)

    def stop(self, number):
        return self.nodes[number].program.end()

    def restart(self, number):
        self.nodes[number].start()
        self.wait_until_ready()

    def reload(self, users):
        """Gives the running nodes other users."""
        for node in self.nodes:
            write_users(node.folder / "nats/users.conf", users)
            node.program.send(signal.SIGHUP)

    def leader(self):
        """Number of the node that leads JetStream."""
        for node in self.nodes:
            report = node.runs and node.ask("jsz")
            if report and report.get("meta_cluster", {}).get("leader"):
                return [each.name for each in self.nodes].index(report["meta_cluster"]["leader"])
        raise AssertionError("no node knows a leader")

    def processor_seconds(self):
        return sum(node.program.processor_seconds() for node in self.nodes if node.runs)

    def remove(self):
        for node in self.nodes:
            node.remove()


def default_users():
    return "".join([f"{name}\n" for name in WEARERS] + [f"{name} observer\n" for name in OBSERVERS])


def write_users(file, users):
    """As nats-users makes them of a list of ids."""
    done = subprocess.run([CONFIGURATION / "nats-users"], input=users, capture_output=True, text=True, check=True)
    file.write_text(done.stdout)
