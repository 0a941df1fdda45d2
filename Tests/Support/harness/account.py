"""Another user of the same machine: one without any rights of its own, or one in given groups."""
import contextlib
import json
import os

import pytest

# Debian's account without rights and its number.
OTHER_ACCOUNT, OTHER_USER = "nobody", 65534  # words: allow nobody
IS_ROOT = os.geteuid() == 0

needs_root = pytest.mark.skipif(not IS_ROOT, reason="only root can become another user, or mount")


def as_other_user(action):
    """What `action` returns, in a child that has become a user without rights; it may import nothing more."""
    return as_account(OTHER_USER, [], action)


def as_account(user, groups, action):
    """What `action` returns, in a child that has become this user, in a group of its own and in these, by number."""
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        os.write(writing, json.dumps(outcome_as(user, groups, action)).encode())
        os._exit(0)
    os.close(writing)
    with os.fdopen(reading) as pipe:
        result = json.loads(pipe.read())
    os.waitpid(child, 0)
    return result


@contextlib.contextmanager
def staying_as_account(user, groups, action):
    """What `action` returned, in a child that has become this user and stays, with all that it has opened, until the end."""
    reading, stop = os.pipe()

    def act_and_stay():
        os.close(stop)
        return action()

    results, writing = os.pipe()
    child = os.fork()
    if child == 0:
        text = json.dumps(outcome_as(user, groups, act_and_stay))
        os.write(writing, text.encode() + b"\n")
        os.read(reading, 1)
        os._exit(0)
    os.close(writing)
    os.close(reading)
    try:
        with os.fdopen(results) as pipe:
            yield json.loads(pipe.readline())
    finally:
        os.close(stop)
        os.waitpid(child, 0)


def outcome_as(user, groups, action):
    """Becomes another user, for good; what `action` returns then, or the text of what it raised."""
    try:
        os.setgroups(groups)
        os.setgid(user)
        os.setuid(user)
        return action()
    except BaseException as error:  # the parent has to see it, whatever it is
        return repr(error)
