/// Pauses between attempts to connect, which grow from attempt to attempt and are random, so that the clients of a
/// broker that has been restarted do not all come back at once.
///
/// The pause is evenly distributed between half of its limit and the limit ("equal jitter" in the literature of
/// distributed systems): at no time two attempts without a pause.
package struct ReconnectPause: Sendable {
    /// Limits of the first pause and of the longest. Unit: seconds.
    package static let (first, longest) = (1.0, 30.0)

    private var limit = Self.first

    package init() {}

    /// After a connection that worked.
    package mutating func reset() { limit = Self.first }

    /// The next pause. Unit: seconds.
    package mutating func next(using random: inout some RandomNumberGenerator) -> Double {
        defer { limit = min(2 * limit, Self.longest) }
        return Double.random(in: limit / 2...limit, using: &random)
    }
}
