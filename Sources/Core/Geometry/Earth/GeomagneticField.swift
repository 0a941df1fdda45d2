import Glibc

/// Magnetic field of the earth at one place and time.
@frozen
public struct GeomagneticField: Hashable, Sendable, Codable {
    /// Declination: angle from true to magnetic north, positive east. Unit: radians.
    public var declination: Double
    /// Inclination: angle of the field below the horizon, positive down. Unit: radians.
    public var inclination: Double
    /// Magnitude of the horizontal component. Unit: nanotesla.
    public var horizontalIntensity: Double
    /// Magnitude of the field. Unit: nanotesla.
    public var totalIntensity: Double

    /// Field with the given elements; angles in radians, intensities in nanotesla.
    public init(declination: Double, inclination: Double, horizontalIntensity: Double, totalIntensity: Double) {
        self.declination = declination
        self.inclination = inclination
        self.horizontalIntensity = horizontalIntensity
        self.totalIntensity = totalIntensity
    }

    /// Field from the flux density. Frame: ENU. Unit: nanotesla.
    public init(fluxDensityENU: Vector3) {
        let horizontal = (fluxDensityENU.x * fluxDensityENU.x + fluxDensityENU.y * fluxDensityENU.y).squareRoot()
        declination = atan2(fluxDensityENU.x, fluxDensityENU.y)
        inclination = atan2(-fluxDensityENU.z, horizontal)
        horizontalIntensity = horizontal
        totalIntensity = fluxDensityENU.norm
    }

    /// Flux density. Frame: ENU. Unit: nanotesla.
    public var fluxDensityENU: Vector3 {
        Vector3(
            horizontalIntensity * sin(declination), horizontalIntensity * cos(declination),
            -totalIntensity * sin(inclination))
    }
}

extension GeomagneticField {
    /// Horizontal intensity below which a compass must not be used. Unit: nanotesla.
    ///
    /// Source: the blackout zone of the World Magnetic Model's technical report.
    public static let blackoutIntensity = 2000.0

    /// Horizontal intensity below which a compass must be used with caution. Unit: nanotesla.
    ///
    /// Source: the caution zone of the World Magnetic Model's technical report.
    public static let cautionIntensity = 6000.0

    /// Usability of a compass in this field.
    public var compassUse: CompassUse {
        if horizontalIntensity < Self.blackoutIntensity { return .refused }
        return horizontalIntensity < Self.cautionIntensity ? .cautious : .full
    }

    /// Usability of a compass, according to the strength of the horizontal field.
    public enum CompassUse: UInt8, Hashable, Sendable {
        case refused
        case cautious
        case full
    }
}

/// Model of the earth's magnetic field.
public protocol GeomagneticModel: Sendable {
    /// Field at a position and decimal year; nil if the model is not valid there.
    func field(at position: GeodeticPosition, decimalYear: Double) -> GeomagneticField?
}
