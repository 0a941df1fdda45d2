"""Poses of the wire: their times, and whether they follow each other as they should."""


def stamp(pose):
    """The time of a pose in seconds since the machine started."""
    return pose["time"]["sec"] + pose["time"]["nsec"] * 1e-9


def check_order(poses):
    """Each is later than the one before, to the nanosecond."""
    times = [(pose["time"]["sec"], pose["time"]["nsec"]) for pose in poses]
    assert times == sorted(set(times)), f"time has to grow: {times}"


def longest_gap(reader):
    """The longest time between two poses in a row of a subscriber, less what the daemon waited for a processor, after a
    check that they are in order."""
    poses = list(reader.poses)
    assert len(poses) > 1, "there is no gap between less than two poses"
    check_order(poses)
    times = [stamp(pose) for pose in poses]
    sequences = [pose["sequence"] for pose in poses]
    assert sequences == sorted(set(sequences)), "sequence numbers have to grow"
    waited = reader.run_queue.within
    return max(later - earlier - waited(earlier, later) for earlier, later in zip(times, times[1:]))
