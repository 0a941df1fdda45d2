"""The parts of scripts/check: what they are, in which order they run, and what comes of their tests."""
