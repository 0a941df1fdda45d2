import Commands
import Testing
import Messages

@Suite("Texts of notifications")
struct NotificationTextTests {
    @Test("signs of markup are escaped also where a mark combines with them")
    func escapes() {
        let text = NotificationText(summary: "", body: "a<\u{301}b&\u{301}")
        #expect(text.body(hasMarkup: true) == "a&lt;\u{301}b&amp;\u{301}")
        #expect(text.body(hasMarkup: false) == "a<\u{301}b&\u{301}")
    }

    @Test("a place that is reached has its distance in the language of the session")
    func place() {
        func body(_ metres: Double, _ language: Language) -> String {
            NotificationText.place(name: "Mill", distance: metres, kind: "cafe", in: language).body(hasMarkup: false)
        }
        #expect(body(12.4, .english) == "cafe, 12 m" && body(12.4, .russian) == "cafe, 12 м")
        #expect(body(1990, .german) == "cafe, 2,0 km" && body(9990, .english) == "cafe, 10 km")
        #expect(body(12_900, .french) == "cafe, 13 km" && body(999.4, .german) == "cafe, 999 m")
        #expect(body(1200, .german) == "cafe, 1,2 km" && body(1e300, .english) == "cafe, 100000 km")
    }
}
