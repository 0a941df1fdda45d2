import Estimation

/// Scores of public recordings: a table for each set of recordings with the same readings, and their means.
package struct RecordingTable: Sendable {
    /// Recordings in order, each with its readings, or with the reason why it has none.
    package let rows: [(name: String, scores: PublicRecording.Scores?, problem: String?)]

    /// Scores recordings side by side.
    package init(
        _ recordings: [PublicRecording], settings: EstimatorSettings = EstimatorSettings(), jobs: Int
    ) async {
        rows = await Workers.map(recordings.count, jobs: jobs) { index in
            let recording = recordings[index]
            do { return (recording.name, try recording.scores(settings), nil) } catch {
                return (recording.name, nil, "\(error)")
            }
        }
    }

    /// One row for each set, and a row for each recording where they are few or `isComplete`.
    package func text(isComplete: Bool) -> String {
        var lines: [String] = []
        for set in ["indoor20_", "broad_", "drive_rtk", "walk_rtk"] {
            let chosen = rows.filter { $0.name.hasPrefix(set) }
            guard let names = chosen.lazy.compactMap(\.scores).first?.map(\.name) else { continue }
            var table = TextTable(["recordings"] + names)
            if isComplete, chosen.count > 1 {
                for row in chosen { table.add([row.name] + cells(row.scores, names)) }
            }
            let means = names.indices.map { index in
                let spread = Spread(chosen.compactMap { $0.scores?[index].value }.filter(\.isFinite))
                return spread.map { "\($0.mean.text(decimals: 2))±\($0.standardDeviation.text(decimals: 2))" } ?? "-"
            }
            table.add(["\(set)\(chosen.count > 1 ? "* (\(chosen.count))" : "")"] + means)
            lines += [table.text, ""]
        }
        lines += rows.compactMap { row in row.problem.map { "\(row.name): \($0)" } }
        return lines.joined(separator: "\n")
    }

    private func cells(_ scores: PublicRecording.Scores?, _ names: [String]) -> [String] {
        names.indices.map { scores?[$0].value.text(decimals: 2) ?? "-" }
    }
}
