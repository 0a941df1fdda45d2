"""The fault drill: a board that turns about at a known place while its world breaks, at random from a seed."""
