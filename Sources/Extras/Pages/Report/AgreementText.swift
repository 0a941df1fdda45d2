import Model

/// Sentence about the curves that are drawn: published values, replay, and their difference.
struct AgreementText {
    let report: WalkReport
    /// Whether the sentence names the recording, because the page has two of them.
    let isNamed: Bool

    func draw(into markup: inout Markup) {
        let style = report.agreement.pairs > 0 && !report.agreement.isExact ? "note differs" : "note"
        markup.element("p", [("class", style)], text: (isNamed ? "\(report.title): " : "") + text)
    }

    var text: String {
        let version = "Waymark \(Release.version)"
        guard report.published.count > 0 else {
            return "This recording has no published poses: what is shown is the replay by \(version) alone."
        }
        guard report.agreement.pairs > 0 else {
            return
                "Solid lines are what was published; dashed ones are the replay by \(version). No pose of the replay has "
                + "the time of a published one, so they are not compared."
        }
        let intro = "Solid lines are what was published, dashed ones the replay by \(version)"
        if report.agreement.isExact {
            return "\(intro): \(compared) agree with the replay to rounding."
        }
        return
            "\(intro), which differs from what was published: \(differences). Recordings of another version, by other "
            + "settings, or whose state could not be restored replay differently."
    }

    private var compared: String {
        let (pairs, count) = (report.agreement.pairs, report.published.count)
        return pairs == count ? "all \(count) published poses" : "the \(pairs) compared of \(count) published poses"
    }

    private var differences: String {
        let agreement = report.agreement
        var parts: [String] = []
        if let metres = agreement.largestDistance, let time = agreement.timeOfLargestDistance {
            parts.append(
                "the largest distance is \(metres.text(3)) m, at \(elapsedText(report.seconds(time), decimals: 1))")
        }
        if let degrees = agreement.largestYaw, let time = agreement.timeOfLargestYaw {
            parts.append("the largest yaw \(degrees.text(3))°, at \(elapsedText(report.seconds(time), decimals: 1))")
        }
        if agreement.oneSided > 0 {
            parts.append("in \(agreement.oneSided) poses only one of both knows a position or heading")
        }
        return parts.joined(separator: ", ") + ", among \(agreement.pairs) of \(report.published.count) published poses"
    }
}
