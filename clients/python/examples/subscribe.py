"""Prints poses as they come; a restart of the daemon is survived. With a number it ends after as many poses.

    python3 subscribe.py 10
"""

import sys

import waymark_pose as waymark


def report(problem: waymark.WaymarkError | None) -> None:
    print(f"subscribe: {problem}; trying again" if problem else "subscribe: connected", file=sys.stderr, flush=True)


def main(count: int) -> None:
    with waymark.Client().subscribe(waymark.POSE_SUBSCRIBE, {"rate": 20}, on_connection=report) as replies:
        for number, reply in enumerate(replies, start=1):
            pose: waymark.Pose = reply["pose"]
            print(pose["state"], pose["sequence"], pose["position"], flush=True)
            if number == count:
                break


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else -1)
