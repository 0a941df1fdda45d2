import CGeographic
import Geometry

/// The World Magnetic Model 2025: degree 12, valid from 2025 to 2030.
///
/// It is evaluated two years beyond either end as well: the secular change goes on nearly linear, and a declination a
/// few tenths of a degree old serves a wearer better than none. `validYears` says where its own error bounds hold.
///
/// Source: Chulliat et al., "The US/UK World Magnetic Model for 2025-2030", NOAA and BGS, 2024, equations (4), (9) to (12).
public struct WorldMagneticModel: GeomagneticModel {
    /// The model that is compiled in.
    public static let wmm2025 = WorldMagneticModel(embedded: PackageResources.WMM_2025_COF)

    /// The period of validity that the publisher states.
    public static let validYears = 2025.0...2030.0
    /// The period in which `field(at:decimalYear:)` answers.
    public static let evaluatedYears = 2023.0...2032.0
    /// Heights above the ellipsoid for which the model is made. Unit: metres.
    public static let evaluatedHeights = -1000.0...850_000.0

    /// The radius to which the coefficients refer. Unit: metres.
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

    /// Nil outside `evaluatedYears` or `evaluatedHeights`.
    public func field(at position: GeodeticPosition, decimalYear: Double) -> GeomagneticField? {
        guard Self.evaluatedYears.contains(decimalYear), Self.evaluatedHeights.contains(position.ellipsoidalHeight)
        else { return nil }
        return GeomagneticField(fluxDensityENU: harmonics.field(at: position, years: decimalYear - epoch))
    }

    /// Owns the library's object, which nothing changes after it is made.
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
