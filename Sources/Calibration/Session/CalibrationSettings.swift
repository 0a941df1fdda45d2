import Model

/// What a calibration has to know beside the samples.
public struct CalibrationSettings: Hashable, Sendable {
    /// What the samples are numbers of.
    public enum Unit: Hashable, Sendable {
        /// rad/s, m/s², microtesla, as from drivers.
        case standard
        /// Counts or any other: the scale comes out of the fit.
        case arbitrary
    }

    public var unit: Unit
    /// Of gravity where the board is. Unit: m/s².
    public var gravity: Double
    /// Strength of the earth's field where the board is; nil is not known: the corrected field then keeps the strength that
    /// it is measured with, or becomes 1 where the unit is arbitrary. Unit: microtesla.
    public var fieldStrength: Double?
    /// The poses are the six faces of a box with right angles, and turns between them go about its edges.
    public var usesFaces: Bool
    /// How far each turn about an edge of the box goes; nil without such turns. Unit: radians.
    public var faceTurn: Double?
    /// What is in force now, for the residuals before and for the comparison.
    public var present: [SensorCalibration]

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
