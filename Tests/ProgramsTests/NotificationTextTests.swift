import Programs
import Testing

@Suite("Texts of notifications")
struct NotificationTextTests {
    @Test("signs of markup are escaped also where a mark combines with them")
    func escapes() {
        let text = NotificationText(summary: "", body: "a<\u{301}b&\u{301}")
        #expect(text.body(hasMarkup: true) == "a&lt;\u{301}b&amp;\u{301}")
        #expect(text.body(hasMarkup: false) == "a<\u{301}b&\u{301}")
    }
}
