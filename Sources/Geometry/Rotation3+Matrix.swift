extension Rotation3 {
    /// The rotation matrix, equation (131): `matrix * v == self * v`.
    @inlinable
    public var matrix: Matrix<3, 3> {
        @inline(__always) get {
            let xx = x * x
            let yy = y * y
            let zz = z * z
            return Matrix<3, 3>(
                Vector3(1 - 2 * (yy + zz), 2 * (x * y - w * z), 2 * (x * z + w * y)),
                Vector3(2 * (x * y + w * z), 1 - 2 * (xx + zz), 2 * (y * z - w * x)),
                Vector3(2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (xx + yy)))
        }
    }

    /// The rotation of an orthonormal right-handed matrix.
    ///
    /// Returns nil for a matrix that is farther than `tolerance` from that in any element of `M·Mᵀ − 1`, or that
    /// reflects.
    ///
    /// Source: Shepperd, "Quaternion from rotation matrix", J. Guidance and Control 1(3), 1978: the largest of the four
    /// components is taken first, so that no division is by a small one.
    public init?(matrix m: Matrix<3, 3>, tolerance: Double = 1e-6) {
        let product = m * m.transpose
        for i in 0..<3 {
            for j in 0..<3 {
                guard (product[i, j] - (i == j ? 1 : 0)).magnitude <= tolerance else { return nil }
            }
        }
        guard m.determinant > 0 else { return nil }
        let trace = m[0, 0] + m[1, 1] + m[2, 2]
        let fourSquares = Vector3(
            1 + 2 * m[0, 0] - trace, 1 + 2 * m[1, 1] - trace, 1 + 2 * m[2, 2] - trace)
        if trace >= max(m[0, 0], m[1, 1], m[2, 2]) {
            self.init(w: 1 + trace, x: m[2, 1] - m[1, 2], y: m[0, 2] - m[2, 0], z: m[1, 0] - m[0, 1])
        } else if m[0, 0] >= max(m[1, 1], m[2, 2]) {
            self.init(w: m[2, 1] - m[1, 2], x: fourSquares.x, y: m[0, 1] + m[1, 0], z: m[0, 2] + m[2, 0])
        } else if m[1, 1] >= m[2, 2] {
            self.init(w: m[0, 2] - m[2, 0], x: m[0, 1] + m[1, 0], y: fourSquares.y, z: m[1, 2] + m[2, 1])
        } else {
            self.init(w: m[1, 0] - m[0, 1], x: m[0, 2] + m[2, 0], y: m[1, 2] + m[2, 1], z: fourSquares.z)
        }
    }
}
