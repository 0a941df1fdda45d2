/// Feature of a plan: an area, a line or a point on one level.
public struct PlanFeature: Hashable, Sendable {
    /// Meaning of a feature.
    public enum Kind: String, Hashable, Sendable, CaseIterable {
        /// Walkable area, such as a corridor or a hall.
        case floor
        /// Area with walls around it. Wearers seldom enter it, and then through its doors if it has any.
        case room
        /// Obstacle.
        case wall
        /// Opening in a wall, or in the border of a room.
        case door
        /// Connection to other levels: stairs, an escalator, a lift.
        case stairs
        /// Walkable line, such as a footway outdoors.
        case path
        /// Centre line of a street, with walkers on either side.
        case street
    }

    /// Geometry. The rings of an area are closed: the last point is joined to the first, which is not repeated.
    public enum Shape: Hashable, Sendable {
        /// Area inside the first ring and outside the others.
        case area([[PlanPoint]])
        /// Line through at least two points.
        case line([PlanPoint])
        /// A single point.
        case point(PlanPoint)
    }

    package var kind: Kind
    package var shape: Shape

    package init(kind: Kind, shape: Shape) {
        self.kind = kind
        self.shape = shape
    }
}

/// Point of a plan on WGS84. Units: degrees.
public struct PlanPoint: Hashable, Sendable {
    /// Latitude, positive north. Unit: degrees.
    public var latitudeDegrees: Double
    /// Longitude, positive east. Unit: degrees.
    public var longitudeDegrees: Double

    package init(latitudeDegrees: Double, longitudeDegrees: Double) {
        self.latitudeDegrees = latitudeDegrees
        self.longitudeDegrees = longitudeDegrees
    }
}

extension PlanFeature.Shape {
    package var points: [PlanPoint] {
        switch self {
        case .area(let rings): rings.flatMap(\.self)
        case .line(let points): points
        case .point(let point): [point]
        }
    }

    package var vertexCount: Int {
        switch self {
        case .area(let rings): rings.reduce(0) { $0 + $1.count }
        case .line(let points): points.count
        case .point: 1
        }
    }
}
