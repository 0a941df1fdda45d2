/// Who a client is to its broker, and what the broker does for it.
package struct BrokerAccess: Sendable {
    /// A message that the broker publishes, to be retained, when it loses the client.
    package struct Will: Hashable, Sendable {
        package var topic: String
        package var payload: [UInt8]

        package init(topic: String, payload: [UInt8]) {
            self.topic = topic
            self.payload = payload
        }
    }

    /// Name of the client, unique among those of the broker: of two with the same, the broker leaves the older one.
    package var clientIdentifier: String
    package var username: String?
    package var password: String?
    /// File of the authorities that may have signed the broker's certificate; nil for those of the system.
    package var authorityFile: String?
    /// Files of the client's certificate and of its private key.
    package var certificateFile: String?
    package var keyFile: String?
    package var will: Will?
    /// Topic filter of the messages to receive; nil for a client that only publishes.
    package var subscription: String?
    /// Whether the broker keeps the subscription, and messages for it, while the client is away. The queue of a client
    /// that only publishes is its own, and a subscription under its name would be another's.
    package var keepsSession = false
    /// The most messages that are sent before one is acknowledged.
    package var window = 20
    /// Interval of signs of life; a broker that has been silent for one and a half of them is left. Unit: seconds.
    package var keepAlive: Int32 = 15
    /// Time within which a broker that was reached has to accept the connection, and to answer the subscription.
    /// Unit: seconds.
    package var patience = 15.0

    package init(clientIdentifier: String) { self.clientIdentifier = clientIdentifier }
}
