"""Waiting for a condition, with patience. Needs nothing but the standard library: scripts in a guest use it, too."""
import time

# The machines that run these tests are shared and slow: a deadline ends a test that would never pass and measures
# nothing. Seconds.
PATIENCE = 180.0


def wait_until(condition, timeout=PATIENCE, what=None, interval=0.05, failure=AssertionError):
    """The first true value of `condition()`; raises `failure` when there is none in time."""
    deadline = time.monotonic() + timeout
    while True:
        value = condition()
        if value:
            return value
        if time.monotonic() >= deadline:
            explanation = what() if callable(what) else what or condition.__name__
            raise failure(f"not within {timeout:g} s: {explanation}")
        time.sleep(interval)
