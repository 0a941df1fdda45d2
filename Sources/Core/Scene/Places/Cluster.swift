import Glibc

/// Placement that may be combined with others in a cluster.
public struct ClusterItem: Hashable, Sendable {
    package var id: String
    /// Bearing in radians, clockwise from a reference direction that all items share.
    public var bearing: Double
    /// Distance from the wearer. Unit: metres.
    public var distance: Double
    /// Whether the item is never clustered, such as the selected destination.
    public var staysAlone: Bool

    package init(id: String, bearing: Double, distance: Double, staysAlone: Bool = false) {
        self.id = id
        self.bearing = bearing
        self.distance = distance
        self.staysAlone = staysAlone
    }
}

/// Two or more placements that are shown as one placement, which is labelled with their number.
public struct Cluster: Hashable, Sendable {
    /// Identifier: `cluster/` and the least identifier of the first members. It is kept while most of them stay
    /// together.
    public var id: String
    /// Sorted identifiers of the members.
    public var members: [String]
    /// Bearing of the middle of the members, clockwise from the reference direction that all items share, in radians in
    /// [0, 2π).
    public var bearing: Double
    /// Distance of the middle of the members. Unit: metres.
    public var distance: Double
    /// Distance of the nearest member. Unit: metres.
    public var nearest: Double
}

/// Items to cluster, as points on a plane with the wearer at the origin. The items are ordered by identifier, and the
/// number of a point is the index of its item.
struct ClusterField {
    struct Point {
        var id: String
        /// Position relative to the wearer. Unit: metres.
        var x: Double
        var y: Double
        var distance: Double
    }

    let points: [Point]
    /// Numbers of the points, nearest first.
    let nearestFirst: [Int]
    /// Squared separations, relative to the distance, up to which a point joins another point or stays with it.
    private let enter: Double
    private let stay: Double

    init(_ items: [ClusterItem], settings: SceneSettings.Places) {
        let points =
            items
            .filter { !$0.staysAlone && $0.bearing.isFinite && $0.distance.isFinite && $0.distance >= 0 }
            .map {
                Point(
                    id: $0.id, x: $0.distance * sin($0.bearing), y: $0.distance * cos($0.bearing),
                    distance: $0.distance)
            }
            .sorted { $0.id < $1.id }
        self.points = points
        nearestFirst = points.indices.sorted { (points[$0].distance, $0) < (points[$1].distance, $1) }
        let share = settings.clusterShare
        let wider = share * (1 + settings.clusterHysteresis)
        (enter, stay) = (share * share, wider * wider)
    }

    /// Returns the number of a point, found by binary search; nil if the point is not in the field.
    func number(of id: String) -> Int? {
        let number = points.partitionPoint { $0.id < id }
        return number < points.count && points[number].id == id ? number : nil
    }

    func isNearer(_ a: Int, than b: Int) -> Bool { (points[a].distance, a) < (points[b].distance, b) }

    /// Returns the squared separation of two points, divided by the squared distance of the nearer one.
    func separation(_ a: Int, _ b: Int) -> Double {
        let x = points[a].x - points[b].x
        let y = points[a].y - points[b].y
        let square = x * x + y * y
        guard square > 0 else { return 0 }
        let nearer = min(points[a].distance, points[b].distance)
        return square / (nearer * nearer)
    }

    func belongs(_ a: Int, with b: Int) -> Bool { separation(a, b) <= enter }
    func staysTogether(_ a: Int, with b: Int) -> Bool { separation(a, b) <= stay }
}
