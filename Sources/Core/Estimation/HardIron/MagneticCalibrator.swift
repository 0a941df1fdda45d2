import Geometry

import Glibc

/// Kalman filter that separates the hard iron, which rotates with the board, from the local field. It uses only the
/// magnetometer, the tilt and the angular rate.
///
/// The six states are the hard iron `h` (frame: body), the strength `F` and the upward part `Z` of the local field, and
/// the latency `τ` of the magnetometer relative to the inertial sensors. With the field `f = m − h` and the vertical
/// `u`, both in the body frame, the measurements are
///
///     |f| = F
///     u·f = Z + δτ·u·(ω×f)
///
/// where δτ is the latency error. Neither measurement depends on the yaw, so the filter works before the heading is
/// known, and yaw errors do not affect it. A magnet on the board is observable as soon as the board turns.
package struct MagneticCalibrator: Sendable, Codable {
    /// Indices in the covariance.
    private enum Index {
        static let hardIron = 0
        static let strength = 3
        static let upward = 4
        static let delay = 5
    }

    /// Hard iron. Frame: body. Unit: that of the magnetometer, as for all fields in this type.
    package var hardIron = Vector3.zero
    /// Strength of the local field.
    package private(set) var strength: Double
    /// Upward part of the local field, negative in the northern hemisphere.
    package private(set) var upward: Double
    /// Latency of the field relative to its time stamp. Unit: seconds.
    package private(set) var delay = 0.0
    /// Process noise that the last update added to the variance of each hard-iron component.
    package private(set) var addedVariance = 0.0

    private var covariance = Matrix<6, 6>()
    /// Slow mean of the squared innovation, divided by the variance of usual disturbances.
    private var contradiction = 0.0
    /// Whether rotations have determined the hard iron.
    private var isConfirmed = false
    /// Strength of the first field. The settings are given as fractions of it.
    private var scale: Double

    /// Creates a calibrator that takes the first field as its estimate of the local field. The known hard iron must
    /// already be removed from this field.
    ///
    /// Frame of `field` and `up`: body.
    package init(field: Vector3, up: Vector3, settings: EstimatorSettings.MagneticCalibration) {
        scale = max(1e-9, field.norm)
        strength = scale
        upward = up.dot(field)
        let iron = settings.hardIronStandardDeviation * scale
        let place = settings.placeStandardDeviation * scale
        for i in 0..<3 { widen(Index.hardIron + i, by: iron * iron) }
        widen(Index.strength, by: place * place)
        widen(Index.upward, by: place * place)
        widen(Index.delay, by: settings.delayStandardDeviation * settings.delayStandardDeviation)
    }

    /// Horizontal intensity of the local field.
    package var horizontal: Double { max(0, strength * strength - upward * upward).squareRoot() }

    /// Inclination of the local field, downward from the horizontal. Unit: radians.
    package var inclination: Double { asin(max(-1, min(1, -upward / max(1e-9, strength)))) }

    /// Standard deviation of the inclination, derived from that of the upward part. Unit: radians.
    package var inclinationStandardDeviation: Double {
        covariance.rows[Index.upward][Index.upward].squareRoot() / max(Self.minimumHorizontal * strength, horizontal)
    }

    /// Lower limit of the horizontal share of the field when an error is divided by this share. It keeps errors finite
    /// near the magnetic poles.
    static let minimumHorizontal = 0.1

    /// Covariance of the hard iron. Frame: body.
    package var hardIronCovariance: Matrix<3, 3> { covariance.block(Index.hardIron, Index.hardIron) }

    /// Covariance of the hard iron for the handover. It is enlarged because soft iron looks like hard iron.
    func cautiousCovariance(_ settings: EstimatorSettings.MagneticCalibration) -> Matrix<3, 3> {
        let minimum = settings.minimumStandardDeviation * strength
        return settings.caution * hardIronCovariance + (minimum * minimum) * .diagonalOnes
    }

    /// Converts the estimates after the correction of the field has changed. The residual at the given field stays the
    /// same.
    ///
    /// Frame: body, current axes. Unit: that of the magnetometer.
    mutating func follow(_ change: CorrectionChange, at field: Vector3) {
        hardIron = change.applied(to: field + hardIron) - field
        let old = covariance
        for j in 0..<6 {
            let column = change.matrix * Vector3(old[0, j], old[1, j], old[2, j])
            (covariance[0, j], covariance[1, j], covariance[2, j]) = (column.x, column.y, column.z)
        }
        let half = covariance
        for i in 0..<6 {
            let row = change.matrix * Vector3(half[i, 0], half[i, 1], half[i, 2])
            (covariance[i, 0], covariance[i, 1], covariance[i, 2]) = (row.x, row.y, row.z)
        }
        symmetrize()
    }

    /// Updates the estimates with the mean of several samples. The mean includes the hard iron and is compensated for
    /// the known latency.
    ///
    /// - Parameters:
    ///   - measured: the field. Frame: body.
    ///   - up: the vertical. Frame: body.
    ///   - rate: angular rate. Frame: body. Unit: rad/s.
    ///   - span: duration that the mean represents. Unit: seconds.
    ///   - distance: distance walked in that time. Unit: metres.
    package mutating func update(
        measured: Vector3, up: Vector3, rate: Vector3, span: Double, distance: Double = 0,
        settings: EstimatorSettings.MagneticCalibration
    ) {
        age(by: span, distance, settings)
        let model = model(measured: measured, up: up, rate: rate)
        examine(model, span: span, isTurning: rate.norm > settings.turningRate, settings)
        let noise = noise(along: (measured - hardIron).normalized ?? up, rate: rate.norm, span, settings)
        correct(model, noise: noise, settings)
    }

    /// Computes the innovation, from `|f| − F` and `u·f − Z`, and its Jacobian with respect to the error state.
    ///
    /// Equations: docs/filter.md (34), (35).
    package func model(
        measured: Vector3, up: Vector3, rate: Vector3
    ) -> (innovation: Matrix<2, 1>, jacobian: Matrix<2, 6>) {
        let field = measured - hardIron
        let along = field.normalized ?? up
        var r = Matrix<2, 1>()
        r[0, 0] = field.norm - strength
        r[1, 0] = up.dot(field) - upward
        var h = Matrix<2, 6>()
        h.rows[0] = [along.x, along.y, along.z, 1, 0, 0]
        h.rows[1] = [up.x, up.y, up.z, 0, 1, up.dot(rate.cross(field))]
        return (r, h)
    }

    private mutating func age(by span: Double, _ distance: Double, _ settings: EstimatorSettings.MagneticCalibration) {
        let iron = settings.hardIronWalk * scale
        let place = settings.placeWalk * scale
        addedVariance = iron * iron * span
        for i in 0..<3 { widen(Index.hardIron + i, by: addedVariance) }
        let along = settings.placeDistanceWalk * scale
        let placeVariance = place * place * span + along * along * distance
        widen(Index.strength, by: placeVariance)
        widen(Index.upward, by: placeVariance)
        widen(Index.delay, by: settings.delayWalk * settings.delayWalk * span)
    }

    /// Inflates the covariance of the estimates if usual disturbances do not explain the field.
    private mutating func examine(
        _ model: (innovation: Matrix<2, 1>, jacobian: Matrix<2, 6>), span: Double, isTurning: Bool,
        _ settings: EstimatorSettings.MagneticCalibration
    ) {
        let usual = settings.disturbance * scale
        let (r, h) = model
        guard let factor = Cholesky(h * covariance * h.transpose + (usual * usual) * .diagonalOnes) else { return }
        let square = min(Self.maximumSquare, factor.squaredLength(r) / 2)
        contradiction += min(1, span / settings.doubtSeconds) * (square - contradiction)
        guard contradiction > settings.doubtLimit else { return }
        let excess = (r[0, 0] * r[0, 0] + r[1, 0] * r[1, 0]) * min(1, span / settings.doubtSeconds)
        let place = settings.placeStandardDeviation * scale
        for i in 0..<3 { widen(Index.hardIron + i, by: excess) }
        widen(Index.strength, by: min(excess, place * place))
        widen(Index.upward, by: min(excess, place * place))
        // If a rotation reveals a discrepancy for the first time, the discrepancy existed before the rotation: the
        // initial estimate was wrong, but nothing has changed.
        guard isConfirmed || !isTurning else { return }
        addedVariance += excess
    }

    /// Upper limit of the normalised innovation squared. It bounds the effect of a single outlier.
    private static let maximumSquare = 100.0

    private func noise(
        along: Vector3, rate: Double, _ span: Double, _ settings: EstimatorSettings.MagneticCalibration
    ) -> Matrix<2, 2> {
        let white = settings.noise * scale
        let turning = settings.turningNoise * scale * rate
        let variance = (white * white + turning * turning) / span
        // This is the second-order term of the norm: a hard-iron error perpendicular to the field increases the norm.
        let iron = hardIronCovariance
        let across = max(0, iron[0, 0] + iron[1, 1] + iron[2, 2] - along.dot(iron * along))
        let bend = across / (2 * max(1e-9, strength))
        var noise = variance * Matrix<2, 2>.diagonalOnes
        noise[0, 0] += bend * bend
        return noise
    }

    private mutating func correct(
        _ model: (innovation: Matrix<2, 1>, jacobian: Matrix<2, 6>), noise: Matrix<2, 2>,
        _ settings: EstimatorSettings.MagneticCalibration
    ) {
        let (r, h) = model
        let cross = h * covariance
        guard let factor = Cholesky(cross * h.transpose + noise) else { return }
        let gate = InnovationGate(rule: .soften)
        let enlargement = gate.enlargement(normalizedInnovationSquared: factor.squaredLength(r), dimensions: 2) ?? 1
        let gain = (1 / enlargement) * factor.solve(cross)
        covariance = covariance - cross.transpose * gain
        symmetrize()
        let step = r.transpose * gain
        hardIron += Vector3(step[0, 0], step[0, 1], step[0, 2])
        strength += step[0, Index.strength]
        upward += step[0, Index.upward]
        let range = settings.delayRange
        delay = min(range.upperBound, max(range.lowerBound, delay + step[0, Index.delay]))
        let iron = settings.hardIronStandardDeviation * scale
        let known = covariance.rows[0][0] + covariance.rows[1][1] + covariance.rows[2][2]
        if known < settings.confirmedShare * 3 * iron * iron { isConfirmed = true }
    }

    private mutating func widen(_ index: Int, by variance: Double) { covariance.rows[index][index] += variance }

    private mutating func symmetrize() {
        for i in 0..<6 {
            for j in 0..<i {
                let mean = 0.5 * (covariance.rows[i][j] + covariance.rows[j][i])
                covariance.rows[i][j] = mean
                covariance.rows[j][i] = mean
            }
            covariance.rows[i][i] = max(covariance.rows[i][i], ErrorStateKalmanFilter.minimumVariance)
        }
    }
}

