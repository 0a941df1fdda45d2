import Geometry

import Glibc

/// Comparison of the gyroscope with a sensor's measurements of a direction that is fixed in space (field or gravity),
/// for each of the 24 possible rotations between the axes of the two sensors.
///
/// Over a span, the gyroscope measures a rotation by φ about e. With p = 2·tan(φ/2)·e, a fixed direction c changes by
/// Δc = c̄ × p, where c̄ is the mean of the directions at both ends. This is Cayley's form of a rotation, exact for any
/// span. Because a direction and its opposite rotate in the same way, this comparison does not detect an inverted
/// sensor.
struct AxisRegression {
    /// A period in which the board rotates by about `AxisLimits.spanAngle`.
    private struct Span {
        var begins: Double
        var seconds: Double
        /// Mean of the directions at both ends. Frame: sensor.
        var mean: Vector3
        /// Change of the direction. Frame: sensor.
        var change: Vector3
        /// Rotation, as Cayley's vector p. Frame: body.
        var turn: Vector3
    }

    private var spans: [Span] = []

    /// - Parameters:
    ///   - directions: unit vectors in order of time. Frame: sensor.
    ///   - track: attitudes integrated from the gyroscope. Frame: body.
    init(_ directions: [MagneticStore.Sample], _ track: OrientationTrack) {
        let attitudes = track.attitudes(at: directions.map(\.time))
        var first = 0
        for index in directions.indices.dropFirst() {
            guard let before = attitudes[first], let now = attitudes[index], before.segment == now.segment else {
                first = index
                continue
            }
            let seconds = directions[index].time - directions[first].time
            let turn = (before.rotationStillFromBody.inverse * now.rotationStillFromBody).log
            let angle = turn.norm
            guard angle >= AxisLimits.spanAngle || seconds >= AxisLimits.spanSeconds else { continue }
            defer { first = index }
            guard angle < AxisLimits.maximumSpanAngle, seconds < 2 * AxisLimits.spanSeconds else { continue }
            spans.append(
                Span(
                    begins: directions[first].time, seconds: seconds,
                    mean: 0.5 * (directions[first].value + directions[index].value),
                    change: directions[index].value - directions[first].value,
                    turn: angle > 0 ? 2 * tan(angle / 2) / angle * turn : .zero))
        }
    }

    /// Rotation from the sensor's axes to the gyroscope's axes; nil if no rotation is clearly the best.
    var turn: AxisTurn? {
        guard spans.count >= AxisLimits.minimumSpanCount else { return nil }
        let fits = AxisTurn.all.map(residuals)
        guard let ranking = AxisRanking(squares: fits.map(\.squares), times: spans.map(\.begins)),
            ranking.isClear(ratio: AxisLimits.minimumRatio)
        else { return nil }
        let total = spans.reduce(0) { $0 + $1.change.squaredNorm }
        guard ranking.sums.best <= AxisLimits.unexplained * total,
            let index = AxisTurn.all.firstIndex(of: ranking.best), fits[index].bias.norm <= AxisLimits.maximumBias
        else { return nil }
        return ranking.best
    }

    /// Squared residuals for a rotation, and the bias of the gyroscope that minimises their sum.
    private func residuals(_ turn: AxisTurn) -> (squares: [Double], bias: Vector3) {
        let matrix = turn.matrix
        var (normal, right) = (Matrix<3, 3>(), Vector3.zero)
        let rows = spans.map { span in
            let mean = matrix * span.mean
            let rest = matrix * span.change - mean.cross(span.turn)
            // Δc = c̄ × (p − b·t), with the bias b in body axes.
            let side = span.seconds * mean
            normal = normal + side.squaredNorm * .identity
            normal = normal - Matrix(side.x * side, side.y * side, side.z * side)
            right += side.cross(rest)
            return (rest: rest, side: side)
        }
        let bias = normal.inverse.map { $0 * right } ?? .zero
        return (rows.map { ($0.rest + $0.side.cross(bias)).squaredNorm }, bias)
    }
}
