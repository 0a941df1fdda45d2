import Geometry

/// Fitted model: the parameters of the magnetometer, and the nuisance parameters of the site and the accelerometer.
///
/// Frame: body. Units: fields in the units of the fit, corrected fields of length 1; forces as fractions of gravity.
package struct MagneticModel {
    /// Correction matrix: the corrected field is `correction · (measured − centre)`.
    package var correction: Matrix<3, 3>
    /// Hard iron. Units of the fit.
    package var centre: Vector3
    /// Elevation of the field above the horizon, negative in the northern hemisphere. Unit: radians.
    package var elevation = 0.0
    /// Bias of the accelerometer, as a fraction of gravity.
    package var forceBias = Vector3.zero
    /// Ratio of gravity to the median magnitude of the forces.
    package var gravity = 1.0

    package init(correction: Matrix<3, 3>, centre: Vector3, elevation: Double = 0) {
        self.correction = correction
        self.centre = centre
        self.elevation = elevation
    }

    /// Corrected value of a measured field, in the units of the fit.
    package func corrected(_ field: Vector3) -> Vector3 { correction * (field - centre) }
}

/// Parameter vector of the model, which has one of two layouts.
package enum MagneticParameters {
    /// Without an accelerometer: a symmetric correction (xx, yy, zz, xy, xz, yz) and the centre. The rotation is
    /// undetermined and is taken as zero.
    case symmetric
    /// With an accelerometer: the correction row by row, the centre, the elevation, the accelerometer's bias, and
    /// gravity.
    case aligned

    var count: Int { self == .symmetric ? 9 : 17 }

    var firstOfCentre: Int { self == .symmetric ? 6 : 9 }

    package func row(of model: MagneticModel) -> [Double] {
        let (m, b, a) = (model.correction, model.centre, model.forceBias)
        if self == .symmetric { return [m[0, 0], m[1, 1], m[2, 2], m[0, 1], m[0, 2], m[1, 2], b.x, b.y, b.z] }
        return [
            m[0, 0], m[0, 1], m[0, 2], m[1, 0], m[1, 1], m[1, 2], m[2, 0], m[2, 1], m[2, 2], b.x, b.y, b.z,
            model.elevation, a.x, a.y, a.z, model.gravity,
        ]
    }

    func model(of p: [Double]) -> MagneticModel {
        if self == .symmetric {
            return MagneticModel(
                correction: Matrix(Vector3(p[0], p[3], p[4]), Vector3(p[3], p[1], p[5]), Vector3(p[4], p[5], p[2])),
                centre: Vector3(p[6], p[7], p[8]))
        }
        var model = MagneticModel(
            correction: Matrix(Vector3(p[0], p[1], p[2]), Vector3(p[3], p[4], p[5]), Vector3(p[6], p[7], p[8])),
            centre: Vector3(p[9], p[10], p[11]), elevation: p[12])
        model.forceBias = Vector3(p[13], p[14], p[15])
        model.gravity = p[16]
        return model
    }

    /// Index of an element of the correction in the parameter vector.
    func index(_ row: Int, _ column: Int) -> Int {
        if self == .aligned { return 3 * row + column }
        return row == column ? row : row + column + 2
    }

    /// Covariance of the correction's elements, row by row, and of the centre. The argument `covariance` returns the
    /// covariance of two parameters.
    func covariance(_ covariance: (Int, Int) -> Double) -> Matrix<12, 12> {
        func index(_ element: Int) -> Int {
            element < 9 ? self.index(element / 3, element % 3) : firstOfCentre + element - 9
        }
        var result = Matrix<12, 12>()
        for i in 0..<12 {
            for j in 0..<12 { result[i, j] = covariance(index(i), index(j)) }
        }
        return result
    }

    /// Derivative of a quantity with respect to the parameters. `byField` is the quantity's gradient with respect to
    /// the corrected field.
    ///
    /// Elements beyond the centre are zero.
    ///
    /// - Parameter difference: measured field minus the centre.
    func derivative(
        byField q: Vector3, at difference: Vector3, _ correction: Matrix<3, 3>
    ) -> InlineArray<17, Double> {
        var row = InlineArray<17, Double>(repeating: 0)
        add(q, difference, to: &row)
        let first = firstOfCentre
        for j in 0..<3 {
            row[first + j] = -(q.x * correction[0, j] + q.y * correction[1, j] + q.z * correction[2, j])
        }
        return row
    }

    /// Adds the derivative of a quantity. Its gradient with respect to the correction is `left·rightᵀ`.
    func add(_ left: Vector3, _ right: Vector3, to row: inout InlineArray<17, Double>) {
        let rows: InlineArray<3, Double> = [left.x, left.y, left.z]
        let columns: InlineArray<3, Double> = [right.x, right.y, right.z]
        for i in 0..<3 {
            for j in 0..<3 { row[index(i, j)] += rows[i] * columns[j] }
        }
    }
}
