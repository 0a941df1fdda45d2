import Geometry

/// Measurement that another program provides: a camera's odometry, a position, a direction to a known object, a range,
/// a heading or a height.
@frozen
public struct AidMeasurement: Hashable, Sendable {
    /// Name of the source that took the measurement.
    public var source: SourceName
    /// Instant for which the measurement is valid, such as the exposure of a camera.
    public var time: BootTime
    /// Instant at which the measurement reached this computer.
    public var arrival: BootTime
    /// Measured quantity.
    public var content: Content

    /// Makes a measurement.
    public init(source: SourceName, time: BootTime, arrival: BootTime, content: Content) {
        self.source = source
        self.time = time
        self.arrival = arrival
        self.content = content
    }

    /// Measured quantity.
    @frozen
    public enum Content: Hashable, Sendable {
        case odometry(OdometryPose)
        case position(OfferedPosition)
        case sighting(Sighting)
        case range(BeaconRange)
        case heading(OfferedHeading)
        case height(OfferedHeight)
    }
}

/// Pose of the board in a camera's own upright frame, whose origin and yaw are arbitrary.
@frozen
public struct OdometryPose: Hashable, Sendable {
    /// Position of the inertial sensor. Frame: the camera's own, y up. Unit: metres.
    public var position: Vector3
    /// Rotation of the board. Frame: the camera's own, y up, from body axes.
    public var rotationOwnFromBody: Rotation3
    /// Number that changes whenever the camera starts a new frame.
    public var reset: UInt32
    /// Quality of the tracking as the camera reports it: 1 is normal, 0 is lost.
    public var tracking: Double

    /// Makes a pose.
    public init(position: Vector3, rotationOwnFromBody: Rotation3, reset: UInt32, tracking: Double) {
        self.position = position
        self.rotationOwnFromBody = rotationOwnFromBody
        self.reset = reset
        self.tracking = tracking
    }

    /// Minimum tracking quality at which the odometry is used.
    public static let minimumTracking = 0.5
}

/// Position from a system other than satellites: a marker on a wall, visual place recognition, a radio beacon.
@frozen
public struct OfferedPosition: Hashable, Sendable {
    /// Position of the board.
    public var position: GeodeticPosition
    /// Whether the height is known and is to be used.
    public var hasHeight: Bool
    /// Radius that contains the position with a probability of 68 %. Unit: metres.
    public var horizontalAccuracy: Double
    /// Standard deviation of the height. Unit: metres.
    public var verticalAccuracy: Double

    /// Makes a position.
    public init(position: GeodeticPosition, hasHeight: Bool, horizontalAccuracy: Double, verticalAccuracy: Double) {
        self.position = position
        self.hasHeight = hasHeight
        self.horizontalAccuracy = horizontalAccuracy
        self.verticalAccuracy = verticalAccuracy
    }
}

/// Direction in which a known object is seen: the sun, or a point on the earth.
@frozen
public struct Sighting: Hashable, Sendable {
    /// Object that is seen.
    @frozen
    public enum Target: Hashable, Sendable {
        /// The sun at a time in UTC, in seconds since 1970-01-01; nil for the time that the receiver reports.
        case sun(utcSeconds: Double?)
        /// A point on the earth; its height is used only if it is known.
        case point(GeodeticPosition, hasHeight: Bool)
    }

    /// Object that is seen.
    public var target: Target
    /// Unit vector to the object. Frame: body.
    public var directionInBody: Vector3
    /// Standard deviation of the direction about each axis. Unit: radians.
    public var standardDeviation: Double

    /// Makes a sighting.
    public init(target: Target, directionInBody: Vector3, standardDeviation: Double) {
        self.target = target
        self.directionInBody = directionInBody
        self.standardDeviation = standardDeviation
    }
}

/// Distance from the board to a known point, such as a radio beacon.
@frozen
public struct BeaconRange: Hashable, Sendable {
    /// Position of the beacon.
    public var beacon: GeodeticPosition
    /// Measured distance, which is too long if the signal went around an obstacle. Unit: metres.
    public var range: Double
    /// Standard deviation of the distance with a free line of sight. Unit: metres.
    public var standardDeviation: Double

    /// Makes a range.
    public init(beacon: GeodeticPosition, range: Double, standardDeviation: Double) {
        self.beacon = beacon
        self.range = range
        self.standardDeviation = standardDeviation
    }
}

/// Heading of the board from another system, such as two antennas.
@frozen
public struct OfferedHeading: Hashable, Sendable {
    /// Azimuth of the body's −z axis in the horizontal plane, clockwise from true north. Unit: radians.
    public var azimuth: Double
    /// Standard deviation. Unit: radians.
    public var standardDeviation: Double

    /// Makes a heading.
    public init(azimuth: Double, standardDeviation: Double) {
        self.azimuth = azimuth
        self.standardDeviation = standardDeviation
    }
}

/// Height of the board above the WGS84 ellipsoid from another system.
@frozen
public struct OfferedHeight: Hashable, Sendable {
    /// Ellipsoidal height. Unit: metres.
    public var height: Double
    /// Standard deviation. Unit: metres.
    public var standardDeviation: Double

    /// Makes a height.
    public init(height: Double, standardDeviation: Double) {
        self.height = height
        self.standardDeviation = standardDeviation
    }
}
