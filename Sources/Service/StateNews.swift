import Estimation
import Measurements

/// Decides which changes of state are told to people.
package struct StateNews {
    private var told: (state: TrackingState, reasons: LimitingReasons)?
    /// Since when one of the reasons told is gone, with the state as it was and no new reason.
    private var relievedSince: BootTime?

    /// How long a reason has to be gone before that is told: iron along a street comes and goes. Unit: seconds.
    package static let relief = 5.0

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
            guard time.seconds(since: since) >= Self.relief else { return false }
        }
        note(state, reasons)
        return true
    }

    /// It was told for another cause.
    package mutating func note(_ state: TrackingState, _ reasons: LimitingReasons) {
        told = (state, reasons)
        relievedSince = nil
    }
}
