import Foundation
import Linux
import Persistence
import SQLite
import Scene
import Testing

@Suite("Checksums of places, filters and anchors")
struct PlaceChecksumTests {
    private static let name = "places.sqlite"
    private static let filter = PlaceFilter(kinds: ["cafe"], radiusMetres: 300)
    private static let anchor = PlaceStore.StoredAnchor(id: "a", document: #"{"x":1}"#)

    private static func places() throws -> [Place] {
        try (0..<300).map { number in
            try Sample.place(
                "node/\(number)", 47, 8 + Double(number) * 1e-4, name: "Harbour\(number % 7) cafe \(number)",
                tags: ["addr:street": "Harbour Street", "addr:housenumber": "\(number)"], isFavorite: number % 10 == 0)
        }
    }

    private func fill(_ folder: String) throws {
        let store = try PlaceStore(directory: folder, name: Self.name)
        try store.insert(Self.places())
        #expect(try store.use(Self.filter, savingAs: "evening"))
        try store.keep(Self.anchor)
    }

    /// Everything that a store serves is as it was stored.
    private func expectTruth(_ store: PlaceStore, _ places: [String: Place]) throws {
        var served = try store.places(after: 0, limit: 1000).places
        for number in stride(from: 0, to: 300, by: 10) {
            let center = try Sample.position(47, 8 + Double(number) * 1e-4)
            let near = try store.around(center, radius: 30, limit: 20)
            for place in near { #expect((place.position.longitudeDegrees - center.longitudeDegrees).magnitude < 5e-4) }
            served += near
            served += try store.place(id: "node/\(number)").map { [$0] } ?? []
        }
        for word in 0..<7 {
            let text = try #require(SearchText("harbour\(word)"))
            served += try store.search(text, near: nil, limit: 100).map(\.place)
        }
        for place in served { #expect(places[place.id] == place) }
        #expect(try store.filterInUse().map { $0 == Self.filter } != false)
        #expect(try store.savedFilters().allSatisfy { $0.name == "evening" && $0.filter == Self.filter })
        #expect(try store.anchors().allSatisfy { $0 == Self.anchor })
    }

    @Test("behaviour 44: one flipped bit anywhere makes no wrong place, filter or anchor, and is recovered from once")
    func flips() throws {
        try Sample.inFolder { folder in
            try fill(folder)
            let path = folder + "/" + Self.name
            let sound = try Data(contentsOf: URL(fileURLWithPath: path))
            let places = Dictionary(uniqueKeysWithValues: try Self.places().map { ($0.id, $0) })
            var random = RandomBits()
            for _ in 0..<60 {
                let bit = random.next(below: sound.count * 8)
                for name in try FileManager.default.contentsOfDirectory(atPath: folder) {
                    try FileManager.default.removeItem(atPath: folder + "/" + name)
                }
                var broken = sound
                broken[bit / 8] ^= 1 << UInt8(bit % 8)
                try broken.write(to: URL(fileURLWithPath: path))
                for isLast in [false, false, true] {
                    let file = PlaceFile(directory: folder, name: Self.name)
                    let store = try PlaceStore(file)
                    do {
                        try expectTruth(store, places)
                        // A bit of one row, or of one of few pages that lead to it.
                        #expect(try store.count() >= 250)
                    } catch let error as DatabaseError where error.meansDamage && !isLast {
                        // Of an index, which the repository has rebuilt.
                        file.noteDamage()
                        _ = try PlaceStore(file)
                    }
                    #expect(file.damagedCopies.count <= 1)
                }
            }
        }
    }

    /// Runs `damage` on a store in use, and opens it again as its repository does.
    private func damage(
        _ sql: String, find: (PlaceStore) throws -> Void
    ) throws -> (places: Int, copies: [DamagedCopy], flaws: [String]) {
        try Sample.inFolder { folder in
            try fill(folder)
            let file = PlaceFile(directory: folder, name: Self.name)
            do {
                let store = try PlaceStore(file)
                try store.database.run(sql)
                #expect(!file.mustBeReopened)
                try find(store)
            }
            #expect(file.mustBeReopened)
            let store = try PlaceStore(file)
            #expect(!file.mustBeReopened)
            return (try store.count(), file.damagedCopies, try store.flaws())
        }
    }

    @Test("a damaged row is not served, cannot become a favourite, and is lost alone when the store is opened again")
    func row() throws {
        let (places, copies, flaws) = try damage("UPDATE place SET latitude = 48 WHERE id = 'node/7'") { store throws in
            #expect(try store.place(id: "node/7") == nil)
            #expect(try store.places(after: 0, limit: 1000).places.count == 299)
            #expect(try !store.setFavorite("node/7", true))
        }
        #expect(places == 299 && flaws == [])
        let report = try #require(copies.first?.report)
        #expect(copies.count == 1 && report.damagedRows == 1 && !report.isComplete)
        #expect(report.problem == "1 rows have a wrong checksum")
        #expect(report.description.contains("1 rows with a wrong checksum are lost: import them again"))
    }

    @Test(
        "damaged filters and anchors are not served",
        arguments: ["filter SET radius = 400", "anchor SET document = '{}'"])
    func saved(change: String) throws {
        let (places, copies, flaws) = try damage("UPDATE " + change) { store throws in
            let isFilter = change.hasPrefix("filter")
            #expect(try store.filterInUse() == (isFilter ? nil : Self.filter))
            #expect(try store.savedFilters().count == (isFilter ? 0 : 1))
            #expect(try store.anchors() == (isFilter ? [Self.anchor] : []))
        }
        #expect(places == 300 && copies.count == 1 && flaws == [])
    }

    @Test("a place that an index puts elsewhere is not found there, and the indexes are built anew")
    func index() throws {
        // The row moves while the schema says that no row is in the index.
        let elsewhere = """
            PRAGMA writable_schema = ON;
            UPDATE sqlite_schema SET sql = sql || ' WHERE 0' WHERE name = 'place_position';
            PRAGMA writable_schema = RESET;
            UPDATE place SET latitude = 47.1, checksum = row_checksum(
                id, name, kind, 47.1, longitude, height_kind, height, tags, favorite, source, visit) WHERE number = 8;
            PRAGMA writable_schema = ON;
            UPDATE sqlite_schema SET sql = replace(sql, ' WHERE 0', '') WHERE name = 'place_position';
            PRAGMA writable_schema = RESET;
            """
        let (places, copies, flaws) = try damage(elsewhere) { store throws in
            #expect(try store.around(Sample.position(47, 8.0007), radius: 3, limit: 5).isEmpty)
        }
        #expect(places == 300 && copies.isEmpty && flaws == [])
    }

    @Test("a place that is imported again replaces its damaged row, of which nothing is kept")
    func replaced() throws {
        try Sample.inFolder { folder in
            try fill(folder)
            let store = try PlaceStore(directory: folder, name: Self.name)
            try store.database.run("UPDATE place SET favorite = 1 WHERE id = 'node/7'")
            try store.insert(Self.places())
            #expect(try store.flaws() == [])
            #expect(try store.place(id: "node/7")?.isFavorite == false)
            #expect(try store.place(id: "node/10")?.isFavorite == true)
            #expect(try store.setFavorite("node/10", false))
            #expect(try store.flaws() == [])
        }
    }

    @Test("a number that SQLite stores otherwise than it was given has the checksum of what is read")
    func zero() throws {
        let store = try PlaceStore()
        try store.insert([Sample.place("z", -0.0, -0.0, height: .groundRelative(-0.0))])
        #expect(try store.place(id: "z") != nil)
        #expect(try store.flaws() == [])
    }

    @Test("an export that meets damaged places ends with an error that counts them, and the next one has the others")
    func export() throws {
        try Sample.inFolder { folder in
            try fill(folder)
            let file = PlaceFile(directory: folder, name: Self.name)
            let path = folder + "/export"
            func export() -> PlaceExport.Outcome {
                let descriptor = OwnedDescriptor(open(path, O_WRONLY | O_CREAT | O_TRUNC, 0o600))
                var document = DocumentFile(descriptor, stop: StopFlag(), clock: CallClock())
                return PlaceExport.run(from: file, to: &document, form: .lines) { _ in }
            }
            let store = try PlaceStore(file)
            try store.database.run("UPDATE place SET kind = 'bar' WHERE id = 'node/7'")
            guard case .failure(.store(let error)) = export() else {
                Issue.record("no error")
                return
            }
            #expect(error.message == "1 places are damaged; export the others, which are recovered")
            _ = try PlaceStore(file)
            #expect(try export().get() == 299)
        }
    }

    @Test(
        "behaviour 44: a file of the version before checksums gets them, and a damaged one is recovered without",
        arguments: [0, 100, 4096])
    func earlier(damaged: Int) throws {
        try Sample.inFolder { folder in
            try fill(folder)
            let path = folder + "/" + Self.name
            try Sample.revert(path)
            var bytes = try Data(contentsOf: URL(fileURLWithPath: path))
            for index in 0..<damaged { bytes[index] = 0xA5 }
            try bytes.write(to: URL(fileURLWithPath: path))
            let file = PlaceFile(directory: folder, name: Self.name)
            let store = try PlaceStore(file)
            #expect(try store.count() == 300)
            #expect(try store.flaws() == [])
            #expect(try store.filter(named: "evening") == Self.filter)
            #expect(try store.anchors() == [Self.anchor])
            #expect(try store.place(id: "node/10")?.isFavorite == true)
            #expect(file.damagedCopies.map(\.report?.isComplete) == (damaged == 0 ? [] : [true]))
        }
    }

    @Test(
        "behaviour 44: of a file of an earlier version places are found by kind and position, and a damaged one is recovered",
        arguments: [2, 3], [0, 100, 4096])
    func earlierSearch(version: Int, damaged: Int) throws {
        try Sample.inFolder { folder in
            try fill(folder)
            let path = folder + "/" + Self.name
            try Sample.revert(path, to: version)
            var bytes = try Data(contentsOf: URL(fileURLWithPath: path))
            for index in 0..<damaged { bytes[index] = 0xA5 }
            try bytes.write(to: URL(fileURLWithPath: path))
            let store = try PlaceStore(PlaceFile(directory: folder, name: Self.name))
            #expect(try store.flaws() == [])
            let place = try #require(try store.place(id: "node/10"))
            #expect(try store.search(#require(SearchText(place.kind)), near: nil, limit: 5).count == 5)
            #expect(try store.around(place.position, radius: 1, limit: 5).contains(place))
        }
    }
}

/// The same bits in every run: SplitMix64.
private struct RandomBits {
    private var state: UInt64 = 1

    mutating func next(below limit: Int) -> Int {
        state &+= 0x9E37_79B9_7F4A_7C15
        var bits = state
        bits = (bits ^ (bits >> 30)) &* 0xBF58_476D_1CE4_E5B9
        bits = (bits ^ (bits >> 27)) &* 0x94D0_49BB_1331_11EB
        return Int((bits ^ (bits >> 31)) % UInt64(limit))
    }
}
