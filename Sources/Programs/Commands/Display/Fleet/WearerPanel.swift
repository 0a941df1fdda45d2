import Fleet
import WaymarkInterface

struct WearerPanel: Sendable {
    let wearer: ObservedWearer
    /// Current time by this computer's clock.
    let now: UTCTime
    let area: CellArea

    func draw(into grid: inout CellGrid) {
        for (row, line) in lines.enumerated() { grid.put(line.text, in: area, row: row, line.ink) }
    }

    /// Lines, most important first.
    private var lines: [(text: String, ink: Ink)] {
        let condition = WearerCondition(wearer, now: now)
        var lines: [(String, Ink)] = [
            ("\(wearer.identifier): \(([condition.text] + circumstances).joined(separator: ", "))", .strong)
        ]
        if let pose = wearer.pose {
            lines.append(("\(FleetText.position(pose))  \(FleetText.heading(pose))", .plain))
            lines.append((FleetText.age(of: pose, now: now) + clock(of: pose), pose.delay == nil ? .plain : .warning))
        }
        if let event = wearer.event { lines.append((FleetText.event(event, now: now), .plain)) }
        lines += (wearer.health?.advice ?? []).map { ("advice: \(OutsideText.line($0))", .warning) }
        lines += reasons.map { ($0, .warning) }
        if let queue { lines.append(queue) }
        return lines
    }

    private var circumstances: [String] {
        guard let state = wearer.state, state.isOnline else { return [] }
        let words = [
            state.motion.map { OutsideText.line($0.description) }, state.readiness.map { "scene \($0)" },
            state.route.map { "route \($0)" }, state.version.map { "version \($0)" },
        ]
        return words.compactMap { $0.map(OutsideText.line) }
    }

    private var reasons: [String] {
        guard let reasons = wearer.state?.reasons else { return [] }
        return Words.explanations(of: reasons) + reasons.unknown.prefix(3).map(OutsideText.line)
    }

    /// Note for a board whose clock is not synchronised, since its poses may have any time.
    private func clock(of pose: ObservedPose) -> String {
        pose.clock == "unsynchronized" ? ", by a clock that is not synchronised" : ""
    }

    private var queue: (String, Ink)? {
        guard let health = wearer.health else { return nil }
        let lost = health.droppedPoses + health.lostEvents
        let text =
            "queue: \(health.waiting) wait, \(health.droppedPoses) poses dropped, \(health.lostEvents) events lost"
        return (text, lost > 0 ? .warning : .faint)
    }
}
