import Geometry

#if canImport(Glibc)
    import Glibc
#endif

/// Residuals of the model at all points: docs/calibration.md (M1) to (M3).
///
/// All are parts of the field (of gravity, for the force) over their standard deviations.
package struct MagneticProblem: LeastSquaresProblem {
    /// What is compared; each kind has a noise of its own.
    package enum Kind: Int, CaseIterable {
        /// The strength of the corrected field with 1.
        case strength
        /// Its elevation above the horizon with the one that all have in common.
        case elevation
        /// The strength of the force with gravity's.
        case force
    }

    let points: [MagneticPoint]
    let parameters: MagneticParameters
    let kinds: [Kind]
    /// By kind, in the order of `kinds`, and point: one over the standard deviation. Zero leaves the residual out.
    var weights: [[Double]]
    /// By kind and point: how the residual answers to the corrected field at the start.
    private var slopes: [[Vector3]] = []
    /// By kind: the part of the residual's variance that is the magnetometer's.
    private let shares: [Double]
    private let biasDeviation: Double
    /// From noise that is alike in all directions to the measured one; its determinant is 1.
    private let noiseShape: Matrix<3, 3>

    /// - Parameters:
    ///   - start: tells where the windows' fields point, and how much of the field lies level.
    ///   - shares: by kind, the part of the variance that is the magnetometer's noise.
    ///   - noiseShape: of that noise, in measured axes.
    package init(
        _ points: [MagneticPoint], _ parameters: MagneticParameters, start: MagneticModel, biasDeviation: Double,
        shares: [Kind: Double] = [:], noiseShape: Matrix<3, 3> = .identity
    ) {
        self.noiseShape = noiseShape
        self.points = points
        self.parameters = parameters
        self.biasDeviation = biasDeviation
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
        for axis in 0..<3 { residuals[first + axis] = p[13 + axis] / biasDeviation }
        residuals[first + 3] = (p[16] - 1) / biasDeviation
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
        for axis in 0..<4 { jacobian[kinds.count * points.count + axis, 13 + axis] = 1 / biasDeviation }
    }

    /// Whether a point has what a residual of this kind needs.
    func has(_ kind: Kind, _ index: Int) -> Bool {
        switch kind {
        case .strength: true
        case .elevation, .force: points[index].up != nil
        }
    }

    // MARK: - One residual

    /// What a residual is, and how it answers to the corrected field and to the direction of up.
    private struct Value {
        var value = 0.0
        var byField = Vector3.zero
        var byUp = Vector3.zero
        /// To the correction itself, beside what it makes of the field: `left·rightᵀ`.
        var left = Vector3.zero
        var right = Vector3.zero
    }

    /// The strength's distance from 1 as a distance in measured units: over its gradient there, `|Nᵀ·Mᵀ·ĉ|`.
    ///
    /// Without the gradient a fit gains by making the corrected field's noise small, and so its ellipsoid large.
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

    private func value(_ kind: Kind, _ index: Int, _ model: MagneticModel) -> Value {
        let point = points[index]
        let field = model.corrected(point.field)
        let strength = max(field.norm, 1e-9)
        let direction = field / strength
        if kind == .strength { return self.strength(strength, direction, model.correction) }
        let force = (point.up ?? .zero) - point.upFromBias * model.forceBias
        let gravity = max(force.norm, 1e-9)
        let up = force / gravity
        switch kind {
        case .elevation:
            let sine = direction.dot(up)
            let across = up - sine * direction
            // The angle, not its sine: by a sine a fit would gain by a steep field.
            let cosine = max(across.norm, 1e-9)
            return Value(
                value: atan2(sine, cosine) - model.elevation, byField: across / (strength * cosine),
                byUp: direction / cosine)
        default: return Value(value: gravity - model.gravity, byUp: up)
        }
    }

    /// By how much a correction magnifies the noise of a residual, and the direction in measured units that it comes from.
    ///
    /// Residuals are divided by it: left alone, a fit gains by a correction that makes all noise small, and with it the
    /// ellipsoid large. Source: Sampson, "Fitting conic sections to very scattered data", 1982, for the strength.
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
        let force = (point.up ?? .zero) - point.upFromBias * model.forceBias
        let gravity = max(force.norm, 1e-9)
        let up = force / gravity
        // The force answers by its length, the others by its direction alone.
        let byForce = kind == .force ? value.byUp : (value.byUp - value.byUp.dot(up) * up) / gravity
        let byBias = -(point.upFromBias.transpose * byForce)
        (row[13], row[14], row[15]) = (byBias.x, byBias.y, byBias.z)
        if kind == .elevation { row[12] = -1 / spread.value }
        if kind == .force { row[16] = -1 }
        return row
    }
}
