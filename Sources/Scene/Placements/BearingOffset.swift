import Geometry

#if canImport(Glibc)
    import Glibc
#endif

/// The way to something that is told by bearing and distance, as an offset to add to a position.
public enum BearingOffset {
    /// `(d·sin β, height, −d·cos β)`: south is +z. Frame: scene whose axes are true.
    ///
    /// - Parameters:
    ///   - bearing: Clockwise from true north. Unit: radians.
    ///   - distance: Over ground. Unit: metres.
    ///   - height: Above the start. Unit: metres.
    public static func inScene(bearing: Double, distance: Double, height: Double = 0) -> Vector3 {
        Vector3(distance * sin(bearing), height, -distance * cos(bearing))
    }

    /// Clockwise from north, radians in [0, 2π); nil for straight up, straight down and nothing at all.
    ///
    /// Frame of `offset`: scene whose axes are true.
    public static func bearing(ofScene offset: Vector3) -> Double? {
        guard offset.x != 0 || offset.z != 0 else { return nil }
        return Angle.positive(atan2(offset.x, -offset.z))
    }
}

extension SceneMap {
    /// The same by true north, in a scene whose axes are still off: as far as its alignment knows. Frame: scene.
    public func offset(bearing: Double, distance: Double, height: Double = 0) -> Vector3 {
        vectorInScene(ofENU: Vector3(distance * sin(bearing), distance * cos(bearing), height))
    }

    /// Of an offset in the scene, clockwise from true north, radians in [0, 2π); nil where it has none.
    public func bearing(ofScene offset: Vector3) -> Double? {
        let way = vectorENU(ofScene: offset)
        return way.x != 0 || way.y != 0 ? Angle.positive(atan2(way.x, way.y)) : nil
    }
}
