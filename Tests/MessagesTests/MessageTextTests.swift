import Calibration
import Documents
import Geometry
import JSON
import Messages
import Model
import Scene
import Testing
import WaymarkInterface

/// Texts that were written before the types were generated: clients and recordings rely on every byte.
@Suite("Messages are the same to the byte") struct MessageTextTests {
    private static func text(_ message: some JSONWritable, _ precision: NumberPrecision = .rounded) -> String {
        var json = JSONWriter(precision: precision)
        message.write(into: &json)
        return String(decoding: json.bytes, as: UTF8.self)
    }

    @Test("a pose, rounded for clients and exact for recordings") func pose() {
        let message = Samples.pose.message(sequence: 7, utcOffset: 1_782_000_000_000_000_000)
        #expect(Self.text(message) == ExpectedTexts.pose)
        #expect(Self.text(message, .exact) == ExpectedTexts.exactPose)
    }

    @Test("a frame, rounded for clients and exact for recordings") func frame() {
        let message = MessageSamples.frame.message(sequence: 9, time: BootTime(nanoseconds: 4_000_000_001))
        #expect(Self.text(message) == ExpectedTexts.frame)
        #expect(Self.text(message, .exact) == ExpectedTexts.exactFrame)
    }

    @Test("a scene with a placement of every kind") func scene() throws {
        #expect(Self.text(try MessageSamples.scene().message(in: .english)) == ExpectedTexts.scene)
    }

    @Test("every event") func events() {
        #expect(Self.text(MessageSamples.events.map { $0.message(in: .english) }) == ExpectedTexts.events)
    }

    @Test("a route under way") func route() throws {
        let status = try Stroll(speed: 1.3, mapSpeed: 0).status(east: 1, north: 30)
        #expect(Self.text(status.message(in: .english)) == ExpectedTexts.route)
    }

    @Test("a correction of the frame with its evidence") func correction() throws {
        let correction = MessageSamples.correction
        let effect = MessageSamples.position.flatMap(correction.effect)
        #expect(Self.text(correction.message(utcOffset: 5, effect: effect)) == ExpectedTexts.correction)
    }

    @Test("a client's fix beside the pose of its moment") func estimate() throws {
        let estimate = try MessageSamples.estimate()
        #expect(Self.text(estimate.message(Samples.pose)) == ExpectedTexts.estimate)
    }

    @Test("progress and result of a calibration") func calibration() {
        #expect(Self.text(MessageSamples.progress.message) == ExpectedTexts.progress)
        #expect(Self.text(MessageSamples.result.message(stored: true)) == ExpectedTexts.result)
    }

    @Test("a stored calibration") func entry() throws {
        let message = MessageSamples.record.message(
            of: .magnetometer, try MessageSamples.device(), obstacle: "the device is not present", history: 2,
            age: 12.34)
        #expect(Self.text(message) == ExpectedTexts.entry)
    }

    @Test("the bits of the core's sets are in the order of the interface's words") func sets() {
        #expect(FrameCause.allCases.map { $0.message?.description } == FrameCause.allCases.map { "\($0)" })
        let reasons: [(LimitingReasons, PoseInterface.Reason)] = [
            (.noInertialData, .noInertialData), (.noMagneticData, .noMagneticData), (.noGNSSData, .noGNSSData),
            (.poorGNSS, .poorGNSS), (.magneticDisturbance, .magneticDisturbance),
            (.headingUncertain, .headingUncertain), (.positionUncertain, .positionUncertain),
            (.inertialGap, .inertialGap), (.noAccelerometerData, .noAccelerometerData),
            (.noGyroscopeData, .noGyroscopeData), (.gyroBiasUncertain, .gyroBiasUncertain),
            (.headingUnknown, .headingUnknown), (.implausibleAccelerometer, .implausibleAccelerometer),
            (.implausibleGyroscope, .implausibleGyroscope), (.implausibleMagnetometer, .implausibleMagnetometer),
            (.clockStepped, .clockStepped), (.headingUnconfirmed, .headingUnconfirmed),
        ]
        #expect(reasons.map(\.1) == PoseInterface.Reason.allCases)
        for (reason, word) in reasons { #expect(reason.message == [word]) }
        let sources: [AidingSources] = [
            .inertial, .magnetometer, .gnssPosition, .gnssVelocity, .barometer, .rest, .steps, .camera, .aid,
        ]
        #expect(sources.map { Array($0.message.known) } == PoseInterface.Source.allCases.map { [$0] })
        let parts: [WarmStart.Parts] = [
            .gyroBias, .accelerometerBias, .hardIron, .place, .stepScale, .velocityDelay, .compass,
        ]
        #expect(parts.map { Array($0.message.known) } == StatusInterface.WarmStartPart.allCases.map { [$0] })
        let readiness: [FrameReadiness.Reasons] = [
            .levelling, .noInertialData, .positionUnknown, .positionUncertain, .headingUnknown, .headingUncertain,
            .settling, .noGNSSData, .poorGNSS, .noMagneticData, .magneticDisturbance, .headingUnconfirmed,
        ]
        #expect(readiness.map { Array($0.message.known) } == SceneInterface.ReadinessReason.allCases.map { [$0] })
    }

    @Test("every word of a calibration is one of the interface") func calibrationWords() {
        for instruction in CalibrationProgress.Instruction.allCases {
            let progress = CalibrationProgress(instruction: instruction, fraction: 0, seconds: 0)
            #expect(progress.message.instruction.known != nil)
        }
        for kind in CalibrationKind.allCases { #expect(CalibrationKind(kind.message) == kind) }
        #expect(CalibrationKind.allCases.map(\.message.description) == CalibrationKind.allCases.map(\.rawValue))
        #expect(CalibratedSensor.allCases.map(\.message.description) == CalibratedSensor.allCases.map(\.rawValue))
    }
}
