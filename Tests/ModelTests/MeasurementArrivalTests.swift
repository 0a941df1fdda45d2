import Geometry
import Model
import Testing

@Suite("Measurement: time and arrival")
struct MeasurementArrivalTests {
    let early = BootTime(nanoseconds: 1_000)
    let late = BootTime(nanoseconds: 300_000_000)

    @Test("a fix speaks of its epoch and counts from its arrival")
    func fix() throws {
        let position = try #require(
            GeodeticPosition(latitudeDegrees: 1, longitudeDegrees: 2, ellipsoidalHeight: 3))
        let fix = Measurement.fix(
            GNSSFix(
                epoch: early, arrival: late, utcSeconds: nil, position: position, hasHeight: false,
                velocityENU: .init(east: nil, north: nil, up: nil),
                positionSigma: .init(east: nil, north: nil, up: nil), velocitySigma: nil))
        #expect(fix.time == early)
        #expect(fix.arrival == late)
    }

    @Test("an offer speaks of its own time and counts from its arrival")
    func aid() {
        let content = AidMeasurement.Content.heading(OfferedHeading(azimuth: 1, standardDeviation: 1))
        let aid = Measurement.aid(AidMeasurement(source: .aid, time: early, arrival: late, content: content))
        #expect(aid.time == early && aid.arrival == late)
    }

    @Test("every other measurement arrives when it was taken")
    func others() {
        let measurements: [Measurement] = [
            .angularRate(.init(time: late, rate: .zero)), .specificForce(.init(time: late, force: .zero)),
            .magneticField(.init(time: late, field: .zero)),
            .pressure(.init(time: late, pressureHectopascal: 960)), .clock(late),
        ]
        for measurement in measurements {
            #expect(measurement.time == late)
            #expect(measurement.arrival == late)
        }
    }
}
