import Geometry
import Scene
import Persistence
import Testing

@Suite("Search for places by name")
struct PlaceSearchTests {
    private func store(_ names: [String], isFavorite: (String) -> Bool = { _ in false }) throws -> PlaceStore {
        let store = try PlaceStore()
        let places = try names.enumerated().map { index, name in
            try Sample.place("p\(index)", 47, 8 + Double(index) * 1e-4, name: name, isFavorite: isFavorite(name))
        }
        try store.insert(places)
        return store
    }

    private func names(
        _ store: PlaceStore, _ text: String, near position: GeodeticPosition? = nil, limit: Int = 10
    ) throws -> [String] {
        let words = try #require(SearchText(text))
        return try store.search(words, near: position, limit: limit).map(\.place.name)
    }

    @Test("behaviour 44: the last word is completed, accents and case make no difference")
    func completion() throws {
        let store = try store(["Café Zürich", "Zürcher Kantonalbank", "Bäckerei Bern", "Zug"])
        #expect(try names(store, "zur") == ["Café Zürich", "Zürcher Kantonalbank"].sorted { $0.count > $1.count })
        #expect(try names(store, "CAFE zu").first == "Café Zürich", "the kind of the others is cafe")
        #expect(try names(store, "bäck") == ["Bäckerei Bern"])
        #expect(try names(store, "baeck").isEmpty)
        #expect(try names(store, "ca zurich").first == "Café Zürich", "any word may be begun")
    }

