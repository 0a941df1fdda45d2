import Linux
import Testing

@Suite("Addresses of sockets")
struct NetworkAddressTests {
    @Test(
        "Numeric addresses with a port are read and written",
        arguments: [
            ("127.0.0.1:2948", "127.0.0.1:2948", true), ("localhost:80", "127.0.0.1:80", true),
            ("[::1]:0", "[::1]:0", true), ("127.3.2.1:65535", "127.3.2.1:65535", true),
            ("0.0.0.0:2948", "0.0.0.0:2948", false), ("[::]:1", "[::]:1", false),
            ("192.168.0.7:4242", "192.168.0.7:4242", false), ("[2001:db8::1]:9", "[2001:db8::1]:9", false),
        ])
    func reading(_ text: String, _ written: String, _ isLoopback: Bool) throws {
        let address = try NetworkAddress(text)
        #expect(address.description == written)
        #expect(address.isLoopback == isLoopback)
    }

    @Test(
        "Anything else is refused with a reason",
        arguments: [
            "", ":", "2948", "127.0.0.1", "127.0.0.1:", "127.0.0.1:65536", "127.0.0.1:+1", "127.0.0.1: 1", "::1:80",
            "[::1]", "[::1:80", "example.org:80", "127.1:80", "[127.0.0.1]:80", "127.0.0.1:1\n", "[]:1",
            String(repeating: "1", count: 70) + ":1",
        ])
    func refusal(_ text: String) {
        #expect(throws: NetworkAddress.Problem.self) { try NetworkAddress(text) }
    }
}
