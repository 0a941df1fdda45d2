import Estimation
import EstimatorFixtures
import Geometry
import Model
import Engine
import Testing

/// A walk to which something happens, and what is said of it.
struct Situation: Sendable, CustomTestStringConvertible {
    var name: String
    /// When the pose is looked at. Unit: seconds.
    var seconds = 40.0
    var settings = EstimatorSettings.calibrated
    var state: TrackingState
    var reasons: LimitingReasons = []
    /// Reasons that must not be there.
    var absent: LimitingReasons = []
    var advice: [Advice]
    /// Of each measurement, given its time; nil takes it away.
    var change: @Sendable (Measurement, Double) -> Measurement?

    var testDescription: String { name }

    static let all = [
        Situation(
            name: "all is well", seconds: 45, state: .localized,
            absent: [
                .noMagneticData, .noGNSSData, .headingUnknown, .gyroBiasUncertain, .implausibleAccelerometer,
                .implausibleGyroscope, .implausibleMagnetometer, .inertialGap, .clockStepped, .magneticDisturbance,
            ], advice: []
        ) { measurement, _ in measurement },
        Situation(
            name: "just begun", seconds: 0.3, state: .initializing,
            reasons: [.headingUncertain, .positionUncertain, .gyroBiasUncertain],
            absent: [.noMagneticData, .noGNSSData], advice: [.standStill, .waitForPosition]
        ) { measurement, _ in measurement },
        Situation(
            name: "no receiver", state: .aligning, reasons: [.noGNSSData, .positionUncertain],
            absent: [.noMagneticData, .headingUnknown], advice: [.standStill, .goOutside]
        ) { measurement, _ in measurement.isFix ? nil : measurement },
        Situation(
            name: "a receiver that falls silent", seconds: 45, state: .localized, reasons: .noGNSSData,
            advice: [.goOutside]
        ) { measurement, t in measurement.isFix && t > 35 ? nil : measurement },
        Situation(
            name: "no satellites for a minute", seconds: 100, state: .limited,
            reasons: [.noGNSSData, .positionUncertain], advice: [.goOutside]
        ) { measurement, t in measurement.isFix && t > 35 ? nil : measurement },
        Situation(
            name: "neither receiver nor magnetometer", state: .aligning,
            reasons: [.noGNSSData, .noMagneticData, .headingUnknown, .headingUncertain, .gyroBiasUncertain],
            advice: [.standStill, .goOutside, .checkMagnetometer]
        ) { measurement, _ in measurement.isFix || measurement.isMagnetic ? nil : measurement },
        Situation(
            name: "no magnetometer, and hardly a motion", seconds: 12, state: .aligning,
            reasons: [.noMagneticData, .headingUnknown, .headingUncertain], absent: .noGNSSData,
            advice: [.standStill, .walkStraight, .checkMagnetometer]
        ) { measurement, _ in measurement.isMagnetic ? nil : measurement },
        Situation(
            name: "iron beside the way", state: .localized, reasons: .magneticDisturbance, advice: []
        ) { measurement, t in
            guard case .magneticField(var sample) = measurement, t > 30 else { return measurement }
            sample.field = sample.field * 1.5
            return .magneticField(sample)
        },
        Situation(
            name: "a board at rest whose magnetometer is not calibrated", settings: EstimatorSettings(),
            state: .aligning, reasons: [.headingUncertain, .headingUnconfirmed],
            absent: [.noGNSSData, .magneticDisturbance], advice: [.walkSteps]
        ) { measurement, t in measurement.atRest },
        Situation(
            name: "the same indoors", settings: EstimatorSettings(), state: .aligning,
            reasons: [.headingUncertain, .noGNSSData], absent: .magneticDisturbance, advice: [.goOutside, .turnAbout]
        ) { measurement, t in measurement.isFix ? nil : measurement.atRest },
        Situation(
            name: "a board at rest with a good compass", state: .aligning, reasons: .headingUnconfirmed,
            absent: [.headingUncertain, .headingUnknown, .positionUncertain], advice: [.walkSteps]
        ) { measurement, t in measurement.atRest },
        Situation(
            name: "the same once the receiver is silent", state: .aligning,
            reasons: [.headingUnconfirmed, .noGNSSData], absent: .headingUncertain, advice: [.goOutside]
        ) { measurement, t in measurement.isFix && t > 30 ? nil : measurement.atRest },
        Situation(
            name: "fixes as of a deep street", state: .aligning, reasons: [.poorGNSS, .positionUncertain],
            absent: .noGNSSData, advice: [.standStill, .giveSky]
        ) { measurement, t in
            guard case .fix(var fix) = measurement, t > 10 else { return measurement }
            fix.positionSigma = .init(east: 60, north: 60, up: 90)
            fix.velocityENU = .init(east: nil, north: nil, up: nil)
            return .fix(fix)
        },
        Situation(
            name: "an accelerometer that falls silent", state: .limited,
            reasons: [.noInertialData, .noAccelerometerData], absent: .noGyroscopeData, advice: [.checkAccelerometer]
        ) { measurement, t in measurement.isForce && t > 35 ? nil : measurement },
        Situation(
            name: "a gyroscope that falls silent", state: .limited,
            reasons: [.noInertialData, .noGyroscopeData], absent: .noAccelerometerData, advice: [.checkGyroscope]
        ) { measurement, t in measurement.isRate && t > 35 ? nil : measurement },
        Situation(
            name: "both fall silent", state: .limited, reasons: .noInertialData,
            absent: [.noAccelerometerData, .noGyroscopeData], advice: [.checkInertialSensors]
        ) { measurement, t in (measurement.isRate || measurement.isForce) && t > 35 ? nil : measurement },
        Situation(
            name: "a gap of a second", seconds: 36.8, state: .limited, reasons: [.inertialGap, .headingUncertain],
            advice: [.standStill, .walkStraight, .checkLoad]
        ) { measurement, t in
            (measurement.isRate || measurement.isForce) && t > 35 && t < 36 ? nil : measurement
        },
        Situation(
            name: "an accelerometer in g", state: .aligning, reasons: .implausibleAccelerometer,
            advice: [.checkAccelerometerScale, .standStill, .goOutside]
        ) { measurement, _ in
            if measurement.isFix { return nil }
            guard case .specificForce(var sample) = measurement else { return measurement }
            sample.force = sample.force / 9.80665
            return .specificForce(sample)
        },
        Situation(
            name: "a magnetometer in gauss", state: .localized, reasons: .implausibleMagnetometer,
            advice: [.checkMagnetometerScale]
        ) { measurement, _ in
            guard case .magneticField(var sample) = measurement else { return measurement }
            sample.field = sample.field / 100
            return .magneticField(sample)
        },
        Situation(
            name: "an accelerometer that is stuck", seconds: 45, state: .aligning, reasons: .implausibleAccelerometer,
            advice: [.checkAccelerometerScale, .standStill, .goOutside]
        ) { measurement, _ in
            if measurement.isFix { return nil }
            guard case .specificForce(var sample) = measurement else { return measurement }
            sample.force = Vector3(0, 9.8, 0)
            return .specificForce(sample)
        },
    ]
}

