import Geometry
import Model

/// The calibrations in force, and what they make of each sample: first comes the sensor's own, then the mount.
package struct SensorCorrections: Sendable {
    package private(set) var rate = SensorCorrection()
    package private(set) var force = SensorCorrection()
    package private(set) var field = SensorCorrection()
    private var gyroscope: SensorCalibration?
    private var accelerometer: SensorCalibration?
    private var magnetometer: SensorCalibration?
    private var mount: SensorCalibration?

    /// Those of the estimator, without any calibration.
    let settings: EstimatorSettings

    package init(_ settings: EstimatorSettings) { self.settings = settings }

    /// One for each sensor that has one, in the order of `SensorCalibration.Sensor`.
    package var inForce: [SensorCalibration] { [gyroscope, accelerometer, magnetometer, mount].compactMap { $0 } }

    package subscript(_ sensor: SensorCalibration.Sensor) -> SensorCalibration? {
        switch sensor {
        case .gyroscope: gyroscope
        case .accelerometer: accelerometer
        case .magnetometer: magnetometer
        case .mount: mount
        }
    }

    /// Puts a calibration, which `isUsable`, in the place of the sensor's present one. One that changes nothing and says
    /// nothing of the bias takes the present one away.
    ///
    /// - Returns: what becomes of the values; nil where they, and what is known of their bias, stay as they are.
    package mutating func put(_ calibration: SensorCalibration) -> CorrectionChange? {
        let new = calibration.isNothing ? nil : calibration
        let before = self
        switch calibration.sensor {
        case .gyroscope: gyroscope = new
        case .accelerometer: accelerometer = new
        case .magnetometer: magnetometer = new
        case .mount: mount = new
        }
        guard !Self.areAlike(before[calibration.sensor], new) else { return nil }
        let turn = mount?.correction ?? .identity
        rate = Self.combined(turn, gyroscope)
        force = Self.combined(turn, accelerometer)
        field = Self.combined(turn, magnetometer)
        return change(calibration, since: before)
    }

    private static func combined(_ turn: Matrix<3, 3>, _ calibration: SensorCalibration?) -> SensorCorrection {
        guard let calibration else { return SensorCorrection(matrix: turn, bias: .zero) }
        return SensorCorrection(matrix: turn * calibration.correction, bias: calibration.bias)
    }

    private static func areAlike(_ a: SensorCalibration?, _ b: SensorCalibration?) -> Bool {
        guard let a, let b else { return a == nil && b == nil }
        return a.correction == b.correction && a.bias == b.bias && a.biasDeviation == b.biasDeviation
    }

    private func change(_ calibration: SensorCalibration, since before: SensorCorrections) -> CorrectionChange? {
        guard calibration.sensor != .mount else {
            let old = before.mount?.correction ?? .identity
            // Of rotations the transpose is the inverse.
            return CorrectionChange(
                sensor: .mount, matrix: (mount?.correction ?? .identity) * old.transpose)
        }
        let (old, new) = (before.correction(of: calibration.sensor), correction(of: calibration.sensor))
        guard let inverse = old.matrix.inverse else { return nil }
        return CorrectionChange(
            sensor: calibration.sensor, matrix: new.matrix * inverse, offset: new.matrix * (old.bias - new.bias),
            residual: residual(of: calibration))
    }

    private func correction(of sensor: SensorCalibration.Sensor) -> SensorCorrection {
        switch sensor {
        case .gyroscope, .mount: rate
        case .accelerometer: force
        case .magnetometer: field
        }
    }

    /// Turned to the axes of the body.
    private func residual(of calibration: SensorCalibration) -> Matrix<3, 3>? {
        guard let prior = CalibrationPrior(calibration, settings) else { return nil }
        let turn = mount?.correction ?? .identity
        return turn * prior.covariance * turn.transpose
    }
}

/// What is made of each value of one sensor, `matrix · (value − bias)`: its own calibration and the mount in one.
package struct SensorCorrection: Sendable {
    package private(set) var matrix = Matrix<3, 3>.identity
    /// Unit: that of the values as they come.
    package private(set) var bias = Vector3.zero
    private var isIdentity = true

    package init() {}

    package init(matrix: Matrix<3, 3>, bias: Vector3) {
        self.matrix = matrix
        self.bias = bias
        isIdentity = matrix == .identity && bias == .zero
    }

    /// Where nothing is to be corrected each bit stays.
    @inline(__always)
    package func applied(to value: Vector3) -> Vector3 { isIdentity ? value : matrix * (value - bias) }
}
