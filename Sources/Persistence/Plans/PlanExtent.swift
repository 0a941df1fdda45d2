import Geodesy
import Glibc
import PlanMatching

/// Bounding box of a plan on WGS84. Units: degrees.
package struct PlanExtent: Equatable, Sendable {
    package let south: Double
    package let north: Double
    /// Western edge, −180 to 180.
    package let west: Double
    /// Eastern edge, at least `west`; beyond 180 for a plan across the antimeridian.
    package let east: Double

    /// Nil for bounds that are no box on the earth.
    package init?(south: Double, north: Double, west: Double, east: Double) {
        guard -90 <= south, south <= north, north <= 90, -180 <= west, west <= 180, west <= east, east <= west + 360
        else { return nil }
        (self.south, self.north, self.west, self.east) = (south, north, west, east)
    }

    /// Box around all points of a plan, which is less than half the earth wide; nil for a plan without a point.
    package init?(_ plan: FloorPlan) {
        guard let first = plan.points.first(where: { _ in true })?.longitudeDegrees else { return nil }
        let start = remainder(first, 360)
        var (south, north, west, east) = (90.0, -90.0, start, start)
        for point in plan.points {
            // Counted from the first point on, so that a plan across the antimeridian stays in one piece.
            let longitude = start + remainder(point.longitudeDegrees - start, 360)
            (south, north) = (min(south, point.latitudeDegrees), max(north, point.latitudeDegrees))
            (west, east) = (min(west, longitude), max(east, longitude))
        }
        let turns = west - remainder(west, 360)
        self.init(south: south, north: north, west: west - turns, east: east - turns)
    }

    /// Distance of a position from the box, 0 inside; to 1 % within kilometres, for selection. Unit: metres.
    package func distance(from position: GeodeticPosition) -> Double {
        let (latitude, toRadians) = (position.latitudeDegrees, Double.pi / 180)
        let north = max(south - latitude, latitude - self.north, 0)
        // East of the western edge by less than a turn: within the box, or beyond it, or before it by the rest.
        let turn = (position.longitudeDegrees - west).truncatingRemainder(dividingBy: 360)
        let beyond = (turn < 0 ? turn + 360 : turn) - (east - west)
        let east = beyond <= 0 ? 0 : min(beyond, 360 - (east - west) - beyond)
        return Self.metresPerDegree * hypot(north, east * cos(latitude * toRadians))
    }

    /// Along a meridian, and along the equator, to 1 %.
    private static let metresPerDegree = 111_320.0
}

extension FloorPlan {
    /// Points of all of its features.
    fileprivate var points: some Sequence<PlanPoint> {
        levels.lazy.flatMap(\.features).flatMap(\.shape.points)
    }

    /// Number of points of all of its features.
    package var vertices: Int {
        levels.reduce(0) { $0 + $1.features.reduce(0) { $0 + $1.shape.points.count } }
    }
}

extension PlanFeature.Shape {
    fileprivate var points: [PlanPoint] {
        switch self {
        case .area(let rings): rings.flatMap { $0 }
        case .line(let points): points
        case .point(let point): [point]
        }
    }
}
