"""systemd's own `varlinkctl` lists, introspects, calls and streams, and has nothing to complain about."""
import json
import re
import shutil
import subprocess

import pytest
import varlink.scanner
from waymark_interface import (
    CALIBRATION_LIST, POSE_GET_POSE, POSE_SUBSCRIBE, SCENE_GET_AHEAD, SERVICE, SERVICE_EXPECTED_MORE,
    SERVICE_GET_INFO, SERVICE_GET_INTERFACE_DESCRIPTION, SERVICE_INTERFACE_NOT_FOUND, SERVICE_INVALID_PARAMETER,
    SERVICE_METHOD_NOT_FOUND, STATUS_GET_STATUS)

from harness.daemon import Daemon
from harness.paths import ROOT
from harness.waiting import PATIENCE, wait_until

FILES = {file.stem: file for file in sorted((ROOT / "Sources/Wire/WaymarkInterface").glob("org.waymark.*.varlink"))}

pytestmark = [
    pytest.mark.library, pytest.mark.skipif(
        shutil.which("varlinkctl") is None, reason="no varlinkctl, which systemd has from version 255 on (Debian 13)")]


@pytest.fixture(scope="module")
def demo():
    """A daemon as the README starts it for a look around."""
    shared = Daemon()
    shared.start("--demo", "--socket", shared.socket)
    shared.wait_for_state("localized")
    yield shared
    shared.remove()


def varlinkctl(*arguments):
    """Runs it to its end; code, output and errors as text."""
    return subprocess.run(
        ["varlinkctl", "--no-pager", *(str(argument) for argument in arguments)], capture_output=True, text=True,
        timeout=PATIENCE * 2, stdin=subprocess.DEVNULL)


def output(*arguments):
    """What it prints when it is content: no word of complaint, code 0."""
    done = varlinkctl(*arguments)
    assert (done.returncode, done.stderr) == (0, ""), done
    return done.stdout


def call(daemon, method, *parameters, options=()):
    return json.loads(output("call", "--json=short", *options, daemon.socket, method, *map(json.dumps, parameters)))


def shape(value):
    """A description as the `varlink` package of PyPI understands it, in plain values that can be compared."""
    if isinstance(value, dict):
        return {name: shape(part) for name, part in value.items()}
    if isinstance(value, (list, tuple)):
        return [shape(part) for part in value]
    if isinstance(value, (set, frozenset)):
        return sorted(value)
    if hasattr(value, "__dict__"):
        return [type(value).__name__, shape({
            name: part for name, part in vars(value).items() if name not in ("doc", "signature")})]
    return repr(value)


def members(text):
    return shape(varlink.scanner.Interface(text).members)


def test_it_tells_what_the_service_is(demo):
    expected = demo.call(SERVICE_GET_INFO)
    assert json.loads(output("info", "--json=short", demo.socket)) == expected
    lines = dict(re.findall(r"^ *(\w+): (.+)$", output("info", demo.socket), re.MULTILINE))
    for name in ("vendor", "product", "version"):
        assert lines[name.capitalize()] == expected[name]


def test_it_lists_all_interfaces_and_their_methods(demo):
    assert output("list-interfaces", demo.socket).splitlines() == sorted([*FILES, SERVICE])
    for name, file in FILES.items():
        methods = re.findall(r"^method (\w+)", file.read_text(), re.MULTILINE)
        listed = output("list-methods", demo.socket, name).splitlines()
        assert sorted(listed) == sorted(f"{name}.{method}" for method in methods)


@pytest.mark.parametrize("name", [*FILES, SERVICE])
def test_it_reads_a_description_as_it_was_meant(demo, name):
    # It prints what it has understood; a description that it could not read it shows as it came, with a complaint.
    printed = output("introspect", demo.socket, name)
    described = demo.call(SERVICE_GET_INTERFACE_DESCRIPTION, {"interface": name})["description"]
    assert re.search(rf"^interface {re.escape(name)}$", printed, re.MULTILINE)
    assert members(printed) == members(described)


