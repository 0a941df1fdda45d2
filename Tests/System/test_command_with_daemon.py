"""The command `waymark` against the real daemon.

Its words, exit codes and mishaps stand in test_command_line.py and test_command_stream.py.
"""
import json
import signal
import subprocess

from harness.command import waymark
from harness.paths import PROGRAMS
from harness.process import Program
from harness.waiting import wait_until


def test_the_socket_can_be_named_by_option_before_and_behind_the_command(walk):
    for arguments in (["--socket", walk.socket, "status"], ["status", "--socket", walk.socket]):
        assert waymark(*arguments).returncode == 0


def test_each_command_that_asks_succeeds(walk):
    walk.wait_for_state("localized")
    for name in ("status", "pose", "devices", "ahead", "share"):
        result = waymark(name, socket=walk.socket)
        assert result.returncode == 0 and result.stdout and result.stderr == "", result
    assert waymark("wait", "--timeout", 60, socket=walk.socket).returncode == 0


def test_json_output_is_json(walk):
    walk.wait_for_state("localized")
    for arguments in (["status", "--json"], ["devices", "--json"], ["pose", "--format", "json"], ["ahead", "--json"]):
        assert json.loads(waymark(*arguments, socket=walk.socket).stdout)


def test_the_status_counts_updates_and_measures_latencies(walk):
    def health():
        return json.loads(waymark("status", "--json", socket=walk.socket).stdout)

    def applied(status):
        return {updates["kind"]: updates["applied"] for updates in status["updates"]}

    walk.wait_for_state("localized")
    before = health()
    kinds = {"gnssPosition", "gnssVelocity", "magnetometer", "barometer", "rest", "steps", "camera", "aid"}
    assert applied(before).keys() == kinds
    wait_until(lambda: applied(health())["gnssPosition"] > applied(before)["gnssPosition"] + 1)
    after = health()
    for earlier, later in zip(before["updates"], after["updates"]):
        assert all(later[name] >= earlier[name] for name in ("applied", "downWeighted", "refused"))
        assert later["downWeighted"] <= later["applied"] and later.get("innovationRatio", 0) >= 0
    assert applied(after)["gnssVelocity"] > applied(before)["gnssVelocity"]
    # The errors of the simulated receiver are about those that it reports: by a wrong unit they would be far from it.
    ratios = {updates["kind"]: updates.get("innovationRatio") for updates in after["updates"]}
    assert 0.05 < ratios["gnssPosition"] < 20 and 0.05 < ratios["gnssVelocity"] < 20
    latency = after["poseLatency"]
    assert before["poseLatency"]["count"] < latency["count"] <= after["poses"]
    assert latency["bounds"] == sorted(latency["bounds"]) and len(latency["counts"]) == len(latency["bounds"])
    assert latency["counts"] == sorted(latency["counts"]) and latency["counts"][-1] <= latency["count"]
    assert latency["sum"] > before["poseLatency"]["sum"] > 0
    assert after["missedMessages"] >= 0 and after["droppedClients"] >= 0
    lines = waymark("status", socket=walk.socket).stdout.splitlines()
    assert len([line for line in lines if line.startswith("updates ")]) == 1


def test_the_log_says_where_the_daemon_listens(walk):
    assert f" on {walk.socket}\n" in walk.log


def test_a_closed_standard_output_is_told_and_the_daemon_gets_none_of_it(walk):
    for command in ("watch -n 1", "pose"):
        result = subprocess.run(
            ["sh", "-c", f'exec "$0" --socket "$1" {command} >&-', PROGRAMS / "waymark", walk.socket],
            capture_output=True, text=True, timeout=60)
        assert result.returncode == 1 and "standard output" in result.stderr, result


def test_watch_ends_after_its_count_or_its_time(walk):
    result = waymark("watch", "--json", "-n", 4, socket=walk.socket)
    assert result.returncode == 0 and len(result.stdout.splitlines()) == 4
    result = waymark("watch", "--timeout", 1, socket=walk.socket)
    assert result.returncode == 0 and result.stdout


def test_poses_can_be_shown_ahead(walk):
    walk.wait_for_state("localized")
    for arguments in (["pose"], ["pose", "--format", "geopose"], ["watch", "-n", "2", "--json"]):
        result = waymark(*arguments, "--predict", 20, socket=walk.socket)
        assert result.returncode == 0 and result.stdout, result
    result = waymark("pose", "--predict", 101, socket=walk.socket)
    assert result.returncode == 2 and "from 0 to 100" in result.stderr, result


def test_what_does_not_come_in_time_ends_with_4(daemon):
    nothing = daemon({"iio": {"enabled": False}, "gnss": {"enabled": False}}).start()
    for arguments in (["watch", "-n", "1", "--timeout", "1"], ["wait", "--timeout", "1"]):
        result = waymark(*arguments, socket=nothing.socket)
        assert result.returncode == 4 and result.stderr


def test_a_pose_that_is_not_there_yet_is_a_failure_with_its_reason(daemon):
    nothing = daemon({"iio": {"enabled": False}, "gnss": {"enabled": False}}).start()
    result = waymark("pose", socket=nothing.socket)
    assert result.returncode == 1 and result.stderr


def start_watch(walk, tmp_path):
    return Program(
        [PROGRAMS / "waymark", "--socket", walk.socket, "watch", "--json"], tmp_path / "watch.log",
        stdout=subprocess.PIPE)


def test_ctrl_c_ends_it_quietly(walk, tmp_path):
    watcher = start_watch(walk, tmp_path)
    watcher.process.stdout.readline()
    code = watcher.end(signal.SIGINT)
    assert code == -signal.SIGINT, "as a shell expects of what Ctrl-C ended"
    assert watcher.log == ""


def test_a_daemon_that_goes_away_ends_a_watch_with_3(simulation, tmp_path):
    watcher = start_watch(simulation, tmp_path)
    watcher.process.stdout.readline()
    simulation.stop()
    for _ in watcher.process.stdout:
        pass
    assert watcher.wait() == 3
    assert "waymarkd" in watcher.log
    watcher.end()
