"""The stand-in daemon holds calls and replies against the interface files: what it says, waymarkd could say."""
import pytest

from harness.stand_in import (
    GET_AHEAD, GET_POSE, GET_STATUS, LIST_DEVICES, SUBSCRIBE, Error, Foreign, Last, StandIn, daemon)
from harness.wire import CallFailed, Connection

POSE = daemon.POSE


def without(value, name):
    return {key: part for key, part in value.items() if key != name}


@pytest.fixture
def answered(tmp_path):
    """Makes a call of a stand-in that has this reply; returns what the stand-in had to say of both."""
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
    (GET_POSE, {"pose": POSE}), (GET_STATUS, {"status": daemon.STATUS}), (LIST_DEVICES, {"devices": [daemon.DEVICE]}),
    (GET_AHEAD, {"items": [daemon.ITEM]}), ("org.waymark.Scene.GetScene", {"scene": daemon.SCENE}),
    (GET_POSE, Error("org.waymark.Pose.NotReady", reason="no sample yet")),
    # An int where a float is expected is a float without a fraction.
    (GET_POSE, {"pose": {**POSE, "heading": 12}}),
    (GET_POSE, Foreign({"pose": 7})),
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
    [flaw] = answered(GET_POSE, {"pose": pose})
    assert words in flaw


@pytest.mark.parametrize("reply, words", [
    (Error("org.waymark.Pose.NotReady"), "org.waymark.Pose.NotReady.reason is missing"),
    (Error("org.waymark.Pose.Tired"), "there is no error org.waymark.Pose.Tired"),
])
def test_an_error_that_does_not_fit_is_named(answered, reply, words):
    assert answered(GET_POSE, reply) == [words]


@pytest.mark.parametrize("method, parameters, words", [
    (GET_POSE, {"ahead": 1.0}, "org.waymark.Pose.GetPose.ahead is unknown"),
    (GET_POSE, {"predictAhead": "soon"}, "org.waymark.Pose.GetPose.predictAhead is 'soon', not a float"),
    ("org.waymark.Pose.Jump", {}, "there is no method org.waymark.Pose.Jump"),
])
def test_a_call_that_does_not_fit_is_named(answered, method, parameters, words):
    assert words in answered(method, {"pose": POSE}, parameters)


def test_several_replies_are_for_a_call_that_asks_for_more(answered):
    assert answered(SUBSCRIBE, [{"pose": POSE}], more=True) == []
    [flaw] = answered(SUBSCRIBE, [{"pose": POSE}])
    assert "without `more`" in flaw


def test_the_last_reply_of_a_stream_says_so(tmp_path):
    path = tmp_path / "daemon.sock"
    with StandIn(path, {SUBSCRIBE: [{"pose": POSE}, Last({"pose": POSE})]}), Connection(path) as connection:
        connection.send_call(SUBSCRIBE, {}, more=True)
        assert b'"continues": true' in connection.message()
        assert b"continues" not in connection.message()


def test_what_does_not_fit_fails_the_test_that_uses_the_stand_in(tmp_path):
    path = tmp_path / "daemon.sock"
    with pytest.raises(AssertionError, match="there is no error org.waymark.Pose.Tired"):
        with StandIn(path, {GET_POSE: Error("org.waymark.Pose.Tired")}), Connection(path) as connection:
            with pytest.raises(CallFailed):
                connection.call(GET_POSE)
