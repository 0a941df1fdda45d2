/// Placement that may be combined with others in a cluster.
public struct ClusterItem: Hashable, Sendable {
    /// Identifier of the placement.
    public var id: String
    /// Bearing clockwise from a direction common to all items, radians.
    public var bearing: Double
    /// Distance from the wearer. Unit: metres.
    public var distance: Double
    /// Whether it is never clustered, such as the selected destination.
    public var staysAlone: Bool

    /// Item with the given properties; bearing in radians, distance in metres.
    public init(id: String, bearing: Double, distance: Double, staysAlone: Bool = false) {
        self.id = id
        self.bearing = bearing
        self.distance = distance
        self.staysAlone = staysAlone
    }
}

/// Two or more placements that are shown as one, labelled with their number.
public struct Cluster: Hashable, Sendable {
    /// Identifier: `cluster/` and the least identifier of the first members; kept while most of them stay together.
    public var id: String
    /// Sorted identifiers of the members.
    public var members: [String]
    /// Bearing of the middle of the members, clockwise from the direction common to all items, radians in [0, 2π).
    public var bearing: Double
    /// Distance of the middle of the members. Unit: metres.
    public var distance: Double
    /// Distance of the nearest member. Unit: metres.
    public var nearest: Double

    /// Cluster with the given properties; bearing in radians, distances in metres.
    public init(id: String, members: [String], bearing: Double, distance: Double, nearest: Double) {
        self.id = id
        self.members = members
        self.bearing = bearing
        self.distance = distance
        self.nearest = nearest
    }
}
