import Glibc
import Linux
import MQTT
import Network
import Testing

@Suite("Broker connection")
struct BrokerConnectionTests {
    /// A broker that answers the first message of a client, and closes the connection then.
    private struct Broker: ~Copyable {
        private let listener: Int32
        let address: BrokerAddress

        init() throws {
            listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
            var place = sockaddr_in()
            place.sin_family = sa_family_t(AF_INET)
            place.sin_addr.s_addr = in_addr_t(INADDR_LOOPBACK).bigEndian
            var length = socklen_t(MemoryLayout<sockaddr_in>.size)
            let listener = listener
            let isListening = withUnsafeMutablePointer(to: &place) {
                $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    bind(listener, $0, length) == 0 && listen(listener, 2) == 0
                        && getsockname(listener, $0, &length) == 0
                }
            }
            try #require(isListening)
            address = try BrokerAddress("mqtt://127.0.0.1:\(UInt16(bigEndian: place.sin_port))")
        }

        deinit { Glibc.close(listener) }

        func answer(_ bytes: [UInt8]) {
            var message = [UInt8](repeating: 0, count: 1024)
            var client: Int32
            repeat {
                client = accept(listener, nil, nil)
                // A first connection only tries whether the broker can be reached.
                let hasSpoken = recv(client, &message, message.count, 0) > 0
                if hasSpoken { _ = send(client, bytes, bytes.count, 0) }
                Glibc.close(client)
                if hasSpoken { return }
            } while client >= 0
        }
    }

    @Test(
        "Each end of a connection is named",
        arguments: [
            ([], "the broker closed the connection"),
            // Within the answer to the first message.
            ([0x20, 2], "the broker closed the connection"),
            ([0x20, 2, 0, 0], "the broker closed the connection"),
            ([0x20, 2, 0, 5], "the broker does not permit this client"),
        ] as [([UInt8], String)])
    func end(answer: [UInt8], reason: String) throws {
        let broker = try Broker()
        let reactor = try Reactor()
        var reasons: [String] = []
        let connection = try BrokerConnection(
            reactor, BrokerAccess(clientIdentifier: "test"), brokers: [broker.address]
        ) { event in
            if case .failed(_, let reason) = event { reasons.append(reason) }
        }
        broker.answer(answer)
        while reasons.isEmpty { reactor.runOnce() }
        connection.close()
        #expect(reasons.first == reason)
    }
}
