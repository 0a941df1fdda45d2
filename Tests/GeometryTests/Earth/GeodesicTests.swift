import Geometry
import Testing

@Suite("Geodesics")
struct GeodesicTests {
    static let degree = Double.pi / 180

    static func place(_ latitude: Double, _ longitude: Double) throws -> GeodeticPosition {
        try #require(
            GeodeticPosition(latitudeDegrees: latitude, longitudeDegrees: longitude, ellipsoidalHeight: 0))
    }

    /// Published solutions: start, end, bearings at both in degrees, distance in metres.
    struct Solved {
        var start: (Double, Double)
        var end: (Double, Double)
        var bearing: Double
        var finalBearing: Double
        var distance: Double
        /// Half a unit of the last published digit, in degrees and metres.
        var angleTolerance: Double
        var distanceTolerance: Double
    }

    static let solved = [
        // Karney 2013, table 2.
        Solved(
            start: (40, 0), end: (41.79331020506, 137.84490004377), bearing: 30, finalBearing: 149.09016931807,
            distance: 10_000_000, angleTolerance: 1e-10, distanceTolerance: 2e-6),
        // Karney 2013, table 3: nearby places; doubles resolve latitudes to 0.4 nm, 5e-9° over these 5 m.
        Solved(
            start: (-30.12345, 0), end: (-30.12344, 0.00005), bearing: 77.04353354237, finalBearing: 77.04350844913,
            distance: 4.944208, angleTolerance: 5e-9, distanceTolerance: 5e-7),
        // Karney 2013, table 4 and 5: nearly antipodal places.
        Solved(
            start: (-30, 0), end: (29.9, 179.8), bearing: 161.89052473633, finalBearing: 18.09073724574,
            distance: 19_989_832.827610, angleTolerance: 1e-10, distanceTolerance: 5e-7),
        // The first line of the GeodTest set, Zenodo 32156.
        Solved(
            start: (36.530042355041, 0), end: (-48.164270779097768864, 5.762344694676510456),
            bearing: 176.125875162171, finalBearing: 175.334308316285410561, distance: 9_398_502.0434687,
            angleTolerance: 1e-12, distanceTolerance: 1e-7),
        // John F. Kennedy to Heathrow, from GeographicLib's own manuals.
        Solved(
            start: (40.6, -73.8), end: (51.6, -0.5), bearing: 51.198882845579824, finalBearing: 107.821776735514248,
            distance: 5_551_759.4003186841, angleTolerance: 1e-11, distanceTolerance: 1e-7),
    ]

    @Test("published inverse problems", arguments: solved)
    func inverse(_ solved: Solved) throws {
        let line = try Geodesic(
            from: Self.place(solved.start.0, solved.start.1), to: Self.place(solved.end.0, solved.end.1))
        let bearing = try #require(line.bearing)
        let finalBearing = try #require(line.finalBearing)
        #expect(abs(line.distance - solved.distance) <= solved.distanceTolerance)
        #expect(abs(bearing / Self.degree - solved.bearing) <= solved.angleTolerance)
        #expect(abs(finalBearing / Self.degree - solved.finalBearing) <= solved.angleTolerance)
    }

    @Test("published direct problems", arguments: solved)
    func direct(_ solved: Solved) throws {
        let start = try Self.place(solved.start.0, solved.start.1)
        let end = try #require(start.destination(bearing: solved.bearing * Self.degree, distance: solved.distance))
        // The published bearing and distance are rounded: near the antipode 1e-10° of bearing is 20 µm on the ground.
        #expect(abs(end.latitudeDegrees - solved.end.0) <= 1e-9)
        #expect(abs(end.longitudeDegrees - solved.end.1) <= 1e-9)
    }

    @Test("behaviour 15: a bearing counts clockwise from true north", arguments: [0.0, 37, 90, 179, 180, 270, 359])
    func bearing(degrees: Double) throws {
        let start = try Self.place(60, 179.999)
        let end = try #require(start.destination(bearing: degrees * Self.degree, distance: 500))
        let back = Geodesic(from: start, to: end)
        #expect(abs(back.distance - 500) < 1e-8)
        // 1e-8 m over 500 m.
        let turned = try #require(back.bearing) / Self.degree - degrees
        #expect(abs(turned - 360 * (turned / 360).rounded()) < 1e-8)
    }

    @Test("a bearing is never negative and never a full turn")
    func bearingRange() throws {
        let start = try Self.place(0, 0)
        for longitude in [-1, -1e-9, -1e-14, -0.0, 0, 1e-14] {
            let bearing = try #require(Geodesic(from: start, to: Self.place(1, longitude)).bearing)
            #expect(bearing >= 0 && bearing < 2 * .pi)
        }
    }

    @Test("coincident places have no bearing")
    func coincident() throws {
        let line = try Geodesic(from: Self.place(12, 34), to: Self.place(12, 34))
        #expect(line.distance == 0)
        #expect(line.bearing == nil)
        #expect(line.finalBearing == nil)
    }

    @Test("no place at a distance that is not finite")
    func notFinite() throws {
        let start = try Self.place(12, 34)
        #expect(start.destination(bearing: .nan, distance: 1) == nil)
        #expect(start.destination(bearing: 1, distance: .infinity) == nil)
    }
}
