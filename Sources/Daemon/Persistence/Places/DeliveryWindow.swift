/// What a client delivers while the daemon waits for it.
///
/// A window lasts as long as the waits in it together: the time that the daemon spends on what has arrived does not
/// count, so that a client is never too slow because the daemon is.
package struct DeliveryWindow: Sendable {
    /// Least mean rate, far below that of any disk or network and far above that of bytes that trickle. Unit: bytes/s.
    package static let leastRate = 1000

    /// Duration of the window. Unit: seconds.
    package let seconds: Double
    /// Number of bytes that have arrived in it.
    package private(set) var bytes = 0
    /// Sum of the waits in it. Unit: seconds.
    private var waited = 0.0

    package init(seconds: Double) { self.seconds = seconds }

    /// Time of waiting after which the window is over. Unit: seconds.
    package var secondsLeft: Double { max(0, seconds - waited) }

    /// Whether the daemon has waited for the whole window.
    package var isOver: Bool { waited >= seconds }

    /// Number of bytes that have to arrive in it.
    package var leastBytes: Int { Int((seconds * Double(Self.leastRate)).rounded(.up)) }

    /// Whether enough bytes have arrived in it.
    package var isEnough: Bool { bytes >= leastBytes }

    /// Adds a wait for the client.
    package mutating func add(seconds: Double) { waited += seconds }

    /// Adds bytes that have arrived.
    package mutating func add(bytes: Int) { self.bytes += bytes }
}
