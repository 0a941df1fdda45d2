/// Identity of a client at its broker, and the services that it requests.
package struct BrokerAccess: Sendable {
    /// A retained message that the broker publishes when it loses the client.
    package struct Will: Hashable, Sendable {
        package var topic: String
        package var payload: [UInt8]
    }

    /// Name of the client, unique at its broker, because a broker disconnects the older of two clients with the same
    /// name.
    package var clientIdentifier: String
    package var username: String?
    package var password: String?
    /// File of the authorities that may have signed the broker's certificate; nil for the system's authorities.
    package var authorityFile: String?
    /// Files of the client's certificate and of its private key.
    package var certificateFile: String?
    package var keyFile: String?
    package var will: Will?
    /// Topic filter of the messages to receive; nil for a client that only publishes.
    package var subscription: String?
    /// Whether the broker keeps the subscription, and messages for it, while the client is disconnected. It is false
    /// for a client that only publishes. Such a client has its own queue on disk, and a subscription that the broker
    /// kept under its name would be that of another client.
    package var keepsSession = false
    /// Maximum number of sent messages that wait for an acknowledgement.
    package var window = 20
    /// Interval of keep-alive messages; a broker that is silent for one and a half intervals is disconnected. Unit:
    /// seconds.
    package var keepAlive: Int32 = 15
    /// Time within which a broker that was reached has to accept the connection and to answer the subscription. Unit:
    /// seconds.
    package var patience = 15.0

    package init(clientIdentifier: String) { self.clientIdentifier = clientIdentifier }
}
