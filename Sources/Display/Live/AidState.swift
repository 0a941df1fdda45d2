import WaymarkClient
import WaymarkInterface

/// State of a source of aiding measurements, as far as it can be seen from outside.
enum AidState: String, Sendable {
    /// A camera whose poses come, and correct the estimate.
    case tracking
    /// A camera whose poses come, but are not used: it tracks poorly, or is watched until it is trusted.
    case unused
    /// A camera without poses.
    case lost
    /// A source that has not measured anything yet.
    case waiting
    /// Another source, which has measured.
    case measuring

    /// Age of a camera's newest pose from which on its track is lost. Unit: seconds.
    private static let patience = 1.0

    /// - Parameter pose: the newest pose; nil before the first.
    init(_ source: Waymark.AidSource, _ pose: Waymark.Pose?) {
        guard let age = source.age else {
            self = .waiting
            return
        }
        guard source.kinds.contains(.odometry) else {
            self = .measuring
            return
        }
        let isUsed = pose?.sources.contains(.camera) ?? false
        self = age > Self.patience ? .lost : isUsed ? .tracking : .unused
    }

    var ink: Ink {
        switch self {
        case .tracking, .measuring: .good
        case .unused, .waiting: .warning
        case .lost: .bad
        }
    }
}
