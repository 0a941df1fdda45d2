import Messages
import Model
import WaymarkInterface

/// Figures of a whole recording, in the order of the page.
struct ReportFacts {
    let list: [WalkReport.Fact]

    init(_ report: WalkReport, measurements: Int, last: PoseEstimate?) {
        let gaps = report.rates.reduce(0) { $0 + $1.gaps.count }
        list = [
            .init("Begin", report.startUTC.map(Self.text(utc:)) ?? "not known"),
            .init("Length", elapsedText(report.duration)),
            .init("Recorded by", report.origin ?? "not known"),
            .init("Measurements", "\(measurements)"),
            .init("Published poses", report.published.count > 0 ? "\(report.published.count)" : "none recorded"),
            .init("Replayed poses", "\(report.replayed.count)"),
            .init("Replay minus published", Self.text(report)),
            .init("Fixes", "\(report.fixes.count)"),
            .init("Fix minus estimate, median", report.innovations.median.map { "\($0.text(2)) m" } ?? "not known"),
            .init("Fixes within the 68 % radius", Self.text(report.innovations)),
            .init("Gaps", gaps == 0 ? "none" : "\(gaps)"),
            .init("Corrections", Self.text(corrections: report)),
            .init("At the end", last.map { $0.state.message.description } ?? "no pose"),
        ]
    }

    /// Date and time to the second.
    static func text(utc seconds: Double) -> String {
        guard (0..<9e9).contains(seconds) else { return "not known" }
        let text = UTCTime(nanoseconds: Int64(seconds) * 1_000_000_000).description
        return text.prefix(19).split(separator: "T").joined(separator: " ") + " UTC"
    }

    private static func text(_ innovations: FixInnovations) -> String {
        guard let share = innovations.shareWithin else { return "not known" }
        return "\((100 * share).text(0)) % (\(innovations.within) of \(innovations.count))"
    }

    private static func text(corrections report: WalkReport) -> String {
        let count = report.corrections.count + report.correctionsLeftOut
        return report.publishedFrames > 0 ? "\(count), in the replay \(report.replayedCorrections)" : "\(count)"
    }

    private static func text(_ report: WalkReport) -> String {
        let agreement = report.agreement
        guard agreement.pairs > 0 else { return "not compared" }
        if agreement.isExact {
            let (pairs, count) = (agreement.pairs, report.published.count)
            return "equal to rounding" + (pairs == count ? "" : ", \(pairs) of \(count) compared")
        }
        let distance = agreement.largestDistance.map { "\($0.text(3)) m" }
        let yaw = agreement.largestYaw.map { "\($0.text(3))°" }
        return "at most " + [distance, yaw].compactMap { $0 }.joined(separator: ", ")
    }
}
