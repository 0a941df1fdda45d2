import Foundation
import Geometry
import JSON
import Linux
import Scene
import Persistence
import Testing

@Suite("Import of places")
struct PlaceImportTests {
    private func items(_ places: [Place]) -> [PlaceImport.Item] { places.map { .place($0) } }

    private func run(
        _ items: [PlaceImport.Item], into store: PlaceStore, source: String = "city", replace: Bool = false,
        progress: (PlaceImport.Counts) -> Bool = { _ in true }
    ) throws -> PlaceImport.Counts {
        var work = try PlaceImport(into: store, source: source, replace: replace)
        var rest = items[...]
        return try work.run(next: { rest.popFirst() ?? .end }, progress: progress)
    }

    private func places(_ numbers: Range<Int>) throws -> [Place] {
        try numbers.map { try Sample.place("p\($0)", 47 + Double($0) * 1e-6, 8, name: "Place \($0)") }
    }

    /// Whether all that finds a place agrees with the table.
    private func expectWhole(_ store: PlaceStore) throws { #expect(try store.flaws() == []) }

    @Test("behaviour 44: places are taken in batches, and counted as new or known")
    func counts() throws {
        let store = try PlaceStore()
        var reported: [Int] = []
        let counts = try run(items(places(0..<9000)), into: store) {
            reported.append($0.taken)
            return true
        }
        #expect(counts.taken == 9000 && counts.added == 9000 && counts.flawed == 0)
        #expect(reported == [PlaceImport.batchSize, 2 * PlaceImport.batchSize])
        let again = try run(items(places(8999..<9001)), into: store)
        #expect(again.taken == 2 && again.added == 1)
        #expect(try store.count() == 9001)
        try expectWhole(store)
    }

    @Test("what is cut short leaves whole batches, and done again gives all")
    func cutShort() throws {
        let store = try PlaceStore()
        #expect(throws: PlaceImport.Failure.cancelled) {
            try run(items(places(0..<9000)), into: store, replace: true) { _ in false }
        }
        #expect(try store.count() == PlaceImport.batchSize)
        #expect(try store.isComplete(source: "city") == false)
        try expectWhole(store)
        _ = try run(items(places(0..<9000)), into: store, replace: true)
        #expect(try store.count() == 9000)
        #expect(try store.isComplete(source: "city") == true)
        try expectWhole(store)
    }

    @Test("replace removes places that the same source no longer has, except favourites, and none of other sources")
    func replace() throws {
        let store = try PlaceStore()
        _ = try run(items(places(0..<10)), into: store)
        _ = try run(items([Sample.place("other", 47, 8)]), into: store, source: "elsewhere")
        #expect(try store.setFavorite("p3", true))
        let counts = try run(items(places(5..<12)), into: store, replace: true)
        #expect(counts.removed == 4 && counts.added == 2)
        let ids = Set(try store.places(after: 0, limit: 100).places.map(\.id))
        #expect(ids == Set((5..<12).map { "p\($0)" } + ["p3", "other"]))
        try expectWhole(store)
    }

    /// Places with a word of letters each, which no other town has.
    private func town(_ number: Int) throws -> [Place] {
        try (0..<400).map { index in
            let word = [number, index / 20, index % 20].map {
                ["ba", "ce", "di", "fo", "gu"][$0 / 4] + ["k", "p", "s", "t"][$0 % 4]
            }
            return try Sample.place("\(number)/\(index)", 47 + Double(index) * 1e-6, 8, name: word.joined())
        }
    }

