"""A reader of MQTT topics with a persistent session, which goes on with the next broker when one is gone."""
import queue
import threading
import time
from dataclasses import dataclass

import paho.mqtt.client as mqtt

from .brokers import Endpoint, Identity
from .waiting import wait_until

# Between two attempts to connect. Seconds.
PAUSE = 0.1
KEEP_ALIVE_SECONDS = 20
# For the answer to a subscription: a node of a cluster may say nothing to it. Seconds.
PATIENCE = 15


@dataclass(frozen=True)
class Received:
    """A message as it came; `time` is that of the monotonic clock, in seconds."""
    topic: str
    payload: bytes
    retained: bool
    duplicate: bool
    qos: int
    time: float


class Reader:
    """Subscribes with QoS 1 and keeps what comes, in order, in a thread of its own. Safe for use by several threads.

    `will` is a topic and a payload that the broker publishes if the connection ends without a word. One that insists
    asks again for a subscription that was refused: a node of a cluster refuses while it waits for a new leader.
    """

    def __init__(self, endpoints, identity=None, topics=("waymark/#",), *, client_id=None, clean=False, will=None,
                 insists=True):
        self.endpoints = [endpoints] if isinstance(endpoints, Endpoint) else list(endpoints)
        self.identity = identity or Identity("reader")
        self.topics, self.insists = list(topics), insists
        self.lock = threading.Lock()
        self.received = []
        # One for each connection: whether the broker still had the session.
        self.sessions = []
        # Reasons of the broker, or of the network, against a connection, and why connections ended.
        self.refusals, self.ends = [], []
        self.granted = []
        # From a request for subscriptions until all are granted, over reconnections.
        self.is_asking = False
        self.asked_at = 0
        self.subscribed = threading.Event()
        self.unsubscribed = set()
        self.leaving = threading.Event()
        self.is_graceful = True
        # What the reader's thread has to do: without a thread of its own, paho's client is for one thread alone.
        self.requests = queue.SimpleQueue()
        self.current = 0
        self.client = mqtt.Client(
            mqtt.CallbackAPIVersion.VERSION2, client_id or self.identity.name, clean_session=clean,
            protocol=mqtt.MQTTv311, reconnect_on_failure=False)
        context = self.identity.tls()
        if context:
            self.client.tls_set_context(context)
        if self.identity.password:
            self.client.username_pw_set(self.identity.name, self.identity.password)
        if will:
            self.client.will_set(*will, qos=1)
        self.client.on_connect = self.on_connect
        self.client.on_subscribe = self.on_subscribe
        self.client.on_unsubscribe = self.on_unsubscribe
        self.client.on_message = self.on_message
        self.thread = None

    # In the reader's thread.

    def run(self):
        while not self.leaving.is_set():
            endpoint = self.endpoints[self.current % len(self.endpoints)]
            try:
                self.client.connect(endpoint.host, endpoint.port, keepalive=KEEP_ALIVE_SECONDS)
                code = mqtt.MQTT_ERR_SUCCESS
                while code == mqtt.MQTT_ERR_SUCCESS and not self.leaving.is_set() and not self.is_ignored():
                    code = self.client.loop(0.02)
                    while not self.requests.empty():
                        self.requests.get()()
                self.note(self.ends, mqtt.error_string(code))
            except OSError as error:
                self.note(self.refusals, str(error))
            self.subscribed.clear()
            self.asked_at = 0
            self.current += 1
            self.leaving.wait(PAUSE)
        if self.is_graceful:
            self.client.disconnect()
        elif self.client.socket():
            self.client.socket().close()

    def is_ignored(self):
        """Whether the broker has not answered the subscription, and another is to be asked."""
        if not (self.asked_at and time.monotonic() > self.asked_at + PATIENCE):
            return False
        self.note(self.refusals, "no answer to the subscription")
        return True

    def note(self, notes, value):
        with self.lock:
            notes.append(value)

    def on_connect(self, _, __, flags, reason, ___):
        if reason.is_failure:
            self.note(self.refusals, str(reason))
            return
        self.note(self.sessions, flags.session_present)
        # A session has its subscriptions. To subscribe again would bring the retained messages again, and nats-server
        # 2.9 would lose queued ones: it begins new queues.
        if not self.topics or flags.session_present and not self.is_asking:
            self.subscribed.set()
        else:
            self.ask()

    def ask(self):
        self.is_asking = True
        self.asked_at = time.monotonic()
        self.client.subscribe([(topic, 1) for topic in self.topics])

    def on_subscribe(self, _, __, ___, reasons, ____):
        self.asked_at = 0
        with self.lock:
            self.granted = [not reason.is_failure for reason in reasons]
        if all(self.granted) or not self.insists:
            self.is_asking = False
            self.subscribed.set()
        else:
            self.leaving.wait(PAUSE)
            self.ask()

    def on_unsubscribe(self, _, __, identifier, ___, ____):
        with self.lock:
            self.unsubscribed.add(identifier)

    def on_message(self, _, __, message):
        self.note(self.received, Received(
            message.topic, message.payload, message.retain, message.dup, message.qos, time.monotonic()))

    # In the test's threads.

    def start(self, waits=True):
        """Connects, also again after `stop`: what came meanwhile is then delivered. Waits until it is subscribed."""
        self.leaving.clear()
        self.thread = threading.Thread(target=self.run, daemon=True)
        self.thread.start()
        if waits:
            self.wait_until_subscribed()
        return self

    def wait_until_subscribed(self):
        wait_until(
            self.subscribed.is_set, interval=0.005, what=lambda: f"a subscription; refused: {self.refusals[-3:]}")

    @property
    def connected(self):
        return self.subscribed.is_set()

    def stop(self, graceful=True):
        """Ends the connection; the session stays at the broker. Without grace the socket is closed without a word."""
        if not self.thread:
            return
        self.is_graceful = graceful
        self.leaving.set()
        self.thread.join()
        self.thread = None

    def messages(self, topic=None):
        """Those that came until now, of one topic or of all."""
        with self.lock:
            return [message for message in self.received if topic in (None, message.topic)]

    def payloads(self, topic=None):
        return [message.payload for message in self.messages(topic)]

    def wait_for(self, condition, what=None, **options):
        """The first true value of `condition(messages)`."""
        return wait_until(
            lambda: condition(self.messages()), interval=0.01,
            what=what or (lambda: f"messages, not {self.messages()[-10:]}; refused: {self.refusals[-3:]}"), **options)

    def wait_for_payload(self, payload, topic=None, **options):
        return self.wait_for(lambda messages: next(
            (message for message in messages if message.payload == payload and topic in (None, message.topic)), None),
            **options)

    def barrier(self):
        """Returns when the broker has answered a request: what it had sent before has come."""
        sent = []
        self.requests.put(lambda: sent.append(self.client.unsubscribe("waymark/barrier")[1]))
        wait_until(lambda: sent and sent[0] in self.unsubscribed, interval=0.005, what="the broker's answer")

    def forget(self):
        with self.lock:
            self.received.clear()

    def __enter__(self):
        return self.start()

    def __exit__(self, *_):
        self.stop()
