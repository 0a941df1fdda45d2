import Model
import WaymarkInterface

/// Advice to the wearer, in words.
public enum AdviceText {
    /// The most important first; empty where all is well. Reasons that are newer than this program are left out.
    public static func lines(
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
    /// Its bits are in the order of the interface file.
    fileprivate init(_ reason: PoseInterface.Reason) { self.init(rawValue: 1 << UInt32(reason.rawValue)) }
}
