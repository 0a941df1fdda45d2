import Geometry

#if canImport(Glibc)
    import Glibc
#endif

/// Update by the non-holonomic constraint: a wheeled vehicle moves along its own forward direction, neither sideways
/// nor up.
///
/// Source: Dissanayake, Sukkarieh, Nebot, Durrant-Whyte, "The aiding of a low-cost strapdown inertial measurement unit
/// using vehicle model constraints for land vehicle applications", IEEE Trans. Robotics and Automation 17(5), 2001.
extension ErrorStateKalmanFilter {
    /// Speed below which a GNSS velocity has no direction. Unit: m/s.
    private static let leastSpeed = 3.0

    /// Learns the forward direction of the vehicle from a GNSS velocity. Frame: ENU. Unit: m/s.
    mutating func learnVehicleMount(_ velocity: Vector3) {
        guard modes.isRiding, heading.isKnown, velocity.horizontalNorm > Self.leastSpeed, let ahead = boardAzimuth
        else {
            return
        }
        vehicleMount.add(azimuth: atan2(velocity.x, velocity.y) - ahead)
    }

    /// Azimuth of up × the body's x axis; nil while that axis is too steep. Unit: radians.
    @inline(__always)
    private var boardAzimuth: Double? {
        let ahead = boardAhead
        guard ahead.horizontalNorm > Self.leastLevel else { return nil }
        return atan2(ahead.x, ahead.y)
    }

    /// Applies the non-holonomic constraint while the board is fixed in the vehicle.
    mutating func holdCourse(over span: Double) {
        guard modes.isRiding, heading.isKnown, let forward = vehicleMount.forward, let ahead = boardAzimuth else {
            return
        }
        influence.cause = .rest
        let model = courseModel(azimuth: ahead + forward.azimuth)
        let deviation = forward.deviation * model.speed.magnitude + settings.vehicle.slip
        let noise = deviation * deviation * settings.vehicle.directionSeconds / span
        let outcome = correct(
            innovation: column(model.innovation), jacobian: model.jacobian, noise: column(noise),
            mask: [.velocity, .position, .yaw, .gyroBias], gate: InnovationGate(limit: 3, rule: .soften))
        // A lasting innovation counts once, not as one of many independent ones: without the factor for the span.
        let variance = outcome.determinant - noise + deviation * deviation
        vehicleMount.note(innovationSquare: model.innovation * model.innovation / variance, over: span)
    }

    /// Measurement model `0 = n·v` across the vehicle's forward direction, which turns with the yaw error.
    ///
    /// Equation: docs/filter.md (80).
    @inline(__always)
    package func courseModel(azimuth: Double) -> (innovation: Double, jacobian: Jacobian<1>, speed: Double) {
        let along = Vector3(sin(azimuth), cos(azimuth), 0)
        let right = Vector3(along.y, -along.x, 0)
        let speed = along.dot(state.velocity)
        var h = Jacobian<1>()
        h[0, ErrorState.velocity] = right.x
        h[0, ErrorState.velocity + 1] = right.y
        h[0, ErrorState.yaw] = speed
        return (-right.dot(state.velocity), h, speed)
    }
}
