/// What is calibrated, and what the estimator has found beside it.
public struct CalibrationStatus: Codable, Equatable, Sendable {
    /// What is kept for a sensor.
    public struct Sensor: Codable, Equatable, Sendable {
        /// `gyroscope`, `accelerometer`, `magnetometer` or `mount`.
        public var sensor: String
        public var device: String
        public var inForce: Bool
        /// Seconds since it was made.
        public var age: Double
        /// `calibrate`, `import` or `online`.
        public var origin: String
        /// Degrees.
        public var predictedHeadingError: Double?
        public var predictedTiltError: Double?
    }

    /// What remains of a sensor's bias, by axis of the body: rad/s, m/s² or microtesla.
    public struct Residual: Codable, Equatable, Sendable {
        public var sensor: String
        public var bias: [Double]
        public var standardDeviation: [Double]
    }

    /// A change of the magnetometer's hard iron that the board as worn asks for. Unit: microtesla.
    public struct Proposal: Codable, Equatable, Sendable {
        public var hardIron: [Double]
        public var standardDeviation: [Double]
        /// For which the two were compared.
        public var seconds: Double
        /// What the field leaves without it and with it.
        public var residualBefore: Double
        public var residualAfter: Double
        /// Whether it is good enough to be kept.
        public var proven: Bool
    }

    public var sensors: [Sensor]
    public var residuals: [Residual]
    public var proposal: Proposal?
    /// The kind that is being calibrated; nil while none is.
    public var running: String?
}
