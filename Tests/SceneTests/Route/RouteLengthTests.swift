import Geometry
import Glibc
import Scene
import Testing

@Suite("Routes of any length and density")
struct RouteLengthTests {
    let streets: Streets

    init() throws { streets = try Streets() }

    /// A street that winds, with a vertex every 30 cm.
    private func longStreet(_ count: Int) -> [(Double, Double)] {
        (0..<count).map { index in
            let along = Double(index) * 0.3
            return (40 * sin(along / 60), along * 0.8)
        }
    }

    @Test("lengths are true far from the start, and on one leg across half a continent")
    func farAway() throws {
        let (here, there) = (try streets.position(0, 0), try Streets(latitude: 40, longitude: 20).position(0, 0))
        let route = Route(id: "far", name: "", vertices: [here, there])
        let plan = try #require(RoutePlan(route))
        // The surface at 400 m is longer than the ellipsoid by 6e-5; chords of 2 km are shorter by 4e-9.
        let expected = Geodesic(from: here, to: there).distance
        #expect(abs(plan.length / expected - 1) < 2e-4)
        var progress = RouteProgress(plan: plan)
        let midway = try #require(plan.position(along: plan.length / 2))
        // On the surface, not beneath it.
        #expect(abs(midway.ellipsoidalHeight - 400) < 1)
        progress.update(position: midway, horizontalAccuracy: 5)
        #expect(progress.state == .following)
        #expect(try #require(progress.distanceFromRoute) < 1)
        #expect(abs(try #require(progress.alongRoute) - plan.length / 2) < 1)
    }

    @Test("the bearing of the route is that of true north where it leads, not at its start")
    func convergence() throws {
        let far = try Streets(latitude: 47.4, longitude: 12.5)
        let vertices = [try streets.position(0, 0), try far.position(0, 0), try far.position(0, 500)]
        let plan = try #require(RoutePlan(Route(id: "east", name: "", vertices: vertices)))
        let bearing = plan.bearing(along: plan.length - 100)
        // Meridians converge by 2.9° between here and there.
        #expect(min(bearing, 2 * .pi - bearing) < 1e-3)
    }

    @Test("heights of a document and of satellites make no way longer")
    func heights() throws {
        let flat = try streets.route([(0, 0), (0, 100), (0, 200)])
        var steep = flat
        steep.vertices[1].ellipsoidalHeight += 300
        let (straight, bumpy) = (try #require(RoutePlan(flat)), try #require(RoutePlan(steep)))
        #expect(abs(bumpy.length - straight.length) < 0.05)
        var progress = try #require(RouteProgress(route: steep))
        var high = try streets.position(0, 100)
        high.ellipsoidalHeight = 2000
        progress.update(position: high, horizontalAccuracy: 5)
        #expect(try #require(progress.distanceFromRoute) < 0.1)
    }

    @Test("a route of 200 000 vertices is followed from end to end")
    func dense() throws {
        let corners = longStreet(200_000)
        var progress = try streets.progress(corners)
        for index in stride(from: 0, to: corners.count, by: 400) {
            let (east, north) = corners[index]
            progress.update(position: try streets.position(east + 3, north), horizontalAccuracy: 4)
            #expect(try #require(progress.distanceFromRoute) <= 3.01)
            #expect(progress.state != .offRoute)
        }
        #expect(try #require(progress.remaining) < 200)
    }

    @Test("a line that is the worst for finding turns takes no longer than others")
    func hostile() throws {
        // Each split of Douglas and Peucker's takes one end off a spiral.
        let spiral = (0..<100_000).map { index in
            let angle = Double(index) * 0.05
            return ((200_000 - Double(index)) * cos(angle), (200_000 - Double(index)) * sin(angle))
        }
        #expect(RoutePlan(try streets.route(spiral)) != nil)
        let comb = (0..<100_000).map { tooth in
            let along = Double(tooth)
            return (0.5 * along, tooth % 2 == 0 ? 0.0 : along)
        }
        #expect(RoutePlan(try streets.route(comb)) != nil)
    }

    @Test("a route around the earth, and over the pole, harms nothing")
    func aroundTheEarth() throws {
        let vertices = try (0...7200).map { index in
            try #require(
                GeodeticPosition(
                    latitudeDegrees: index % 2 == 0 ? 89.9 : -89.9, longitudeDegrees: Double(index % 720) - 360,
                    ellipsoidalHeight: 0))
        }
        let plan = try #require(RoutePlan(Route(id: "r", name: "", vertices: vertices)))
        #expect(plan.length.isFinite)
        var progress = RouteProgress(plan: plan)
        progress.update(position: try streets.position(0, 0), horizontalAccuracy: 5)
        let content = RouteContent(progress)
        #expect(!content.pieces.isEmpty)
        #expect(content.pieces.allSatisfy { $0.bearing.isFinite && $0.alongRoute.isFinite })
    }
}
