import Geometry
import Model
import Sensors
import Testing

/// How real drivers lay out their scans and mounts, against the real libiio: what no device of the kernel in the guest
/// of Tests/Board has.
@Suite(.serialized) struct IIOPackingTests {
    private func source(_ device: String) throws -> (IIOEmulator, RunningSource) {
        let emulator = try IIOEmulator(#"{"noise": false, "devices": [\#(device)]}"#)
        return (emulator, RunningSource(emulator))
    }

    @Test("a magnetometer that counts in big-endian words in the order x, z, y comes out in its axes")
    func compass() throws {
        // As hmc5843 packs it: gauss by 1/1090.
        let (emulator, running) = try source(
            #"{"name": "hmc5883", "rate": 75, "timestamp": false, "channels": [{"kind": "magn", "#
                + #""format": "be:s16/16>>0", "axes": "xzy", "scale": 0.000917, "value": [12, -43, -20]}]}"#)
        #expect(running.wait { $0.fields.count >= 10 }, "\(running.source.reports)")
        for sample in running.fields {
            // Half a count of 0.09 µT in each axis.
            #expect((sample.field - Vector3(12, -43, -20)).norm < 0.08)
        }
        _ = emulator
    }

    @Test("a scale of the device is that of its channels, and a scale of an axis that of the axis")
    func scales() throws {
        // As cros_ec_sensors and ak8975 have them.
        let (emulator, running) = try source(
            #"{"name": "accel", "scale_attribute": "device", "channels": [{"kind": "accel", "scale": 0.002, "#
                + #""offset": 3, "value": [1, 9.5, -2]}]}, {"name": "magn", "rate": 50, "channels": [{"kind": "magn", "#
                + #""scale": [0.001, 0.002, 0.003], "value": [12, -43, -20]}]}"#)
        #expect(running.wait { $0.forces.count >= 10 && $0.fields.count >= 3 }, "\(running.source.reports)")
        // Half a count in each axis: 1 mm/s²; 0.05, 0.1 and 0.15 µT.
        #expect(running.forces.allSatisfy { ($0.force - Vector3(1, 9.5, -2)).norm < 0.0018 })
        #expect(running.fields.allSatisfy { ($0.field - Vector3(12, -43, -20)).norm < 0.19 })
        _ = emulator
    }

    @Test("a scale of which the kernel prints too few digits is named", arguments: [(6e-9, true), (2.5e-8, false)])
    func coarseScale(scale: Double, isNamed: Bool) throws {
        let (emulator, running) = try source(
            #"{"name": "imu", "channels": [{"kind": "gyro", "format": "be:s32/32>>0", "scale": \#(scale)}]}"#)
        #expect(running.wait { $0.report("imu")?.state == .streaming })
        let detail = running.report("imu")?.detail
        #expect((detail?.contains("too few digits of the scale of anglvel_x: values may be 17 %") == true) == isNamed)
        #expect((detail == nil) == !isNamed)
        _ = emulator
    }

    @Test("one device with three sensors of three packings gives each its own")
    func combined() throws {
        let (emulator, running) = try source(
            #"""
            {"name": "nine", "rate": 100, "channels": [
              {"kind": "magn", "format": "le:s13/16>>3", "scale": 0.001, "value": [20, -43, 5], "junk": true},
              {"kind": "gyro", "format": "le:s32/32>>0", "scale": 1e-6, "value": [0.1, -0.2, 0.3]},
              {"kind": "accel", "format": "be:s12/16>>4", "scale": 0.01, "value": [1, 9.5, -2], "junk": true}]}
            """#)
        #expect(
            running.wait { $0.forces.count >= 20 && $0.rates.count >= 20 && $0.fields.count >= 20 },
            "\(running.source.reports)")
        // Half a count in each axis: 5 mm/s², 0.5 µrad/s, 0.05 µT.
        #expect(running.forces.allSatisfy { ($0.force - Vector3(1, 9.5, -2)).norm < 0.009 })
        #expect(running.rates.allSatisfy { ($0.rate - Vector3(0.1, -0.2, 0.3)).norm < 1e-6 })
        #expect(running.fields.allSatisfy { ($0.field - Vector3(20, -43, 5)).norm < 0.09 })
        let report = try #require(running.report("nine"))
        #expect(report.channels.count == 9 && running.source.reports.count { $0.state == .streaming } == 1)
        #expect(zip(running.forces, running.rates).prefix(20).allSatisfy { $0.time == $1.time })
        _ = emulator
    }

    @Test(
        "a mount matrix that is no rotation is not applied, and the report says what is wrong with it",
        arguments: [
            ("1, 0, 0; 0, 1, 0; 0, 0, -1", "reflection"), ("1, 0, 0; 1, 0, 0; 0, 0, 1", "not orthonormal"),
            ("0, 0, 0; 0, 0, 0; 0, 0, 0", "not orthonormal"), ("2, 0, 0; 0, 2, 0; 0, 0, 2", "not orthonormal"),
            ("upside down", "not three rows"), ("1, 0, 0; 0, 1, 0", "not three rows"),
        ])
    func refusedMount(matrix: String, reason: String) throws {
        let (emulator, running) = try source(
            #"{"name": "imu", "mount_matrix": "\#(matrix)", "channels": [{"kind": "accel", "value": [1, 2, 3]}]}"#)
        #expect(running.wait { $0.forces.count >= 10 && $0.report("imu")?.state == .streaming })
        #expect((running.forces[0].force - Vector3(1, 2, 3)).norm < 0.001)
        let report = try #require(running.report("imu"))
        #expect(report.mountMatrixOrigin == "none")
        #expect(report.detail?.contains(reason) == true, "\(report.detail ?? "no detail")")
        _ = emulator
    }
}
