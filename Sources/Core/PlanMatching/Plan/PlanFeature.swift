/// Part of a plan: an area, a line or a point on one level.
public struct PlanFeature: Hashable, Sendable {
    /// Meaning of a part.
    public enum Kind: String, Hashable, Sendable, CaseIterable {
        /// Area that one walks on, such as a corridor or a hall.
        case floor
        /// Area with walls around it, entered seldom, through its doors if it has any.
        case room
        /// What one cannot walk through.
        case wall
        /// Opening of a wall, or of the border of a room.
        case door
        /// Way to other levels: stairs, an escalator, a lift.
        case stairs
        /// Line along which one walks, such as a footway outdoors.
        case path
        /// Line in the middle of a street, along which one walks on either side.
        case street
    }

    /// Geometry. The rings of an area are closed: their last point is joined to their first, which is not repeated.
    public enum Shape: Hashable, Sendable {
        /// Area inside the first ring and outside the others.
        case area([[PlanPoint]])
        /// Line through at least two points.
        case line([PlanPoint])
        /// A single point.
        case point(PlanPoint)
    }

    /// Meaning.
    public var kind: Kind
    /// Geometry.
    public var shape: Shape

    /// Makes a part.
    public init(kind: Kind, shape: Shape) {
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

    /// Makes a point.
    public init(latitudeDegrees: Double, longitudeDegrees: Double) {
        self.latitudeDegrees = latitudeDegrees
        self.longitudeDegrees = longitudeDegrees
    }
}

extension PlanFeature.Shape {
    /// All points.
    package var points: [PlanPoint] {
        switch self {
        case .area(let rings): rings.flatMap(\.self)
        case .line(let points): points
        case .point(let point): [point]
        }
    }

    /// Number of points.
    package var vertexCount: Int {
        switch self {
        case .area(let rings): rings.reduce(0) { $0 + $1.count }
        case .line(let points): points.count
        case .point: 1
        }
    }
}
