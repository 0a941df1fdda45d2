/// Decides when to request a new route for a wearer who has left the route. Reads no clock: the caller passes times, in
/// seconds.
package struct Rerouting: Hashable, Sendable {
    /// Time that the wearer has to be off the route before a new route is requested. Unit: seconds.
    package let patience: Double
    /// Minimum interval between requests. It doubles after each useless request: one that failed, or whose route the
    /// wearer does not follow either, for example in a park without mapped paths. Unit: seconds.
    package let minimumInterval: Double

    /// Upper limit of the interval, unless `minimumInterval` is longer. Unit: seconds.
    package static let maximumInterval = 600.0
    /// Time on the route after which the wearer counts as following it. The daemon needs some fixes to detect that a
    /// wearer has left the route: by default four, one per second. Unit: seconds.
    private static let settling = 10.0

    private var askedAt: Double
    private var offSince: Double?
    private var onSince: Double?
    /// Number of consecutive useless requests.
    private var questions = 0

    /// - Parameter askedAt: time at which the current route was requested.
    package init(patience: Double, minimumInterval: Double, askedAt: Double) {
        self.patience = patience
        self.minimumInterval = minimumInterval
        self.askedAt = askedAt
    }

    /// Makes the same policy for a route that was requested for another reason, such as a new destination.
    package func restarted(at time: Double) -> Rerouting {
        Rerouting(patience: patience, minimumInterval: minimumInterval, askedAt: time)
    }

    /// Updates whether the wearer is off the route. Returns whether to request a new route now.
    package mutating func shouldAsk(isOffRoute: Bool, at time: Double) -> Bool {
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

    /// Records a request. After a successful request the wearer counts as on the new route until the next update.
    package mutating func asked(at time: Double, succeeded: Bool) {
        askedAt = time
        questions += 1
        if succeeded { offSince = nil }
    }

    private var interval: Double {
        var interval = minimumInterval
        for _ in 0..<min(questions, 20) { interval = min(2 * interval, max(Self.maximumInterval, minimumInterval)) }
        return interval
    }
}
