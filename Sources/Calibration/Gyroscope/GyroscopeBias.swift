import Geometry
import Measurements

/// Bias of a gyroscope from a rest, its standard deviation and the heading error it causes.
struct GyroscopeBias {
    let fit: SensorFit
    /// Standard deviation of the bias, RMS over the axes. Unit: that of the rate.
    let meanDeviation: Double
    /// Heading error after a minute without aiding, RMS over directions. Unit: that of the rate, times seconds.
    let headingError: Double
    private let residual: Double
    private let residualBefore: Double
    private let hasScale: Bool

    /// Nil without a rest.
    init?(_ session: GyroscopeSession) {
        guard let start = session.start else { return nil }
        let rest = session.windows[start...].map(\.rate).filter { $0.count > 0 }
        let count = rest.reduce(0) { $0 + $1.count }
        let seconds = session.restSeconds
        guard count > 1, seconds > 0, let wander = BiasWander(session.channel) else { return nil }
        let mean = rest.reduce(Vector3.zero) { $0 + $1.mean * Double($1.count) } / Double(count)
        let variances = wander.meanVariances(over: seconds)
        meanDeviation = (variances.reduce(0, +) / 3).squareRoot()
        headingError = wander.drift(from: variances, over: GyroscopeLimits.coast)
        let present = session.settings.present.last { $0.sensor == .gyroscope }
        // Scale and axes come from the accelerometer's calibration and are kept.
        let correction = present?.correction ?? .identity
        fit = SensorFit(
            sensor: .gyroscope, correction: correction, bias: mean,
            biasDeviation: Vector3(variances[0].squareRoot(), variances[1].squareRoot(), variances[2].squareRoot()))
        func rms(_ correct: (Vector3) -> Vector3) -> Double {
            let sum = rest.reduce(0) { $0 + correct($1.mean).squaredNorm * Double($1.count) }
            return (sum / Double(3 * count)).squareRoot()
        }
        residual = rms { correction * ($0 - mean) }
        residualBefore = rms { present?.applied(to: $0) ?? $0 }
        hasScale = session.hasScale
    }

    func report(in result: inout CalibrationResult) {
        result.fits = [fit]
        result.residualRMS = residual
        result.residualRMSBefore = residualBefore
        if hasScale { result.predictedHeadingError = headingError }
    }
}
