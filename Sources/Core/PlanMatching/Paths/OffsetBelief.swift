import Geometry
import Glibc
import Model

/// Estimate of the position error, and of the offset of the surrounding paths on the map: mean and covariance.
///
/// Order of the covariance: correction to the east and to the north, offset of the map to the east and to the north.
struct OffsetBelief: Sendable, Codable {
    /// True position minus given position. Frame: east and north. Unit: metres.
    private(set) var correction = Vector2()
    /// Drawn path minus walked line, for paths that are drawn with the usual deviation. Frame: east and north. Unit:
    /// metres.
    private(set) var mapOffset = Vector2()
    fileprivate var covariance = Matrix<4, 4>()

    /// Returns the same belief about the position, with an unknown offset of the map.
    func onOtherMap(variance: Double) -> OffsetBelief {
        var other = OffsetBelief(variance: 0, mapVariance: variance)
        other.correction = correction
        for row in 0..<2 {
            for column in 0..<2 { other.covariance[row, column] = covariance[row, column] }
        }
        return other
    }

    /// Covariance of the correction. Unit: m².
    var spread: Matrix<2, 2> {
        var part = Matrix<2, 2>()
        for row in 0..<2 {
            for column in 0..<2 { part[row, column] = covariance[row, column] }
        }
        return part
    }

    // MARK: Changes

    /// Multiplies the correction and its standard deviation by `kept`, then adds `variance` to the variance of each
    /// axis. Unit: m².
    @inline(__always)
    mutating func relax(to kept: Double, adding variance: Double) {
        correction = kept * correction
        scale(kept, 0..<2)
        covariance.rows[0][0] += variance
        covariance.rows[1][1] += variance
    }

    /// Multiplies the offset of the map and its standard deviation by `kept`, then adds `variance` to the variance of
    /// each axis. Unit: m².
    @inline(__always)
    mutating func relaxMap(to kept: Double, adding variance: Double) {
        mapOffset = kept * mapOffset
        scale(kept, 2..<4)
        covariance.rows[2][2] += variance
        covariance.rows[3][3] += variance
    }

    @inline(__always)
    private mutating func scale(_ factor: Double, _ range: Range<Int>) {
        for index in range {
            for other in 0..<4 {
                covariance.rows[index][other] *= factor
                covariance.rows[other][index] *= factor
            }
        }
    }

    // MARK: A path

    /// How far a segment is from where it is expected, and the gain of the update to apply if the wearer is on it.
    struct Comparison {
        /// Measured minus expected distance. Unit: metres.
        let innovation: Double
        /// Variance of the innovation. Unit: m².
        let variance: Double
        fileprivate let gain: InlineArray<4, Double>

        /// Probability density of the innovation. Unit: 1/m.
        var likelihood: Double {
            exp(-innovation * innovation / (2 * variance)) / (2 * .pi * variance).squareRoot()
        }
    }

    /// Compares a segment with the position.
    ///
    /// - Parameters:
    ///   - spread: ratio of this segment's offset on the map to `mapOffset`.
    ///   - noise: variance of the distance from causes other than the position error and the offset of the map. Unit:
    ///     m².
    @inline(__always)
    func compare(_ segment: PathSegment, spread: Double, with position: Vector2, noise: Double) -> Comparison {
        let normal = segment.normal
        let row: InlineArray<4, Double> = [
            normal.x, normal.y, spread * normal.x, spread * normal.y,
        ]
        var gain = InlineArray<4, Double>(repeating: 0)
        var variance = noise
        for index in 0..<4 {
            for other in 0..<4 { gain[index] += covariance.rows[index][other] * row[other] }
            variance += gain[index] * row[index]
        }
        for index in 0..<4 { gain[index] /= variance }
        let expected = normal.dot(correction) + spread * normal.dot(mapOffset)
        return Comparison(
            innovation: segment.offset(from: position) - expected, variance: variance, gain: gain)
    }

    /// Returns the belief if the wearer is on the compared segment.
    @inline(__always)
    func updated(by comparison: Comparison) -> OffsetBelief {
        var updated = self
        let (gain, innovation) = (comparison.gain, comparison.innovation)
        updated.correction = correction + innovation * Vector2(gain[0], gain[1])
        updated.mapOffset = mapOffset + innovation * Vector2(gain[2], gain[3])
        for row in 0..<4 {
            for column in 0..<4 {
                updated.covariance.rows[row][column] -= gain[row] * gain[column] * comparison.variance
            }
        }
        return updated
    }
}

/// Moments of several beliefs, weighted by their shares.
struct BeliefMixture {
    private var share = 0.0
    private var mean = InlineArray<4, Double>(repeating: 0)
    /// Second moments about zero.
    private var squares = Matrix<4, 4>()

    @inline(__always)
    mutating func add(_ belief: OffsetBelief, share: Double) {
        self.share += share
        let values = belief.values
        for row in 0..<4 {
            mean[row] += share * values[row]
            for column in 0..<4 {
                squares.rows[row][column] +=
                    share * (belief.covariance.rows[row][column] + values[row] * values[column])
            }
        }
    }

    /// Moments of the mixture; nil if the shares are zero.
    var belief: OffsetBelief? {
        guard share > 0 else { return nil }
        var (mean, covariance) = (mean, squares)
        for row in 0..<4 { mean[row] /= share }
        for row in 0..<4 {
            for column in row..<4 {
                // The matrix must be symmetric and its diagonal must not be negative, in spite of rounding.
                let element = squares.rows[row][column] / share - mean[row] * mean[column]
                covariance.rows[row][column] = row == column ? max(0, element) : element
                covariance.rows[column][row] = covariance.rows[row][column]
            }
        }
        return OffsetBelief(
            correction: Vector2(mean[0], mean[1]), mapOffset: Vector2(mean[2], mean[3]), covariance: covariance)
    }
}

extension OffsetBelief {
    /// Starts with zero mean and the given variances per axis. Unit: m².
    init(variance: Double, mapVariance: Double) {
        self.init()
        covariance[0, 0] = variance
        covariance[1, 1] = variance
        covariance[2, 2] = mapVariance
        covariance[3, 3] = mapVariance
    }

    @inline(__always)
    fileprivate var values: InlineArray<4, Double> { [correction.x, correction.y, mapOffset.x, mapOffset.y] }
}

extension OffsetBelief: CheckedState {
    /// Largest offset and standard deviation that a saved state may contain. Unit: metres.
    private static let maximumDistance = 1e5

    package mutating func settle() -> Bool {
        guard correction.norm <= Self.maximumDistance, mapOffset.norm <= Self.maximumDistance else { return false }
        let maximumVariance = Self.maximumDistance * Self.maximumDistance
        return (0..<4).allSatisfy { row in
            (0...maximumVariance).contains(covariance[row, row])
                && (0..<4).allSatisfy { column in
                    let product = covariance[row, row] * covariance[column, column]
                    return covariance[row, column] == covariance[column, row]
                        && covariance[row, column] * covariance[row, column] <= 1.01 * product + 1e-12
                }
        }
    }
}
