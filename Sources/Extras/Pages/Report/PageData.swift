import Geometry
import JSON

/// Data of a page's interactive drawings. It is JSON that may be embedded in a script element.
struct PageData {
    let reports: [WalkReport]

    func text() -> [UInt8] {
        // Both recordings use one plane, so that both tracks are on one map.
        let plane = reports.lazy.compactMap(\.firstPosition).first.map(LocalTangentPlane.init(origin:))
        let json = JSONWriter.object(capacity: 1 << 20) { json in
            json.objects("recordings", reports.enumerated()) { recording, json in
                write(recording.element, ReportPage.prefix(recording.offset), plane, into: &json)
            }
        }
        return Self.escaped(json)
    }

    /// Escapes `<`, `>`, `&` and the line separators of JavaScript. In JSON they occur only in strings.
    static func escaped(_ json: [UInt8]) -> [UInt8] {
        var buffer = TextBuffer(capacity: json.count)
        var start = 0
        var place = 0
        func piece() -> ArraySlice<UInt8> { json[start..<place] }
        while place < json.count {
            let (escape, length): (StaticString?, Int) =
                switch json[place] {
                case UInt8(ascii: "<"): ("\\u003c", 1)
                case UInt8(ascii: ">"): ("\\u003e", 1)
                case UInt8(ascii: "&"): ("\\u0026", 1)
                case 0xE2 where place + 2 < json.count && json[place + 1] == 0x80 && json[place + 2] == 0xA8:
                    ("\\u2028", 3)
                case 0xE2 where place + 2 < json.count && json[place + 1] == 0x80 && json[place + 2] == 0xA9:
                    ("\\u2029", 3)
                default: (nil, 1)
                }
            if let escape {
                buffer.append(piece())
                buffer.append(escape)
                start = place + length
            }
            place += length
        }
        buffer.append(json[start...])
        return buffer.bytes
    }

    private func write(
        _ report: WalkReport, _ prefix: String, _ plane: LocalTangentPlane?, into json: inout JSONWriter
    ) {
        json.member("name", Markup.harmless(report.title))
        json.member("utc", report.startUTC, .fixed(3))
        json.member("duration", report.duration, .fixed(3))
        json.member("poses", report.shown.count)
        json.member("published", report.published.count > 0)
        json.member("exact", report.agreement.pairs > 0 && report.agreement.isExact)
        json.array("tracks") { json in
            guard let plane else { return }
            for track in report.tracks where !track.series.isEmpty {
                json.object { Self.write(track, plane, into: &$0) }
            }
        }
        if let plane {
            Self.writePlans(of: report, plane, into: &json)
            Self.writeFixes(of: report, plane, into: &json)
            Self.writeCorrections(of: report, prefix, plane, into: &json)
        }
        json.objects("charts", report.charts()) { Self.write($0, of: report, into: &$1) }
        let bands = [("State", report.states), ("What was missing or wrong", report.reasons)]
        json.objects("bands", bands) { band, json in
            json.member("title", band.0)
            Self.write(band.1, of: report, into: &json)
        }
    }

    private static func write(_ track: WalkReport.Track, _ plane: LocalTangentPlane, into json: inout JSONWriter) {
        let points = track.series.points
        let places = points.map { plane.pointENU(of: $0.position) }
        json.member("name", track.name)
        json.member("style", word: track.style)
        write("t", times: points.map(\.time), into: &json)
        write("e", places.map(\.x), into: &json)
        write("n", places.map(\.y), into: &json)
        write("gaps", points.indices.filter { points[$0].isAfterGap }.map(Double.init), decimals: 0, into: &json)
    }

    private static func writePlans(of report: WalkReport, _ plane: LocalTangentPlane, into json: inout JSONWriter) {
        json.objects("plans", report.plans) { plan, json in
            json.member("name", Markup.harmless(plan.title))
            json.objects("lines", plan.lines) { line, json in
                let points = plan.points(of: line, on: plane)
                json.member("kind", line.kind.rawValue)
                write("e", points.map(\.x), into: &json)
                write("n", points.map(\.y), into: &json)
            }
        }
    }

