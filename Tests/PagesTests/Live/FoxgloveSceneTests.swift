import Geometry
import Glibc
import JSON
import Pages
import Recording
import Testing
import WaymarkInterface

@Suite struct FoxgloveSceneTests {
    typealias Placement = SceneInterface.Placement

    private func placement(
        _ id: String, _ kind: SceneInterface.PlacementKind, x: Double, y: Double = 0, z: Double, course: Double? = nil,
        distance: Double = 100, angle: Double = 3, lock: SceneInterface.Lock = .scene, name: String? = nil
    ) -> Placement {
        Placement(
            id: id, revision: 1, kind: OpenWord(kind), name: name, lock: lock,
            position: SceneInterface.Vector(x: x, y: y, z: z), displayDistance: 10, yaw: 0, distance: distance,
            distanceText: "100 m", size: SceneInterface.Size(policy: .fading, angle: angle, scale: 1), order: 1,
            visible: true, course: course)
    }

    private func message(
        _ changed: [Placement], removed: [String] = [], snapshot: Bool = false, generation: Int = 1
    ) -> SceneInterface.Scene {
        SceneInterface.Scene(
            revision: 1, snapshot: snapshot, time: SceneInterface.Time(sec: 1, nsec: 0), generation: generation,
            readiness: .ready, reasons: [], labelRoll: 0, changed: changed, removed: removed, events: [])
    }

    private func entities(_ update: [UInt8]) throws -> [String: JSONNode] {
        let entities = try JSONReader.read(update).member("entities").array()
        return Dictionary(uniqueKeysWithValues: entities.map { ($0["id"]?.string ?? "", $0) })
    }

    private func vector(_ node: JSONNode?) throws -> Vector3 {
        let node = try #require(node)
        return try Vector3(node.required("x"), node.required("y"), node.required("z"))
    }

    private func rotation(_ node: JSONNode?) throws -> Rotation3 {
        let node = try #require(node)
        let (x, y, z, w): (Double, Double, Double, Double) = try (
            node.required("x"), node.required("y"), node.required("z"), node.required("w")
        )
        return try #require(Rotation3(w: w, x: x, y: y, z: z))
    }

    @Test(
        "an arrow points along its course over the ground, with its middle at its position",
        arguments: [0.0, 90, -45, 180, 359])
    func arrows(course: Double) throws {
        var scene = FoxgloveScene(.json)
        let update = scene.take(message([placement("arrow/1", .arrow, x: 3, y: -1.6, z: -7, course: course)]), at: 5)
        let arrow = try #require(entities(update)["arrow/1"]?["arrows"]).first()
        let tail = try vector(arrow["pose"]?["position"])
        let direction = try rotation(arrow["pose"]?["orientation"]) * Vector3(1, 0, 0)
        // Courses count counter-clockwise from north, which is −Z; east is +X.
        let angle = Angle.radians(degrees: course)
        let expected = Vector3(-sin(angle), 0, -cos(angle))
        #expect((direction - expected).norm < 1e-5)
        let length: Double = try arrow.required("shaft_length") + arrow.required("head_length")
        #expect((tail + direction * 0.35 - Vector3(3, -1.6, -7)).norm < 2e-3)
        #expect(abs(length - 0.9) < 1e-9)
    }

    @Test("a mark stands at its place and is as wide as the wearer sees it; its label is above it")
    func marks() throws {
        var scene = FoxgloveScene(.json)
        let update = scene.take(
            message([
                placement("place/1", .place, x: 60, y: 2, z: -80, name: "Café \"x\""),
                placement("turn/1", .turn, x: 5, z: 5), placement("node/1", .node, x: 1, z: 1),
                placement("anchor/1", .anchor, x: 0, z: -1, lock: .head),
            ]), at: 5)
        let found = try entities(update)
        #expect(found.count == 4)
        let place = try #require(found["place/1"])
        let sphere = try #require(place["spheres"]).first()
        #expect(try vector(sphere["pose"]?["position"]) == Vector3(60, 2, -80))
        let width = 200 * tan(Angle.radians(degrees: 1.5))
        #expect(try abs(vector(sphere["size"]).x - width) < 1e-3)
        let label = try #require(place["texts"]).first()
        #expect(label["text"]?.string == "Café \"x\" · 100 m" && label["billboard"]?.bool == true)
        #expect(try vector(label["pose"]?["position"]).y > 2 + width / 2)
        #expect(place["frame_id"]?.string == "scene" && place["frame_locked"]?.bool == true)
        #expect(found["anchor/1"]?["frame_id"]?.string == "body")
        // The axis of a cylinder is z: it stands upright in the scene, whose up is Y.
        for id in ["turn/1", "node/1"] {
            let cylinder = try #require(found[id]?["cylinders"]).first()
            let axis = try rotation(cylinder["pose"]?["orientation"]) * Vector3(0, 0, 1)
            #expect((axis - Vector3(0, 1, 0)).norm < 1e-5)
        }
        #expect(found["node/1"]?["texts"]?.count == 0)
    }

    @Test("sizes that are none become no infinite marks", arguments: [180.0, 0, -3, 1e300])
    func sizes(angle: Double) throws {
        var scene = FoxgloveScene(.json)
        for distance in [0, 1e308] {
            let update = scene.take(
                message([placement("a", .place, x: 0, z: 0, distance: distance, angle: angle)]), at: 1)
            let size = try vector(#require(entities(update)["a"]?["spheres"]).first()["size"])
            #expect(size.isFinite && (0...10_000).contains(size.x))
        }
    }

    @Test("changes bring what is new and delete what is gone; a snapshot deletes all before")
    func changes() throws {
        var scene = FoxgloveScene(.json)
        let first = try JSONReader.read(
            scene.take(message([placement("a", .place, x: 0, z: 0)], snapshot: true), at: 1000))
        #expect(try first.member("deletions").array().map { $0["type"]?.number } == [1])
        let change = try JSONReader.read(
            scene.take(message([placement("b", .place, x: 1, z: 0)], removed: ["a"]), at: 2000))
        let deletion = try change.member("deletions").first()
        #expect(deletion["type"]?.number == 0 && deletion["id"]?.string == "a")
        #expect(try change.member("entities").array().map { $0["id"]?.string } == ["b"])
        #expect(scene.placements.keys.sorted() == ["b"])
        #expect(try Array(entities(scene.snapshot).keys) == ["b"])
        let cleared = scene.clear()
        #expect(try entities(cleared).isEmpty && scene.generation == nil)
    }

    @Test("deletions are later than all entities, although a daemon that starts anew has an earlier time")
    func earlierTimes() throws {
        var scene = FoxgloveScene(.json)
        _ = scene.take(message([placement("a", .place, x: 0, z: 0)], snapshot: true), at: 5_000_000_000)
        let update = scene.take(message([placement("a", .place, x: 0, z: 0)], snapshot: true), at: 1_000_000_000)
        let node = try JSONReader.read(update)
        func time(_ node: JSONNode) throws -> Int64 {
            try #require(node.required("timestamp", as: PoseInterface.Time.self).nanoseconds)
        }
        #expect(try time(node.member("deletions").first()) > 5_000_000_000)
        #expect(try time(node.member("entities").first()) == 1_000_000_000)
    }
}
