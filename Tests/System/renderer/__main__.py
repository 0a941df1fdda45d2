"""Draws the pictures of docs/placements.md: `python -m renderer FOLDER`, in Tests/System."""
import pathlib
import sys

# As Tests/pytest.ini has it.
ROOT = pathlib.Path(__file__).resolve().parents[3]
sys.path[:0] = [str(ROOT / folder) for folder in ("Tests/Support", "clients/python", "scripts")]

from .picture import draw  # noqa: E402
from .walk import dense_town, demo, seen  # noqa: E402

# Since the walk began: the wearer looks along the route, and a town stands around. Seconds.
PICTURES = {"placements-route.png": (0, 33), "placements-town.png": (1, 14)}


def main(folder):
    with demo() as route, dense_town() as town:
        walks = seen(route, town, seconds=max(seconds for _, seconds in PICTURES.values()) + 1)
    for name, (which, seconds) in PICTURES.items():
        eye, scene, moment = walks[which].at(seconds)
        draw(eye, scene, moment).save(pathlib.Path(folder) / name)
        print(pathlib.Path(folder) / name)


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit("usage: python -m renderer FOLDER")
    main(sys.argv[1])
