import Geometry
import Model

/// Table of all frame corrections: time, alignment before and after, size, duration and causes.
struct CorrectionTable {
    let report: WalkReport
    /// Prefix by which the anchors of two recordings on one page differ.
    var prefix = ""

    /// Anchor of a correction's row. The marks on the map link to it.
    static func anchor(_ correction: WalkReport.Correction, _ prefix: String = "") -> String {
        "\(prefix)correction-\(correction.number)"
    }

    /// One-line summary, which is a mark's tooltip.
    static func summary(_ correction: WalkReport.Correction, in report: WalkReport) -> String {
        let frame = correction.frame
        let time = elapsedText(report.seconds(frame.time), decimals: 1)
        let causes = frame.causes.isEmpty ? "" : ": " + words(frame.causes)
        return "correction \(correction.number) at \(time), \(degrees(frame.turn))°, \(frame.shift.text(2)) m\(causes)"
    }

    private static func words(_ causes: FrameCauses) -> String {
        causes.list.map { "\($0)" }.joined(separator: ", ")
    }

    private static func degrees(_ radians: Double) -> String { (radians * 180 / .pi).text(2) }

    private static let headings = [
        "No.", "Time", "Turn, °", "Shift, m", "Yaw before → target, °", "East, north, up before → target, m",
        "Takes, s", "Causes", "Pairs: number, °",
    ]

    func draw(into markup: inout Markup) {
        markup.element("p", text: sentence)
        guard !report.corrections.isEmpty else { return }
        markup.table(
            "corrections", headings: { $0.elements("th", texts: Self.headings) },
            rows: { body in for correction in report.corrections { draw(correction, into: &body) } })
    }

    private var sentence: String {
        let count = report.corrections.count + report.correctionsLeftOut
        guard count > 0 else { return "There were none." }
        let origin = report.publishedFrames > 0 ? " as published" : report.published.count > 0 ? " of the replay" : ""
        let turns = "A turn is counter-clockwise, about the wearer; a shift is that of what the wearer stands on."
        guard report.correctionsLeftOut > 0 else { return "\(count)\(origin) in all. \(turns)" }
        return
            "\(count)\(origin) in all, of which the \(report.correctionsLeftOut) smallest are left out here. \(turns)"
    }

    private func draw(_ correction: WalkReport.Correction, into body: inout Markup) {
        let frame = correction.frame
        let cells = [
            "\(correction.number)", elapsedText(report.seconds(frame.time), decimals: 1),
            Self.degrees(frame.turn), frame.shift.text(2),
            "\(Self.degrees(frame.before.yaw)) → \(Self.degrees(frame.target.yaw))",
            "\(place(frame.before)) → \(place(frame.target))", frame.duration.text(1), Self.words(frame.causes),
            Self.pairs(frame.evidence),
        ]
        body.element("tr", [("id", Self.anchor(correction, prefix))]) { $0.elements("td", texts: cells) }
    }

    /// Text on the pairs that contributed to the heading estimate: for each kind, their number, and their correction in
    /// degrees, counter-clockwise.
    private static func pairs(_ evidence: HeadingReading?) -> String {
        let kinds = [("velocities", evidence?.velocities), ("positions", evidence?.positions)]
        return kinds.compactMap { kind, pairs in
            pairs.flatMap { pairs in
                pairs.correction.map { "\(kind): \(pairs.count), \(degrees($0)) ± \(degrees(pairs.standardDeviation))" }
            }
        }.joined(separator: "; ")
    }

    private func place(_ alignment: SceneAlignment) -> String {
        let point = alignment.translation
        return [point.x, point.y, point.z].map { $0.text(2) }.joined(separator: ", ")
    }
}