    @Test("words of places that have gone do not fill the table, and all connections find what is left")
    func wordsOfRemovedPlaces() throws {
        let store = try PlaceStore()
        let other = try PlaceStore(store.file, isFirst: false)
        func words() throws -> Int64 { try store.database.number("SELECT count(*) FROM word") }
        func ids(_ text: String) throws -> [String] {
            try other.search(#require(SearchText(text)), near: nil, limit: 5).map(\.place.id)
        }
        let tower = try Sample.place("tower", 47, 8, name: "Wellenturm")
        try other.insert([tower])
        #expect(try ids("wellemturm") == ["tower"])
        try store.database.run("DELETE FROM place")
        var most: Int64 = 0
        for number in 0..<8 {
            _ = try run(items(town(number)), into: store, replace: true)
            most = max(most, try words())
            try expectWhole(store)
        }
        // Those of one town, twice as many, and those that an import adds meanwhile.
        #expect(most < 1000)
        #expect(try words() < 900)
        #expect(try ids("wellenturm") == [])
        // This connection knew the word, which the other one has removed.
        try other.insert([tower])
        try expectWhole(store)
        #expect(try ids("wellemturm") == ["tower"])
    }

    @Test("a batch is written to the search index once, and not after each place")
    func indexedOnce() throws {
        let store = try PlaceStore()
        _ = try run(items(places(0..<3000)), into: store)
        #expect(try store.database.number("SELECT count(DISTINCT segid) FROM place_search_idx") == 1)
    }

    @Test("words are kept while most of them are of places")
    func wordsOfPlaces() throws {
        let store = try PlaceStore()
        _ = try run(items(town(0)), into: store, replace: true)
        let words = try store.database.number("SELECT count(*) FROM word")
        _ = try run(items(Array(town(0).prefix(300))), into: store, replace: true)
        #expect(try store.database.number("SELECT count(*) FROM word") == words)
    }

    @Test("a transaction of more words than are kept in memory leaves all of them in the table")
    func manyWords() throws {
        let store = try PlaceStore()
        let places = try (0..<2500).map { number in
            try Sample.place("p\(number)", 47, 8, name: (0..<10).map { "w\(number)x\($0)" }.joined(separator: " "))
        }
        try store.insert(places)
        try expectWhole(store)
        #expect(try store.database.number("SELECT count(*) FROM word") > 25_000)
    }

    @Test("a document whose every row is refused takes nothing away, and is refused with the first reason")
    func replaceByNothing() throws {
        let store = try PlaceStore()
        _ = try run(items(places(0..<10)), into: store)
        let problem = DocumentProblem(path: "line 2", message: "no latitude")
        #expect(throws: PlaceImport.Failure.document(problem)) {
            try run([.flaw(problem), .flaw(problem)], into: store, replace: true)
        }
        #expect(try store.count() == 10)
        // One that is a collection, and empty, says that there are none.
        #expect(try run([], into: store, replace: true).removed == 10)
    }

    @Test("without replace nothing goes")
    func keep() throws {
        let store = try PlaceStore()
        _ = try run(items(places(0..<10)), into: store)
        #expect(try run(items(places(5..<6)), into: store).removed == 0)
        #expect(try store.count() == 10)
    }

    @Test("flaws are counted, the first few reported, and good places taken nevertheless")
    func flaws() throws {
        let store = try PlaceStore()
        let flaw = PlaceImport.Item.flaw(DocumentProblem(path: "$.features[0]", message: "no geometry"))
        let long = try Sample.place(String(repeating: "x", count: 1000), 47, 8)
        let tags = Dictionary(uniqueKeysWithValues: (0..<101).map { ("k\($0)", "v") })
        let counts = try run(
            Array(repeating: flaw, count: 7) + [.place(long)] + items(places(0..<1))
                + [.place(Sample.place("tagged", 47, 8, tags: tags))], into: store)
        #expect(counts.taken == 1 && counts.flawed == 9)
        #expect(counts.problems.count == 5 && counts.problems[0].path == "$.features[0]")
    }

    @Test("a document that begins with a thousand flaws is refused with the first of them")
    func hopeless() throws {
        let store = try PlaceStore()
        let flaw = PlaceImport.Item.flaw(DocumentProblem(path: "$", message: "no place"))
        #expect(throws: PlaceImport.Failure.document(DocumentProblem(path: "$", message: "no place"))) {
            try run(Array(repeating: flaw, count: 2000), into: store)
        }
    }

    @Test("behaviour 44: what an export writes an import reads: heights, tags, favourites")
    func roundTrip() throws {
        let store = try PlaceStore()
        let all = [
            try Sample.place("a", 47.12345678901, -179.9999, name: "Ä \"b\"\n", tags: ["k": "v", "name": "other"]),
            try Sample.place("b", -89.5, 0, height: .ellipsoidal(412.5), isFavorite: true),
            try Sample.place("c", 0, 180, height: .groundRelative(-2)),
            try Sample.place("d", 1, 1, height: .meanSeaLevel(3)),
            try Sample.place("e", 1, 1, height: .eyeRelative(1.5)),
        ]
        try store.insert(all)
        let back = try store.places(after: 0, limit: 100).places
        try #require(back.count == all.count)
        for (place, original) in zip(back, all) {
            var expected = original
            if case .ellipsoidal(let metres) = original.height { expected.position.ellipsoidalHeight = metres }
            #expect(place == expected)
        }
    }

    @Test("a favourite can be set between two batches of an import on another connection")
    func turns() throws {
        try Sample.inFolder { folder in
            let file = PlaceFile(directory: folder, name: "places.sqlite")
            let store = try PlaceStore(file)
            try store.insert([Sample.place("mine", 10, 10)])
            let other = try PlaceStore(file, isFirst: false)
            var set = 0
            _ = try run(items(places(0..<9000)), into: other) { _ in
                set += (try? store.setFavorite("mine", true)) == true ? 1 : 0
                return true
            }
            #expect(set == 2)
            #expect(try store.count() == 9001)
            try expectWhole(store)
        }
    }
}

