/// Address of an MQTT broker: `mqtts://HOST[:PORT]`, encrypted by TLS, or `mqtt://HOST[:PORT]`, not encrypted.
package struct BrokerAddress: Hashable, Sendable, CustomStringConvertible {
    package typealias Problem = AddressProblem

    /// Name or numeric address of the broker's computer.
    package let host: String
    /// Port. If the text has none, it is the port registered with IANA: 8883 for mqtts, 1883 for mqtt.
    package let port: Int
    package let isEncrypted: Bool
    /// Whether only programs on this computer can reach the broker.
    package let isLoopback: Bool

    /// The address as `init` parses it, with its port.
    package var description: String {
        "\(isEncrypted ? "mqtts" : "mqtt")://\(host.contains(":") ? "[\(host)]" : host):\(port)"
    }

    /// Maximum number of brokers in a list. The list names the nodes of a cluster.
    private static let maximumBrokerCount = 16

    package init(_ text: Substring) throws(Problem) {
        let lowered = text.lowercased()
        guard lowered.hasPrefix("mqtts://") || lowered.hasPrefix("mqtt://") else {
            throw Problem(description: "must begin with mqtts:// or mqtt://, as mqtts://broker.example:8883 does")
        }
        isEncrypted = lowered.hasPrefix("mqtts://")
        var rest = text.dropFirst(isEncrypted ? 8 : 7)
        if rest.contains("@") {
            throw Problem(description: "must not hold a user name or a password: these are credentials of the service")
        }
        if rest.last == "/" { rest = rest.dropLast() }
        let target = try HostAndPort(rest)
        host = target.host
        port = target.port ?? (isEncrypted ? 8883 : 1883)
        isLoopback = target.isLoopback
    }

    /// Parses addresses separated by spaces. They are the nodes of one cluster, in the order in which to try them.
    package static func list(_ text: String) throws(Problem) -> [BrokerAddress] {
        let parts = text.split(separator: " ")
        guard parts.count <= maximumBrokerCount else {
            throw Problem(description: "names more than \(maximumBrokerCount) brokers")
        }
        return try parts.map { part throws(Problem) in try BrokerAddress(part) }
    }
}
