/// Tracks whether a navigator is registered at the daemon, from one check of the daemon's route to the next.
struct NavigatorPresence {
    /// Whether a navigator is known to be registered; initially true, since a navigator has found the route.
    private var isRegistered = true
    /// Time until which the navigator may still be reconnecting to a restarted daemon. Unit: seconds.
    private var returnsUntil = -Double.infinity

    /// Notes that the daemon does not answer. Its navigator is then not registered until the navigator has reconnected.
    mutating func loseDaemon(at now: Double) { returnsUntil = now + NavigationWatch.restoring }

    /// Processes the daemon's current report.
    ///
    /// - Parameters:
    ///   - isRegisteredNow: whether a navigator is registered; nil if the daemon does not report it.
    ///   - now: current time. Unit: seconds.
    /// - Returns: the change; nil if there is none.
    mutating func next(_ isRegisteredNow: Bool?, at now: Double) -> NavigationOutput.Event? {
        guard let isRegisteredNow, isRegisteredNow != isRegistered else { return nil }
        guard isRegisteredNow || now >= returnsUntil else { return nil }
        isRegistered = isRegisteredNow
        return isRegisteredNow ? .navigatorBack : .navigatorGone
    }
}
