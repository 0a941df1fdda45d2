"""Another user of the same machine, without any rights of its own."""
import json
import os

import pytest

# Debian's account without rights and its number.
OTHER_ACCOUNT, OTHER_USER = "nobody", 65534  # words: allow nobody
IS_ROOT = os.geteuid() == 0

needs_root = pytest.mark.skipif(not IS_ROOT, reason="only root can become another user, or mount")


def as_other_user(action):
    """What `action` returns, in a child that has become another user; it may import nothing more."""
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            os.setgroups([])
            os.setgid(OTHER_USER)
            os.setuid(OTHER_USER)
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
