import Geodesy
import Geometry

#if canImport(Glibc)
    import Glibc
#endif

/// Update of the hard iron by the horizontal and vertical intensity of the magnetic field.
extension ErrorStateKalmanFilter {
    /// Corrects the hard iron, and nothing else, by the horizontal and vertical intensity.
    mutating func correctHardIron(_ measured: Vector3, _ field: GeomagneticField, _ interval: Double) {
        let deviation = settings.magnetic.componentNoise * field.totalIntensity / 1000
        var noise = Matrix<2, 2>()
        noise[0, 0] = deviation * deviation / interval
        noise[1, 1] = noise[0, 0]
        let model = magneticStrengthModel(measured, field)
        let gate = InnovationGate(limit: settings.magnetic.yawGate, rule: .soften)
        correct(innovation: model.innovation, jacobian: model.jacobian, noise: noise, mask: .hardIron, gate: gate)
    }

    /// Measurement model: horizontal and vertical intensity of the model against `M = R·(m − h)`.
    ///
    /// Equation: docs/filter.md (32).
    @inline(__always)
    package func magneticStrengthModel(
        _ measured: Vector3, _ field: GeomagneticField
    ) -> (innovation: Matrix<2, 1>, jacobian: Jacobian<2>) {
        let rotation = state.rotationENUFromBody.matrix
        let found = rotation * (measured - state.hardIron)
        let azimuth = field.declination + state.magneticOffset
        let along = Vector3(sin(azimuth), cos(azimuth), 0)
        let up = Vector3(0, 0, 1)
        var r = Matrix<2, 1>()
        r[0, 0] = field.horizontalIntensity / 1000 - found.dot(along)
        r[1, 0] = -field.totalIntensity * sin(field.inclination) / 1000 - found.z
        // Jacobian at the predicted field, whose noise is not that of the innovation. ∂along/∂o is across it.
        let predicted = along * (field.horizontalIntensity / 1000) + up * (found.z + r[1, 0])
        var h = Jacobian<2>()
        setRow(&h, 0, direction: along, found: predicted, rotation: rotation)
        setRow(&h, 1, direction: up, found: predicted, rotation: rotation)
        return (r, h)
    }

    private func setRow(
        _ h: inout Jacobian<2>, _ row: Int, direction: Vector3, found: Vector3, rotation: Matrix<3, 3>
    ) {
        // (δθ×M)·u = δθ·(M×u), with the sign of model minus measurement.
        let turn = found.cross(direction)
        h[row, 0] = turn.x
        h[row, 1] = turn.y
        h[row, 2] = turn.z
        for k in 0..<3 {
            h[row, ErrorState.hardIron + k] =
                -(rotation[0, k] * direction.x + rotation[1, k] * direction.y + rotation[2, k] * direction.z)
        }
    }
}
