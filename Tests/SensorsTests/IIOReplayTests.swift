import Foundation
import Geometry
import Linux
import Model
import Sensors
import Testing

/// The emulator's play of a recording, end to end: what went in has to come out.
@Suite struct IIOReplayTests {
    private static let devices = #"""
        {"devices": [
          {"name": "accel", "channels": [{"kind": "accel", "format": "le:s32/32>>0", "scale": 1e-6}]},
          {"name": "gyro", "channels": [{"kind": "gyro", "format": "le:s32/32>>0", "scale": 1e-7}]},
          {"name": "magn", "channels": [{"kind": "magn", "format": "be:s32/32>>0", "scale": 1e-7}]},
          {"name": "baro", "channels": [{"kind": "pressure", "format": "le:u32/32>>0", "scale": 1e-6}]}]}
        """#

    @Test("a recording that the emulator plays arrives in its values, order and intervals")
    func plays() throws {
        let directory = FileManager.default.temporaryDirectory
            .appendingPathComponent("waymark-play-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: directory) }
        var lines = ["time_ns,kind,x,y,z"]
        for row in 0..<1000 {
            let time = 1_000_000_000 + row * 10_000_000
            lines.append("\(time),a,\(row)e-3,9.5,-1")
            lines.append("\(time),g,0.25,\(row)e-4,-0.5")
            if row % 2 == 0 { lines.append("\(time),m,20.5,\(row)e-2,-40.25") }
            if row % 10 == 0 { lines.append("\(time),p,\(1000 + row / 10)") }
        }
        let file = directory.appendingPathComponent("play.csv")
        try lines.joined(separator: "\n").write(to: file, atomically: true, encoding: .utf8)
        let emulator = try IIOEmulator(Self.devices, arguments: ["--replay", file.path])
        let running = RunningSource(emulator)
        #expect(running.wait { $0.forces.count >= 100 && $0.rates.count >= 100 && $0.pressures.count >= 5 })
        // Each device joins a play that has begun: the first rows may have gone by.
        let first = (running.forces[0].force.x * 1000).rounded()
        let start = running.forces[0].time
        for sample in running.forces {
            // By its time: a busy machine may lose rows, but alters none.
            let row = first + (sample.time.seconds(since: start) * 100).rounded()
            let expected = Vector3(row * 1e-3, 9.5, -1)
            #expect((sample.force - expected).norm < 2e-6)
        }
        #expect(zip(running.forces.dropFirst(), running.forces).allSatisfy { $0.time > $1.time })
        #expect(running.rates.allSatisfy { abs($0.rate.x - 0.25) < 1e-6 && abs($0.rate.z + 0.5) < 1e-6 })
        #expect(running.fields.allSatisfy { abs($0.field.x - 20.5) < 1e-4 && abs($0.field.z + 40.25) < 1e-4 })
        #expect(running.pressures.allSatisfy { $0.pressureHectopascal >= 1000 })
        let steps = zip(running.forces.dropFirst(), running.forces).map { $0.time.seconds(since: $1.time) }.sorted()
        #expect(abs(steps[steps.count / 2] - 0.01) < 1e-6)
        // All devices share the play's clock: equal rows have equal stamps, whatever the device.
        let byTime = Dictionary(running.forces.map { ($0.time, $0.force.x * 1000) }, uniquingKeysWith: { a, _ in a })
        let shared = running.rates.compactMap { rate in byTime[rate.time].map { ($0, rate.rate.y * 10_000) } }
        #expect(shared.count >= 50)
        #expect(shared.allSatisfy { abs($0 - $1) < 0.01 })
    }
}
