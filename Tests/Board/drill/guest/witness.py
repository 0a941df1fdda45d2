"""Writes down every pose that the daemon publishes, one JSON object a line, and comes back whenever it went away.

    witness.py FILE RATE
"""
import sys
import time

from harness.varlink import SERVICE_SOCKET, Closed, Connection


def main(path, rate):
    with open(path, "ab", buffering=0) as file:
        while True:
            try:
                connection = Connection(SERVICE_SOCKET, timeout=None)
                connection.send_call("org.waymark.Pose.Subscribe", {"rate": rate}, more=True)
                while not (message := connection.message()).startswith(b'{"error"'):
                    file.write(message + b"\n")
                # All places are taken at the moment.
                connection.close()
                time.sleep(0.2)
            except (OSError, Closed):
                time.sleep(0.2)


main(sys.argv[1], float(sys.argv[2]))
