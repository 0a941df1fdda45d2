"""A program in C that reads the same devices by libiio and writes as many messages: what no daemon can undercut."""
import os, socket, subprocess

SOURCE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "least.c")
# Of the preset "combined". Unit: Hz.
DEVICES = ("imu_6axis", 200, "magn_3axis", 50)
# Longest batch. Unit: s.
LONGEST = 0.1


class Least:
    """The program while it runs, and what it writes to."""

    def __init__(self, board, readers, rate, size):
        program = os.path.join(board.folder, "least")
        subprocess.run(["cc", "-O2", "-Wall", "-o", program, SOURCE, "-liio"], check=True)
        pairs = [socket.socketpair() for _ in range(readers)]
        self.clients, ends = [pair[0] for pair in pairs], [pair[1] for pair in pairs]
        # A quarter of the readers' interval is as late as they notice at most.
        arguments = [rate, size, min(0.25 / rate, LONGEST), *DEVICES, *(end.fileno() for end in ends)]
        self.pid = board.start(
            [program, *map(str, arguments)], env={**os.environ, **board.redirection()},
            pass_fds=[end.fileno() for end in ends]).pid
        for end in ends:
            end.close()
