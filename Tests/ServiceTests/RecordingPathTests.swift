import Service
import Testing

@Suite("Path of a recording asked for by name")
struct RecordingPathTests {
    private let directory = "/var/lib/waymark/recordings"

    @Test(
        "lies right in the recording directory",
        arguments: [
            ("walk", "walk.mcap"), ("walk.mcap", "walk.mcap"), ("/var/lib/waymark/recordings/a.mcap", "a.mcap"),
        ])
    func inside(name: String, file: String) throws {
        #expect(try RecordingPath(name: name, directory: directory).full == "\(directory)/\(file)")
        #expect(try RecordingPath(name: name, directory: directory + "/").full == "\(directory)/\(file)")
    }

    @Test(
        "leads nowhere else",
        arguments: [
            "", "/etc/passwd", "../x", "..", ".hidden", "a/b", "a/../../b", "/var/lib/waymark/recordings/../x",
            "/var/lib/waymark/recordings/", "with space", "line\nbreak", "a/\u{301}b",
            String(repeating: "x", count: 201),
        ])
    func outside(name: String) {
        #expect(throws: RecordingPath.Refusal.self) {
            try RecordingPath(name: name, directory: directory)
        }
    }
}
