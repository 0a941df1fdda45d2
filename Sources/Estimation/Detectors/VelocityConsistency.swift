import Geometry
import Measurements

/// Consistency of the velocity innovations with their covariance.
///
/// The covariance depends on the assumed noise of the receiver; the mean normalised innovation squared (NIS), 1 if the
/// assumption is right, is the factor by which variances are too small.
package struct VelocityConsistency: Sendable {
    private var horizontal = 1.0
    private var vertical = 1.0
    private var last: BootTime?

    /// Time over which the means are taken. Unit: seconds.
    private static let memory = 30.0
    /// Largest weight of one fix.
    private static let largestWeight = 0.1
    /// Largest normalised square that counts, against outliers.
    private static let largestSquare = 9.0
    /// Range of the ratio: beyond it something else is wrong.
    private static let range = 0.3...9.0

    package init() {}

    /// Adds the normalised innovations squared of one velocity; nil for an unmeasured vertical one.
    mutating func add(horizontal: Double, vertical: Double?, at time: BootTime) {
        let interval = last.map { max(0, time.seconds(since: $0)) } ?? 0
        last = time
        let weight = min(Self.largestWeight, interval / Self.memory)
        self.horizontal += (min(horizontal, Self.largestSquare) - self.horizontal) * weight
        guard let vertical else { return }
        self.vertical += (min(vertical, Self.largestSquare) - self.vertical) * weight
    }

    /// Factor of the standard deviation of the horizontal velocity.
    package var horizontalFactor: Double { Self.factor(horizontal) }
    /// Factor of the standard deviation of the vertical velocity.
    package var verticalFactor: Double { Self.factor(vertical) }

    private static func factor(_ ratio: Double) -> Double {
        min(range.upperBound, max(range.lowerBound, ratio)).squareRoot()
    }
}

extension ErrorStateKalmanFilter {
    /// Adds an innovation before it is applied. Frame: ENU. Units: m/s, (m/s)².
    mutating func noteVelocityConsistency(
        _ innovation: Vector3, noise: Matrix<3, 3>, hasVertical: Bool, at time: BootTime
    ) {
        propagateCovariance()
        func expected(_ axis: Int) -> Double { predictedVelocityVariance(axis) + noise[axis, axis] }
        let square = innovation.x * innovation.x + innovation.y * innovation.y
        gnss.velocityConsistency.add(
            horizontal: square / (expected(0) + expected(1)),
            vertical: hasVertical ? innovation.z * innovation.z / expected(2) : nil, at: time)
    }

    /// Innovation variance of one component of a velocity without the receiver's white noise: of the velocity and of
    /// the slowly varying error. Unit: (m/s)².
    @inline(__always)
    func predictedVelocityVariance(_ axis: Int) -> Double {
        let (v, u) = (ErrorState.velocity + axis, ErrorState.gnssVelocityError + axis)
        return covariance.rows[v][v] + covariance.rows[u][u] + 2 * covariance.rows[v][u]
    }
}
