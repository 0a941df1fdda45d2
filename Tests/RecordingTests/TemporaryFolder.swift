import Foundation
import Model

/// A folder of a test's own; it goes when the test ends.
final class TemporaryFolder: Sendable {
    let path: String

    init() {
        path = FileManager.default.temporaryDirectory.appendingPathComponent("waymark-\(UUID().uuidString)").path
        try! FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    func file(_ name: String) -> String { "\(path)/\(name)" }

    func write(_ text: String, to name: String) { write(Data(text.utf8), to: name) }

    func write(_ data: Data, to name: String) { try! data.write(to: URL(fileURLWithPath: file(name))) }

    func read(_ name: String) -> Data { try! Data(contentsOf: URL(fileURLWithPath: file(name))) }
}

/// The folder with recordings of others: `WAYMARK_DATA`, or `../shared/data` beside the package.
enum RecordingData {
    static let folder =
        ProcessInfo.processInfo.environment["WAYMARK_DATA"]
        ?? FileManager.default.currentDirectoryPath + "/../shared/data"

    static func has(_ name: String) -> Bool { FileManager.default.fileExists(atPath: "\(folder)/\(name)") }
}

// Foundation has a type of that name too; in this module it is ours.
typealias Measurement = Model.Measurement
