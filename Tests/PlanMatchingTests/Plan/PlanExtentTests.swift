import Geometry
import PlanMatching
import Testing

@Suite("Extent of a plan")
struct PlanExtentTests {
    private static func points(_ degrees: [(Double, Double)]) -> [PlanPoint] {
        degrees.map { PlanPoint(latitudeDegrees: $0.0, longitudeDegrees: $0.1) }
    }

    private static func plan(_ degrees: [(Double, Double)]) -> FloorPlan {
        let line = PlanFeature(kind: .wall, shape: .line(points(degrees)))
        return FloorPlan(
            id: "x", name: "", levels: [PlanLevel(name: "0", number: 0, features: degrees.isEmpty ? [] : [line])])
    }

    @Test(
        "is the same anywhere, also across the antimeridian", arguments: [0.0, 8.5, 179.999, 180, -180, -179.9995, 359])
    func anywhere(longitude: Double) throws {
        let wrapped = { (degrees: Double) in degrees.remainder(dividingBy: 360) }
        let extent = try #require(
            PlanExtent(Self.points([(47, longitude), (47.001, wrapped(longitude + 0.002)), (46.999, longitude)])))
        // A thousandth of a degree of latitude is 111.2 m, two of longitude are 152.2 m here.
        #expect((extent.width - 222.4).magnitude < 0.1)
        let east = extent.local(Self.points([(47, wrapped(longitude + 0.002))])[0])
        #expect((east - Vector2(152.2, 0)).norm < 0.1)
    }

    @Test("is small around a pole, where longitudes are far apart")
    func pole() throws {
        let extent = try #require(
            PlanExtent(Self.points([(89.9999, 0), (89.9999, 90), (89.9999, 180), (89.9999, -90)])))
        #expect((extent.width - 22.3).magnitude < 0.1)
    }

    @Test("is the distance of a point on the other side of the earth")
    func otherSide() throws {
        let extent = try #require(PlanExtent(Self.points([(0, 0), (0, 180)])))
        #expect(extent.width > 12_000_000)
        #expect(PlanExtent([]) == nil)
    }

    @Test("has its box in degrees, which begins west of the antimeridian where it is across")
    func box() {
        #expect(
            PlanBox(Self.plan([(47, 8.5), (47.5, 8), (46.5, 8.25)]))
                == PlanBox(south: 46.5, north: 47.5, west: 8, east: 8.5))
        for start in [179.75, -180.25] {
            #expect(
                PlanBox(Self.plan([(-16.5, start), (-17, -179.75)]))
                    == PlanBox(south: -17, north: -16.5, west: 179.75, east: 180.25))
        }
        #expect(
            PlanBox(Self.plan([(1, -179.75), (1, 179.5)])) == PlanBox(south: 1, north: 1, west: 179.5, east: 180.25))
        #expect(PlanBox(Self.plan([])) == nil)
    }
}
