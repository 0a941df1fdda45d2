import Geometry

/// Line of a plan to be drawn: a border, a wall, a door, stairs or a path.
public struct PlanLine: Hashable, Sendable {
    package var kind: PlanFeature.Kind
    /// Points joined by straight lines; a single point is a mark. Frame: east and north of a center. Unit: metres.
    public var points: [Vector2]
}

/// Lines of one level of a plan around a point, for drawings.
public struct PlanLines: Hashable, Sendable {
    /// Lines in the order of the plan. Each is clipped to the pieces that come within `radius` of the center.
    public private(set) var lines: [PlanLine] = []
    /// Radius within which the lines are complete. Unit: metres.
    public private(set) var radius: Double

    /// Default maximum number of pieces. A piece joins two successive points.
    public static let maximumPieceCount = 4000

    /// Selects the lines of a level.
    ///
    /// - Parameters:
    ///   - center: origin of the points.
    ///   - radius: distance from the center up to which pieces are selected. Unit: metres.
    ///   - maximum: maximum number of pieces and marks together; the nearest ones are selected.
    public init(
        _ level: PlanLevel, about center: GeodeticPosition, within radius: Double, maximum: Int = maximumPieceCount
    ) {
        self.radius = radius
        let map = FlatMap(center)
        let shapes = level.features.flatMap { feature in
            feature.shape.strokes.map { PlanLine(kind: feature.kind, points: $0.map(map.point)) }
        }
        var distances = shapes.flatMap { Self.distances($0.points).filter { $0 <= radius } }
        if distances.count > maximum {
            distances.sort()
            self.radius = distances[maximum].nextDown
        }
        for shape in shapes { add(shape) }
    }

    /// Adds each run of pieces of a line that is near enough.
    private mutating func add(_ line: PlanLine) {
        let isNear = Self.distances(line.points).map { $0 <= radius }
        guard line.points.count > 1 else {
            if isNear.first == true { lines.append(line) }
            return
        }
        var run: [Vector2] = []
        for (piece, isNear) in isNear.enumerated() {
            if isNear {
                if run.isEmpty { run.append(line.points[piece]) }
                run.append(line.points[piece + 1])
            } else if !run.isEmpty {
                lines.append(PlanLine(kind: line.kind, points: run))
                run = []
            }
        }
        if !run.isEmpty { lines.append(PlanLine(kind: line.kind, points: run)) }
    }

    /// Returns the distances of the pieces of a line from the center, or that of a single point. Unit: metres.
    private static func distances(_ points: [Vector2]) -> [Double] {
        guard points.count > 1 else { return points.map(\.norm) }
        return zip(points, points.dropFirst()).map { start, end in
            let displacement = end - start
            let square = displacement.dot(displacement)
            let share = square > 0 ? min(1, max(0, -start.dot(displacement) / square)) : 0
            return (start + share * displacement).norm
        }
    }
}

/// Converter from differences of longitude and latitude to metres east and north. It is accurate to centimetres over
/// some hundred metres, and far cheaper than a projection.
private struct FlatMap {
    private let center: GeodeticPosition
    private let metresPerDegree: Vector2

    init(_ center: GeodeticPosition) {
        self.center = center
        let (plane, step) = (LocalTangentPlane(origin: center), 1e-3)
        var (east, north) = (center, center)
        east.longitudeDegrees += step
        // The step in latitude goes towards the equator, so that the latitude stays valid.
        north.latitudeDegrees += center.latitudeDegrees > 0 ? -step : step
        metresPerDegree = Vector2(
            plane.pointENU(of: east).x / step,
            plane.pointENU(of: north).y / (north.latitudeDegrees - center.latitudeDegrees))
    }

    func point(_ point: PlanPoint) -> Vector2 {
        let longitude = (point.longitudeDegrees - center.longitudeDegrees).remainder(dividingBy: 360)
        let latitude = point.latitudeDegrees - center.latitudeDegrees
        return Vector2(longitude * metresPerDegree.x, latitude * metresPerDegree.y)
    }
}

extension PlanFeature.Shape {
    /// Lines to be drawn for the shape; closed lines end with their first point.
    fileprivate var strokes: [[PlanPoint]] {
        switch self {
        case .area(let rings): rings.map { $0 + $0.prefix(1) }
        case .line(let points): [points]
        case .point(let point): [[point]]
        }
    }
}
