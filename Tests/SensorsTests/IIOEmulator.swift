import Foundation
import Linux
import Model
import Sensors

/// The IIO server of Tests/Support in a process of its own, for one test.
final class IIOEmulator {
    private(set) var port: Int
    private let configuration: String
    private let arguments: [String]
    private var process: Process
    private var control: FileHandle
    private var answers: FileHandle

    /// - Parameter configuration: JSON, as the emulator's head describes it.
    init(_ configuration: String, arguments: [String] = []) throws {
        self.configuration = configuration
        self.arguments = arguments
        (process, control, answers, port) = try Self.launch(configuration, arguments, port: 0)
    }

    deinit { kill() }

    var uri: String { "ip:127.0.0.1:\(port)" }

    func kill() {
        guard process.isRunning else { return }
        Foundation.kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
    }

    func restart() throws {
        kill()
        (process, control, answers, port) = try Self.launch(configuration, arguments, port: port)
    }

    /// Sends a control command and waits until it is in effect.
    func command(_ json: String) throws {
        try control.write(contentsOf: Data((json + "\n").utf8))
        let answer = Self.line(answers)
        if answer != "ok" { throw Failure(text: answer) }
    }

    struct Failure: Error { var text: String }

    private static func launch(
        _ configuration: String, _ arguments: [String], port: Int
    ) throws -> (Process, FileHandle, FileHandle, Int) {
        let process = Process()
        let script = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .appendingPathComponent("Support/iiod_emulator.py").path
        let python = ProcessInfo.processInfo.environment["WAYMARK_PYTHON"] ?? "python3"
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = [python, script, "--port", "\(port)", "--control", "--json", configuration] + arguments
        let (input, output) = (Pipe(), Pipe())
        process.standardInput = input
        process.standardOutput = output
        try process.run()
        let words = line(output.fileHandleForReading).split(separator: " ")
        guard words.first == "port", let chosen = words.last.flatMap({ Int($0) }) else {
            throw Failure(text: "the emulator did not start")
        }
        return (process, input.fileHandleForWriting, output.fileHandleForReading, chosen)
    }

    private static func line(_ handle: FileHandle) -> String {
        var bytes: [UInt8] = []
        while let byte = (try? handle.read(upToCount: 1))?.first, byte != 10 { bytes.append(byte) }
        return String(decoding: bytes, as: UTF8.self)
    }
}

/// A source that runs against an emulator, and what it delivered.
final class RunningSource {
    let source: IIOSource
    let queue: MeasurementQueue
    private(set) var received: [Model.Measurement] = []

    init(_ settings: IIOSettings, capacity: Int = 20_000) {
        queue = MeasurementQueue(capacity: capacity, wake: EventDescriptor())
        source = IIOSource(settings: settings, queue: queue)
        source.start()
    }

    convenience init(_ emulator: IIOEmulator) {
        var settings = IIOSettings()
        settings.contextURI = emulator.uri
        self.init(settings)
    }

    deinit { source.stop() }

    /// Takes what came until `condition` holds; false when it never did.
    func wait(until condition: (RunningSource) -> Bool) -> Bool {
        eventually {
            take()
            return condition(self)
        }
    }

    func take() {
        while let measurement = queue.pop() { received.append(measurement) }
    }

    func forget() {
        take()
        received = []
    }

    func report(_ name: String) -> DeviceReport? { source.reports.first { $0.name == name } }

    var forces: [SpecificForceSample] {
        received.compactMap { if case .specificForce(let sample) = $0 { sample } else { nil } }
    }
    var rates: [AngularRateSample] {
        received.compactMap { if case .angularRate(let sample) = $0 { sample } else { nil } }
    }
    var fields: [MagneticSample] {
        received.compactMap { if case .magneticField(let sample) = $0 { sample } else { nil } }
    }
    var pressures: [PressureSample] {
        received.compactMap { if case .pressure(let sample) = $0 { sample } else { nil } }
    }
}

/// Number of sockets of this computer connected to a port of 127.0.0.1, including those closed by the other end only.
///
/// The process's own descriptors cannot be counted: other tests run beside this one.
func openConnections(to port: Int) -> Int { connectionPorts(to: port).count }

/// Addresses of these sockets, by which one that was closed and opened again is another.
func connectionPorts(to port: Int) -> Set<Substring> {
    let table = String(decoding: contents(of: "/proc/net/tcp"), as: UTF8.self)
    let remote = "0100007F:" + String(format: "%04X", port)
    // The columns: number, local address, remote address, state; 06 is TIME_WAIT, which no process holds.
    let rows = table.split(separator: "\n").map { $0.split(separator: " ") }
    return Set(rows.filter { $0.count > 3 && $0[2] == remote && $0[3] != "06" }.map { $0[1] })
}

/// Read to the end: files in /proc say that they are empty, and give a page at a time.
private func contents(of path: String) -> [UInt8] {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return [] }
    defer { close(descriptor) }
    var bytes: [UInt8] = []
    var page = [UInt8](repeating: 0, count: 65536)
    while case let count = read(descriptor, &page, page.count), count > 0 { bytes += page[..<count] }
    return bytes
}
