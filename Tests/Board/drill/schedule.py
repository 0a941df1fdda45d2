"""Which fault strikes when, from a seed. Pure: the same seed gives the same drill."""
import dataclasses
import random

# How likely a fault is to come with another one.
PAIRED = 0.3


@dataclasses.dataclass(frozen=True)
class Strike:
    """Faults that strike together; `seed` is for what is random about them."""
    kinds: tuple
    seed: int

    def __str__(self):
        return " + ".join(self.kinds)


def strikes(kinds, seed, apart=()):
    """Without end: rounds in which each kind strikes once; from the second round on some strike two at a time, but no
    two of those that are to be kept apart."""
    source = random.Random(seed)
    is_first = True
    while True:
        rest = list(kinds)
        source.shuffle(rest)
        while rest:
            together = (rest.pop(),)
            if rest and not is_first and source.random() < PAIRED and not {*together, rest[-1]} <= set(apart):
                together += (rest.pop(),)
            yield Strike(together, source.getrandbits(32))
        is_first = False
