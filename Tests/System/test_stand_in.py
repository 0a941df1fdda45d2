"""The stand-in daemon checks calls and replies against the interface files: it replies as waymarkd could."""
import re

import pytest
from waymark_interface import (
    POSE_GET_POSE, POSE_NOT_READY, POSE_SUBSCRIBE, SCENE_GET_AHEAD, SCENE_GET_SCENE, STATUS_GET_STATUS,
    STATUS_LIST_DEVICES)

from harness import sample_messages as sample
from harness.stand_in import Error, Foreign, Last, StandIn
from harness.varlink import CallFailed, Connection

POSE = sample.POSE


def without(value, name):
    return {key: part for key, part in value.items() if key != name}


@pytest.fixture
def answered(tmp_path):
    """Makes a call of a stand-in that has this reply; returns the flaws that it found in both."""
    def ask(method, reply, parameters=None, **flags):
        path = tmp_path / "daemon.sock"
        path.unlink(missing_ok=True)
        flaws = []
        with StandIn(path, {method: reply}) as stand_in, Connection(path) as connection:
            connection.send_call(method, parameters or {}, **flags)
            connection.message()
            flaws += stand_in.flaws
            stand_in.flaws.clear()
        return flaws

    return ask


@pytest.mark.parametrize("method, reply", [
    (POSE_GET_POSE, {"pose": POSE}), (STATUS_GET_STATUS, {"status": sample.STATUS}),
    (STATUS_LIST_DEVICES, {"devices": [sample.DEVICE]}),
    (SCENE_GET_AHEAD, {"items": [sample.ITEM]}), (SCENE_GET_SCENE, {"scene": sample.SCENE}),
    (POSE_GET_POSE, Error(POSE_NOT_READY, reason="no sample yet")),
    # An int where a float is expected is a float without a fraction.
    (POSE_GET_POSE, {"pose": {**POSE, "heading": 12}}),
    (POSE_GET_POSE, Foreign({"pose": 7})),
], ids=range(8))
def test_what_the_interface_allows_passes(answered, method, reply):
    assert answered(method, reply) == []


@pytest.mark.parametrize("pose, words", [
    (without(POSE, "sequence"), "pose.sequence is missing"), ({**POSE, "speeed": 1.0}, "pose.speeed is unknown"),
    ({**POSE, "geo": None}, "pose.geo is null"), ({**POSE, "sequence": 1.5}, "pose.sequence is 1.5, not an int"),
    ({**POSE, "sequence": True}, "pose.sequence is True, not an int"),
    ({**POSE, "state": "fine"}, "pose.state is 'fine', not one of"),
    ({**POSE, "motion": {"mode": "swim", "probability": 1.0}}, "pose.motion.mode is 'swim', not one of"),
    ({**POSE, "motion": {"mode": "foot"}}, "pose.motion.probability is missing"),
    ({**POSE, "reasons": "none"}, "pose.reasons is 'none', not a list"),
    ({**POSE, "reasons": [1]}, "pose.reasons[0] is 1, not one of"), ({**POSE, "utc": 1}, "pose.utc is 1, not a string"),
    ({**POSE, "position": {"x": 1.0, "y": 2.0}}, "pose.position.z is missing"), ([], "pose is [], not an object"),
], ids=lambda value: value if isinstance(value, str) else "")
def test_a_reply_that_does_not_fit_is_named_by_its_place(answered, pose, words):
    [flaw] = answered(POSE_GET_POSE, {"pose": pose})
    assert words in flaw


@pytest.mark.parametrize("reply, words", [
    (Error(POSE_NOT_READY),
     "org.waymark.Pose.NotReady.reason is missing (org.waymark.Pose: NotReady error.reason)"),
    (Error("org.waymark.Pose.Tired"), "there is no error org.waymark.Pose.Tired"),
])
def test_an_error_that_does_not_fit_is_named(answered, reply, words):
    assert answered(POSE_GET_POSE, reply) == [words]


@pytest.mark.parametrize("method, parameters, words", [
    (POSE_GET_POSE, {"ahead": 1.0},
     "org.waymark.Pose.GetPose.ahead is unknown (org.waymark.Pose: GetPose parameters.ahead)"),
    (POSE_GET_POSE, {"predictAhead": "soon"},
     "org.waymark.Pose.GetPose.predictAhead is 'soon', not a float (org.waymark.Pose: GetPose parameters.predictAhead)"),
    ("org.waymark.Pose.Jump", {}, "there is no method org.waymark.Pose.Jump"),
])
def test_a_call_that_does_not_fit_is_named(answered, method, parameters, words):
    assert words in answered(method, {"pose": POSE}, parameters)


def test_several_replies_are_for_a_call_that_asks_for_more(answered):
    assert answered(POSE_SUBSCRIBE, [{"pose": POSE}], more=True) == []
    [flaw] = answered(POSE_SUBSCRIBE, [{"pose": POSE}])
    assert "without `more`" in flaw


def test_the_last_reply_of_a_stream_says_so(tmp_path):
    path = tmp_path / "daemon.sock"
    with StandIn(path, {POSE_SUBSCRIBE: [{"pose": POSE}, Last({"pose": POSE})]}), Connection(path) as connection:
        connection.send_call(POSE_SUBSCRIBE, {}, more=True)
        assert b'"continues": true' in connection.message()
        assert b"continues" not in connection.message()


@pytest.mark.parametrize("method, reply, words", [
    (POSE_GET_POSE, {"pose": {**POSE, "accuracy": {**POSE["accuracy"], "heading": 1.0}}},
     "pose.accuracy.heading is unknown (org.waymark.Pose: Accuracy.heading)"),
    (STATUS_GET_STATUS, {"status": without(sample.STATUS, "readiness")},
     "status.readiness is missing (org.waymark.Status: Status.readiness)"),
    ("org.waymark.Pose.Jump", {}, "there is no method org.waymark.Pose.Jump"),
], ids=["a field that there is not", "a field left out", "a method that there is not"])
def test_a_stand_in_that_does_not_fit_fails_the_test_that_uses_it(tmp_path, method, reply, words):
    path = tmp_path / "daemon.sock"
    with pytest.raises(AssertionError, match=re.escape(words)):
        with StandIn(path, {method: reply}), Connection(path) as connection:
            connection.call(method)


def test_a_reply_to_a_method_that_there_is_not_fails_the_test_also_without_a_call(tmp_path):
    with pytest.raises(AssertionError, match="there is no method org.waymark.Pose.Jump"):
        with StandIn(tmp_path / "daemon.sock", {"org.waymark.Pose.Jump": {}}):
            pass


def test_what_does_not_fit_fails_the_test_that_uses_the_stand_in(tmp_path):
    path = tmp_path / "daemon.sock"
    with pytest.raises(AssertionError, match="there is no error org.waymark.Pose.Tired"):
        with StandIn(path, {POSE_GET_POSE: Error("org.waymark.Pose.Tired")}), Connection(path) as connection:
            with pytest.raises(CallFailed):
                connection.call(POSE_GET_POSE)
