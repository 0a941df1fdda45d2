import Foundation
import JSON
import Persistence
import PlanMatching
import Testing

@Suite("The stored plans")
struct PlanStoreTests {
    private let folder: String
    private var store: PlanStore

    init() throws {
        folder = try SamplePlan.folder()
        store = PlanStore(folder: folder)
    }

    private func clean() { SamplePlan.clean(folder) }

    /// As the next run of the daemon finds it.
    private func reopened() -> PlanStore {
        var store = PlanStore(folder: folder)
        store.load()
        return store
    }

    private func names() throws -> [String] { try FileManager.default.contentsOfDirectory(atPath: folder).sorted() }

    private func path(_ name: String) -> URL { URL(filePath: folder + "/" + name) }

    @Test("a plan is found again, with what is known of it and its document")
    mutating func kept() throws {
        defer { clean() }
        // A file has no nanoseconds: they are no part of the reply either.
        let time: Int64 = 1_764_386_450_533_704_999
        let plan = try store.add(SamplePlan.document(), id: "hall", name: nil, imported: time)
        #expect(store.plans() == [plan] && abs(plan.imported - time) < 1000)
        #expect(plan.name == "Hall" && plan.levels == 2 && plan.features == 3 && plan.vertices == 7)
        #expect(plan.extent == PlanBox(south: 47, north: 47.0001, west: 8, east: 8.001))
        var later = reopened()
        #expect(later.plans() == [plan])
        let (found, document) = try later.document("hall")
        #expect(found == plan)
        // The document is a plan again, the same.
        let again = try later.add(document, id: "copy", name: nil, imported: 7)
        #expect(again.vertices == plan.vertices && again.extent == plan.extent && again.levels == plan.levels)
        #expect(try later.document("copy").document == document)
        let mode = try FileManager.default.attributesOfItem(atPath: path("hall.plan").path)[.posixPermissions] as? Int
        #expect(mode == 0o600)
    }

    @Test("a plan replaces the one of its id, and a document without an id replaces itself")
    mutating func replaced() throws {
        defer { clean() }
        _ = try store.add(SamplePlan.document(), id: "hall", name: nil, imported: 1)
        let newer = try store.add(SamplePlan.document(latitude: 48), id: "hall", name: "New hall", imported: 2)
        #expect(newer.name == "New hall" && reopened().plans() == [newer])
        let first = try store.add(SamplePlan.document(), id: nil, name: nil, imported: 3)
        let second = try store.add(SamplePlan.document(), id: nil, name: nil, imported: 4)
        #expect(first.id == second.id && first.id.hasPrefix("plan-") && store.plans().count == 2)
    }

    @Test("a removed plan stays removed, and one that there is not is named")
    mutating func removed() throws {
        defer { clean() }
        _ = try store.add(SamplePlan.document(), id: "hall", name: nil, imported: 1)
        try store.remove("hall")
        #expect(store.plans().isEmpty && reopened().plans().isEmpty)
        #expect(throws: PlanStore.Failure.unknown("hall")) { try store.remove("hall") }
        #expect(throws: PlanStore.Failure.unknown("hall")) { _ = try store.document("hall") }
    }

    @Test("an id of the line of a route is refused, for a stored plan would be taken for it")
    mutating func routeID() throws {
        defer { clean() }
        let failure = #expect(throws: PlanStore.Failure.self) {
            _ = try store.add(SamplePlan.document(), id: "@route 1", name: nil, imported: 1)
        }
        guard case .document(let problem) = failure else { return #expect(Bool(false), "\(failure as Any)") }
        #expect(problem.message.contains("line of a route"))
        #expect(try store.add(SamplePlan.document(), id: "route 1", name: nil, imported: 1).id == "route 1")
    }

    @Test(
        "any id is a file of its own in the folder", arguments: ["../../x", ".", "a/b", "Ä\u{0}ö", "a.plan.new", " "])
    mutating func hostileID(id: String) throws {
        defer { clean() }
        let plan = try store.add(SamplePlan.document(), id: id, name: nil, imported: 1)
        _ = try store.add(SamplePlan.document(), id: id.lowercased() + "b", name: nil, imported: 1)
        #expect(try names().count == 2 && names().allSatisfy { $0.hasSuffix(".plan") && !$0.hasPrefix(".") })
        let folders = try FileManager.default.contentsOfDirectory(
            atPath: URL(filePath: folder).deletingLastPathComponent().path)
        #expect(folders == ["plans"])
        #expect(reopened().plans().contains(plan))
        try store.remove(id)
        #expect(try names().count == 1)
    }

