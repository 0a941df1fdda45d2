"""What a display does when its wearer taps: leads to what the wearer looks at, or says why there is no route. With a
number, what is up to that number of degrees beside the line of sight is meant as well.

    python3 tap.py 5
"""

import sys

import waymark_pose as waymark

#: `navigation.timeout_seconds` of the settings, a second of the daemon's own, and one more for the way. Unit: seconds.
ROUTE_TIMEOUT = 12.0


def tap(client: waymark.Client, tolerance: float | None) -> str:
    """Sets the route; what to show the wearer."""
    picked: waymark.ScenePickReply = client.call(
        waymark.SCENE_PICK, {} if tolerance is None else {"tolerance": tolerance})
    placement = picked.get("placement")
    if placement is None:
        return "nothing there"
    try:
        reply: waymark.SceneNavigateToReply = client.call(
            waymark.SCENE_NAVIGATE_TO, {"place": placement["id"]}, timeout=ROUTE_TIMEOUT)
    except waymark.CallError as refusal:
        # The present route stays. Of NavigationFailed the reason is for the wearer.
        return f"no route: {refusal.parameters.get('reason', refusal.name)}"
    destination, length = reply["destination"], reply["route"]["length"]
    # Without a navigator the wearer is not led along streets: a display should show that.
    way = "straight line" if destination["foundBy"] == "straightLine" else "route"
    return f"{way} to {destination['name']}, {length:.0f} m"


def main(tolerance: float | None) -> int:
    try:
        with waymark.Client() as client:
            print(tap(client, tolerance))
    except waymark.WaymarkError as problem:
        print(f"tap: {problem}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(float(sys.argv[1]) if len(sys.argv) > 1 else None))
