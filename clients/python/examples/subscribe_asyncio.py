"""Prints poses as they come, with asyncio. With a number it ends after as many poses.

    python3 subscribe_asyncio.py 10
"""

import asyncio
import sys

import waymark_pose as waymark


async def main(count: int) -> None:
    number = 0
    async for reply in waymark.Client().stream(waymark.POSE_SUBSCRIBE, {"rate": 20}):
        pose: waymark.Pose = reply["pose"]
        print(pose["state"], pose["sequence"], pose["position"], flush=True)
        number += 1
        if number == count:
            break


if __name__ == "__main__":
    asyncio.run(main(int(sys.argv[1]) if len(sys.argv) > 1 else -1))
