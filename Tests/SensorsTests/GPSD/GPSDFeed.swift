import Foundation
import Synchronization

/// The real gpsd with the made-up receiver of Tests/Support/gpsd_feed.py; ends with this object.
final class GPSDFeed: Sendable {
    /// Where gpsd listens, and its receiver's path.
    let port: Int
    let device: String
    private let process: Process
    private let commands: FileHandle
    private let lines: LineCollector

    static let support = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent().appending(path: "Support")

    /// Whether gpsd is installed.
    static var isAvailable: Bool {
        ["/usr/sbin/gpsd", "/usr/local/sbin/gpsd"].contains { FileManager.default.isExecutableFile(atPath: $0) }
    }

    struct Failure: Error, CustomStringConvertible {
        var description: String
    }

    init(_ arguments: [String]) throws {
        process = Process()
        let python = ProcessInfo.processInfo.environment["WAYMARK_PYTHON"] ?? "python3"
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = [python, Self.support.appending(path: "gpsd_feed.py").path] + arguments
        let input = Pipe()
        let output = Pipe()
        process.standardInput = input
        process.standardOutput = output
        try process.run()
        commands = input.fileHandleForWriting
        lines = LineCollector(output.fileHandleForReading)
        guard let line = lines.wait(for: "device "), let port = lines.wait(for: "port ") else {
            process.terminate()
            throw Failure(description: "gpsd_feed.py did not start gpsd")
        }
        self.port = Int(port.dropFirst(5)) ?? 0
        device = String(line.dropFirst(7))
    }

    deinit {
        try? commands.close()
        process.waitUntilExit()
    }

    func tell(_ command: String) throws { try commands.write(contentsOf: Data((command + "\n").utf8)) }

    /// Whether a line beginning with `prefix` came within the time.
    func says(_ prefix: String) -> Bool { lines.wait(for: prefix) != nil }
}

/// Takes lines from a pipe on a thread of its own.
private final class LineCollector: Sendable {
    private let lines = Mutex<[String]>([])

    init(_ handle: FileHandle) {
        let thread = Thread { [self] in
            var rest = Data()
            while true {
                let data = handle.availableData
                if data.isEmpty { return }
                rest.append(data)
                while let end = rest.firstIndex(of: 10) {
                    let line = String(decoding: rest[rest.startIndex..<end], as: UTF8.self)
                    rest = Data(rest[(end + 1)...])
                    lines.withLock { $0.append(line) }
                }
            }
        }
        thread.start()
    }

    func wait(for prefix: String) -> String? {
        var found: String?
        _ = eventually {
            found = lines.withLock { $0.first { $0.hasPrefix(prefix) } }
            return found != nil
        }
        return found
    }
}

/// Waits until something is so; returns whether it came to be. A busy machine may take long: only a failure costs the
/// time.
func eventually(_ isSo: () -> Bool) -> Bool {
    let deadline = Date.now + 180
    while !isSo() {
        if Date.now > deadline { return false }
        usleep(10_000)
    }
    return true
}
