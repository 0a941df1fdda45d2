import Foundation
import Persistence
import Scene
import Testing

@Suite("Damaged place stores")
struct PlaceDamageTests {
    private static let name = "places.sqlite"
    private static let page = 4096
    private static let count = 2000

    private func bytes(_ path: String) throws -> [UInt8] {
        Array(try Data(contentsOf: URL(fileURLWithPath: path)))
    }

    private func write(_ bytes: [UInt8], _ path: String) throws {
        try Data(bytes).write(to: URL(fileURLWithPath: path))
    }

    /// A store with places, one of ten a favourite, a saved filter and an anchor.
    private func fill(_ folder: String, prefix: String = "p") throws {
        let store = try PlaceStore(directory: folder, name: Self.name)
        let visit = try store.beginVisit(of: "map")
        let places = try (0..<Self.count).map {
            try Sample.place(
                "\(prefix)\($0)", 47, 8 + Double($0) * 1e-5, name: "Name \($0)", tags: ["number": "\($0)"],
                isFavorite: $0 % 10 == 0)
        }
        _ = try store.insert(places, visit, room: .max)
        try store.finish(visit)
        #expect(try store.use(PlaceFilter(kinds: ["cafe"], radiusMetres: 300), savingAs: "evening"))
        try store.keep(.init(id: "a", document: "{\"x\":1}"))
    }

    /// Damages the closed file of a folder.
    private func damage(_ folder: String, _ change: (inout [UInt8]) -> Void) throws -> [UInt8] {
        let path = folder + "/" + Self.name
        var broken = try bytes(path)
        change(&broken)
        try write(broken, path)
        return broken
    }

    private func copy(_ folder: String, _ number: Int) -> String { "\(folder)/\(Self.name).damaged-\(number)" }

    /// Opens the store again; everything in it is sound, and its places are those that were there before.
    private func reopen(_ folder: String) throws -> (store: PlaceStore, copies: [DamagedCopy], places: Int) {
        let file = PlaceFile(directory: folder, name: Self.name)
        let store = try PlaceStore(file)
        #expect(try store.flaws() == [])
        let places = try store.places(after: 0, limit: 100_000).places
        for place in places where place.id.hasPrefix("p") {
            let number = Int(place.id.dropFirst()) ?? -1
            #expect(place.name == "Name \(number)" && place.tags == ["number": "\(number)"])
            #expect(place.isFavorite == (number % 10 == 0))
        }
        return (store, file.damagedCopies, places.count)
    }

    @Test(
        "behaviour 44: pages overwritten anywhere cost the rows on them and no others, and the file is kept as it was",
        arguments: [5, 20, 40, 60], [1, 3])
    func pages(first: Int, number: Int) throws {
        try Sample.inFolder { folder in
            try fill(folder)
            let broken = try damage(folder) { bytes in
                for page in stride(from: first, to: first + 2 * number, by: 2) {
                    for index in page * Self.page..<(page + 1) * Self.page { bytes[index] = 0xA5 }
                }
            }
            let (_, copies, places) = try reopen(folder)
            // A page holds some 50 places, and indexes are made anew.
            #expect(places >= Self.count - 100 * number)
            guard let copy = copies.first else {
                // Damage that no check can find: text within a row, or a page without rows.
                return #expect(places > 0)
            }
            #expect(try bytes(copy.path) == broken)
            let report = try #require(copy.report)
            #expect(report.places == places && (places == Self.count || !report.isComplete))
        }
    }

    @Test("behaviour 44: a header of garbage costs nothing", arguments: [16, 100, 4096])
    func header(length: Int) throws {
        try Sample.inFolder { folder in
            try fill(folder)
            let broken = try damage(folder) { bytes in for index in 0..<length { bytes[index] = 0x5A } }
            let (store, copies, places) = try reopen(folder)
            #expect(places == Self.count)
            #expect(try store.filter(named: "evening") == PlaceFilter(kinds: ["cafe"], radiusMetres: 300))
            #expect(try store.anchors() == [.init(id: "a", document: "{\"x\":1}")])
            #expect(try store.isComplete(source: "map") == true)
            let report = try #require(copies.first?.report)
            #expect(copies.count == 1 && report.isComplete)
            #expect(report.favorites == Self.count / 10 && report.filters == 2 && report.anchors == 1)
            #expect(try bytes(copy(folder, 1)) == broken)
        }
    }

    @Test("behaviour 44: of a file that is cut the rows before the cut are found", arguments: [0.3, 0.6, 0.9])
    func cut(share: Double) throws {
        try Sample.inFolder { folder in
            try fill(folder)
            _ = try damage(folder) { $0.removeLast(Int(Double($0.count) * (1 - share))) }
            let (_, copies, places) = try reopen(folder)
            #expect(places > Int(Double(Self.count) * share * 0.3))
            #expect(copies.count == 1 && copies[0].report?.places == places)
        }
    }

