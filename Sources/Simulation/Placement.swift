import Geometry

/// Position and attitude of the board at one instant, with their derivatives.
struct Placement {
    /// Frame: ENU at the walk's origin. Unit: metres.
    var east: Jet
    var north: Jet
    var up: Jet
    var attitude: Attitude
    /// Length of the way so far, the swing of gait and head left out: where on its street the wearer is. Unit: metres.
    var wayMetres: Double

    var positionENU: Vector3 { Vector3(east.value, north.value, up.value) }
    /// Unit: m/s.
    var velocityENU: Vector3 { Vector3(east.first, north.first, up.first) }
    /// Unit: m/s².
    var accelerationENU: Vector3 { Vector3(east.second, north.second, up.second) }

    /// Moved horizontally: to the right of a course, in metres. Unit of the course: radians clockwise from north.
    func moved(right offset: Jet, of course: Jet) -> Placement {
        var placement = self
        placement.east = east + offset * course.cosine
        placement.north = north - offset * course.sine
        return placement
    }
}
