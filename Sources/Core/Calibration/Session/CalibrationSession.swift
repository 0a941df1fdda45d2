import Geometry
import Model

/// One calibration, from its first sample to its result. A session is pure, so that the same samples give the same
/// result, live or from a file.
///
/// Samples are raw, as the sources deliver them before any calibration is applied.
package protocol CalibrationSession: Sendable {
    /// Kind of this calibration.
    var kind: CalibrationKind { get }
    /// Processes the next measurement. Ignores kinds that it does not need. Cheap enough to be called for every sample.
    mutating func feed(_ measurement: Measurement)
    /// Current state for the user. Cheap enough to be read ten times a second.
    var progress: CalibrationProgress { get }
    /// Whether further samples would hardly improve the result.
    var isComplete: Bool { get }
    /// Fit and verdict, even if the session was ended early. May take seconds, too long for the reactor's thread.
    func result() -> CalibrationResult
}

/// Kind of calibration. The raw values are the names of the subcommands of `waymark calibrate`.
public enum CalibrationKind: String, Hashable, Sendable, CaseIterable {
    /// Bias and noise of the gyroscope, from a board at rest.
    case gyroscope = "gyro"
    /// Accelerometer from at least six still poses; scale and axes of the gyroscope from the moves between them.
    case accelerometer = "accel"
    /// Hard and soft iron of the magnetometer, from a rotation through all directions.
    case magnetometer = "mag"
    /// Rotation from the board's axes to the body's, from a stand and a straight walk.
    case mount
    /// Noise of gyroscope and accelerometer by the Allan deviation, from hours at rest.
    case noise
}

extension CalibrationKind {
    /// Makes a session of this kind, before its first sample.
    package func session(_ settings: CalibrationSettings) -> any CalibrationSession {
        switch self {
        case .gyroscope: GyroscopeSession(settings: settings)
        case .accelerometer: AccelerometerSession(settings: settings)
        case .magnetometer: MagnetometerSession(settings: settings)
        case .mount: MountSession(settings: settings)
        case .noise: NoiseSession(settings: settings)
        }
    }
}

/// Inputs of a calibration other than the samples.
package struct CalibrationSettings: Hashable, Sendable {
    package enum Unit: Hashable, Sendable {
        /// rad/s, m/s² and microtesla, as drivers deliver them.
        case standard
        /// Counts or any other unit. The fit determines the scale.
        case arbitrary
    }

    package var unit: Unit
    /// Gravity at the board's location. Unit: m/s².
    package var gravity: Double
    /// Strength of the earth's field at the board's location. Unit: microtesla.
    ///
    /// If it is nil, the corrected field keeps its measured strength, or is scaled to 1 if the unit is arbitrary.
    package var fieldStrength: Double?
    /// Inclination of the earth's field below the horizon at the board's location; nil if unknown. Unit: radians.
    package var inclination: Double?
    /// Whether the board lies on the six faces of a box with right angles, and is turned about edges of the box between
    /// the poses.
    package var usesFaces: Bool
    /// Angle of each rotation about an edge of the box; nil if there are no such rotations. Unit: radians.
    package var faceTurn: Double?
    /// Active calibrations, for the residuals before the fit and the comparison.
    package var present: [SensorCalibration]

    /// Makes settings. The defaults are SI units, standard gravity and free poses.
    package init(
        unit: Unit = .standard, gravity: Double = 9.80665, fieldStrength: Double? = nil,
        inclination: Double? = nil, usesFaces: Bool = false,
        faceTurn: Double? = nil, present: [SensorCalibration] = []
    ) {
        self.unit = unit
        self.gravity = gravity
        self.fieldStrength = fieldStrength
        self.inclination = inclination
        self.usesFaces = usesFaces
        self.faceTurn = faceTurn
        self.present = present
    }

    func activeCalibration(of sensor: SensorCalibration.Sensor) -> SensorCalibration? {
        present.last { $0.sensor == sensor }
    }
}

/// State of a running calibration, to be shown to the user.
package struct CalibrationProgress: Hashable, Sendable {
    /// What the user should do next. The raw values are the words on the wire.
    package enum Instruction: String, Hashable, Sendable, CaseIterable {
        /// No sample of a required sensor has arrived, or the sensor has stopped.
        case waitForSamples
        case holdStill
        /// The board moves while it should be at rest.
        case movesTooMuch
        /// A pose is being recorded: keep it.
        case keepPose
        /// The pose is recorded: turn the board to another one.
        case turnToNextPose
        /// Turn the board through the directions that are not covered yet.
        case turnThroughDirections
        /// The board turns too fast for the sampling rate.
        case turnSlower
        /// A magnet or iron disturbs the field: move away from it.
        case leaveDisturbance
        case walkStraight
        case done
    }

    package var instruction: Instruction
    /// Progress towards completion, from 0 to 1.
    package var fraction: Double
    /// Time covered by the samples so far. Unit: seconds.
    package var seconds: Double
    /// Predicted heading error of a fit to the samples so far; nil without a fit. Unit: radians.
    package var predictedHeadingError: Double?
    /// Predicted tilt error of a fit to the samples so far; nil while there is no fit. Unit: radians.
    package var predictedTiltError: Double?
    /// Covered directions, for kinds that need the whole sphere.
    package var coverage: SphereCoverage?
    /// Up direction of each still pose so far. Frame: the board's axes.
    package var poses: [Vector3] = []
    /// Current direction of the measured vector (up, or the magnetic field). Frame: the board's axes.
    package var direction: Vector3?
    /// Direction farthest from all covered directions, to which the user should turn next. Frame: the board's axes.
    package var missing: Vector3?

    /// Makes progress without figures of a fit. The other properties are set afterwards.
    package init(instruction: Instruction, fraction: Double = 0, seconds: Double = 0) {
        self.instruction = instruction
        self.fraction = fraction
        self.seconds = seconds
    }
}
