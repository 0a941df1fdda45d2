/// Tables of the score: means with their spread over the seeds, and the worst spells.
package enum ScoreTable {
    /// Columns of means, each `mean±standard deviation of the mean`.
    private static let means: [Reading] = [
        .horizontal, .withinRadius, .height, .heightWithin, .yaw, .yawWithin, .outageEnd, .outageEndRadii, .reckoned,
    ]

    /// A row for each condition, and one for the mean of the conditions.
    package static func text(_ scores: [ConditionScore]) -> String {
        var table = TextTable(["means"] + means.map(\.rawValue))
        for score in scores { table.add([score.name] + means.map { cell(score.spread($0), $0) }) }
        table.add(["all"] + means.map { reading in cell(whole(scores, reading), reading) })
        var spells = TextTable(["longest spells of any walk"] + Reading.allCases.filter(\.isSpell).map(\.rawValue))
        for score in scores {
            spells.add([score.name] + Reading.allCases.filter(\.isSpell).map { text(score.worst($0), 1) })
        }
        return table.text + "\n\n" + spells.text
    }

    /// Mean over the conditions. Its spread is that over the seeds alone: the conditions are chosen, not drawn.
    package static func whole(_ scores: [ConditionScore], _ reading: Reading) -> Spread? {
        guard let seeds = scores.map(\.walks.count).min() else { return nil }
        return Spread((0..<seeds).compactMap { seed in Spread(scores.compactMap { $0.walks[seed][reading] })?.mean })
    }

    private static func cell(_ spread: Spread?, _ reading: Reading) -> String {
        guard let spread else { return "-" }
        let decimals = reading.isShare ? 2 : reading == .horizontal ? 2 : 1
        return spread.mean.text(decimals: decimals) + "±" + spread.standardDeviation.text(decimals: decimals)
    }

    private static func text(_ value: Double?, _ decimals: Int) -> String { value?.text(decimals: decimals) ?? "-" }
}
