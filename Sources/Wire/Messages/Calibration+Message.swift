import Calibration
import Documents
import Geometry
import Model
import WaymarkInterface

// Messages for calibrations in the form of org.waymark.Calibration and of the lines of `waymark calibrate --json`.
// Angles are in degrees, and parameters are in SI units.

extension CalibrationProgress {
    package var message: CalibrationInterface.Progress {
        CalibrationInterface.Progress(
            instruction: OpenWord(word: instruction.rawValue), fraction: min(1, max(0, fraction)), seconds: seconds,
            predictedHeadingError: predictedHeadingError.map(Angle.degrees(radians:)),
            predictedTiltError: predictedTiltError.map(Angle.degrees(radians:)), coverage: coverage?.fraction,
            regions: coverage.map { sphere in (0..<SphereCoverage.regions).filter(sphere.contains(region:)) },
            poses: poses.filter(\.isFinite).map(\.elements), direction: direction?.elements, missing: missing?.elements)
    }
}

extension CalibrationResult {
    /// - Parameters:
    ///   - stored: whether the calibration is stored and active; nil if storing was not requested.
    ///   - unit: unit of the samples, in which the noise is given if it is arbitrary.
    package func message(
        stored: Bool? = nil, unit: CalibrationSettings.Unit = .standard
    ) -> CalibrationInterface.Result {
        let fit = fits.first { $0.sensor == kind.sensor }
        // A calibration of the accelerometer from poses also fits the gyroscope to the turns between the poses.
        let turns = kind == .gyroscope ? nil : fits.first { $0.sensor == .gyroscope }
        let residual = ResidualUnit(residualUnit)
        return CalibrationInterface.Result(
            kind: kind.message, accepted: verdict.isAccepted,
            refusal: verdict.refusal.map { OpenWord(word: $0.rawValue) }, reason: verdict.reason,
            parameters: fit?.parameters, standardDeviations: fit?.standardDeviations, gyroscope: turns?.message,
            residualRMS: residual.value(residualRMS), residualRMSBefore: residual.value(residualRMSBefore),
            residualUnit: residual.name, predictedHeadingError: predictedHeadingError.map(Angle.degrees(radians:)),
            predictedTiltError: predictedTiltError.map(Angle.degrees(radians:)), poses: poses,
            coverage: coverage?.fraction, axes: axes?.message,
            noise: noise.messages(isArbitrary: unit == .arbitrary, arbitraryUnit: "counts"), temperature: temperature,
            samples: samples, seconds: seconds, stored: stored)
    }
}

extension AxisFinding {
    fileprivate var message: CalibrationInterface.AxisFinding {
        CalibrationInterface.AxisFinding(
            sensor: CalibratedSensor(sensor).message, agreement: OpenWord(word: kind.rawValue), detail: detail,
            rotation: rotation?.rowElements, mountMatrix: mountMatrix, sign: sign)
    }
}

extension CalibrationRecord {
    /// Message about a stored calibration.
    ///
    /// - Parameters:
    ///   - obstacle: reason why the calibration is not active; nil if it is active.
    ///   - history: number of earlier calibrations that are stored.
    ///   - age: time since the calibration was made. Unit: seconds.
    package func message(
        of sensor: CalibratedSensor, _ device: CalibratedDevice, obstacle: String?, history: Int, age: Double
    ) -> CalibrationInterface.Entry {
        let fit = fit.flatMap { $0.isFinite ? $0 : nil }
        let residual = ResidualUnit(residualUnit)
        return CalibrationInterface.Entry(
            sensor: sensor.message, device: device.name, identity: device.identity, inForce: obstacle == nil,
            detail: obstacle, time: time, age: age, origin: origin.message, kind: kind.message, version: version,
            parameters: fit?.parameters, standardDeviations: fit?.standardDeviations,
            residualRMS: residual.value(residualRMS), residualUnit: residual.name.nonEmpty,
            predictedHeadingError: predictedHeadingError.map(Angle.degrees(radians:)),
            predictedTiltError: predictedTiltError.map(Angle.degrees(radians:)), poses: poses, coverage: coverage,
            noise: noise.map(\.withoutUncertainties).messages(isArbitrary: isOfCounts, arbitraryUnit: "1"),
            temperature: temperature,
            samples: samples, mountMatrix: mountMatrix, rotation: turn, history: history)
    }
}

/// Unit of a residual in messages, in which angles are in degrees.
private struct ResidualUnit {
    let name: String
    private let isAngle: Bool

    init(_ unit: String) {
        isAngle = unit == "rad"
        name = isAngle ? "deg" : unit
    }

    func value(_ residual: Double?) -> Double? { isAngle ? residual.map(Angle.degrees(radians:)) : residual }
}

extension SensorFit {
    fileprivate var parameters: CalibrationInterface.Parameters? { Self.message(bias: bias, matrix: correction) }

    fileprivate var standardDeviations: CalibrationInterface.Parameters? {
        Self.message(bias: biasStandardDeviation, matrix: correctionStandardDeviation)
    }

    fileprivate var message: CalibrationInterface.GyroscopeFit? {
        guard let parameters, let standardDeviations else { return nil }
        return CalibrationInterface.GyroscopeFit(parameters: parameters, standardDeviations: standardDeviations)
    }

    /// Message of the parameters; nil if a number is not finite.
    private static func message(bias: Vector3, matrix: Matrix<3, 3>) -> CalibrationInterface.Parameters? {
        let rows = (0..<3).map { Vector3(matrix[$0, 0], matrix[$0, 1], matrix[$0, 2]) }
        guard bias.isFinite, rows.allSatisfy(\.isFinite) else { return nil }
        return CalibrationInterface.Parameters(bias: bias.elements, matrix: rows.map(\.elements))
    }
}

extension [AxisNoise] {
    /// Names of the axes in tables of samples.
    private static var axes: [String] { ["gx", "gy", "gz", "ax", "ay", "az"] }

    fileprivate func messages(isArbitrary: Bool, arbitraryUnit: String) -> [CalibrationInterface.AxisNoise] {
        zip(Self.axes, self).map { name, noise in
            noise.message(
                axis: name, unit: isArbitrary ? arbitraryUnit : name.hasPrefix("g") ? "rad/s" : "m/s²")
        }
    }
}

extension AxisNoise {
    /// Noise in the form in which it is stored.
    fileprivate var withoutUncertainties: AxisNoise {
        var noise = self
        noise.uncertainties = Uncertainties()
        return noise
    }

    fileprivate func message(axis: String, unit: String) -> CalibrationInterface.AxisNoise {
        CalibrationInterface.AxisNoise(
            axis: axis, unit: unit, randomWalk: randomWalk, biasInstability: biasInstability,
            rateRandomWalk: rateRandomWalk,
            randomWalkDeviation: Self.standardDeviation(of: randomWalk, uncertainties.randomWalk),
            biasInstabilityDeviation: Self.standardDeviation(
                of: biasInstability, uncertainties.biasInstability),
            rateRandomWalkDeviation: Self.standardDeviation(of: rateRandomWalk, uncertainties.rateRandomWalk),
            curve: curve.filter(\.isFinite).map { point in
                CalibrationInterface.AllanPoint(
                    tau: point.tau, deviation: point.deviation, uncertainty: point.uncertainty)
            })
    }

    /// Standard deviation of a coefficient, computed from its relative standard deviation.
    private static func standardDeviation(of value: Double?, _ relative: Double?) -> Double? {
        guard let value, let relative else { return nil }
        return value * relative
    }
}

extension Vector3 {
    fileprivate var elements: [Double] { [x, y, z] }
}
