"""How the wearer moves about, as subscribers, the status and the commands have it."""
from harness.command import waymark
from harness.daemon import SIMULATION


def is_clearly(mode):
    # A pose that is held because no samples have come for a while has no motion.
    return lambda pose: "motion" in pose and pose["motion"]["mode"] == mode and pose["motion"]["probability"] > 0.9


def test_a_subscriber_sees_the_simulated_wearer_at_rest_and_then_on_foot(daemon):
    made = daemon(SIMULATION).start()
    with made.subscribe(rate=50) as reader:
        resting = reader.wait_for(is_clearly("rest"), what="a wearer at rest")
        walking = reader.wait_for(is_clearly("foot"), what="a wearer on foot")
        status = made.status()
        text = waymark("status", socket=made.socket).stdout
        line = waymark("watch", "-n", 1, socket=made.socket).stdout
    assert resting["sequence"] < walking["sequence"]
    for pose in (pose for pose in reader.poses if "motion" in pose):
        # The likeliest of three is never less likely than a third.
        assert pose["motion"]["mode"] in ("rest", "foot", "vehicle") and 0.333 < pose["motion"]["probability"] <= 1
    assert status["motion"]["mode"] == "foot" and 0.333 < status["motion"]["probability"] <= 1
    assert "\nmotion     on foot (" in text
    assert "  motion on foot (" in line
