import Geometry
import Model
import Testing

@Suite("The range of measurements")
struct MeasurementRangeTests {
    private static let beyond = [
        Double.nan, .infinity, -.infinity, 1e20, 1e308, -1e308, .greatestFiniteMagnitude,
    ]

    @Test("holds what is measured", arguments: MeasurementShiftTests.all)
    func usual(measurement: Measurement) {
        #expect(measurement.isInRange)
        #expect(!measurement.shifted(by: .max).isInRange)
    }

    @Test("ends before values that are not finite or beyond any sensor", arguments: beyond)
    func samples(value: Double) {
        let time = BootTime(nanoseconds: 0)
        for vector in [Vector3(value, 0, 0), Vector3(0, value, 0), Vector3(0, 0, value)] {
            #expect(!Measurement.angularRate(AngularRateSample(time: time, rate: vector)).isInRange)
            #expect(!Measurement.specificForce(SpecificForceSample(time: time, force: vector)).isInRange)
            #expect(!Measurement.magneticField(MagneticSample(time: time, field: vector)).isInRange)
        }
        #expect(!Measurement.pressure(PressureSample(time: time, pressureHectopascal: value)).isInRange)
        #expect(!Measurement.pressure(PressureSample(time: time, pressureHectopascal: 0)).isInRange)
    }

    @Test("holds for each number of a fix that is computed with", arguments: beyond)
    func fixes(value: Double) throws {
        guard case .fix(let fix) = try #require(MeasurementShiftTests.all.first { $0.isFix }) else { return }
        let changes: [(inout GNSSFix) -> Void] = [
            { $0.position.latitudeDegrees = value }, { $0.position.longitudeDegrees = value },
            { $0.position.ellipsoidalHeight = value }, { $0.velocityENU.east = value },
            { $0.velocityENU.north = value }, { $0.velocityENU.up = value }, { $0.positionSigma.east = value },
            { $0.positionSigma.north = value }, { $0.positionSigma.up = value }, { $0.velocitySigma = value },
            { $0.antennaInBody.x = value }, { $0.antennaInBody.y = value }, { $0.antennaInBody.z = value },
        ]
        for change in changes {
            var changed = fix
            change(&changed)
            #expect(!changed.isInRange)
        }
        // What is only learned on the way is checked where it is learned.
        var changed = fix
        changed.utcSeconds = value
        changed.geoidSeparation = value
        #expect(changed.isInRange)
    }
}

extension Measurement {
    fileprivate var isFix: Bool { if case .fix = self { true } else { false } }
}
