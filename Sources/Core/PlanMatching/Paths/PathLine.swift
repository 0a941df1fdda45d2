import Geometry

/// Line along which one walks.
public struct PathLine: Hashable, Sendable {
    /// Points in order; their heights are ignored.
    public var points: [GeodeticPosition]
    /// Standard deviation, per axis, of the line about where one walks. Unit: metres.
    public var deviation: Double

    /// Standard deviation of a footway that is drawn as such. Origin: aerial images are off by about this much, and one
    /// keeps to one side.
    public static let usualDeviation = 1.5

    /// Standard deviation of the middle of a street, or of the line of a route, about where one walks. Origin: half the
    /// width of a street.
    public static let streetDeviation = 3.0

    /// Makes a line.
    public init(points: [GeodeticPosition], deviation: Double = usualDeviation) {
        self.points = points
        self.deviation = deviation
    }
}

extension FloorPlan {
    /// The paths on the ground: where satellites measure, no other level is walked on.
    var paths: [PathLine] {
        levels.lazy.filter { $0.number == nil || $0.number == 0 }.flatMap(\.features).compactMap { feature in
            guard let deviation = feature.kind.pathDeviation, case .line(let points) = feature.shape else { return nil }
            return PathLine(points: points.map(GeodeticPosition.init), deviation: deviation)
        }
    }
}

extension PlanFeature.Kind {
    /// Standard deviation of a line along which one walks; nil for what is none. Unit: metres.
    var pathDeviation: Double? {
        switch self {
        case .path: PathLine.usualDeviation
        case .street: PathLine.streetDeviation
        case .floor, .room, .wall, .door, .stairs: nil
        }
    }
}
