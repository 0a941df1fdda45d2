import CGeographic
import Geometry

/// The World Magnetic Model 2025: degree 12, valid from 2025 to 2030.
///
/// It is also evaluated two years beyond either end: the secular variation is nearly linear, and a declination with an
/// error of a few tenths of a degree is better than none. `validYears` is the period of its own error bounds.
///
/// Source: Chulliat et al., "The US/UK World Magnetic Model for 2025-2030", NOAA and BGS, 2024, equations (4), (9) to (12).
public struct WorldMagneticModel: GeomagneticModel {
    /// Model with the embedded coefficients.
    public static let wmm2025 = WorldMagneticModel(embedded: PackageResources.WMM_2025_COF)

    /// Period of validity that the publisher states, in decimal years.
    public static let validYears = 2025.0...2030.0
    /// Period in which `field(at:decimalYear:)` returns a field, in decimal years.
    public static let evaluatedYears = 2023.0...2032.0
    /// Heights above the ellipsoid for which the model is valid. Unit: metres.
    public static let evaluatedHeights = -1000.0...850_000.0

    /// Reference radius of the coefficients. Unit: metres.
    static let referenceRadius = 6_371_200.0
    static let degree = 12

    private let epoch: Double
    private let harmonics: Harmonics

    private init(embedded bytes: [UInt8]) {
        do throws(MagneticCoefficients.Malformed) {
            let coefficients = try MagneticCoefficients(
                text: String(decoding: bytes, as: UTF8.self), degree: Self.degree)
            epoch = coefficients.epoch
            harmonics = Harmonics(coefficients)
        } catch {
            fatalError("the coefficients compiled in: \(error)")
        }
    }

    /// Field at a position and decimal year; nil outside `evaluatedYears` or `evaluatedHeights`.
    public func field(at position: GeodeticPosition, decimalYear: Double) -> GeomagneticField? {
        guard Self.evaluatedYears.contains(decimalYear), Self.evaluatedHeights.contains(position.ellipsoidalHeight)
        else { return nil }
        return GeomagneticField(fluxDensityENU: harmonics.field(at: position, years: decimalYear - epoch))
    }

    /// Owner of the library's object, which is immutable.
    private final class Harmonics: Sendable {
        nonisolated(unsafe) let handle: OpaquePointer

        init(_ coefficients: MagneticCoefficients) {
            let made = geographic_magnetic_model_create(
                Int32(coefficients.degree), referenceRadius, coefficients.cosine, coefficients.sine,
                coefficients.cosineRate, coefficients.sineRate)
            guard let made else { fatalError("out of memory for the magnetic model") }
            handle = made
        }

        deinit { geographic_magnetic_model_destroy(handle) }

        func field(at position: GeodeticPosition, years: Double) -> Vector3 {
            withUnsafeTemporaryAllocation(of: Double.self, capacity: 3) { enu in
                geographic_magnetic_model_field(
                    handle, years, position.latitudeDegrees, position.longitudeDegrees, position.ellipsoidalHeight,
                    enu.baseAddress)
                return Vector3(enu[0], enu[1], enu[2])
            }
        }
    }
}
