"""Sources that offer a camera's odometry to the daemon, without replies."""
import json, sys, threading, time

# From an exposure to its offer. Unit: ns.
LATE = 40_000_000


class Aids:
    """Sources, each on a connection of its own and out of step with the others."""

    def __init__(self, board, count, rate, tracking):
        self.rate, self.tracking, self.over = rate, tracking, threading.Event()
        self.clients = [board.connect() for _ in range(count)]
        self.threads = [
            threading.Thread(target=self.offer, args=(client, f"camera{number}", number / count / rate))
            for number, client in enumerate(self.clients)]

    def __enter__(self):
        for number, client in enumerate(self.clients):
            send(client, "Open", {"source": f"camera{number}", "kinds": ["odometry"]})
            if "error" in (reply := json.loads(client.recv(65536)[:-1])):
                sys.exit(f"daemon-load: {reply['error']}")
        for thread in self.threads:
            thread.start()

    def __exit__(self, *_):
        self.over.set()
        for thread in self.threads:
            thread.join()
        for number, client in enumerate(self.clients):
            send(client, "List", {})
            sources = json.loads(client.recv(65536)[:-1])["parameters"]["sources"]
            found = next(each for each in sources if each["source"] == f"camera{number}")
            if found["refused"] or not found["accepted"]:
                sys.exit(f"daemon-load: the daemon refused {found['refused']}")
            client.close()

    def offer(self, client, source, phase):
        due = time.monotonic() + phase
        number = 0
        while not self.over.wait(max(0, due - time.monotonic())):
            seconds, nanoseconds = divmod(time.clock_gettime_ns(time.CLOCK_BOOTTIME) - LATE, 1_000_000_000)
            send(client, "OfferOdometry", {
                "source": source, "time": {"sec": seconds, "nsec": nanoseconds}, "tracking": self.tracking,
                # Moves on, since a pose that is repeated is not compared.
                "position": {"x": 0.0123456789 * number, "y": 1.6, "z": -0.0223456789 * number},
                "orientation": {"x": 0, "y": 0, "z": 0, "w": 1}, "reset": 0}, oneway=True)
            number += 1
            # A camera leaves out what it cannot keep up with.
            due = max(due + 1 / self.rate, time.monotonic())


def send(client, method, parameters, **more):
    client.sendall(json.dumps({"method": f"org.waymark.Aid.{method}", "parameters": parameters, **more}).encode() + b"\0")
