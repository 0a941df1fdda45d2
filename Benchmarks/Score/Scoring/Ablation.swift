import Estimation

import Glibc

/// What each part of the estimator is worth: the readings without it against those with all parts, walk by walk.
package struct Ablation: Sendable {
    /// What one part changes.
    package struct Row: Sendable {
        /// Name of the part.
        package let name: String
        /// Change of each measure without the part, for each set of seeds; nil where no walk has the reading.
        package let changes: [[Spread?]]
        /// Whether no pose of any walk has changed.
        package let isUntouched: Bool
        /// Condition that the part moves most, and how; nil where none changes in the same sense in every walk.
        package let stronghold: Stronghold?
    }

    /// Condition in which a part has the largest influence that every walk of it shows.
    package struct Stronghold: Sendable {
        /// Name of the condition.
        package let condition: String
        /// What changes.
        package let measure: Measure
        /// Mean change over all walks.
        package let change: Double
    }

    /// Something that is compared: a group of readings, and how one walk's change of them is expressed.
    package enum Measure: String, CaseIterable, Sendable {
        /// Horizontal error. Unit: per cent.
        case horizontal = "place%"
        /// Error of the height. Unit: per cent.
        case height = "height%"
        /// Error of the yaw. Unit: per cent.
        case yaw = "yaw%"
        /// Error after outages. Unit: per cent.
        case outage = "outage%"
        /// Share of time within the published radius. Unit: per cent of the time.
        case radius = "in_radius"
        /// Share of time with the yaw within its accuracy. Unit: per cent of the time.
        case yawAccuracy = "in_yaw"
        /// Share of time with the height within its accuracy. Unit: per cent of the time.
        case heightAccuracy = "in_height"
        /// Sum of the spells of confident error. Unit: seconds.
        case wrong = "wrong_s"
        /// Spells of a uselessly wide radius. Unit: seconds.
        case wide = "wide_s"

        /// Change of one walk; nil where the reading is missing.
        func change(_ without: Readings, _ all: Readings) -> Double? {
            switch self {
            case .horizontal: Self.percent(without[.horizontal], all[.horizontal], minimum: 0.5)
            case .height: Self.percent(without[.height], all[.height], minimum: 0.5)
            case .yaw: Self.percent(without[.yaw], all[.yaw], minimum: 0.5)
            case .outage: Self.percent(without[.outageEnd], all[.outageEnd], minimum: 1)
            case .radius: Self.difference(without[.withinRadius], all[.withinRadius], 100)
            case .yawAccuracy: Self.difference(without[.yawWithin], all[.yawWithin], 100)
            case .heightAccuracy: Self.difference(without[.heightWithin], all[.heightWithin], 100)
            case .wrong: Self.difference(Self.wrong(without), Self.wrong(all), 1)
            case .wide: Self.difference(without[.wide], all[.wide], 1)
            }
        }

        private static func wrong(_ readings: Readings) -> Double {
            [.yawWrong, .farWrong, .runsAway, .tilted].reduce(0) { $0 + (readings[$1] ?? 0) }
        }

        /// Logarithm of the ratio, so that conditions of all sizes count alike. Errors below `minimum` count as that.
        private static func percent(_ without: Double?, _ all: Double?, minimum: Double) -> Double? {
            guard let without, let all else { return nil }
            return 100 * log(max(minimum, without) / max(minimum, all))
        }

        private static func difference(_ without: Double?, _ all: Double?, _ scale: Double) -> Double? {
            guard let without, let all else { return nil }
            return scale * (without - all)
        }
    }

    /// Sets of seeds.
    package let sets: [[UInt64]]
    /// A row for each part.
    package let rows: [Row]

    /// Plays every condition with every seed, with all parts and without each.
    ///
    /// - Parameter jobs: number of walks at a time; the result does not depend on it.
    package init(
        _ conditions: [ScoreCondition], sets: [[UInt64]], parts: [EstimatorPart], jobs: Int
    ) async {
        self.sets = sets
        let seeds = sets.flatMap { $0 }
        let walks = await Workers.map(conditions.count * seeds.count, jobs: jobs) { index in
            let walk = SimulatedWalk(conditions[index / seeds.count], seed: seeds[index % seeds.count])
            return Self.compare(walk, parts)
        }
        rows = parts.indices.map { part in
            let all = walks.map(\.readings)
            let changes = sets.indices.map { set in
                let first = sets[..<set].reduce(0) { $0 + $1.count }
                let chosen = walks.indices.filter { (first..<(first + sets[set].count)).contains($0 % seeds.count) }
                return Measure.allCases.map { measure in
                    Spread(chosen.compactMap { measure.change(walks[$0].without[part], all[$0]) })
                }
            }
            return Row(
                name: "\(parts[part])", changes: changes, isUntouched: walks.allSatisfy { $0.untouched[part] },
                stronghold: Self.stronghold(of: part, walks, conditions.map(\.name)))
        }
    }

    /// Least change in a single condition that is shown. Unit: per cent, or seconds.
    private static let minimumShown = 2.0

    /// - Parameter walks: of each condition in turn, as many of each.
    private static func stronghold(of part: Int, _ walks: [Walk], _ names: [String]) -> Stronghold? {
        var best: (minimum: Double, found: Stronghold)?
        for (index, name) in names.enumerated() {
            let count = walks.count / names.count
            let chosen = walks[(index * count)..<((index + 1) * count)]
            for measure in Measure.allCases {
                let changes = chosen.compactMap { measure.change($0.without[part], $0.readings) }
                let isSame = changes.allSatisfy { $0 > 0 } || changes.allSatisfy { $0 < 0 }
                guard isSame, let minimum = changes.map(\.magnitude).min(), let mean = Spread(changes)?.mean,
                    minimum >= max(minimumShown, best?.minimum ?? 0)
                else { continue }
                best = (minimum, Stronghold(condition: name, measure: measure, change: mean))
            }
        }
        return best?.found
    }

    private struct Walk: Sendable {
        var readings: Readings
        var without: [Readings] = []
        var untouched: [Bool] = []
    }

    private static func compare(_ walk: SimulatedWalk, _ parts: [EstimatorPart]) -> Walk {
        let all = walk.track()
        var compared = Walk(readings: all.readings)
        for part in parts {
            var settings = EstimatorSettings()
            settings.parts.remove(part)
            let track = walk.track(settings)
            let isUntouched = track == all
            compared.without.append(isUntouched ? compared.readings : track.readings)
            compared.untouched.append(isUntouched)
        }
        return compared
    }
}

