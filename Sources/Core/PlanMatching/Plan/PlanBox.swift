import Geometry
import Glibc

/// Bounding box of a plan on WGS84. Units: degrees.
package struct PlanBox: Equatable, Sendable {
    package let south: Double
    package let north: Double
    /// Western edge, −180 to 180.
    package let west: Double
    /// Eastern edge, at least `west`; beyond 180 for a plan across the antimeridian.
    package let east: Double

    /// Makes a box; nil if the bounds do not form a box on the earth.
    package init?(south: Double, north: Double, west: Double, east: Double) {
        guard -90 <= south, south <= north, north <= 90, -180 <= west, west <= 180, west <= east, east <= west + 360
        else { return nil }
        (self.south, self.north, self.west, self.east) = (south, north, west, east)
    }

    /// Makes the box around all points of a plan; nil for a plan without points. The plan must be narrower than half
    /// the earth.
    package init?(_ plan: FloorPlan) {
        guard let extent = PlanExtent(plan.levels.lazy.flatMap(\.features).flatMap(\.shape.points)) else { return nil }
        let (west, east) = (extent.longitudes.lowerBound, extent.longitudes.upperBound)
        let turns = west - west.remainder(dividingBy: 360)
        self.init(
            south: extent.latitudes.lowerBound, north: extent.latitudes.upperBound, west: west - turns,
            east: east - turns)
    }

    /// Returns the distance from a position to the box, 0 inside. It is accurate to 1 % within kilometres. Unit:
    /// metres.
    package func distance(from position: GeodeticPosition) -> Double {
        let (latitude, toRadians) = (position.latitudeDegrees, Double.pi / 180)
        let north = max(south - latitude, latitude - self.north, 0)
        // Angle from the western edge eastwards to the position. Outside the box, `beyond` is the angle past the
        // eastern edge, and the rest of the full turn is the angle to the western edge. The smaller of the two counts.
        let turn = (position.longitudeDegrees - west).truncatingRemainder(dividingBy: 360)
        let beyond = (turn < 0 ? turn + 360 : turn) - (east - west)
        let east = beyond <= 0 ? 0 : min(beyond, 360 - (east - west) - beyond)
        return Self.metresPerDegree * hypot(north, east * cos(latitude * toRadians))
    }

    /// Length of a degree along a meridian or the equator, accurate to 1 %. Unit: m/°.
    private static let metresPerDegree = 111_320.0
}
