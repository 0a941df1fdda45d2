import Geometry
import Model
import Scene

/// Difference of each fix from the position that had been estimated for the fix's epoch before the fix arrived.
package struct FixInnovations: Sendable {
    /// Horizontal distance of each fix from the estimate. Unit: metres.
    package private(set) var distance = PeakSeries(maximumStep: 30)
    /// 68 % radius from the accuracies of estimate and receiver combined. Unit: metres.
    package private(set) var claimed = PeakSeries(maximumStep: 30)
    /// Number of compared fixes for which both accuracies are known.
    package private(set) var count = 0
    /// Number of those fixes that lie within the radius in `claimed`.
    package private(set) var within = 0
    private var distances: [Double] = []

    /// A pose is compared with a fix only if it is at most this far from the fix's epoch. Unit: seconds.
    private static let maximumStep = 0.5
    /// Maximum number of distances from which the median is computed.
    private static let maximumDistanceCount = 100_000

    init() {}

    /// Fraction of the fixes within the radius; nil if there are no fixes.
    package var shareWithin: Double? { count > 0 ? Double(within) / Double(count) : nil }

    /// Median of the distances; nil if there are no fixes. Unit: metres.
    package var median: Double? {
        distances.isEmpty ? nil : distances.sorted()[distances.count / 2]
    }

    /// Adds a fix.
    ///
    /// - Parameters:
    ///   - time: epoch since the start of the recording, seconds.
    ///   - antenna: lever arm to the antenna. Frame: ENU. Unit: metres.
    mutating func add(_ time: Double, _ fix: GNSSFix, _ poses: RecentPoses, antenna: Vector3) {
        guard let estimate = Self.estimate(at: fix.epoch, poses), let position = estimate.position else {
            return distance.add(time, nil)
        }
        let plane = LocalTangentPlane(origin: position)
        let offset = plane.pointENU(of: fix.position) - antenna
        let metres = (offset.x * offset.x + offset.y * offset.y).squareRoot()
        guard metres.isFinite else { return distance.add(time, nil) }
        distance.add(time, metres)
        if distances.count < Self.maximumDistanceCount { distances.append(metres) }
        guard let own = estimate.horizontalAccuracy, let receiver = PositionFixEstimate.accuracy(fix.positionSigma)
        else { return claimed.add(time, nil) }
        let radius = (own * own + receiver * receiver).squareRoot()
        claimed.add(time, radius)
        count += 1
        if metres <= radius { within += 1 }
    }

    /// Pose at the epoch, which is interpolated between two poses, or taken from a pose close in time.
    private static func estimate(at epoch: BootTime, _ poses: RecentPoses) -> PoseSample? {
        let (before, after) = poses.around(epoch)
        guard let before, epoch.seconds(since: before.time) <= maximumStep else {
            return after.flatMap { $0.time.seconds(since: epoch) <= maximumStep ? $0 : nil }
        }
        guard let after, let from = before.position, let to = after.position,
            (to.longitudeDegrees - from.longitudeDegrees).magnitude < 1
        else { return before }
        let step = after.time.seconds(since: before.time)
        guard step > 0, step <= 2 * maximumStep else { return before }
        let share = epoch.seconds(since: before.time) / step
        var between = before
        between.position = GeodeticPosition(
            latitudeDegrees: from.latitudeDegrees + share * (to.latitudeDegrees - from.latitudeDegrees),
            longitudeDegrees: from.longitudeDegrees + share * (to.longitudeDegrees - from.longitudeDegrees),
            ellipsoidalHeight: from.ellipsoidalHeight + share * (to.ellipsoidalHeight - from.ellipsoidalHeight))
        return between
    }
}
