import Geodesy
import Geometry

/// A route laid out on the plane that touches the earth at its start.
///
/// Lengths on the plane are true to 1e-4 within 100 km of the start, and to 1e-6 within 10 km.
struct RouteLine: Sendable {
    /// Horizontal offset from the start of the route. Unit: metres.
    struct Point: Hashable, Sendable {
        var east: Double
        var north: Double

        static func - (a: Point, b: Point) -> Point { Point(east: a.east - b.east, north: a.north - b.north) }
        func dot(_ other: Point) -> Double { east * other.east + north * other.north }
        var length: Double { dot(self).squareRoot() }
    }

    /// A point of the route. Unit: metres.
    struct Nearest: Hashable, Sendable {
        /// From the start, along the route.
        var along: Double
        /// From the point that was asked for.
        var distance: Double
    }

    private let plane: LocalTangentPlane
    private(set) var points: [Point] = []
    /// Of each point, from the start along the route. Unit: metres.
    private(set) var alongs: [Double] = []

    /// Unit: metres.
    var length: Double { alongs[alongs.count - 1] }

    /// Vertices closer than this to the one before are the same. Unit: metres.
    private static let sameVertex = 0.05

    /// Nil without two different vertices.
    init?(_ vertices: [GeodeticPosition]) {
        guard let start = vertices.first else { return nil }
        plane = LocalTangentPlane(origin: start)
        for vertex in vertices {
            let next = point(of: vertex)
            guard let last = points.last, let along = alongs.last else {
                points = [next]
                alongs = [0]
                continue
            }
            let leg = (next - last).length
            guard leg > Self.sameVertex else { continue }
            points.append(next)
            alongs.append(along + leg)
        }
        guard points.count >= 2 else { return nil }
    }

    func point(of position: GeodeticPosition) -> Point {
        let enu = plane.pointENU(of: position)
        return Point(east: enu.x, north: enu.y)
    }

    /// The place on the earth at a distance along the route, clamped to its ends.
    func position(along: Double) -> GeodeticPosition? {
        let leg = leg(at: along)
        let share = min(1, max(0, (along - alongs[leg]) / (alongs[leg + 1] - alongs[leg])))
        let offset = points[leg + 1] - points[leg]
        return plane.position(
            ofENU: Vector3(points[leg].east + share * offset.east, points[leg].north + share * offset.north, 0))
    }

    /// The leg that holds a distance along the route: from the point of this index to the next.
    func leg(at along: Double) -> Int {
        var low = 0
        var high = points.count - 2
        while low < high {
            let middle = (low + high + 1) / 2
            if alongs[middle] <= along { low = middle } else { high = middle - 1 }
        }
        return low
    }

    /// The nearest point of the route between two distances along it; the range must meet the route.
    func nearest(to point: Point, within range: ClosedRange<Double>) -> Nearest {
        let first = leg(at: range.lowerBound)
        var best = nearest(to: point, leg: first, within: range)
        for leg in (first + 1)..<max(first + 1, points.count - 1) {
            if alongs[leg] > range.upperBound { break }
            let candidate = nearest(to: point, leg: leg, within: range)
            if candidate.distance < best.distance { best = candidate }
        }
        return best
    }

    /// The first stretch from `along` on that is about as near as any: a loop ends where it began, and a walker begins
    /// at the beginning.
    func earliestNearest(to point: Point, from along: Double, tolerance: Double) -> Nearest {
        let range = along...max(along, length)
        let bound = nearest(to: point, within: range).distance + tolerance
        var found: Nearest?
        for leg in leg(at: along)..<(points.count - 1) {
            let candidate = nearest(to: point, leg: leg, within: range)
            if let best = found {
                guard candidate.distance <= best.distance else { return best }
                found = candidate
            } else if candidate.distance <= bound {
                found = candidate
            }
        }
        return found ?? nearest(to: point, within: range)
    }

    private func nearest(to point: Point, leg: Int, within range: ClosedRange<Double>) -> Nearest {
        let start = points[leg]
        let offset = points[leg + 1] - start
        let legLength = alongs[leg + 1] - alongs[leg]
        let projected = alongs[leg] + (point - start).dot(offset) / legLength
        let along = min(max(projected, alongs[leg], range.lowerBound), alongs[leg + 1], range.upperBound)
        let share = (along - alongs[leg]) / legLength
        let foot = Point(east: start.east + share * offset.east, north: start.north + share * offset.north)
        return Nearest(along: along, distance: (point - foot).length)
    }
}
