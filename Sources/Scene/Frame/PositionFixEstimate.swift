import Geodesy
import Geometry
import Model

/// A geodetic fix and where the antenna was in the scene at the same instant, the fix's epoch: not at its arrival, by
/// which a walker is already a step farther.
public struct PositionFixEstimate: Hashable, Sendable {
    public var epoch: BootTime
    /// Of the scene frame; estimates of another say nothing of this one.
    public var generation: UInt32
    /// Of the antenna, as the receiver has it.
    public var position: GeodeticPosition
    public var heightKind: GNSSFix.HeightKind
    /// Radius of 68 %, metres; nil is not known.
    public var accuracy: Double?
    /// Of the antenna. Frame: scene. Unit: metres.
    public var positionInScene: Vector3
    /// Gone over ground since the frame was set, at the epoch. Unit: metres.
    public var way: Double

    public init(
        epoch: BootTime, generation: UInt32, position: GeodeticPosition, heightKind: GNSSFix.HeightKind = .unknown,
        accuracy: Double?, positionInScene: Vector3, way: Double = 0
    ) {
        self.epoch = epoch
        self.generation = generation
        self.position = position
        self.heightKind = heightKind
        self.accuracy = Self.known(accuracy)
        self.positionInScene = positionInScene
        self.way = way
    }

    /// Nil where the track does not reach back to the fix's epoch.
    public init?(_ fix: GNSSFix, on track: SceneTrack) {
        guard let moment = track.moment(at: fix.epoch) else { return nil }
        self.init(
            epoch: fix.epoch, generation: track.generation, position: fix.position, heightKind: fix.heightKind,
            accuracy: Self.accuracy(fix.positionSigma),
            positionInScene: moment.position + moment.rotationSceneFromBody * fix.antennaInBody, way: moment.way)
    }

    /// Of a receiver's standard deviations along east and north.
    package static func accuracy(_ sigma: GNSSFix.PositionSigma) -> Double? {
        guard let east = known(sigma.east), let north = known(sigma.north) else { return nil }
        return PoseAccuracy.radius68 * ((east * east + north * north) / 2).squareRoot()
    }

    /// What is missing, negative, zero or no number is not known.
    private static func known(_ accuracy: Double?) -> Double? {
        guard let accuracy, accuracy > 0, accuracy.isFinite else { return nil }
        return accuracy
    }
}
