import Geometry

import Glibc

/// Least-squares problem of the magnetic model for all points. Equations: docs/calibration.md (M1) to (M3).
///
/// Residuals are fractions of the field strength, or of gravity for the force. They are divided by their standard
/// deviations.
package struct MagneticProblem: LeastSquaresProblem {
    /// Kind of residual. Each kind has its own noise.
    package enum Kind: Int, CaseIterable {
        /// Strength of the corrected field minus 1.
        case strength
        /// Elevation of the corrected field above the horizon, minus the common elevation.
        case elevation
        /// Strength of the force minus gravity.
        case force
    }

    let points: [MagneticPoint]
    let parameters: MagneticParameters
    let kinds: [Kind]
    /// Reciprocal standard deviation by kind, in the order of `kinds`, and by point. Zero excludes a residual.
    var weights: [[Double]]
    /// Gradient of the residual with respect to the corrected field, at the start model, by kind and point.
    private var slopes: [[Vector3]] = []
    /// Fraction of the residual's variance that the magnetometer's noise causes, by kind.
    private let shares: [Double]
    private let biasStandardDeviation: Double
    /// Matrix of determinant 1 that maps isotropic noise to the noise in measured axes.
    private let noiseShape: Matrix<3, 3>

    /// - Parameters:
    ///   - start: model at which the gradients for the noise shares are evaluated.
    ///   - biasStandardDeviation: a priori standard deviation of the accelerometer's bias, as a fraction of gravity.
    ///   - shares: fraction of the variance that the magnetometer's noise causes, by kind.
    ///   - noiseShape: shape of the magnetometer's noise in measured axes.
    package init(
        _ points: [MagneticPoint], _ parameters: MagneticParameters, start: MagneticModel,
        biasStandardDeviation: Double,
        shares: [Kind: Double] = [:], noiseShape: Matrix<3, 3> = .identity
    ) {
        self.noiseShape = noiseShape
        self.points = points
        self.parameters = parameters
        self.biasStandardDeviation = biasStandardDeviation
        kinds = parameters == .aligned ? [.strength, .elevation, .force] : [.strength]
        weights = kinds.map { _ in [Double](repeating: 1, count: points.count) }
        self.shares = kinds.map { $0 == .strength || $0 == .force ? 0 : shares[$0] ?? 0.5 }
        slopes = kinds.map { kind in points.indices.map { has(kind, $0) ? value(kind, $0, start).byField : .zero } }
    }

    package var residualCount: Int { kinds.count * points.count + (parameters == .aligned ? 4 : 0) }

    package func residuals(at p: [Double], into residuals: inout [Double]) {
        let model = parameters.model(of: p)
        for (number, kind) in kinds.enumerated() {
            let first = number * points.count
            for index in points.indices {
                let weight = weights[number][index]
                residuals[first + index] =
                    weight == 0
                    ? 0 : weight * value(kind, index, model).value / spread(number, index, model.correction).value
            }
        }
        guard parameters == .aligned else { return }
        let first = kinds.count * points.count
        for axis in 0..<3 { residuals[first + axis] = p[13 + axis] / biasStandardDeviation }
        residuals[first + 3] = (p[16] - 1) / biasStandardDeviation
    }

    package func jacobian(at p: [Double], into jacobian: inout ResidualJacobian) {
        let model = parameters.model(of: p)
        for number in kinds.indices {
            let first = number * points.count
            for index in points.indices {
                let weight = weights[number][index]
                guard weight != 0 else { continue }
                let row = derivative(number, index, model)
                for column in 0..<parameters.count { jacobian[first + index, column] = weight * row[column] }
            }
        }
        guard parameters == .aligned else { return }
        for axis in 0..<4 { jacobian[kinds.count * points.count + axis, 13 + axis] = 1 / biasStandardDeviation }
    }

    /// Whether a point has the data for a residual of this kind.
    func has(_ kind: Kind, _ index: Int) -> Bool {
        switch kind {
        case .strength: true
        case .elevation, .force: points[index].up != nil
        }
    }

    // MARK: - One residual

    private struct Value {
        var value = 0.0
        var byField = Vector3.zero
        var byUp = Vector3.zero
        /// Left factor of the explicit gradient `left·rightᵀ` with respect to the correction.
        var left = Vector3.zero
        /// Right factor of that gradient.
        var right = Vector3.zero
    }

    /// Residual of the strength, as a distance in measured units. It is the difference of strengths divided by its
    /// gradient at the point, `|Nᵀ·Mᵀ·ĉ|`, where N is `noiseShape`, M is the correction and ĉ is `direction`.
    ///
    /// Without this division a fit would reduce its residuals by enlarging the ellipsoid, which scales down the noise.
    /// Source: Sampson, "Fitting conic sections to very scattered data", 1982.
    private func strength(_ strength: Double, _ direction: Vector3, _ correction: Matrix<3, 3>) -> Value {
        let magnified = correction * noiseShape
        let gradient = magnified.transpose * direction
        let slope = max(gradient.norm, 1e-9)
        let along = gradient / slope
        let distance = (strength - 1) / slope
        let turned = magnified * along
        let bySlope = -distance / slope
        return Value(
            value: distance,
            byField: direction / slope + bySlope / strength * (turned - turned.dot(direction) * direction),
            left: bySlope * direction, right: noiseShape * along)
    }

    /// Magnitude of the force at a point as a fraction of gravity, and its direction, without the accelerometer's bias.
    private static func force(_ point: MagneticPoint, _ model: MagneticModel) -> (gravity: Double, up: Vector3) {
        let force = (point.up ?? .zero) - point.upFromBias * model.forceBias
        let gravity = max(force.norm, 1e-9)
        return (gravity, force / gravity)
    }

    private func value(_ kind: Kind, _ index: Int, _ model: MagneticModel) -> Value {
        let point = points[index]
        let field = model.corrected(point.field)
        let strength = max(field.norm, 1e-9)
        let direction = field / strength
        if kind == .strength { return self.strength(strength, direction, model.correction) }
        let (gravity, up) = Self.force(point, model)
        switch kind {
        case .elevation:
            let sine = direction.dot(up)
            let across = up - sine * direction
            // The residual is the angle rather than its sine, which would favour a steep field.
            let cosine = max(across.norm, 1e-9)
            return Value(
                value: atan2(sine, cosine) - model.elevation, byField: across / (strength * cosine),
                byUp: direction / cosine)
        default: return Value(value: gravity - model.gravity, byUp: up)
        }
    }

    /// Factor by which a correction magnifies the noise of a residual, and the direction of this noise in measured
    /// units.
    ///
    /// Residuals are divided by this factor. Otherwise a fit would reduce its residuals by enlarging the ellipsoid,
    /// which scales down the noise. Source: Sampson, "Fitting conic sections to very scattered data", 1982, for the
    /// strength.
    private func spread(_ number: Int, _ index: Int, _ correction: Matrix<3, 3>) -> (value: Double, along: Vector3) {
        let share = shares[number]
        guard share > 0 else { return (1, .zero) }
        let along = noiseShape.transpose * (correction.transpose * slopes[number][index])
        return ((share * along.squaredNorm + 1 - share).squareRoot(), share * (noiseShape * along))
    }

    private func derivative(_ number: Int, _ index: Int, _ model: MagneticModel) -> InlineArray<17, Double> {
        let (kind, point) = (kinds[number], points[index])
        var value = value(kind, index, model)
        let spread = spread(number, index, model.correction)
        (value.byField, value.byUp) = (value.byField / spread.value, value.byUp / spread.value)
        var row = parameters.derivative(
            byField: value.byField, at: point.field - model.centre, model.correction)
        let bySpread = -value.value / (spread.value * spread.value * spread.value)
        parameters.add(bySpread * slopes[number][index], spread.along, to: &row)
        if kind == .strength {
            parameters.add(value.left, value.right, to: &row)
            return row
        }
        let (gravity, up) = Self.force(point, model)
        // The force residual depends only on the magnitude of the force, the other residuals only on its direction.
        let byForce = kind == .force ? value.byUp : (value.byUp - value.byUp.dot(up) * up) / gravity
        let byBias = -(point.upFromBias.transpose * byForce)
        (row[13], row[14], row[15]) = (byBias.x, byBias.y, byBias.z)
        if kind == .elevation { row[12] = -1 / spread.value }
        if kind == .force { row[16] = -1 }
        return row
    }
}
