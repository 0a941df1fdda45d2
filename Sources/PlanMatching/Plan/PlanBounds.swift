import Geodesy

/// Least rectangle of latitude and longitude around a level. Units: degrees.
public struct PlanBounds: Hashable, Sendable {
    /// South-western corner.
    public private(set) var southWest: GeodeticPosition
    /// North-eastern corner.
    public private(set) var northEast: GeodeticPosition

    /// Nil for a level without a point.
    public init?(_ level: PlanLevel) {
        var points = level.features.lazy.flatMap(\.shape.points).makeIterator()
        guard let first = points.next() else { return nil }
        southWest = GeodeticPosition(first)
        northEast = southWest
        while let point = points.next() {
            southWest.latitudeDegrees = min(southWest.latitudeDegrees, point.latitudeDegrees)
            southWest.longitudeDegrees = min(southWest.longitudeDegrees, point.longitudeDegrees)
            northEast.latitudeDegrees = max(northEast.latitudeDegrees, point.latitudeDegrees)
            northEast.longitudeDegrees = max(northEast.longitudeDegrees, point.longitudeDegrees)
        }
    }

    /// Middle.
    public var center: GeodeticPosition? {
        GeodeticPosition(
            latitudeDegrees: (southWest.latitudeDegrees + northEast.latitudeDegrees) / 2,
            longitudeDegrees: (southWest.longitudeDegrees + northEast.longitudeDegrees) / 2, ellipsoidalHeight: 0)
    }
}

extension PlanFeature.Shape {
    /// All points.
    var points: [PlanPoint] {
        switch self {
        case .area(let rings): rings.flatMap(\.self)
        case .line(let points): points
        case .point(let point): [point]
        }
    }
}
