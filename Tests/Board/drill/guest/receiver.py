"""A satellite receiver at a pseudo-terminal, for gpsd: it stands still, and its clock is true whatever the system's is.

    receiver.py LINK

It has to be started while the system's clock is right. LINK leads to the terminal. Sentences are those of gpsd_feed.py.
"""
import fcntl
import os
import pty
import sys
import termios
import time
import tty

from gpsd_feed import PLACE, SIGMAS, epoch_sentences, sentence

LATENCY = 0.1


def main(link):
    offset = time.time() - time.clock_gettime(time.CLOCK_BOOTTIME)
    master, slave = pty.openpty()
    tty.setraw(slave)
    os.set_blocking(master, False)
    # gpsd gives up root before it opens its receivers.
    os.chmod(os.ttyname(slave), 0o666)
    os.symlink(os.ttyname(slave), link)
    while True:
        epoch = int(time.clock_gettime(time.CLOCK_BOOTTIME) + offset) + 1
        time.sleep(max(0.0, epoch + LATENCY - offset - time.clock_gettime(time.CLOCK_BOOTTIME)))
        # A gpsd that was killed leaves the terminal as its own, and the next one could not open it.
        fcntl.ioctl(slave, termios.TIOCNXCL)
        text = b"".join(map(sentence, epoch_sentences(epoch, (*PLACE, 0.0, 0.0), SIGMAS, True)))
        try:
            os.write(master, text)
        except BlockingIOError:
            pass  # no program reads at the moment


main(sys.argv[1])
