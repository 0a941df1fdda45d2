import Foundation
import Linux
import Model
import Sensors
import Persistence
import Testing

@Suite("The file of the warm start")
struct WarmStartFileTests {
    private let folder: URL
    private let file: WholeFile

    init() throws {
        folder = FileManager.default.temporaryDirectory.appending(path: "waymark-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        file = .warmStart(directory: folder.path)
    }

    private func clean() { try? FileManager.default.removeItem(at: folder) }

    @Test("is read as it was written, and is readable by the daemon alone")
    func written() throws {
        defer { clean() }
        #expect(try file.readWarmStart() == nil)
        try file.replace(with: [1, 2, 3])
        try file.replace(with: [4, 5])
        #expect(try file.readWarmStart() == [4, 5])
        let mode = try FileManager.default.attributesOfItem(atPath: file.path)[.posixPermissions] as? Int
        #expect(mode == 0o600)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["warm-start.json"])
    }

    @Test("what a loss of power left half written harms neither the old nor the new")
    func leftBehind() throws {
        defer { clean() }
        try file.replace(with: [1, 2, 3])
        try Data([9]).write(to: URL(filePath: file.path + ".new"))
        #expect(try file.readWarmStart() == [1, 2, 3])
        try file.replace(with: [4])
        #expect(try file.readWarmStart() == [4])
    }

    @Test("is whole at every instant while it is replaced")
    func atomic() throws {
        defer { clean() }
        let size = 8000
        try file.replace(with: [UInt8](repeating: 0, count: size))
        let (file, stop, failed, done) = (file, StopFlag(), StopFlag(), DispatchSemaphore(value: 0))
        Thread.detachNewThread {
            var round: UInt8 = 0
            do {
                while !stop.isSet {
                    round &+= 1
                    try file.replace(with: [UInt8](repeating: round, count: size))
                }
            } catch {
                failed.set()
            }
            done.signal()
        }
        do {
            defer {
                stop.set()
                done.wait()
            }
            // Until it has been read between many replacements.
            var (reads, seen) = (0, Set<UInt8>())
            while (reads < 200 || seen.count < 20) && !failed.isSet {
                let bytes = try #require(try file.readWarmStart())
                #expect(bytes.count == size && Set(bytes).count == 1)
                seen.formUnion(bytes.prefix(1))
                reads += 1
            }
        }
        #expect(!failed.isSet, "it cannot be replaced")
        try file.replace(with: [UInt8](repeating: 99, count: size))
        #expect(try file.readWarmStart()?.first == 99)
    }

    @Test("a folder, a FIFO or far too much in its place is refused without waiting")
    func hostile() throws {
        defer { clean() }
        mkfifo(file.path, 0o600)
        #expect(throws: WholeFile.Unreadable.self) { try file.readWarmStart() }
        unlink(file.path)
        mkdir(file.path, 0o700)
        #expect(throws: WholeFile.Unreadable.self) { try file.readWarmStart() }
        rmdir(file.path)
        try Data(count: 1 << 22).write(to: URL(filePath: file.path))
        #expect(try file.readWarmStart()?.count == 16 * 1024 + 1)
        try file.setAside()
        #expect(try file.readWarmStart() == nil)
        #expect(FileManager.default.fileExists(atPath: file.damagedPath))
    }
}

@Suite("The age of a warm start")
struct WarmStartAgeTests {
    private let moment = WarmStart.Moment(bootTime: BootTime(nanoseconds: 100_000_000_000), boot: "a", utcSeconds: 1e9)

    private func age(_ bootSeconds: Double, _ boot: String, _ utc: Double) -> Double {
        WarmStartAge.seconds(
            since: moment, bootTime: BootTime(nanoseconds: Int64(bootSeconds * 1e9)), boot: boot, utcSeconds: utc)
    }

    @Test("within one boot the age follows CLOCK_BOOTTIME, whatever the system clock was set to")
    func sameBoot() {
        // Nanoseconds times 1e-9 round in the last bit.
        #expect(abs(age(160, "a", 0) - 60) < 1e-9)
        #expect(abs(age(50, "a", 2e9) + 50) < 1e-9)
    }

    @Test("after another boot a clock without battery cannot make it young")
    func otherBoot() {
        #expect(age(5, "b", 1e9 + 10) == WarmStartAge.minimumAgeAfterReboot)
        #expect(age(5, "b", 1e9 + 86_400) == 86_400)
        #expect(age(5, "b", 1e9 - 10) == WarmStartAge.minimumAgeAfterReboot)
        #expect(age(5, "b", 1e9 - 86_400) == -86_400)
        #expect(age(5, "", 1e9 + 10) == WarmStartAge.minimumAgeAfterReboot)
    }
}

@Suite("Which sensors a warm start belongs to")
struct WarmStartSensorsTests {
    private func report(_ name: String, _ channels: [String], mount: [Double]? = nil) -> DeviceReport {
        var report = DeviceReport(name: name, identifier: "iio:device0", state: .streaming)
        report.channels = channels.map { DeviceReport.Channel(name: $0, format: nil, scale: 1, offset: 0) }
        report.mountMatrix = mount
        return report
    }

    @Test("each by the device that has its channels, with its mount")
    func devices() {
        let sensors = WarmStart.Sensors([
            report("imu", ["accel_x", "anglvel_x"], mount: [1, 0, 0, 0, 1, 0, 0, 0, 1]), report("mag", ["magn_x"]),
        ])
        #expect(sensors.gyroscope == sensors.accelerometer)
        #expect(sensors.gyroscope == "imu [1.0 0.0 0.0 0.0 1.0 0.0 0.0 0.0 1.0]")
        #expect(sensors.magnetometer == "mag")
        var inverted = report("imu", ["accel_x", "anglvel_x"], mount: [1, 0, 0, 0, 1, 0, 0, 0, 1])
        let identity: [Double] = [1, 0, 0, 0, 1, 0, 0, 0, 1]
        inverted.axes = [
            .init(kind: .accelerometer, mountMatrix: identity, origin: "configuration", sign: -1),
            .init(kind: .gyroscope, mountMatrix: identity, origin: "configuration"),
        ]
        let other = WarmStart.Sensors([inverted])
        #expect(other.gyroscope == sensors.gyroscope && other.accelerometer != sensors.accelerometer)
        let turned = WarmStart.Sensors([
            report("imu", ["accel_x", "anglvel_x"], mount: [0, 1, 0, -1, 0, 0, 0, 0, 1]), report("mag", ["magn_x"]),
        ])
        #expect(turned.gyroscope != sensors.gyroscope && turned.magnetometer == sensors.magnetometer)
    }
}
