import Foundation
import Geometry
import Testing

@Suite("World Magnetic Model")
struct WorldMagneticModelTests {
    /// One row of NOAA's published test values.
    struct Published: CustomTestStringConvertible {
        var decimalYear: Double
        var heightKilometres: Double
        var latitude: Double
        var longitude: Double
        var declinationDegrees: Double
        var inclinationDegrees: Double
        var horizontal: Double
        var total: Double

        var testDescription: String { "\(decimalYear) at \(latitude)° \(longitude)° \(heightKilometres) km" }

        func check() throws {
            let position = try #require(
                GeodeticPosition(
                    latitudeDegrees: latitude, longitudeDegrees: longitude,
                    ellipsoidalHeight: heightKilometres * 1000))
            let field = try #require(WorldMagneticModel.wmm2025.field(at: position, decimalYear: decimalYear))
            // Published to 0.01°, so rounding alone brings 0.005°.
            #expect(abs(field.declination * 180 / .pi - declinationDegrees) <= 0.0051)
            #expect(abs(field.inclination * 180 / .pi - inclinationDegrees) <= 0.0051)
            // Published to 1e-6 nT; 0.001 nT allows for their own arithmetic.
            #expect(abs(field.horizontalIntensity - horizontal) <= 1e-3)
            #expect(abs(field.totalIntensity - total) <= 1e-3)
        }
    }

    static let dozen: [Published] = [
        (2025.0, 28, 89, -121, -99.77, 88.47, 1504.298146, 56214.419888),
        (2025.0, 48, 80, -96, -29.91, 87.77, 2164.285547, 55665.134163),
        (2025.0, 18, 0, 21, 1.29, -26.06, 29282.246275, 32594.761714),
        (2025.5, 44, 33, -118, 11.10, 57.89, 23678.743422, 44542.826874),
        (2026.0, 82, -64, 87, -81.74, -75.40, 13974.248411, 55453.154865),
        (2026.5, 12, -79, 115, -137.58, -77.37, 13023.480845, 59545.961164),
        (2027.0, 44, -43, -111, 24.31, -52.57, 22462.470699, 36957.295441),
        (2027.5, 60, 27, 65, 1.85, 42.83, 33079.422542, 45108.083389),
        (2028.0, 86, -85, -79, 41.09, -70.25, 16867.459172, 49924.018042),
        (2028.5, 39, -65, -88, 29.45, -60.20, 20609.270068, 41466.964689),
        (2029.0, 95, -70, 42, -55.06, -64.54, 18202.660480, 42348.655378),
        (2029.5, 31, 13, -132, 9.04, 31.41, 28145.022897, 32978.312476),
        (2029.5, 77, -18, 138, 4.45, -47.55, 31847.600506, 47186.021876),
    ].map {
        Published(
            decimalYear: $0.0, heightKilometres: $0.1, latitude: $0.2, longitude: $0.3, declinationDegrees: $0.4,
            inclinationDegrees: $0.5, horizontal: $0.6, total: $0.7)
    }

    @Test("a dozen of NOAA's published points", arguments: dozen)
    func publishedDozen(_ published: Published) throws {
        try published.check()
    }

    static let testValues: URL = {
        let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent()
        let data = ProcessInfo.processInfo.environment["WAYMARK_DATA"].map { URL(fileURLWithPath: $0) }
        return (data ?? root.appendingPathComponent("../shared/data"))
            .appendingPathComponent("wmm2025/noaa-test-values.txt")
    }()

    @Test(
        "all hundred of NOAA's published points",
        .enabled(if: FileManager.default.isReadableFile(atPath: testValues.path), "needs WAYMARK_DATA"))
    func publishedHundred() throws {
        let rows = try String(contentsOf: Self.testValues, encoding: .utf8).split(separator: "\n")
            .filter { !$0.hasPrefix("#") }
            .map { $0.split(separator: " ").compactMap { Double($0) } }
        #expect(rows.count == 100)
        for row in rows {
            try #require(row.count == 18)
            try Published(
                decimalYear: row[0], heightKilometres: row[1], latitude: row[2], longitude: row[3],
                declinationDegrees: row[4], inclinationDegrees: row[5], horizontal: row[6], total: row[10]
            ).check()
        }
    }

    @Test("no answer beyond its years and heights")
    func reach() throws {
        let model = WorldMagneticModel.wmm2025
        var position = try #require(
            GeodeticPosition(latitudeDegrees: 47, longitudeDegrees: 8, ellipsoidalHeight: 400))
        #expect(model.field(at: position, decimalYear: 2022.9) == nil)
        #expect(model.field(at: position, decimalYear: 2032.1) == nil)
        #expect(model.field(at: position, decimalYear: .nan) == nil)
        #expect(model.field(at: position, decimalYear: 2031.9) != nil)
        position.ellipsoidalHeight = 900_000
        #expect(model.field(at: position, decimalYear: 2026) == nil)
    }

    @Test("a compass is refused below 2000 nT and doubted below 6000 nT")
    func compassUse() throws {
        #expect(GeomagneticField.blackoutIntensity == 2000)
        #expect(GeomagneticField.cautionIntensity == 6000)
        func use(latitude: Double, longitude: Double) throws -> GeomagneticField.CompassUse {
            let position = try #require(
                GeodeticPosition(latitudeDegrees: latitude, longitudeDegrees: longitude, ellipsoidalHeight: 0))
            return try #require(WorldMagneticModel.wmm2025.field(at: position, decimalYear: 2025)).compassUse
        }
        // The north magnetic pole lay at 85.8° N 139° E in 2025; the published points above give the others.
        #expect(try use(latitude: 85.8, longitude: 139) == .refused)
        #expect(try use(latitude: 80, longitude: -96) == .cautious)
        #expect(try use(latitude: 47, longitude: 8) == .full)
    }

    @Test("angles and flux density say the same")
    func fluxDensity() throws {
        let position = try #require(
            GeodeticPosition(latitudeDegrees: -43, longitudeDegrees: 147, ellipsoidalHeight: 50))
        let field = try #require(WorldMagneticModel.wmm2025.field(at: position, decimalYear: 2026.9))
        let again = GeomagneticField(fluxDensityENU: field.fluxDensityENU)
        // A few roundings.
        #expect(abs(again.declination - field.declination) < 1e-14)
        #expect(abs(again.inclination - field.inclination) < 1e-14)
        #expect(field.fluxDensityENU.z > 0, "the field points up in the south")
    }
}

