"""Another user of the same machine: one without any rights of its own, or one in given groups."""
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
        try:
            os.setgroups(groups)
            os.setgid(user)
            os.setuid(user)
            text = json.dumps(action())
        except BaseException as error:  # the parent has to see it, whatever it is
            text = json.dumps(repr(error))
        os.write(writing, text.encode())
        os._exit(0)
    os.close(writing)
    with os.fdopen(reading) as pipe:
        result = json.loads(pipe.read())
    os.waitpid(child, 0)
    return result
