import Testing
import Messages

@Suite("Accepted languages")
struct AcceptedLanguagesTests {
    @Test(
        "the range of the largest weight with a catalogue is taken, shortened from its end",
        arguments: [
            ("de", Language.german), ("de-CH", .german), ("DE-ch-1996", .german),
            ("de-CH, de;q=0.9, en;q=0.5", .german),
            ("en;q=0.5,fr", .french), ("uk-UA;q=0.8 , ru;q=0.801", .russian), ("it, nl, es", .spanish),
            ("zh-Hant-x-private, en", .english), ("de-x-klingon", .german), ("fr;q=1.000, de;q=1", .french),
            (",, uk ,", .ukrainian), ("fr ; q=0.5, ru;Q=0.6", .russian),
        ])
    func lookup(list: String, language: Language) throws {
        let accepted = try #require(AcceptedLanguages(list))
        #expect(accepted.language(otherwise: .english) == language)
    }

    @Test(
        "without a language that there is a catalogue for, it is the standard one",
        arguments: ["", "it", "deutsch", "*", "it, *;q=0.1, de;q=0", "de;q=0", "de;q=0.000", " , "])
    func standard(list: String) throws {
        let accepted = try #require(AcceptedLanguages(list))
        #expect(accepted.language(otherwise: .spanish) == .spanish)
    }

    @Test("a language with weight 0 is not taken, whatever else lists it")
    func refused() {
        #expect(AcceptedLanguages("de-CH, de;q=0, fr;q=0.1")?.language(otherwise: .english) == .french)
        #expect(AcceptedLanguages("*, de;q=0, fr;q=0.1")?.language(otherwise: .german) == .french)
    }

    @Test(
        "what is malformed is refused",
        arguments: [
            "de_DE", "de;", "de;q", "de;q=", "de;q=2", "de;q=1.001", "de;q=0.1234", "de;q=.5", "de;q=-1", "de;q=0.5;x",
            "de;level=1", "de-", "-de", "de--CH", "deutschland", "d3", "*-CH", "de en", "dé", "д", "de\0", "de\n",
            "q=0.5;de",
            "de;q=0,5x", String(repeating: "it-x-aaaaaaaa,", count: 14) + "   de", String(repeating: " ", count: 201),
        ])
    func malformed(list: String) {
        #expect(AcceptedLanguages(list) == nil)
    }

    @Test(
        "the language of a locale",
        arguments: [
            ("de_AT.UTF-8", Language.german), ("uk_UA", .ukrainian), ("fr", .french), ("ru_RU.KOI8-R@x", .russian),
            ("C", .spanish), ("C.UTF-8", .spanish), ("POSIX", .spanish), ("", .spanish), ("it_IT.UTF-8", .spanish),
            ("///", .spanish),
        ])
    func locales(locale: String, language: Language) {
        #expect(AcceptedLanguages(locale: locale).language(otherwise: .spanish) == language)
    }

    @Test("a list may be as long as the limit")
    func longest() {
        let list = String(repeating: "it-x-aaaaaaaa,", count: 14) + "  de"
        #expect(list.utf8.count == AcceptedLanguages.maximumLength)
        #expect(AcceptedLanguages(list)?.language(otherwise: .english) == .german)
    }

    @Test("of a list the first ranges count, up to the limit; empty elements are none")
    func ranges() {
        let list = String(repeating: "it,,", count: AcceptedLanguages.maximumRangeCount - 1) + "de"
        #expect(AcceptedLanguages(list)?.language(otherwise: .english) == .german)
        #expect(AcceptedLanguages("it," + list)?.language(otherwise: .english) == .english)
        #expect(AcceptedLanguages("it," + list + ",_") == nil)
    }
}
