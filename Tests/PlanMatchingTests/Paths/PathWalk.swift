import Geometry
import Glibc
import PlanMatching

/// Walk along a path through blocks, with a map that is off and positions with a slow error.
struct PathWalk {
    /// True positions and those that are given, twice a second. Frame: east and north. Unit: metres.
    private(set) var truth: [Vector2] = []
    private(set) var given: [Vector2] = []
    /// Distance from where the path truly is. Unit: metres.
    private(set) var aside: [Double] = []
    /// Corners of the path as drawn.
    private(set) var corners: [Vector2] = []

    /// Time between two positions. Unit: seconds.
    static let interval = 0.5
    /// Variance per axis of the slow error. Unit: m².
    static let variance = 4.0
    /// Unit: m/s.
    private static let speed = 1.3
    /// Time constant of the slow error. Unit: seconds.
    private static let errorSeconds = 120.0

    /// Part of a walk on which the wearer leaves the path to the left. Units: metres.
    struct Excursion {
        var begin: Double
        var end: Double
        var distance: Double
        /// Way on which the distance grows from nothing.
        var ramp = 20.0

        func aside(at walked: Double) -> Double {
            let share = max(0, min(1, (walked - begin) / ramp, (end - walked) / ramp))
            return distance * share * share * (3 - 2 * share)
        }
    }

    /// - Parameter mapDeviation: standard deviation per axis of the corners as drawn. Unit: metres.
    init(seconds: Double, seed: UInt64, mapDeviation: Double = 1.5, excursion: Excursion? = nil) {
        var random = RandomSource(seed: seed)
        var (here, walked, isEast, error) = (Vector2(), 0.0, true, Vector2())
        func normal() -> Vector2 { Vector2(random.normal(), random.normal()) }
        error = Self.variance.squareRoot() * normal()
        corners.append(here + mapDeviation * normal())
        let kept = exp(-Self.interval / Self.errorSeconds)
        let noise = (Self.variance * (1 - kept * kept)).squareRoot()
        while Double(truth.count) * Self.interval < seconds {
            // To the east and the north by turns, so that the path does not cross itself.
            let direction = isEast ? Vector2(1, 0) : Vector2(0, 1)
            isEast.toggle()
            let length = 30 + 60 * random.uniform()
            for _ in 0..<Int(length / (Self.speed * Self.interval)) {
                here = here + (Self.speed * Self.interval) * direction
                walked += Self.speed * Self.interval
                error = kept * error + noise * normal()
                let distance = excursion?.aside(at: walked) ?? 0
                aside.append(distance)
                let sway = Vector2(0.3 * sin(walked / 3), 0.3 * cos(walked / 3))
                truth.append(here + distance * Vector2(-direction.y, direction.x) + sway)
                given.append(truth[truth.count - 1] - error)
            }
            corners.append(here + mapDeviation * normal())
        }
    }

    /// Positions on earth of points.
    static func line(_ points: [Vector2], deviation: Double = PathLine.usualDeviation) throws -> PathLine {
        let plane = try DrawnLevel().plane
        return PathLine(
            points: points.compactMap { plane.position(ofENU: Vector3($0.x, $0.y, 0)) }, deviation: deviation)
    }

    /// State of a follower after each position, less its true position, on the plane of the network.
    ///
    /// - Parameter visit: called with the index, the follower, the position that it was given, and the error that is
    ///   left.
    func follow(on network: PathNetwork, _ visit: (Int, PathFollower, Vector2, Vector2) throws -> Void) throws {
        var follower = PathFollower()
        try follow(on: network, with: &follower, 0..<given.count, visit)
    }

    func follow(
        on network: PathNetwork, with follower: inout PathFollower, _ range: Range<Int>,
        _ visit: (Int, PathFollower, Vector2, Vector2) throws -> Void
    ) throws {
        let origin = try Self.origin(of: network)
        for index in range {
            let position = given[index] - origin
            follower.follow(position, variance: Self.variance, after: Self.interval, on: network)
            try visit(index, follower, position, given[index] + follower.correction - truth[index])
        }
    }

    /// Origin of a network's plane on that of the walk: both are level within a few kilometres.
    private static func origin(of network: PathNetwork) throws -> Vector2 {
        Vector2(try DrawnLevel().plane.pointENU(of: network.plane.origin))
    }
}
