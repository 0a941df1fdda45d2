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

    @Test("quotes and operators in a name are found as what they are")
    func literal() throws {
        let store = try store(["The \"Best\" OR Not"])
        #expect(try names(store, "\"best\" or no") == ["The \"Best\" OR Not"])
    }
}
