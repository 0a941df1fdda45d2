import Geometry

/// Tests, for each of the 24 rotations between compass and accelerometer, whether the field's elevation above the
/// horizon is constant. It is used for boards without a gyroscope.
enum DipConstancy {
    /// Finds the rotation from the compass's axes to the accelerometer's axes; nil if no rotation is clearly the best.
    ///
    /// If the board was tilted to all sides, only the right rotation makes the elevation the same in every attitude.
    ///
    /// - Parameter pairs: directions of the field and of up at the same times, in order of time.
    static func turn(_ pairs: [(time: Double, field: Vector3, up: Vector3)]) -> AxisTurn? {
        guard pairs.count >= MagnetometerLimits.minimumSampleCount else { return nil }
        let squares = AxisTurn.all.map { turn in
            let sines = pairs.map { $0.up.dot(turn.matrix * $0.field) }
            let mean = sines.reduce(0, +) / Double(sines.count)
            return sines.map { ($0 - mean) * ($0 - mean) }
        }
        let count = Double(pairs.count)
        guard let ranking = AxisRanking(squares: squares, times: pairs.map(\.time)),
            ranking.isClear(ratio: AxisLimits.minimumVarianceRatio),
            ranking.sums.best <= AxisLimits.maximumVariance * count,
            ranking.sums.second >= AxisLimits.minimumSecondVariance * count
        else { return nil }
        return ranking.best
    }
}
