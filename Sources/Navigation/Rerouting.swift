/// When a wearer who has left the route is to be given another one. It knows no clock: times are the caller's, in seconds.
public struct Rerouting: Hashable, Sendable {
    /// For this long the wearer has to be off the route. Unit: seconds.
    public let patience: Double
    /// From one question to the next; twice as long after each that was of no use: it failed, or the wearer is not on its
    /// route either, such as in a park without ways. Unit: seconds.
    public let leastInterval: Double

    /// No interval becomes longer than this, unless the least one is. Unit: seconds.
    public static let longestInterval = 600.0
    /// Who has been on the route for this long has taken it. The daemon needs some fixes to tell who has not: four by
    /// default, a second each. Unit: seconds.
    private static let settling = 10.0

    private var askedAt: Double
    private var offSince: Double?
    private var onSince: Double?
    /// Of no use, one after the other.
    private var questions = 0

    /// - Parameter askedAt: when the present route was asked for.
    public init(patience: Double, leastInterval: Double, askedAt: Double) {
        self.patience = patience
        self.leastInterval = leastInterval
        self.askedAt = askedAt
    }

    /// Takes in whether the wearer is off the route, and tells whether to ask now.
    public mutating func shouldAsk(isOffRoute: Bool, at time: Double) -> Bool {
        guard isOffRoute else {
            offSince = nil
            let since = onSince ?? time
            onSince = since
            if time - since >= Self.settling { questions = 0 }
            return false
        }
        onSince = nil
        let since = offSince ?? time
        offSince = since
        return time - since >= patience && time - askedAt >= interval
    }

    /// Takes in that it was asked. With another route the wearer is on it until told otherwise.
    public mutating func asked(at time: Double, succeeded: Bool) {
        askedAt = time
        questions += 1
        if succeeded { offSince = nil }
    }

    private var interval: Double {
        var interval = leastInterval
        for _ in 0..<min(questions, 20) { interval = min(2 * interval, max(Self.longestInterval, leastInterval)) }
        return interval
    }
}
