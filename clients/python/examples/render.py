"""A render loop: the pose of the time at which each frame is displayed, from shared memory.

With a number it ends after as many frames.

    python3 render.py 100
"""

import sys
import time

import waymark_pose as waymark

# From the start of rendering to light, of this display. Unit: ns.
LATENCY = 25_000_000
FRAME = 1 / 60


def main(count: int) -> None:
    ring = waymark.PoseRing()
    reported, last_scene = waymark.RingState.RUNNING, None
    while count != 0:
        # Connects, also to a daemon that was restarted.
        state = ring.update()
        if state is not reported:
            print(f"render: {ring.path}: {state.value}", file=sys.stderr, flush=True)
        reported = state
        if state is waymark.RingState.RUNNING and (newest := ring.newest()):
            pose = waymark.predict(newest, waymark.now() + LATENCY)
            # In another scene frame, or after a restart, content is to be placed anew.
            scene = pose.daemon_generation, pose.generation
            news = "" if scene == last_scene else "new scene"
            last_scene = scene
            print(pose.state, news, pose.position, pose.orientation, flush=True)
            count -= 1
        # In place of waiting for the display.
        time.sleep(FRAME)


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else -1)
