import Model

/// Decides which changes of state are told to people.
package struct StateNews {
    private var told: (state: TrackingState, reasons: LimitingReasons)?
    /// Since when one of the reasons told is gone, with the state as it was and no new reason.
    private var relievedSince: BootTime?
    /// What was last told to be gone, and when.
    private var relieved: (reasons: LimitingReasons, at: BootTime)?
    /// How long a reason has to be gone by now before that is told: longer each time that it was told too early.
    private var patience = Self.relief

    /// How long a reason has to be gone before that is told: iron along a street comes and goes. Unit: seconds.
    package static let relief = 5.0
    /// The most that this grows to for reasons that come back again and again. Unit: seconds.
    package static let longestRelief = 320.0
    /// A reason that stays away for so long did not come back: what comes then is another one. Unit: seconds.
    package static let memory = 600.0

    package init() {}

    package var isEmpty: Bool { told == nil }

    /// Whether this is to be told; a new state and a new reason are so at once.
    package mutating func takes(_ state: TrackingState, _ reasons: LimitingReasons, at time: BootTime) -> Bool {
        if let told, told.state == state, told.reasons.isSuperset(of: reasons) {
            guard told.reasons != reasons else {
                relievedSince = nil
                return false
            }
            let since = relievedSince ?? time
            relievedSince = since
            guard time.seconds(since: since) >= patience else { return false }
            relieved = (told.reasons.subtracting(reasons), time)
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
            patience = min(2 * patience, Self.longestRelief)
            self.relieved = nil
        }
    }

    /// It was told for another cause.
    package mutating func note(_ state: TrackingState, _ reasons: LimitingReasons) {
        told = (state, reasons)
        relievedSince = nil
    }
}
