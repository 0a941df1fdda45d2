import Geometry

/// Solution of a GNSS receiver for one epoch; unknown values are nil.
@frozen
public struct GNSSFix: Hashable, Sendable {
    /// Instant for which the fix is valid, 50–500 ms before it arrives.
    public var epoch: BootTime
    /// Instant at which the fix reached this computer.
    public var arrival: BootTime
    /// UTC of the epoch. Unit: seconds since 1970-01-01.
    public var utcSeconds: Double?
    /// Position of the antenna; its ellipsoidal height is 0 if the receiver gave no height.
    public var position: GeodeticPosition
    /// Whether the receiver gave a height.
    public var hasHeight: Bool
    /// Height of the geoid above the ellipsoid at the position; nil if the receiver does not report it. Unit: metres.
    public var geoidSeparation: Double?
    /// Velocity of the antenna. Frame: ENU. Unit: m/s.
    public var velocityENU: VelocityENU
    /// Reported standard deviation of the position along each axis. Frame: ENU. Unit: metres.
    public var positionSigma: PositionSigma
    /// Reported standard deviation of the velocity along each axis. Unit: m/s.
    public var velocitySigma: Double?
    /// Lever arm from the inertial sensor to the antenna. Frame: body. Unit: metres.
    public var antennaInBody: Vector3

    /// Makes a fix; by default the antenna is at the inertial sensor.
    public init(
        epoch: BootTime, arrival: BootTime, utcSeconds: Double?, position: GeodeticPosition,
        hasHeight: Bool, velocityENU: VelocityENU, positionSigma: PositionSigma, velocitySigma: Double?,
        antennaInBody: Vector3 = .zero, geoidSeparation: Double? = nil
    ) {
        self.epoch = epoch
        self.arrival = arrival
        self.utcSeconds = utcSeconds
        self.position = position
        self.hasHeight = hasHeight
        self.velocityENU = velocityENU
        self.positionSigma = positionSigma
        self.velocitySigma = velocitySigma
        self.antennaInBody = antennaInBody
        self.geoidSeparation = geoidSeparation
    }

    /// Velocity of the antenna; horizontal and vertical components may be unknown independently. Unit: m/s.
    @frozen
    public struct VelocityENU: Hashable, Sendable {
        /// Component towards east.
        public var east: Double?
        /// Component towards north.
        public var north: Double?
        /// Vertical component, positive upwards.
        public var up: Double?

        /// Makes a velocity from its components; unknown components are nil.
        public init(east: Double?, north: Double?, up: Double?) {
            self.east = east
            self.north = north
            self.up = up
        }
    }

    /// Standard deviation along each axis; nil for an axis for which the receiver reports none. Unit: metres.
    @frozen
    public struct PositionSigma: Hashable, Sendable {
        /// Standard deviation towards east.
        public var east: Double?
        /// Standard deviation towards north.
        public var north: Double?
        /// Standard deviation of the height.
        public var up: Double?

        /// Makes the standard deviations for each axis; unknown ones are nil.
        public init(east: Double?, north: Double?, up: Double?) {
            self.east = east
            self.north = north
            self.up = up
        }
    }
}
