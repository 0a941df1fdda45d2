"""mosquitto's own clients for one message or one subscription."""
import subprocess

from .waiting import PATIENCE


def publish(endpoint, identity, topic, payload, *options, qos=1, retain=False, client_id=None):
    """Sends a message by mosquitto_pub; the program's outcome."""
    words = ["mosquitto_pub", *common(endpoint, identity, client_id), "-q", str(qos), "-t", topic, "-m", payload]
    return run([*words, *(["-r"] if retain else []), *options])


def subscribe(endpoint, identity, *topics, seconds=PATIENCE, count=None, client_id=None, options=()):
    """What mosquitto_sub has printed, a line for each message with its topic, until `count` have come."""
    words = ["mosquitto_sub", *common(endpoint, identity, client_id), "-q", "1", "-v", "-W", str(int(seconds))]
    return run([*words, *(["-C", str(count)] if count else []),
                *(word for topic in topics for word in ("-t", topic)), *options])


def common(endpoint, identity, client_id):
    identified = ["-i", client_id or identity.name] if identity else ["-i", client_id or "client"]
    return ["-h", endpoint.host, "-p", str(endpoint.port), *identified, *(identity.options() if identity else [])]


def run(words):
    return subprocess.run(words, capture_output=True, text=True, timeout=PATIENCE + 10)
