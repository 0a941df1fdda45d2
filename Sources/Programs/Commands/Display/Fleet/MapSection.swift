import Geometry
import Glibc

/// The part of the earth that a map shows: all points whose distances from its centre, measured to the east or west and
/// to the north or south, are within two limits.
///
/// Points keep their bearings and distances from the centre (azimuthal equidistant projection), which works for wearers
/// in one street and on different continents alike.
struct MapSection: Hashable, Sendable {
    /// East and north component of a distance along the ellipsoid. Unit: metres.
    typealias Point = (east: Double, north: Double)

    let centre: GeodeticPosition
    /// Distances from the centre to the borders. Unit: metres.
    let east: Double
    let north: Double

    /// Minimum and maximum distance of a border. The maximum reaches around the earth. Unit: metres.
    private static let (minimumDistance, maximumDistance) = (10.0, 2.1e7)
    /// `full` is the share of the section that positions fill when the section is created. If they fill less than the
    /// share `sparse` in both directions, the section is replaced.
    private static let (full, sparse) = (0.85, 0.3)

    init(centre: GeodeticPosition, east: Double, north: Double) {
        self.centre = centre
        self.east = max(Self.minimumDistance, min(east, Self.maximumDistance))
        self.north = max(Self.minimumDistance, min(north, Self.maximumDistance))
    }

    /// Returns a position relative to the centre.
    func point(_ position: GeodeticPosition) -> Point {
        let line = Geodesic(from: centre, to: position)
        let bearing = line.bearing ?? 0
        return (line.distance * sin(bearing), line.distance * cos(bearing))
    }

    /// Makes a section that contains all positions; nil if there are none.
    static func around(_ positions: [GeodeticPosition]) -> MapSection? {
        guard let first = positions.first else { return nil }
        let points = positions.map(MapSection(centre: first, east: 0, north: 0).point)
        let (east, north) = (middle(points.map(\.east)), middle(points.map(\.north)))
        let distance = (east * east + north * north).squareRoot()
        guard let centre = first.destination(bearing: atan2(east, north), distance: distance) else { return nil }
        let reach = MapSection(centre: centre, east: 0, north: 0).reach(positions)
        return MapSection(centre: centre, east: reach.east / full, north: reach.north / full)
    }

    private static func middle(_ values: [Double]) -> Double { ((values.min() ?? 0) + (values.max() ?? 0)) / 2 }

    /// Returns the maximum distances of positions from the centre.
    private func reach(_ positions: [GeodeticPosition]) -> Point {
        let points = positions.map(point)
        return (points.map(\.east.magnitude).max() ?? 0, points.map(\.north.magnitude).max() ?? 0)
    }

    /// Returns this section as long as it suits the positions, so that the map stays still; otherwise a new section for
    /// them.
    func following(_ positions: [GeodeticPosition]) -> MapSection {
        guard !positions.isEmpty else { return self }
        let reach = reach(positions)
        let isFilled = reach.east >= east * Self.sparse || reach.north >= north * Self.sparse
        let isMinimum = east <= Self.minimumDistance && north <= Self.minimumDistance
        let serves = reach.east <= east && reach.north <= north && (isFilled || isMinimum)
        return serves ? self : Self.around(positions) ?? self
    }

    func zoomed(by factor: Double) -> MapSection {
        MapSection(centre: centre, east: east * factor, north: north * factor)
    }

    func moved(to centre: GeodeticPosition) -> MapSection { MapSection(centre: centre, east: east, north: north) }
}
