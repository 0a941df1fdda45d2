import Geometry
import Glibc

/// Buildings around the wearer, indexed by position.
public struct Buildings: Sendable {
    /// Building in the plane of the map.
    struct Footprint {
        /// Indices in `Buildings.walls` of the walls of all rings.
        let walls: Range<Int>
        let extent: PlaneBox
        let middle: GeodeticPosition
        /// Height of the roof above the ground. Unit: metres.
        let height: Double

        /// Returns the fraction of the height that counts at a distance in metres. Towards the end of its reach, the
        /// building sinks into the ground, so that placements on its roof do not jump where it is no longer considered.
        func share(distance: Double) -> Double {
            let reach = Building.reach(height: height)
            return max(0, min(1, (reach - distance) / (0.2 * reach)))
        }
    }

    /// Origin of the plane of the map around the wearer, with axes east and north. Unit: metres, accurate to 1 %.
    private let origin: GeodeticPosition
    private let metresPerDegree: Vector2
    private var footprints: [Footprint] = []
    private var walls: [(from: Vector2, to: Vector2)] = []
    private var grid = BuildingGrid([])

    /// Maximum number of corners of all buildings around the wearer, which take 4 MB.
    public static let maximumVertexCount = 131_072

    /// Maximum number of walls that one line of sight is tested against.
    private static let maximumTestCount = 16_384

    /// Makes the buildings in the neighbourhood of a position. Buildings beyond the capacity are left out.
    public init(_ buildings: [Building], around center: GeodeticPosition) {
        origin = center
        let metres = Ellipsoid.semiMajorAxis * .pi / 180
        metresPerDegree = Vector2(metres * cos(center.latitudeDegrees * .pi / 180), metres)
        for building in buildings { add(building) }
        grid = BuildingGrid(footprints.map(\.extent))
        footprints.removeLast(footprints.count - grid.count)
    }

    package var count: Int { footprints.count }

    private mutating func add(_ building: Building) {
        let first = walls.count
        guard first + building.rings.reduce(0, { $0 + $1.count }) <= Self.maximumVertexCount,
            let middle = building.extent.middle
        else { return }
        for ring in building.rings {
            var previous = point(ring[ring.count - 1])
            for corner in ring.map(point) {
                walls.append((previous, corner))
                previous = corner
            }
        }
        footprints.append(
            Footprint(
                walls: first..<walls.count, extent: PlaneBox(walls[first...].map(\.to)), middle: middle,
                height: building.height))
    }

    private func point(_ corner: Building.Vertex) -> Vector2 {
        point(
            latitude: Double(corner.latitude) / Building.unitsPerDegree,
            longitude: Double(corner.longitude) / Building.unitsPerDegree)
    }

    private func point(latitude: Double, longitude: Double) -> Vector2 {
        var east = longitude - origin.longitudeDegrees
        east -= 360 * (east / 360).rounded()
        return Vector2(metresPerDegree.x * east, metresPerDegree.y * (latitude - origin.latitudeDegrees))
    }

    /// Returns the point of a position in the plane of the map.
    func point(_ position: GeodeticPosition) -> Vector2 {
        point(latitude: position.latitudeDegrees, longitude: position.longitudeDegrees)
    }

    // MARK: - Queries

    /// Returns the height of the roof at a position above the ground, reduced with the distance. Both are in metres. If
    /// there are several buildings at the position, the highest roof counts. Nil if no building is known there.
    func roof(at position: GeodeticPosition, distance: Double) -> Double? {
        let point = point(position)
        var highest: Double?
        grid.visit(point) { index in
            let footprint = footprints[index]
            guard contains(point, footprint) else { return }
            highest = max(highest ?? 0, footprint.height * footprint.share(distance: distance))
        }
        return highest
    }

    private func contains(_ point: Vector2, _ footprint: Footprint) -> Bool {
        guard footprint.extent.contains(point) else { return false }
        var isInside = false
        for (from, to) in walls[footprint.walls] where (to.y > point.y) != (from.y > point.y) {
            let share = (point.y - to.y) / (from.y - to.y)
            if point.x < to.x + share * (from.x - to.x) { isInside.toggle() }
        }
        return isInside
    }

    /// Calls `visit` with each building that a line crosses, and the fractions of the line's length at which the line
    /// enters and leaves the building. Stops when `visit` returns true, or after a limited number of walls. Skips
    /// buildings in which the line ends, and buildings in which it begins deeper than `depth`.
    ///
    /// - Parameter depth: distance from the walls. Unit: metres.
    func visit(
        from start: Vector2, deeperThan depth: Double, to end: Vector2,
        _ visit: (_ footprint: Footprint, _ shares: ClosedRange<Double>) -> Bool
    ) {
        var left = Self.maximumTestCount
        // A building may be in several squares.
        var tested: Set<Int> = []
        grid.visit(from: start, to: end) { index in
            guard tested.insert(index).inserted else { return false }
            let footprint = footprints[index]
            left -= footprint.walls.count
            guard left > 0 else { return true }
            guard let shares = crossing(footprint, start, end), !contains(end, footprint),
                !contains(start, footprint) || distance(start, footprint) <= depth
            else { return false }
            return visit(footprint, shares)
        }
    }

    /// Returns the distance from a point to the nearest wall of a building. Unit: metres.
    private func distance(_ point: Vector2, _ footprint: Footprint) -> Double {
        walls[footprint.walls].reduce(.infinity) { least, wall in
            let (line, displacement) = (wall.to - wall.from, point - wall.from)
            let share = line.squaredNorm > 0 ? max(0, min(1, displacement.dot(line) / line.squaredNorm)) : 0
            return min(least, (displacement - share * line).norm)
        }
    }

    /// Returns where a line first and last crosses the walls of a building, as fractions of the line's length; nil if
    /// it crosses no wall.
    private func crossing(_ footprint: Footprint, _ start: Vector2, _ end: Vector2) -> ClosedRange<Double>? {
        let line = end - start
        var shares: ClosedRange<Double>?
        for (from, to) in walls[footprint.walls] {
            let wall = to - from
            let (one, other) = (line.cross(from - start), line.cross(to - start))
            guard (one > 0) != (other > 0) else { continue }
            let share = (from - start).cross(wall) / line.cross(wall)
            guard (0...1).contains(share) else { continue }
            shares = min(shares?.lowerBound ?? share, share)...max(shares?.upperBound ?? share, share)
        }
        return shares
    }
}
