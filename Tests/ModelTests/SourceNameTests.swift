import Model
import Testing

@Suite("The name of a source")
struct SourceNameTests {
    @Test("keeps its text", arguments: ["a", "camera", "uwb-1_2.3", "abcdefghijklmnop"])
    func text(name: String) throws {
        #expect(try #require(SourceName(name)).text == name)
        #expect(SourceName(name) == SourceName(name[...]))
    }

    @Test(
        "is no text that is empty, too long, begins with something else than a letter or has other characters",
        arguments: [
            "", "abcdefghijklmnopq", "1a", "-a", "_a", ".a", "A", "aB", "a b", "a/b", "a\0", "\0", "é", "aé", "a\n",
            "ａ",
            String(repeating: "a", count: 100_000),
        ])
    func refused(text: String) { #expect(SourceName(text) == nil) }

    @Test("names without a source in a recording are themselves names")
    func usual() {
        for name in [SourceName.camera, .aid, .wearer] { #expect(SourceName(name.text) == name) }
        #expect(
            SourceName.camera.text == "camera" && SourceName.aid.text == "aid" && SourceName.wearer.text == "wearer")
    }
}
