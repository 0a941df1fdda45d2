/// A walk to a bus stop, then a ride in a bus whose passenger looks around.
struct RideMotion: WearerMotion {
    private let walk: WalkMotion
    private let bus: BusRound
    private let vibration: Vibration

    /// Distance to the stop, a minute's walk that ends on a straight leg. Unit: metres.
    private static let wayToStop = 80.0
    /// Time between the last step and the departure. Unit: seconds.
    private static let boardingSeconds = 10.0
    /// Speed above which the bus vibrates with full amplitude. Unit: m/s.
    private static let shakingSpeed = 3.0

    /// A ride with random figures; `openingSeconds` is the rest before the walk. Unit: seconds.
    init(block: CityBlock, openingSeconds: Double, random: inout RandomSource) {
        let way = WalkPace.Stretch(
            length: Self.wayToStop, speed: random.uniform(in: 1.15...1.45), pause: Self.boardingSeconds)
        let pace = WalkPace(opening: openingSeconds, round: [way], repeats: false)
        walk = WalkMotion(block: block, pace: pace, wakes: openingSeconds, random: &random)
        bus = BusRound(
            course: block.path.location(at: Jet(block.start + Self.wayToStop)).course.value,
            departure: openingSeconds + pace.roundSeconds, random: &random)
        vibration = Vibration(random: &random)
    }

    var roundSeconds: Double { bus.roundSeconds }

    var roundMetres: Double { bus.roundMetres }

    func placement(at seconds: Double) -> Placement {
        var placement = walk.placement(at: seconds)
        let ride = bus.ride(at: seconds)
        let strength = ((1 / Self.shakingSpeed) * ride.speed).smoothStep
        let shaking = vibration.shift(at: seconds, strength: strength)
        placement.east = placement.east + ride.east
        placement.north = placement.north + ride.north
        placement.up = placement.up + shaking.up
        placement.attitude.heading = placement.attitude.heading + ride.turn
        placement.wayMetres += ride.metres
        return placement.moved(right: shaking.right, of: ride.course)
    }
}
