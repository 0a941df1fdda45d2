import Linux
import Persistence
import PlanMatching
import Testing

@Suite("The plans around the wearer")
struct NearbyPlansTests {
    private final class Counter {
        var changes = 0
    }

    /// A reactor with plans, as the daemon has it.
    private final class Rig {
        let folder: String
        let reactor: Reactor
        let repository: PlanRepository
        let nearby: Nearby<PlanStore, PlanLibrary>
        private let counter = Counter()
        var changes: Int { counter.changes }

        init() throws {
            folder = try SamplePlan.folder()
            reactor = try Reactor()
            repository = try PlanRepository(reactor, folder: folder)
            nearby = Nearby(repository) { [counter] _ in counter.changes += 1 }
        }

        deinit { SamplePlan.clean(folder) }

        func change(_ work: @escaping @Sendable (inout PlanStore) throws(PlanStore.Failure) -> Void) throws {
            var outcome: Result<Void, PlanStore.Failure>?
            repository.perform(work) { outcome = $0 }
            while outcome == nil { reactor.runOnce(milliseconds: 1000) }
            try outcome?.get()
        }

        /// Ids of the plans at hand after an update, once all work that it causes is done.
        func ids(_ latitude: Double, _ longitude: Double) throws -> [String] {
            nearby.update(around: SamplePlan.position(latitude, longitude))
            var isDone = false
            repository.perform { _ in
            } then: { _ in
                isDone = true
            }
            while !isDone { reactor.runOnce(milliseconds: 1000) }
            return plans.map(\.id)
        }

        var plans: [FloorPlan] {
            nearby.content.plans.map(\.plan)
        }
    }

    @Test("those within 200 m are at hand, after a move, an import, a replacement and a removal")
    func followed() throws {
        let rig = try Rig()
        #expect(try rig.ids(47, 8) == [] && rig.changes == 0)
        try rig.change { store throws(PlanStore.Failure) in
            _ = try store.add(SamplePlan.document(), id: "a", name: nil, imported: 1)
            _ = try store.add(SamplePlan.document(latitude: 47.001), id: "b", name: nil, imported: 1)
            _ = try store.add(SamplePlan.document(latitude: 48), id: "far", name: nil, imported: 1)
        }
        #expect(try rig.ids(47, 8) == ["a", "b"] && rig.changes == 1)
        #expect(rig.plans.first?.levels.map(\.name) == ["0", "1"])
        // Nothing is looked for again where the wearer has hardly moved.
        #expect(try rig.ids(47.00001, 8) == ["a", "b"] && rig.changes == 1)
        #expect(try rig.ids(48, 8) == ["far"] && rig.changes == 2)
        #expect(try rig.ids(47, 8) == ["a", "b"])
        try rig.change { store throws(PlanStore.Failure) in
            _ = try store.add(SamplePlan.document(), id: "b", name: "B again", imported: 2)
        }
        #expect(try rig.ids(47, 8) == ["a", "b"] && rig.plans.last?.name == "B again")
        try rig.change { store throws(PlanStore.Failure) in try store.remove("a") }
        #expect(try rig.ids(47, 8) == ["b"])
    }

    @Test("are not looked for again after an import or a removal that was refused")
    func refused() throws {
        let rig = try Rig()
        try rig.change { store throws(PlanStore.Failure) in
            _ = try store.add(SamplePlan.document(), id: "a", name: nil, imported: 1)
        }
        #expect(try rig.ids(47, 8) == ["a"])
        let revision = rig.repository.revision
        #expect(throws: PlanStore.Failure.self) {
            try rig.change { store throws(PlanStore.Failure) in
                _ = try store.add(Array("{}".utf8), id: "b", name: nil, imported: 2)
            }
        }
        #expect(throws: PlanStore.Failure.unknown("c")) {
            try rig.change { store throws(PlanStore.Failure) in try store.remove("c") }
        }
        #expect(try rig.ids(47, 8) == ["a"] && rig.repository.revision == revision)
        try rig.change { store throws(PlanStore.Failure) in try store.remove("a") }
        #expect(try rig.ids(47, 8) == [] && rig.repository.revision > revision)
    }
}
