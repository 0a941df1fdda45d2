import Estimation
import Foundation
import Testing

/// The table of docs/supervision.md that says what applies in each regime.
@Suite("The table of the regimes")
struct RegimeTableTests {
    private static let page = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().appending(path: "docs/supervision.md")
    private static let header = """
        | Aiding | Motion | Heading | Horizontal motion | Noise | Levelling | Steps | Assumed | Rest | Fixes correct | Steps \
        correct | Field |
        |---|---|---|---|---|---|---|---|---|---|---|---|

        """

    /// With WAYMARK_RECORD=1 the table is written anew, and the run fails so that it is not taken for a check.
    @Test("is the one that the filter uses")
    func table() throws {
        let page = try String(contentsOf: Self.page, encoding: .utf8)
        let table = Self.header + Row.all.map(\.text).joined()
        if page.contains(table) { return }
        let start = try #require(page.range(of: "| Aiding | Motion |"), "no table in \(Self.page.path)").lowerBound
        let end = page.range(of: "\n\n", range: start..<page.endIndex)?.lowerBound ?? page.endIndex
        if ProcessInfo.processInfo.environment["WAYMARK_RECORD"] == "1" {
            try page.replacingCharacters(in: start..<end, with: table.dropLast())
                .write(to: Self.page, atomically: true, encoding: .utf8)
        }
        Issue.record("the table in \(Self.page.path) is another; WAYMARK_RECORD=1 writes it anew:\n\(table)")
    }

    @Test("has one line for each regime")
    func lines() {
        let regimes = Row.all.flatMap(\.regimes)
        #expect(regimes.count == Regime.all.count / 2)
        #expect(Set(regimes).count == regimes.count)
    }

    @Test("leaves out what follows from one part of the regime alone")
    func parts() {
        for regime in Regime.all {
            let rules = regime.rules
            #expect(rules.hasYaw == (regime.heading != .unknown))
            #expect(rules.searchesYaw == (regime.heading != .known))
            #expect(rules.measuresMotion == (regime.aiding == .satellites))
            #expect(rules.isWalk == (regime.motion == .foot))
            #expect(rules.isVehicle == (regime.motion == .riding))
            #expect(rules.confirmsRest == (regime.motion == .rest))
        }
    }

    @Test("differs by a silent accelerometer in the vertical motion, the levelling and the steps alone")
    func silentForce() {
        for regime in Regime.all where !regime.hasForce {
            var before = regime
            before.hasForce = true
            var expected = before.rules
            expected.process = ProcessModel(
                horizontal: expected.process.horizontal, hasForce: false,
                isNoiseAssumed: expected.process.isNoiseAssumed)
            expected.levelling = .none
            #expect(regime.rules == expected)
        }
    }
}

/// Line of the table: regimes in which the same applies.
private struct Row {
    var aiding: [Regime.Aiding]
    var motion: [Regime.Motion]
    var heading: [Regime.Heading]
    let cells: [String]

    var regimes: [Regime] {
        aiding.flatMap { aiding in
            motion.flatMap { motion in
                heading.map { heading in
                    var regime = Regime()
                    (regime.aiding, regime.motion, regime.heading) = (aiding, motion, heading)
                    return regime
                }
            }
        }
    }

    var text: String {
        let names = [Self.names(aiding), Self.names(motion), Self.names(heading)]
        return "| " + (names + cells).joined(separator: " | ") + " |\n"
    }

    private static func names<Part: CaseIterable>(_ parts: [Part]) -> String {
        parts.count == Part.allCases.count ? "any" : parts.map { "\($0)" }.joined(separator: ", ")
    }

    /// Every line, with neighbours joined where they differ in one part of the regime alone.
    static let all: [Row] = {
        var rows = Regime.Aiding.allCases.flatMap { aiding in
            Regime.Motion.allCases.flatMap { motion in
                Regime.Heading.allCases.map { heading in
                    var regime = Regime()
                    (regime.aiding, regime.motion, regime.heading) = (aiding, motion, heading)
                    return Row(aiding: [aiding], motion: [motion], heading: [heading], cells: regime.rules.cells)
                }
            }
        }
        while let (i, j, joined) = firstPair(of: rows) {
            rows[i] = joined
            rows.remove(at: j)
        }
        return rows
    }()

    private static func firstPair(of rows: [Row]) -> (Int, Int, Row)? {
        for i in rows.indices {
            for j in rows.indices where j > i {
                if let joined = rows[i].joined(with: rows[j]) { return (i, j, joined) }
            }
        }
        return nil
    }

    private func joined(with other: Row) -> Row? {
        guard cells == other.cells else { return nil }
        let differing = [aiding != other.aiding, motion != other.motion, heading != other.heading]
        guard differing.count(where: { $0 }) == 1 else { return nil }
        var joined = self
        if differing[0] { joined.aiding += other.aiding }
        if differing[1] { joined.motion += other.motion }
        if differing[2] { joined.heading += other.heading }
        return joined
    }
}

extension RegimeRules {
    /// What applies, in the words of the table; the columns after the regime.
    fileprivate var cells: [String] {
        [
            "\(process.horizontal)", process.isNoiseAssumed ? "assumed" : "of the sensors", levellingText, "\(steps)",
            assumptionText, boundsRest ? "bounded" : "rejected", Self.states(fixMask), Self.states(stepMask), fieldText,
        ]
    }

    private var levellingText: String {
        switch levelling {
        case .byVelocities: "velocities"
        case .byQuietForce: "force"
        case .byMeanForce: "mean force"
        case .none: "none"
        }
    }

    private var assumptionText: String {
        let assumptions = [(holdsPlace, "place"), (holdsCourse, "course")].filter(\.0).map(\.1)
        return assumptions.isEmpty ? "none" : assumptions.joined(separator: ", ")
    }

    private var fieldText: String {
        if field.learnsHardIron { return "as expected" }
        return field.learnsUniformity ? "always, uniformity" : "always"
    }

    /// Names of the states of a mask, or of those that are missing in it.
    private static func states(_ mask: GainMask) -> String {
        let names: [(GainMask, String)] = [
            (.yaw, "yaw"), (.hardIron, "h"), (.magneticOffset, "o"), (.stepScale, "κ"), (.walkingDirection, "λ"),
            (.velocityDelay, "δ"),
        ]
        if mask == [.position, .gnssError] { return "p, e" }
        let missing = names.filter { mask.isDisjoint(with: $0.0) }
        let rest = names.reduce(GainMask.all) { $0.subtracting($1.0) }
        precondition(mask.isSuperset(of: rest))
        return missing.isEmpty ? "all" : "all but " + missing.map(\.1).joined(separator: ", ")
    }
}
