import Geometry

/// Ranges of the values that a wearer's sensors and receiver can measure. Values from outside, live or from a file, are
/// checked only here, before any computation uses them.
///
/// The ranges are far wider than any real value, so that only a wrong scale, a damaged file or a forged value is
/// outside; the estimator's own limits are narrower. A value that is not finite is outside every range.
public enum MeasurementRange {
    /// Largest magnitude of a time: 146 years, which is more than any clock shows. The sum and the difference of two
    /// such times do not overflow. Unit: nanoseconds.
    @inlinable public static var time: UInt64 { (1 << 62) - 1 }
    /// Largest angular rate: 16 turns a second. Unit: rad/s.
    public static let rate = 100.0
    /// Largest specific force: one hundred times gravity. Unit: m/s².
    public static let force = 981.0
    /// Specific force of a carried board in units of g, from gravity and walking. A board measures such a small value
    /// in m/s² only while it falls. If the value lasts longer than a fall, the unit must be g. Unit: standard gravity.
    public static let forceInG = 0.8...1.25
    /// Largest flux density: one tesla. Unit: microtesla.
    public static let field = 1e6
    /// Largest pressure, as in a dive to 100 m. There is no lower limit except zero. Unit: hectopascal.
    public static let pressure = 11_000.0
    /// Largest speed, higher than that of any wearer. Unit: m/s.
    public static let speed = 1000.0
    /// Largest magnitude of a height. Unit: metres.
    public static let height = 1e6
    /// Longest distance from the origin of a camera's own frame. Unit: metres.
    public static let ownPosition = 1e5
    /// Longest range to a beacon. Unit: metres.
    public static let beaconRange = 1e5
    /// Latest UTC of a sighting of the sun, since 1970: three thousand years from now. Unit: seconds.
    public static let utcSeconds = 1e11
    /// Longest lever arm on a wearer or vehicle. Unit: metres.
    public static let leverArm = 20.0
    /// Largest standard deviation of a position or velocity that is still informative. Units: metres, m/s.
    public static let standardDeviation = 1e5
    /// Largest magnitude of the geoid separation: the geoid is between 107 m below the ellipsoid and 86 m above it.
    /// Unit: metres.
    public static let geoidSeparation = 120.0

    /// Whether a time is within the range.
    @inlinable
    public static func holds(_ time: BootTime) -> Bool { time.nanoseconds.magnitude <= Self.time }

    @inline(__always)
    fileprivate static func holds(_ vector: Vector3, _ limit: Double) -> Bool {
        // A square that overflows is infinite, and a comparison with NaN is false.
        vector.squaredNorm <= limit * limit
    }
}

extension Measurement {
    /// Whether all values are within the ranges of `MeasurementRange`; a calibration is checked when it is applied.
    public var isInRange: Bool {
        guard MeasurementRange.holds(time) else { return false }
        return switch self {
        case .angularRate(let sample): MeasurementRange.holds(sample.rate, MeasurementRange.rate)
        case .specificForce(let sample): MeasurementRange.holds(sample.force, MeasurementRange.force)
        case .magneticField(let sample): MeasurementRange.holds(sample.field, MeasurementRange.field)
        case .pressure(let sample):
            sample.pressureHectopascal > 0 && sample.pressureHectopascal <= MeasurementRange.pressure
        case .fix(let fix): fix.isInRange
        case .aid(let aid): aid.isInRange
        case .calibration, .clock: true
        }
    }
}

extension AidMeasurement {
    /// Whether times and values are within the ranges of `MeasurementRange`; a direction must have a length of 1,
    /// within rounding.
    public var isInRange: Bool {
        guard MeasurementRange.holds(time), MeasurementRange.holds(arrival) else { return false }
        return switch content {
        case .odometry(let pose):
            MeasurementRange.holds(pose.position, MeasurementRange.ownPosition) && (0...1).contains(pose.tracking)
        case .position(let offer):
            offer.position.isInRange && Self.isDeviation(offer.horizontalAccuracy)
                && Self.isDeviation(offer.verticalAccuracy)
        case .sighting(let sighting): sighting.isInRange
        case .range(let range):
            range.beacon.isInRange && (0...MeasurementRange.beaconRange).contains(range.range)
                && Self.isDeviation(range.standardDeviation)
        case .heading(let heading):
            heading.azimuth.magnitude <= 4 * .pi && Self.isAngle(heading.standardDeviation)
        case .height(let offer):
            offer.height.magnitude < MeasurementRange.height && Self.isDeviation(offer.standardDeviation)
        }
    }

    private static func isDeviation(_ value: Double) -> Bool {
        value > 0 && value < MeasurementRange.standardDeviation
    }

    fileprivate static func isAngle(_ value: Double) -> Bool { value > 0 && value <= .pi }
}

extension Sighting {
    fileprivate var isInRange: Bool {
        guard AidMeasurement.isAngle(standardDeviation), (0.99...1.01).contains(directionInBody.norm) else {
            return false
        }
        return switch target {
        case .sun(let utcSeconds): utcSeconds.map { (0..<MeasurementRange.utcSeconds).contains($0) } ?? true
        case .point(let position, _): position.isInRange
        }
    }
}

extension GeodeticPosition {
    fileprivate var isInRange: Bool {
        latitudeDegrees.magnitude <= 90 && longitudeDegrees.magnitude <= 540
            && ellipsoidalHeight.magnitude < MeasurementRange.height
    }
}

extension GNSSFix {
    /// Whether times, position, velocity, standard deviations and lever arm are within the ranges of
    /// `MeasurementRange`.
    ///
    /// Geoid separation and UTC are not included, because a fix is valid without them. They are checked where they are
    /// used.
    public var isInRange: Bool {
        typealias Range = MeasurementRange
        let velocities = (velocityENU.east, velocityENU.north, velocityENU.up)
        let deviations = (positionSigma.east, positionSigma.north, positionSigma.up)
        return Range.holds(epoch) && Range.holds(arrival) && position.isInRange
            && Range.holds(antennaInBody, Range.leverArm) && Self.isSpeed(velocities.0) && Self.isSpeed(velocities.1)
            && Self.isSpeed(velocities.2) && Self.isDeviation(deviations.0) && Self.isDeviation(deviations.1)
            && Self.isDeviation(deviations.2) && Self.isDeviation(velocitySigma)
    }

    private static func isSpeed(_ value: Double?) -> Bool {
        value.map { $0.magnitude < MeasurementRange.speed } ?? true
    }

    private static func isDeviation(_ value: Double?) -> Bool {
        value.map { $0 > 0 && $0 < MeasurementRange.standardDeviation } ?? true
    }
}
