import WaymarkClient

/// Connection to the daemon, as the live view shows it.
package enum DaemonLink: Equatable, Sendable {
    case connected
    /// The daemon does not answer: time of day of the loss, duration (seconds), problem and remedy.
    case away(since: String, seconds: Double, problem: String)
}

/// Notices in lines below the title: a daemon that does not answer, missing poses, limits of the accuracy, and advice.
struct LiveNotices: Sendable {
    private(set) var lines: [(text: String, ink: Ink)] = []

    /// Time without a pose after which a notice reports this. Poses arrive ten times a second. Unit: seconds.
    private static let patience = 2.0

    /// - Parameters:
    ///   - time: current boot time. Unit: seconds.
    ///   - columns: width of a line.
    init(_ view: LiveView, time: Double, columns: Int) {
        if case .away(let since, let seconds, let problem) = view.link {
            let duration = Words.duration(seconds)
            add("daemon away since \(since) (\(duration)); connecting again every second", .bad, columns)
            add(OutsideText.line(problem), .warning, columns)
            return
        }
        guard let pose = view.pose else {
            add("waiting for the first pose; see 'waymark status' for what is missing", .warning, columns)
            if let status = view.status { add(status, columns) }
            return
        }
        let age = time - view.arrival
        if age > Self.patience {
            add("no pose for \(Words.duration(age)); see 'waymark status'", .bad, columns)
            if let status = view.status { add(status, columns) }
            return
        }
        let reasons = Words.explanations(of: pose.reasons) + pose.reasons.unknown.map(OutsideText.line)
        add(reasons: reasons, advice: AdviceText.lines(state: pose.state, reasons: pose.reasons), columns)
    }

    private mutating func add(_ status: Waymark.Status, _ columns: Int) {
        let reasons = status.reasons.known.map(Words.explanation) + status.reasons.unknown.map(OutsideText.line)
        add(reasons: reasons, advice: status.advice.map(OutsideText.line), columns)
    }

    private mutating func add(reasons: [String], advice: [String], _ columns: Int) {
        if !reasons.isEmpty { add("because " + reasons.joined(separator: "; "), .warning, columns) }
        // Only the first piece of advice is shown, because the wearer follows one piece at a time.
        if let first = advice.first { add("advice: " + first, .strong, columns) }
    }

    private mutating func add(_ text: String, _ ink: Ink, _ columns: Int) {
        lines += TextWidth.wrapped(text, columns: columns).map { ($0, ink) }
    }
}