    @Test("behaviour 44: favourites come first among about equals, and are kept when the place is imported again")
    func favourites() throws {
        let store = try store(["Rose One", "Rose Two", "Rose Three"])
        #expect(try store.setFavorite("p2", true))
        #expect(try names(store, "rose").first == "Rose Three")
        try store.insert([Sample.place("p2", 47.1, 8, name: "Rose Four")])
        let found = try store.search(#require(SearchText("rose four")), near: nil, limit: 1)
        #expect(found.map(\.place.isFavorite) == [true])
        #expect(try store.setFavorite("p2", false))
        #expect(try !store.setFavorite("nowhere", true))
    }

    @Test("behaviour 44: a place whose id is the text comes before all that have it in their name")
    func byID() throws {
        let store = try store(["Rose p1", "Tulip", "p1 Rose"])
        #expect(try names(store, "p1").first == "Tulip")
        #expect(try names(store, "p1", limit: 1) == ["Tulip"])
        #expect(Set(try names(store, "p1")).count == 3)
        #expect(try names(store, "p9").isEmpty)
    }

    @Test("what is near comes before what fits a little better far away, and distances are reported")
    func distance() throws {
        let store = try PlaceStore()
        try store.insert([
            Sample.place("far", 48, 8, name: "Rose"), Sample.place("near", 47.001, 8, name: "Hotel Rosengarten"),
        ])
        let position = try Sample.position(47, 8)
        #expect(try names(store, "rose", near: position) == ["Hotel Rosengarten", "Rose"])
        #expect(try names(store, "rose") == ["Rose", "Hotel Rosengarten"], "without a position the better fit")
        let found = try store.search(#require(SearchText("rose")), near: position, limit: 1)
        #expect(abs((found[0].line?.distance ?? 0) - 111.2) < 0.2, "a thousandth of a degree of latitude")
        #expect(found[0].line?.bearing == 0)
    }

    @Test("a name that changes is found by the new one only, and a place that goes by none")
    func change() throws {
        let store = try store(["Alt"])
        try store.insert([Sample.place("p0", 47, 8, name: "Neu")])
        #expect(try names(store, "alt").isEmpty)
        #expect(try names(store, "neu") == ["Neu"])
        try store.replaceAll([Sample.place("a", 47, 8, name: "Eins")], of: "s")
        try store.replaceAll([Sample.place("b", 47, 8, name: "Zwei")], of: "s")
        #expect(try names(store, "eins").isEmpty)
    }

    @Test(
        "hostile text is data: no operator, no error",
        arguments: [
            "\"", "\"\"\"", "rose\"", "'", "a OR b", "NEAR(a b)", "name:rose", "rose*", "^rose", "-rose", "{", "(", ")",
            "rose AND", "NOT", "rose\u{0}x", "\u{0}", "", " ", "...", "%_\\", "+ + +", "☕️", "\u{301}", "a\u{301}*\"",
            "ﷺ", "\u{202E}rose", "; DROP TABLE place;", "*", "\" OR name MATCH \"x", "rose + \"",
        ])
    func hostile(_ text: String) throws {
        let store = try store(["Rose", "Lilie"])
        #expect(try names(store, text).allSatisfy { $0 == "Rose" })
        #expect(try store.count() == 2)
    }

    @Test("signs around a name do not hide it", arguments: ["rose\"", "rose*", "^rose", "-rose", "\u{202E}rose"])
    func signs(_ text: String) throws {
        #expect(try names(store(["Rose", "Lilie"]), text) == ["Rose"])
    }

    @Test("any bytes at all are a text to search for or one that is too long")
    func fuzz() throws {
        let store = try store(["Rose", "Lilie", "\" quoted \""])
        var random = SystemRandomNumberGenerator()
        let alphabet = Array("ab\"*^+-(){}: \u{0}\u{1}äé☕\u{301}'NEARORANDT.").map(String.init)
        for _ in 0..<2000 {
            let text = (0..<Int.random(in: 0...40, using: &random)).map { _ in alphabet.randomElement() ?? "" }.joined()
            let words = try #require(SearchText(text))
            #expect(throws: Never.self, "\(text.debugDescription)") { try store.search(words, near: nil, limit: 5) }
        }
        #expect(SearchText(String(repeating: "x", count: 10_000)) == nil)
        #expect(SearchText(String(repeating: "x ", count: SearchText.maximumLength / 2)) != nil)
    }

    @Test(
        "behaviour 44: the places read for a search are not more among ten times as many",
        arguments: ["bench", "bemch", "b", "1", "bench 1", "mill"])
    func work(_ text: String) throws {
        let here = try Sample.position(47, 8)
        let works = try [3000, 30_000].map { count in
            let store = try PlaceStore()
            try store.insert(
                (0..<count).map { number in
                    let name = number % 5 == 0 ? "Mill \(number)" : "Old bench \(number)"
                    return try Sample.place(
                        "\(number)", 47 + Double(number / 200) * 2e-4, 8 + Double(number % 200) * 2e-4, name: name)
                })
            #expect(try names(store, text, near: here).count == 10)
            return [store.statements.inBox, store.statements.searched, store.statements.positions].reduce(0) {
                $0 + $1.workCount
            }
        }
        #expect(works[0] > 0 && works[1] < 3 * works[0], "\(works)")
    }

    @Test("behaviour 44: of many matches those whose names begin with the words are found wherever they are")
    func beginnings() throws {
        let names = (0..<2000).map { "At the Mill Pond \($0)" } + ["Mill", "Mill Pond House", "Mill Pond", "Millpond"]
        let store = try store(names)
        let here = try Sample.position(47, 7.9)
        #expect(try self.names(store, "mill pond", near: here, limit: 1) == ["Mill Pond"])
        #expect(try self.names(store, "mill", near: here, limit: 1) == ["Mill"])
        #expect(try self.names(store, "mill pond house", near: here) == ["Mill Pond House"])
    }

    @Test("behaviour 44: a word that begins very many others is found whole wherever it is, beside the other words")
    func leftOut() throws {
        let here = try Sample.position(47, 8)
        let store = try PlaceStore()
        // Words that begin with b are too many for a list of their places, and more places have the other word than are
        // ranked.
        try store.insert(
            (0..<2500).map { number in
                let name = (0..<32).map { "b\(number)x\($0)" }.joined(separator: " ")
                return try Sample.place("b\(number)", 47 + Double(number) * 1e-5, 8, name: name)
            })
        try store.insert(
            (0..<1000).map {
                try Sample.place("h\($0)", 47 + Double($0) * 1e-5, 8, name: "Harbour \($0)")
            })
        try store.insert([Sample.place("far", -40, 170, name: "Old harbour b")])
        for text in ["harbour b", "b harbour", "harbuor b", "old harb b"] {
            #expect(try names(store, text, near: here) == ["Old harbour b"], "\(text)")
            #expect(try names(store, text) == ["Old harbour b"], "\(text)")
        }
        #expect(try names(store, "b", near: here).count == 10)
        #expect(try names(store, "b").count == 10)
    }

    @Test("behaviour 44: many matches with a typo nearby do not hide one without, although a word begins very many")
    func better() throws {
        let store = try PlaceStore()
        try store.insert(
            (0..<2500).map { number in
                let name = (0..<32).map { "b\(number)x\($0)" }.joined(separator: " ")
                // 10 cm apart.
                return try Sample.place("b\(number)", 47 + Double(number) * 1e-6, 8, name: "Harbuor \(name)")
            })
        try store.insert([Sample.place("far", 47.0045, 8, name: "Old harbour b")])
        let here = try Sample.position(47, 8)
        #expect(try names(store, "harbour b", near: here).first == "Old harbour b")
    }

    @Test("behaviour 44: a common word of another town is found, although not all its places are listed")
    func distant() throws {
        let store = try PlaceStore()
        try store.insert(
            (0..<31_000).map { try Sample.place("m\($0)", 50, 8 + Double($0) * 1e-5, name: "Old mill") })
        try store.insert((0..<900).map { try Sample.place("i\($0)", 47, 8 + Double($0) * 1e-5, name: "Inn") })
        let here = try Sample.position(47, 8)
        #expect(try names(store, "mill", near: here) == Array(repeating: "Old mill", count: 10))
        #expect(try names(store, "mill inn", near: here).isEmpty)
    }

    @Test("behaviour 44: as many places are found as without limits, whatever the limits", arguments: 0..<40)
    func limits(seed: UInt64) throws {
        var random = RandomSource(seed: seed)
        func whole(_ range: ClosedRange<Int>) -> Int {
            range.lowerBound + Int(random.uniform() * Double(range.count))
        }
        // More words begin with m than are listed.
        let letters = Array("abcdefg").map(String.init)
        let words = ["harbour", "harb", "old", "inn"] + letters.flatMap { first in letters.map { "m\(first)l\($0)" } }
        let store = try PlaceStore()
        try store.insert(
            (0..<300).map { number in
                let name = (0..<whole(1...3)).map { _ in words[random.uniform() < 0.5 ? whole(0...3) : whole(4...52)] }
                    .joined(separator: " ")
                return try Sample.place(
                    "\(number)", 47 + random.uniform(), 8 + random.uniform(), name: name, isFavorite: number % 50 == 0)
            })
        var limits = SearchLimits()
        limits.matchCount = whole(10...200)
        limits.rankedCount = whole(10...40)
        limits.measuredCount = whole(10...80)
        limits.scatteredCount = limits.measuredCount + whole(0...80)
        limits.certainCount = 10
        limits.reach = Double(whole(1000...100_000))
        limits.visitCount = whole(1...200)
        limits.anywhereCount = whole(0...10)
        limits.pageCount = whole(0...10)
        limits.prefixPageCount = (each: whole(0...5), all: whole(0...5))
        limits.lookupPageCount = whole(0...10)
        let here = try Sample.position(47.5, 8.5)
        for text in ["harbour", "h", "m", "harbuor", "old m", "m h", "mala old", "ma mb inn", "ol mlaa m", "zoo"] {
            let text = try #require(SearchText(text))
            let all = try store.search(text, near: here, limit: 10)
            let found = try store.search(text, near: here, limit: 10, limits: limits)
            #expect(found.count == all.count, "\(text) \(limits)")
            let numbers = found.map(\.place.id)
            #expect(Set(numbers).count == numbers.count)
        }
    }

    @Test("quotes and operators in a name are found as what they are")
    func literal() throws {
        let store = try store(["The \"Best\" OR Not"])
        #expect(try names(store, "\"best\" or no") == ["The \"Best\" OR Not"])
    }
}