@Suite("Imports that deliver nothing, or too little")
struct SilentImportTests {
    @Test("a descriptor that delivers nothing is given up by name, and the next import begins")
    func silent() throws {
        try Sample.inFolder { folder in
            let reactor = try Reactor()
            let file = PlaceFile(directory: folder, name: "places.sqlite")
            _ = try PlaceStore(file)
            let transfers = PlaceTransfers(reactor, file, importPatience: 0.2)
            let pipe = Pipe()
            let silent = OwnedDescriptor(dup(pipe.fileHandleForReading.fileDescriptor))
            #expect(outcome(transfers, .file(silent), reactor).contains("no progress"))
            try transfers.takeImport(of: 1, source: "x")
            #expect(throws: PlaceTransfers.Refusal.sourceInUse) { try transfers.takeImport(of: 2, source: "x") }
            #expect(throws: PlaceTransfers.Refusal.limit(.ofUser(1))) { try transfers.takeImport(of: 1, source: "y") }
            transfers.giveBackImport(of: 1, source: "x")
            let document =
                #"{"type":"Feature","geometry":{"type":"Point","coordinates":[8,47]},"properties":{"name":"x"}}"#
            #expect(outcome(transfers, .text(Array(document.utf8)), reactor) == "1")
        }
    }

    @Test("a descriptor whose bytes trickle is given up by name")
    func trickling() throws {
        try Sample.inFolder { folder in
            let reactor = try Reactor()
            let file = PlaceFile(directory: folder, name: "places.sqlite")
            _ = try PlaceStore(file)
            let transfers = PlaceTransfers(reactor, file, importPatience: 0.2)
            let pipe = Pipe()
            let writing = OwnedDescriptor(dup(pipe.fileHandleForWriting.fileDescriptor))
            // A fifth of the least rate, and never silent.
            let trickle = WorkerThread(name: "trickle") { stop in
                while !stop.wait(seconds: 0.005) { _ = write(writing.descriptor, " ", 1) }
            }
            defer { trickle.stop() }
            let reading = OwnedDescriptor(dup(pipe.fileHandleForReading.fileDescriptor))
            #expect(outcome(transfers, .file(reading), reactor).contains("timeout"))
            try transfers.takeImport(of: 1, source: "x")
        }
    }

    @Test("what the daemon takes its time with does not count against the client")
    func slowReader() throws {
        let pipe = Pipe()
        try pipe.fileHandleForWriting.write(contentsOf: Data(count: 300))
        try pipe.fileHandleForWriting.close()
        let reading = OwnedDescriptor(dup(pipe.fileHandleForReading.fileDescriptor))
        var file = DocumentFile(reading, stop: StopFlag(), clock: CallClock(), patience: 1)
        var byte = [UInt8](repeating: 0, count: 1)
        var count = 0
        while try byte.withUnsafeMutableBytes({ try file.read(into: $0) }) > 0 {
            count += 1
            // A fifth of the least rate.
            usleep(5000)
        }
        #expect(count == 300)
    }

    @Test("a window of waits needs its share of the least rate, and nothing before it is over")
    func window() {
        var window = DeliveryWindow(seconds: 10)
        window.add(seconds: 4)
        #expect(!window.isOver && window.secondsLeft == 6)
        window.add(seconds: 6)
        #expect(window.isOver && window.secondsLeft == 0)
        window.add(bytes: 9999)
        #expect(!window.isEnough)
        window.add(bytes: 1)
        #expect(window.isEnough)
    }

    /// Number of places of an import, or its failure.
    private func outcome(
        _ transfers: PlaceTransfers, _ document: PlaceTransfers.Document, _ reactor: Reactor
    ) -> String {
        var text: String?
        #expect(throws: Never.self) { try transfers.takeImport(of: 1, source: "x") }
        _ = try? transfers.startImport(of: document, source: "x", replace: false, user: 1) { _ in
        } onEnd: { outcome in
            switch outcome {
            case .success(let progress): text = "\(progress.counts.taken)"
            case .failure(let failure): text = "\(failure)"
            }
        }
        for _ in 0..<60_000 where text == nil { reactor.runOnce(milliseconds: 1) }
        return text ?? "no end"
    }
}
