import Geodesy
import Geometry

/// What a receiver says of one epoch; nil is not known.
@frozen
public struct GNSSFix: Hashable, Sendable {
    /// The instant of which the fix speaks: 50–500 ms before it arrives.
    public var epoch: BootTime
    /// When it reached this computer.
    public var arrival: BootTime
    /// Of the epoch, seconds since 1970-01-01 UTC.
    public var utcSeconds: Double?
    /// With an ellipsoidal height of 0 where `heightKind` is `.unknown`.
    public var position: GeodeticPosition
    public var heightKind: HeightKind
    /// Of mean sea level above the ellipsoid there, where the receiver tells it. Unit: metres.
    public var geoidSeparation: Double?
    /// Frame: east, north, up. Unit: m/s.
    public var velocityENU: VelocityENU
    /// Standard deviations per axis. Unit: metres.
    public var positionSigma: PositionSigma
    /// Standard deviation of the velocity per axis. Unit: m/s.
    public var velocitySigma: Double?
    /// From the inertial sensor to the antenna, which is what the fix speaks of. Frame: body. Unit: metres.
    public var antennaInBody: Vector3

    public init(
        epoch: BootTime, arrival: BootTime, utcSeconds: Double?, position: GeodeticPosition,
        heightKind: HeightKind, velocityENU: VelocityENU, positionSigma: PositionSigma, velocitySigma: Double?,
        antennaInBody: Vector3 = .zero, geoidSeparation: Double? = nil
    ) {
        self.epoch = epoch
        self.arrival = arrival
        self.utcSeconds = utcSeconds
        self.position = position
        self.heightKind = heightKind
        self.velocityENU = velocityENU
        self.positionSigma = positionSigma
        self.velocitySigma = velocitySigma
        self.antennaInBody = antennaInBody
        self.geoidSeparation = geoidSeparation
    }

    /// Against which surface the receiver gave the height.
    @frozen
    public enum HeightKind: UInt8, Hashable, Sendable {
        case unknown
        case ellipsoidal
        /// Above mean sea level: the geoid's undulation is not in it.
        case meanSeaLevel
    }

    /// The horizontal part and the vertical one are known or unknown each by itself.
    @frozen
    public struct VelocityENU: Hashable, Sendable {
        public var east: Double?
        public var north: Double?
        public var up: Double?

        public init(east: Double?, north: Double?, up: Double?) {
            self.east = east
            self.north = north
            self.up = up
        }
    }

    /// One standard deviation along each axis; nil where the receiver gives none.
    @frozen
    public struct PositionSigma: Hashable, Sendable {
        public var east: Double?
        public var north: Double?
        public var up: Double?

        public init(east: Double?, north: Double?, up: Double?) {
            self.east = east
            self.north = north
            self.up = up
        }
    }
}
