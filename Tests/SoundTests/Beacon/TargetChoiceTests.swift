import Sound
import Geometry
import JSON
import Testing
import WaymarkInterface

@Suite("Which placement sounds")
struct TargetChoiceTests {
    private static func placement(_ id: String, kind: String, z: Double, more: String = "") -> String {
        """
        {"id":"\(id)","revision":1,"kind":"\(kind)","lock":"scene","position":{"x":1,"y":2,"z":\(z)},"displayDistance":5,\
        "yaw":0,"distance":9,"sigma":9,"size":{"policy":"fading","angle":1,"scale":1},"order":1,"visible":true\(more)}
        """
    }

    private static func target(_ choice: TargetChoice?, _ placements: String...) throws -> BeaconTarget? {
        let text = """
            {"revision":1,"snapshot":true,"time":{"sec":1,"nsec":0},"generation":7,"readiness":"ready","reasons":[],\
            "labelRoll":0,"changed":[\(placements.joined(separator: ","))],"removed":[],"events":[]}
            """
        let scene = try SceneInterface.Scene(JSONReader().read(Array(text.utf8)[...]))
        let byID = Dictionary(uniqueKeysWithValues: scene.changed.map { ($0.id, $0) })
        return choice.flatMap { $0.target(in: scene, byID) }
    }

    @Test("the next turn is the first one ahead on the route, and past the last one the destination sounds")
    func route() throws {
        let passed = Self.placement("t0", kind: "turn", z: 1)
        let near = Self.placement("t1", kind: "turn", z: 2, more: #","alongRoute":30"#)
        let far = Self.placement("t2", kind: "turn", z: 3, more: #","alongRoute":90"#)
        let end = Self.placement("end", kind: "destination", z: 4, more: #","alongRoute":200"#)
        #expect(try Self.target(.route, passed, far, near, end)?.id == "t1")
        #expect(try Self.target(.route, passed, end)?.id == "end")
        #expect(try Self.target(.turn, passed, end) == nil)
        #expect(try Self.target(.destination, near, end)?.id == "end")
        let target = try Self.target(.turn, near)
        #expect(target?.position == Vector3(1, 2, 2) && target?.generation == 7 && target?.arrivalRadius == 0)
        #expect(target?.directionStandardDeviation == 9 * Double.pi / 180)
    }

    @Test("a place sounds from its own placement, else from the middle of its cluster, and is reached at 5 m")
    func place() throws {
        let cafe = Self.placement("place/cafe", kind: "place", z: 5)
        let cluster = Self.placement("cluster/1", kind: "cluster", z: 6, more: #","members":["place/a","place/b"]"#)
        let found = try Self.target(TargetChoice("place cafe"), cluster, cafe)
        #expect(found?.id == "place/cafe" && found?.arrivalRadius == 5)
        #expect(try Self.target(TargetChoice("place/b"), cluster, cafe)?.id == "cluster/1")
        #expect(try Self.target(TargetChoice("place c"), cluster, cafe) == nil)
    }

    @Test("what is locked to the head has no place in the scene")
    func headLocked() throws {
        let menu = Self.placement("anchor/menu", kind: "anchor", z: -1).replacing("\"scene\"", with: "\"head\"")
        #expect(try Self.target(TargetChoice("anchor menu"), menu) == nil)
    }

    @Test(
        "a choice is a word of the route, or a kind and an id",
        arguments: ["", "route", "bench", "place", "anchor ", "tree 1"])
    func words(text: String) {
        #expect(TargetChoice(text) == nil)
        #expect(TargetChoice("turn") == .turn && TargetChoice("destination") == .destination)
        #expect(TargetChoice("anchor my bench") == .placement(id: "anchor/my bench"))
        #expect(TargetChoice("place/" + String(repeating: "x", count: 400)) == nil)
    }
}
