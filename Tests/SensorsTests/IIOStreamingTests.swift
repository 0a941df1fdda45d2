import Foundation
import Geometry
import Linux
import Model
import Sensors
import Testing

/// The real libiio over its network backend; each test has a server of its own.
@Suite(.serialized) struct IIOStreamingTests {
    private static let board = #"{"noise": false}"#

    @Test("a board is found by its channels and streams all its kinds")
    func discovers() throws {
        let emulator = try IIOEmulator(Self.board)
        let running = RunningSource(emulator)
        let isComplete = running.wait {
            $0.forces.count >= 100 && $0.rates.count >= 100 && $0.fields.count >= 20 && $0.pressures.count >= 3
        }
        #expect(isComplete, "\(running.source.reports)")
        // Half a count of the emulated sensors: 0.3 mm/s², 0.05 µT, 1.3 Pa.
        let force = try #require(running.forces.first).force
        #expect((force - Vector3(0, 9.80665, 0)).norm < 0.0005)
        let field = try #require(running.fields.first).field
        #expect((field - Vector3(0, -43, -20)).norm < 0.06)
        let pressure = try #require(running.pressures.first).pressureHectopascal
        #expect(abs(pressure - 1013.25) < 0.002)
        let report = try #require(running.report("imu_6axis"))
        #expect(report.state == .streaming && report.identifier == "iio:device0")
        #expect(report.clock == "boottime")
        #expect(report.requestedRate == 200 && report.grantedRate == 200)
        #expect(
            report.channels.map(\.name) == SensorKind.accelerometer.channelNames + SensorKind.gyroscope.channelNames)
        #expect(report.channels.first?.format == "le:s16/16>>0" && report.channels.first?.scale == 0.000598)
        #expect(report.mountMatrixOrigin == "none" && report.dropped == 0)
    }

    @Test("the parts of one scan come together, specific force first, with one stamp")
    func scanOrder() throws {
        let emulator = try IIOEmulator(Self.board)
        let running = RunningSource(emulator)
        #expect(running.wait { $0.rates.count >= 100 })
        let inertial = running.received.filter {
            switch $0 {
            case .specificForce, .angularRate: true
            default: false
            }
        }
        for pair in stride(from: 0, to: inertial.count - 1, by: 2) {
            guard case .specificForce(let force) = inertial[pair], case .angularRate(let rate) = inertial[pair + 1]
            else {
                Issue.record("order broken at \(pair)")
                return
            }
            #expect(force.time == rate.time)
        }
    }

    @Test(
        "stamps are boot time, whatever the clock the driver keeps",
        arguments: [
            ("realtime", "clock_fixed", "realtime"), ("monotonic", "clock_fixed", "monotonic"),
            ("realtime", "noise", "boottime"),
        ])
    func clocks(clock: String, option: String, expected: String) throws {
        let emulator = try IIOEmulator(
            """
            {"noise": false, "devices": [{"name": "imu", "rate": 200, "clock": "\(clock)", "\(option)": true,
              "channels": [{"kind": "accel"}, {"kind": "gyro"}]}]}
            """)
        let running = RunningSource(emulator)
        #expect(running.wait { $0.forces.count >= 60 })
        #expect(running.report("imu")?.clock == expected)
        let now = BootClock.nanoseconds
        let last = try #require(running.forces.last)
        // Not from the future, and of this minute: another clock would be years or hours away.
        #expect(last.time.nanoseconds <= now && now - last.time.nanoseconds < 60_000_000_000)
        let steps = zip(running.forces.dropFirst(), running.forces).map { $0.time.seconds(since: $1.time) }
        // 5 ms by the emulator's schedule; converting a realtime stamp adds the reading of two clocks, now and then
        // late.
        #expect(abs(steps.sorted()[steps.count / 2] - 0.005) < 0.0005)
    }

    @Test("without a timestamp channel samples are stamped on arrival, at an even distance and going forward")
    func arrivalStamps() throws {
        let emulator = try IIOEmulator(
            #"{"devices": [{"name": "imu", "timestamp": false, "channels": [{"kind": "accel"}, {"kind": "gyro"}]}]}"#)
        let running = RunningSource(emulator)
        #expect(running.wait { $0.forces.count >= 100 })
        #expect(running.report("imu")?.clock == "host")
        let times = running.forces.map(\.time)
        #expect(zip(times, times.dropFirst()).allSatisfy { $0 < $1 })
        // wall time: the stamps are of this clock and of no other, which would be off by years.
        #expect(abs(BootClock.nanoseconds - times.last!.nanoseconds) < 60_000_000_000)
    }

    @Test("a timestamp channel that is always 0 counts as none")
    func unsetStamps() throws {
        let emulator = try IIOEmulator(
            #"{"devices": [{"name": "imu", "timestamp_zero": true, "channels": [{"kind": "accel"}]}]}"#)
        let running = RunningSource(emulator)
        #expect(running.wait { $0.forces.count >= 50 })
        // wall time: the stamps are of this clock and of no other, which would be off by years.
        #expect(abs(BootClock.nanoseconds - running.forces.last!.time.nanoseconds) < 60_000_000_000)
    }
}
