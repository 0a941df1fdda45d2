/// Plan of a building or a site: on each level, where one can walk and what is in the way.
public struct FloorPlan: Hashable, Sendable {
    /// Identifier, by which commands name it.
    public var id: String
    /// Name for people.
    public var name: String
    /// Levels, lowest first, those without a number last; at least one.
    public var levels: [PlanLevel]

    /// Makes a plan.
    public init(id: String, name: String, levels: [PlanLevel]) {
        self.id = id
        self.name = name
        self.levels = levels
    }

    /// Beginning of the ids of plans that are the line of a route; no stored plan has such an id.
    public static let routeID = "@route "

    /// Whether an id is that of a plan that is the line of a route.
    public static func isOfRoute(_ id: String) -> Bool { id.utf8.starts(with: routeID.utf8) }

    /// Number of points of all features.
    package var vertices: Int {
        levels.reduce(0) { $0 + $1.features.reduce(0) { $0 + $1.shape.vertexCount } }
    }
}

/// One level of a plan.
public struct PlanLevel: Hashable, Sendable {
    /// Name as the author wrote it, such as "F1", "-1" or "mezzanine".
    public var name: String
    /// Number of the level above the ground floor's 0, by the names of all levels (``numbers(of:)``); nil for a name
    /// without a clear one.
    public var number: Double?
    /// What is drawn on it.
    public var features: [PlanFeature]

    /// Makes a level.
    public init(name: String, number: Double?, features: [PlanFeature]) {
        self.name = name
        self.number = number
        self.features = features
    }
}
