import Foundation
import Geometry
import Linux
import Scene
import Persistence
import Testing
import SQLite

@Suite("Place repository and candidates")
struct PlaceRepositoryTests {
    /// A reactor with a repository on places in memory, as the daemon has it.
    private final class Rig {
        let reactor: Reactor
        let repository: PlaceRepository

        init(
            _ places: [Place] = [], file: PlaceFile = PlaceFile(),
            copiesInterval: Int64 = PlaceRepository.copiesInterval
        ) throws {
            reactor = try Reactor()
            repository = try PlaceRepository(reactor, file, copiesInterval: copiesInterval) {
                store throws(DatabaseError) in
                try store.replaceAll(places, of: "test")
            }
        }

        /// Does the work and waits for its outcome.
        func perform<Value: Sendable>(_ work: @escaping @Sendable (PlaceStore) throws -> Value) throws -> Value {
            var outcome: Result<Value, any Error>?
            repository.perform(work) { outcome = $0 }
            while outcome == nil { reactor.runOnce(milliseconds: 1000) }
            return try #require(outcome).get()
        }

        func settle(_ condition: () -> Bool) {
            for _ in 0..<60_000 where !condition() { reactor.runOnce(milliseconds: 1) }
        }
    }

    @Test("work is done in its order, and each outcome comes to whom it belongs")
    func order() throws {
        let rig = try Rig()
        var outcomes: [Int] = []
        for number in 0..<100 {
            rig.repository.perform { _ in
                number
            } then: {
                outcomes.append((try? $0.get()) ?? -1)
            }
        }
        rig.settle { outcomes.count == 100 }
        #expect(outcomes == Array(0..<100))
    }

    @Test("an error of the work reaches whom it belongs")
    func failure() throws {
        struct Refused: Error {}
        let rig = try Rig()
        #expect(throws: Refused.self) { try rig.perform { _ in throw Refused() } }
    }

    @Test("more work than there is room for is refused by name, and nothing of what waits is lost")
    func full() throws {
        let rig = try Rig()
        var done = 0
        var refusals: [PlaceRepository.Full] = []
        for _ in 0..<PlaceRepository.capacity + 3 {
            rig.repository.perform { _ in
            } then: { result in
                switch result {
                case .success: done += 1
                case .failure(let error): (error as? PlaceRepository.Full).map { refusals.append($0) }
                }
            }
        }
        #expect(done == 0 && refusals.isEmpty, "no completion runs before the call returns")
        rig.settle { done + refusals.count == PlaceRepository.capacity + 3 }
        #expect(done == PlaceRepository.capacity)
        #expect(refusals.map(\.maximum) == Array(repeating: PlaceRepository.capacity, count: 3))
    }

    @Test("a store that cannot be opened is a named error, again and again, and the repository goes on")
    func unopenable() throws {
        let rig = try Rig(file: PlaceFile(directory: "/proc/nowhere", name: "places.sqlite"))
        for _ in 0..<2 {
            let error = #expect(throws: DatabaseError.self) { try rig.perform { try $0.count() } }
            #expect(error?.description.contains("state.directory must be writable by the daemon") == true)
        }
    }

    @Test("behaviour 44: a damaged copy that is deleted is soon listed no more")
    func copies() throws {
        try Sample.inFolder { folder in
            let path = folder + "/places.sqlite"
            try Data("A shopping list.".utf8).write(to: URL(fileURLWithPath: path))
            let file = PlaceFile(directory: folder, name: "places.sqlite")
            let rig = try Rig(file: file, copiesInterval: 1_000_000)
            rig.settle { !file.damagedCopies.isEmpty }
            #expect(file.damagedCopies.map(\.path) == [path + ".damaged-1"])
            try FileManager.default.removeItem(atPath: path + ".damaged-1")
            rig.settle { file.damagedCopies.isEmpty }
            #expect(file.damagedCopies.isEmpty)
        }
    }

    @Test("behaviour 30: places around are held ready and asked for anew only by movement, filter or change")
    func candidates() throws {
        let places = try (0..<5).map { number in
            try Sample.place("p\(number)", 47 + Double(number) * 1e-3, 8, kind: number == 0 ? "cafe" : "stop")
        }
        let rig = try Rig(places)
        _ = try rig.perform { try $0.count() }
        var time: Int64 = 0
        let candidates = PlaceCandidates(rig.repository, settings: SceneSettings.Places(), clock: { time })
        func look(_ latitude: Double) throws {
            let position = try Sample.position(latitude, 8)
            time += 1_000_000_000
            candidates.update(around: position)
            _ = try rig.perform { try $0.count() }
        }
        try look(47)
        // 0, 111, 222, 333 and 444 m away, of 500 m and what belongs to it.
        #expect(candidates.places.map(\.id) == ["p0", "p1", "p2", "p3", "p4"])
        #expect(candidates.revision == 1)
        try look(47.00005)
        #expect(candidates.revision == 1, "five metres are no reason to ask")
        try look(46.998)
        #expect(candidates.places.map(\.id) == ["p0", "p1", "p2", "p3"])
        candidates.filter = PlaceFilter(kinds: ["stop"], radiusMetres: 500)
        try look(46.998)
        #expect(candidates.places.map(\.id) == ["p1", "p2", "p3"])
        let closer = try Sample.place("new", 46.998, 8, kind: "stop")
        try rig.perform { try $0.insert([closer]) }
        try look(46.998)
        #expect(candidates.places.map(\.id) == ["new", "p1", "p2", "p3"])
        #expect(candidates.revision == 4)
    }
}
