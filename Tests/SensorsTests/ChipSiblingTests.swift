import Foundation
import Geometry
import Sensors
import Testing

/// Mount matrices of sensors that have none of their own.
@Suite(.serialized) struct ChipSiblingTests {
    @Test(
        "names of one chip differ in the sensor alone",
        arguments: [
            ("lsm6dso_accel", "lsm6dso_gyro", true), ("icm42605-gyro", "icm42605-accel", true),
            ("lsm6dso_accel", "lsm6dsl_gyro", false), ("accel_3d", "gyro_3d", false), ("imu", "imu", false),
            ("_accel", "_gyro", false), ("lsm6dso_accel", "lsm6dso_magn", false),
        ])
    func names(a: String, b: String, isOne: Bool) {
        #expect(ChipSiblings.haveOneChip(a, b) == isOne && ChipSiblings.haveOneChip(b, a) == isOne)
        #expect(!ChipSiblings.haveOneChip(a, nil))
    }

    @Test("local devices are one chip where their links lead into the folder of one device of a bus")
    func parents() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString).path
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let links = folder + "/links"
        for (number, chip) in ["1-006a", "1-006a", "1-006b"].enumerated() {
            let device = "\(folder)/i2c-1/\(chip)/iio:device\(number)"
            try FileManager.default.createDirectory(atPath: device, withIntermediateDirectories: true)
            try FileManager.default.createDirectory(atPath: links, withIntermediateDirectories: true)
            try FileManager.default.createSymbolicLink(
                atPath: "\(links)/iio:device\(number)", withDestinationPath: device)
        }
        #expect(ChipSiblings.haveOneParent("iio:device0", "iio:device1", in: links))
        #expect(!ChipSiblings.haveOneParent("iio:device0", "iio:device2", in: links))
        #expect(!ChipSiblings.haveOneParent("iio:device0", "iio:device7", in: links))
    }

    private static let turned = [0.0, 1, 0, 0, 0, 1, 1, 0, 0]

    private func axes(
        _ devices: String, matrices: [SensorKind: MountMatrix] = [:], names: [SensorKind: String] = [:]
    ) throws -> [SensorKind: DeviceReport.Axes] {
        let emulator = try IIOEmulator(#"{"noise": false, "devices": [\#(devices)]}"#)
        var settings = IIOSettings()
        settings.contextURI = emulator.uri
        settings.mountMatrices = matrices
        settings.deviceNames = names
        let running = RunningSource(settings)
        let kinds = ["accel", "gyro", "magn"].filter { devices.contains("\"kind\": \"\($0)\"") }.count
        #expect(eventually { running.source.reports.flatMap(\.axes).count == kinds })
        let found = running.source.reports.flatMap(\.axes)
        return Dictionary(found.map { ($0.kind, $0) }, uniquingKeysWith: { first, _ in first })
    }

    private static let accelerometer =
        #""channels": [{"kind": "accel", "value": [1, 2, 3]}], "mount_style": "attribute", "#
        + #""mount_matrix": "0, 1, 0; 0, 0, 1; 1, 0, 0""#
    private static let gyroscope = #""channels": [{"kind": "gyro", "value": [0.1, 0.2, 0.3]}]"#
    private static let magnetometer = #""channels": [{"kind": "magn"}]"#

    @Test("a gyroscope has the matrix of the accelerometer of its chip, a magnetometer behind it has not")
    func inherited() throws {
        let found = try axes(
            #"""
            {"name": "lsm6dso_accel", \#(Self.accelerometer)}, {"name": "lsm6dso_gyro", \#(Self.gyroscope)},
            {"name": "lsm6dso_magn", \#(Self.magnetometer)}
            """#)
        #expect(found[.accelerometer]?.origin == "device" && found[.accelerometer]?.mountMatrix == Self.turned)
        #expect(found[.gyroscope]?.origin == "sibling" && found[.gyroscope]?.mountMatrix == Self.turned)
        #expect(found[.magnetometer]?.origin == "none")
    }

    @Test("sensors of one device share a matrix that is given to one of them")
    func sameDevice() throws {
        let matrix = try MountMatrix(Self.turned)
        let found = try axes(
            #"{"name": "imu", "channels": [{"kind": "accel"}, {"kind": "gyro"}, {"kind": "magn"}]}"#,
            matrices: [.gyroscope: matrix])
        #expect(found[.accelerometer]?.origin == "sibling" && found[.accelerometer]?.mountMatrix == Self.turned)
        #expect(found[.gyroscope]?.origin == "configuration")
        #expect(found[.magnetometer]?.origin == "none")
    }

    @Test("what a driver says for want of a matrix gives way to the chip's, a matrix of its own does not")
    func identity() throws {
        func gyroscope(_ matrix: String) throws -> DeviceReport.Axes? {
            try axes(
                #"""
                {"name": "lsm6dso_accel", \#(Self.accelerometer)},
                {"name": "lsm6dso_gyro", \#(Self.gyroscope), "mount_matrix": "\#(matrix)"}
                """#)[.gyroscope]
        }
        #expect(try gyroscope("1, 0, 0; 0, 1, 0; 0, 0, 1")?.origin == "sibling")
        let own = try gyroscope("-1, 0, 0; 0, -1, 0; 0, 0, 1")
        #expect(own?.origin == "device" && own?.mountMatrix == [-1, 0, 0, 0, -1, 0, 0, 0, 1])
    }

    @Test("another chip gives no matrix, nor do two of one name, nor one that is not the device of the settings")
    func strangers() throws {
        let accelerometer = #"{"name": "lsm6dso_accel", \#(Self.accelerometer)}"#
        let gyroscope = #"{"name": "lsm6dso_gyro", \#(Self.gyroscope)}"#
        let other = #"{"name": "lsm6dsl_gyro", \#(Self.gyroscope)}"#
        #expect(try axes("\(accelerometer), \(other)")[.gyroscope]?.origin == "none")
        #expect(try axes("\(accelerometer), \(gyroscope), \(accelerometer)")[.gyroscope]?.origin == "none")
        let plain = #"{"name": "lsm6dso_accel", "channels": [{"kind": "accel"}]}"#
        let found = try axes(
            #"\#(plain), \#(gyroscope), {"name": "bmi160", "channels": [{"kind": "accel"}]}"#,
            matrices: [.accelerometer: try MountMatrix(Self.turned)], names: [.accelerometer: "bmi160"])
        #expect(found[.accelerometer]?.origin == "configuration" && found[.gyroscope]?.origin == "none")
    }
}
