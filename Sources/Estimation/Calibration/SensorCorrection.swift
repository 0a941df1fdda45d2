import Geometry

/// What is made of each value of one sensor, `matrix · (value − bias)`: its own calibration and the mount in one.
package struct SensorCorrection: Sendable {
    package private(set) var matrix = Matrix<3, 3>.identity
    /// Unit: that of the values as they come.
    package private(set) var bias = Vector3.zero
    private var isIdentity = true

    package init() {}

    package init(matrix: Matrix<3, 3>, bias: Vector3) {
        self.matrix = matrix
        self.bias = bias
        isIdentity = matrix == .identity && bias == .zero
    }

    /// Where nothing is to be corrected each bit stays.
    @inline(__always)
    package func applied(to value: Vector3) -> Vector3 { isIdentity ? value : matrix * (value - bias) }
}
