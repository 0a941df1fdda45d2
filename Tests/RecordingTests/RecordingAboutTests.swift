import Model
import Recording
import TestTools
import Testing

@Suite("What a recording says of itself")
struct RecordingAboutTests {
    private let folder = TemporaryFolder()

    @Test("a reader finds version, host, sensors and UTC of the file's beginning")
    func comesBack() throws {
        var about = RecordingAbout(host: "board", utcOffset: 1_790_000_000_000_000_000)
        (about.sensors.gyroscope, about.sensors.receiver) = ("bmi160", "/dev/ttyS0")
        let pressure = PressureSample(time: BootTime(nanoseconds: 5), pressureHectopascal: 1000)
        _ = try RecordingImport.run(ListReader([.pressure(pressure)]), to: folder.file("a.mcap"), about: about)
        let reader = try RecordingReader(path: folder.file("a.mcap"))
        _ = try reader.next()
        let found = try #require(reader.about)
        #expect(found.host == "board" && found.utcOffset == about.utcOffset && found.sensors == about.sensors)
        #expect(found.version == about.version && found.origin == "Waymark \(about.version) on board")
    }

    /// A metadata record by the format's definition: a name, then a map of texts with its size before it.
    private func record(_ name: String, _ values: [(String, String)], size: Int? = nil) -> [UInt8] {
        func length(_ count: Int) -> [UInt8] { (0..<4).map { UInt8(truncatingIfNeeded: count >> (8 * $0)) } }
        func text(_ text: String) -> [UInt8] { length(text.utf8.count) + Array(text.utf8) }
        let map = values.flatMap { text($0) + text($1) }
        return text(name) + length(size ?? map.count) + map
    }

    private func read(_ bytes: [UInt8]) -> RecordingAbout? { bytes.withUnsafeBytes { RecordingAbout(metadata: $0) } }

    @Test("texts are without control characters and of limited length")
    func printable() throws {
        let host = "a\u{1B}[2Jb" + String(repeating: "x", count: 5000)
        let about = try #require(read(record("waymark", [("version", "9\n"), ("host", host)])))
        #expect(about.origin.hasPrefix("Waymark 9. on a.[2Jbxxx") && about.origin.count < 250)
    }

    @Test("records of other programs, and those that are not as they should be, say nothing")
    func hostile() {
        let whole = record("waymark", [("version", "1"), ("utc_minus_boot_nanoseconds", "99999999999999999999")])
        #expect(read(whole)?.utcOffset == nil && read(whole)?.version == "1")
        for count in 0..<whole.count { #expect(read(Array(whole.prefix(count))) == nil, "\(count) bytes") }
        #expect(read(record("waymark", [("version", "1")], size: 0xFFFF_FFFF)) == nil)
        #expect(read(record("waymark", [("host", "board")])) == nil)
        #expect(read(record("other", [("version", "1")])) == nil)
    }
}
