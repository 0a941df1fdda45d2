import Engine
import Estimation
import Glibc
import Model
import Recording
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
    Parser(name: "mcap") { bytes in
        let folder = ScratchFolder()
        let path = folder.path + "/fuzz.mcap"
        write(bytes[...], to: path)
        if let reader = try? RecordingReader(path: path) { replay(reader) }
        guard let reader = try? RecordingReader(path: path) else { return }
        while (try? reader.nextEntry()) != nil {}
    },
]

private let tableNames = ["imu.csv", "mag.csv", "baro.csv", "gnss.csv", "meta.json"]

/// Measurements that reach the estimator: more only make a run slower.
private let mostMeasurements = 200

private func replay(_ reader: any MeasurementReader) {
    var engine = Engine()
    var isPrepared = false
    for _ in 0..<mostMeasurements {
        guard let measurement = try? reader.next() else { return }
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
