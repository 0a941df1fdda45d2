import Fleet
import Linux

/// Prints a line for each wearer with new messages, but at most one line per wearer and interval.
struct FleetLines {
    let asJSON: Bool
    /// Maximum number of lines.
    let count: Int
    /// Minimum interval of a wearer's lines. Unit: seconds.
    let interval: Double
    let deadline: Deadline

    /// Longest wait for messages before the deadline is checked. Unit: milliseconds.
    private static let turn: Int32 = 100

    /// Prints until there are `count` lines or the deadline has passed; returns the number of lines.
    func print(_ observer: FleetObserver) throws -> Int {
        var printed = 0
        /// Time at which the next line of a wearer is due, by identifier of the wearer. Unit: nanoseconds.
        var due: [String: Int64] = [:]
        var waiting: [String] = []
        var lastProblem: String?
        while printed < count, !deadline.hasPassed {
            observer.run(milliseconds: Self.turn)
            complain(of: observer.link, &lastProblem)
            let known = Set(waiting)
            waiting += observer.takeChanges().filter { !known.contains($0) }
            let now = BootClock.nanoseconds
            let ready = waiting.filter { due[$0, default: 0] <= now }.prefix(count - printed)
            for identifier in ready {
                try print(observer.roster.wearers[identifier])
                due[identifier] = now + Int64(interval * 1e9)
            }
            printed += ready.count
            waiting.removeAll(where: Set(ready).contains)
        }
        return printed
    }

    private func print(_ wearer: ObservedWearer?) throws {
        guard let wearer else { return }
        try Terminal.print(asJSON ? JSONText.line(wearer) : FleetText.line(wearer, now: FleetObserver.now) + "\n")
    }

    /// Reports a connection problem on standard error; does so again only if the reason has changed.
    private func complain(of link: FleetObserver.Link, _ last: inout String?) {
        guard case .away(_, let problem) = link else { return last = nil }
        if last != problem { Terminal.complain("waymark fleet watch: \(problem); connecting again and again") }
        last = problem
    }
}
