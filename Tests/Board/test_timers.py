"""The kernel's hrtimer triggers: their unit makes them for the daemon's user, and removes those that are not in use."""
import pytest

UNIT = "waymark-hrtimer.service"
# Sensors that appear start the daemon, which here would use them.
DAEMON = "waymarkd.service"
NAMES = ["waymark-accelerometer", "waymark-barometer", "waymark-gyroscope", "waymark-magnetometer"]
FOLDER = "/sys/kernel/config/iio/triggers/hrtimer"


def triggers(board):
    """The triggers of the unit as sysfs has them: name and path."""
    lines = board.run("grep -H . /sys/bus/iio/devices/trigger*/name 2>/dev/null", check=False).output.splitlines()
    found = {name: path.rpartition("/")[0] for path, _, name in (line.partition(":") for line in lines)}
    # The HID sensors have triggers of their own.
    return {name: path for name, path in sorted(found.items()) if name.startswith("waymark-")}


def folders(board):
    return board.run(f"ls {FOLDER}").output.split()


@pytest.fixture
def timers(newer_board):
    """A board whose unit runs; stopped afterwards."""
    newer_board.run(f"systemctl mask --runtime --quiet {DAEMON} && systemctl start {UNIT}")
    yield newer_board
    newer_board.run(f"systemctl stop {UNIT}; systemctl unmask --runtime --quiet {DAEMON}")


def accelerometer(board):
    """The folder in sysfs of one of the sensors, which are there then."""
    board.plug_sensors()
    [line] = board.run("grep -l '^accel_3d$' /sys/bus/iio/devices/iio:device*/name").output.splitlines()
    device = line.rpartition("/")[0]
    # What the rules give to the daemon's user last.
    board.wait_for(f"test $(stat -c %U {device}/buffer/enable) = waymark")
    return device


def test_the_unit_loads_the_module_and_makes_a_trigger_for_each_sensor(timers):
    assert timers.run(f"systemctl show --property=ActiveState --value {UNIT}").output == "active\n"
    assert "iio_trig_hrtimer" in timers.run("lsmod").output
    assert list(triggers(timers)) == folders(timers) == NAMES


def test_the_daemons_user_sets_the_rate_of_a_timer_and_nothing_else_of_it(timers):
    as_user = "setpriv --reuid=waymark --regid=waymark --clear-groups aa-exec --profile waymarkd --"
    for rate, path in zip((200, 12.5, 160, 50), triggers(timers).values()):
        file = f"{path}/sampling_frequency"
        timers.run(f"{as_user} sh -c 'echo {rate} >{file}'")
        assert float(timers.run(f"cat {file}").output) == pytest.approx(rate)
        owned = timers.run(f"find {path}/ -maxdepth 2 -user waymark").output.split()
        assert owned == [file]
        assert timers.run(f"stat -c %a {file}").output == "644\n"


def test_a_stop_removes_the_triggers_and_a_restart_makes_them_again(timers):
    timers.run(f"systemctl stop {UNIT}")
    assert folders(timers) == [] and triggers(timers) == {}
    timers.run(f"mkdir {FOLDER}/waymark-inertial && systemctl start {UNIT}")
    # That of an earlier version goes.
    assert list(triggers(timers)) == folders(timers) == NAMES
    timers.run(f"systemctl restart {UNIT}")
    assert list(triggers(timers)) == NAMES


def test_a_stop_takes_a_trigger_from_a_sensor_that_does_not_sample_by_it(timers):
    device = accelerometer(timers)
    timers.run(f"echo waymark-accelerometer >{device}/trigger/current_trigger")
    owner = timers.run(f"stat -c %U {device}/trigger/current_trigger").output
    timers.run(f"systemctl stop {UNIT}")
    assert triggers(timers) == {}
    assert timers.run(f"cat {device}/trigger/current_trigger").output.strip() == ""
    assert timers.run(f"stat -c %U {device}/trigger/current_trigger").output == owner == "waymark\n"


def test_a_trigger_that_samples_a_sensor_stays_until_its_buffer_is_closed(timers):
    device = accelerometer(timers)
    timers.run(
        f"echo waymark-accelerometer >{device}/trigger/current_trigger && "
        f"for axis in x y z; do echo 1 >{device}/scan_elements/in_accel_${{axis}}_en; done && "
        f"echo 1 >{device}/buffer/enable")
    timers.run(f"systemctl stop {UNIT}")
    assert folders(timers) == ["waymark-accelerometer"]
    rate = triggers(timers)["waymark-accelerometer"] + "/sampling_frequency"
    assert timers.run(f"stat -c %U {rate}").output == "root\n"
    assert "waymark-accelerometer is in use" in timers.run(f"journalctl -u {UNIT} -o cat --no-pager").output
    timers.run(f"systemctl start {UNIT} && echo 0 >{device}/buffer/enable && systemctl stop {UNIT}")
    assert triggers(timers) == {}
