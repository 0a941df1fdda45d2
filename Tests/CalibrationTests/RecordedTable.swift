import CZlib
import Geometry
import Model
import Testing
import class Foundation.FileManager
import class Foundation.ProcessInfo

/// Columns of a table that others recorded, read whole; only where `WAYMARK_DATA` or `../shared/data` has it.
struct RecordedTable {
    private let columns: [String: [String]]

    static func has(_ path: String) -> Bool { FileManager.default.fileExists(atPath: folder + "/" + path) }

    private static var folder: String {
        ProcessInfo.processInfo.environment["WAYMARK_DATA"]
            ?? FileManager.default.currentDirectoryPath + "/../shared/data"
    }

    init(_ path: String) throws {
        let file = try #require(gzopen(Self.folder + "/" + path, "rb"))
        defer { gzclose(file) }
        var (text, chunk) = ([UInt8](), [UInt8](repeating: 0, count: 1 << 16))
        while case let count = gzread(file, &chunk, UInt32(chunk.count)), count > 0 { text += chunk[..<Int(count)] }
        let rows = String(decoding: text, as: UTF8.self).split(separator: "\n")
            .map { $0.split(separator: ",", omittingEmptySubsequences: false) }
        let names = try #require(rows.first)
        columns = Dictionary(
            uniqueKeysWithValues: names.indices.map { index in
                (String(names[index]), rows.dropFirst().map { String($0[index]) })
            })
    }

    func text(_ name: String) throws -> [String] { try #require(columns[name]) }

    func numbers(_ name: String) throws -> [Double] { try text(name).map { try #require(Double($0)) } }

    /// Three columns as vectors.
    func vectors(_ x: String, _ y: String, _ z: String) throws -> [Vector3] {
        let (x, y, z) = (try numbers(x), try numbers(y), try numbers(z))
        return x.indices.map { Vector3(x[$0], y[$0], z[$0]) }
    }

    /// Rows of `t_s`, `ax`…`az` and `gx`…`gz` as they would come from sensors.
    func inertialMeasurements() throws -> [Measurement] {
        let (forces, rates) = (try vectors("ax", "ay", "az"), try vectors("gx", "gy", "gz"))
        return try numbers("t_s").enumerated().flatMap { index, seconds in
            let time = BootTime(nanoseconds: Int64((seconds * 1e9).rounded()))
            return [
                Measurement.specificForce(SpecificForceSample(time: time, force: forces[index])),
                .angularRate(AngularRateSample(time: time, rate: rates[index])),
            ]
        }
    }

    /// Rows of `t_s` and `mx`…`mz` as they would come from a sensor.
    func magneticMeasurements() throws -> [Measurement] {
        let fields = try vectors("mx", "my", "mz")
        return try numbers("t_s").enumerated().map { index, seconds in
            let time = BootTime(nanoseconds: Int64((seconds * 1e9).rounded()))
            return .magneticField(MagneticSample(time: time, field: fields[index]))
        }
    }
}
