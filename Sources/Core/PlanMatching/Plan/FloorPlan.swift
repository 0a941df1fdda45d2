/// Plan of a building or a site: walkable areas and obstacles on each level.
public struct FloorPlan: Hashable, Sendable {
    /// Identifier used in commands.
    public var id: String
    package var name: String
    /// Levels, lowest first; those without a number come last. There is at least one.
    public var levels: [PlanLevel]

    package init(id: String, name: String, levels: [PlanLevel]) {
        self.id = id
        self.name = name
        self.levels = levels
    }

    /// Prefix of the ids of plans that represent the line of a route. No stored plan has an id with this prefix.
    public static let routeID = "@route "

    /// Whether an id belongs to a plan that represents the line of a route.
    public static func isOfRoute(_ id: String) -> Bool { id.utf8.starts(with: routeID.utf8) }

    /// Number of points of all features.
    package var vertices: Int {
        levels.reduce(0) { $0 + $1.features.reduce(0) { $0 + $1.shape.vertexCount } }
    }
}

/// One level of a plan.
public struct PlanLevel: Hashable, Sendable {
    /// Name as written by the author, such as "F1", "-1" or "mezzanine".
    public var name: String
    /// Number of the level, counted up from 0 on the ground floor and derived from the names of all levels
    /// (``numbers(of:)``). Nil if the name has no clear number.
    public var number: Double?
    package var features: [PlanFeature]

    package init(name: String, number: Double?, features: [PlanFeature]) {
        self.name = name
        self.number = number
        self.features = features
    }
}
