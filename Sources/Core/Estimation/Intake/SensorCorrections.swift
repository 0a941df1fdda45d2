import Geometry
import Model

/// Active calibrations and the correction of each sensor that results from them. A correction applies the sensor's own
/// calibration first, then the mount.
package struct SensorCorrections: Sendable, Codable {
    package private(set) var rate = SensorCorrection()
    package private(set) var force = SensorCorrection()
    package private(set) var field = SensorCorrection()
    private var gyroscope: SensorCalibration?
    private var accelerometer: SensorCalibration?
    private var magnetometer: SensorCalibration?
    private var mount: SensorCalibration?

    /// Settings of the estimator before any calibration is applied.
    let settings: EstimatorSettings
    /// Limits beyond which a calibration is refused.
    private let intake: IntakeSettings

    package init(_ settings: EstimatorSettings, _ intake: IntakeSettings = IntakeSettings()) {
        self.settings = settings
        self.intake = intake
    }

    /// Active calibrations, at most one for each sensor, in the order of `SensorCalibration.Sensor`.
    package var inForce: [SensorCalibration] { [gyroscope, accelerometer, magnetometer, mount].compactMap { $0 } }

    package subscript(_ sensor: SensorCalibration.Sensor) -> SensorCalibration? {
        self[keyPath: Self.member(sensor)]
    }

    private static func member(_ sensor: SensorCalibration.Sensor) -> WritableKeyPath<Self, SensorCalibration?> {
        switch sensor {
        case .gyroscope: \.gyroscope
        case .accelerometer: \.accelerometer
        case .magnetometer: \.magnetometer
        case .mount: \.mount
        }
    }

    /// Activates a validated calibration in place of the sensor's current calibration. A calibration that changes no
    /// value and states no standard deviation only removes the current calibration.
    ///
    /// - Returns: the change of the values; nil if neither the values nor the uncertainty of the bias changed.
    package mutating func put(_ calibration: SensorCalibration) -> CorrectionChange? {
        let new = calibration.isNothing ? nil : calibration
        let before = self
        self[keyPath: Self.member(calibration.sensor)] = new
        guard !Self.areAlike(before[calibration.sensor], new) else { return nil }
        combine()
        return change(calibration, since: before)
    }

    private mutating func combine() {
        let turn = mount?.correction ?? .identity
        rate = Self.combined(turn, gyroscope)
        force = Self.combined(turn, accelerometer)
        field = Self.combined(turn, magnetometer)
    }

    private static func combined(_ turn: Matrix<3, 3>, _ calibration: SensorCalibration?) -> SensorCorrection {
        guard let calibration else { return SensorCorrection(matrix: turn, bias: .zero) }
        return SensorCorrection(matrix: turn * calibration.correction, bias: calibration.bias)
    }

    private static func areAlike(_ a: SensorCalibration?, _ b: SensorCalibration?) -> Bool {
        guard let a, let b else { return a == nil && b == nil }
        return a.correction == b.correction && a.bias == b.bias && a.biasStandardDeviation == b.biasStandardDeviation
    }

    private func change(_ calibration: SensorCalibration, since before: SensorCorrections) -> CorrectionChange? {
        guard calibration.sensor != .mount else {
            let old = before.mount?.correction ?? .identity
            // The transpose of a rotation is its inverse.
            return CorrectionChange(
                sensor: .mount, matrix: (mount?.correction ?? .identity) * old.transpose)
        }
        let (old, new) = (before.correction(of: calibration.sensor), correction(of: calibration.sensor))
        guard let inverse = old.matrix.inverse else { return nil }
        // The product with the inverse is the identity only up to rounding.
        let matrix = old.matrix == new.matrix ? .identity : new.matrix * inverse
        return CorrectionChange(
            sensor: calibration.sensor, matrix: matrix, offset: new.matrix * (old.bias - new.bias),
            residual: residual(of: calibration))
    }

    private func correction(of sensor: SensorCalibration.Sensor) -> SensorCorrection {
        switch sensor {
        case .gyroscope, .mount: rate
        case .accelerometer: force
        case .magnetometer: field
        }
    }

    /// Covariance of the remaining bias. Frame: body.
    private func residual(of calibration: SensorCalibration) -> Matrix<3, 3>? {
        guard let prior = CalibrationPrior(calibration, settings) else { return nil }
        let turn = mount?.correction ?? .identity
        return turn * prior.covariance * turn.transpose
    }
}

/// Correction of one sensor's values, `matrix · (value − bias)`. It combines the sensor's own calibration and the
/// mount.
@usableFromInline
package struct SensorCorrection: Sendable {
    /// Scale, misalignment and mount.
    @usableFromInline package private(set) var matrix = Matrix<3, 3>.identity
    /// Bias. Unit: that of the raw values.
    @usableFromInline package private(set) var bias = Vector3.zero
    @usableFromInline package private(set) var isIdentity = true

    package init() {}

    package init(matrix: Matrix<3, 3>, bias: Vector3) {
        self.matrix = matrix
        self.bias = bias
        isIdentity = matrix == .identity && bias == .zero
    }

    /// Returns the corrected value. Without a correction, it is bit-identical to the given value.
    @inlinable @inline(__always)
    package func applied(to value: Vector3) -> Vector3 { isIdentity ? value : matrix * (value - bias) }
}

extension SensorCorrections: CheckedState {
    package mutating func settle() -> Bool {
        combine()
        return SensorCalibration.Sensor.allCases.allSatisfy { sensor in
            self[sensor].map { $0.sensor == sensor && $0.usable(intake) == $0 } ?? true
        }
    }
}

/// The correction is not saved, because it is derived from the saved calibrations.
extension SensorCorrection: Unsaved {}
