import Geometry

/// Walkable line.
public struct PathLine: Hashable, Sendable {
    /// Points in order; their heights are ignored.
    public var points: [GeodeticPosition]
    /// Standard deviation, per axis, of the actual track of walkers from the line. Unit: metres.
    public var deviation: Double

    /// Standard deviation of a drawn footway. Unit: metres. Origin: aerial images are off by about this much, and
    /// walkers keep to one side.
    public static let usualDeviation = 1.5

    /// Standard deviation of the centre line of a street, or of the line of a route. Unit: metres. Origin: half the
    /// width of a street.
    public static let streetDeviation = 3.0

    package init(points: [GeodeticPosition], deviation: Double = usualDeviation) {
        self.points = points
        self.deviation = deviation
    }
}

extension FloorPlan {
    /// Paths on the ground floor, and paths without a floor number. Other levels are left out, because wearers are not
    /// on them where satellites can be received.
    var paths: [PathLine] {
        levels.lazy.filter { $0.number == nil || $0.number == 0 }.flatMap(\.features).compactMap { feature in
            guard let deviation = feature.kind.pathDeviation, case .line(let points) = feature.shape else { return nil }
            return PathLine(points: points.map(GeodeticPosition.init), deviation: deviation)
        }
    }
}

extension PlanFeature.Kind {
    /// Standard deviation of a walkable line; nil for features other than paths. Unit: metres.
    var pathDeviation: Double? {
        switch self {
        case .path: PathLine.usualDeviation
        case .street: PathLine.streetDeviation
        case .floor, .room, .wall, .door, .stairs: nil
        }
    }
}
