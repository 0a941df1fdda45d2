import Geometry
import Model

extension CalibrationRecord {
    /// Mount of the sensor for which the parameters are valid; nil if unknown.
    public var mount: SensorMount? {
        get { mountMatrix.map { SensorMount($0, sign: sign) } }
        set { (mountMatrix, sign) = (newValue?.matrix, newValue?.sign ?? 1) }
    }

    /// Converts the calibration to other mounts.
    ///
    /// Let R₀ and R₁ be the sensor's old and new mount matrices, A₀ and A₁ those of the accelerometer, s the product of
    /// the sensor's old and new signs, D = R₁·R₀ᵀ the rotation of the measured axes, and C = A₁·A₀ᵀ the rotation of the
    /// body's axes. A measured vector m has become s·D·m, and its correction M·(m − b) has to become s·C·M·(m − b):
    ///
    ///     M' = C·M·Dᵀ     b' = s·D·b
    ///
    /// The sign is not part of M, whose determinant stays > 0. Without `turn`, the parameters refer to the sensor's own
    /// axes, so C = D: either the sensor is the accelerometer, whose axes define the body's, or its axes were not
    /// compared with the accelerometer's.
    ///
    /// The rotation B of the whole board leads from axes of the accelerometer to the body as worn. Its up and forward
    /// directions come from the accelerometer, so a change of the accelerometer's sign rotates the body by 180° about
    /// the axis to the right:
    ///
    ///     B' = diag(1, s, s)·B·Cᵀ
    ///
    /// - Parameters:
    ///   - mount: present mount of the sensor; nil if unknown, in which case the record is returned unchanged.
    ///   - accelerometer: present mount of the accelerometer. If it is unknown now, or was unknown at the calibration,
    ///     it is assumed not to have changed.
    public func turned(to mount: SensorMount?, accelerometer: SensorMount? = nil) -> CalibrationRecord {
        guard let mount, let before = self.mount, var fit,
            let own = Self.rotation(from: before.matrix, to: mount.matrix)
        else { return self }
        let reference = turn == nil ? nil : accelerometerMount
        let ofReference = reference.flatMap { Self.rotation(from: $0, to: accelerometer?.matrix ?? $0) }
        let body = turn == nil ? own : ofReference ?? .identity
        guard own != .identity || body != .identity || mount.sign != before.sign else { return self }
        let sign = Double(mount.sign * before.sign)
        var turned = self
        turned.mount = mount
        if reference != nil, let accelerometer { turned.accelerometerMount = accelerometer.matrix }
        turned.turn = turn.flatMap(Matrix.init(elements:)).map { (body * $0 * own.transpose).rowElements }
        if fit.sensor == .mount {
            let upright = Matrix(Vector3(1, 0, 0), Vector3(0, sign, 0), Vector3(0, 0, sign))
            fit.correction = upright * fit.correction * body.transpose
        } else {
            fit.correction = body * fit.correction * own.transpose
            fit.correctionStandardDeviation = fit.correctionStandardDeviation.turnedStandardDeviations(body, own)
            fit.bias = sign * (own * fit.bias)
            fit.biasStandardDeviation = own.turnedStandardDeviation(fit.biasStandardDeviation)
        }
        turned.fit = fit
        return turned
    }

    /// Rotation from the axes of one mount matrix to those of another; exactly the identity if the two are equal; nil
    /// unless both have nine elements.
    private static func rotation(from old: [Double], to new: [Double]) -> Matrix<3, 3>? {
        guard let old = Matrix(elements: old), let new = Matrix(elements: new) else { return nil }
        return old == new ? .identity : new * old.transpose
    }
}

extension Matrix where Rows == 3, Columns == 3 {
    /// Matrix from nine elements, row by row; nil for any other number of elements.
    init?(elements: [Double]) {
        guard elements.count == 9 else { return nil }
        self.init(
            Vector3(elements[0], elements[1], elements[2]), Vector3(elements[3], elements[4], elements[5]),
            Vector3(elements[6], elements[7], elements[8]))
    }

    /// Standard deviations of `self · v`, from those of the independent components of v.
    func turnedStandardDeviation(_ standardDeviation: Vector3) -> Vector3 {
        func row(_ i: Int) -> Double {
            Vector3(
                self[i, 0] * standardDeviation.x, self[i, 1] * standardDeviation.y, self[i, 2] * standardDeviation.z
            ).norm
        }
        return Vector3(row(0), row(1), row(2))
    }

    /// Standard deviations of the elements of `left · M · rightᵀ`. The elements of M are independent, and this matrix
    /// contains their standard deviations.
    fileprivate func turnedStandardDeviations(_ left: Matrix<3, 3>, _ right: Matrix<3, 3>) -> Matrix<3, 3> {
        var result = Matrix<3, 3>()
        for i in 0..<3 {
            for j in 0..<3 {
                var variance = 0.0
                for k in 0..<3 {
                    for l in 0..<3 {
                        let part = left[i, k] * self[k, l] * right[j, l]
                        variance += part * part
                    }
                }
                result[i, j] = variance.squareRoot()
            }
        }
        return result
    }
}
