import JSON
import Testing
import WaymarkInterface

@Suite("Words of an interface") struct WordTests {
    private typealias Reason = PoseInterface.Reason

    private static func written(_ value: some JSONWritable) -> String {
        var json = JSONWriter()
        value.write(into: &json)
        return String(decoding: json.bytes, as: UTF8.self)
    }

    private static func node(_ text: String) throws -> JSONNode { try JSONReader.read(Array(text.utf8)) }

    @Test("a set is written in the order of the declaration, and has the bits of it") func order() {
        let set: WordSet<Reason> = [.clockStepped, .noGNSSData, .noInertialData]
        #expect(Self.written(set) == #"["noInertialData","noGNSSData","clockStepped"]"#)
        #expect(set.bits == 1 << 0 | 1 << 2 | 1 << 15 && WordSet<Reason>(bits: set.bits) == set)
        #expect(set.contains(.noGNSSData) && !set.contains(.poorGNSS) && !set.isEmpty)
        #expect(Array(set.known) == [.noInertialData, .noGNSSData, .clockStepped])
        #expect(Self.written(WordSet<Reason>()) == "[]" && WordSet<Reason>().isEmpty)
    }

    @Test("bits without a word are ignored") func foreignBits() {
        #expect(WordSet<Reason>(bits: 1 << 17 | 1 << 63).isEmpty)
        #expect(Self.written(WordSet<Reason>(bits: .max)).split(separator: ",").count == Reason.allCases.count)
    }

    @Test("words of later versions are kept, behind the known ones") func unknown() throws {
        let set = try WordSet<Reason>(try Self.node(#"["later","clockStepped","newest","noGNSSData"]"#))
        #expect(set.unknown == ["later", "newest"] && set.words == ["noGNSSData", "clockStepped", "later", "newest"])
        #expect(Self.written(set) == #"["noGNSSData","clockStepped","later","newest"]"#)
        #expect(!set.isEmpty && set != [.noGNSSData, .clockStepped])
    }

    @Test("a single word of a later version is kept") func openWord() throws {
        let later = try OpenWord<SceneInterface.EventKind>(try Self.node(#""la\"ter""#))
        #expect(later == .unknown("la\"ter") && later.known == nil && Self.written(later) == #""la\"ter""#)
        let known = try OpenWord<SceneInterface.EventKind>(try Self.node(#""arrived""#))
        #expect(known == .known(.arrived) && known == SceneInterface.EventKind.arrived && "\(known)" == "arrived")
        #expect(known != SceneInterface.EventKind.onRoute && Self.written(known) == #""arrived""#)
        #expect(OpenWord<SceneInterface.EventKind>(word: "arrived") == known)
        #expect(OpenWord<SceneInterface.EventKind>(word: "Arrived") == .unknown("Arrived"))
    }

    @Test(
        "an enumeration to which nothing is added refuses other words", arguments: ["\"tracke\"", "\"trackedd\"", "1"])
    func closed(text: String) throws {
        let node = try Self.node(text)
        #expect(throws: DocumentProblem.self) { _ = try PoseInterface.Quality(node) }
        #expect(throws: DocumentProblem.self) {
            _ = try PoseInterface.Tracking(Self.node(#"{"orientation":\#(text)}"#))
        }
    }

    @Test("a set of anything but words is refused", arguments: ["{}", "[1]", "\"noGNSSData\"", "[[]]"])
    func noSet(text: String) throws {
        let node = try Self.node(text)
        #expect(throws: DocumentProblem.self) { _ = try WordSet<Reason>(node) }
    }
}

@Suite("Times in UTC") struct UTCTimeTests {
    @Test(
        "what is written can be read again, to the microsecond",
        arguments: [0, 1_782_000_000_123_456_000, -1_000, 951_782_400_000_000_000, -9_000_000_000_000_000_000]
            as [Int64])
    func roundTrip(nanoseconds: Int64) {
        #expect(UTCTime(UTCTime(nanoseconds: nanoseconds).description)?.nanoseconds == nanoseconds)
    }

    @Test("a fraction may have any number of digits up to nine") func fractions() {
        #expect(UTCTime("1970-01-01T00:00:01Z")?.nanoseconds == 1_000_000_000)
        #expect(UTCTime("1970-01-01T00:00:01.5Z")?.nanoseconds == 1_500_000_000)
        #expect(UTCTime("1970-01-01T00:00:01.000000001Z")?.nanoseconds == 1_000_000_001)
    }

    @Test(
        "anything else is no time",
        arguments: [
            "", "1970-01-01", "1970-01-01T00:00:01", "1970-02-29T00:00:00Z", "1970-13-01T00:00:00Z",
            "1970-00-01T00:00:00Z", "1970-01-01T24:00:00Z", "1970-01-01T00:60:00Z", "1970-01-01T00:00:60Z",
            "1970-01-01T00:00:01.Z", "1970-01-01T00:00:01.1234567890Z", "1970-01-01T00:00:01.5",
            "1970-01-01 00:00:01Z", "+970-01-01T00:00:01Z", "9999-01-01T00:00:00Z", "1970-01-01T00:00:01.-5Z",
        ])
    func refused(text: String) { #expect(UTCTime(text) == nil) }
}

@Suite("Moments of a clock") struct TimeTests {
    @Test("nanoseconds count forward from the second, also before boot") func negative() {
        #expect(PoseInterface.Time(nanoseconds: -1_250_000) == PoseInterface.Time(sec: -1, nsec: 998_750_000))
        #expect(PoseInterface.Time(nanoseconds: 12_345_678_901) == PoseInterface.Time(sec: 12, nsec: 345_678_901))
    }

    @Test("what is no time of a clock has no nanoseconds") func nanoseconds() {
        #expect(PoseInterface.Time(sec: 12, nsec: 345_678_901).nanoseconds == 12_345_678_901)
        for (sec, nsec) in [(-1, 0), (0, -1), (0, 1_000_000_000), (Int.max, 0), (9_223_372_036, 999_999_999)] {
            #expect(PoseInterface.Time(sec: sec, nsec: nsec).nanoseconds == nil)
        }
    }

    @Test("it is shown as seconds with three decimals") func description() {
        #expect("\(PoseInterface.Time(sec: 5, nsec: 4_999_999))" == "5.004 s")
    }
}
