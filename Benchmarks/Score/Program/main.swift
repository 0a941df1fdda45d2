import Estimation
import Glibc
import Scoring

/// Two sets of seeds that have none in common, for the ablation where none are given.
let ablationSeeds: [[UInt64]] = [[1, 2, 3, 4], [11, 12, 13, 14]]

let processors = max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN)))
let options: ScoreOptions
do {
    options = try ScoreOptions(Array(CommandLine.arguments.dropFirst()), jobs: processors)
} catch {
    print("waymark-score: not understood: \(error.argument)\n\n\(ScoreOptions.usage)")
    exit(2)
}
let conditions = ScoreCondition.all.filter { options.chooses($0.name, by: options.conditions) }
let parts = EstimatorPart.allCases.filter { options.chooses("\($0)", by: options.parts) }
let data = getenv("WAYMARK_DATA").map { String(cString: $0) } ?? "../shared/data"
let recordings = PublicRecording.all(in: data).filter { options.chooses($0.name, by: options.conditions) }

if options.isList {
    print((conditions.map(\.name) + recordings.map(\.name) + parts.map { "\($0)" }).joined(separator: "\n"))
    exit(0)
}
if options.isAblation {
    let sets = options.seeds.isEmpty ? ablationSeeds : options.seeds
    print(await Ablation(conditions, sets: sets, parts: parts, jobs: options.jobs).text)
    exit(0)
}
let seeds = options.seeds.first ?? [1, 2, 3, 4]
var settings = EstimatorSettings()
for part in options.without { settings.parts.remove(part) }
let scores = await ConditionScore.play(conditions, seeds: seeds, settings: settings, jobs: options.jobs)
if !scores.isEmpty { print(ScoreTable.text(scores)) }
var table: RecordingTable?
if !options.isWithoutRecordings {
    if recordings.isEmpty, options.conditions.isEmpty {
        print("\nNo public recordings at \(data): set WAYMARK_DATA, as docs/score.md says")
    }
    let scored = await RecordingTable(recordings, settings: settings, jobs: options.jobs)
    print("\n" + scored.text(isComplete: !options.conditions.isEmpty))
    table = scored
}
if let path = options.json {
    let bytes = ScoreDocument.bytes(scores, seeds: seeds, recordings: table)
    guard let file = fopen(path, "w"), fwrite(bytes, 1, bytes.count, file) == bytes.count, fclose(file) == 0 else {
        print("waymark-score: \(path): \(String(cString: strerror(errno)))")
        exit(1)
    }
}
