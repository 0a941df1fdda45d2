import Foundation
import Linux
import Persistence
import SQLite
import Scene
import Testing

@Suite(
    "Place stores on a disk that is read-only",
    .enabled(if: ReadOnlyFolder.isPossible, "root needs the right to mount"))
struct PlaceReadOnlyTests {
    private static let name = "places.sqlite"

    private func fill(_ folder: String) throws {
        let store = try PlaceStore(directory: folder, name: Self.name)
        try store.insert((0..<200).map { try Sample.place("p\($0)", 47, 8 + Double($0) * 1e-5, name: "Name \($0)") })
        #expect(try store.use(PlaceFilter(kinds: ["cafe"], radiusMetres: 300), savingAs: "evening"))
        try store.keep(.init(id: "a", document: "{}"))
    }

    private func files(_ folder: String) throws -> [String: Data] {
        var found: [String: Data] = [:]
        for name in try FileManager.default.contentsOfDirectory(atPath: folder) {
            found[name] = try Data(contentsOf: URL(fileURLWithPath: folder + "/" + name))
        }
        return found
    }

    @Test(
        "behaviour 44: places, filters and anchors are read, and every change is refused with what to do", .serialized,
        arguments: ["state", "100% what? #1"])
    func read(part: String) throws {
        try Sample.inFolder { parent in
            let folder = parent + "/" + part
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
            try fill(folder)
            let before = try files(folder)
            try ReadOnlyFolder.during(folder) {
                let file = PlaceFile(directory: folder, name: Self.name)
                let store = try PlaceStore(file)
                #expect(store.isReadOnly && !file.mustBeReopened)
                #expect(try store.count() == 200)
                #expect(try store.around(Sample.position(47, 8), radius: 0.5, limit: 5).map(\.id) == ["p0"])
                let found = try store.search(#require(SearchText("name 17")), near: nil, limit: 1)
                #expect(found.map(\.place.id) == ["p17"])
                #expect(try store.filter(named: "evening")?.kinds == ["cafe"])
                #expect(try store.anchors().map(\.id) == ["a"])
                #expect(try PlaceStore(file, isFirst: false).places(after: 0, limit: 500).places.count == 200)
                let place = try Sample.place("new", 47, 8)
                let changes: [() throws -> Void] = [
                    { try store.insert([place]) }, { _ = try store.setFavorite("p1", true) },
                    { _ = try store.use(PlaceFilter(radiusMetres: 300)) }, { _ = try store.removeAnchor("a") },
                    { _ = try PlaceStore(file, isFirst: false).beginVisit(of: "map") },
                ]
                for change in changes {
                    let error = #expect(throws: DatabaseError.self) { try change() }
                    let text = error?.description ?? ""
                    #expect(text.contains("the disk is read-only") || text.contains("cannot be written"))
                    #expect(text.contains("state.directory must be writable by the daemon"))
                }
            }
            #expect(try files(folder) == before)
            // The next start with a disk that can be written.
            let store = try PlaceStore(directory: folder, name: Self.name)
            #expect(try store.setFavorite("p1", true))
        }
    }

    @Test("what a loss of power has left in the log is read with the file", arguments: [true, false])
    func log(hasIndex: Bool) throws {
        try Sample.inFolder { folder in
            try fill(folder)
            let store = try PlaceStore(directory: folder, name: Self.name)
            try store.insert([Sample.place("logged", 47, 8)])
            let left = try files(folder)
            try Sample.inFolder { other in
                for (name, data) in left where hasIndex || !name.hasSuffix("-shm") {
                    try data.write(to: URL(fileURLWithPath: other + "/" + name))
                }
                try ReadOnlyFolder.during(other) {
                    let store = try PlaceStore(directory: other, name: Self.name)
                    #expect(store.isReadOnly)
                    // Without the index of the log, SQLite would have to write one: what is in the file is read.
                    #expect(try store.count() == (hasIndex ? 201 : 200))
                }
                #expect(try PlaceStore(directory: other, name: Self.name).count() == 201)
            }
        }
    }

    @Test("a damaged row is left out, and costs no other")
    func damaged() throws {
        try Sample.inFolder { folder in
            try fill(folder)
            try PlaceStore(directory: folder, name: Self.name).database.run(
                "UPDATE place SET name = 'wrong' WHERE id = 'p7'")
            try ReadOnlyFolder.during(folder) {
                let file = PlaceFile(directory: folder, name: Self.name)
                let store = try PlaceStore(file)
                #expect(try store.places(after: 0, limit: 500).places.count == 199)
                #expect(try store.place(id: "p7") == nil)
                #expect(!file.mustBeReopened, "it would be found again and again")
            }
            let file = PlaceFile(directory: folder, name: Self.name)
            #expect(try PlaceStore(file).count() == 199)
            #expect(file.damagedCopies.map(\.report?.damagedRows) == [1])
        }
    }

    @Test("a file of an earlier version, which has to be changed first, is refused by name", arguments: [1, 2, 3])
    func earlier(version: Int) throws {
        try Sample.inFolder { folder in
            try fill(folder)
            try Sample.revert(folder + "/" + Self.name, to: version)
            let error = try ReadOnlyFolder.during(folder) {
                #expect(throws: DatabaseError.self) { try PlaceStore(directory: folder, name: Self.name) }
            }
            #expect(error?.description.contains("written by an earlier waymarkd (schema version \(version))") == true)
            #expect(try PlaceStore(directory: folder, name: Self.name).count() == 200)
        }
    }

    @Test("a repository changes the store again as soon as the disk permits it", .timeLimit(.minutes(1)))
    func again() throws {
        try Sample.inFolder { folder in
            try fill(folder)
            let reactor = try Reactor()
            let file = PlaceFile(directory: folder, name: Self.name)
            let place = try Sample.place("prepared", 47, 8)
            func count(_ repository: PlaceRepository) throws -> Int {
                var outcome: Result<Int, any Error>?
                repository.perform {
                    try $0.count()
                } then: {
                    outcome = $0
                }
                while outcome == nil { reactor.runOnce(milliseconds: 1000) }
                return try #require(outcome).get()
            }
            let repository = try ReadOnlyFolder.during(folder) {
                let repository = try PlaceRepository(reactor, file) { store throws(DatabaseError) in
                    try store.insert([place])
                }
                #expect(try count(repository) == 200, "nothing is prepared in it")
                return repository
            }
            #expect(try count(repository) == 201)
        }
    }
}
