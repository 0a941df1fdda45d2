"""The drill's own parts: a schedule that can be had again, a check that lets nothing wrong pass. No guest is needed."""
import itertools
import math
import re

import pytest

from harness import interfaces, sample_messages as sample
from harness.paths import ROOT

from drill import motion, oracle
from drill.faults import APART, KINDS
from drill.schedule import strikes
from drill.storage import favorites

BASE = 1000.0


def pose(seconds, heading=0.0, east=0.0, up=0.0, tilt=0.0, yaw_accuracy=1.0, reasons=(), state="localized"):
    """A pose at a time of the motion, off by these degrees and metres."""
    half = [math.radians(angle) / 2 for angle in (-motion.heading(seconds), motion.pitch(seconds) + tilt)]
    (cy, cx), (sy, sx) = map(math.cos, half), map(math.sin, half)
    metres = oracle.METRES_PER_DEGREE * math.cos(math.radians(motion.PLACE[0]))
    time = BASE + seconds
    return sample.pose(**{
        "time": {"sec": int(time), "nsec": round(time % 1 * 1e9)}, "state": state, "reasons": list(reasons),
        "orientation": {"w": cy * cx, "x": cy * sx, "y": sy * cx, "z": -sy * sx},
        "heading": (motion.heading(seconds) + heading) % 360,
        "geo": {
            "latitude": motion.PLACE[0], "longitude": motion.PLACE[1] + east / metres, "height": motion.PLACE[2] + up},
        "accuracy": {"orientationYawAccuracy": yaw_accuracy, "horizontalAccuracy": 3.0, "verticalAccuracy": 4.0}})


def run(poses):
    """The recovery that these poses make; None while they are not enough."""
    recovery = oracle.Recovery(BASE)
    return recovery if any(recovery.take(each) for each in poses) else None


def series(end, begin=0.0, **changes):
    return [pose(begin + k / 5, **changes) for k in range(round((end - begin) * 5))]


def test_the_scripts_in_the_guest_call_methods_that_there_are():
    scripts = (ROOT / "Tests/Board/drill/guest").glob("*.py")
    called = {name for script in scripts for name in re.findall(r"org\.waymark\.\w+\.\w+", script.read_text())}
    assert len(called) >= 5
    for name in called:
        interfaces.check(interfaces.flaws_of_method(name))


def test_the_same_seed_gives_the_same_drill_and_another_one_another():
    drills = [list(itertools.islice(strikes(KINDS, seed), 50)) for seed in (7, 7, 8)]
    assert drills[0] == drills[1] != drills[2]


@pytest.mark.parametrize("seed", range(5))
def test_every_kind_strikes_in_the_first_round_and_again_in_each(seed):
    rounds = strikes(KINDS, seed)
    for _ in range(3):
        struck = []
        while len(struck) < len(KINDS):
            struck += next(rounds).kinds
        assert sorted(struck) == sorted(KINDS)


def test_faults_to_be_kept_apart_do_not_strike_together():
    drill = list(itertools.islice(strikes(KINDS, 3, APART), 300))
    assert any(len(strike.kinds) == 2 for strike in drill)
    assert not any(set(APART) == set(strike.kinds) for strike in drill)


def test_the_motion_is_the_same_after_a_period():
    for a, b in zip(motion.scene_from_body(0.3), motion.scene_from_body(0.3 + motion.PERIOD)):
        assert a == pytest.approx(b, abs=1e-9)


def test_the_gyroscope_measures_how_the_board_turns():
    step = 0.01
    for k in range(100):
        seconds = k * 0.16
        x, y, z = motion.angular_rate(seconds + step / 2)
        # A vector that stays in the scene turns backwards in the body.
        before, after = motion.field(seconds), motion.field(seconds + step)
        middle = motion.field(seconds + step / 2)
        turned = (y * middle[2] - z * middle[1], z * middle[0] - x * middle[2], x * middle[1] - y * middle[0])
        assert [b - a for a, b in zip(before, after)] == pytest.approx([-part * step for part in turned], abs=1e-6)


def test_a_pose_that_is_right_is_called_right():
    for k in range(40):
        assert oracle.flaw(pose(k * 0.4), BASE) is None


@pytest.mark.parametrize("wrong, word", [
    ({"heading": 12, "yaw_accuracy": 20}, "heading"), ({"heading": -6}, "heading"), ({"east": 11}, "position"),
    ({"up": 14}, "height"), ({"tilt": 4}, "tilt"), ({"state": "limited"}, "limited")])
def test_a_pose_that_is_wrong_is_called_wrong(wrong, word):
    assert word in oracle.flaw(pose(2.0, **wrong), BASE)


def test_a_pose_of_another_time_is_wrong():
    late = pose(2.0)
    late["time"]["sec"] += 1
    assert oracle.flaw(late, BASE)


def test_a_recovery_counts_from_the_sensors_return():
    recovery = run(series(3, reasons=["noInertialData"], state="limited") + series(5, 3, heading=30) + series(20, 5))
    assert recovery.seconds == pytest.approx(2.0)


def test_a_recovery_has_to_hold():
    recovery = run(series(1) + series(2, 1, heading=30) + series(20, 2))
    assert recovery.seconds == pytest.approx(2.0)


def test_poses_that_stay_wrong_fail_the_drill():
    with pytest.raises(AssertionError, match="heading is off"):
        run(series(11, heading=30))


def test_poses_that_never_settle_fail_the_drill():
    with pytest.raises(AssertionError, match="heading is off"):
        run([pose(k / 5, heading=30 if k % 8 == 0 else 0) for k in range(60)])


def test_favorites_follow_the_changes():
    assert favorites(0) == set()
    assert favorites(3) == {"drill/1", "drill/2", "drill/3"}
    assert favorites(6) == {"drill/2", "drill/3", "drill/4"}
    assert favorites(10) == {"drill/0"}