extension Measurement {
    var isFix: Bool { if case .fix = self { true } else { false } }
    var isMagnetic: Bool { if case .magneticField = self { true } else { false } }
    var isForce: Bool { if case .specificForce = self { true } else { false } }
    var isRate: Bool { if case .angularRate = self { true } else { false } }

    /// As of a board that stays where and as the walk begins.
    var atRest: Measurement {
        let rotationBodyFromENU = Walk().truth(0).rotationENUFromBody.inverse
        switch self {
        case .angularRate(var sample):
            sample.rate = rotationBodyFromENU * Walk.site.earthRate
            return .angularRate(sample)
        case .specificForce(var sample):
            sample.force = rotationBodyFromENU * Vector3(0, 0, Walk.site.gravity)
            return .specificForce(sample)
        case .magneticField(var sample):
            sample.field = rotationBodyFromENU * (Fixture.field.fluxDensityENU / 1000)
            return .magneticField(sample)
        case .fix(var fix):
            if let position = Walk.plane.position(ofENU: .zero) { fix.position = position }
            fix.velocityENU = .init(east: 0, north: 0, up: 0)
            return .fix(fix)
        default: return self
        }
    }
}

@Suite("Situations")
struct SituationTests {
    @Test("what happens is reported by state, reasons and advice", arguments: Situation.all)
    func situations(_ situation: Situation) throws {
        var odometry = Walk.odometry(situation.settings)
        var last: PoseEstimate?
        var quarter = 0
        for measurement in Walk(seconds: situation.seconds + 1).measurements() {
            let t = measurement.time.seconds(since: Fixture.start)
            guard t <= situation.seconds else { break }
            if let changed = situation.change(measurement, t) { odometry.feed(changed) { last = $0.pose ?? last } }
            // As the daemon does: four times a second.
            guard Int(t * 4) > quarter else { continue }
            quarter = Int(t * 4)
            odometry.feed(.clock(Fixture.time(t))) { last = $0.pose ?? last }
        }
        let pose = try #require(last)
        #expect(pose.state == situation.state)
        #expect(pose.reasons.isSuperset(of: situation.reasons), "\(pose.reasons)")
        #expect(pose.reasons.isDisjoint(with: situation.absent), "\(pose.reasons)")
        #expect(Advice.list(for: pose.state, pose.reasons) == situation.advice, "\(pose.reasons)")
    }

    @Test("a clock that was set back is reported for a while")
    func clockStep() throws {
        let walk = Walk(seconds: 20).measurements()
        var odometry = Walk.odometry()
        var poses: [PoseEstimate] = []
        for measurement in walk { odometry.feed(measurement) { _ in } }
        for measurement in walk {
            odometry.feed(measurement.shifted(by: -100_000_000_000)) { if let pose = $0.pose { poses.append(pose) } }
        }
        #expect(poses.first?.reasons.contains(.clockStepped) == true)
        #expect(poses.first?.generation == 2)
        #expect(poses.last?.reasons.contains(.clockStepped) == false)
    }

    @Test("before the first pose the sensor that has said nothing is named")
    func beforeTheFirst() {
        var odometry = Odometry(settings: .calibrated)
        #expect(odometry.missingBeforePose == .noInertialData)
        odometry.feed(.angularRate(AngularRateSample(time: Fixture.start, rate: .zero))) { _ in }
        #expect(odometry.missingBeforePose == [.noInertialData, .noAccelerometerData])
    }

    @Test("every advice is given in some situation, and is a short line")
    func advice() {
        let all = (UInt32(0)..<(1 << UInt32(LimitingReasons.count))).flatMap { bits in
            [TrackingState.initializing, .aligning, .localized, .limited].flatMap {
                Advice.list(for: $0, LimitingReasons(rawValue: bits))
            }
        }
        #expect(Set(all) == Set(Advice.allCases))
        for advice in Advice.allCases { #expect(advice.text.count <= 69) }
    }
}
