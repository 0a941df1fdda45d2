import Estimation
import Geometry
import Glibc
import Model
import PlanMatching

/// Correction of the published position from the paths that the wearer walks on.
///
/// The filter does not use this correction: a position that paths have corrected must not confirm the paths.
struct PathCorrection: Sendable, Codable {
    private var follower = PathFollower()
    /// Paths in use.
    private var paths = PathsAtHand()
    /// Checksum of the paths that the follower uses; 0 without paths.
    private var followed: UInt32 = 0
    /// Time of the last update of the follower.
    private var lookedAt: BootTime?
    /// Time of the last inertial step.
    private var steppedAt: BootTime?
    /// Correction of the published position, which settles towards the follower's correction. Frame: ENU, horizontal.
    /// Unit: metres.
    private(set) var shift = Vector3.zero
    /// Ratio of the accuracy of the corrected position to the accuracy of the filter's position.
    private(set) var accuracyRatio = 1.0

    /// Time between two updates of the follower. Unit: seconds.
    private static let lookSeconds = 0.2
    /// Time constant with which the published correction settles. Unit: seconds. Origin: as quick as a correction of a
    /// metre by a fix.
    private static let followSeconds = 1.0
    /// Size below which a correction is rounded to zero once no paths are in use. Unit: metres.
    private static let slight = 1e-3

    /// Replaces the paths in use.
    mutating func use(_ network: PathNetwork?) {
        paths = PathsAtHand(network: network)
        let checksum = network?.checksum ?? 0
        guard checksum != followed else { return }
        follower.changeNetwork()
        followed = checksum
    }

    /// Discards the estimated error of the position, because a floor plan has corrected the position.
    mutating func forget() {
        follower.forget()
        accuracyRatio = 1
    }

    /// Guess of each hypothesis; empty without paths.
    var guesses: [PathFollower.Guess] { paths.network == nil ? [] : follower.guesses }

    /// Discards all knowledge of the position.
    mutating func restart() {
        let network = paths
        self = PathCorrection()
        paths = network
        followed = paths.network?.checksum ?? 0
    }

    /// Whether paths are in use, or a correction from earlier paths remains.
    @inline(__always)
    var isInUse: Bool { paths.network != nil || shift.squaredNorm > 0 }

    /// Updates at the newest inertial step.
    ///
    /// - Parameters:
    ///   - position: position without the correction; nil while unknown.
    ///   - accuracy: accuracy of that position, a 68 % radius. Unit: metres.
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
    /// Largest published correction allowed in a saved state. Unit: metres.
    private static let maximumDistance = 1e5

    /// Discards what was tracked on paths that are no longer in use.
    mutating func settle() -> Bool {
        use(paths.network)
        return shift.norm <= Self.maximumDistance && (0...1e3).contains(accuracyRatio)
    }
}

/// Paths in use. They are provided by the caller, and are not part of a saved state.
struct PathsAtHand: Sendable, Unsaved {
    var network: PathNetwork?
}
