"""A label in front of the wearer's eyes that turns with the head, for `head_clock.py` and `head_weather.py`.

Where labels do not cover each other: the default label is 8° wide and 2° high, and the display of the simulation 60° wide and
37° high. At the distance of 1 m, 0.25 m to a side are 14°, and 0.18 m upwards are 10°. So the clock is at the upper left, the
weather at the upper right, with 28° between their middles, and what is straight ahead stays free:

    clock      x = -0.25  y = 0.18
    weather    x = +0.25  y = 0.18

Another program of the kind takes y = -0.18, or another x with at least 0.15 m, which is 8°, to its neighbours.
"""

import sys
import typing

import waymark_pose as waymark

#: Places of the labels in front of the eyes, to the right and upwards. Unit: metres.
CLOCK, WEATHER = (-0.25, 0.18), (0.25, 0.18)
#: Time after which a label is placed again: after a restart of the daemon it is missing until then. Unit: seconds.
RENEWAL = 5.0


class HeadLabel:
    """A label that exists as long as the connection to the daemon: it ends with the program, however that ends."""

    def __init__(self, client: waymark.Client, category: str, place: tuple[float, float]) -> None:
        self._client, self._category, self._place = client, category, place
        self._problem = ""

    def show(self, text: str) -> bool:
        """Places the label, again if it is there already; False, with a line on stderr once, if that fails."""
        anchor: dict[str, typing.Any] = {
            "id": self._category, "name": text, "category": self._category,
            "head": {"x": self._place[0], "y": self._place[1]},
        }
        try:
            self._client.call(waymark.SCENE_PLACE_ANCHOR, {"anchor": anchor})
        except waymark.WaymarkError as problem:
            report(self._category, str(problem), self._problem)
            self._problem = str(problem)
            return False
        self._problem = ""
        return True


def report(program: str, problem: str, before: str) -> None:
    """Prints a problem unless it is the one before."""
    if problem != before:
        print(f"{program}: {problem}", file=sys.stderr, flush=True)
