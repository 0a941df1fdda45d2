import Geometry
import Glibc

// Side of the destination at the end of the route.
extension RouteLine {
    /// Least and greatest angle between the direction of the route and the direction to a point that counts as beside
    /// the route. Unit: radians.
    private static let beside = 30 * Double.pi / 180...150 * Double.pi / 180
    /// Least and greatest distance between the end of the route and a destination whose position gives its side. A
    /// nearer destination is, within the accuracy of maps, on the route itself. Unit: metres.
    private static let apart = 3.0...50.0

    /// Side of the destination, as seen along the route at its end: as the routing service reports it, or else from the
    /// position of the last maneuver; nil if neither gives a side.
    func destinationSide(_ maneuvers: [RouteManeuver]) -> RouteTurn.Side? {
        guard let arrival = maneuvers.last, arrival.kind == .arrive else { return nil }
        guard let angle = arrival.angle ?? angleFromEnd(to: point(of: arrival.position)),
            Self.beside.contains(abs(angle))
        else { return nil }
        return angle < 0 ? .left : .right
    }

    /// Angle from the last leg to a point, clockwise, radians in [−π, π]; nil for a point that is too near or too far.
    private func angleFromEnd(to point: Vector3) -> Double? {
        let offset = point - points[points.count - 1]
        guard Self.apart.contains(offset.norm) else { return nil }
        let forward = points[points.count - 1] - points[points.count - 2]
        let up = up(at: points[points.count - 1])
        return atan2(-forward.cross(offset).dot(up), forward.dot(offset))
    }
}
