import Documents
import Geometry
import TestTools
import Testing

@Suite("Encoded polylines")
struct EncodedPolylineTests {
    private static let line = [(38.5, -120.2), (40.7, -120.95), (43.252, -126.453)].map {
        GeodeticPosition(latitudeDegrees: $0.0, longitudeDegrees: $0.1, ellipsoidalHeight: 0)!
    }
    private static let five = #"_p~iF~ps|U_ulLnnqC_mqNvxq`@"#
    private static let six = #"_izlhA~rlgdF_{geC~ywl@_kwzCn`{nI"#

    private func message(_ text: String, _ precision: EncodedPolyline.Precision) -> String? {
        do {
            _ = try EncodedPolyline.decode(Array(text.utf8), precision: precision)
            return nil
        } catch {
            return error.description
        }
    }

    @Test("behaviour 29: the published line reads and writes in both precisions, latitude first")
    func checkValues() throws {
        #expect(try EncodedPolyline.decode(Array(Self.five.utf8), precision: .five) == Self.line)
        #expect(try EncodedPolyline.decode(Array(Self.six.utf8), precision: .six) == Self.line)
        #expect(String(decoding: EncodedPolyline.encode(Self.line, precision: .five), as: UTF8.self) == Self.five)
        #expect(String(decoding: EncodedPolyline.encode(Self.line, precision: .six), as: UTF8.self) == Self.six)
        #expect(try EncodedPolyline.decode([], precision: .five).isEmpty)
    }

    @Test("any line comes back to half a unit, over the antimeridian too")
    func roundTrip() throws {
        var random = SplitMix(seed: 29)
        for precision in EncodedPolyline.Precision.allCases {
            let points = (0..<1000).map { _ in
                GeodeticPosition(
                    latitudeDegrees: .random(in: -90...90, using: &random),
                    longitudeDegrees: .random(in: -180...180, using: &random), ellipsoidalHeight: 0)!
            }
            let text = EncodedPolyline.encode(points, precision: precision)
            let decoded = try EncodedPolyline.decode(text, precision: precision)
            #expect(decoded.count == points.count)
            // Half a unit, and what the degrees themselves are rounded to.
            let tolerance = (precision == .five ? 0.5e-5 : 0.5e-6) + 1e-12
            for (a, b) in zip(points, decoded) {
                #expect(abs(a.latitudeDegrees - b.latitudeDegrees) <= tolerance)
                #expect(abs(a.longitudeDegrees - b.longitudeDegrees) <= tolerance)
            }
            #expect(EncodedPolyline.encode(decoded, precision: precision) == text)
        }
    }

    @Test("behaviour 29: the wrong precision is noticed where the numbers leave the earth")
    func wrongPrecision() {
        #expect(
            message(Self.six, .five)
                == """
                character 0: point 0 would lie at latitude 385.0°, longitude -1202.0°, which is nowhere: precision 5 is \
                taken; is it 6?
                """)
        #expect(message(Self.five, .six) == nil)
    }

    @Test(
        "behaviour 29: what is broken in a text is named with its character",
        arguments: [
            ("_p~iF~ps|U_ulL", "character 14: the text ends after a latitude"),
            ("_p~iF~ps|", "character 9: the text ends inside of a number"),
            ("_p~iF ~ps|U", "character 5: a character that encoded polylines do not have, byte 32"),
            ("_p~iF>", "character 5: a character that encoded polylines do not have, '>'"),
            ("_p~iF\u{7F}", "character 5: a character that encoded polylines do not have, byte 127"),
            ("~~~~~~~~~~", "character 0: a number that is larger than any on the earth"),
        ])
    func broken(text: String, expected: String) {
        #expect(message(text, .five) == expected)
    }

    @Test("more points than are wanted are refused before they are kept")
    func bounded() {
        #expect(throws: EncodedPolyline.Problem.self) {
            try EncodedPolyline.decode(
                Array(repeating: UInt8(ascii: "?"), count: 1000), precision: .five, maximumPointCount: 499)
        }
        #expect(throws: Never.self) {
            try EncodedPolyline.decode(
                Array(repeating: UInt8(ascii: "?"), count: 1000), precision: .five, maximumPointCount: 500)
        }
    }

    @Test("random bytes are refused or read, and what is read lies on the earth")
    func noise() {
        var random = SplitMix(seed: 5)
        var (read, refused) = (0, 0)
        for _ in 0..<20_000 {
            let text = (0..<Int.random(in: 0...24, using: &random)).map { _ in
                UInt8.random(in: 0x3E...0x7F, using: &random)
            }
            do {
                let points = try EncodedPolyline.decode(text, precision: .six)
                #expect(points.allSatisfy { abs($0.latitudeDegrees) <= 90 && abs($0.longitudeDegrees) <= 540 })
                read += points.isEmpty ? 0 : 1
            } catch {
                refused += 1
            }
        }
        #expect(read > 500 && refused > 500)
    }
}