@Suite("Magnetic coefficients")
struct MagneticCoefficientsTests {
    static let first = """
            2025.0            WMM-2025     11/13/2024
          1  0  -29351.8       0.0       12.0        0.0
          1  1   -1410.8    4545.4        9.7      -21.5
        999999999999999999999999999999999999999999999999
        """

    @Test("the published text is read column by column")
    func parse() throws {
        let coefficients = try MagneticCoefficients(text: Self.first, degree: 1)
        #expect(coefficients.epoch == 2025)
        #expect(coefficients.name == "WMM-2025")
        #expect(coefficients.cosine == [0, -29351.8, -1410.8])
        #expect(coefficients.sine == [4545.4])
        #expect(coefficients.cosineRate == [0, 12, 9.7])
        #expect(coefficients.sineRate == [-21.5])
    }

    @Test(
        "a broken line is named",
        arguments: [
            ("", 1), ("year WMM", 1), ("2025.0 WMM-2025\n 1 0 x 0 0 0", 2), ("2025.0 WMM-2025\n 1 2 1 0 0 0", 2),
            ("2025.0 WMM-2025\n 1 0 1 0 0 0\n9999", 3),
        ])
    func malformed(text: String, line: Int) {
        #expect(throws: MagneticCoefficients.Malformed(line: line)) {
            try MagneticCoefficients(text: text, degree: 1)
        }
    }
}
