import Geometry
import Model

/// Bias of a gyroscope, measured at rest, with its standard deviation and the heading error that it causes.
struct GyroscopeBias {
    let fit: SensorFit
    /// Standard deviation of the bias, RMS over the axes. Unit: that of the rate.
    let meanDeviation: Double
    /// Heading error after a minute without aiding, RMS over directions. Unit: that of the rate, times seconds.
    let headingError: Double
    private let residual: Double
    private let residualBefore: Double
    private let hasScale: Bool

    /// Nil without a period of rest.
    init?(_ session: GyroscopeSession) {
        guard let start = session.start else { return nil }
        let rest = session.rests[start...].map(\.rate).filter { $0.count > 0 }
        let count = rest.reduce(0) { $0 + $1.count }
        let seconds = session.restSeconds
        guard count > 1, seconds > 0, let wander = BiasWander(session.channel, hasScale: session.hasScale)
        else { return nil }
        let mean = rest.reduce(Vector3.zero) { $0 + $1.mean * Double($1.count) } / Double(count)
        let variances = wander.meanVariances(over: seconds)
        meanDeviation = (variances.reduce(0, +) / 3).squareRoot()
        headingError = wander.drift(from: variances, over: GyroscopeLimits.coast)
        let present = session.settings.activeCalibration(of: .gyroscope)
        // The gyroscope's scale and axes are kept, because they were determined together with the accelerometer.
        let correction = present?.correction ?? .identity
        fit = SensorFit(
            sensor: .gyroscope, correction: correction, bias: mean,
            biasStandardDeviation: Vector3(
                variances[0].squareRoot(), variances[1].squareRoot(), variances[2].squareRoot()))
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

/// Noise of a gyroscope, from a rest of about a minute: angle random walk and rate random walk.
struct BiasWander {
    /// Squared angle random walk N², for each axis.
    let white: [Double]
    /// Squared rate random walk K², for each axis. In rad/s, it is at least the square of `usualWalk`, which is also
    /// used if the random walk is not significant. In other units, an insignificant random walk is taken as zero.
    let walk: [Double]

    /// Nil if there are too few samples for an Allan deviation.
    ///
    /// - Parameter hasScale: whether the samples are in rad/s.
    init?(_ channel: NoiseChannel, hasScale: Bool) {
        guard let interval = channel.interval else { return nil }
        let points = channel.points
        // At one second, the sensor's low-pass filter has no effect, and there are still many windows.
        guard let near = points.last(where: { Double($0.cluster) * interval <= 1 + 1e-6 }) ?? points.first,
            let far = points.last
        else { return nil }
        let time = (near: Double(near.cluster) * interval, far: Double(far.cluster) * interval)
        let (short, long) = (Self.axes(near.variance), Self.axes(far.variance))
        white = short.map { $0 * time.near }
        let expected = white.map { $0 / time.far }
        // Degrees of freedom of the sum over the three axes, because the estimate from a single axis is too uncertain.
        let freedom =
            3
            * AllanConfidence.freedom(
                sums: far.windows + 2 * Double(far.cluster), cluster: Double(far.cluster), slope: -1)
        let ratio = zip(long, expected).reduce(0) { $0 + ($1.1 > 0 ? $1.0 / $1.1 : 0) } / 3
        // By chance, chi-square over its degrees of freedom exceeds root³ once in a thousand cases. Source: Wilson,
        // Hilferty, 1931.
        let spread = (2 / (9 * freedom)).squareRoot()
        let root = 1 - 2 / (9 * freedom) + GyroscopeLimits.certainty * spread
        let stands = time.far > 2 * time.near && ratio > root * root * root
        let hidden = hasScale ? GyroscopeLimits.usualWalk * GyroscopeLimits.usualWalk : 0
        walk = zip(long, expected).map { stands ? max(hidden, ($0.0 - $0.1) * 3 / time.far) : hidden }
    }

    private static func axes(_ vector: Vector3) -> [Double] { [vector.x, vector.y, vector.z] }

    /// Variance, for each axis, of the mean over a rest minus the bias at the end of the rest: `N²/T + K²·T/3`.
    func meanVariances(over seconds: Double) -> [Double] {
        zip(white, walk).map { $0 / seconds + $1 * seconds / 3 }
    }

    /// Heading drift `√(t²·σ² + N²·t + K²·t³/3)`, RMS over the axes. Its terms are bias error, angle random walk and
    /// rate random walk.
    func drift(from variances: [Double], over time: Double) -> Double {
        let squares = variances.indices.map { axis in
            variances[axis] * time * time + white[axis] * time + walk[axis] * time * time * time / 3
        }
        return (squares.reduce(0, +) / 3).squareRoot()
    }
}
