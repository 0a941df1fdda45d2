/// One connection of a client, told apart from all others since the server's start.
public struct ClientIdentifier: Hashable, Sendable {
    /// Counts the connections.
    public let number: UInt64

    init(number: UInt64) { self.number = number }
}
