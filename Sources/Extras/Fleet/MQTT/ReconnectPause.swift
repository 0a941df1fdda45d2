/// Pauses between connection attempts. They increase and are random, so that the clients of a restarted broker do not
/// all reconnect at the same time.
///
/// The pause is uniformly distributed between half of its limit and the limit ("equal jitter" in the literature of
/// distributed systems), so that there is always a pause.
package struct ReconnectPause: Sendable {
    /// Limits of the first and of the longest pause. Unit: seconds.
    package static let (first, maximum) = (1.0, 30.0)

    private var limit = Self.first

    package init() {}

    /// Restarts at the first pause; to be called after a connection that worked.
    package mutating func reset() { limit = Self.first }

    /// Returns the next pause. Unit: seconds.
    package mutating func next(using random: inout some RandomNumberGenerator) -> Double {
        defer { limit = min(2 * limit, Self.maximum) }
        return Double.random(in: limit / 2...limit, using: &random)
    }
}
