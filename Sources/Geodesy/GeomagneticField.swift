import Geometry

#if canImport(Glibc)
    import Glibc
#endif

/// The earth's magnetic field at one place and time.
@frozen
public struct GeomagneticField: Hashable, Sendable {
    /// Of magnetic north from true north, positive east. Unit: radians.
    public var declination: Double
    /// Below the horizon, positive down. Unit: radians.
    public var inclination: Double
    /// Unit: nanotesla.
    public var horizontalIntensity: Double
    /// Unit: nanotesla.
    public var totalIntensity: Double

    public init(declination: Double, inclination: Double, horizontalIntensity: Double, totalIntensity: Double) {
        self.declination = declination
        self.inclination = inclination
        self.horizontalIntensity = horizontalIntensity
        self.totalIntensity = totalIntensity
    }

    /// From the flux density. Frame: east, north, up. Unit: nanotesla.
    public init(fluxDensityENU: Vector3) {
        let horizontal = (fluxDensityENU.x * fluxDensityENU.x + fluxDensityENU.y * fluxDensityENU.y).squareRoot()
        declination = atan2(fluxDensityENU.x, fluxDensityENU.y)
        inclination = atan2(-fluxDensityENU.z, horizontal)
        horizontalIntensity = horizontal
        totalIntensity = fluxDensityENU.norm
    }

    /// The flux density. Frame: east, north, up. Unit: nanotesla.
    public var fluxDensityENU: Vector3 {
        Vector3(
            horizontalIntensity * sin(declination), horizontalIntensity * cos(declination),
            -totalIntensity * sin(inclination))
    }
}

extension GeomagneticField {
    /// Below this horizontal intensity a compass must not be used. Unit: nanotesla.
    ///
    /// Source: the blackout zone of the World Magnetic Model's technical report.
    public static let blackoutIntensity = 2000.0

    /// Below this horizontal intensity a compass must be used with caution. Unit: nanotesla.
    ///
    /// Source: the caution zone of the World Magnetic Model's technical report.
    public static let cautionIntensity = 6000.0

    /// Whether a compass can tell north here.
    public var compassUse: CompassUse {
        if horizontalIntensity < Self.blackoutIntensity { return .refused }
        return horizontalIntensity < Self.cautionIntensity ? .cautious : .full
    }

    /// How far a compass can be trusted by the strength of the horizontal field.
    public enum CompassUse: UInt8, Hashable, Sendable {
        case refused
        case cautious
        case full
    }
}

/// A model of the earth's magnetic field.
public protocol GeomagneticModel: Sendable {
    /// The field there and then; nil where the model does not reach.
    func field(at position: GeodeticPosition, decimalYear: Double) -> GeomagneticField?
}
