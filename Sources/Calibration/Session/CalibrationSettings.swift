import Measurements

/// Inputs of a calibration besides the samples.
public struct CalibrationSettings: Hashable, Sendable {
    /// Unit of the samples.
    public enum Unit: Hashable, Sendable {
        /// rad/s, m/s² and microtesla, as drivers deliver them.
        case standard
        /// Counts or any other unit: the fit determines the scale.
        case arbitrary
    }

    /// Unit of the samples.
    public var unit: Unit
    /// Gravity at the board's location. Unit: m/s².
    public var gravity: Double
    /// Strength of the earth's field at the board's location. Unit: microtesla.
    ///
    /// If nil, the corrected field keeps its measured strength, or is scaled to 1 where the unit is arbitrary.
    public var fieldStrength: Double?
    /// Whether the poses are the six faces of a box with right angles, and the turns between them go about its edges.
    public var usesFaces: Bool
    /// Angle of each turn about an edge of the box; nil without such turns. Unit: radians.
    public var faceTurn: Double?
    /// Calibrations in force now, for the residuals before the fit and for the comparison.
    public var present: [SensorCalibration]

    /// Settings for SI units, standard gravity and free poses unless given.
    public init(
        unit: Unit = .standard, gravity: Double = 9.80665, fieldStrength: Double? = nil, usesFaces: Bool = false,
        faceTurn: Double? = nil, present: [SensorCalibration] = []
    ) {
        self.unit = unit
        self.gravity = gravity
        self.fieldStrength = fieldStrength
        self.usesFaces = usesFaces
        self.faceTurn = faceTurn
        self.present = present
    }
}
