import Geometry

/// Closed path over ground, with straight legs and smooth corners.
///
/// The parameter is the distance along the polygon through the vertices. For each metre of the parameter, the path
/// advances by a metre on a leg, and by slightly less in a corner. Three derivatives are continuous.
struct WalkPath {
    /// Position and direction of the path. The direction vector has length 1 on legs and is shorter in corners.
    struct Location {
        var east: Jet
        var north: Jet
        var directionEast: Jet
        var directionNorth: Jet

        /// Course of the path, clockwise from north. Unit: radians.
        var course: Jet { Jet.atan2(directionEast, directionNorth) }
    }

    /// A vertex with the unit directions of its two legs. Frame: east and north. Unit: metres.
    private struct Corner {
        var vertex: Vector2
        /// Distance of the vertex along the polygon. Unit: metres.
        var arcLength: Double
        var before: Vector2
        var after: Vector2
    }

    /// Distance before and after a vertex over which the path turns. Unit: metres.
    let reach: Double
    /// Length of the polygon. Unit: metres.
    let length: Double
    private let corners: [Corner]

    /// Makes a path through at least three vertices. Each leg must be longer than twice the reach.
    init(vertices: [Vector2], reach: Double) {
        precondition(vertices.count >= 3 && reach > 0, "a closed path has three vertices and round corners")
        self.reach = reach
        var corners: [Corner] = []
        var arcLength = 0.0
        for index in vertices.indices {
            let from = vertices[index]
            let to = vertices[(index + 1) % vertices.count]
            let next = vertices[(index + 2) % vertices.count]
            precondition((to - from).norm > 2 * reach, "a leg is too short for its corners")
            arcLength += (to - from).norm
            corners.append(
                Corner(
                    vertex: to, arcLength: arcLength, before: Self.direction(from, to),
                    after: Self.direction(to, next)))
        }
        self.corners = corners
        length = arcLength
    }

    /// Location at a distance along the polygon from the first vertex, over any number of rounds.
    func location(at distance: Jet) -> Location {
        let rounds = (distance.value / length).rounded(.down)
        var along = distance - rounds * length
        // The corner at the first vertex closes the polygon. Its second half lies at the start of the path.
        if along.value < reach { along = along + length }
        var index = 0
        while index < corners.count - 1, along.value > corners[index].arcLength + reach { index += 1 }
        let corner = corners[index]

        // The direction is (1 − S)·before + S·after; its integral is the position.
        let phase = (0.5 / reach) * (along - (corner.arcLength - reach))
        let turned = phase.smoothStep
        let kept = Jet(1) - turned
        let afterLength = 2 * reach * phase.smoothStepIntegral
        let beforeLength = along - corner.arcLength - afterLength
        return Location(
            east: corner.before.x * beforeLength + corner.after.x * afterLength + corner.vertex.x,
            north: corner.before.y * beforeLength + corner.after.y * afterLength + corner.vertex.y,
            directionEast: corner.before.x * kept + corner.after.x * turned,
            directionNorth: corner.before.y * kept + corner.after.y * turned)
    }

    private static func direction(_ from: Vector2, _ to: Vector2) -> Vector2 {
        let offset = to - from
        return Vector2(offset.x / offset.norm, offset.y / offset.norm)
    }
}

extension Vector2 {
    /// Converts coordinates across and along a bearing to east and north. The bearing is clockwise from north. Unit:
    /// radians.
    init(right: Double, ahead: Double, bearing: Double) {
        let (sine, cosine) = (Jet(bearing).sine.value, Jet(bearing).cosine.value)
        self.init(right * cosine + ahead * sine, ahead * cosine - right * sine)
    }
}
