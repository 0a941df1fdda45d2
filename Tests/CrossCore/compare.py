"""Compares the rows of two runs of the same walk, each number a word of hexadecimal digits: compare.py HERE THERE."""
import struct
import sys

# Two C libraries round sine and arctangent differently in the last bit, and so do compilers that fuse a product and a
# sum. What the estimator makes of that in a minute stays this far below anything that is measured. Units: of each value.
LARGEST_DIFFERENCE = 1e-9


def rows(path):
    with open(path) as file:
        return [[struct.unpack(">d", bytes.fromhex(word))[0] for word in line.split()[1:]] for line in file]


def main():
    here, there = (rows(path) for path in sys.argv[1:3])
    if len(here) != len(there) or len(here) < 50:
        sys.exit(f"{len(here)} rows here, {len(there)} there: not the same walk")
    pairs = [pair for mine, theirs in zip(here, there, strict=True) for pair in zip(mine, theirs, strict=True)]
    same = sum(mine == theirs for mine, theirs in pairs)
    largest = max(abs(mine - theirs) / max(1, abs(mine)) for mine, theirs in pairs)
    # Also for a number that is none.
    if not largest <= LARGEST_DIFFERENCE:
        sys.exit(f"the rows differ by up to {largest:.1e}")
    print(f"{len(here)} rows: {same} of {len(pairs)} numbers are the same to the last bit, the rest within {largest:.1e}")


if __name__ == "__main__":
    main()
