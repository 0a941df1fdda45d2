import Estimation
import Geometry
import Model
import PlanMatching

#if canImport(Glibc)
    import Glibc
#endif

/// Correction of the published position by the paths that the wearer walks on.
///
/// The filter never knows of it: a position that paths have corrected must not confirm the paths.
struct PathCorrection: Sendable, Codable {
    private var follower = PathFollower()
    /// Paths at hand.
    private var paths = PathsAtHand()
    /// Number of the paths that the follower knows; 0 for none.
    private var followed: UInt32 = 0
    /// Time of the last look.
    private var lookedAt: BootTime?
    /// Time of the last inertial step.
    private var steppedAt: BootTime?
    /// Correction of the published position, which follows that of the follower. Frame: ENU, horizontal. Unit: metres.
    private(set) var shift = Vector3.zero
    /// Ratio of the accuracy of the corrected position to that of the filter's.
    private(set) var accuracyRatio = 1.0

    /// Time between two looks. Unit: seconds.
    private static let lookSeconds = 0.2
    /// Time constant with which the published correction follows. Unit: seconds. Origin: a correction by a fix of a
    /// metre is as quick.
    private static let followSeconds = 1.0
    /// Correction below which there is none. Unit: metres.
    private static let slight = 1e-3

    /// Has other paths at hand from now on.
    mutating func use(_ network: PathNetwork?) {
        paths = PathsAtHand(network: network)
        let checksum = network?.checksum ?? 0
        guard checksum != followed else { return }
        follower.changeNetwork()
        followed = checksum
    }

    /// Forgets the error of the position, which a floor plan has corrected.
    mutating func forget() {
        follower.forget()
        accuracyRatio = 1
    }

    /// What each hypothesis says; none without paths.
    var guesses: [PathFollower.Guess] { paths.network == nil ? [] : follower.guesses }

    /// Forgets what was known of the position.
    mutating func restart() {
        let network = paths
        self = PathCorrection()
        paths = network
        followed = paths.network?.checksum ?? 0
    }

    /// Whether paths are at hand, or were so lately.
    @inline(__always)
    var isInUse: Bool { paths.network != nil || shift.squaredNorm > 0 }

    /// Follows the newest inertial step.
    ///
    /// - Parameters:
    ///   - position: position without the correction; nil while unknown.
    ///   - accuracy: its accuracy, a 68 % radius. Unit: metres.
    ///   - isMeasured: whether satellites measure the motion.
    mutating func step(
        to position: @autoclosure () -> GeodeticPosition?, accuracy: @autoclosure () -> Double?, isMeasured: Bool,
        at time: BootTime
    ) {
        let duration = steppedAt.map { max(0, time.seconds(since: $0)) } ?? 0
        steppedAt = time
        let elapsed = lookedAt.map { time.seconds(since: $0) } ?? Self.lookSeconds
        if elapsed < 0 || elapsed >= Self.lookSeconds {
            lookedAt = time
            look(at: position(), accuracy: accuracy(), isMeasured: isMeasured, after: max(0, elapsed))
        }
        let target = paths.network == nil ? Vector2() : follower.correction
        let rest = Vector3(target.x, target.y, 0) - shift
        shift += rest * min(1, duration / Self.followSeconds)
        if paths.network == nil, shift.norm < Self.slight { shift = .zero }
    }

    private mutating func look(
        at position: GeodeticPosition?, accuracy: Double?, isMeasured: Bool, after duration: Double
    ) {
        guard let network = paths.network, let position, let accuracy else {
            forget()
            return
        }
        let deviation = accuracy / PoseAccuracy.radius68
        let variance = deviation * deviation
        if isMeasured {
            follower.follow(network.point(of: position), variance: variance, after: duration, on: network)
        } else {
            follower.wait(duration, variance: variance)
        }
        accuracyRatio = follower.hasBegun ? follower.accuracyRatio : 1
    }
}

extension PathCorrection: CheckedState {
    /// Farthest published correction that a state may have. Unit: metres.
    private static let farthest = 1e5

    /// Gives up what was followed on paths that are not at hand.
    mutating func settle() -> Bool {
        use(paths.network)
        return shift.norm <= Self.farthest && (0...1e3).contains(accuracyRatio)
    }
}

/// Paths at hand. They are given from outside, and are no part of a saved state.
struct PathsAtHand: Sendable, Unsaved {
    var network: PathNetwork?
}
