/// What can be calibrated by itself.
public enum CalibrationSubject: String, Codable, CaseIterable, Sendable {
    case gyro
    case accel
    case mag
    case mount
    case noise
}

/// What the one who calibrates should see while it goes on.
public struct CalibrationStep: Codable, Equatable, Sendable {
    /// As the interface file lists them, such as `holdStill`; later versions may add more.
    public var instruction: String
    /// Progress towards the automatic end, 0…1.
    public var fraction: Double
    /// Duration of the samples so far.
    public var seconds: Double
    /// Error in degrees that a fit of all samples so far would leave; nil while there is no fit.
    public var predictedHeadingError: Double?
    public var predictedTiltError: Double?
    /// Covered share of the directions, 0…1, and the covered ones of 100 regions of equal area.
    public var coverage: Double?
    public var regions: [Int]?
    /// Up in body axes, for each still pose so far.
    public var poses: [[Double]]
    /// Direction measured now (up, or the field), and the direction that is missing most.
    public var direction: [Double]?
    public var missing: [Double]?
}

/// `true = matrix · (measured − bias)`.
public struct CalibrationParameters: Codable, Equatable, Sendable {
    /// Three numbers.
    public var bias: [Double]
    /// Three rows of three.
    public var matrix: [[Double]]
}

/// Parameters, and how far they are off.
public struct CalibrationFit: Codable, Equatable, Sendable {
    public var parameters: CalibrationParameters
    public var standardDeviations: CalibrationParameters
}

/// The noise of one axis.
public struct CalibrationNoise: Codable, Equatable, Sendable {
    /// A point of Allan's deviation.
    public struct Point: Codable, Equatable, Sendable {
        /// Seconds.
        public var tau: Double
        public var deviation: Double
        /// Relative standard deviation of `deviation`.
        public var uncertainty: Double?
    }

    /// `gx` to `az`.
    public var axis: String
    public var unit: String
    /// In the unit times √s, in it, and in it by √s; nil where the samples do not tell.
    public var randomWalk: Double?
    public var biasInstability: Double?
    public var rateRandomWalk: Double?
    /// Standard deviations of the three, where they were just fitted.
    public var randomWalkDeviation: Double?
    public var biasInstabilityDeviation: Double?
    public var rateRandomWalkDeviation: Double?
    public var curve: [Point]
}

/// What came of a calibration.
public struct CalibrationOutcome: Codable, Equatable, Sendable {
    public var kind: String
    public var accepted: Bool
    /// Why not, in one word of the interface file.
    public var refusal: String?
    /// One sentence: what was found, and what to do.
    public var reason: String
    public var parameters: CalibrationParameters?
    public var standardDeviations: CalibrationParameters?
    public var residualRMS: Double?
    /// With what was in force before.
    public var residualRMSBefore: Double?
    public var residualUnit: String
    /// Degrees, RMS over directions.
    public var predictedHeadingError: Double?
    public var predictedTiltError: Double?
    public var poses: Int?
    /// 0…1.
    public var coverage: Double?
    /// By the turns between the poses of the accelerometer.
    public var gyroscope: CalibrationFit?
    public var noise: [CalibrationNoise]
    /// Degrees Celsius.
    public var temperature: Double?
    public var samples: Int
    public var seconds: Double
    /// Whether it is kept and in force.
    public var stored: Bool?
}

/// What is kept for one sensor.
public struct CalibrationEntry: Codable, Equatable, Sendable {
    /// `gyroscope`, `accelerometer`, `magnetometer`, `mount` or `noise`.
    public var sensor: String
    /// The device's name, and what tells it from others of that name.
    public var device: String
    public var identity: String
    public var inForce: Bool
    /// Why it is not.
    public var detail: String?
    /// Seconds since 1970 UTC, and how long ago that is.
    public var time: Double
    public var age: Double
    /// `calibrate`, `import` or `online`.
    public var origin: String
    public var kind: String
    public var version: String
    public var parameters: CalibrationParameters?
    public var standardDeviations: CalibrationParameters?
    public var residualRMS: Double?
    public var residualUnit: String?
    /// Degrees.
    public var predictedHeadingError: Double?
    public var predictedTiltError: Double?
    public var poses: Int?
    public var coverage: Double?
    public var noise: [CalibrationNoise]
    public var temperature: Double?
    public var samples: Int
    /// Row by row: the mount matrix that the parameters hold with.
    public var mountMatrix: [Double]?
    /// How many before it are kept.
    public var history: Int
}
