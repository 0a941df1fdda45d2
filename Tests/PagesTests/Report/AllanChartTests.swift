import Calibration
import Foundation
import FoundationXML
import Pages
import Testing

@Suite("The drawing of Allan's deviation")
struct AllanChartTests {
    /// Curves of a known model, each a little higher than the one before.
    private static func noise(points: Int = 40, height: Double = 1e-4) -> [AxisNoise] {
        (0..<6).map { axis in
            let walk = height * (1 + Double(axis) / 4)
            var noise = AxisNoise(
                randomWalk: walk, biasInstability: walk / 20, rateRandomWalk: axis == 1 ? nil : walk / 300)
            noise.uncertainties.randomWalk = 0.01
            noise.curve = (0..<points).map { index in
                let tau = 0.005 * pow(2, Double(index) / 4)
                return AllanPoint(
                    tau: tau, deviation: noise.fitted(at: tau) ?? 1,
                    uncertainty: min(0.5, 0.005 * pow(2, Double(index) / 8)))
            }
            return noise
        }
    }

    @Test("six curves with their bands, six fits, and a row for each axis")
    func complete() {
        let drawing = ParsedDrawing(AllanChart(title: "Noise of board 7", Self.noise(), isOfCounts: false).file())
        #expect(drawing.problem == nil)
        for style in ["a", "b", "c"] {
            #expect(drawing.classes["line \(style)"] == 2)
            #expect(drawing.classes["band \(style)"] == 2)
            #expect(drawing.classes["fitted \(style)"] == 2)
        }
        for word in [
            "Noise of board 7", "Gyroscope", "Accelerometer", "rad/s·√s", "m/s²/√s", "1.00e-4 ±1.0 %", "—", "–",
        ] {
            #expect(drawing.text.contains(word), "\(word)")
        }
        #expect(drawing.text.components(separatedBy: "at 1 s").count == 3)
        // The curve is its own model: line and fit are the same points.
        let lines = drawing.paths.filter { $0.style.hasPrefix("line") }.map(\.outline)
        #expect(lines == drawing.paths.filter { $0.style.hasPrefix("fitted") }.map(\.outline))
        #expect(lines.allSatisfy { $0.split(separator: "L").count == 40 })
    }

    @Test("a curve of white noise is a straight line down, by half a decade in a decade")
    func slope() throws {
        var noise = AxisNoise(randomWalk: 1)
        noise.curve = [0.01, 0.1, 1, 10, 100].map {
            AllanPoint(tau: $0, deviation: 1 / $0.squareRoot(), uncertainty: 0.01)
        }
        let drawing = ParsedDrawing(AllanChart(title: "", [noise], isOfCounts: true).file())
        let line = try #require(drawing.paths.first { $0.style == "line a" }?.outline)
        let points = line.split { "ML".contains($0) }.map { $0.split(separator: " ").compactMap { Double($0) } }
        #expect(points.count == 5)
        let steps = zip(points.dropFirst(), points).map { ($0.0[0] - $0.1[0], $0.0[1] - $0.1[1]) }
        // To a tenth, as they are written.
        for step in steps { #expect(abs(step.0 - steps[0].0) < 0.21 && abs(step.1 - steps[0].1) < 0.21) }
        #expect(steps[0].0 > 0 && steps[0].1 > 0)
        #expect(drawing.text.contains("counts"))
    }

    @Test("nothing but numbers that have a place is drawn", arguments: [0, -1, Double.nan, .infinity, 1e300, 1e-300])
    func hostile(number: Double) {
        var noise = Self.noise(points: 3)
        for axis in noise.indices {
            noise[axis].curve += [
                AllanPoint(tau: number, deviation: 1, uncertainty: 0.1),
                AllanPoint(tau: 1, deviation: number, uncertainty: 0.1),
                AllanPoint(tau: 1, deviation: 1e-4, uncertainty: number),
            ]
            noise[axis].randomWalk = number
            noise[axis].uncertainties.randomWalk = number
        }
        let drawing = ParsedDrawing(AllanChart(title: "<&\u{0}\"'>", noise, isOfCounts: false).file())
        #expect(drawing.problem == nil)
        #expect(!drawing.outlines.contains("nan") && !drawing.outlines.contains("inf"))
    }

    @Test("without a curve it says so")
    func empty() {
        for noise in [[], [AxisNoise()], [AxisNoise](repeating: AxisNoise(), count: 6)] {
            let drawing = ParsedDrawing(AllanChart(title: "none", noise, isOfCounts: false).file())
            #expect(drawing.problem == nil)
            #expect(drawing.text.contains("too short"))
        }
    }

    @Test("it refers to nothing outside itself")
    func selfContained() {
        let text = String(decoding: AllanChart(title: "x", Self.noise(), isOfCounts: false).file(), as: UTF8.self)
            .replacing("http://www.w3.org/2000/svg", with: "")
        for word in ["http", "url(", "@import", "<script", "href", "<image"] {
            #expect(!text.contains(word), "\(word)")
        }
        #expect(text.contains("prefers-color-scheme: dark"))
    }

    @Test("another parser of XML reads it to its end")
    func otherParser() throws {
        let file = FileManager.default.temporaryDirectory.appending(path: "allan-\(UUID().uuidString).svg")
        defer { try? FileManager.default.removeItem(at: file) }
        try Data(AllanChart(title: "a < b & \"c\"", Self.noise(), isOfCounts: false).file()).write(to: file)
        let process = Process()
        process.executableURL = URL(
            filePath: ProcessInfo.processInfo.environment["WAYMARK_PYTHON"] ?? "/usr/bin/python3")
        process.arguments = ["-c", Self.check, file.path]
        try process.run()
        process.waitUntilExit()
        #expect(process.terminationStatus == 0)
    }

    private static let check = """
        import sys
        from xml.etree import ElementTree

        root = ElementTree.parse(sys.argv[1]).getroot()
        space = "{http://www.w3.org/2000/svg}"
        assert root.tag == space + "svg"
        assert root.find(space + "title").text == 'a < b & "c"'
        assert len(root.findall(space + "path")) > 50
        """
}

/// A drawing as a parser of XML sees it.
private final class ParsedDrawing: NSObject, XMLParserDelegate {
    private(set) var classes: [String: Int] = [:]
    private(set) var paths: [(style: String, outline: String)] = []
    private(set) var text = ""
    private(set) var problem: String?

    var outlines: String { paths.map(\.outline).joined() }

    init(_ file: [UInt8]) {
        super.init()
        let parser = XMLParser(data: Data(file))
        parser.delegate = self
        if !parser.parse() { problem = "\(parser.lineNumber): \(parser.parserError.map { "\($0)" } ?? "")" }
    }

    func parser(
        _ parser: XMLParser, didStartElement element: String, namespaceURI: String?, qualifiedName: String?,
        attributes: [String: String]
    ) {
        if let style = attributes["class"] { classes[style, default: 0] += 1 }
        if element == "path" { paths.append((attributes["class"] ?? "", attributes["d"] ?? "")) }
    }

    func parser(_ parser: XMLParser, foundCharacters string: String) { text += string }
}
