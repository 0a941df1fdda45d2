"""Prints a few poses, to try the package."""

import sys

from . import POSE_SUBSCRIBE, Client, WaymarkError


def _main(arguments: list[str]) -> int:
    """Prints a few poses: `python3 -m waymark_pose [NUMBER]`."""
    count = int(arguments[0]) if arguments else 5
    try:
        with Client().subscribe(POSE_SUBSCRIBE, {"rate": 5}, reconnect=False) as subscription:
            for number, reply in enumerate(subscription, start=1):
                pose = reply["pose"]
                heading = f"{pose['heading']:.1f}°" if "heading" in pose else "not known"
                x, y, z = (pose["position"][axis] for axis in "xyz")
                print(f"{pose['state']}  x {x:.2f}  y {y:.2f}  z {z:.2f} m  heading {heading}", flush=True)
                if number == count:
                    break
    except WaymarkError as problem:
        print(f"waymark_pose: {problem}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(_main(sys.argv[1:]))
