import Geometry

#if canImport(Glibc)
    import Glibc
#endif

/// Rotations, bearings and norms in the scene's axes: X east, Y up, Z south.
enum SceneAxes {
    /// Vector rotated about +Y, counter-clockwise seen from above. Unit: radians.
    static func turned(_ vector: Vector3, by angle: Double) -> Vector3 {
        let (sine, cosine) = (sin(angle), cos(angle))
        return Vector3(cosine * vector.x + sine * vector.z, vector.y, cosine * vector.z - sine * vector.x)
    }

    /// Bearing of a vector, clockwise from −Z, the scene's north. Unit: radians.
    static func bearing(_ vector: Vector3) -> Double { atan2(vector.x, -vector.z) }

    /// Length of the horizontal part of a vector. Unit: that of the vector.
    static func horizontalNorm(_ vector: Vector3) -> Double { (vector.x * vector.x + vector.z * vector.z).squareRoot() }
}
