import Model

/// Filter of state changes: decides which ones are reported.
package struct StateChangeLog {
    private var reported: (state: TrackingState, reasons: LimitingReasons)?
    /// Time since which one of the reported reasons is gone, with the state as it was and no new reason.
    private var relievedSince: BootTime?
    /// Reasons last reported to be gone, and the time of that report.
    private var relieved: (reasons: LimitingReasons, at: BootTime)?
    /// Time that a reason has to be gone now before that is reported: longer each time that it was reported too early.
    private var patience = Self.relief

    /// Time that a reason has to be gone before that is reported: iron along a street comes and goes. Unit: seconds.
    package static let relief = 5.0
    /// Maximum of that time for reasons that come back again and again. Unit: seconds.
    package static let maximumRelief = 320.0
    /// Absence after which a reason did not come back: what comes then is another one. Unit: seconds.
    package static let memory = 600.0

    package init() {}

    package var isEmpty: Bool { reported == nil }

    /// Whether this change is to be reported; a new state and a new reason are reported at once.
    package mutating func shouldReport(_ state: TrackingState, _ reasons: LimitingReasons, at time: BootTime) -> Bool {
        if let reported, reported.state == state, reported.reasons.isSuperset(of: reasons) {
            guard reported.reasons != reasons else {
                relievedSince = nil
                return false
            }
            let since = relievedSince ?? time
            relievedSince = since
            guard time.seconds(since: since) >= patience else { return false }
            relieved = (reported.reasons.subtracting(reasons), time)
        } else {
            adaptPatience(to: reasons, at: time)
        }
        note(state, reasons)
        return true
    }

    private mutating func adaptPatience(to reasons: LimitingReasons, at time: BootTime) {
        guard let relieved else { return }
        if time.seconds(since: relieved.at) > Self.memory {
            patience = Self.relief
            self.relieved = nil
        } else if !relieved.reasons.isDisjoint(with: reasons) {
            patience = min(2 * patience, Self.maximumRelief)
            self.relieved = nil
        }
    }

    /// Notes that the state was reported for another cause.
    package mutating func note(_ state: TrackingState, _ reasons: LimitingReasons) {
        reported = (state, reasons)
        relievedSince = nil
    }
}
