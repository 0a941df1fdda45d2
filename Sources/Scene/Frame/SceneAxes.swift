import Geometry

#if canImport(Glibc)
    import Glibc
#endif

/// Directions and turns by the scene's axes, X east, Y up, Z south.
enum SceneAxes {
    /// About +Y, counter-clockwise seen from above. Unit: radians.
    static func turned(_ vector: Vector3, by angle: Double) -> Vector3 {
        let (sine, cosine) = (sin(angle), cos(angle))
        return Vector3(cosine * vector.x + sine * vector.z, vector.y, cosine * vector.z - sine * vector.x)
    }

    /// Clockwise from −Z, the scene's north. Unit: radians.
    static func bearing(_ vector: Vector3) -> Double { atan2(vector.x, -vector.z) }

    /// Over ground. Unit: that of the vector.
    static func level(_ vector: Vector3) -> Double { (vector.x * vector.x + vector.z * vector.z).squareRoot() }
}
