import Geometry
import Glibc

/// Route as a polyline in the ENU frame at its start. Its points are on the surface at the start's height.
///
/// Legs are straight in space, so that lengths are true at any distance from the start. Long legs are divided, so that
/// none lies more than a decimetre below the surface. Each point takes 32 bytes.
struct RouteLine: Sendable {
    /// Point of the route nearest to a given point. Unit: metres.
    struct Nearest: Hashable, Sendable {
        /// Distance along the route from its start.
        var along: Double
        /// Distance from the given point.
        var distance: Double
    }

    /// Vertices. Frame: ENU at the start. Unit: metres.
    private(set) var points: [Vector3] = []
    /// Distance of each point along the route from its start. Unit: metres.
    private(set) var alongs: [Double] = []
    private(set) var boxes = RouteBoxes()
    private let plane: LocalTangentPlane
    /// Unit vector towards the north pole. Frame: ENU at the start.
    private let axis: Vector3

    /// Length of the route. Unit: metres.
    var length: Double { alongs[alongs.count - 1] }

    /// Distance within which consecutive vertices are merged. It limits the number of legs in a stretch of the route,
    /// whatever the document contains. Unit: metres.
    private static let sameVertex = 0.2
    /// Length of the longest leg. Its middle lies 8 cm below the surface. Unit: metres.
    private static let maximumLegLength = 2000.0
    /// Maximum number of divided legs. On a route around the earth, legs are longer instead.
    private static let maximumDivisionCount = 20_000.0
    /// Mean radius of the earth. Unit: metres.
    private static let earthRadius = 6_371_009.0

    /// Makes a polyline through the vertices; nil unless two of them differ.
    init?(_ vertices: [GeodeticPosition]) {
        guard let start = vertices.first else { return nil }
        plane = LocalTangentPlane(origin: start)
        let latitude = Angle.radians(degrees: start.latitudeDegrees)
        axis = Vector3(0, cos(latitude), sin(latitude))
        points.reserveCapacity(vertices.count)
        alongs.reserveCapacity(vertices.count)
        points.append(.zero)
        alongs.append(0)
        let maximumLength = maximumLegLength(of: vertices)
        var end = Vector3.zero
        for vertex in vertices {
            end = point(of: vertex)
            append(end, maximumLength: maximumLength)
        }
        // The destination is never merged into another vertex.
        if points.count >= 2, (end - points[points.count - 2]).norm > 1e-3 { moveLast(to: end) }
        guard points.count >= 2, length.isFinite else { return nil }
        boxes = RouteBoxes(points)
    }

    private func maximumLegLength(of vertices: [GeodeticPosition]) -> Double {
        var total = 0.0
        var last = Vector3.zero
        for vertex in vertices {
            let next = point(of: vertex)
            total += (next - last).norm
            last = next
        }
        return max(Self.maximumLegLength, total / Self.maximumDivisionCount)
    }

    private mutating func append(_ next: Vector3, maximumLength: Double) {
        let last = points[points.count - 1]
        let leg = next - last
        let legLength = leg.norm
        guard legLength > Self.sameVertex else { return }
        let parts = max(1, (legLength / maximumLength).rounded(.up))
        for part in stride(from: 1, through: parts, by: 1) {
            add(part == parts ? next : onSurface(last + leg * (part / parts)))
        }
    }

    private mutating func add(_ point: Vector3) {
        alongs.append(length + (point - points[points.count - 1]).norm)
        points.append(point)
    }

    private mutating func moveLast(to end: Vector3) {
        points.removeLast()
        alongs.removeLast()
        add(end)
    }

    private func onSurface(_ point: Vector3) -> Vector3 {
        plane.position(ofENU: point).map(self.point) ?? point
    }

    /// Returns the point on the surface at a position. Heights from GNSS and documents are unreliable and ignored.
    func point(of position: GeodeticPosition) -> Vector3 {
        var level = position
        level.ellipsoidalHeight = plane.origin.ellipsoidalHeight
        return plane.pointENU(of: level)
    }

    /// Returns the geodetic position at a distance along the route, clamped to its ends.
    func position(along: Double) -> GeodeticPosition? { plane.position(ofENU: point(along: along)) }

    func point(along: Double) -> Vector3 {
        let leg = leg(at: along)
        let share = min(1, max(0, (along - alongs[leg]) / (alongs[leg + 1] - alongs[leg])))
        return points[leg] + (points[leg + 1] - points[leg]) * share
    }

    /// Returns the leg at a distance along the route. It leads from the point with this index to the next point.
    func leg(at along: Double) -> Int {
        min(max(0, alongs.partitionPoint { $0 <= along } - 1), points.count - 2)
    }
}

// Directions along the route.
extension RouteLine {
    /// Returns the bearing of a leg, clockwise from true north. Unit: radians.
    func bearing(leg: Int) -> Double {
        let up = up(at: points[leg])
        let east = axis.cross(up).normalized ?? Vector3(1, 0, 0)
        let direction = points[leg + 1] - points[leg]
        return atan2(direction.dot(east), direction.dot(up.cross(east)))
    }

    /// Returns the change of direction at the second of three points, clockwise, in radians in [−π, π].
    func turn(_ first: Int, _ middle: Int, _ last: Int) -> Double {
        let before = points[middle] - points[first]
        let after = points[last] - points[middle]
        return atan2(-before.cross(after).dot(up(at: points[middle])), before.dot(after))
    }

    /// Returns the bearing of the route, clockwise from true north. It is averaged over a stretch around a distance
    /// along the route, so that it changes continuously at corners. Unit: radians in [0, 2π).
    func bearing(along: Double, smoothedOver stretch: Double) -> Double {
        let low = max(0, min(along, length) - stretch / 2)
        let high = min(length, max(along, 0) + stretch / 2)
        var leg = leg(at: low)
        var bearing = bearing(leg: leg)
        // Each vertex contributes its change of direction, weighted by the fraction of the stretch that lies beyond it.
        while leg + 2 < points.count, alongs[leg + 1] < high {
            bearing += turn(leg, leg + 1, leg + 2) * (high - alongs[leg + 1]) / (high - low)
            leg += 1
        }
        return Angle.positive(bearing)
    }

    func up(at point: Vector3) -> Vector3 {
        (point + Vector3(0, 0, Self.earthRadius)).normalized ?? Vector3(0, 0, 1)
    }
}