    @Test(
        "behaviour 44: a file that was never a database, or is empty, is set aside",
        arguments: ["", "A shopping list."])
    func foreign(text: String) throws {
        try Sample.inFolder { folder in
            try write(Array(text.utf8), folder + "/" + Self.name)
            let (store, copies, places) = try reopen(folder)
            #expect(places == 0)
            #expect(copies.map(\.path) == [copy(folder, 1)])
            #expect(try bytes(copy(folder, 1)) == Array(text.utf8))
            try store.insert([Sample.place("new", 47, 8)])
            #expect(try store.count() == 1)
        }
    }

    @Test("behaviour 44: a second damage loses nothing that the first one left")
    func twice() throws {
        try Sample.inFolder { folder in
            try fill(folder)
            let first = try damage(folder) { bytes in for index in 0..<100 { bytes[index] = 0xA5 } }
            do {
                let (store, _, places) = try reopen(folder)
                #expect(places == Self.count)
                try store.insert([Sample.place("later", 47, 8)])
            }
            let second = try damage(folder) { bytes in for index in 0..<100 { bytes[index] = 0x5A } }
            let (_, copies, places) = try reopen(folder)
            #expect(places == Self.count + 1)
            #expect(copies.map(\.path) == [copy(folder, 1), copy(folder, 2)])
            #expect(try bytes(copies[0].path) == first && bytes(copies[1].path) == second)
            // An undamaged start changes nothing and still knows of them.
            #expect(try reopen(folder).copies == copies)
        }
    }

    @Test("behaviour 44: copies are bounded, the oldest stays, and those whose rows were all recovered go first")
    func bounded() throws {
        try Sample.inFolder { folder in
            try fill(folder)
            for round in 0..<8 {
                _ = try damage(folder) { bytes in
                    // The third is beyond recovery.
                    for index in 0..<(round == 2 ? bytes.count : 100) { bytes[index] = 0xA5 }
                }
                _ = try PlaceStore(directory: folder, name: Self.name)
            }
            let copies = try reopen(folder).copies
            #expect(copies.map(\.path).map { $0.split(separator: "-").last } == ["1", "2", "3", "4", "8"])
            #expect(copies[2].report?.isComplete == false)
        }
    }

    @Test("behaviour 44: what is only in the log of a damaged file is recovered from there")
    func log() throws {
        try Sample.inFolder { folder in
            try fill(folder)
            let path = folder + "/" + Self.name
            // A crash: files as they are while the store is open, its last change only in the log.
            let left: (file: [UInt8], log: [UInt8])
            do {
                let store = try PlaceStore(directory: folder, name: Self.name)
                try store.insert([Sample.place("logged", 47, 8)])
                left = (try bytes(path), try bytes(path + "-wal"))
            }
            #expect(!left.log.isEmpty)
            var broken = left.file
            for index in 60 * Self.page..<61 * Self.page { broken[index] = 0xA5 }
            try write(broken, path)
            try write(left.log, path + "-wal")
            let (store, copies, places) = try reopen(folder)
            #expect(places > Self.count - 100)
            #expect(try store.places(after: 0, limit: 10_000).places.contains { $0.id == "logged" })
            #expect(copies.count <= 1)
        }
    }

    @Test("behaviour 44: a log without its file is kept, and applied to no other file")
    func orphanedLog() throws {
        try Sample.inFolder { folder in
            try fill(folder)
            let path = folder + "/" + Self.name
            let log: [UInt8]
            do {
                let store = try PlaceStore(directory: folder, name: Self.name)
                try store.insert([Sample.place("logged", 47, 8)])
                log = try bytes(path + "-wal")
            }
            try FileManager.default.removeItem(atPath: path)
            try write(log, path + "-wal")
            let (_, copies, _) = try reopen(folder)
            #expect(copies.count == 1)
            #expect(try bytes(copy(folder, 1) + "-wal") == log)
        }
    }

    @Test("a list of the copies asks no disk: it changes where they are looked for")
    func list() throws {
        try Sample.inFolder { folder in
            try write(Array("A shopping list.".utf8), folder + "/" + Self.name)
            let file = PlaceFile(directory: folder, name: Self.name)
            _ = try PlaceStore(file)
            try FileManager.default.removeItem(atPath: copy(folder, 1))
            #expect(file.damagedCopies.map(\.path) == [copy(folder, 1)])
            file.forgetDeletedCopies()
            #expect(file.damagedCopies.isEmpty)
        }
    }

    @Test("damage found while the store is in use is recovered from when it is opened again")
    func underWay() throws {
        try Sample.inFolder { folder in
            try fill(folder)
            _ = try damage(folder) { bytes in for index in 20 * Self.page..<21 * Self.page { bytes[index] = 0xA5 } }
            let file = PlaceFile(directory: folder, name: Self.name)
            file.noteDamage()
            let store = try PlaceStore(file)
            #expect(try store.count() > Self.count - 200)
            #expect(file.damagedCopies.count == 1)
        }
    }
}
