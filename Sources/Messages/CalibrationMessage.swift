import Calibration
import Geometry
import JSON
import Model

/// Calibration as the types `Progress` and `Result` of the Varlink interface `org.waymark.Calibration`, which are also
/// the lines of `waymark calibrate --json`. Angles are degrees there; parameters have every bit and are SI.
public enum CalibrationMessage {
    /// Appends what the one who calibrates should see as one JSON object.
    public static func write(_ progress: CalibrationProgress, into json: inout JSONWriter) {
        let precision = MessagePrecision.rounded
        json.beginObject()
        json.member("instruction", progress.instruction.rawValue)
        json.member("fraction", min(1, max(0, progress.fraction)), precision.accuracy)
        json.member("seconds", progress.seconds, .fixed(3))
        json.member("predictedHeadingError", progress.predictedHeadingError.map(degrees), precision.accuracy)
        json.member("predictedTiltError", progress.predictedTiltError.map(degrees), precision.accuracy)
        if let coverage = progress.coverage { write(coverage, into: &json) }
        json.key("poses")
        json.beginArray()
        for pose in progress.poses where pose.isFinite { write(pose, .fixed(4), into: &json) }
        json.endArray()
        member("direction", progress.direction, &json)
        member("missing", progress.missing, &json)
        json.endObject()
    }

    /// Appends what came of a calibration as one JSON object.
    ///
    /// - Parameters:
    ///   - stored: whether it is kept and in force; nil where nobody asked.
    ///   - unit: what the samples were numbers of, for the noise of arbitrary ones.
    public static func write(
        _ result: CalibrationResult, stored: Bool? = nil, unit: CalibrationSettings.Unit = .standard,
        into json: inout JSONWriter
    ) {
        json.beginObject()
        json.member("kind", result.kind.rawValue)
        json.member("accepted", result.verdict.isAccepted)
        json.member("refusal", result.verdict.refusal?.rawValue)
        json.member("reason", result.verdict.reason)
        writeFits(result, into: &json)
        writeResiduals(result, into: &json)
        json.member("predictedHeadingError", result.predictedHeadingError.map(degrees), .exact)
        json.member("predictedTiltError", result.predictedTiltError.map(degrees), .exact)
        json.member("poses", result.poses.map { Int64($0) })
        json.member("coverage", result.coverage?.fraction, .fixed(2))
        write(result.noise, unit, into: &json)
        json.member("temperature", result.temperature, .fixed(2))
        json.member("samples", Int64(result.samples))
        json.member("seconds", result.seconds, .fixed(3))
        json.member("stored", stored)
        json.endObject()
    }

    // MARK: - Parts

    private static func degrees(_ radians: Double) -> Double { Angle.degrees(radians: radians) }

    /// The regions that have been seen, by number, and their share.
    private static func write(_ coverage: SphereCoverage, into json: inout JSONWriter) {
        json.member("coverage", coverage.fraction, .fixed(2))
        json.key("regions")
        json.beginArray()
        for region in 0..<SphereCoverage.regions where coverage.contains(region: region) { json.value(Int64(region)) }
        json.endArray()
    }

    private static func writeFits(_ result: CalibrationResult, into json: inout JSONWriter) {
        let main = result.kind.sensor
        if let fit = result.fits.first(where: { $0.sensor == main }) { write(fit, into: &json) }
        // With the accelerometer's poses come the moves between them.
        guard main != .gyroscope, let fit = result.fits.first(where: { $0.sensor == .gyroscope }) else { return }
        json.key("gyroscope")
        json.beginObject()
        write(fit, into: &json)
        json.endObject()
    }

    private static func write(_ fit: SensorFit, into json: inout JSONWriter) {
        write("parameters", bias: fit.bias, matrix: fit.correction, into: &json)
        write("standardDeviations", bias: fit.biasDeviation, matrix: fit.correctionDeviation, into: &json)
    }

    /// Left out where a number is none.
    private static func write(
        _ name: StaticString, bias: Vector3, matrix: Matrix<3, 3>, into json: inout JSONWriter
    ) {
        let rows = (0..<3).map { Vector3(matrix[$0, 0], matrix[$0, 1], matrix[$0, 2]) }
        guard bias.isFinite, rows.allSatisfy({ $0.isFinite }) else { return }
        json.key(name)
        json.beginObject()
        json.key("bias")
        write(bias, .exact, into: &json)
        json.key("matrix")
        json.beginArray()
        for row in rows { write(row, .exact, into: &json) }
        json.endArray()
        json.endObject()
    }

    /// An angle's residual is told in degrees.
    private static func writeResiduals(_ result: CalibrationResult, into json: inout JSONWriter) {
        let isAngle = result.residualUnit == "rad"
        json.member("residualRMS", result.residualRMS.map { isAngle ? degrees($0) : $0 }, .exact)
        json.member("residualRMSBefore", result.residualRMSBefore.map { isAngle ? degrees($0) : $0 }, .exact)
        json.member("residualUnit", isAngle ? "deg" : result.residualUnit)
    }

    /// The axes as the tables of samples name them.
    private static let axes = ["gx", "gy", "gz", "ax", "ay", "az"]

    private static func write(
        _ noise: [AxisNoise], _ unit: CalibrationSettings.Unit, into json: inout JSONWriter
    ) {
        json.key("noise")
        json.beginArray()
        for (index, axis) in noise.prefix(axes.count).enumerated() {
            json.beginObject()
            json.member("axis", axes[index])
            json.member("unit", unit == .arbitrary ? "counts" : index < 3 ? "rad/s" : "m/s²")
            json.member("randomWalk", axis.randomWalk, .exact)
            json.member("biasInstability", axis.biasInstability, .exact)
            json.member("rateRandomWalk", axis.rateRandomWalk, .exact)
            let uncertainties = axis.uncertainties
            json.member("randomWalkDeviation", product(axis.randomWalk, uncertainties.randomWalk), .exact)
            json.member(
                "biasInstabilityDeviation", product(axis.biasInstability, uncertainties.biasInstability), .exact)
            json.member("rateRandomWalkDeviation", product(axis.rateRandomWalk, uncertainties.rateRandomWalk), .exact)
            json.key("curve")
            json.beginArray()
            for point in axis.curve where point.tau.isFinite && point.deviation.isFinite { write(point, into: &json) }
            json.endArray()
            json.endObject()
        }
        json.endArray()
    }

    /// Of a coefficient and its relative deviation.
    private static func product(_ value: Double?, _ share: Double?) -> Double? {
        guard let value, let share else { return nil }
        return value * share
    }

    private static func write(_ point: AllanPoint, into json: inout JSONWriter) {
        json.beginObject()
        json.member("tau", point.tau, .exact)
        json.member("deviation", point.deviation, .exact)
        json.member("uncertainty", point.uncertainty, .fixed(4))
        json.endObject()
    }

    private static func member(_ name: StaticString, _ vector: Vector3?, _ json: inout JSONWriter) {
        guard let vector, vector.isFinite else { return }
        json.key(name)
        write(vector, .fixed(4), into: &json)
    }

    private static func write(_ vector: Vector3, _ form: NumberForm, into json: inout JSONWriter) {
        json.beginArray()
        json.value(vector.x, form)
        json.value(vector.y, form)
        json.value(vector.z, form)
        json.endArray()
    }
}

extension CalibrationKind {
    /// What it is the calibration of; noise changes none.
    public var sensor: SensorCalibration.Sensor? {
        switch self {
        case .gyroscope: .gyroscope
        case .accelerometer: .accelerometer
        case .magnetometer: .magnetometer
        case .mount: .mount
        case .noise: nil
        }
    }
}
