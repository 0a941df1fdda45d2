import Geometry

/// Measurement model of an accelerometer with bias, scales and skews: `true = T·K·(measured − b)`. K is diagonal. T is
/// symmetric with ones on its diagonal, so that the non-orthogonality of two axes is divided equally between them.
/// Magnitudes do not determine a common rotation of all axes. Of all corrections that give the same magnitudes, the one
/// with a symmetric T rotates the axes least. The parameters, all of order 1, are `(bias − centre) / radius` (3),
/// `scale · radius / gravity − 1` (3) and the skews xy, xz, yz.
package struct AccelerometerModel: Hashable, Sendable {
    package static let parameterCount = 9

    /// Approximate centre of the sphere of measured values. Measured units.
    package var centre: Vector3
    /// Approximate radius of the sphere of measured values. Measured units.
    package var radius: Double
    /// Gravity at the site. Unit: m/s².
    package var gravity: Double

    package init(centre: Vector3, radius: Double, gravity: Double) {
        self.centre = centre
        self.radius = radius
        self.gravity = gravity
    }

    /// Bias for the parameters `p`. Measured units.
    package func bias(_ p: [Double]) -> Vector3 { centre + radius * Vector3(p[0], p[1], p[2]) }

    func scale(_ p: [Double], _ axis: Int) -> Double { (1 + p[3 + axis]) * gravity / radius }

    func skew(_ p: [Double]) -> Matrix<3, 3> {
        Matrix(Vector3(1, p[6], p[7]), Vector3(p[6], 1, p[8]), Vector3(p[7], p[8], 1))
    }

    /// Correction matrix T·K for the parameters `p`, from measured units to m/s².
    package func correction(_ p: [Double]) -> Matrix<3, 3> {
        var matrix = skew(p)
        for axis in 0..<3 { matrix.scaleColumn(axis, by: scale(p, axis)) }
        return matrix
    }

    func force(_ measured: Vector3, _ p: [Double]) -> Vector3 { correction(p) * (measured - bias(p)) }

    /// Derivatives of the corrected force with respect to each parameter.
    func derivatives(_ measured: Vector3, _ p: [Double]) -> [Vector3] {
        let (matrix, skew, apart) = (correction(p), skew(p), measured - bias(p))
        let unit = gravity / radius
        let scaled = Vector3(scale(p, 0) * apart.x, scale(p, 1) * apart.y, scale(p, 2) * apart.z)
        return [
            -radius * matrix[column: 0], -radius * matrix[column: 1], -radius * matrix[column: 2],
            unit * apart.x * skew[column: 0], unit * apart.y * skew[column: 1], unit * apart.z * skew[column: 2],
            Vector3(scaled.y, scaled.x, 0), Vector3(scaled.z, 0, scaled.x), Vector3(0, scaled.z, scaled.y),
        ]
    }

    /// Derivatives of one element of the correction matrix with respect to each parameter.
    func derivatives(row: Int, column: Int, _ p: [Double]) -> [Double] {
        var derivatives = [Double](repeating: 0, count: Self.parameterCount)
        derivatives[3 + column] = skew(p)[row, column] * gravity / radius
        if row != column { derivatives[5 + row + column] = scale(p, column) }
        return derivatives
    }
}

/// Least-squares problem of still poses. Its residuals are the magnitudes of the corrected forces minus gravity, and
/// the priors.
package struct AccelerometerProblem: LeastSquaresProblem {
    package var model: AccelerometerModel
    /// Mean force of each pose. Measured units.
    package var forces: [Vector3]
    /// Relative weight of each pose; the best pose has the weight 1.
    package var weights: [Double]
    /// Standard deviation of the residual of a pose of weight 1. Unit: m/s².
    package var standardDeviation: Double
    /// A priori standard deviation of each parameter; each a priori mean is 0.
    package var priors: [Double]

    package init(
        model: AccelerometerModel, forces: [Vector3], weights: [Double], standardDeviation: Double, priors: [Double]
    ) {
        self.model = model
        self.forces = forces
        self.weights = weights
        self.standardDeviation = standardDeviation
        self.priors = priors
    }

    package var residualCount: Int { forces.count + AccelerometerModel.parameterCount }

    package func residuals(at p: [Double], into residuals: inout [Double]) {
        for (row, force) in forces.enumerated() { residuals[row] = weights[row] * misfit(force, p) / standardDeviation }
        for index in priors.indices { residuals[forces.count + index] = p[index] / priors[index] }
    }

    package func jacobian(at p: [Double], into jacobian: inout ResidualJacobian) {
        for (row, force) in forces.enumerated() {
            guard let direction = model.force(force, p).normalized else { continue }
            for (column, derivative) in model.derivatives(force, p).enumerated() {
                jacobian[row, column] = weights[row] * direction.dot(derivative) / standardDeviation
            }
        }
        for index in priors.indices { jacobian[forces.count + index, index] = 1 / priors[index] }
    }

    /// Corrected magnitude minus gravity. Unit: m/s².
    func misfit(_ force: Vector3, _ p: [Double]) -> Double { model.force(force, p).norm - model.gravity }
}

