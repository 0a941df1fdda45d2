import Configuration
import Foundation
import Testing

@Suite("The reference file")
struct ReferenceTests {
    private static let file = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .appending(path: "config/waymark.toml")

    /// With WAYMARK_RECORD=1 it is written anew, and the run fails so that it is not taken for a check.
    @Test("config/waymark.toml is what the settings say")
    func committed() throws {
        if ProcessInfo.processInfo.environment["WAYMARK_RECORD"] == "1" {
            try Data(Configuration.reference.utf8).write(to: Self.file)
            Issue.record(
                "config/waymark.toml was written anew: look at the difference, then run again without recording")
        }
        #expect(try String(contentsOf: Self.file, encoding: .utf8) == Configuration.reference)
    }

    @Test("with every line uncommented it says exactly the defaults")
    func uncommented() throws {
        let lines = Configuration.reference.split(separator: "\n", omittingEmptySubsequences: false)
        // A setting's comment mark has no blank after it, a sentence's has one.
        let settings = lines.filter { $0.hasPrefix("#") && !$0.hasPrefix("# ") && $0.contains("=") }
        #expect(settings.count == Setting.all.count)
        let text = lines.map { settings.contains($0) ? $0.dropFirst() : $0 }.joined(separator: "\n")
        #expect(try Configuration.parse(Array(text.utf8), file: "reference") == Configuration())
    }

    @Test("as it is, it changes nothing")
    func commented() throws {
        #expect(try Configuration.parse(Array(Configuration.reference.utf8), file: "reference") == Configuration())
    }

    @Test("every setting is there once, with a meaning, and its default is within its own range")
    func schema() throws {
        #expect(Set(Setting.all.map(\.path)).count == Setting.all.count)
        #expect(Setting.all.count > 50)
        for setting in Setting.all {
            #expect(setting.meaning.hasSuffix("."), "\(setting.path)")
            let text = "[\(setting.section.rawValue)]\n\(setting.key) = \(setting.written(Configuration()))\n"
            #expect(try Configuration.parse(Array(text.utf8), file: setting.path) == Configuration())
        }
    }

    @Test("no line is longer than a terminal is wide")
    func width() {
        #expect(Configuration.reference.split(separator: "\n").allSatisfy { $0.count <= 120 })
    }
}
