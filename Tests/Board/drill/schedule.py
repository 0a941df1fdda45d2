"""Which fault strikes when, from a seed. Pure: the same seed gives the same drill."""
import dataclasses
import random


@dataclasses.dataclass(frozen=True)
class Strike:
    """Faults that strike together; `seed` is for what is random about them."""
    kinds: tuple
    seed: int

    def __str__(self):
        return " + ".join(self.kinds)


def strikes(kinds, seed):
    """Without end: rounds in which each kind strikes once; from the second round on some strike two at a time."""
    source = random.Random(seed)
    is_first = True
    while True:
        rest = list(kinds)
        source.shuffle(rest)
        while rest:
            count = 1 if is_first or len(rest) == 1 else source.choice((1, 1, 2))
            together = tuple(rest.pop() for _ in range(count))
            yield Strike(together, source.getrandbits(32))
        is_first = False
