import Bridges
import Testing
import WaymarkInterface

@Suite("Readings of net.hadess.SensorProxy")
struct SensorReadingsTests {
    private static let second: Int64 = 1_000_000_000

    @Test("the first pose brings both sensors, orientation, tilt and heading")
    func first() {
        var readings = SensorReadings()
        #expect(readings.update(nil, at: 0) == [])
        let changes = readings.update(SensorProxyPoses.pose(azimuth: 42.4), at: 0)
        #expect(changes == [.hasAccelerometer, .hasCompass, .orientation, .tilt, .heading])
        #expect(readings.isPresent)
        #expect(readings.device.orientation == .normal && readings.device.tilt == .vertical)
        #expect(readings.heading == 42)
    }

    @Test("without poses the sensors are gone, and nothing is known")
    func gone() {
        var readings = SensorReadings()
        _ = readings.update(SensorProxyPoses.pose(), at: 0)
        #expect(
            readings.update(nil, at: 1) == [.hasAccelerometer, .hasCompass, .orientation, .tilt, .heading])
        #expect(!readings.isPresent && readings.heading == -1)
        #expect(readings.device.orientation == .undefined && readings.device.tilt == .undefined)
    }

    @Test("the same pose changes nothing")
    func same() {
        var readings = SensorReadings()
        _ = readings.update(SensorProxyPoses.pose(azimuth: 10), at: 0)
        for round in 1...10 {
            #expect(readings.update(SensorProxyPoses.pose(azimuth: 10), at: Int64(round) * Self.second) == [])
        }
    }

    @Test("an orientation that is invalid is undefined")
    func invalid() {
        var readings = SensorReadings()
        _ = readings.update(SensorProxyPoses.pose(quality: .invalid), at: 0)
        #expect(readings.isPresent && readings.device.orientation == .undefined)
    }

    @Test("headings are whole degrees below 360, and one between two of them does not alternate")
    func rounding() {
        var readings = SensorReadings()
        _ = readings.update(SensorProxyPoses.pose(azimuth: 359.6), at: 0)
        #expect(readings.heading == 0)
        var now = Self.second
        for azimuth in [0.4, 0.6, 0.4, 0.6, -0.6, 0.7] {
            #expect(readings.update(SensorProxyPoses.pose(azimuth: azimuth), at: now) == [])
            now += Self.second
        }
        #expect(readings.update(SensorProxyPoses.pose(azimuth: 0.8), at: now) == .heading)
        #expect(readings.heading == 1)
    }

    @Test("a display that turns changes its heading five times per second at most")
    func rate() {
        var readings = SensorReadings()
        var count = 0
        // A turn of 90° per second, looked at a hundred times per second, for ten seconds.
        for step in 0..<1000 {
            let changes = readings.update(
                SensorProxyPoses.pose(azimuth: 0.9 * Double(step)), at: Int64(step) * 10_000_000)
            if changes.contains(.heading) { count += 1 }
        }
        #expect((45...50).contains(count))
    }
}
