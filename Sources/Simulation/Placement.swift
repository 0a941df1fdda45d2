import Geometry

/// Position and attitude of the board at one instant, with their derivatives.
struct Placement {
    /// Position towards east. Frame: ENU at the walk's origin. Unit: metres.
    var east: Jet
    /// Position towards north. Frame: ENU at the walk's origin. Unit: metres.
    var north: Jet
    /// Height. Frame: ENU at the walk's origin. Unit: metres.
    var up: Jet
    /// Attitude of the board.
    var attitude: Attitude
    /// Distance along the street so far, without the oscillation of gait and head. Unit: metres.
    var wayMetres: Double

    /// Position. Frame: ENU. Unit: metres.
    var positionENU: Vector3 { Vector3(east.value, north.value, up.value) }
    /// Velocity. Frame: ENU. Unit: m/s.
    var velocityENU: Vector3 { Vector3(east.first, north.first, up.first) }
    /// Acceleration. Frame: ENU. Unit: m/s².
    var accelerationENU: Vector3 { Vector3(east.second, north.second, up.second) }

    /// This placement moved horizontally to the right of a course. Units: metres; radians clockwise from north.
    func moved(right offset: Jet, of course: Jet) -> Placement {
        var placement = self
        placement.east = east + offset * course.cosine
        placement.north = north - offset * course.sine
        return placement
    }
}
