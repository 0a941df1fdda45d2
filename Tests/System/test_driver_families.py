"""The drivers of Tests/Support/driver_families.py, played by the IIOD emulator to the real libiio and the daemon."""
import json
import math

import driver_families
import pytest
from driver_families import FAMILIES, FIELD, FORCE, RATE
from waymark_interface import RECORDING_START, RECORDING_STOP

from harness.command import waymark
from harness.recording import messages

pytestmark = pytest.mark.library

TOPICS = {"/imu/specific_force": FORCE, "/imu/angular_rate": RATE, "/magnetic_field": FIELD}
# More than half a count of any of the scales, in m/s², rad/s and µT.
TOLERANCES = {"/imu/specific_force": 0.006, "/imu/angular_rate": 0.0012, "/magnetic_field": 0.4}
KINDS = {"accel": "/imu/specific_force", "gyro": "/imu/angular_rate", "magn": "/magnetic_field"}


@pytest.fixture
def running(daemon, iio_server):
    """Makes a daemon on the devices of a family."""
    def make(family, *layers):
        configuration = {"noise": False, "devices": family["devices"], "triggers": family.get("triggers", [])}
        server = iio_server("--json", json.dumps(configuration))
        made = daemon(
            {"iio": {"context": server.uri}, "gnss": {"enabled": False}, "power": {"enabled": False}}, *layers)
        made.server = server
        return made.start()

    return make


def settled(running, family):
    """The devices once each is in its expected state, sampled as expected."""
    expected = family["expected"]

    def is_settled(device, want):
        return (device["state"], device.get("sampling")) == (want["state"], want["sampling"]) and device["samples"] >= 20

    return running.wait_for_devices(
        lambda devices: all(name in devices and is_settled(devices[name], want) for name, want in expected.items()))


def recorded(running):
    """Samples of a moment, by topic."""
    with running.connect() as connection:
        path = connection.call(RECORDING_START, {"path": "family.mcap"})["path"]
        before = {name: device["samples"] for name, device in running.devices().items()}
        running.wait_for_devices(lambda devices: all(
            devices[name]["samples"] >= count + 20 for name, count in before.items() if count))
        connection.call(RECORDING_STOP)
    return messages(path, list(TOPICS))


@pytest.mark.parametrize("name", FAMILIES)
def test_a_family_of_drivers_is_sampled_as_it_can_be(running, name):
    family = FAMILIES[name]
    made = running(family)
    devices = settled(made, family)
    for device, want in family["expected"].items():
        report = devices[device]
        assert report.get("grantedRate") == pytest.approx(want["granted"], rel=1e-6), report
        assert report["clock"] == want["clock"]
        assert "rateProblem" not in report
        reason = report.get("samplingReason", "")
        assert want["reason"] in reason if "reason" in want else "trigger" in reason or not reason
        assert report.get("triggerMissing", False) == ("reason" in want)
        assert want["detail"] in report["detail"] if "detail" in want else report.get("detail") in (None, reason)
        assert ("trigger" in report) == want["sampling"].endswith("Trigger")
    found = recorded(made)
    kinds = {KINDS[part["kind"]] for device in family["devices"] for part in device["channels"]}
    assert {topic for topic, _, _ in found} == kinds
    for topic, _, sample in found:
        truth = TOPICS[topic]
        assert math.dist((sample["x"], sample["y"], sample["z"]), truth) < TOLERANCES[topic], sample