    private static func writeFixes(of report: WalkReport, _ plane: LocalTangentPlane, into json: inout JSONWriter) {
        let fixes = report.fixes.elements
        let places = fixes.map { plane.pointENU(of: $0.position) }
        json.object("fixes") { json in
            write("t", times: fixes.map { report.seconds($0.time) }, into: &json)
            write("e", places.map(\.x), into: &json)
            write("n", places.map(\.y), into: &json)
            write("a", fixes.map { $0.accuracy ?? -1 }, into: &json)
        }
    }

    private static func writeCorrections(
        of report: WalkReport, _ prefix: String, _ plane: LocalTangentPlane, into json: inout JSONWriter
    ) {
        let placed = report.corrections.lazy.compactMap { correction in correction.position.map { (correction, $0) } }
        json.objects("corrections", placed) { placed, json in
            let (correction, place) = (placed.0, plane.pointENU(of: placed.1))
            json.member("t", report.seconds(correction.frame.time), .fixed(2))
            json.member("e", place.x, .fixed(2))
            json.member("n", place.y, .fixed(2))
            json.member("size", correction.size, .fixed(2))
            json.member("text", CorrectionTable.summary(correction, in: report))
            json.member("anchor", CorrectionTable.anchor(correction, prefix))
        }
    }

    private static func write(_ chart: ReportChart, of report: WalkReport, into json: inout JSONWriter) {
        json.member("id", word: chart.id)
        json.member("title", chart.title)
        json.member("axis", word: chart.axis)
        json.member("fold", word: chart.fold)
        json.member("unit", "\(chart.unit)")
        json.member("decimals", chart.decimals)
        json.member("direction", chart.isDirection)
        json.member("zero", chart.hasZero)
        json.member("note", chart.note)
        write(chart.spans, of: report, into: &json)
        json.objects("lines", chart.lines.filter { !$0.samples.isEmpty }) { line, json in
            write(line, decimals: chart.decimals, into: &json)
        }
    }

    private static func write(_ line: ReportChart.Line, decimals: Int, into json: inout JSONWriter) {
        let samples = line.samples
        json.member("name", line.name)
        json.member("style", word: line.style)
        write("t", times: samples.map(\.time), into: &json)
        write("v", samples.map(\.value), decimals: decimals, into: &json)
        if samples.contains(where: { $0.standardDeviation != nil }) {
            write("s", samples.map { $0.standardDeviation ?? 0 }, decimals: decimals, into: &json)
        }
        write("gaps", samples.indices.filter { samples[$0].isAfterGap }.map(Double.init), decimals: 0, into: &json)
    }

    private static func write(_ spans: [WalkReport.Span], of report: WalkReport, into json: inout JSONWriter) {
        json.array("spans") { json in
            for span in spans {
                json.beginArray()
                json.value(Markup.harmless(span.word))
                json.value(report.seconds(span.from), .fixed(3))
                json.value(report.seconds(span.to), .fixed(3))
                json.endArray()
            }
        }
    }

    /// Writes times in milliseconds. All except the first are written as differences, because these are shorter.
    private static func write(_ name: StaticString, times: [Double], into json: inout JSONWriter) {
        let milliseconds = times.map { ($0 * 1000).rounded() }
        write(name, zip(milliseconds, [0] + milliseconds).map { $0 - $1 }, decimals: 0, into: &json)
    }

    private static func write(
        _ name: StaticString, _ values: [Double], decimals: Int = 2, into json: inout JSONWriter
    ) {
        json.array(name) { json in for value in values { json.value(value, .fixed(decimals)) } }
    }
}

extension WalkReport {
    /// A track on the map.
    struct Track {
        let name: String
        /// CSS class of the line: a, replay or scene.
        let style: StaticString
        let series: TrackSeries
    }

    /// All tracks except the receiver's, in drawing order.
    var tracks: [Track] {
        let replay = Track(name: "replay", style: published.count > 0 ? "replay" : "a", series: replayed.track)
        let scene = Track(name: "scene (published alignment)", style: "scene", series: sceneTrack)
        guard published.count > 0 else { return [scene, replay] }
        return [scene, Track(name: "published", style: "a", series: published.track), replay]
    }

    /// First known position of any track.
    var firstPosition: GeodeticPosition? {
        published.track.start ?? replayed.track.start ?? fixes.elements.first?.position
    }
}
