"""The fault drill: a board that rotates at a known place while its world breaks, at random from a seed."""
