import WaymarkClient
import WaymarkInterface

/// State of a source of aiding measurements: the worst of its kinds.
enum AidState: String, Sendable {
    /// The estimator trusts it.
    case trusted
    /// It offers what the estimator does not check: samples alone.
    case used = "in use"
    /// The estimator compares it with the other sensors.
    case watched
    /// The estimator refuses a kind of its measurements.
    case refused
    /// A camera without poses.
    case lost
    /// A source that has not measured anything yet.
    case waiting

    /// Age of a camera's newest pose from which on its track is lost. Unit: seconds.
    private static let patience = 1.0

    init(_ source: Waymark.AidSource) {
        guard let age = source.age else {
            self = .waiting
            return
        }
        let states = source.trust.compactMap(\.state.known)
        self =
            if source.kinds.contains(.odometry), age > Self.patience {
                .lost
            } else if states.contains(.refused) {
                .refused
            } else if source.trust.isEmpty {
                .used
            } else {
                !states.isEmpty && states.allSatisfy { $0 == .trusted } ? .trusted : .watched
            }
    }

    var ink: Ink {
        switch self {
        case .trusted, .used: .good
        case .watched, .waiting: .warning
        case .refused, .lost: .bad
        }
    }
}