def test_what_samples_a_device_and_why_is_shown_to_the_user(running):
    family = {
        "devices": [
            driver_families.without_own(driver_families.BMI160),
            {**driver_families.HMC5843, "mount_matrix": "1, 0, 0; 0, 1, 0; 0, 0, 1"}],
        "triggers": ["waymark-accelerometer"],
        "expected": {
            "bmi160": driver_families.expected(200, "timerTrigger"),
            "hmc5883l": driver_families.expected(75, "polling", "polling")}}
    made = running(family)
    settled(made, family)
    text = waymark("devices", socket=made.socket).stdout
    assert "sampled by the hrtimer trigger waymark-accelerometer: no trigger of its own" in text
    assert "polled" in text and "no hrtimer trigger waymark-magnetometer: sudo modprobe iio-trig-hrtimer" in text
    done = waymark("doctor", "--json", "--seconds", 1, "--config", made.config, socket=made.socket, timeout=120)
    found = json.loads(done.stdout)["findings"]
    polled = [finding for finding in found if finding["id"] == "signal.polled"]
    assert [finding["subject"] for finding in polled] == ["hmc5883l, magnetometer"]
    assert "systemctl restart waymark-hrtimer" in polled[0]["remedy"]
    sampled = [finding["what"] for finding in found if finding["id"] == "device.found"]
    assert any("sampled by the hrtimer trigger waymark-accelerometer" in what for what in sampled)


def test_sensors_without_interrupts_have_a_timer_each_and_do_not_drag_each_other(running):
    rates = {"accelerometer": 100, "gyroscope": 160, "magnetometer": 40, "pressure": 20}
    family = {"devices": driver_families.WITHOUT_INTERRUPTS, "triggers": driver_families.TIMERS}
    made = running(family, {"iio": {sensor: {"rate_hz": rate} for sensor, rate in rates.items()}})
    timers = {
        "lsm6dso_accel": ("waymark-accelerometer", 100), "lsm6dso_gyro": ("waymark-gyroscope", 160),
        "hmc5883l": ("waymark-magnetometer", 40), "ms5611": ("waymark-barometer", 20)}

    def counts():
        devices = made.wait_for_devices(lambda devices: all(
            devices.get(name, {}).get("state") == "streaming" and devices[name]["samples"] > 20 for name in timers))
        found = {name: (devices[name]["trigger"], devices[name]["grantedRate"]) for name in timers}
        assert found == timers
        return {name: devices[name]["samples"] for name in timers}

    # A timer that two of them shared would give both the rate of one: counted against each other, for no clock is asked.
    before = counts()
    made.wait_for_devices(lambda devices: devices["ms5611"]["samples"] >= before["ms5611"] + 40)
    passed = {name: count - before[name] for name, count in counts().items()}
    for name, (_, rate) in timers.items():
        assert passed[name] / passed["ms5611"] == pytest.approx(rate / 20, rel=0.3), passed


def test_a_timer_follows_the_pace_of_its_sensors(running):
    family = {"devices": [driver_families.without_own(driver_families.BMI160)], "triggers": driver_families.TIMERS}
    made = running(family, {"power": {"enabled": True, "idle_after_seconds": 1}})

    def has_rate(rate):
        return made.wait_for_devices(lambda devices: devices.get("bmi160", {}).get("grantedRate") == rate)

    # That of idle sensors by default: no client takes poses.
    has_rate(50)
    with made.subscribe():
        has_rate(200)
    assert made.devices()["bmi160"]["sampling"] == "timerTrigger"


@pytest.mark.long
def test_a_device_that_is_polled_goes_over_to_a_timer_that_is_made_later(running):
    family = {
        "devices": [driver_families.without_own(driver_families.BMI160)],
        "expected": {"bmi160": driver_families.expected(200, "polling", "polling")}}
    made = running(family)
    settled(made, family)
    made.server.command(triggers=driver_families.TIMERS)
    # The daemon looks every half a minute.
    made.wait_for_devices(
        lambda devices: (devices["bmi160"]["state"], devices["bmi160"]["sampling"]) == ("streaming", "timerTrigger"))
    assert made.devices()["bmi160"]["grantedRate"] == 200


def test_a_timer_whose_rate_may_not_be_set_is_named_with_the_error(running):
    family = {
        "devices": [driver_families.AK8975],
        "triggers": [{"name": "waymark-magnetometer", "rate": 10, "write_error": -13}],
        "expected": {"ak8963": driver_families.expected(10, "timerTrigger")}}
    made = running(family)
    report = settled(made, family)["ak8963"]
    assert report["grantedRate"] == 10
    assert "sampling_frequency" in report["rateProblem"] and "Permission denied" in report["rateProblem"]
