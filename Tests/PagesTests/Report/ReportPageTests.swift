import Foundation
import FoundationXML
import Geometry
import Model
import PlanMatching
import Pages
import Simulation
import Testing

@Suite("The report of a recording")
struct ReportPageTests {
    private static let start = BootTime(nanoseconds: 1_000_000_000_000)

    /// Of the built-in walk, its first minutes.
    ///
    /// - Parameter fieldTurn: of the magnetic field about up, for good. Unit: radians.
    private static func walk(seconds: Double, seed: UInt64 = 3, fieldTurn: Double = 0, velocitySigma: Double? = nil)
        throws -> WalkReport
    {
        var walk = try #require(
            CityWalk(settings: CityWalkSettings(seed: seed), start: start, magneticModel: WorldMagneticModel.wmm2025))
        var replay = ReportReplay(title: "walk")
        while true {
            var next = walk.next()
            guard next.arrival.seconds(since: start) < seconds else { break }
            if fieldTurn != 0, case .magneticField(var sample) = next {
                let rotation = walk.truth(at: sample.time).rotationENUFromBody
                sample.field = rotation.inverse * (Rotation3.aboutZ(fieldTurn) * (rotation * sample.field))
                next = .magneticField(sample)
            }
            if let velocitySigma, case .fix(var fix) = next {
                fix.velocitySigma = velocitySigma
                next = .fix(fix)
            }
            replay.feed(next)
        }
        return replay.finish()
    }

    @Test("behaviour 13: the page draws both tracks and every correction, each with its row")
    func tracksAndCorrections() throws {
        let report = try Self.walk(seconds: 150)
        #expect(report.corrections.count > 5)
        let page = ParsedPage(report.page())
        #expect(page.problem == nil)
        // The receiver's track is a dot for each fix, the other two are lines.
        #expect(report.fixes.count > 100)
        #expect(page.classes["fix", default: 0] > report.fixes.elements.count)
        #expect(page.classes["track"] == 2)
        let rows = report.corrections.map { "correction-\($0.number)" }
        #expect(page.ids.filter { $0.hasPrefix("correction-") } == rows)
        // Before the first position a correction has no place on the map, but it has its row.
        let placed = report.corrections.filter { $0.position != nil }.map { "#correction-\($0.number)" }
        #expect(page.links == placed)
        #expect(placed.count > 5)
    }

    @Test("the level of the plan that is followed lies beneath the tracks, whatever its name contains")
    func plan() throws {
        var walk = try #require(
            CityWalk(
                settings: CityWalkSettings(seed: 3), start: Self.start, magneticModel: WorldMagneticModel.wmm2025))
        let origin = CityWalkSettings(seed: 3).origin
        func point(_ east: Double, _ north: Double) -> PlanPoint {
            PlanPoint(
                latitudeDegrees: origin.latitudeDegrees + north / 111_200,
                longitudeDegrees: origin.longitudeDegrees + east / 75_400)
        }
        let ring = [point(-300, -300), point(300, -300), point(300, 300), point(-300, 300)]
        let features = [
            PlanFeature(kind: .floor, shape: .area([ring])), PlanFeature(kind: .door, shape: .point(point(5, 5))),
            PlanFeature(kind: .wall, shape: .line([point(-300, 250), point(300, 250)])),
        ]
        let level = PlanLevel(name: "</script><b>1", number: 1, features: features)
        var replay = ReportReplay(title: "walk")
        replay.use(PlanLibrary([FloorPlan(id: "hall", name: "Hall & <i>\"more\"</i>", levels: [level])]))
        // One fix, and from then on steps alone.
        var hasFix = false
        while true {
            let next = walk.next()
            guard next.arrival.seconds(since: Self.start) < 100 else { break }
            if case .fix = next {
                if hasFix { continue }
                hasFix = true
            }
            replay.feed(next)
        }
        let report = replay.finish()
        let plan = try #require(report.plans.first)
        #expect(report.plans.count == 1 && plan.lines.map(\.kind) == [.floor, .door, .wall])
        let page = ParsedPage(report.page())
        #expect(page.problem == nil, "the names are text, and no markup")
        #expect(page.classes["plan"] == 4, "three kinds of line, and the key")
    }

    @Test("behaviour 13: the scene's track by the published alignment settles on the estimated one")
    func tracksAgree() throws {
        let report = try Self.walk(seconds: 150)
        let estimated = try #require(report.replayed.track.points.last).position
        let scene = try #require(report.sceneTrack.points.last).position
        // What the published alignment has still to go: it follows at a fraction of walking pace.
        #expect(Geodesic(from: estimated, to: scene).distance < 3)
    }

    @Test("behaviour 13: each correction is reported with its cause")
    func causes() throws {
        let report = try Self.walk(seconds: 150)
        #expect(report.corrections.contains { !$0.frame.causes.isEmpty })
        let page = ParsedPage(report.page())
        for correction in report.corrections {
            for cause in correction.frame.causes.list { #expect(page.text.contains("\(cause)")) }
        }
    }

    @Test("behaviour 49: the page lists the pairs that a correction of north rests on, and draws what they say")
    func pairs() throws {
        let report = try Self.walk(seconds: 100, seed: 16, fieldTurn: .pi / 3, velocitySigma: 0.5)
        let found = try #require(report.corrections.first { $0.frame.evidence != nil })
        let count = try #require(found.frame.evidence?.velocities).count
        let page = String(decoding: report.page(), as: UTF8.self)
        #expect(page.contains("<td>velocities: \(count), "))
        #expect(page.contains("changes of velocity"))
        #expect(report.yawChecks.byVelocities.samples.contains { $0.standardDeviation != nil })
    }

    @Test("the page refers to nothing outside itself, and its only program is its own script")
    func selfContained() throws {
        let bytes = try Self.walk(seconds: 40).page()
        let page = ParsedPage(bytes)
        #expect(!page.links.isEmpty && page.links.allSatisfy { $0.hasPrefix("#") })
        #expect(page.attributes.isDisjoint(with: ["src", "xmlns", "style", "data", "action", "onload"]))
        #expect(page.elements["script"] == 2)
        for element in ["link", "img", "iframe", "object", "base", "form"] {
            #expect(page.elements[element] == nil, "\(element)")
        }
        let text = String(decoding: bytes, as: UTF8.self)
        for word in ["http:", "https:", "url(", "@import", "eval(", "innerHTML", "fetch("] {
            #expect(!text.contains(word), "\(word)")
        }
    }

    @Test(
        "what comes from a recording is text and nothing else",
        arguments: [
            "<script>alert(1)</script>", "\"><svg onload=\"x\">", "a & b < c > d", "'; --", "]]>", "<!--", "&lt;",
            "\u{0}\u{8}\u{1B}[31m", "\u{202E}txt.exe", "\u{FFFE}", "e\u{301}\u{1F468}\u{200D}\u{1F4BB}",
        ])
    func escaping(hostile: String) throws {
        var report = WalkReport(title: hostile)
        report.facts = [.init(hostile, hostile)]
        report.warnings = [hostile]
        let plain = ParsedPage(WalkReport(title: "plain").page())
        let page = ParsedPage(report.page())
        #expect(page.problem == nil)
        let added = page.elements.filter { plain.elements[$0.key] != $0.value }
        #expect(added == ["dl": 1, "div": 1, "dt": 1, "dd": 1, "ul": 1, "li": 1])
        // Shown as it was, but for characters that no page may hold.
        let isHarmless = hostile.unicodeScalars.allSatisfy { ![0, 8, 0x1B, 0xFFFE, 0x202E].contains($0.value) }
        #expect(page.text.contains(isHarmless ? hostile : "\u{FFFD}"))
        #expect(page.text.contains(hostile) == isHarmless)
        let recording = try #require(try page.recordings().first)
        #expect((recording["name"] as? String == hostile) == isHarmless)
    }

    @Test("no character that ends a script or a line of it stands unescaped in the data")
    func dataEscapes() throws {
        let hostile = "</script><!--<script>&\u{2028}\u{2029}"
        let page = ParsedPage(ReportPage(WalkReport(title: hostile), WalkReport(title: "b")).bytes())
        for character in ["<", ">", "&", "\u{2028}", "\u{2029}"] { #expect(!page.data.contains(character)) }
        #expect(try page.recordings().map { $0["name"] as? String } == [hostile, "b"])
    }

    @Test("a page about two recordings has the figures of both in a column each, and the tables of both")
    func two() throws {
        let (first, second) = (try Self.walk(seconds: 40), try Self.walk(seconds: 50, seed: 4))
        let page = ParsedPage(ReportPage(first, second).bytes())
        #expect(page.problem == nil)
        #expect(page.ids.count == Set(page.ids).count)
        #expect(page.ids.contains("correction-1") && page.ids.contains("second-correction-1"))
        let figures = page.text.split(separator: "\n")
        for fact in first.facts + second.facts { #expect(figures.contains { $0.contains(fact.value) }, "\(fact)") }
        let durations = try page.recordings().map { try #require($0["duration"] as? Double) }
        #expect(durations.count == 2 && durations[0] < durations[1])
    }

    @Test("without a position, a pose or anything at all there is still a page that says so")
    func empty() {
        let page = ParsedPage(WalkReport(title: "nothing").page())
        #expect(page.problem == nil)
        #expect(page.text.contains("no track to draw"))
        #expect(page.text.contains("There were none."))
    }

    @Test("another parser of HTML reads the page to its end, every element closed")
    func otherParser() throws {
        let file = FileManager.default.temporaryDirectory.appending(path: "report-\(UUID().uuidString).html")
        defer { try? FileManager.default.removeItem(at: file) }
        try Data(Self.walk(seconds: 40).page()).write(to: file)
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
        from html.parser import HTMLParser

        class Check(HTMLParser):
            stack = []
            def handle_starttag(self, tag, attributes):
                self.stack.append(tag)
            def handle_startendtag(self, tag, attributes):
                pass
            def handle_endtag(self, tag):
                assert self.stack.pop() == tag, tag

        check = Check()
        check.feed(open(sys.argv[1], encoding="utf-8").read())
        check.close()
        assert check.stack == [], check.stack
        """
}

/// A page as a parser of XML sees it.
private final class ParsedPage: NSObject, XMLParserDelegate {
    /// Number of elements of each class, and of each name.
    private(set) var classes: [String: Int] = [:]
    private(set) var elements: [String: Int] = [:]
    private(set) var ids: [String] = []
    private(set) var links: [String] = []
    private(set) var attributes: Set<String> = []
    private(set) var text = ""
    private(set) var problem: String?
    /// Content of the script element with the data.
    private(set) var data = ""
    private var isInData = false

    init(_ page: [UInt8]) {
        super.init()
        let parser = XMLParser(data: Data(page))
        parser.delegate = self
        if !parser.parse() { problem = "\(parser.lineNumber): \(parser.parserError.map { "\($0)" } ?? "")" }
    }

    func parser(
        _ parser: XMLParser, didStartElement element: String, namespaceURI: String?, qualifiedName: String?,
        attributes: [String: String]
    ) {
        elements[element, default: 0] += 1
        isInData = attributes["type"] == "application/json"
        self.attributes.formUnion(attributes.keys)
        for name in attributes["class"]?.split(separator: " ") ?? [] { classes[String(name), default: 0] += 1 }
        if let id = attributes["id"] { ids.append(id) }
        if let link = attributes["href"] { links.append(link) }
    }

    func parser(_ parser: XMLParser, foundCharacters string: String) {
        if isInData { data += string } else { text += string }
    }

    func parser(
        _ parser: XMLParser, didEndElement element: String, namespaceURI: String?, qualifiedName: String?
    ) { isInData = false }

    /// Recordings of the page's data, read by Foundation.
    func recordings() throws -> [[String: Any]] {
        let object = try JSONSerialization.jsonObject(with: Data(data.utf8)) as? [String: Any]
        return try #require(object?["recordings"] as? [[String: Any]])
    }
}
