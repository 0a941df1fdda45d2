import Geometry

/// A walk to a bus stop, then a ride in a bus, during which the passenger looks around.
struct RideMotion: WearerMotion {
    private let walk: WalkMotion
    private let bus: BusRound
    private let vibration: Vibration

    /// Distance to the stop. The walk takes a minute and ends on a straight leg. Unit: metres.
    private static let distanceToStop = 80.0
    /// Time between the last step and the departure. Unit: seconds.
    private static let boardingSeconds = 10.0
    /// Speed above which the bus vibrates with full amplitude. Unit: m/s.
    private static let shakingSpeed = 3.0

    /// Makes a ride with random parameters. The walk begins after a rest of `openingSeconds`. Unit: seconds.
    init(block: CityBlock, openingSeconds: Double, random: inout RandomSource) {
        let stretch = WalkPace.Stretch(
            length: Self.distanceToStop, speed: random.uniform(in: 1.15...1.45), pause: Self.boardingSeconds)
        let pace = WalkPace(opening: openingSeconds, round: [stretch], repeats: false)
        walk = WalkMotion(block: block, pace: pace, wakes: openingSeconds, random: &random)
        bus = BusRound(
            course: block.path.location(at: Jet(block.start + Self.distanceToStop)).course.value,
            departure: openingSeconds + pace.roundSeconds, random: &random)
        vibration = Vibration(random: &random)
    }

    var roundSeconds: Double { bus.roundSeconds }

    var roundMetres: Double { bus.roundMetres }

    func placement(at seconds: Double) -> BoardPlacement {
        var placement = walk.placement(at: seconds)
        let ride = bus.ride(at: seconds)
        let strength = ((1 / Self.shakingSpeed) * ride.speed).smoothStep
        let shaking = vibration.shift(at: seconds, strength: strength)
        placement.east = placement.east + ride.east
        placement.north = placement.north + ride.north
        placement.up = placement.up + shaking.up
        placement.attitude.heading = placement.attitude.heading + ride.turn
        placement.pathMetres += ride.metres
        return placement.moved(right: shaking.right, of: ride.course)
    }
}

/// A circular bus line with the curves, stops and speeds of a city bus.
struct BusRound {
    /// Position and velocity of the bus at one instant, relative to its departure.
    struct Ride {
        /// Offset towards east. Unit: metres.
        var east: Jet
        /// Offset towards north. Unit: metres.
        var north: Jet
        /// Distance travelled. Unit: metres.
        var metres: Double
        /// Speed on straight streets. In curves the bus is slightly slower. Unit: m/s.
        var speed: Jet
        /// Direction of travel, clockwise from north. Unit: radians.
        var course: Jet
        /// How much the course has changed since the departure. Unit: radians.
        var turn: Jet
    }

    private let path: WalkPath
    private let pace: WalkPace
    private let course: Double
    private let departureEast: Double
    private let departureNorth: Double

    /// Distance before and after a corner over which a curve extends. At the largest speed the lateral acceleration is
    /// then 3 m/s². Unit: metres.
    private static let curveReach = 70.0
    /// Duration of each start and stop, at 2.2 m/s² or less. Unit: seconds.
    private static let rampSeconds = 11.0
    /// Number of stops.
    private static let stops = 9
    /// Range of the speeds between two stops. Unit: m/s.
    private static let speeds = 7.0...13.0
    /// Range of the waiting times at stops. Unit: seconds.
    private static let waits = 8.0...25.0
    /// Corners of the line, given as distances to the right of the first street and along it. Unit: metres.
    private static let corners: [(right: Double, ahead: Double)] = [
        (0, 0), (0, 420), (310, 500), (310, 900), (760, 860), (900, 520), (640, 180), (640, -260), (200, -300),
    ]

    /// - Parameters:
    ///   - course: direction of the first street, radians clockwise from north.
    ///   - departure: time of the departure from the first stop. Unit: seconds since the start.
    init(course: Double, departure: Double, random: inout RandomSource) {
        // The fixed line or its mirror image.
        let side = random.uniform() < 0.5 ? -1.0 : 1
        let vertices = Self.corners.map {
            Vector2(right: side * $0.right, ahead: $0.ahead, bearing: course)
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

    /// Makes random stretches from stop to stop. The longest is less than twice as long as the shortest.
    private static func stretches(_ length: Double, _ random: inout RandomSource) -> [WalkPace.Stretch] {
        let weights = (0..<stops).map { _ in random.uniform(in: 0.7...1.3) }
        let sum = weights.reduce(0, +)
        return weights.map {
            WalkPace.Stretch(
                length: length * $0 / sum, speed: random.uniform(in: speeds), pause: random.uniform(in: waits))
        }
    }
}

/// Vibration that a bus causes at the head of a seated passenger: sums of vertical and lateral waves.
struct Vibration {
    /// Frequency bands of the springs, of tyres and wheels, and of the engine. Their vertical sum is 0.5 m/s² RMS, as
    /// measured on the seats of city buses (0.3 to 0.6 m/s², "a little uncomfortable" in ISO 2631-1). Units: Hz; RMS in
    /// m/s².
    private static let bands: [(frequency: ClosedRange<Double>, acceleration: Double)] = [
        (1.0...1.8, 0.3), (2.5...4, 0.2), (8...12, 0.3), (18...26, 0.15),
    ]
    private static let wavesPerBand = 2
    /// Ratio of the lateral to the vertical acceleration.
    private static let shareAcross = 0.4

    /// Waves of the displacement. Unit: metres.
    private let up: [Wave]
    private let right: [Wave]

    init(random: inout RandomSource) {
        up = Self.waves(1, &random)
        right = Self.waves(Self.shareAcross, &random)
    }

    /// Displacement at a time. Unit: metres.
    ///
    /// - Parameter strength: amplitude from 0 to 1; it is 0 while the bus stands.
    func shift(at seconds: Double, strength: Jet) -> (up: Jet, right: Jet) {
        let time = Jet.time(seconds)
        func sum(_ waves: [Wave]) -> Jet { strength * waves.reduce(Jet(0)) { $0 + $1.value(time) } }
        return (sum(up), sum(right))
    }

    /// Makes the random waves of all bands. A wave's acceleration is its displacement times its squared rate, and its
    /// RMS is its amplitude times 1/√2.
    private static func waves(_ share: Double, _ random: inout RandomSource) -> [Wave] {
        bands.flatMap { band in
            (0..<wavesPerBand).map { _ in
                let rate = 2 * .pi * random.uniform(in: band.frequency)
                let acceleration = share * band.acceleration * (2 / Double(wavesPerBand)).squareRoot()
                return Wave(
                    amplitude: acceleration / (rate * rate), rate: rate, phase: random.uniform(in: 0...(2 * .pi)))
            }
        }
    }
}
