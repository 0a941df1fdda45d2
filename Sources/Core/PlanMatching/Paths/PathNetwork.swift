import Geometry

/// Paths around the wearer, on one tangent plane, sorted into cells.
public final class PathNetwork: Sendable {
    /// Plane on which positions are compared with the paths.
    public let plane: LocalTangentPlane
    /// Number by which a saved state detects that it followed other paths.
    public let checksum: UInt32
    private let segments: [PathSegment]
    private let grid: SegmentGrid

    /// Largest number of segments. Raise it to use more paths; each segment takes 64 bytes and entries in several
    /// cells. Origin: number of points of the largest plan.
    public static let maximumSegmentCount = 1 << 16
    /// Distance up to which a path is considered. Unit: metres. Origin: a position error of ten metres, plus the width
    /// of a street beside the path.
    static let reach = 35.0
    /// Shortest segment. Unit: metres.
    private static let minimumLength = 0.05
    /// Distance from the first point beyond which a line is omitted, because the plane is inaccurate. Unit: metres.
    private static let maximumDistance = 50_000.0
    /// Largest number of entries in cells.
    private static let maximumEntryCount = 1 << 20
    /// Largest number of segments that are examined around a point. Real paths have fewer.
    private static let maximumNearbyCount = 1024

    /// Makes a network; nil if there is no segment. Omits lines beyond `maximumSegmentCount`, starting with the last.
    public init?(_ lines: [PathLine]) {
        guard let first = lines.first(where: { !$0.points.isEmpty })?.points.first else { return nil }
        let plane = LocalTangentPlane(origin: Self.onGround(first))
        var (segments, hash) = ([PathSegment](), UInt32(0x811C_9DC5))
        for line in lines {
            let points = line.points.map { Vector2(plane.pointENU(of: Self.onGround($0))) }
            guard points.allSatisfy({ $0.norm <= Self.maximumDistance }) else { continue }
            guard segments.count + points.count <= Self.maximumSegmentCount else { break }
            Self.append(points, of: line, to: &segments)
            line.hash(into: &hash)
        }
        let ends = segments.map { (start: $0.start, end: $0.start + $0.length * $0.direction) }
        guard let grid = SegmentGrid(ends, tolerance: Self.reach, maximumEntryCount: Self.maximumEntryCount) else {
            return nil
        }
        (self.plane, self.segments, self.grid, checksum) = (plane, segments, grid, hash)
    }

    private static func append(_ points: [Vector2], of line: PathLine, to segments: inout [PathSegment]) {
        for (start, end) in zip(points, points.dropFirst()) {
            let (displacement, length) = (end - start, (end - start).norm)
            guard length >= minimumLength else { continue }
            segments.append(
                PathSegment(
                    start: start, direction: 1 / length * displacement, length: length,
                    spread: line.deviation / PathLine.usualDeviation))
        }
    }

    /// Returns the position at height 0. Heights shift points on the plane, and the heights of paths are unknown.
    private static func onGround(_ position: GeodeticPosition) -> GeodeticPosition {
        GeodeticPosition(
            latitudeDegrees: position.latitudeDegrees, longitudeDegrees: position.longitudeDegrees,
            ellipsoidalHeight: 0) ?? position
    }

    /// Returns the point of a position, projected in the same way as the paths. Frame: east and north. Unit: metres.
    public func point(of position: GeodeticPosition) -> Vector2 {
        Vector2(plane.pointENU(of: Self.onGround(position)))
    }

    /// Visits the segments within `reach` of a point, in their order.
    @inline(__always)
    func forEach(near point: Vector2, _ visit: (PathSegment) -> Void) {
        guard let range = grid.range(around: point) else { return }
        for index in range.prefix(Self.maximumNearbyCount) {
            let segment = segments[Int(grid.entries[index])]
            if segment.distance(from: point) <= Self.reach { visit(segment) }
        }
    }

    /// Returns the distance to the nearest path; nil beyond `reach`. Unit: metres.
    public func distance(from point: Vector2) -> Double? {
        var nearest: Double?
        forEach(near: point) { segment in
            nearest = min(nearest ?? .infinity, segment.distance(from: point))
        }
        return nearest
    }
}

extension PathLine {
    /// Extends a hash by all relevant values. Source: FNV-1a, Fowler, Noll and Vo.
    fileprivate func hash(into hash: inout UInt32) {
        func add(_ number: Double) {
            withUnsafeBytes(of: number.bitPattern.littleEndian) { bytes in
                for byte in bytes { hash = (hash ^ UInt32(byte)) &* 0x0100_0193 }
            }
        }
        for point in points {
            add(point.latitudeDegrees)
            add(point.longitudeDegrees)
        }
        // The count distinguishes two lines from one line through the points of both.
        add(Double(points.count))
        add(deviation)
    }
}
