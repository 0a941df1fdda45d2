import Geometry
import Testing

@Suite("Chart of a tangent plane")
struct TangentPlaneChartTests {
    @Test(
        "differs from the exact conversion by nanometres", arguments: [-84.0, -43, 0, 47.4, 70], [-180.0, 0, 8.5, 180])
    func exact(latitude: Double, longitude: Double) throws {
        let origin = try LocalTangentPlaneTests.position(latitude, longitude, 420)
        let plane = LocalTangentPlane(origin: origin)
        for center in [Vector3.zero, Vector3(-2000, 4000, -30), Vector3(1000, -300, 3000)] {
            let chart = try #require(TangentPlaneChart(plane, around: center))
            for move in [Vector3(9, 0, 0), Vector3(0, -9, 0), Vector3(0, 0, 9), Vector3(-5, 6, -6), Vector3(5, 5, 5)] {
                let position = try #require(chart.position(ofENU: center + move))
                #expect(position.longitudeDegrees.magnitude <= 180)
                // Doubles of earth-radius size resolve a nanometre; a few of them add up.
                #expect((plane.pointENU(of: position) - (center + move)).norm < 1.5e-8)
            }
        }
    }

    @Test("has no answer beyond its range, and none near the poles")
    func limits() throws {
        let plane = try LocalTangentPlane(origin: LocalTangentPlaneTests.position(47, 8, 0))
        let chart = try #require(TangentPlaneChart(plane, around: Vector3(100, 0, 0)))
        #expect(chart.position(ofENU: Vector3(110.1, 0, 0)) == nil)
        #expect(chart.position(ofENU: Vector3(100, .nan, 0)) == nil)
        let polar = try LocalTangentPlane(origin: LocalTangentPlaneTests.position(89, 8, 0))
        #expect(TangentPlaneChart(polar, around: .zero) == nil)
    }
}
