import CGeographic

/// The World Magnetic Model 2025: degree 12, valid from 2025 to 2030.
///
/// It is also evaluated up to two years before and after its validity: the secular variation is nearly linear, and a
/// declination with an error of a few tenths of a degree is better than no declination. The published error bounds hold
/// for `validYears`.
///
/// Source: Chulliat et al., "The US/UK World Magnetic Model for 2025-2030", NOAA and BGS, 2024, equations (4), (9) to
/// (12).
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

    /// Owns the C library's object, which never changes after its creation.
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

/// Gauss coefficients of a main field and of its secular variation, ordered as GeographicLib's harmonic sum requires.
package struct MagneticCoefficients: Equatable, Sendable {
    /// Epoch of the coefficients as a decimal year.
    package let epoch: Double
    /// Name of the model.
    package let name: String
    /// Maximum degree of the harmonics.
    package let degree: Int
    /// Coefficients g, sorted by m, then by n; both begin at 0. Unit: nanotesla.
    package private(set) var cosine: [Double]
    /// Coefficients h, in the order of `cosine`, without m = 0.
    package private(set) var sine: [Double]
    /// Secular variation of g. Unit: nanotesla per year.
    package private(set) var cosineRate: [Double]
    /// Secular variation of h. Unit: nanotesla per year.
    package private(set) var sineRate: [Double]

    /// Reads coefficients from NOAA's text format: a line with epoch, name and date, lines with n, m, g, h, ġ, ḣ, and a
    /// line of nines.
    package init(text: String, degree: Int) throws(Malformed) {
        let lines = text.split(separator: "\n").map { $0.split(whereSeparator: { $0.isWhitespace }) }
        guard let header = lines.first, header.count >= 2, let epoch = Double(header[0]) else {
            throw Malformed(line: 1)
        }
        self.epoch = epoch
        name = String(header[1])
        self.degree = degree
        let count = (degree + 1) * (degree + 2) / 2
        cosine = [Double](repeating: 0, count: count)
        sine = [Double](repeating: 0, count: count - degree - 1)
        cosineRate = cosine
        sineRate = sine

        var read = 0
        for (offset, fields) in lines.enumerated().dropFirst() {
            if fields.count == 1, fields[0].allSatisfy({ $0 == "9" }) { break }
            guard store(fields) else { throw Malformed(line: offset + 1) }
            read += 1
        }
        // There must be a line for every n from 1 to the degree and every m from 0 to n.
        guard read == count - 1 else { throw Malformed(line: lines.count) }
    }

    private mutating func store(_ fields: [Substring]) -> Bool {
        guard fields.count == 6, let n = Int(fields[0]), let m = Int(fields[1]), (1...degree).contains(n),
            (0...n).contains(m)
        else { return false }
        let values = fields[2...].compactMap { Double($0) }
        guard values.count == 4 else { return false }
        let index = m * degree - m * (m - 1) / 2 + n
        cosine[index] = values[0]
        cosineRate[index] = values[2]
        if m > 0 {
            sine[index - degree - 1] = values[1]
            sineRate[index - degree - 1] = values[3]
        }
        return true
    }

    /// Error: the text is not a table of coefficients of this degree.
    package struct Malformed: Error, CustomStringConvertible, Equatable {
        /// Number of the first wrong or missing line, counted from 1.
        package let line: Int

        /// Error at a line.
        package init(line: Int) { self.line = line }

        /// Text of the error with its remedy.
        package var description: String {
            "magnetic coefficients: line \(line) is wrong or missing; take the file anew from its publisher"
        }
    }
}

/// Decimal years as magnetic models use them: 2025.0 is the first instant of 2025 UTC.
public enum DecimalYear {
    /// Decimal year from seconds since 1970-01-01 UTC; nil outside the years 1970 to 2200, since the clock must then be
    /// wrong.
    public static func of(utcSeconds: Double) -> Double? {
        let secondsPerDay = 86400.0
        guard utcSeconds >= 0, utcSeconds < secondsPerDay * Double(days(before: 2201)) else { return nil }
        let day = Int(utcSeconds / secondsPerDay)
        // No year is shorter than 365 days, so the quotient is the right year or the next one.
        var year = 1970 + day / 365
        while days(before: year) > day { year -= 1 }
        let start = days(before: year)
        let length = days(before: year + 1) - start
        return Double(year) + (utcSeconds / secondsPerDay - Double(start)) / Double(length)
    }

    /// Days from 1970-01-01 to the first of January of a year, Gregorian.
    private static func days(before year: Int) -> Int {
        let past = year - 1
        return 365 * (year - 1970) + (past / 4 - past / 100 + past / 400) - 477
    }
}
