import Geometry
import Glibc

// Side of the destination at the end of the route.
extension RouteLine {
    /// Range of angles, between the direction of the route and the direction to a point, in which the point counts as
    /// beside the route. Unit: radians.
    private static let beside = 30 * Double.pi / 180...150 * Double.pi / 180
    /// Range of distances, from the end of the route, at which a destination's position shows its side. A nearer
    /// destination is on the route itself, within the accuracy of maps. Unit: metres.
    private static let apart = 3.0...50.0

    /// Returns the side of the destination, as seen along the route at its end. It comes from the routing service, or
    /// else from the position of the last maneuver. Nil if neither gives a side.
    func destinationSide(_ maneuvers: [RouteManeuver]) -> RouteTurn.Side? {
        guard let arrival = maneuvers.last, arrival.kind == .arrive else { return nil }
        guard let angle = arrival.angle ?? angleFromEnd(to: point(of: arrival.position)),
            Self.beside.contains(abs(angle))
        else { return nil }
        return angle < 0 ? .left : .right
    }

    /// Returns the angle from the last leg to a point, clockwise, radians in [−π, π]; nil for a point that is too near
    /// or too far.
    private func angleFromEnd(to point: Vector3) -> Double? {
        let offset = point - points[points.count - 1]
        guard Self.apart.contains(offset.norm) else { return nil }
        let forward = points[points.count - 1] - points[points.count - 2]
        let up = up(at: points[points.count - 1])
        return atan2(-forward.cross(offset).dot(up), forward.dot(offset))
    }
}
