import Model
import WaymarkInterface

package enum AdviceText {
    /// Returns pieces of advice, most important first. Omits reasons that this program does not know because the daemon
    /// is newer.
    package static func lines(
        state: PoseInterface.LocalizationState, reasons: WordSet<PoseInterface.Reason>
    ) -> [String] {
        let reasons = reasons.known.reduce(into: LimitingReasons()) { $0.insert(LimitingReasons($1)) }
        return Advice.list(for: TrackingState(state), reasons).map { "\($0.text)" }
    }
}

extension TrackingState {
    fileprivate init(_ state: PoseInterface.LocalizationState) {
        self =
            switch state {
            case .initializing: .initializing
            case .aligning: .aligning
            case .localized: .localized
            case .limited: .limited
            }
    }
}

extension LimitingReasons {
    /// The bits of `LimitingReasons` are in the order of the reasons in the interface file.
    fileprivate init(_ reason: PoseInterface.Reason) { self.init(rawValue: 1 << UInt32(reason.rawValue)) }
}
