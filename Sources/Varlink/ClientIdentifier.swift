/// Identifier of a client's connection, unique since the server's start.
public struct ClientIdentifier: Hashable, Sendable {
    /// Counts the connections.
    public let number: UInt64

    init(number: UInt64) { self.number = number }
}
