"""What a display of 60° shows during the simulated walk, drawn by the renderer of the tests."""
from renderer.picture import draw
from renderer.walk import demo, dense_town, seen

# Since the walk began: the wearer looks along the route, and a town stands around. Seconds.
PICTURES = {"placements-route.png": (0, 33), "placements-town.png": (1, 36)}


def take(folder):
    with demo() as route, dense_town() as town:
        walks = seen(route, town, seconds=max(seconds for _, seconds in PICTURES.values()) + 1)
    for name, (which, seconds) in PICTURES.items():
        eye, scene, moment = walks[which].at(seconds)
        draw(eye, scene, moment).save(folder / name)
        print(folder / name)
