import Geometry
import Measurements

/// Initial estimate of a gyroscope's correction in counts, linear and without a guess of scale, sign or order of axes.
/// Up, fixed in space, moves in the board's axes by `Δup = Δt · up × (G·(ω − b))`, which is linear in G. The
/// accelerometer gives an approximate up direction for each of hundreds of blocks of a tenth of a second, also in
/// motion.
enum GyroscopeStart {
    /// Correction G in rad/s a measured unit; nil if the moves leave an element undetermined.
    static func correction(
        _ record: InertialRecord, bias: Vector3, force: (Vector3) -> Vector3, gravity: Double
    ) -> Matrix<3, 3>? {
        var (normal, right) = (Matrix<9, 9>(), Matrix<9, 1>())
        // Rates are scaled by their standard deviation, so that the elements are of order 1.
        var unit = VectorMoments()
        for rate in record.rates { unit.add(rate.value - bias) }
        guard let scale = unit.deviation, scale > 0 else { return nil }
        for (old, new) in zip(record.blocks, record.blocks.dropFirst()) where new.follows(old) {
            guard old.rate.count > 0, new.rate.count > 0, old.force.count > 0, new.force.count > 0,
                let before = up(force(old.force.mean), gravity), let after = up(force(new.force.mean), gravity)
            else { continue }
            let seconds = new.middle.seconds(since: old.middle)
            guard seconds > 0 else { continue }
            let rate = (seconds / scale) * (0.5 * (old.rate.mean + new.rate.mean) - bias)
            accumulate(&normal, &right, up: 0.5 * (before + after), change: after - before, rate: rate)
        }
        // A thousandth of the information on the best known element: rates of 3 % of the others'.
        let best = (0..<9).reduce(0) { max($0, normal[$1, $1]) }
        guard let factor = Cholesky(normal),
            (0..<9).allSatisfy({ factor.factor[$0, $0] * factor.factor[$0, $0] > 1e-3 * best })
        else { return nil }
        let g = factor.solve(right)
        return (1 / scale)
            * Matrix(
                Vector3(g[0, 0], g[1, 0], g[2, 0]), Vector3(g[3, 0], g[4, 0], g[5, 0]),
                Vector3(g[6, 0], g[7, 0], g[8, 0]))
    }

    private static func up(_ force: Vector3, _ gravity: Double) -> Vector3? {
        guard (force.norm / gravity - 1).magnitude < MoveLimits.gravityTolerance else { return nil }
        return force.normalized
    }

    private static func accumulate(
        _ normal: inout Matrix<9, 9>, _ right: inout Matrix<9, 1>, up: Vector3, change: Vector3, rate: Vector3
    ) {
        let cross = Matrix<3, 3>.skew(up)
        let rates = [rate.x, rate.y, rate.z]
        let changes = [change.x, change.y, change.z]
        for equation in 0..<3 {
            for i in 0..<9 {
                let factor = cross[equation, i / 3] * rates[i % 3]
                guard factor != 0 else { continue }
                right[i, 0] += factor * changes[equation]
                for j in 0..<9 { normal[i, j] += factor * cross[equation, j / 3] * rates[j % 3] }
            }
        }
    }
}

extension InertialRecord.Block {
    fileprivate var middle: BootTime {
        BootTime(nanoseconds: begins.nanoseconds + (ends.nanoseconds - begins.nanoseconds) / 2)
    }
}
