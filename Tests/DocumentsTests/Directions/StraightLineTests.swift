import Documents
import Geometry
import Testing

@Suite("Straight lines")
struct StraightLineTests {
    private func position(_ latitude: Double, _ longitude: Double) -> GeodeticPosition {
        GeodeticPosition(latitudeDegrees: latitude, longitudeDegrees: longitude, ellipsoidalHeight: 0)!
    }

    @Test("behaviour 52: without a service the way is the geodesic, with a vertex a kilometre")
    func geodesic() throws {
        let (from, to) = (position(47, 8), position(47.05, 8.1))
        let points = try #require(StraightLine.points(from: from, to: to))
        let steps = zip(points, points.dropFirst()).map { Geodesic(from: $0, to: $1).distance }
        // Shorter than along any other line; a millimetre is more than the arithmetic loses.
        #expect(abs(steps.reduce(0, +) - Geodesic(from: from, to: to).distance) < 1e-3)
        #expect(steps.allSatisfy { $0 <= 1000.001 })
        #expect(points.first == from && points.last == to)
    }

    @Test("around the world it stays a document that the daemon takes")
    func far() throws {
        let document = try #require(StraightLine.document(from: position(-41.3, 174.8), to: position(40.4, -3.7)))
        let route = try RouteDocument.read(document, format: .geojson, id: "x", name: "far")
        #expect(route.vertices.count == 2001)
    }

    @Test("to where one is already there is no way")
    func here() {
        #expect(StraightLine.document(from: position(47, 8), to: position(47, 8)) == nil)
        #expect(StraightLine.document(from: position(47, 8), to: position(47.000_005, 8)) == nil)
        #expect(StraightLine.document(from: position(47, 8), to: position(47.000_02, 8)) != nil)
    }
}
