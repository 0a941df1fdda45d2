import Geometry
import Glibc
import Model

/// Checks the accelerometer's sign by the inclination of the field, in calibrations that do not use the magnetometer.
///
/// The gyroscope cannot show the sign, because a force and its opposite rotate in the same way. An attitude cannot show
/// it either, because a board may be held upside down. The angle between field and vertical does show it, because it is
/// the same in every attitude and is known from the position. The magnetometer must already be calibrated.
struct SignCheck: Sendable {
    private let inclination: Double?
    private let gravity: Double
    private let accelerometer: SensorCalibration?
    private let magnetometer: SensorCalibration?
    private var force = Vector3.zero
    private var forceTime: BootTime?
    private var (count, sum, squares) = (0.0, 0.0, 0.0)

    init(_ settings: CalibrationSettings) {
        inclination = settings.unit == .standard ? settings.inclination : nil
        gravity = settings.gravity
        accelerometer = settings.activeCalibration(of: .accelerometer)
        magnetometer = settings.activeCalibration(of: .magnetometer)
    }

    mutating func feed(_ measurement: Measurement) {
        guard inclination != nil, let magnetometer else { return }
        switch measurement {
        case .specificForce(let sample) where sample.force.isFinite:
            let value = accelerometer?.applied(to: sample.force) ?? sample.force
            let seconds = forceTime.map { sample.time.seconds(since: $0) } ?? .infinity
            let share = seconds < Self.smoothing ? max(0, seconds) / (Self.smoothing + max(0, seconds)) : 1
            force += share * (value - force)
            forceTime = sample.time
        case .magneticField(let sample) where sample.field.isFinite:
            guard let forceTime, sample.time.seconds(since: forceTime).magnitude < Self.smoothing,
                (force.norm / gravity - 1).magnitude < AxisLimits.acceleration,
                let field = magnetometer.applied(to: sample.field).normalized, let up = force.normalized
            else { return }
            let sine = field.dot(up)
            count += 1
            sum += sine
            squares += sine * sine
        default: break
        }
    }

    /// Finding that the accelerometer is inverted; nil if it is not, or if its sign is unknown.
    var finding: AxisFinding? {
        guard count >= Self.minimumFieldCount else { return nil }
        let mean = sum / count
        guard squares / count - mean * mean <= Self.maximumVariance else { return nil }
        let elevation = asin(min(1, max(-1, mean)))
        return AxisFinding.isUpsideDown(elevation, inclination) == true
            ? .inverted(elevation, inclination) : nil
    }

    /// Time constant of the mean force. Unit: seconds.
    private static let smoothing = 0.3
    /// Fewest fields, which arrive in two seconds at 50 Hz.
    private static let minimumFieldCount = 100.0
    /// Largest variance of the sine of the elevation. If it is larger, the sensors have different axes, or the field
    /// varies.
    private static let maximumVariance = 0.03
}

extension CalibrationResult {
    /// This result, with the finding added. It is refused if a sensor is inverted.
    func checked(_ finding: AxisFinding?) -> CalibrationResult {
        guard let finding else { return self }
        var result = self
        result.axes = finding
        if verdict.isAccepted { result.verdict = .refused(.poorFit, finding.detail) }
        return result
    }
}
