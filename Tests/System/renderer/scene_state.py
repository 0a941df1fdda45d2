"""The scene as it was after each message of a subscription."""
import bisect


def stamp(time):
    """Seconds of CLOCK_BOOTTIME."""
    return time["sec"] + time["nsec"] * 1e-9


class Scene:
    """What is placed after one message, by ids; never changed."""

    def __init__(self, message, before=None):
        self.time = stamp(message["time"])
        self.message = message
        self.placements = {} if message["snapshot"] else dict(before.placements)
        for gone in message["removed"]:
            del self.placements[gone]
        for placement in message["changed"]:
            self.placements[placement["id"]] = placement

    @property
    def motion(self):
        return self.message.get("motion")

    def of(self, *kinds):
        return [each for each in self.placements.values() if each["kind"] in kinds]

    def in_order(self):
        """The farthest first."""
        return sorted(self.placements.values(), key=lambda each: each["order"])


def scenes(messages):
    """The scene after each message."""
    found = []
    for message in messages:
        found.append(Scene(message, found[-1] if found else None))
    return found


def newest(items, time):
    """Of items in the order of their `time`, the last one that is not later; None where all are."""
    index = bisect.bisect_right(items, time, key=lambda each: each.time)
    return items[index - 1] if index else None
