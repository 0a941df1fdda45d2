import Geometry

#if canImport(Glibc)
    import Glibc
#endif

/// Kalman filter of the difference between a receiver's positions and the integral of its velocities, under one
/// assumption about the size of their errors.
///
/// States, of each horizontal axis: the integrated velocity error d, the slow velocity error u and the slow position
/// error e. Both axes share the covariance and the gain.
///
/// Equations: docs/filter.md (91), (92).
package struct ReceiverErrorFilter: Sendable {
    /// Size of a receiver's errors, per axis.
    package struct Assumption: Sendable {
        /// Stationary standard deviation of the slow velocity error. Unit: m/s.
        package var velocityDeviation: Double
        /// Correlation time of the slow velocity error. Unit: seconds.
        package var velocitySeconds: Double
        /// Stationary standard deviation of the slow position error. Unit: metres.
        package var positionDeviation: Double
        /// Correlation time of the slow position error. Unit: seconds.
        package var positionSeconds: Double
        /// Standard deviation of the white error of a position. Unit: metres.
        package var positionNoise: Double
    }

    private var east = Vector3.zero
    private var north = Vector3.zero
    private var covariance = Matrix<3, 3>()
    /// Log-likelihood of the innovations, which fades.
    package private(set) var logLikelihood = 0.0

    /// Degrees of freedom of Student's t-distribution, whose tails tolerate outliers.
    private static let tailDegrees = 5.0
    /// Number of standard deviations beyond which an innovation is a jump of the positions, which no velocity error
    /// causes.
    private static let jumpGate = 5.0
    /// Variance of d after an interval over which the velocity was not measured. Unit: m².
    private static let unknownVariance = 1e6

    package init() {}

    /// Variance of the slow position error, and so of a position by fixes, per axis. Unit: m².
    package var positionVariance: Double { covariance[2, 2] }

    /// Begins a new difference; the likelihood is kept.
    package mutating func restart(_ assumption: Assumption) {
        (east, north) = (.zero, .zero)
        covariance = Matrix()
        covariance[0, 0] = Self.unknownVariance
        covariance[1, 1] = assumption.velocityDeviation * assumption.velocityDeviation
        covariance[2, 2] = assumption.positionDeviation * assumption.positionDeviation
    }

    /// - Parameters:
    ///   - wayNoise: standard deviation of the white error of the integrated velocity. Unit: metres.
    ///   - memory: time constant with which the likelihood fades. Unit: seconds.
    package mutating func predict(over interval: Double, wayNoise: Double, memory: Double, _ assumption: Assumption) {
        logLikelihood *= exp(-interval / memory)
        let u = exp(-interval / assumption.velocitySeconds)
        let e = exp(-interval / assumption.positionSeconds)
        let transition = Matrix(Vector3(1, interval, 0), Vector3(0, u, 0), Vector3(0, 0, e))
        (east, north) = (transition * east, transition * north)
        covariance = transition * covariance * transition.transpose
        covariance[0, 0] += wayNoise * wayNoise
        covariance[1, 1] += (1 - u * u) * assumption.velocityDeviation * assumption.velocityDeviation
        covariance[2, 2] += (1 - e * e) * assumption.positionDeviation * assumption.positionDeviation
    }

    /// Corrects by the difference of the positions from the integrated velocities. Frame: ENU. Unit: metres.
    package mutating func correct(by difference: Vector3, _ assumption: Assumption) {
        let (x, y) = (difference.x - east.x - east.z, difference.y - north.x - north.z)
        let squaredInnovation = x * x + y * y
        let square = squaredInnovation / innovationVariance(assumption)
        noteLikelihood(square, assumption)
        if square > Self.jumpGate * Self.jumpGate { covariance[0, 0] += squaredInnovation }
        let variance = innovationVariance(assumption)
        let column = Vector3(
            covariance[0, 0] + covariance[0, 2], covariance[1, 0] + covariance[1, 2],
            covariance[2, 0] + covariance[2, 2])
        east += column * (x / variance)
        north += column * (y / variance)
        subtract(column, over: variance)
    }

    private func innovationVariance(_ assumption: Assumption) -> Double {
        covariance[0, 0] + 2 * covariance[0, 2] + covariance[2, 2] + assumption.positionNoise * assumption.positionNoise
    }

    private mutating func noteLikelihood(_ square: Double, _ assumption: Assumption) {
        let variance = innovationVariance(assumption)
        guard variance < Self.unknownVariance / 2 else { return }
        logLikelihood -= log(variance) + 0.5 * (Self.tailDegrees + 2) * log(1 + square / Self.tailDegrees)
    }

    /// Subtracts `c·cᵀ/variance` from the covariance.
    private mutating func subtract(_ c: Vector3, over variance: Double) {
        covariance =
            covariance
            - Matrix(c * (c.x / variance), c * (c.y / variance), c * (c.z / variance))
    }
}
