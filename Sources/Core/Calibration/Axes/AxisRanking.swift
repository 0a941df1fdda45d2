import Geometry

/// Ranks the 24 rotations by their residuals over the same items, and determines how significant the best one is.
struct AxisRanking {
    /// Rotation with the least sum of squares.
    let best: AxisTurn
    /// Sums of squares of the best rotation and of the second best.
    let sums: (best: Double, second: Double)
    /// Mean over blocks of time of the amount by which the second-best sum of squares exceeds the best, divided by the
    /// standard deviation of this mean.
    let significance: Double

    /// Nil if there are too few blocks.
    ///
    /// - Parameters:
    ///   - squares: squared residuals of all items for each rotation, in the order of `AxisTurn.all`.
    ///   - times: time of each item. Unit: seconds.
    init?(squares: [[Double]], times: [Double]) {
        let sums = squares.map { $0.reduce(0, +) }
        let order = sums.indices.sorted { sums[$0] < sums[$1] }
        guard sums.count == AxisTurn.all.count, sums.allSatisfy(\.isFinite) else { return nil }
        let (first, second) = (order[0], order[1])
        var differences: [Int: Double] = [:]
        for (index, time) in times.enumerated() {
            let difference = squares[second][index] - squares[first][index]
            differences[Int(time / AxisLimits.blockSeconds), default: 0] += difference
        }
        guard differences.count >= AxisLimits.minimumBlockCount else { return nil }
        // The differences are sorted by time, because a floating-point sum depends on the order of its terms.
        let values = differences.sorted { $0.key < $1.key }.map(\.value)
        let count = Double(values.count)
        let mean = values.reduce(0, +) / count
        let variance = values.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / (count - 1)
        best = AxisTurn.all[first]
        self.sums = (sums[first], sums[second])
        significance = variance > 0 ? mean / (variance / count).squareRoot() : 0
    }

    /// Whether the best rotation is clearly better than all others.
    func isClear(ratio: Double) -> Bool {
        sums.second >= ratio * sums.best && significance >= AxisLimits.minimumSignificance
    }
}

enum AxisLimits {
    /// Rotation of the board during a span. It is larger than what noise and biases contribute, and takes about a
    /// second by hand. Unit: radians.
    static let spanAngle = 0.35
    /// Longest span, for a board that turns slowly. Unit: seconds.
    static let spanSeconds = 1.0
    /// Largest rotation of a span. It is below half a turn, beyond which rotations are ambiguous. Unit: radians.
    static let maximumSpanAngle = 2.0
    /// Fewest spans. With a rotation by `spanAngle` in each of them, the board makes 1.1 turns.
    static let minimumSpanCount = 20
    /// Duration over which residuals are assumed to be correlated, as in the magnetometer's fit. Unit: seconds.
    static let blockSeconds = 2.0
    /// Fewest blocks from which their scatter can be estimated.
    static let minimumBlockCount = 5
    /// Smallest accepted significance of the best rotation, in standard deviations.
    static let minimumSignificance = 3.5
    /// Largest fraction of a direction's squared changes that the best rotation may leave unexplained. A sensor that is
    /// turned by 35° from the nearest axes leaves 0.24 unexplained.
    static let unexplained = 0.35
    /// Smallest ratio of the second-best sum of squares to the best. The ratio is 2.3 for a sensor that is turned by
    /// 35° from the nearest axes.
    static let minimumRatio = 2.0
    /// Largest bias of a gyroscope. Data sheets permit ±20°/s (MPU-6050). Unit: rad/s.
    static let maximumBias = 0.35
    /// Largest variance of the sine of the field's elevation over all attitudes, for boards without a gyroscope. It
    /// corresponds to a scatter of 6°.
    static let maximumVariance = 0.01
    /// Smallest variance of the sine of the elevation with the second-best rotation. It corresponds to a scatter of 8°.
    /// With a smaller variance, the two rotations cannot be distinguished.
    static let minimumSecondVariance = 0.02
    /// Smallest ratio of the second-best variance to the best.
    static let minimumVarianceRatio = 4.0
    /// Largest difference of a force's magnitude from gravity, as a fraction of gravity, at which the force counts as
    /// vertical.
    static let acceleration = 0.1
    /// Smallest inclination at which the sign of the elevation is meaningful. Unit: radians.
    static let minimumInclination = 20 * Double.pi / 180
    /// Largest difference between the magnitudes of the measured and the expected inclination. Half of the expected
    /// inclination is used if that is less. Unit: radians.
    static let maximumInclinationError = 20 * Double.pi / 180
}
