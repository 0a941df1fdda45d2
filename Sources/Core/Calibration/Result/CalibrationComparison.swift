import Geometry
import Model

/// Decides whether a new calibration may replace the active one.
package enum CalibrationComparison {
    /// Figures of the active calibration, as far as they are known.
    package struct Present: Hashable, Sendable {
        /// RMS of the calibration's residuals over its own samples. Unit: that of the new result's residuals.
        package var residualRMS: Double?
        /// Predicted error of the heading. Unit: radians.
        package var predictedHeadingError: Double?
        /// Predicted error of the tilt. Unit: radians.
        package var predictedTiltError: Double?

        package init(
            residualRMS: Double? = nil, predictedHeadingError: Double? = nil, predictedTiltError: Double? = nil
        ) {
            self.residualRMS = residualRMS
            self.predictedHeadingError = predictedHeadingError
            self.predictedTiltError = predictedTiltError
        }
    }

    /// Largest ratio of the active calibration's residual to its original residual, or to the new calibration's
    /// residual, at which the active calibration is still valid. A residual doubles only if three times its variance is
    /// added, which noise does not do.
    static let validResidualRatio = 2.0
    /// Ratio up to which predicted errors count as equal, because they are accurate to 30 %. Of equal calibrations, the
    /// newer one is preferred.
    static let equalErrorRatio = 1.3
    /// Ratio up to which predicted errors count as equal if the new fit is so good that a session would complete by
    /// itself. A few poses determine their own scatter only to a factor of two. Two equally good fits may therefore
    /// predict errors that differ by a factor of three.
    static let equalErrorRatioOfGood = 3.0
    /// Number of standard deviations beyond which two estimates contradict each other. The norm of their difference is
    /// compared with the root of the sum of all variances of its components. Chance exceeds it in at most one of 370
    /// cases, if one component has all the variance (χ² with one degree of freedom), and in one of 170 000 if three
    /// components share it equally (three degrees of freedom).
    static let contradictionStandardDeviations = 3.0
    /// Ratio up to which residuals count as equal. A least-squares fit has the least residual over its own samples,
    /// apart from rounding and the weights of its other residuals.
    static let equalResidualRatio = 1.05

    /// Reason why the new calibration is worse than the active one; nil if it is not worse.
    ///
    /// Let r and r₀ be the residuals of the new and the active calibration over the new samples, and r₁ the residual of
    /// the active one over its own samples. Let e and e₀ be the predicted errors of the two: tilt for an accelerometer,
    /// otherwise heading. The new one is worse if r > 1.05·r₀, unless e < e₀. It is also worse if e > 1.3·e₀ while the
    /// active one is still valid. The factor is 3 if e is so good that a session would complete by itself. The active
    /// one is valid if r₀ ≤ 2·max(r, r₁, e₀·s), where s is gravity or the horizontal field. For a gyroscope, the bias
    /// error is separated from the noise at rest: √(r₀² − r²) ≤ 2·√(e₀² + e²)/60 s.
    ///
    /// A fit to few directions always has small residuals over them, and a fit with as many parameters as poses has
    /// none. Neither may replace a fit to many directions unless that fit has become wrong.
    package static func objection(to result: CalibrationResult, present: Present?) -> String? {
        guard let present else { return nil }
        let error = errors(result, present)
        if let left = result.residualRMS, let leftBefore = result.residualRMSBefore,
            left > equalResidualRatio * leftBefore,
            !(error.map { $0.new < $0.present } ?? false)
        {
            return "over these samples its residual is \(left.figure) \(result.residualUnit), that of the "
                + "active calibration \(leftBefore.figure) \(result.residualUnit)"
        }
        guard let error, isWorse(error, result.kind), stillHolds(present, error, result) else { return nil }
        let degrees = 180 / Double.pi
        return "its predicted error is \((error.new * degrees).figure)° in the \(error.name), that of the "
            + "active calibration \((error.present * degrees).figure)°, and that one is still valid"
    }

    private static func isWorse(_ error: Error, _ kind: CalibrationKind) -> Bool {
        let isGood = kind.goodError.map { $0.name == error.name && error.new <= $0.error } ?? false
        return error.new > (isGood ? equalErrorRatioOfGood : equalErrorRatio) * error.present
    }

    private static func stillHolds(_ present: Present, _ error: Error, _ result: CalibrationResult) -> Bool {
        guard let before = result.residualRMSBefore else { return true }
        let left = result.residualRMS ?? 0
        if result.kind == .gyroscope {
            let both = (error.new * error.new + error.present * error.present).squareRoot()
            let offset = max(0, before * before - left * left).squareRoot()
            return offset <= validResidualRatio * both / GyroscopeLimits.coast
        }
        let expected = error.present * strength(of: result.residualUnit)
        return before <= validResidualRatio * max(left, present.residualRMS ?? 0, expected)
    }

    /// Residual that one radian of error causes: gravity, or the horizontal field at inhabited latitudes (WMM2025: 15
    /// to 40 µT).
    private static func strength(of unit: String) -> Double {
        switch unit {
        case "m/s²": 9.8
        case "µT": 30
        case "1", "rad": 1
        default: 0
        }
    }

    /// The error by which two calibrations are compared. Unit: radians.
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
    /// Predicted error at which a session completes by itself. Unit: radians.
    fileprivate var goodError: (name: String, error: Double)? {
        switch self {
        case .accelerometer: ("tilt", AccelerometerLimits.goodTilt)
        case .magnetometer: ("heading", MagnetometerLimits.enoughHeadingError)
        case .mount: ("heading", MountSettings.goodHeadingError)
        // For these kinds, the duration of the rest determines the precision.
        case .gyroscope, .noise: nil
        }
    }
}
