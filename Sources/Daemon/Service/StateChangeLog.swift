import Model

/// Decides which changes of state are reported.
package struct StateChangeLog {
    private var reported: (state: TrackingState, reasons: LimitingReasons)?
    /// Time at which a reported reason went away, while the state has stayed the same and no reason is new.
    private var relievedSince: BootTime?
    /// Reasons last reported as gone, and the time of that report.
    private var relieved: (reasons: LimitingReasons, at: BootTime)?
    /// Time for which a reason must be gone before its absence is reported. It grows each time such a report was
    /// premature. Unit: seconds.
    private var patience = Self.relief

    /// Initial value of `patience`, chosen because disturbances by iron along a street come and go. Unit: seconds.
    package static let relief = 5.0
    /// Maximum of `patience`, for reasons that keep coming back. Unit: seconds.
    package static let maximumRelief = 320.0
    /// Time after which a reason that comes back counts as a new one. Unit: seconds.
    package static let memory = 600.0

    package init() {}

    package var isEmpty: Bool { reported == nil }

    /// Whether this change is to be reported; a new state and a new reason are reported immediately.
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

    /// Notes that the state was reported on another occasion.
    package mutating func note(_ state: TrackingState, _ reasons: LimitingReasons) {
        reported = (state, reasons)
        relievedSince = nil
    }
}