extension Ablation.Row {
    /// Number of standard deviations of the mean beyond which a change is no chance.
    private static let gate = 2.0
    /// Least change that means anything, whatever the spread. Units: those of the measures.
    private static let minimum = 0.05

    /// Measures that change beyond the spread, with the same sign, on every set of seeds; each with that sign.
    package var moved: [(measure: Ablation.Measure, isLarger: Bool)] {
        Ablation.Measure.allCases.enumerated().compactMap { index, measure in
            let spreads = changes.compactMap { $0[index] }
            guard spreads.count == changes.count, spreads.allSatisfy(Self.isBeyondSpread),
                spreads.allSatisfy({ $0.mean > 0 }) || spreads.allSatisfy({ $0.mean < 0 })
            else { return nil }
            return (measure, spreads[0].mean > 0)
        }
    }

    /// Whether any measure changes beyond the spread on any set of seeds.
    package var isTouched: Bool { changes.contains { $0.contains { $0.map(Self.isBeyondSpread) ?? false } } }

    private static func isBeyondSpread(_ spread: Spread) -> Bool {
        spread.mean.magnitude > max(minimum, gate * spread.standardDeviation)
    }

    /// Verdict: the measures that are larger (+) or smaller (-) without the part on all sets.
    package var verdict: String {
        if isUntouched { return "no pose changed" }
        if !isTouched { return "nothing" }
        return moved.isEmpty
            ? "one set only"
            : moved.map { $0.measure.rawValue + ($0.isLarger ? "+" : "-") }
                .joined(separator: " ")
    }

    /// Where the part matters most.
    package var strongholdText: String {
        guard let stronghold else { return "-" }
        let sign = stronghold.change > 0 ? "+" : ""
        return "\(stronghold.condition): \(stronghold.measure.rawValue) \(sign)\(stronghold.change.text(decimals: 0))"
    }
}

extension Ablation {
    /// A table for each set of seeds, the verdicts over all of them, and the parts that move nothing.
    package var text: String {
        var lines: [String] = []
        for set in sets.indices {
            let seeds = sets[set].map { "\($0)" }.joined(separator: ",")
            var table = TextTable(["without, seeds \(seeds)"] + Measure.allCases.map(\.rawValue))
            for row in rows { table.add([row.name] + row.changes[set].map(Self.cell)) }
            lines += [table.text, ""]
        }
        var verdicts = TextTable(["without", "moves on all sets", "most, in every walk"])
        for row in rows { verdicts.add([row.name, row.verdict, row.strongholdText]) }
        let idle = rows.filter { !$0.isTouched }
        lines += [verdicts.text, "", "Move nothing beyond the spread on any set: " + Self.list(idle)]
        lines.append("Of these without a condition of their own: " + Self.list(idle.filter { $0.stronghold == nil }))
        return lines.joined(separator: "\n")
    }

    private static func list(_ rows: [Row]) -> String {
        rows.isEmpty ? "none" : rows.map(\.name).joined(separator: ", ")
    }

    private static func cell(_ spread: Spread?) -> String {
        guard let spread else { return "-" }
        return spread.mean.text(decimals: 1) + "±" + spread.standardDeviation.text(decimals: 1)
    }
}
