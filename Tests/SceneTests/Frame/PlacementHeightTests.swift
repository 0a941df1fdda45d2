import Geometry
import Scene
import Testing

@Suite("Heights by kind")
struct PlacementHeightTests {
    private let settings = SceneSettings.Placements()

    private func height(
        _ height: PlacementHeight, at distance: Double = 200, _ wearer: Viewpoint
    ) throws -> Double {
        let place = try #require(wearer.position.destination(bearing: 1, distance: distance))
        let point = wearer.map.pointInScene(of: place, height: height, wearer: wearer, settings: settings)
        let plain = wearer.map.pointInScene(of: place)
        #expect(abs(point.x - plain.x) < 0.05 && abs(point.z - plain.z) < 0.05, "a height moves nothing sideways")
        return point.y - wearer.positionInScene.y
    }

    @Test("behaviour 18: by the wearer's eyes and by the ground no satellite's height counts")
    func byWearer() throws {
        for altitude in [455.0, 495, 415] {
            let map = FrameSamples.map(yaw: 0.4, origin: try FrameSamples.zurich(height: altitude))
            for up in [0.0, 12] {
                let wearer = try FrameSamples.viewpoint(map: map, at: Vector3(30, up, -10))
                #expect(try height(.atEye, at: 2000, wearer) == 0, "on the horizon, however far")
                #expect(abs(try height(.eyeRelative(2.5), wearer) - 2.5) < 1e-9)
                #expect(abs(try height(.groundRelative(0), wearer) + settings.eyeHeightMetres) < 1e-9)
                #expect(abs(try height(.groundRelative(3), wearer) - 3 + settings.eyeHeightMetres) < 1e-9)
            }
        }
    }

    @Test("behaviour 18: above the ellipsoid it is the difference from the wearer's own height")
    func ellipsoidal() throws {
        let wearer = try FrameSamples.viewpoint(map: FrameSamples.map(origin: try FrameSamples.zurich(height: 455)))
        // The earth's curvature takes 3 mm away over 200 m.
        #expect(abs(try height(.ellipsoidal(475), wearer) - 20) < 0.005)
        #expect(abs(try height(.ellipsoidal(455), wearer)) < 0.005)
    }

    @Test("behaviour 18: above mean sea level the geoid of the receiver comes in, else EGM96")
    func seaLevel() throws {
        let map = FrameSamples.map(origin: try FrameSamples.zurich(height: 455))
        let known = try FrameSamples.viewpoint(map: map, separation: 47.5)
        // 455 m above the ellipsoid are 407.5 m above the sea.
        #expect(abs(try height(.meanSeaLevel(417.5), known) - 10) < 0.005)
        let alone = try FrameSamples.viewpoint(map: map)
        let place = try #require(alone.position.destination(bearing: 1, distance: 200))
        #expect(abs(try height(.meanSeaLevel(465 - Geoid.undulation(at: place)), alone) - 10) < 0.005)
    }

    @Test("behaviour 18: while the wearer's height is unknown, the place is on the horizon")
    func unknown() throws {
        let map = FrameSamples.map(origin: try FrameSamples.zurich(height: 455))
        let flat = try FrameSamples.viewpoint(map: map, hasHeight: false, separation: 47.5)
        #expect(try height(.ellipsoidal(455), flat) == 0)
        #expect(try height(.meanSeaLevel(455), flat) == 0)
    }
}
