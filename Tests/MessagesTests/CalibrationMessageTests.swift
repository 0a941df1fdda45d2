import Calibration
import FoundationEssentials
import Geometry
import JSON
import Messages
import Model
import Testing

@Suite("Calibration messages")
struct CalibrationMessageTests {
    private struct Parameters: Decodable {
        let bias: [Double]
        let matrix: [[Double]]
    }

    private struct Fitted: Decodable {
        let parameters: Parameters
        let standardDeviations: Parameters
    }

    private struct Noise: Decodable {
        let axis: String
        let unit: String
        let randomWalk: Double?
        let curve: [[String: Double]]
    }

    private struct Message: Decodable {
        let kind: String
        let accepted: Bool
        let refusal: String?
        let reason: String
        let parameters: Parameters?
        let standardDeviations: Parameters?
        let gyroscope: Fitted?
        let residualRMS: Double?
        let residualUnit: String
        let predictedHeadingError: Double?
        let coverage: Double?
        let noise: [Noise]
        let stored: Bool?
    }

    private struct Step: Decodable {
        let instruction: String
        let fraction: Double
        let predictedTiltError: Double?
        let coverage: Double?
        let regions: [Int]?
        let poses: [[Double]]
        let missing: [Double]?
    }

    private func message(
        _ result: CalibrationResult, stored: Bool? = nil, unit: CalibrationSettings.Unit = .standard
    ) throws -> Message {
        var json = JSONWriter()
        result.message(stored: stored, unit: unit).write(into: &json)
        return try JSONDecoder().decode(Message.self, from: Data(json.bytes))
    }

    private func step(_ progress: CalibrationProgress) throws -> Step {
        var json = JSONWriter()
        progress.message.write(into: &json)
        return try JSONDecoder().decode(Step.self, from: Data(json.bytes))
    }

    @Test("parameters have every bit and errors are degrees")
    func exactParameters() throws {
        var result = CalibrationResult(kind: .accelerometer, verdict: .accepted("good"), residualUnit: "m/s²")
        let correction = (1.0 / 3) * Matrix<3, 3>.identity
        result.fits = [
            SensorFit(sensor: .gyroscope, bias: Vector3(1e-17, 0, 0)),
            SensorFit(sensor: .accelerometer, correction: correction, bias: Vector3(0.1 + 0.2, -1, 2e9)),
        ]
        result.predictedHeadingError = .pi / 180
        let message = try message(result, stored: true)
        #expect(message.kind == "accel" && message.accepted && message.refusal == nil)
        #expect(message.parameters?.bias == [0.1 + 0.2, -1, 2e9])
        #expect(message.parameters?.matrix[1] == [0, 1.0 / 3, 0])
        #expect(message.gyroscope?.parameters.bias == [1e-17, 0, 0])
        #expect(message.predictedHeadingError == 1)
        #expect(message.stored == true)
    }

    @Test("the gyroscope's own calibration stands at the top")
    func gyroscopeAlone() throws {
        var result = CalibrationResult(kind: .gyroscope, verdict: .accepted("good"), residualUnit: "rad/s")
        result.fits = [SensorFit(sensor: .gyroscope, bias: Vector3(1, 2, 3))]
        let message = try message(result)
        #expect(message.parameters?.bias == [1, 2, 3] && message.gyroscope == nil)
    }

    @Test("a refusal is named, and what is not known or not finite is absent")
    func refusal() throws {
        var result = CalibrationResult(
            kind: .magnetometer, verdict: .refused(.disturbed, "a magnet passed"), residualUnit: "µT")
        result.residualRMS = .nan
        result.fits = [SensorFit(sensor: .magnetometer, bias: Vector3(.infinity, 0, 0))]
        let message = try message(result)
        #expect(!message.accepted && message.refusal == "disturbed" && message.reason == "a magnet passed")
        #expect(message.residualRMS == nil && message.parameters == nil && message.standardDeviations != nil)
        #expect(message.coverage == nil && message.stored == nil && message.noise.isEmpty)
    }

    @Test("an angle's residual is in degrees")
    func angularResidual() throws {
        var result = CalibrationResult(kind: .mount, verdict: .accepted("good"), residualUnit: "rad")
        result.residualRMS = .pi
        let message = try message(result)
        #expect(message.residualRMS == 180 && message.residualUnit == "deg")
    }

    @Test("noise names its axes as tables do, and its unit by the samples'")
    func noise() throws {
        var result = CalibrationResult(kind: .noise, verdict: .accepted("good"), residualUnit: "1")
        let point = AllanPoint(tau: 1, deviation: 0.001, uncertainty: 0.02)
        result.noise = Array(repeating: AxisNoise(randomWalk: 0.001, curve: [point]), count: 6)
        let standard = try message(result).noise
        #expect(standard.map(\.axis) == ["gx", "gy", "gz", "ax", "ay", "az"])
        #expect(standard.map(\.unit) == ["rad/s", "rad/s", "rad/s", "m/s²", "m/s²", "m/s²"])
        #expect(standard[0].curve == [["tau": 1, "deviation": 0.001, "uncertainty": 0.02]])
        #expect(try message(result, unit: .arbitrary).noise.map(\.unit) == Array(repeating: "counts", count: 6))
    }

    @Test("progress has the regions that were covered, and the poses")
    func progress() throws {
        var progress = CalibrationProgress(instruction: .turnThroughDirections, fraction: 1.5, seconds: 2)
        var coverage = SphereCoverage()
        for region in [0, 63, 64, 99] { coverage.insert(region: region) }
        progress.coverage = coverage
        progress.poses = [Vector3(0, 1, 0), Vector3(.nan, 0, 0)]
        progress.missing = Vector3(0, 0, -1)
        progress.predictedTiltError = .pi / 360
        let step = try step(progress)
        #expect(step.instruction == "turnThroughDirections" && step.fraction == 1)
        #expect(step.regions == [0, 63, 64, 99] && step.coverage == 0.04)
        #expect(step.poses == [[0, 1, 0]] && step.missing == [0, 0, -1])
        #expect(step.predictedTiltError == 0.5)
    }
}