def test_it_reads_all_descriptions_in_one_go(demo):
    printed = output("introspect", demo.socket)
    assert re.findall(r"^interface (\S+)$", printed, re.MULTILINE) == sorted([*FILES, SERVICE])


@pytest.mark.parametrize("file", FILES.values(), ids=FILES)
def test_an_interface_file_is_valid(file):
    assert members(output("validate-idl", file)) == members(file.read_text())


def test_a_call_is_answered(demo):
    status = call(demo, STATUS_GET_STATUS, {})["status"]
    assert status["source"] == "simulation" and status["state"] == "localized"
    pose = call(demo, POSE_GET_POSE)["pose"]
    later = call(demo, POSE_GET_POSE, {"predictAhead": 0.05})["pose"]
    assert pose["frame"] == "scene" and later["sequence"] >= pose["sequence"] > 0
    # To the last digit that the daemon sent.
    assert call(demo, CALIBRATION_LIST, {}) == demo.call(CALIBRATION_LIST)


@pytest.mark.parametrize("method, parameters, error, reply", [
    (POSE_GET_POSE, {"predictAhead": 9}, SERVICE_INVALID_PARAMETER,
     {"parameter": "predictAhead"}),
    ("org.waymark.Pose.Nothing", {}, SERVICE_METHOD_NOT_FOUND, {"method": "org.waymark.Pose.Nothing"}),
    ("org.waymark.Nothing.Get", {}, SERVICE_INTERFACE_NOT_FOUND, {"interface": "org.waymark.Nothing"}),
    (POSE_SUBSCRIBE, {"rate": 5}, SERVICE_EXPECTED_MORE, {}),
], ids=lambda value: value.rpartition(".")[2] if isinstance(value, str) else "")
def test_an_error_comes_by_its_name_with_its_parameters(demo, method, parameters, error, reply):
    done = varlinkctl("call", "--json=short", demo.socket, method, json.dumps(parameters))
    assert done.returncode == 1
    assert len(done.stderr.splitlines()) == 1 and done.stderr.rstrip().endswith(f"failed: {error}")
    assert json.loads(done.stdout) == reply


def test_an_unknown_interface_cannot_be_introspected(demo):
    done = varlinkctl("introspect", demo.socket, "org.waymark.Nothing")
    assert done.returncode == 1 and done.stdout == ""
    assert done.stderr.rstrip().endswith(SERVICE_INTERFACE_NOT_FOUND)


def test_a_call_that_wants_no_reply_gets_none_and_the_daemon_goes_on(demo):
    assert output("call", "--oneway", demo.socket, POSE_GET_POSE, "{}") == ""
    assert call(demo, STATUS_GET_STATUS, {})["status"]["state"] == "localized"


@pytest.mark.parametrize("method, parameters, part", [
    (POSE_SUBSCRIBE, {"rate": 50}, "pose"),
    (SCENE_GET_AHEAD, {"limit": 3}, "items"),
], ids=["poses", "what lies ahead"])
def test_a_stream_goes_on_until_the_reader_leaves(demo, method, parameters, part):
    before = len(demo.log.splitlines())
    reader = subprocess.Popen(
        ["varlinkctl", "call", "--more", "--json=short", demo.socket, method, json.dumps(parameters)],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, stdin=subprocess.DEVNULL)
    try:
        # Each line is a record of a JSON text sequence (RFC 7464), which begins with its sign.
        replies = [json.loads(reader.stdout.readline().removeprefix("\x1e")) for _ in range(5)]
        assert reader.poll() is None
    finally:
        reader.kill()
        _, complaints = reader.communicate()
    assert complaints == ""
    assert all(part in reply for reply in replies)
    if part == "pose":
        sequences = [reply["pose"]["sequence"] for reply in replies]
        assert sequences == sorted(set(sequences))
    wait_until(lambda: demo.status()["state"] == "localized")
    assert len(demo.log.splitlines()) - before < 5, demo.log
