import Geometry

#if canImport(Glibc)
    import Glibc
#endif

// Where the destination lies beside the end of the route.
extension RouteLine {
    /// Least and greatest angle from the direction of the route in which something lies beside it. Unit: radians.
    private static let beside = 30 * Double.pi / 180...150 * Double.pi / 180
    /// Least and greatest distance of a destination from the end of the route at which its position says on which side
    /// it lies: what is nearer is on the way itself by the accuracy of maps. Unit: metres.
    private static let apart = 3.0...50.0

    /// Side on which the destination lies, as seen along the route at its end: that which the routing service reports,
    /// else that of the position of its last maneuver; nil if neither is beside the route.
    func destinationSide(_ maneuvers: [RouteManeuver]) -> RouteTurn.Side? {
        guard let arrival = maneuvers.last, arrival.kind == .arrive else { return nil }
        guard let angle = arrival.angle ?? angleFromEnd(to: point(of: arrival.position)),
            Self.beside.contains(abs(angle))
        else { return nil }
        return angle < 0 ? .left : .right
    }

    /// Angle from the last leg to a point, clockwise, radians in [−π, π]; nil for one that is too near or too far.
    private func angleFromEnd(to point: Vector3) -> Double? {
        let offset = point - points[points.count - 1]
        guard Self.apart.contains(offset.norm) else { return nil }
        let forward = points[points.count - 1] - points[points.count - 2]
        let up = up(at: points[points.count - 1])
        return atan2(-forward.cross(offset).dot(up), forward.dot(offset))
    }
}
