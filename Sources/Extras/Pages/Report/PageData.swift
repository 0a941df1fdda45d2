import Geometry
import JSON

/// Data of a page's interactive drawings as JSON that may be embedded in a script element.
struct PageData {
    let reports: [WalkReport]

    func text() -> [UInt8] {
        var json = JSONWriter(capacity: 1 << 20)
        json.beginObject()
        json.key("recordings")
        json.beginArray()
        // One plane for both recordings, so that both tracks are on one map.
        let plane = reports.lazy.compactMap(\.firstPosition).first.map(LocalTangentPlane.init(origin:))
        for (index, report) in reports.enumerated() { write(report, ReportPage.prefix(index), plane, into: &json) }
        json.endArray()
        json.endObject()
        return Self.escaped(json.bytes)
    }

    /// Writes `<`, `>`, `&` and the line separators of JavaScript as escapes: in JSON they occur only in strings.
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
        json.beginObject()
        json.member("name", Markup.harmless(report.title))
        json.member("utc", report.startUTC, .fixed(3))
        json.member("duration", report.duration, .fixed(3))
        json.member("poses", Int64(report.shown.count))
        json.member("published", report.published.count > 0)
        json.member("exact", report.agreement.pairs > 0 && report.agreement.isExact)
        json.key("tracks")
        json.beginArray()
        if let plane {
            for track in report.tracks where !track.series.isEmpty { write(track, plane, into: &json) }
        }
        json.endArray()
        if let plane {
            writePlans(of: report, plane, into: &json)
            writeFixes(of: report, plane, into: &json)
            writeCorrections(of: report, prefix, plane, into: &json)
        }
        json.key("charts")
        json.beginArray()
        for chart in report.charts() { write(chart, of: report, into: &json) }
        json.endArray()
        json.key("bands")
        json.beginArray()
        write("State", report.states, of: report, into: &json)
        write("What was missing or wrong", report.reasons, of: report, into: &json)
        json.endArray()
        json.endObject()
    }

    private func write(
        _ track: WalkReport.Track, _ plane: LocalTangentPlane, into json: inout JSONWriter
    ) {
        let points = track.series.points
        let places = points.map { plane.pointENU(of: $0.position) }
        json.beginObject()
        json.member("name", track.name)
        json.member("style", word: track.style)
        json.key("t")
        Self.write(times: points.map(\.time), into: &json)
        json.key("e")
        Self.write(places.map(\.x), decimals: 2, into: &json)
        json.key("n")
        Self.write(places.map(\.y), decimals: 2, into: &json)
        json.key("gaps")
        Self.write(points.indices.filter { points[$0].isAfterGap }.map(Double.init), decimals: 0, into: &json)
        json.endObject()
    }

    private func writePlans(of report: WalkReport, _ plane: LocalTangentPlane, into json: inout JSONWriter) {
        json.key("plans")
        json.beginArray()
        for plan in report.plans {
            json.beginObject()
            json.member("name", Markup.harmless(plan.title))
            json.key("lines")
            json.beginArray()
            for line in plan.lines {
                let points = plan.points(of: line, on: plane)
                json.beginObject()
                json.member("kind", line.kind.rawValue)
                json.key("e")
                Self.write(points.map(\.x), decimals: 2, into: &json)
                json.key("n")
                Self.write(points.map(\.y), decimals: 2, into: &json)
                json.endObject()
            }
            json.endArray()
            json.endObject()
        }
        json.endArray()
    }

    private func writeFixes(of report: WalkReport, _ plane: LocalTangentPlane, into json: inout JSONWriter) {
        let fixes = report.fixes.elements
        let places = fixes.map { plane.pointENU(of: $0.position) }
        json.key("fixes")
        json.beginObject()
        json.key("t")
        Self.write(times: fixes.map { report.seconds($0.time) }, into: &json)
        json.key("e")
        Self.write(places.map(\.x), decimals: 2, into: &json)
        json.key("n")
        Self.write(places.map(\.y), decimals: 2, into: &json)
        json.key("a")
        Self.write(fixes.map { $0.accuracy ?? -1 }, decimals: 2, into: &json)
        json.endObject()
    }

    private func writeCorrections(
        of report: WalkReport, _ prefix: String, _ plane: LocalTangentPlane, into json: inout JSONWriter
    ) {
        json.key("corrections")
        json.beginArray()
        for correction in report.corrections {
            guard let position = correction.position else { continue }
            let place = plane.pointENU(of: position)
            json.beginObject()
            json.member("t", report.seconds(correction.frame.time), .fixed(2))
            json.member("e", place.x, .fixed(2))
            json.member("n", place.y, .fixed(2))
            json.member("size", correction.size, .fixed(2))
            json.member("text", CorrectionTable.summary(correction, in: report))
            json.member("anchor", CorrectionTable.anchor(correction, prefix))
            json.endObject()
        }
        json.endArray()
    }

    private func write(_ chart: ReportChart, of report: WalkReport, into json: inout JSONWriter) {
        json.beginObject()
        json.member("id", word: chart.id)
        json.member("title", chart.title)
        json.member("axis", word: chart.axis)
        json.member("fold", word: chart.fold)
        json.key("unit")
        json.value("\(chart.unit)")
        json.member("decimals", Int64(chart.decimals))
        json.member("direction", chart.isDirection)
        json.member("zero", chart.hasZero)
        json.member("note", chart.note)
        json.key("spans")
        write(chart.spans, of: report, into: &json)
        json.key("lines")
        json.beginArray()
        for line in chart.lines where !line.samples.isEmpty { write(line, decimals: chart.decimals, into: &json) }
        json.endArray()
        json.endObject()
    }

    private func write(_ line: ReportChart.Line, decimals: Int, into json: inout JSONWriter) {
        json.beginObject()
        json.member("name", line.name)
        json.member("style", word: line.style)
        json.key("t")
        Self.write(times: line.samples.map(\.time), into: &json)
        json.key("v")
        Self.write(line.samples.map(\.value), decimals: decimals, into: &json)
        if line.samples.contains(where: { $0.standardDeviation != nil }) {
            json.key("s")
            Self.write(line.samples.map { $0.standardDeviation ?? 0 }, decimals: decimals, into: &json)
        }
        json.key("gaps")
        let samples = line.samples
        Self.write(samples.indices.filter { samples[$0].isAfterGap }.map(Double.init), decimals: 0, into: &json)
        json.endObject()
    }

    private func write(
        _ title: String, _ spans: [WalkReport.Span], of report: WalkReport, into json: inout JSONWriter
    ) {
        json.beginObject()
        json.member("title", title)
        json.key("spans")
        write(spans, of: report, into: &json)
        json.endObject()
    }

    private func write(_ spans: [WalkReport.Span], of report: WalkReport, into json: inout JSONWriter) {
        json.beginArray()
        for span in spans {
            json.beginArray()
            json.value(Markup.harmless(span.word))
            json.value(report.seconds(span.from), .fixed(3))
            json.value(report.seconds(span.to), .fixed(3))
            json.endArray()
        }
        json.endArray()
    }

    /// Writes times in milliseconds; all except the first are written as differences, which are shorter.
    private static func write(times: [Double], into json: inout JSONWriter) {
        var last = 0.0
        json.beginArray()
        for time in times {
            let milliseconds = (time * 1000).rounded()
            json.value(milliseconds - last, .fixed(0))
            last = milliseconds
        }
        json.endArray()
    }

    private static func write(_ values: [Double], decimals: Int, into json: inout JSONWriter) {
        json.beginArray()
        for value in values { json.value(value, .fixed(decimals)) }
        json.endArray()
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
