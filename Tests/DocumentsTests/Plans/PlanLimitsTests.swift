import Documents
import JSON
import PlanMatching
import Testing

@Suite("Limits of plans")
struct PlanLimitsTests {
    private typealias Samples = PlanSamples

    /// A line with a number of vertices, within some metres.
    private func line(_ count: Int) -> String {
        "[" + (0..<count).map { "[8.5,47.\(300_000 + $0 % 2)]" }.joined(separator: ",") + "]"
    }

    private func path(_ vertices: Int, level: String = "0") -> String {
        Samples.feature(#""kind":"path","level":"\#(level)""#, "LineString", line(vertices))
    }

    @Test("a document is at most 16 MiB")
    func bytes() {
        let long = [UInt8](repeating: UInt8(ascii: " "), count: PlanDocument.maximumSize + 1)
        #expect(
            throws: DocumentProblem(path: "", message: "larger than the limit of 16 MiB for a plan")
        ) { try PlanDocument.read(long, id: "hall") }
    }

    @Test("a plan has at most 65 536 vertices, those on several levels counted on each")
    func vertices() {
        #expect(Samples.problem(Samples.collection(path(65_536))) == "none")
        #expect(
            Samples.problem(Samples.collection(path(65_537)))
                == "$.features[0].geometry.coordinates[65536]: more than 65536 vertices in the plan")
        #expect(
            Samples.problem(Samples.collection(path(32_769, level: "0;1")))
                == "$.features[0].geometry.coordinates: more than 65536 vertices in the plan")
    }

    @Test("a plan has at most 10 000 parts and 64 levels")
    func parts() {
        let door = Samples.feature(#""kind":"door""#, "Point", "[8.5,47.3]")
        let doors = [String](repeating: door, count: 10_000).joined(separator: ",")
        #expect(Samples.problem(Samples.collection(doors)) == "none")
        #expect(
            Samples.problem(Samples.collection(doors, door))
                == "$.features[10000].geometry.coordinates: more than 10000 parts of a plan")
        #expect(
            Samples.problem(Samples.collection(path(2, level: "0-63"), path(2, level: "64")))
                == "$.features[1].geometry.coordinates: more than 64 levels")
    }

    @Test("a list of millions of levels is refused")
    func levels() {
        let list = String(repeating: "1;", count: 1_000_000)
        #expect(
            Samples.problem(Samples.collection(path(2, level: list)))
                == "$.features[0].properties.level: more than 64 levels for one part")
    }

    @Test("borders that would take long to check are refused")
    func intricate() {
        // Needles from the middle to the rim.
        let ring = (0..<40_000).map { index -> String in
            let (x, y) = (index % 2 == 0 ? 0.01 : 1e-5 * 0.01, Double(index) / 40_000 * 0.01)
            return "[\(8.5 + x),\(47.3 + y)]"
        }
        let text = Samples.collection(
            Samples.feature(#""kind":"floor""#, "Polygon", "[[\(ring.joined(separator: ","))]]"))
        #expect(
            Samples.problem(text) == """
                $.features[0].geometry.coordinates: too many long lines side by side to check for crossings; simplify the \
                border
                """)
    }
}
