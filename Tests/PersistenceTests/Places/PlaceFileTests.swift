import Foundation
import Geometry
import Scene
import Persistence
import Testing
import SQLite

@Suite("File of the place store")
struct PlaceFileTests {
    private func bytes(_ path: String) throws -> [UInt8] {
        Array(try Data(contentsOf: URL(fileURLWithPath: path)))
    }

    private func write(_ bytes: [UInt8], _ path: String) throws {
        try Data(bytes).write(to: URL(fileURLWithPath: path))
    }

    private func fill(_ folder: String) throws {
        let store = try PlaceStore(directory: folder, name: "places.sqlite")
        try store.insert((0..<2000).map { try Sample.place("p\($0)", 47, 8 + Double($0) * 1e-5, name: "Name \($0)") })
    }

    @Test("behaviour 44: damage that shows under way is looked for, and indexes are built anew from the places")
    func repaired() throws {
        try Sample.inFolder { folder in
            try fill(folder)
            let file = PlaceFile(directory: folder, name: "places.sqlite")
            do {
                let store = try PlaceStore(file)
                try store.database.run(
                    """
                    INSERT INTO place_search (place_search, rowid, name, words, beginning)
                        SELECT 'delete', number, name, words, beginning FROM place_text WHERE number % 3 = 1;
                    DELETE FROM word WHERE text < 'n';
                    """)
                #expect(try !store.flaws().isEmpty)
            }
            file.noteDamage()
            let store = try PlaceStore(file)
            #expect(try store.flaws() == [])
            #expect(try store.count() == 2000)
            let found = try store.search(#require(SearchText("name 17")), near: nil, limit: 1)
            #expect(found.map(\.place.name) == ["Name 17"])
        }
    }

    @Test(
        "behaviour 44: a file whose tables, indexes or views are not those of its version is recovered from",
        arguments: [
            "DROP VIEW place_text; CREATE VIEW place_text AS SELECT number, name, kind AS words FROM place",
            "DROP INDEX place_favorite", "DROP TABLE word",
        ])
    func schema(_ change: String) throws {
        try Sample.inFolder { folder in
            try fill(folder)
            let file = PlaceFile(directory: folder, name: "places.sqlite")
            try PlaceStore(file).database.run(change)
            let store = try PlaceStore(file)
            #expect(file.damagedCopies.map(\.report?.places) == [2000])
            #expect(try store.flaws() == [] && store.count() == 2000)
        }
    }

    @Test("queries end once they have read too many pages, and those that follow do not")
    func readLimit() throws {
        let database = try Database(path: ":memory:")
        try database.run(
            """
            CREATE TABLE text (text TEXT);
            WITH RECURSIVE row (number) AS (SELECT 1 UNION ALL SELECT number + 1 FROM row WHERE number < 200)
            INSERT INTO text SELECT printf('%03d%*s', number, 3000, '') FROM row
            """)
        func read(atMost pages: Int) throws -> (rows: Int, pages: Int?) {
            let rows = try database.prepare("SELECT text FROM text")
            var count = 0
            let read = try database.read(atMost: pages) { () throws(DatabaseError) in
                while try rows.step() { count += 1 }
            }
            return (count, read)
        }
        let (rows, pages) = try read(atMost: 1000)
        #expect(rows == 200 && (200..<400).contains(pages ?? 0))
        let (fewer, none) = try read(atMost: 50)
        #expect(none == nil && (30..<100).contains(fewer))
        #expect(try read(atMost: 50).rows == fewer)
        #expect(try database.number("SELECT count(*) FROM text WHERE text LIKE '%x%'") == 0)
    }

    @Test("a file of a newer daemon is refused by name and left as it is")
    func newer() throws {
        try Sample.inFolder { folder in
            try fill(folder)
            let path = folder + "/places.sqlite"
            // The header's user_version, big-endian, is at offset 60.
            var changed = try bytes(path)
            changed[63] = 99
            try write(changed, path)
            let error = #expect(throws: DatabaseError.self) {
                try PlaceStore(directory: folder, name: "places.sqlite")
            }
            #expect(error?.description.contains("written by a newer waymarkd") == true)
            #expect(try bytes(path)[63] == 99)
        }
    }

    @Test("only the daemon's user reads what the wearer likes")
    func mode() throws {
        try Sample.inFolder { folder in
            try fill(folder)
            let attributes = try FileManager.default.attributesOfItem(atPath: folder + "/places.sqlite")
            #expect(attributes[.posixPermissions] as? Int == 0o600)
        }
    }

    @Test("behaviour 44: filters and anchors are kept under their names")
    func kept() throws {
        try Sample.inFolder { folder in
            let filter = PlaceFilter(kinds: ["cafe", "bar"], radiusMetres: 300, favoritesOnly: true)
            do {
                let store = try PlaceStore(directory: folder, name: "places.sqlite")
                #expect(try store.filterInUse() == nil)
                #expect(try store.use(filter, savingAs: "evening"))
                #expect(try store.use(PlaceFilter(radiusMetres: 800)))
                try store.keep(.init(id: "a", document: "{\"x\":1}"))
                try store.keep(.init(id: "a", document: "{\"x\":2}"))
                try store.keep(.init(id: "b", document: "\u{0}"))
            }
            let store = try PlaceStore(directory: folder, name: "places.sqlite")
            #expect(try store.filterInUse() == PlaceFilter(radiusMetres: 800))
            #expect(try store.filter(named: "evening") == filter)
            #expect(try store.savedFilters().map(\.name) == ["evening"])
            #expect(try store.removeFilter(named: "evening"))
            #expect(try !store.removeFilter(named: "evening"))
            #expect(try store.anchors().map(\.document) == ["{\"x\":2}", "\u{0}"])
            #expect(try store.removeAnchor("a"))
            #expect(try !store.removeAnchor("a"))
        }
    }

    @Test("the maximum number of filters is saved and not one more; one of them can still be changed")
    func full() throws {
        let store = try PlaceStore()
        for number in 0..<PlaceStore.maximumFilterCount {
            #expect(try store.use(PlaceFilter(radiusMetres: 300), savingAs: "f\(number)"))
        }
        #expect(try !store.use(PlaceFilter(radiusMetres: 400), savingAs: "one more"))
        #expect(try store.filterInUse() == PlaceFilter(radiusMetres: 300), "nothing of it is done")
        #expect(try store.use(PlaceFilter(radiusMetres: 400), savingAs: "f0"))
    }
}
