import Geometry
import Glibc
import Model

/// Factor by which a receiver under-reports its position errors, estimated from its innovations.
///
/// With correct accuracies the mean of the normalised innovation squared (NIS) equals its degrees of freedom. The scale
/// follows the excess over this number slowly, so that bursts hardly change the scale. It never falls below 1.
package struct AccuracyScale: Hashable, Sendable, Codable {
    private var logarithm = 0.0

    package init() {}

    /// Factor of the reported standard deviations, at least 1.
    package var value: Double { exp(logarithm) }

    /// Logarithm of the largest scale so far.
    private var peak = 0.0

    /// Upper limit of the ratio of a single NIS to its expected value.
    private static let maximumExcess = 4.0

    /// Excess of the NIS that occurs even with correct accuracies, by chance and because errors are correlated. The
    /// scale grows only beyond this excess. The NIS is divided by the scale; otherwise every scale would stay too small
    /// by a factor of √1.5.
    private static let usualExcess = 0.5

    /// Adds an innovation.
    ///
    /// Equation: docs/filter.md (27).
    ///
    /// - Parameters:
    ///   - interval: time since the previous fix. Unit: seconds.
    ///   - memory: time constant of the adaptation. Unit: seconds.
    ///   - maximum: upper limit of the scale.
    /// - Returns: factor by which the scale exceeds all earlier scales, at least 1.
    @discardableResult
    package mutating func note(
        normalizedInnovationSquared: Double, degreesOfFreedom: Int, interval: Double, over memory: Double,
        maximum: Double
    ) -> Double {
        let ratio = min(Self.maximumExcess, normalizedInnovationSquared / Double(degreesOfFreedom))
        let share = min(1, max(0, interval)) / memory
        logarithm = min(log(maximum), max(0, logarithm + share * (ratio - 1 - Self.usualExcess / value)))
        guard logarithm > peak else { return 1 }
        defer { peak = logarithm }
        return exp(logarithm - peak)
    }
}

/// Checks whether the velocity innovations are consistent with their covariance.
///
/// The covariance depends on the assumed noise of the receiver. The mean normalised innovation squared (NIS) is 1 if
/// the assumption is right; otherwise it is the factor by which the variances are too small.
package struct VelocityConsistency: Sendable, Codable {
    private var horizontal = 1.0
    private var vertical = 1.0
    private var last: BootTime?

    /// Time constant of the means. Unit: seconds.
    private static let memory = 30.0
    /// Largest weight of one fix.
    private static let maximumWeight = 0.1
    /// Upper limit of one normalised innovation squared, against outliers.
    static let maximumSquare = 9.0
    /// Limits of the ratio; a ratio outside these limits has a cause other than the noise.
    private static let range = 0.3...9.0

    /// Adds the normalised innovations squared of one velocity; nil for a vertical velocity that was not measured.
    mutating func add(horizontal: Double, vertical: Double?, at time: BootTime) {
        let interval = last.map { max(0, time.seconds(since: $0)) } ?? 0
        last = time
        let weight = min(Self.maximumWeight, interval / Self.memory)
        self.horizontal += (min(horizontal, Self.maximumSquare) - self.horizontal) * weight
        guard let vertical else { return }
        self.vertical += (min(vertical, Self.maximumSquare) - self.vertical) * weight
    }

    /// Factor by which to multiply the standard deviation of the horizontal velocity.
    package var horizontalFactor: Double { Self.factor(horizontal) }
    /// Factor by which to multiply the standard deviation of the vertical velocity.
    package var verticalFactor: Double { Self.factor(vertical) }

    private static func factor(_ ratio: Double) -> Double {
        min(range.upperBound, max(range.lowerBound, ratio)).squareRoot()
    }
}

extension ErrorStateKalmanFilter {
    /// Adds a velocity innovation before the velocity is applied. Frame: ENU. Units: m/s, (m/s)².
    mutating func noteVelocityConsistency(
        _ innovation: Vector3, noise: Matrix<3, 3>, hasVertical: Bool, at time: BootTime
    ) {
        propagateCovariance()
        let (x, y, z) = (
            predictedVelocityVariance(0) + noise[0, 0], predictedVelocityVariance(1) + noise[1, 1],
            predictedVelocityVariance(2) + noise[2, 2]
        )
        let square = innovation.x * innovation.x + innovation.y * innovation.y
        gnss.velocityConsistency.add(
            horizontal: square / (x + y),
            vertical: hasVertical ? innovation.z * innovation.z / z : nil, at: time)
    }

    /// Variance of the innovation of one velocity component, excluding the receiver's white noise: the variance of
    /// velocity plus slowly varying error. Unit: (m/s)².
    @inline(__always)
    func predictedVelocityVariance(_ axis: Int) -> Double {
        let (v, u) = (ErrorState.velocity + axis, ErrorState.gnssVelocityError + axis)
        return covariance.rows[v][v] + covariance.rows[u][u] + 2 * covariance.rows[v][u]
    }
}

/// White noise of the receiver's velocities, estimated from the innovations.
///
/// Innovations vary because the state is uncertain and because the receiver is noisy. The noise is the part of their
/// variance that the uncertainty of the state does not explain. Many receivers smooth their velocities and are less
/// noisy than they report; the setting assumes such a receiver. A receiver that does not smooth is weighted less once
/// its noise has been observed. The noise never falls below the setting; otherwise a receiver that reports zero
/// velocity at rest would seem perfect.
package struct VelocityNoise: Hashable, Sendable, Codable {
    /// Amount by which the mean square of the noise exceeds the setting, as a fraction of the reported variance.
    private var excess = 0.0

    /// Number of fixes in the mean.
    private static let memory = 40.0
    /// Value that the mean can reach by chance.
    private static let chance = 0.1
    /// Upper limit of the white share of the reported standard deviation, as a multiple of the setting.
    private static let maximumFactor = 3.0

    package init() {}

    /// Adds a velocity innovation before the velocity is applied. The innovation is ignored while the state is less
    /// certain than the receiver.
    ///
    /// Equation: docs/filter.md (95).
    ///
    /// - Parameters:
    ///   - square: mean square of the horizontal components. Unit: (m/s)².
    ///   - predicted: variance of a component without the white noise. Unit: (m/s)².
    ///   - reported: reported standard deviation of a component. Unit: m/s.
    ///   - usual: white share of the reported standard deviation according to the settings.
    package mutating func note(square: Double, predicted: Double, reported: Double, usual: Double) {
        let noise = share(usual: usual) * reported
        guard predicted < noise * noise else { return }
        let bounded = min(square, VelocityConsistency.maximumSquare * (predicted + noise * noise))
        excess += ((bounded - predicted) / (reported * reported) - usual * usual - excess) / Self.memory
    }

    /// White share of the reported standard deviation.
    package func share(usual: Double) -> Double {
        min(Self.maximumFactor * usual, (usual * usual + max(0, excess - Self.chance)).squareRoot())
    }
}
