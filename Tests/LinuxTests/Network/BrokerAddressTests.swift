import Linux
import Testing

@Suite("Broker address")
struct BrokerAddressTests {
    @Test("Scheme, host and port are read")
    func schemeHostPortRead() throws {
        let address = try BrokerAddress("MQTTS://Broker.Example:9883/")
        #expect(address.host == "broker.example")
        #expect(address.port == 9883)
        #expect(address.isEncrypted)
        #expect(!address.isLoopback)
        #expect(address.description == "mqtts://broker.example:9883")
    }

    @Test("Without a port it is the registered one")
    func withoutPortRegisteredOne() throws {
        #expect(try BrokerAddress("mqtts://a").port == 8883)
        #expect(try BrokerAddress("mqtt://a").port == 1883)
    }

    @Test("An address of IPv6 keeps its brackets in texts")
    func anAddressIpv6Keeps() throws {
        let address = try BrokerAddress("mqtt://[::1]:1884")
        #expect(address.host == "::1")
        #expect(address.isLoopback)
        #expect(address.description == "mqtt://[::1]:1884")
    }

    @Test("Addresses of this computer are loopback", arguments: ["127.0.0.1", "127.9.9.9", "localhost", "[::1]"])
    func addressesThisComputerLoopback(_ host: String) throws {
        #expect(try BrokerAddress("mqtt://\(host)").isLoopback)
    }

    @Test("Nodes of a cluster are a list in their order")
    func nodesClusterListTheir() throws {
        let nodes = try BrokerAddress.list(" mqtts://a  mqtts://b:1 ")
        #expect(nodes.map(\.description) == ["mqtts://a:8883", "mqtts://b:1"])
        #expect(try BrokerAddress.list("").isEmpty)
    }

    @Test(
        "What is no address is refused",
        arguments: [
            "", "a:1883", "http://a", "mqtt://", "mqtt://a:0", "mqtt://a:65536", "mqtt://a:1x", "mqtt://user:pw@a",
            "mqtt://a/topic", "mqtt://a b", "mqtt://[::1", "mqtt://-a", "mqtt://a\u{0}",
        ])
    func noAddressRefused(_ text: String) {
        #expect(throws: BrokerAddress.Problem.self) { try BrokerAddress(text[...]) }
    }

    @Test("More brokers than the limit are refused")
    func moreBrokersThanLimit() {
        let text = Array(repeating: "mqtt://a", count: 17).joined(separator: " ")
        #expect(throws: BrokerAddress.Problem.self) { try BrokerAddress.list(text) }
    }
}
