/// Amount of data that a client delivers while the daemon waits for it.
///
/// The duration of a window is the sum of its waits: the daemon's processing time does not count, so that a slow daemon
/// never makes a client count as too slow.
package struct DeliveryWindow: Sendable {
    /// Minimum mean rate, far below any disk or network and far above a trickle of bytes. Unit: bytes/s.
    package static let minimumRate = 1000

    /// Duration of the window. Unit: seconds.
    package let seconds: Double
    /// Number of bytes received in the window.
    package private(set) var bytes = 0
    /// Sum of the waits in the window. Unit: seconds.
    private var waited = 0.0

    package init(seconds: Double) { self.seconds = seconds }

    /// Remaining waiting time. Unit: seconds.
    package var secondsLeft: Double { max(0, seconds - waited) }

    /// Whether the daemon has waited for the whole window.
    package var isOver: Bool { waited >= seconds }

    /// Number of bytes required in the window.
    package var minimumByteCount: Int { Int((seconds * Double(Self.minimumRate)).rounded(.up)) }

    /// Whether enough bytes have arrived in the window.
    package var isEnough: Bool { bytes >= minimumByteCount }

    /// Adds a wait for the client.
    package mutating func add(seconds: Double) { waited += seconds }

    /// Adds bytes that have arrived.
    package mutating func add(bytes: Int) { self.bytes += bytes }
}
