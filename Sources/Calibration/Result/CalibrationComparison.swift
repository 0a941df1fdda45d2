import Geometry
import Measurements

/// Whether a new calibration may take the place of the one in force.
public enum CalibrationComparison {
    /// What is known of the one in force.
    public struct Present: Hashable, Sendable {
        /// What it left over its own samples when it was made.
        public var residualRMS: Double?
        /// Unit: radians.
        public var predictedHeadingError: Double?
        public var predictedTiltError: Double?

        public init(
            residualRMS: Double? = nil, predictedHeadingError: Double? = nil, predictedTiltError: Double? = nil
        ) {
            self.residualRMS = residualRMS
            self.predictedHeadingError = predictedHeadingError
            self.predictedTiltError = predictedTiltError
        }
    }

    /// The present one still holds while it leaves no more than so many times what it left when it was made, or what the
    /// new one leaves: to double a residual takes three times its variance, which no noise adds.
    static let holds = 2.0
    /// Predicted errors are honest to 30 %: one that is worse by less is not known to be worse, and the newer one counts.
    static let honesty = 1.3
    /// A session that ends by itself calls its fit good, and it is to be kept: a few poses tell their own scatter to a factor
    /// of two, hence two fits alike may predict errors that differ by three. Beyond, also a good one is worse.
    static let muchWorse = 3.0
    /// Two that differ by more than so many standard deviations contradict each other: of three parts by chance one in 30.
    static let contradiction = 3.0
    /// A fit leaves no more over its own samples than any other parameters would, but for what it rounds and trades off.
    static let slack = 1.05

    /// Why the new one is worse than the present one; nil where it is not.
    ///
    /// With r and r₀ what the two leave over the new samples, r₁ what the present one left over its own, e and e₀ the
    /// errors that they predict (of an accelerometer the tilt's, else of the heading): the new one is worse where
    /// r > 1.05·r₀, unless e < e₀; and where e > 1.3·e₀, or 3·e₀ for an e with which a session ends by itself, while the present
    /// one still holds, r₀ ≤ 2·max(r, r₁, e₀·s), with s gravity or the horizontal field. What a bias is off by stands apart
    /// from the noise of a rest: there √(r₀² − r²) ≤ 2·√(e₀² + e²)/60 s. A fit of few directions always leaves little over these few, and one of as many
    /// poses as parameters nothing: it must not replace one of many, unless that has become wrong.
    public static func objection(to result: CalibrationResult, present: Present?) -> String? {
        guard let present else { return nil }
        let error = errors(result, present)
        if let left = result.residualRMS, let leftBefore = result.residualRMSBefore, left > slack * leftBefore,
            !(error.map { $0.new < $0.present } ?? false)
        {
            return "over these samples its residual is \(left.figure) \(result.residualUnit), that of the active "
                + "calibration \(leftBefore.figure) \(result.residualUnit)"
        }
        guard let error, isWorse(error, result.kind), stillHolds(present, error, result) else { return nil }
        let degrees = 180 / Double.pi
        return "its \(error.name) error would be \((error.new * degrees).figure)°, that of the active calibration "
            + "is \((error.present * degrees).figure)°"
    }

    private static func isWorse(_ error: Error, _ kind: CalibrationKind) -> Bool {
        let isGood = kind.goodError.map { $0.name == error.name && error.new <= $0.error } ?? false
        return error.new > (isGood ? muchWorse : honesty) * error.present
    }

    private static func stillHolds(_ present: Present, _ error: Error, _ result: CalibrationResult) -> Bool {
        guard let before = result.residualRMSBefore else { return true }
        let left = result.residualRMS ?? 0
        if result.kind == .gyroscope {
            let both = (error.new * error.new + error.present * error.present).squareRoot()
            let offset = max(0, before * before - left * left).squareRoot()
            return offset <= holds * both / GyroscopeLimits.coast
        }
        let expected = error.present * strength(of: result.residualUnit)
        return before <= holds * max(left, present.residualRMS ?? 0, expected)
    }

    /// What an error of one radian shows as: gravity, or the horizontal field where most people live (WMM2025: 15 to 40 µT).
    private static func strength(of unit: String) -> Double {
        switch unit {
        case "m/s²": 9.8
        case "µT": 30
        case "1", "rad": 1
        default: 0
        }
    }

    /// Unit: radians.
    private typealias Error = (name: String, new: Double, present: Double)

    private static func errors(_ result: CalibrationResult, _ present: Present) -> Error? {
        if result.kind == .accelerometer, let new = result.predictedTiltError, let old = present.predictedTiltError {
            return ("tilt", new, old)
        }
        if let new = result.predictedHeadingError, let old = present.predictedHeadingError {
            return ("heading", new, old)
        }
        if let new = result.predictedTiltError, let old = present.predictedTiltError { return ("tilt", new, old) }
        return nil
    }
}

extension CalibrationKind {
    /// With which a session ends by itself. Unit: radians.
    fileprivate var goodError: (name: String, error: Double)? {
        switch self {
        case .accelerometer: ("tilt", AccelerometerLimits.goodTilt)
        case .magnetometer: ("heading", MagnetometerLimits.enoughHeadingError)
        case .mount: ("heading", MountSettings.goodHeadingError)
        // Noise that is known to per cents tells what a rest leaves.
        case .gyroscope, .noise: nil
        }
    }
}
