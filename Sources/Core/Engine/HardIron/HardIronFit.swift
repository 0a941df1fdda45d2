import Estimation
import Geometry
import Glibc
import Model

/// Estimates the hard iron such that, once it is removed, the field has the same intensities in every orientation of
/// the board.
///
/// Let M be the mean of the field and T the mean of the rotation, both in the gyro frame. Removing a hard iron h leaves
/// f = M − T·h, which satisfies
///
///     |f_horizontal| = B
///     f_up = Z
///
/// where the intensities B and Z are assumed constant. Neither equation depends on a yaw. The residuals are assumed to
/// follow Student's t-distribution, whose scale is estimated too. This gives disturbances less weight without a gate.
/// The covariance is determined by leaving out each block of time in turn (jackknife). It is therefore valid even if
/// residuals are correlated within a block or there are few rotations.
///
/// Source: Lange, Little, Taylor, "Robust statistical modeling using the t distribution", J. Am. Stat. Assoc. 84 no.
/// 408, 1989, section 3 (weights and scale); Künsch, "The jackknife and the bootstrap for general stationary
/// observations", Annals of Statistics 17 no. 3, 1989 (standard deviations).
package struct HardIronFit: Sendable, Codable {
    /// Estimated hard iron. Frame: body.
    package private(set) var hardIron = Vector3.zero
    /// Estimated horizontal intensity B.
    package private(set) var horizontal: Double
    /// Estimated upward intensity Z.
    package private(set) var upward: Double
    /// Squared scale of the distribution of the residuals.
    package private(set) var variance: Double
    /// Covariance of the hard iron; nil while there are too few blocks. Frame: body.
    package private(set) var covariance: Matrix<3, 3>?

    private typealias Vector = InlineArray<5, Double>
    private typealias Square = Matrix<5, 5>

    /// Starts with a hard iron of zero.
    package init(_ first: LevelField) {
        horizontal = first.field.horizontalNorm
        upward = first.field.z
        // The initial scale is wide, so that the residuals of a wrong start do not look like disturbances.
        variance = Self.firstShare * Self.firstShare * first.field.squaredNorm
    }

    /// Initial scale of the residuals, as a fraction of the field strength.
    private static let firstShare = 0.1
    /// Fraction of the field strength below which the horizontal component has no usable direction.
    private static let minimumHorizontalShare = 0.05

    package var strength: Double { (horizontal * horizontal + upward * upward).squareRoot() }

    /// Squared Mahalanobis norm of the hard iron, per component; nil while its covariance is unknown.
    package var significance: Double? {
        guard let covariance, let factor = Cholesky(covariance) else { return nil }
        return factor.squaredLength(hardIron.column) / 3
    }

    /// Sums over some of the means in the window.
    private struct Sums {
        /// Lower triangle of the information matrix.
        var information = Square()
        var gradient = Vector(repeating: 0)
        var weight = 0.0
        /// Sum of the weighted squared residuals.
        var square = 0.0
        /// Sum of the squared residuals, each times its squared weight.
        var doubleSquare = 0.0
        var count = 0.0

        mutating func add(_ other: Sums) {
            information = information + other.information
            for i in 0..<5 { gradient[i] += other.gradient[i] }
            weight += other.weight
            square += other.square
            doubleSquare += other.doubleSquare
            count += other.count
        }
    }

    /// The window, divided into blocks.
    private struct Blocks {
        var sums = InlineArray<16, Sums>(repeating: Sums())
        var count = 0

        var total: Sums {
            var total = Sums()
            for index in 0..<count { total.add(sums[index]) }
            return total
        }
    }

    /// Performs one Gauss–Newton step with the weights of the current residuals.
    ///
    /// Equations: docs/filter.md (65) to (69).
    package mutating func improve(
        over window: borrowing Ring<LevelField>, expected: FieldReading.Intensities?,
        settings: PublicationSettings.HardIron
    ) {
        let blocks = blocks(of: window, settings)
        let total = blocks.total
        guard total.count > 0 else { return }
        let prior = prior(expected, settings)
        updateCovariance(blocks, total, prior, settings)
        step(total, prior)
        let minimum = settings.minimumStandardDeviation * strength
        variance = max(minimum * minimum, total.square / (2 * total.count))
    }

    private func blocks(of window: borrowing Ring<LevelField>, _ settings: PublicationSettings.HardIron)
        -> Blocks
    {
        var blocks = Blocks()
        let maximum = blocks.sums.count
        let length = max(Int(settings.blockSeconds / settings.meanSeconds), (window.count + maximum - 1) / maximum, 1)
        while blocks.count * length < window.count {
            let begin = blocks.count * length
            // The sums are kept in a local variable, because otherwise the whole array of blocks would be copied for
            // each mean.
            var sums = Sums()
            for index in begin..<min(begin + length, window.count) {
                add(window[index], to: &sums, freedom: settings.freedom)
            }
            blocks.sums[blocks.count] = sums
            blocks.count += 1
        }
        return blocks
    }

    @inline(__always)
    private func add(_ sample: LevelField, to sums: inout Sums, freedom: Double) {
        let f = sample.remainder(hardIron)
        let level = f.horizontalNorm
        guard level > Self.minimumHorizontalShare * f.norm else { return }
        let (x, y) = (f.x / level, f.y / level)
        let t = sample.turn
        // Rows of the derivatives of |f_h| − B and f_up − Z with respect to h, B and Z.
        let h0 = -(x * t[0, 0] + y * t[1, 0])
        let h1 = -(x * t[0, 1] + y * t[1, 1])
        let h2 = -(x * t[0, 2] + y * t[1, 2])
        let (r, s) = (level - horizontal, f.z - upward)
        let square = r * r + s * s
        let weight = (freedom + 2) / (freedom + square / variance)
        let a: Vector = [h0, h1, h2, -1, 0]
        let b: Vector = [-t[2, 0], -t[2, 1], -t[2, 2], 0, -1]
        for i in 0..<5 {
            sums.gradient[i] += weight * (a[i] * r + b[i] * s)
            for j in 0...i { sums.information.rows[i][j] += weight * (a[i] * a[j] + b[i] * b[j]) }
        }
        sums.weight += weight
        sums.square += weight * square
        sums.doubleSquare += weight * weight * square
        sums.count += 1
    }

    /// Information that the prior has about each unknown, and the difference of each unknown from its prior mean.
    private struct Prior {
        var information: Vector
        var offset: Vector
    }

    private func prior(_ expected: FieldReading.Intensities?, _ settings: PublicationSettings.HardIron) -> Prior {
        let iron = settings.priorStandardDeviation * strength
        let model = settings.modelStandardDeviation * strength
        let known = expected == nil ? 0 : 1 / (model * model)
        let free = 1 / (iron * iron)
        return Prior(
            information: [free, free, free, known, known],
            offset: [
                hardIron.x, hardIron.y, hardIron.z, horizontal - (expected?.horizontal ?? 0),
                upward - (expected?.upward ?? 0),
            ])
    }

    private mutating func step(_ sums: Sums, _ prior: Prior) {
        var gradient = Matrix<5, 1>()
        for i in 0..<5 { gradient.rows[i][0] = sums.gradient[i] / variance + prior.information[i] * prior.offset[i] }
        guard let factor = Cholesky(information(sums, share: 1, prior)) else { return }
        let change = factor.solve(gradient)
        hardIron -= Vector3(change[0, 0], change[1, 0], change[2, 0])
        horizontal -= change[3, 0]
        upward -= change[4, 0]
    }

    private func information(_ sums: Sums, share: Double, _ prior: Prior) -> Square {
        var information = (share / variance) * sums.information
        for i in 0..<5 { information.rows[i][i] += prior.information[i] }
        return information
    }

    /// Computes the covariance from the uncertainty of the prior, and from how the solution changes when each block is
    /// left out.
    ///
    /// Equation: docs/filter.md (69).
    private mutating func updateCovariance(
        _ blocks: Blocks, _ total: Sums, _ prior: Prior, _ settings: PublicationSettings.HardIron
    ) {
        covariance = nil
        guard blocks.count >= Self.minimumBlockCount else { return }
        // Mean second derivative of the log-likelihood relative to the weights.
        let bend = 1 - total.doubleSquare / ((settings.freedom + 2) * variance * total.weight)
        let share = max(Self.minimumBend, bend)
        let whole = information(total, share: share, prior)
        guard let factor = Cholesky(whole) else { return }
        var open = Square()
        let stay = max(1, settings.disturbanceSeconds / settings.meanSeconds)
        for i in 0..<5 {
            for j in 0..<5 { open.rows[i][j] = stay * share / variance * total.information.rows[max(i, j)][min(i, j)] }
            open.rows[i][i] += prior.information[i]
        }
        var sum = factor.solve(factor.solve(open).transpose)
        for index in 0..<blocks.count {
            guard let rest = Cholesky(whole - (share / variance) * blocks.sums[index].information) else { return }
            var gradient = Matrix<5, 1>()
            for i in 0..<5 { gradient.rows[i][0] = blocks.sums[index].gradient[i] / variance }
            let change = rest.solve(gradient)
            let weight = Double(blocks.count - 1) / Double(blocks.count)
            for i in 0..<5 {
                for j in 0..<5 { sum.rows[i][j] += weight * change.rows[i][0] * change.rows[j][0] }
            }
        }
        covariance = sum.block(0, 0)
    }

    /// Smallest number of blocks. With fewer blocks than unknowns the covariance is undetermined.
    private static let minimumBlockCount = 6
    /// Lower limit of the curvature c of (69).
    private static let minimumBend = 0.3
}
