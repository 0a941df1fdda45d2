"""Links between clients and brokers that are cut, by the harness's relay and by a cable that is pulled."""
import pytest

from harness.link import Link
from harness.mosquitto import Mosquitto
from harness.mqtt_reader import Reader
from harness.mqtt_writer import Writer
from harness.network_namespace import namespace_or_skip
from harness.waiting import wait_until


@pytest.fixture
def cable():
    made = namespace_or_skip()
    yield made
    made.remove()


@pytest.fixture
def mosquitto(tmp_path):
    made = Mosquitto(tmp_path / "mosquitto")
    yield made.start()
    made.remove()


@pytest.mark.parametrize("silent", [False, True])
def test_a_reader_gets_what_was_sent_while_its_link_was_cut(mosquitto, silent):
    with Link(mosquitto.endpoint) as link, Reader(link.endpoint) as reader, Writer(mosquitto.endpoint) as writer:
        writer.publish("waymark/ada/pose", "before")
        reader.wait_for_payload(b"before")
        link.cut(silent)
        for number in range(5):
            writer.publish("waymark/ada/pose", str(number))
        writer.wait()
        if not silent:
            wait_until(lambda: reader.ends, what="the end of the connection")
        assert reader.payloads() == [b"before"]
        assert reader.connected == silent
        link.restore()
        reader.wait_for_payload(b"4")
        assert list(dict.fromkeys(reader.payloads())) == [b"before", b"0", b"1", b"2", b"3", b"4"]
        assert reader.sessions == [False, True]


def test_a_link_counts_the_bytes_of_clients(mosquitto):
    with Link(mosquitto.endpoint) as link, Writer(link.endpoint) as writer:
        sent, received = link.sent, link.received
        writer.publish("waymark/ada/pose", "x" * 400)
        writer.wait()
        # Header of 3 bytes, topic with its length, packet identifier, payload; the acknowledgement has 4.
        assert (link.sent - sent, link.received - received) == (3 + 2 + 16 + 2 + 400, 4)


def test_messages_outlast_a_pulled_cable_on_the_connections_that_they_had(cable, tmp_path):
    mosquitto = Mosquitto(tmp_path / "mosquitto", host=cable.inner, namespace=cable)
    try:
        mosquitto.start()
        with Reader(mosquitto.endpoint) as reader, Writer(mosquitto.endpoint) as writer:
            cable.cut()
            for number in range(5):
                writer.publish("waymark/ada/pose", str(number))
            assert writer.acknowledged == 0
            assert reader.messages() == []
            cable.restore()
            reader.wait_for_payload(b"4")
            writer.wait()
            assert reader.payloads() == [b"0", b"1", b"2", b"3", b"4"]
            assert reader.sessions == [False]
            assert all(count > 5 * 40 for count in [*cable.wire_bytes(), *mosquitto.program.interface_bytes()])
    finally:
        mosquitto.remove()
