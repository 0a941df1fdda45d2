import Estimation

/// Readings of one condition over several seeds.
package struct ConditionScore: Sendable {
    /// Name of the condition.
    package let name: String
    /// Readings of each seed, in the order of the seeds.
    package let walks: [Readings]

    /// A score by the readings of the walks.
    package init(name: String, walks: [Readings]) {
        self.name = name
        self.walks = walks
    }

    /// Mean and spread over the walks; nil for a reading that none has.
    package func spread(_ reading: Reading) -> Spread? { Spread(walks.compactMap { $0[reading] }) }

    /// Largest value of any walk.
    package func worst(_ reading: Reading) -> Double? { walks.compactMap { $0[reading] }.max() }
}

extension ConditionScore {
    /// Plays conditions with several seeds each.
    ///
    /// - Parameters:
    ///   - jobs: number of walks at a time; the result does not depend on it.
    ///   - progress: called with the number of walks that are done.
    package static func play(
        _ conditions: [ScoreCondition], seeds: [UInt64], settings: EstimatorSettings = EstimatorSettings(), jobs: Int
    ) async -> [ConditionScore] {
        let walks = await Workers.map(conditions.count * seeds.count, jobs: jobs) { index in
            let condition = conditions[index / seeds.count]
            return SimulatedWalk(condition, seed: seeds[index % seeds.count]).track(settings).readings
        }
        return conditions.indices.map { index in
            let first = index * seeds.count
            return ConditionScore(name: conditions[index].name, walks: Array(walks[first..<(first + seeds.count)]))
        }
    }
}
