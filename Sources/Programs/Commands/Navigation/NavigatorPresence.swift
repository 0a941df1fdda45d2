/// Whether a navigator is registered at the daemon, from one look at its route to the next.
struct NavigatorPresence {
    /// Whether one is registered, as far as is known; at first one is, since it has found the route.
    private var isRegistered = true
    /// Time until which the navigator may still be looking for a daemon that was started again. Unit: seconds.
    private var returnsUntil = -Double.infinity

    /// The daemon does not answer, and so its navigator is registered nowhere.
    mutating func loseDaemon(at now: Double) { returnsUntil = now + NavigationWatch.restoring }

    /// Takes what the daemon says now.
    ///
    /// - Parameters:
    ///   - isRegisteredNow: nil for a daemon that does not say it.
    ///   - now: unit: seconds.
    /// - Returns: what has changed; nil for nothing.
    mutating func next(_ isRegisteredNow: Bool?, at now: Double) -> NavigationOutput.Event? {
        guard let isRegisteredNow, isRegisteredNow != isRegistered else { return nil }
        guard isRegisteredNow || now >= returnsUntil else { return nil }
        isRegistered = isRegisteredNow
        return isRegisteredNow ? .navigatorBack : .navigatorGone
    }
}
