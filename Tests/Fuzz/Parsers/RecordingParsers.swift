import Engine
import Geometry
import Glibc
import Model
import Recording
import Simulation
import TestTools

/// Readers of recordings, with the estimator behind them, which takes what they let through.
let recordingParsers = [
    Parser(name: "csv") { bytes in
        let folder = ScratchFolder()
        // A table each, apart from each other by a form feed, which no table has.
        let tables = bytes.split(separator: 0x0C, maxSplits: tableNames.count - 1, omittingEmptySubsequences: false)
        for (name, table) in zip(tableNames, tables) where !table.isEmpty { write(table, to: "\(folder.path)/\(name)") }
        if let reader = try? SensorFolder(path: folder.path) { replay(reader) }
    },
    Parser(name: "estimator-state") { bytes in
        guard let mutated = mutated(bytes), var odometry = try? Odometry().restored(mutated) else { return }
        for measurement in stateAfter { odometry.feed(measurement) { _ in } }
        _ = odometry.state()
    },
    Parser(name: "mcap") { bytes in
        let folder = ScratchFolder()
        let path = folder.path + "/fuzz.mcap"
        write(bytes[...], to: path)
        if let reader = try? RecordingReader(path: path) { replay(reader) }
        guard let reader = try? RecordingReader(path: path) else { return }
        while (try? reader.nextEntry()) != nil {}
    },
]

private let tableNames = [
    "imu.csv", "mag.csv", "baro.csv", "gnss.csv", "meta.json", "odometry.csv", "positions.csv", "sightings.csv",
    "ranges.csv", "headings.csv", "heights.csv",
]

/// Measurements that reach the estimator: more only make a run slower.
private let maximumMeasurementCount = 200

private func replay(_ reader: any MeasurementReader) {
    var engine = Engine()
    var isPrepared = false
    for _ in 0..<maximumMeasurementCount {
        guard let measurement = try? reader.next() else { return }
        reader.usePlans { engine.use($0) }
        reader.restoreState { state throws(EstimatorStateProblem) in try engine.restore(state) }
        if !isPrepared, let start = reader.warmStart {
            isPrepared = true
            engine.prepare(start)
        }
        engine.feed(measurement) { _ in }
    }
}

private func write(_ bytes: ArraySlice<UInt8>, to path: String) {
    guard let file = fopen(path, "w") else { preconditionFailure("\(path) cannot be written") }
    bytes.withUnsafeBytes { _ = fwrite($0.baseAddress, 1, $0.count, file) }
    fclose(file)
}

/// Real states of an estimator on a walk, and what is measured after the last of them.
private let (states, stateAfter): ([EstimatorState], [Measurement]) = {
    let start = BootTime(nanoseconds: 1_000_000_000_000)
    guard
        var walk = CityWalk(
            settings: CityWalkSettings(seed: 3), start: start, magneticModel: WorldMagneticModel.wmm2025)
    else { preconditionFailure("no walk") }
    var odometry = Odometry()
    var states: [EstimatorState] = []
    for count in 1...20_000 {
        odometry.feed(walk.next()) { _ in }
        if count % 5000 == 0, let state = odometry.state() { states.append(state) }
    }
    return (states, (0..<100).map { _ in walk.next() })
}()

/// A real state with some of its words replaced: the first byte chooses the state, then each twelve bytes are an index,
/// the kind of the change and a word.
private func mutated(_ bytes: [UInt8]) -> EstimatorState? {
    guard let choice = bytes.first else { return nil }
    var state = states[Int(choice) % states.count]
    for start in stride(from: 1, to: bytes.count - 11, by: 12) {
        let index = bytes[start..<(start + 3)].reduce(0) { $0 << 8 | Int($1) } % max(1, state.words.count)
        let word = bytes[(start + 4)..<(start + 12)].reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        switch bytes[start + 3] % 4 {
        case 0: state.words[index] = word
        case 1: state.words[index] ^= 1 << (word & 63)
        case 2: state.words[index] &+= word & 0xFF
        default: state.words.removeLast(min(state.words.count - 1, Int(word & 7)))
        }
    }
    return state
}
