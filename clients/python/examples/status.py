"""Prints the state of the daemon once, and why it is not better."""

import sys

import waymark_pose as waymark


def main() -> int:
    try:
        status: waymark.Status = waymark.Client().call(waymark.STATUS_GET_STATUS)["status"]
    except waymark.WaymarkError as problem:
        print(f"status: {problem}", file=sys.stderr)
        return 1
    print(f"{status['state']}, version {status['version']}")
    for reason in status["reasons"]:
        print(f"  {reason}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
