import Foundation
import Geometry
import Persistence
import SQLite
import Scene
import Testing

@Suite("Search for places by kind, address and with typos")
struct PlaceWordSearchTests {
    private func store(_ places: [Place]) throws -> PlaceStore {
        let store = try PlaceStore()
        try store.insert(places)
        return store
    }

    private func ids(
        _ store: PlaceStore, _ text: String, near position: GeodeticPosition? = nil, limit: Int = 20
    ) throws -> [String] {
        try store.search(#require(SearchText(text)), near: position, limit: limit).map(\.place.id)
    }

    private static func town() throws -> [Place] {
        [
            try Sample.place(
                "krone", 47, 8, name: "Krone", kind: "restaurant",
                tags: [
                    "addr:street": "Bahnhofstrasse", "addr:housenumber": "17b", "addr:city": "Winterthur",
                    "amenity": "restaurant", "cuisine": "italian;pizza", "name:ru": "Корона", "alt_name": "Alte Post",
                ]),
            try Sample.place(
                "tower", 47, 8.001, name: "Wellenturm", kind: "castle",
                tags: ["historic": "castle", "building": "yes", "description": "Nothing about a restaurant"]),
            try Sample.place("museum", 47, 8.002, name: "Музей", kind: "museum", tags: ["tourism": "museum"]),
        ]
    }

    @Test(
        "behaviour 44: places are found by kind, category, address and other names, and with words that are begun",
        arguments: [
            ("restaurant", ["krone"]), ("restau", ["krone"]), ("historic", ["tower"]), ("castle", ["tower"]),
            ("pizza", ["krone"]), ("bahnhof", ["krone"]), ("bahnhofstr 17b wint", ["krone"]),
            ("kro winterthur", ["krone"]),
            ("wel hist", ["tower"]), ("alte po", ["krone"]), ("корона", ["krone"]), ("МУЗ", ["museum"]),
            ("tourism", ["museum"]), ("nothing", []), ("krone castle", []), ("17", ["krone"]),
        ])
    func words(_ text: String, _ expected: [String]) throws {
        #expect(try ids(store(Self.town()), text) == expected)
    }

    @Test(
        "behaviour 44: one typo in a word of four letters or more does not hide a place",
        arguments: [
            ("kronne", ["krone"]), ("kron", ["krone"]), ("korne", ["krone"]), ("krine", ["krone"]), ("rone", ["krone"]),
            ("xrone", ["krone"]), ("kornne", []), ("restuarant", ["krone"]), ("restarant", ["krone"]),
            ("resturan", ["krone"]), ("wintertur krone", ["krone"]), ("музеи", ["museum"]), ("мзуей", ["museum"]),
            ("Мизей", ["museum"]), ("узей", ["museum"]), ("муэ", []), ("16b", []), ("wellenturn", ["tower"]),
            ("welelntrum", []),
        ])
    func typos(_ text: String, _ expected: [String]) throws {
        #expect(try ids(store(Self.town()), text) == expected)
    }

    @Test("behaviour 44: the whole name comes first, then its beginning, its words, typos, kinds and addresses")
    func order() throws {
        let store = try store([
            try Sample.place("address", 47, 8, name: "One", tags: ["addr:city": "Linde"]),
            try Sample.place("kind", 47, 8, name: "Two", kind: "linde"),
            try Sample.place("typo", 47, 8, name: "Linda"),
            try Sample.place("inside", 47, 8, name: "Zur Linde"),
            try Sample.place("other", 47, 8, name: "Three", tags: ["name:de": "Zur Linde"]),
            try Sample.place("begun", 47, 8, name: "Lindenhof"),
            try Sample.place("beginning", 47, 8, name: "Linde am Tor"),
            try Sample.place("whole", 47, 8, name: "Linde"),
        ])
        let order = ["whole", "beginning", "begun", "inside", "other", "typo", "kind", "address"]
        #expect(try ids(store, "linde") == order)
        #expect(try ids(store, "linde", near: Sample.position(47, 8)) == order)
        // 32 times as far costs as much as a typo.
        #expect(try ids(store, "linde", near: Sample.position(50, 8)) == order)
    }

    @Test("behaviour 44: a favourite is found wherever it is, before others that fit alike, also among very many")
    func favorites() throws {
        var places = try (0..<3000).map {
            try Sample.place("p\($0)", 47 + Double($0) * 1e-5, 8, name: "Bench", kind: "bench")
        }
        places.append(try Sample.place("mine", -40, 170, name: "Bench", kind: "bench", isFavorite: true))
        places.append(try Sample.place("named", -41, 170, name: "Bench by the sea", kind: "bench"))
        let store = try store(places)
        let here = try Sample.position(47.02, 8)
        #expect(try ids(store, "bench", near: here, limit: 2) == ["mine", "p2000"])
        #expect(try ids(store, "benhc", near: here, limit: 2) == ["mine", "p2000"])
        #expect(try ids(store, "bench sea", near: here) == ["named"])
        #expect(try ids(store, "bench", near: here) == ids(store, "bench", near: here))
        #expect(try ids(store, "bench", limit: 1) == ["mine"])
        #expect(try ids(store, "bench", near: Sample.position(-41, 170), limit: 2).first == "mine")
    }

    @Test("what changes, goes or is imported again is found by its present words only")
    func changes() throws {
        let store = try store(Self.town())
        try store.insert([Sample.place("krone", 47, 8, name: "Krone", kind: "hotel", tags: ["addr:city": "Bern"])])
        #expect(try ids(store, "restaurant").isEmpty)
        #expect(try ids(store, "winterthur").isEmpty)
        #expect(try ids(store, "hotel bern") == ["krone"])
        #expect(try store.flaws() == [])
        try store.database.run("DELETE FROM place WHERE id = 'krone'")
        #expect(try ids(store, "hotell").isEmpty)
        #expect(try store.flaws() == [])
    }

    /// Letters of English, German, French, Spanish, Russian and Ukrainian, and of their neighbours.
    private static let letters =
        "abcdefghijklmnopqrstuvwxyzäöüßàâæçéèêëîïôœùûüÿñáíóúабвгдеёжзийклмнопрстуфхцчшщъыьэюяґєії"
        + "øłđåčěőșțġħıðþűķασς"

    @Test("behaviour 44: the choice among places that were found takes the same letters for the same as the search")
    func sameLetters() throws {
        let splitter = try WordSplitter(Database(path: ":memory:"))
        // Capital letters, and letters with marks of their own; the accent shows the stress of a Russian word.
        let names = Self.letters.map(String.init).flatMap { letter in
            [letter, letter.uppercased(), letter.decomposedStringWithCanonicalMapping, letter + "\u{301}"]
        }.map { "q\($0)q" }
        var places: [[[UInt8]]: Place] = [:]
        for name in names where places[splitter.words(name)] == nil {
            places[splitter.words(name)] = try Sample.place("\(places.count)", 47, 8, name: name)
        }
        #expect(places.count > 70)
        for name in names {
            let expected = try #require(places[splitter.words(name)])
            #expect(PlaceChoice(name, among: Array(places.values)) == .one(expected), "\(name)")
        }
    }

    @Test("every word within one typo is found, and no other, as by a table of edit distances")
    func allTypos() throws {
        let letters = Array("abcdабв").map(String.init)
        var random = RandomBits()
        func word(_ lengths: ClosedRange<Int>) -> String {
            let length = lengths.lowerBound + random.next(below: lengths.count)
            return (0..<length).map { _ in letters[random.next(below: letters.count)] }.joined()
        }
        let names = Set((0..<400).map { _ in word(3...7) }).sorted()
        let store = try store(names.map { try Sample.place($0, 47, 8, name: $0, kind: "1") })
        for text in (0..<300).map({ _ in word(2...8) }) + names.prefix(100) {
            let expected = names.filter { Self.fits(Array(text), Array($0)) }
            #expect(try Set(ids(store, text, limit: 400)) == Set(expected), "\(text)")
        }
    }

    /// By the definition: the name begins with the text, or is within one typo of it; of a text of six letters or more
    /// its beginning may be.
    private static func fits(_ text: [Character], _ name: [Character]) -> Bool {
        if name.starts(with: text) { return true }
        guard text.count >= 4 else { return false }
        let ends = text.count >= 6 ? Array(0...name.count) : [name.count]
        return ends.contains { distance(text, Array(name[..<$0])) <= 1 }
    }

    /// Number of wrong, missing, additional and swapped characters (optimal string alignment).
    private static func distance(_ a: [Character], _ b: [Character]) -> Int {
        var table = (0...a.count).map { row in (0...b.count).map { row == 0 ? $0 : $0 == 0 ? row : 0 } }
        guard !a.isEmpty, !b.isEmpty else { return max(a.count, b.count) }
        for i in 1...a.count {
            for j in 1...b.count {
                table[i][j] = min(
                    table[i - 1][j] + 1, table[i][j - 1] + 1, table[i - 1][j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1))
                if i > 1, j > 1, a[i - 1] == b[j - 2], a[i - 2] == b[j - 1] {
                    table[i][j] = min(table[i][j], table[i - 2][j - 2] + 1)
                }
            }
        }
        return table[a.count][b.count]
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
}
