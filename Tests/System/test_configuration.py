"""Settings from files: what is wrong is named by file and line, before anything starts and at a reload."""
import re
import subprocess

import pytest
from waymark_interface import POSE_GET_POSE, POSE_NOT_READY, POSE_SUBSCRIBE, SERVICE_GET_INFO, STATUS_LIMIT_EXCEEDED

from harness.paths import PROGRAMS, ROOT
from harness.waiting import wait_until

pytestmark = pytest.mark.library

MISTAKES = {
    "broken TOML": ("[service]\nsocket = \n", 2, ""),
    "an unknown key": ('[service]\nsocket_mood = "0660"\n', 2, "socket_mode"),
    "an unknown section": ("\n[servise]\n", 2, "service"),
    "a wrong type": ('[pose]\ndefault_rate_hz = "fast"\n', 2, "default_rate_hz"),
    "a value out of range": ("[iio.gyroscope]\n\nrate_hz = 100000\n", 3, "4000"),
    "a value that is not finite": ("[iio.gyroscope]\nrate_hz = nan\n", 2, "rate_hz"),
    "a key of an earlier version": ("[iio]\ninertial_rate_hz = 200\n", 2, "[iio.gyroscope]"),
    "a sign that is none": ("[iio.accelerometer]\nsign = 0\n", 2, "1 or -1"),
    "a choice that is none": ('[source]\nkind = "camera"\n', 2, "simulation"),
    "a mount matrix that is no rotation": ("[iio]\nmount_matrix = [1,0,0, 0,1,0, 0,0,2]\n", 2, "mount_matrix"),
    "a socket path that is too long": (f'[service]\nsocket = "/{"x" * 200}"\n', 2, "107"),
}


def check(config, *arguments):
    return subprocess.run(
        [PROGRAMS / "waymarkd", "--config", config, *arguments], capture_output=True, text=True, timeout=60)


@pytest.mark.parametrize("mistake", MISTAKES)
@pytest.mark.parametrize("arguments", [["--check-config"], []], ids=["checked", "started"])
def test_a_mistake_ends_with_78_and_its_place(tmp_path, mistake, arguments):
    text, line, word = MISTAKES[mistake]
    config = tmp_path / "waymark.toml"
    config.write_text(text)
    result = check(config, *arguments)
    assert result.returncode == 78
    assert re.search(rf"{re.escape(str(config))}:{line}:\S* .+", result.stderr), result.stderr
    assert word in result.stderr


def test_all_mistakes_of_all_files_are_named_at_once(tmp_path):
    config = tmp_path / "waymark.toml"
    config.write_text("[pose]\ndefault_rate_hz = -1\nrate = 1\n")
    drop_ins = tmp_path / "waymark.toml.d"
    drop_ins.mkdir()
    (drop_ins / "50-more.toml").write_text("[iio]\nenabled = 1\n")
    result = check(config, "--check-config")
    assert result.returncode == 78
    for place in (f"{config}:2", f"{config}:3", f"{drop_ins}/50-more.toml:2"):
        assert place in result.stderr


def test_a_missing_file_is_named(tmp_path):
    result = check(tmp_path / "none.toml", "--check-config")
    assert result.returncode == 78 and "none.toml" in result.stderr


def test_the_shipped_file_is_good():
    result = check(ROOT / "config/waymark.toml", "--check-config")
    assert (result.returncode, result.stderr) == (0, "")


def test_a_drop_in_overrides_the_file(daemon):
    made = daemon({"source": {"kind": "sensors"}, "iio": {"enabled": False}, "gnss": {"enabled": False}})
    drop_ins = made.folder / "waymark.toml.d"
    drop_ins.mkdir()
    (drop_ins / "10-walk.toml").write_text('[source]\nkind = "simulation"\n')
    assert made.start().status()["source"] == "simulation"


def test_a_bad_file_at_reload_keeps_the_running_settings_and_is_named(simulation):
    with simulation.subscribe() as reader:
        simulation.config.write_text("[pose]\nmax_rate_hz = 50\ndefault_rate_hz = true\n")
        simulation.reload()
        assert "default_rate_hz" in simulation.said(f"{simulation.config}:3")
        reader.wait_for_more()
    with simulation.connect() as connection:
        connection.send_call(POSE_SUBSCRIBE, {"rate": 200}, more=True)
        assert connection.reply()["pose"], "a rate over the limit of the bad file"


def test_a_good_file_at_reload_changes_what_can_be_changed_and_names_what_waits(simulation):
    with simulation.subscribe() as reader:
        simulation.configure({"service": {"max_clients": 2, "max_clients_per_user": 2}, "simulation": {"seed": 7}})
        simulation.reload()
        simulation.said("simulation.seed")
        with simulation.connect() as second:
            second.call(SERVICE_GET_INFO)
            with simulation.connect() as third:
                assert third.error(SERVICE_GET_INFO) == STATUS_LIMIT_EXCEEDED
        reader.wait_for_more()


def test_without_any_sensor_the_daemon_stays_and_says_what_is_missing(daemon):
    alone = daemon({
        "iio": {"context": "ip:127.0.0.1:1"}, "gnss": {"host": "127.0.0.1", "port": 1, "silence_seconds": 1}}).start()
    wait_until(
        lambda: all(device.get("detail") for device in alone.status()["devices"]) and alone.device("gpsd"),
        what=alone.status)
    status = alone.status()
    assert status["state"] == "initializing" and status["reasons"] == ["noInertialData"] and status["poses"] == 0
    assert {device["state"] for device in status["devices"]} <= {"searching", "failed"}
    with alone.connect() as connection:
        assert connection.error(POSE_GET_POSE) == POSE_NOT_READY
    assert alone.stop() == 0
