"""`waymark-bridge` serves metrics that Prometheus' own parsers read, whatever else connects to it."""
import contextlib
import http.client
import re
import signal
import socket
import subprocess

import pytest
from prometheus_client.openmetrics.parser import text_string_to_metric_families as read_openmetrics
from prometheus_client.parser import text_string_to_metric_families as read_prometheus

from harness.daemon import SIMULATION
from harness.outside import needs
from harness.paths import PROGRAMS
from harness.process import Program
from harness.waiting import PATIENCE, wait_until

BRIDGE = PROGRAMS / "waymark-bridge"
OPENMETRICS = "application/openmetrics-text; version=1.0.0; charset=utf-8"
PROMETHEUS = "text/plain; version=0.0.4; charset=utf-8"


class Metrics:
    """A bridge that serves metrics of a daemon of its own."""

    def __init__(self, daemon):
        self.daemon = daemon
        self.program = Program(
            [BRIDGE, "--config", daemon.config, "--metrics", "127.0.0.1:0"], daemon.folder / "bridge.log")
        pattern = r"metrics at http://127.0.0.1:(\d+)/metrics"
        found = wait_until(
            lambda: re.findall(pattern, self.program.log), what=lambda: f"{pattern} in the log:\n{self.program.log}")
        self.port = int(found[-1])

    def get(self, path="/metrics", method="GET", **headers):
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=PATIENCE)
        with contextlib.closing(connection):
            connection.request(method, path, headers=headers)
            response = connection.getresponse()
            return response.status, response.headers, response.read().decode()

    def scrape(self):
        """All samples by name and labels, as the reference parser reads them."""
        status, headers, text = self.get(Accept=OPENMETRICS)
        assert (status, headers["Content-Type"]) == (200, OPENMETRICS)
        return samples(read_openmetrics(text))

    def wait_for(self, condition):
        return wait_until(lambda: (found := self.scrape()) and condition(found) and found, what=self.scrape)

    def connect(self):
        return socket.create_connection(("127.0.0.1", self.port), timeout=PATIENCE)


def samples(families):
    return {(sample.name, *sorted(sample.labels.items())): sample.value for family in families for sample in family.samples}


@pytest.fixture
def metrics(daemon):
    made = Metrics(daemon(SIMULATION).start())
    yield made
    assert made.program.end() == 0


def test_the_metrics_are_the_status_of_the_daemon(metrics):
    metrics.daemon.wait_for_state("localized")
    found = metrics.wait_for(lambda each: each.get(("waymark_state", ("waymark_state", "localized"))) == 1)
    status = metrics.daemon.status()
    assert found["waymark_up",] == 1 and 0 <= found["waymark_status_age_seconds",] < 5
    assert found["waymark_build_info", ("demonstration", "false"), ("source", "simulation"), ("version", status["version"])] == 1
    assert 0 < found["waymark_poses_total",] <= status["poses"]
    assert 0 < found["waymark_uptime_seconds",] <= status["uptime"]
    assert 0 < found["waymark_horizontal_accuracy_meters",] < 100
    kinds = {label[1] for name, *labels in found for label in labels if name == "waymark_updates_applied_total"}
    assert {"gnssPosition", "magnetometer"} <= kinds
    assert found["waymark_pose_latency_seconds_bucket", ("le", "+Inf")] == found["waymark_pose_latency_seconds_count",] > 0
    later = metrics.wait_for(lambda each: each["waymark_poses_total",] > found["waymark_poses_total",])
    assert all(value <= later[key] for key, value in found.items() if key[0].endswith("_total"))


def test_both_formats_are_read_by_their_parsers_and_have_the_same_samples(metrics):
    metrics.wait_for(lambda each: each["waymark_up",] == 1)
    status, headers, text = metrics.get()
    assert (status, headers["Content-Type"]) == (200, PROMETHEUS)
    assert {key for key in samples(read_prometheus(text))} == set(metrics.scrape())
    assert metrics.get("/")[2].startswith("Metrics of waymarkd are at /metrics")
    assert metrics.get("/metrics?x=1")[0] == 200
    head = metrics.get(method="HEAD")
    assert head[0] == 200 and head[2] == "" and int(head[1]["Content-Length"]) > 1000


@pytest.mark.long
@needs("promtool")
def test_promtool_has_nothing_to_say_against_the_metrics(metrics):
    metrics.wait_for(lambda each: each.get(("waymark_state", ("waymark_state", "localized"))) == 1)
    text = metrics.get()[2]
    assert text.count("# TYPE ") > 20
    done = subprocess.run(["promtool", "check", "metrics"], input=text, capture_output=True, text=True, timeout=PATIENCE)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


def test_a_daemon_that_is_killed_is_down_without_old_values_until_it_is_back(metrics):
    metrics.wait_for(lambda each: each["waymark_up",] == 1)
    metrics.daemon.program.send(signal.SIGKILL)
    metrics.daemon.program.wait()
    assert metrics.wait_for(lambda each: each["waymark_up",] == 0) == {("waymark_up",): 0}
    metrics.daemon.start()
    found = metrics.wait_for(lambda each: each["waymark_up",] == 1)
    assert ("waymark_poses_total",) in found


def test_bad_clients_are_refused_and_readers_beside_them_are_served(metrics):
    metrics.wait_for(lambda each: each["waymark_up",] == 1)
    assert metrics.get(method="POST")[0] == 405
    assert metrics.get("/nothing")[0] == 404 and "/metrics" in metrics.get("/nothing")[2]
    assert metrics.get(Host=f"evil.example:{metrics.port}")[0] == 421
    assert metrics.get(Accept="x" * 4000)[0] == 431
    with contextlib.ExitStack() as stack:
        for data in [b"", b"GET /met", b"\0\xff\r\n\r\n", b"GET / HTTP/1.1\r\nX: " + b"a" * 100_000,
                     f"GET /metrics HTTP/1.1\r\nHost: 127.0.0.1:{metrics.port}\r\n\r\n".encode()]:
            for _ in range(60):
                connection = stack.enter_context(metrics.connect())
                # The server may have closed it, to make room or for its content.
                with contextlib.suppress(ConnectionError):
                    connection.sendall(data)
            assert metrics.scrape()["waymark_up",] == 1
    assert metrics.program.runs


def test_a_port_in_use_is_named_with_what_shows_its_program(daemon):
    made = daemon(SIMULATION)
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        done = subprocess.run(
            [BRIDGE, "--config", made.config, "--metrics", f"127.0.0.1:{port}"], capture_output=True, text=True, timeout=PATIENCE)
    assert done.returncode == 1
    assert f"127.0.0.1:{port} is in use" in done.stderr and f"sport = :{port}" in done.stderr


def test_no_other_program_loads_libwebsockets(metrics):
    def maps(pid):
        with open(f"/proc/{pid}/maps", encoding="ascii") as file:
            return file.read()

    assert "libwebsockets" in maps(metrics.program.pid)
    assert "libwebsockets" not in maps(metrics.daemon.program.pid)