extension EstimatorSettings {
    /// Settings of the estimator that separates hard iron and local field while the board turns.
    ///
    /// Fields are given as fractions of the first measured field strength.
    public struct MagneticCalibration: Hashable, Sendable {
        /// Standard deviation of the hard iron that remains after a calibration, per axis. It is also the initial
        /// standard deviation in the filter. Raise it to trust calibrations less. Origin: 1 to 2 µT remain after a
        /// calibration.
        public var hardIronStandardDeviation = 0.025
        /// Random walk of the hard iron. Raise it to follow a hard iron that changes. Unit: 1/√s. Origin: changes due
        /// to the charge of a telephone's battery, or to a magnet that is attached.
        public var hardIronWalk = 5e-4
        /// Initial standard deviation of the strength and of the upward part of the local field. Raise it to attribute
        /// a change rather to the place than to the hard iron. Origin: the field in a house.
        public var placeStandardDeviation = 0.1
        /// Random walk of strength and upward part over time, when indoors. Raise it to attribute changes to the place
        /// sooner. Unit: 1/√s. Origin: walking about indoors.
        public var placeWalk = 0.003
        /// Random walk of strength and upward part over distance, while the wearer walks. Raise it to attribute changes
        /// to the place sooner. Unit: 1/√m. Origin: 10 to 20 % over 5 to 20 m indoors.
        public var placeDistanceWalk = 0.04
        /// Initial standard deviation of the magnetometer's latency. Raise it to learn a different latency sooner.
        /// Unit: seconds. Origin: a sample interval, or the delay of the sensor's own filter.
        public var delayStandardDeviation = 0.012
        /// Random walk of the magnetometer's latency. Raise it to follow a latency that changes. Unit: s/√s. Origin:
        /// the latency is a constant of the sensor.
        public var delayWalk = 2e-4
        /// Range that limits the estimated latency. Raise its upper bound for slower sensors. Unit: seconds.
        public var delayRange = -0.02...0.06
        /// Noise density of norm and upward part of the field. Raise it to learn more slowly. Unit: √s. Origin: a
        /// disturbance of 2 % that lasts for 4 s.
        public var noise = 0.06
        /// Additional noise density while the board turns, per unit of its angular rate. Raise it to learn less from
        /// quick turns. Unit: √s per rad/s. Origin: jitter of time stamps.
        public var turningNoise = 5e-4
        /// Standard deviation of a usual indoor disturbance. Raise it to keep what was learned in spite of larger
        /// disturbances. Origin: usual indoors.
        public var disturbance = 0.025
        /// Limit of the mean squared innovation divided by the variance of usual disturbances. Beyond it, the
        /// covariance of hard iron and local field is inflated. Raise it to keep the estimates in spite of larger
        /// changes.
        public var doubtLimit = 2.0
        /// Time constant of the mean squared innovation. Raise it to react later. Unit: seconds.
        public var doubtSeconds = 0.5
        /// Angular rate below which a change of the field is attributed to a new change of the hard iron or of the
        /// place. A change that appears in a faster rotation may have existed from the start. Raise it to attribute
        /// more changes to a new cause. Unit: rad/s. Origin: at rest, a hard iron that has existed from the start
        /// cannot change the field.
        public var turningRate = 0.2
        /// Limit below which the variance of the hard iron must fall to confirm it, as a share of the initial variance.
        /// Raise it to confirm it sooner.
        public var confirmedShare = 0.8
        /// Factor by which the calibrator's covariance is enlarged at the handover to the filter, because soft iron,
        /// which the calibrator does not model, looks like hard iron. Raise it to trust the calibrator less.
        public var caution = 3.0
        /// Standard deviation added at the handover for the same reason, as a fraction of the field strength. Raise it
        /// to trust the calibrator less. Origin: soft iron looks like hard iron.
        public var minimumStandardDeviation = 0.005
        /// Smallest change of the hard iron that the filter adopts, as a fraction of the field strength. Smaller
        /// changes are usually soft iron, and adopting them would deflect the yaw. Raise it to follow only larger
        /// changes. Origin: smaller changes are soft iron and do more harm than good.
        public var minimumChange = 0.03
        /// Squared Mahalanobis distance that a change must also exceed for the filter to adopt it. Raise it to follow
        /// only more significant changes. Origin: four standard deviations.
        public var minimumSquare = 16.0
        /// Standard deviation of the hard iron, as a fraction of the field strength, above which the field does not
        /// determine the heading. Raise it to use the field for the yaw sooner. Origin: 13° of yaw at middle latitudes.
        public var usableStandardDeviation = 0.1
        package init() {}
    }
}
