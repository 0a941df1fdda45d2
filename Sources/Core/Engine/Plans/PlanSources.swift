import Geometry
import PlanMatching
import Scene

/// Sources of the plans in use: the given plans, and the line of the route.
public struct PlanSources: Sendable {
    /// Given plans.
    public internal(set) var given = PlanLibrary()
    /// Route whose line is among the plans in use; nil without a route.
    public internal(set) var route: Route?

    /// Makes the plans to use. With a route, all paths are sorted again. This takes up to half a second, so do not call
    /// this method on the thread that processes the samples.
    public func library() -> PlanLibrary {
        let corridor = route.map(RouteCorridor.plans) ?? []
        guard !corridor.isEmpty else { return given }
        // Plans from a recording may already contain the line of a route.
        let others = given.plans.filter { !FloorPlan.isOfRoute($0.plan.id) }
        return PlanLibrary(Array((corridor + others).prefix(PlanLibrary.maximumPlanCount)))
    }
}

/// Converts the line of a route to plans without other features, so that it is handled like paths and is contained in
/// recordings.
enum RouteCorridor {
    /// Extent of a plan from west to east and from south to north. It is well below the largest allowed extent. Unit:
    /// degrees of latitude.
    private static let extent = 0.03
    /// Largest number of plans. Origin: enough for a day's walk, while most of the plans that a recording may contain
    /// are left for other sources.
    private static let maximumCount = 16

    /// Largest number of points in a plan: half the allowed number.
    private static let maximumPointCount = 1 << 15

    /// Returns plans of a route from its start. The part of the route beyond the last plan is omitted.
    static func plans(of route: Route) -> [DrawnPlan] {
        var (lines, line, box) = ([[PlanPoint]](), [PlanPoint](), Box())
        for vertex in route.vertices {
            let end = PlanPoint(
                latitudeDegrees: vertex.latitudeDegrees, longitudeDegrees: Self.wrapped(vertex.longitudeDegrees))
            guard let start = line.last, let points = between(start, end) else {
                if line.count > 1 { lines.append(line) }
                (line, box) = ([end], Box())
                _ = box.takes(end, extent: extent)
                continue
            }
            for point in points where point != line.last {
                if let last = line.last, line.count == maximumPointCount || !box.takes(point, extent: extent) {
                    lines.append(line)
                    (line, box) = ([last], Box())
                    _ = box.takes(last, extent: extent)
                    _ = box.takes(point, extent: .infinity)
                }
                line.append(point)
            }
            guard lines.count < maximumCount else { break }
        }
        if line.count > 1 { lines.append(line) }
        return lines.prefix(maximumCount).enumerated().compactMap { number, line in
            let level = PlanLevel(
                name: "0", number: 0, features: [PlanFeature(kind: .street, shape: .line(line))])
            return DrawnPlan(FloorPlan(id: "\(FloorPlan.routeID)\(number + 1)", name: "", levels: [level]))
        }
    }

    /// Returns the points after the first point, up to and including the second. They are spaced so that two successive
    /// points fit into one plan. Returns nil if the two given points are too far apart for a walk.
    private static func between(_ start: PlanPoint, _ end: PlanPoint) -> [PlanPoint]? {
        let north = end.latitudeDegrees - start.latitudeDegrees
        let east = Self.wrapped(end.longitudeDegrees - start.longitudeDegrees)
        let count = (max(north.magnitude, east.magnitude) / (extent / 2)).rounded(.up)
        guard count <= Double(2 * maximumCount) else { return nil }
        guard count > 1 else { return [end] }
        return (1..<Int(count)).map { index in
            let share = Double(index) / count
            return PlanPoint(
                latitudeDegrees: start.latitudeDegrees + share * north,
                longitudeDegrees: Self.wrapped(start.longitudeDegrees + share * east))
        } + [end]
    }

    /// Bounds of a line. Longitudes are relative to its first point, because they jump at the antimeridian.
    private struct Box {
        private var first: PlanPoint?
        private var (south, north, west, east) = (0.0, 0.0, 0.0, 0.0)

        /// Extends the box to a point and returns true. Returns false and changes nothing if the box would become too
        /// large. A degree of longitude is never longer than a degree of latitude.
        mutating func takes(_ point: PlanPoint, extent: Double) -> Bool {
            let first = first ?? point
            let up = point.latitudeDegrees - first.latitudeDegrees
            let right = RouteCorridor.wrapped(point.longitudeDegrees - first.longitudeDegrees)
            let (low, high) = (min(south, up), max(north, up))
            let (left, far) = (min(west, right), max(east, right))
            guard high - low <= extent, far - left <= extent else { return false }
            (self.first, south, north, west, east) = (first, low, high, left, far)
            return true
        }
    }

    fileprivate static func wrapped(_ degrees: Double) -> Double {
        degrees - 360 * (degrees / 360).rounded()
    }
}
