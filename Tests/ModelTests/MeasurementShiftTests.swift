import Geometry
import Model
import Testing

@Suite("Measurements at another time")
struct MeasurementShiftTests {
    private static let fix: GNSSFix = {
        let position = GeodeticPosition(latitudeDegrees: 47, longitudeDegrees: 8, ellipsoidalHeight: 400)!
        return GNSSFix(
            epoch: BootTime(nanoseconds: 1_000), arrival: BootTime(nanoseconds: 1_500), utcSeconds: 1.7e9,
            position: position, hasHeight: true, velocityENU: .init(east: 1, north: nil, up: 0),
            positionSigma: .init(east: 2, north: 2, up: nil), velocitySigma: 0.1)
    }()

    static let all: [Measurement] = [
        .angularRate(AngularRateSample(time: BootTime(nanoseconds: 1_000), rate: Vector3(1, 2, 3))),
        .specificForce(SpecificForceSample(time: BootTime(nanoseconds: 1_000), force: Vector3(1, 2, 3))),
        .magneticField(MagneticSample(time: BootTime(nanoseconds: 1_000), field: Vector3(1, 2, 3))),
        .pressure(PressureSample(time: BootTime(nanoseconds: 1_000), pressureHectopascal: 950)),
        .fix(fix),
        .clock(BootTime(nanoseconds: 1_000)),
        .aid(
            AidMeasurement(
                source: .aid, time: BootTime(nanoseconds: 1_000), arrival: BootTime(nanoseconds: 1_500),
                content: .height(OfferedHeight(height: 400, standardDeviation: 2)))),
    ]

    @Test("every stamp moves, nothing else does", arguments: all)
    func shift(measurement: Measurement) {
        let later = measurement.shifted(by: 250)
        #expect(later.time.nanoseconds == 1_250)
        #expect(later.arrival.nanoseconds == measurement.arrival.nanoseconds + 250)
        #expect(later.shifted(by: -250) == measurement)
    }

    @Test("a stamp stays at the end of its range instead of going round")
    func saturation() {
        #expect(BootTime(nanoseconds: .max).shifted(by: 1).nanoseconds == .max)
        #expect(BootTime(nanoseconds: .min).shifted(by: -1).nanoseconds == .min)
    }
}
