import Geometry

/// Innovations and Jacobians of measurements of a whole vector of the state.
extension ErrorStateKalmanFilter {
    @inline(__always)
    func column(_ v: Vector3) -> Matrix<3, 1> {
        var result = Matrix<3, 1>()
        result[0, 0] = v.x
        result[1, 0] = v.y
        result[2, 0] = v.z
        return result
    }

    func column(_ value: Double) -> Matrix<1, 1> { value * .diagonalOnes }

    static func identityJacobian(_ offset: Int) -> Jacobian<3> {
        var h = Jacobian<3>()
        h.setBlock(0, offset, .identity)
        return h
    }
}
