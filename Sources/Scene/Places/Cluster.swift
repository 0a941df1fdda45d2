/// One thing that may be shown together with others.
public struct ClusterItem: Hashable, Sendable {
    public var id: String
    /// Clockwise, radians; from whatever direction, the same for all.
    public var bearing: Double
    /// Unit: metres.
    public var distance: Double
    /// For the selected destination and the like: is never put together with others.
    public var staysAlone: Bool

    public init(id: String, bearing: Double, distance: Double, staysAlone: Bool = false) {
        self.id = id
        self.bearing = bearing
        self.distance = distance
        self.staysAlone = staysAlone
    }
}

/// Two or more that are shown as one, with their number instead of names.
public struct Cluster: Hashable, Sendable {
    /// `cluster/` and the smallest id among those with whom it began; kept while most of them stay together.
    public var id: String
    /// In order.
    public var members: [String]
    /// Of the middle of the members. Clockwise, radians in [0, 2π), counted as those of the items.
    public var bearing: Double
    /// Of the middle of the members. Unit: metres.
    public var distance: Double
    /// Of the nearest member. Unit: metres.
    public var nearest: Double

    public init(id: String, members: [String], bearing: Double, distance: Double, nearest: Double) {
        self.id = id
        self.members = members
        self.bearing = bearing
        self.distance = distance
        self.nearest = nearest
    }
}
