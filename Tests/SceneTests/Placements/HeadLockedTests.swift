import Geometry
import Model
import Scene
import Testing

@Suite("Head-locked placements")
struct HeadLockedTests {
    let settings = SceneSettings.Placements()

    @Test("behaviour 42: a little ahead of the wearer, whichever way he looks", arguments: UInt64(0)..<50)
    func ahead(seed: UInt64) throws {
        var draws = Draws(state: seed)
        let viewpoint = try viewpoint(at: draws.vector(300), draws.rotation())
        let inBody = HeadLocked.pointInBody(settings: settings)
        #expect(inBody == Vector3(0, 0, -1))
        let inScene = HeadLocked.pointInScene(inBody, of: viewpoint)
        let line = inScene - viewpoint.positionInScene
        #expect(abs(line.norm - 1) < 1e-9)
        let ray = try #require(Ray.lineOfSight(of: viewpoint))
        #expect(ray.origin == viewpoint.positionInScene)
        #expect(angle(line, ray.direction) < 1e-9)
    }

    @Test("behaviour 42: an offset goes by the body's axes, and back", arguments: UInt64(0)..<50)
    func offset(seed: UInt64) throws {
        var draws = Draws(state: seed)
        let viewpoint = try viewpoint(at: draws.vector(300), draws.rotation())
        let offset = draws.vector(0.3)
        let inBody = HeadLocked.pointInBody(offset: offset, settings: settings)
        let inScene = HeadLocked.pointInScene(inBody, of: viewpoint)
        let back = viewpoint.rotationSceneFromBody.inverse * (inScene - viewpoint.positionInScene)
        #expect((back - offset - Vector3(0, 0, -1)).norm < 1e-9)
    }

    private func viewpoint(at position: Vector3, _ rotation: Rotation3) throws -> Viewpoint {
        let origin = try #require(
            GeodeticPosition(latitudeDegrees: 48.2, longitudeDegrees: 16.37, ellipsoidalHeight: 200))
        let map = SceneMap(
            plane: LocalTangentPlane(origin: origin), alignment: SceneAlignment(yaw: 0, translation: .zero))
        return Viewpoint(
            time: BootTime(nanoseconds: 0), generation: 1, positionInScene: position, rotationSceneFromBody: rotation,
            velocityInScene: .zero, map: map, position: origin, horizontalAccuracy: 4, yawStandardDeviation: 0.05)
    }
}
