import Geometry
import Model

/// Geodetic fix, paired with the position of the antenna in the scene at the fix's epoch. By the time the fix arrives,
/// a walker has moved on.
public struct PositionFixEstimate: Hashable, Sendable {
    package var epoch: BootTime
    /// Generation of the scene frame; estimates of another generation are not comparable.
    public var generation: UInt32
    /// Antenna position as the receiver reports it.
    public var position: GeodeticPosition
    /// Horizontal accuracy as a 68 % radius in metres; nil if unknown.
    public var accuracy: Double?
    /// Position of the antenna. Frame: scene. Unit: metres.
    public var positionInScene: Vector3
    /// Distance walked from the time at which the frame was set to the epoch of the fix. Unit: metres.
    public var distance: Double

    /// Makes an estimate with the given properties. An accuracy that is not positive and finite counts as unknown.
    public init(
        epoch: BootTime, generation: UInt32, position: GeodeticPosition, accuracy: Double?, positionInScene: Vector3,
        distance: Double = 0
    ) {
        self.epoch = epoch
        self.generation = generation
        self.position = position
        self.accuracy = Self.known(accuracy)
        self.positionInScene = positionInScene
        self.distance = distance
    }

    /// Makes an estimate from a fix and a track; nil if the track does not cover the fix's epoch.
    public init?(_ fix: GNSSFix, on track: SceneTrack) {
        guard let moment = track.moment(at: fix.epoch) else { return nil }
        self.init(
            epoch: fix.epoch, generation: track.generation, position: fix.position,
            accuracy: Self.accuracy(fix.positionSigma),
            positionInScene: moment.position + moment.rotationSceneFromBody * fix.antennaInBody,
            distance: moment.distance)
    }

    /// Returns the horizontal 68 % radius in metres for a receiver's standard deviations along east and north; nil if
    /// either is unknown.
    package static func accuracy(_ sigma: GNSSFix.PositionSigma) -> Double? {
        guard let east = known(sigma.east), let north = known(sigma.north) else { return nil }
        return PoseAccuracy.radius68 * ((east * east + north * north) / 2).squareRoot()
    }

    /// Returns the accuracy, or nil if it is missing, not positive or not finite.
    private static func known(_ accuracy: Double?) -> Double? {
        guard let accuracy, accuracy > 0, accuracy.isFinite else { return nil }
        return accuracy
    }
}

/// Ring buffer of the newest position estimates of one scene frame.
public struct EstimateBuffer: Sendable {
    private var estimates: Ring<PositionFixEstimate>

    /// - Parameter capacity: number of estimates. A full buffer discards its oldest estimate.
    public init(capacity: Int) { estimates = Ring(capacity: max(1, capacity)) }

    package var count: Int { estimates.count }
    package var newest: PositionFixEstimate? { estimates.last }

    /// Estimate at an index, from 0 for the oldest to `count - 1` for the newest.
    public subscript(_ index: Int) -> PositionFixEstimate { estimates[index] }

    /// Adds an estimate. First discards the estimates of another scene frame.
    public mutating func add(_ estimate: PositionFixEstimate) {
        if let last = estimates.last, last.generation != estimate.generation { estimates.removeAll() }
        estimates.append(estimate)
    }

    package mutating func removeAll() { estimates.removeAll() }

    /// Rotates all estimates about +Y, counter-clockwise seen from above, together with the axes of their frame. Unit:
    /// radians.
    mutating func turn(by angle: Double) {
        for index in 0..<estimates.count {
            estimates[index].positionInScene = SceneAxes.turned(estimates[index].positionInScene, by: angle)
        }
    }
}
