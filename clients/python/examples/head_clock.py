"""Shows the time of day at the upper left of the display, in front of the wearer's eyes.

    python3 head_clock.py [--seconds]

The label changes each minute, with --seconds each second. It ends with the program; after a restart of the daemon it is there
again within seconds. Needs the right to make changes (group waymark-change).
"""

import argparse
import contextlib
import datetime
import sys
import time

import head_label
import waymark_pose as waymark


def text(now: datetime.datetime, seconds: bool) -> str:
    return now.strftime("%H:%M:%S" if seconds else "%H:%M")


def pause(now: datetime.datetime, seconds: bool) -> float:
    """Time until the text changes, or the label is to be placed again. Unit: seconds."""
    begun = now.microsecond * 1e-6 + (0 if seconds else now.second)
    return min((1 if seconds else 60) - begun, head_label.RENEWAL)


def main() -> int:
    parser = argparse.ArgumentParser(description="Shows the time of day in front of the wearer's eyes.")
    parser.add_argument("--seconds", action="store_true", help="with seconds")
    seconds = parser.parse_args().seconds
    with waymark.Client() as client, contextlib.suppress(KeyboardInterrupt):
        label = head_label.HeadLabel(client, "clock", head_label.CLOCK)
        while True:
            now, begun = datetime.datetime.now(), time.monotonic()
            label.show(text(now, seconds))
            # By the time of the text, so that no minute is left out.
            time.sleep(max(0, pause(now, seconds) - (time.monotonic() - begun)))
    return 0


if __name__ == "__main__":
    sys.exit(main())