enum AccelerometerLimits {
    /// A priori standard deviation of the bias, as a fraction of gravity. The zero-g offset of consumer parts is ±0.8
    /// m/s² at most (MPU-6050 data sheet).
    static let biasPrior = 0.08
    /// A priori standard deviation of the scale. According to the same data sheet, the scale is within ±3 %, and within
    /// twice that after ageing.
    static let scalePrior = 0.05
    /// A priori standard deviation of half the non-orthogonality of two axes. According to the same data sheet,
    /// cross-axis sensitivity is at most ±2 %, which is 1.1°. Unit: radians.
    static let skewPrior = 0.5 * .pi / 180
    /// A priori standard deviation of bias and scale if the data are raw counts, as a fraction of the initial sphere's
    /// radius.
    static let countPrior = 0.5
    /// Initial standard deviation of the mean force of a hand-held pose. Unit: m/s².
    static let firstStandardDeviation = 0.01
    /// Degrees of freedom assigned to the scatter within the poses. The scatter matters if there are hardly more poses
    /// than parameters.
    static let scatterFreedom = 1.0
    /// Duration of a pose at which the motion of the hand causes as much error as all other causes together. A hand
    /// shifts by some millimetres for any duration, so that its mean acceleration falls with the square of the
    /// duration. Unit: seconds.
    static let handSeconds = 1.0
    /// Studentised residual beyond which a pose is an outlier. By chance, a good pose exceeds it in one of 30 fits of
    /// 16 poses.
    static let outlier = 6.0
    /// Fewest degrees of freedom at which outliers are rejected. With fewer, the remaining poses cannot reveal an
    /// outlier.
    static let minimumFreedom = 4.0
    /// Number of poses that are needed for each outlier that is removed: at most one outlier of 8 poses, two of 16.
    static let posesPerOutlier = 8

    /// Drift of the bias within minutes, which no residual shows. The bias instability of consumer parts is 0.03 to 0.1
    /// mg. Unit: m/s².
    static let biasWander = 7e-4

    /// Fewest distinct poses: one for each of three biases and three scales.
    static let minimumPoseCount = 6
    /// Smallest angle between distinct poses. Unit: radians.
    static let distinctAngle = 20 * Double.pi / 180
    /// Number of distinct poses from which the session can complete by itself: one for each parameter.
    static let goodPoses = 9
    /// Predicted tilt error at which the session completes with `goodPoses`. A board held by hand reaches about this
    /// error. Unit: radians.
    static let goodTilt = 0.15 * Double.pi / 180
    /// Number of distinct poses above which the fit hardly improves: two for each parameter.
    static let enoughPoses = 18
    /// Largest accepted predicted tilt error, equal to that of a factory calibration. Unit: radians.
    static let maximumTilt = 1.0 * Double.pi / 180
    /// Largest accepted residual, 1 % of gravity. If it is larger, the board moved, or the samples are not specific
    /// forces. Unit: m/s².
    static let maximumResidual = 0.1
    /// Largest relative difference of the mean magnitude from gravity for samples in m/s². If it is larger, the samples
    /// have another unit.
    static let unitTolerance = 0.25
    /// Time without samples after which the sensor counts as silent if other sensors deliver. Unit: seconds.
    static let silentSeconds = 2.0
    /// Time for which a pose must be held in a live session: half a second in which the hand settles, and one second of
    /// data. Unit: seconds.
    static let holdSeconds = 1.6
    /// Time without a pose after which the board counts as moving too much, in a live session. Unit: seconds.
    static let patienceSeconds = 15.0
}