    @Test("a document that is no plan, or exceeds a limit, is refused by name and changes nothing")
    mutating func refused() throws {
        defer { clean() }
        let plan = try store.add(SamplePlan.document(), id: "hall", name: nil, imported: 1)
        let line = Array(repeating: "[8,47]", count: StoredPlan.maximumVertexCount + 1).joined(separator: ",")
        let many = """
            {"type":"FeatureCollection","features":[{"type":"Feature","properties":{"kind":"wall","level":"0"},
             "geometry":{"type":"LineString","coordinates":[\(line)]}}]}
            """
        let cases: [([UInt8], String, String?)] = [
            (Array(many.utf8), "hall", nil), (Array("{}".utf8), "hall", nil), ([], "hall", nil),
            (SamplePlan.document(), "", nil), (SamplePlan.document(), String(repeating: "x", count: 81), nil),
        ]
        for (document, id, name) in cases {
            let failure = #expect(throws: PlanStore.Failure.self) {
                _ = try store.add(document, id: id, name: name, imported: 2)
            }
            guard case .document? = failure else {
                Issue.record("not refused as a document: \(String(describing: failure))")
                continue
            }
        }
        #expect(reopened().plans() == [plan])
    }

    @Test("no more than the maximum of plans is stored, and one of these can be replaced all the same")
    mutating func tooMany() throws {
        defer { clean() }
        store = PlanStore(folder: folder, capacity: 2)
        for id in ["first", "last"] { _ = try store.add(SamplePlan.document(), id: id, name: nil, imported: 1) }
        #expect(throws: PlanStore.Failure.tooMany(2)) {
            _ = try store.add(SamplePlan.document(), id: "more", name: nil, imported: 1)
        }
        _ = try store.add(SamplePlan.document(latitude: 48), id: "last", name: nil, imported: 2)
        #expect(reopened().plans().map(\.id) == ["first", "last"])
    }

    @Test("damage of one file is reported and moved aside, and the other plans remain", arguments: [0, 20, 300, -1])
    mutating func damaged(place: Int) throws {
        defer { clean() }
        _ = try store.add(SamplePlan.document(), id: "hall", name: nil, imported: 1)
        let other = try store.add(SamplePlan.document(latitude: 48), id: "other", name: nil, imported: 1)
        var bytes = try Data(contentsOf: path("hall.plan"))
        if place < 0 { bytes.removeLast(10) } else { bytes[place] ^= 1 }
        try bytes.write(to: path("hall.plan"))
        var later = reopened()
        #expect(throws: PlanStore.Failure.self) { _ = try later.document("hall") }
        #expect(later.plans() == [other])
        #expect(try later.document("other").plan == other)
        #expect(try names() == ["hall.plan.damaged", "other.plan"])
        #expect(reopened().plans() == [other])
    }

    @Test("a plan in the file of another, and one of a newer version, are not taken")
    mutating func foreign() throws {
        defer { clean() }
        let plan = try store.add(SamplePlan.document(), id: "hall", name: nil, imported: 1)
        let bytes = try Data(contentsOf: path("hall.plan"))
        try bytes.write(to: path("other.plan"))
        let newer = String(decoding: bytes, as: UTF8.self).replacingOccurrences(
            of: "waymark-plan 1", with: "waymark-plan 2")
        try Data(newer.utf8).write(to: path("newer.plan"))
        #expect(reopened().plans() == [plan])
        #expect(try names() == ["hall.plan", "newer.plan", "other.plan.damaged"])
    }

    @Test("what a loss of power left half written harms neither the old nor the new")
    mutating func leftBehind() throws {
        defer { clean() }
        let plan = try store.add(SamplePlan.document(), id: "hall", name: nil, imported: 1)
        try Data([1, 2]).write(to: path("hall.plan.new"))
        #expect(reopened().plans() == [plan])
        #expect(try names() == ["hall.plan"])
    }

    @Test("where nothing is stored, an import says so") func replay() {
        var store = PlanStore(folder: nil)
        store.load()
        #expect(throws: PlanStore.Failure.self) {
            _ = try store.add(SamplePlan.document(), id: "hall", name: nil, imported: 1)
        }
        #expect(store.plans().isEmpty)
        clean()
    }

    @Test("plans are ordered by their distance from a position, and found within a radius of their box")
    mutating func near() throws {
        defer { clean() }
        for (id, latitude, longitude) in [("a", 47.0, 8.0), ("b", 47.01, 8), ("c", -16.8, 179.9995)] {
            let document = SamplePlan.document(latitude: latitude, longitude: longitude)
            _ = try store.add(document, id: id, name: nil, imported: 1)
        }
        #expect(store.plans(near: SamplePlan.position(47.02, 8)).map(\.id) == ["b", "a", "c"])
        // 150 m and 250 m north of the box of a, whose northern edge is at 47.0001°.
        for (metres, ids) in [(0.0, ["a"]), (150, ["a"]), (250, [])] {
            let position = SamplePlan.position(47.0001 + metres / 111_180, 8.0005)
            #expect(store.plans(around: position, radius: 200).map(\.id) == ids)
        }
        // East and west of the box across the antimeridian.
        for (longitude, ids) in [(180.0, ["c"]), (-179.9995, ["c"]), (-179.998, ["c"]), (179.998, ["c"]), (-179, [])] {
            #expect(store.plans(around: SamplePlan.position(-16.8, longitude), radius: 200).map(\.id) == ids)
        }
    }
}
