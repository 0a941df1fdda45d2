import Geometry
import Model

/// How large the innovations of the velocity are against what the filter expects of them.
///
/// The covariance holds what was assumed of the receiver; where that is not so, the mean square of the normalised
/// innovations, 1 if all is as assumed, tells by how much the errors are larger or smaller.
package struct VelocityConsistency: Sendable {
    private var horizontal = 1.0
    private var vertical = 1.0
    private var last: BootTime?

    /// Over how long the means are taken, and the largest weight of one fix. Units: seconds, 1.
    private static let memory = 30.0
    private static let largestWeight = 0.1
    /// One fix counts at most so much: an outlier is no rule.
    private static let largestSquare = 9.0
    /// Beyond these the ratio tells of something else.
    private static let range = 0.3...9.0

    package init() {}

    /// Takes normalised innovations squared; nil where there is none.
    mutating func add(horizontal: Double, vertical: Double?, at time: BootTime) {
        let interval = last.map { max(0, time.seconds(since: $0)) } ?? 0
        last = time
        let weight = min(Self.largestWeight, interval / Self.memory)
        self.horizontal += (min(horizontal, Self.largestSquare) - self.horizontal) * weight
        guard let vertical else { return }
        self.vertical += (min(vertical, Self.largestSquare) - self.vertical) * weight
    }

    /// By how much standard deviations of the velocity are to be multiplied.
    package var horizontalFactor: Double { Self.factor(horizontal) }
    package var verticalFactor: Double { Self.factor(vertical) }

    private static func factor(_ ratio: Double) -> Double {
        min(range.upperBound, max(range.lowerBound, ratio)).squareRoot()
    }
}

extension ErrorStateKalmanFilter {
    /// Looks at an innovation before it is applied. Frame: ENU. Units: m/s, (m/s)².
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

    /// Variance of the innovation of a velocity without the receiver's white noise: that of the velocity and of the
    /// receiver's slowly varying error. Unit: (m/s)².
    @inline(__always)
    func predictedVelocityVariance(_ axis: Int) -> Double {
        let (v, u) = (ErrorState.velocity + axis, ErrorState.gnssVelocityError + axis)
        return covariance.rows[v][v] + covariance.rows[u][u] + 2 * covariance.rows[v][u]
    }
}
