/// A circular bus line with curves, stops and speeds of a city bus.
struct BusRound {
    /// Position and velocity of the bus at one instant, relative to the departure.
    struct Ride {
        /// Offset towards east. Unit: metres.
        var east: Jet
        /// Offset towards north. Unit: metres.
        var north: Jet
        /// Distance travelled. Unit: metres.
        var metres: Double
        /// Speed along straight streets; in curves the bus is slightly slower. Unit: m/s.
        var speed: Jet
        /// Direction of travel, clockwise from north. Unit: radians.
        var course: Jet
        /// Change of the course since the departure. Unit: radians.
        var turn: Jet
    }

    private let path: WalkPath
    private let pace: WalkPace
    private let course: Double
    private let departureEast: Double
    private let departureNorth: Double

    /// Distance over which a curve extends before and after its corner, for 3 m/s² of lateral acceleration at the
    /// largest speed. Unit: metres.
    private static let curveReach = 70.0
    /// Duration of each start and stop: 2.2 m/s² at most. Unit: seconds.
    private static let rampSeconds = 11.0
    /// Number of stops.
    private static let stops = 9
    /// Range of the speeds between two stops. Unit: m/s.
    private static let speeds = 7.0...13.0
    /// Range of the waiting times at stops. Unit: seconds.
    private static let waits = 8.0...25.0
    /// Corners of the line: to the right of the first street, then along it. Unit: metres.
    private static let corners: [(right: Double, ahead: Double)] = [
        (0, 0), (0, 420), (310, 500), (310, 900), (760, 860), (900, 520), (640, 180), (640, -260), (200, -300),
    ]

    /// - Parameters:
    ///   - course: direction of the first street, radians clockwise from north.
    ///   - departure: from the first stop, seconds since the start.
    init(course: Double, departure: Double, random: inout RandomSource) {
        // The fixed line or its mirror image.
        let side = random.uniform() < 0.5 ? -1.0 : 1
        let vertices = Self.corners.map {
            WalkPath.Point(right: side * $0.right, ahead: $0.ahead, bearing: course)
        }
        path = WalkPath(vertices: vertices, reach: Self.curveReach)
        pace = WalkPace(
            opening: departure, round: Self.stretches(path.length, &random), rampSeconds: Self.rampSeconds)
        self.course = course
        let first = path.location(at: Jet(path.reach))
        (departureEast, departureNorth) = (first.east.value, first.north.value)
    }

    var roundSeconds: Double { pace.roundSeconds }

    var roundMetres: Double { path.length }

    /// - Parameter seconds: time since the start.
    func ride(at seconds: Double) -> Ride {
        let progress = pace.progress(at: seconds)
        let location = path.location(at: progress.distance + path.reach)
        let present = location.course
        return Ride(
            east: location.east - departureEast, north: location.north - departureNorth,
            metres: progress.distance.value, speed: progress.speed, course: present, turn: present - course)
    }

    /// Random stretches from stop to stop; the longest is less than twice the shortest.
    private static func stretches(_ length: Double, _ random: inout RandomSource) -> [WalkPace.Stretch] {
        let weights = (0..<stops).map { _ in random.uniform(in: 0.7...1.3) }
        let sum = weights.reduce(0, +)
        return weights.map {
            WalkPace.Stretch(
                length: length * $0 / sum, speed: random.uniform(in: speeds), pause: random.uniform(in: waits))
        }
    }
}
