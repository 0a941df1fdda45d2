#if canImport(Glibc)
    import Glibc
#endif

/// What may be put together, as points on a plane with the wearer at the origin; a point's number is its place in the order
/// of the ids.
struct ClusterField {
    struct Point {
        var id: String
        /// Unit: metres.
        var x: Double
        var y: Double
        var distance: Double
    }

    let points: [Point]
    /// Numbers of the points, the nearest first.
    let nearestFirst: [Int]
    /// Squares of the shares within which one belongs to another, and stays with it.
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
        nearestFirst = points.indices.sorted {
            points[$0].distance != points[$1].distance ? points[$0].distance < points[$1].distance : $0 < $1
        }
        let share = settings.clusterShare
        let wider = share * (1 + settings.clusterHysteresis)
        (enter, stay) = (share * share, wider * wider)
    }

    /// The number of a point, by halving; nil for one that is not here.
    func number(of id: String) -> Int? {
        var low = 0
        var high = points.count
        while low < high {
            let middle = (low + high) / 2
            if points[middle].id < id { low = middle + 1 } else { high = middle }
        }
        return low < points.count && points[low].id == id ? low : nil
    }

    func isNearer(_ a: Int, than b: Int) -> Bool {
        let (p, q) = (points[a].distance, points[b].distance)
        return p != q ? p < q : a < b
    }

    /// Square of the separation, in distances to the nearer one.
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
