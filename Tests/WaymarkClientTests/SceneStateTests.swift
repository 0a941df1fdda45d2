import JSON
import Testing
import WaymarkClient
import WaymarkInterface

@Suite("The scene that a client keeps") struct SceneStateTests {
    private static func message(
        _ revision: Int, snapshot: Bool = false, changed: [(String, Double, Int)] = [], removed: [String] = []
    ) -> Waymark.Scene {
        Waymark.Scene(
            revision: revision, snapshot: snapshot, time: Waymark.Time(sec: 1, nsec: 2), generation: 1,
            readiness: .ready, reasons: [], labelRoll: 0,
            changed: changed.map { id, distance, order in
                Waymark.Placement(
                    id: id, revision: revision, kind: OpenWord(.place), lock: .scene,
                    position: Waymark.Vector(x: 1, y: 2, z: 3), displayDistance: 10, yaw: 0, distance: distance,
                    size: SceneInterface.Size(policy: .fading, angle: 3, scale: 1), order: order, visible: true)
            },
            removed: removed, events: [])
    }

    @Test("changes are worked in, and a snapshot replaces all")
    func changes() throws {
        var state = Waymark.SceneState()
        try state.apply(Self.message(1, snapshot: true, changed: [("a", 30, 0), ("b", 20, 1)]))
        #expect(state.nearest.map(\.id) == ["b", "a"])
        #expect(state.drawn.map(\.id) == ["a", "b"])
        try state.apply(Self.message(2, changed: [("a", 10, 1), ("c", 5, 2)], removed: ["b"]))
        #expect(state.nearest.map(\.id) == ["c", "a"])
        #expect(state.placements["a"]?.revision == 2)
        try state.apply(Self.message(9, snapshot: true, changed: [("d", 1, 0)]))
        #expect(state.placements.keys.sorted() == ["d"])
        #expect(state.newest?.revision == 9)
    }

    @Test("a change that does not follow what is known is refused, and changes nothing")
    func broken() throws {
        var state = Waymark.SceneState()
        let early = Self.message(2)
        #expect(throws: Waymark.SceneState.Break.revision(known: nil, received: 2)) { try state.apply(early) }
        try state.apply(Self.message(1, snapshot: true, changed: [("a", 30, 0)]))
        let late = Self.message(3, removed: ["a"])
        #expect(throws: Waymark.SceneState.Break.revision(known: 1, received: 3)) { try state.apply(late) }
        #expect(state.placements.count == 1)
    }
}

/// Members that later versions of the daemon have, that may be missing, and that should not come.
@Suite("What other versions of the daemon send") struct OtherVersionsTests {
    private static let member = #""motion":{"mode":"foot","probability":0.75}"#

    private static func pose(_ motion: String) throws -> Waymark.Pose {
        let text = FakeDaemon.pose.replacing(member, with: motion)
        #expect(motion == member || text != FakeDaemon.pose)
        return try Waymark.Pose(JSONReader.read(Array(text.utf8)))
    }

    @Test(
        "every mode is read, and what a later version adds is passed over",
        arguments: [
            (#"{"mode":"rest","probability":0}"#, Waymark.Motion(mode: .rest, probability: 0)),
            (#"{"mode":"foot","probability":1}"#, Waymark.Motion(mode: .foot, probability: 1)),
            (#"{"mode":"vehicle","probability":0.5,"since":3}"#, Waymark.Motion(mode: .vehicle, probability: 0.5)),
        ])
    func modes(text: String, expected: Waymark.Motion) throws {
        #expect(try Self.pose(#""motion":"# + text).motion == expected)
    }

    @Test("a pose without a motion has none", arguments: [#""later":1"#, #""motion":null"#])
    func older(text: String) throws {
        let pose = try Self.pose(text)
        #expect(pose.motion == nil && pose.sequence == 7 && pose.heading == 12.5)
    }

    @Test(
        "a motion that is none is an error, as any other member that does not fit",
        arguments: [
            #"{}"#, #"{"mode":"foot"}"#, #"{"probability":1}"#, #"{"mode":"swim","probability":1}"#,
            #"{"mode":"foot","probability":"1"}"#, #"{"mode":0,"probability":1}"#, "7", "[]", #""foot""#,
        ])
    func hostile(text: String) {
        #expect(throws: DocumentProblem.self) { try Self.pose(#""motion":"# + text) }
    }
}
