import Foundation
import Testing
import WaymarkClient

@Suite("The scene that a client keeps") struct SceneStateTests {
    private static func message(
        _ revision: Int, snapshot: Bool = false, changed: [(String, Double, Int)] = [], removed: [String] = []
    ) throws -> Scene {
        let placements = changed.map { id, distance, order in
            """
            {"id":"\(id)","revision":\(revision),"kind":"place","lock":"scene","position":{"x":1,"y":2,"z":3},
            "displayDistance":10,"yaw":0,"distance":\(distance),"size":{"policy":"fading","angle":3,"scale":1},
            "order":\(order),"visible":true,"aNewField":7}
            """
        }
        let text = """
            {"revision":\(revision),"snapshot":\(snapshot),"time":{"sec":1,"nsec":2},"generation":1,"readiness":"ready",
            "reasons":[],"labelRoll":0,"changed":[\(placements.joined(separator: ","))],
            "removed":[\(removed.map { "\"\($0)\"" }.joined(separator: ","))],"events":[]}
            """
        return try JSONDecoder().decode(Scene.self, from: Data(text.utf8))
    }

    @Test("changes are worked in, and a snapshot begins anew")
    func changes() throws {
        var state = SceneState()
        try state.apply(try Self.message(1, snapshot: true, changed: [("a", 30, 0), ("b", 20, 1)]))
        #expect(state.nearest.map(\.id) == ["b", "a"])
        #expect(state.drawn.map(\.id) == ["a", "b"])
        try state.apply(try Self.message(2, changed: [("a", 10, 1), ("c", 5, 2)], removed: ["b"]))
        #expect(state.nearest.map(\.id) == ["c", "a"])
        #expect(state.placements["a"]?.revision == 2)
        try state.apply(try Self.message(9, snapshot: true, changed: [("d", 1, 0)]))
        #expect(state.placements.keys.sorted() == ["d"])
        #expect(state.newest?.revision == 9)
    }

    @Test("a change that does not follow what is known is refused, and changes nothing")
    func broken() throws {
        var state = SceneState()
        let early = try Self.message(2)
        #expect(throws: SceneState.Break.revision(known: nil, received: 2)) { try state.apply(early) }
        try state.apply(try Self.message(1, snapshot: true, changed: [("a", 30, 0)]))
        let late = try Self.message(3, removed: ["a"])
        #expect(throws: SceneState.Break.revision(known: 1, received: 3)) { try state.apply(late) }
        #expect(state.placements.count == 1)
    }
}
