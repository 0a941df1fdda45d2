"""A writer of MQTT messages on one connection, which counts what the broker has acknowledged."""
import paho.mqtt.client as mqtt

from .brokers import Identity
from .waiting import wait_until


class Writer:
    """Connects when it is made. What a broker has not acknowledged when it hangs up is lost."""

    def __init__(self, endpoint, identity=None, client_id=None):
        self.identity = identity or Identity("writer")
        self.published = self.acknowledged = 0
        self.client = mqtt.Client(
            mqtt.CallbackAPIVersion.VERSION2, client_id or self.identity.name, protocol=mqtt.MQTTv311,
            reconnect_on_failure=False)
        # All at once, for the time between a message and its acknowledgement is the broker's.
        self.client.max_inflight_messages_set(1000)
        context = self.identity.tls()
        if context:
            self.client.tls_set_context(context)
        self.client.on_publish = self.on_publish
        self.client.connect(endpoint.host, endpoint.port)
        self.client.loop_start()
        wait_until(self.client.is_connected, what="a connection", interval=0.005)

    def on_publish(self, *_):
        self.acknowledged += 1

    def publish(self, topic, payload, qos=1, retain=False):
        self.published += 1
        self.client.publish(topic, payload, qos, retain)

    def wait(self):
        """Until all messages are acknowledged, or sent if they have QoS 0, or the broker has hung up."""
        wait_until(
            lambda: self.acknowledged >= self.published or not self.client.is_connected(), interval=0.005,
            what=lambda: f"{self.published} acknowledgements, not {self.acknowledged}")

    def close(self):
        self.client.disconnect()
        self.client.loop_stop()

    def __enter__(self):
        return self

    def __exit__(self, failure, *_):
        if not failure:
            self.wait()
        self.close()
