/// Motion of a sitting wearer: the head looks around and moves by centimetres.
struct SitMotion: WearerMotion {
    private let heading: Double
    private let head: HeadMotion
    private let east: SlowWaves
    private let north: SlowWaves
    private let up: SlowWaves

    /// Height of the eyes of a seated person above the ground. Unit: metres.
    private static let eyeHeight = 1.2
    /// Standard deviation of the head's shift along each axis. Unit: metres.
    private static let shift = 0.015
    /// Periods of the head's shift. Unit: seconds.
    private static let periods = [11.3, 6.1, 3.7]

    /// A motion with a random heading, at rest during the opening. Unit: seconds.
    init(openingSeconds: Double, random: inout RandomSource) {
        heading = random.uniform(in: 0...(2 * .pi))
        head = HeadMotion(wakes: openingSeconds, random: &random)
        east = SlowWaves(Self.shift, periods: Self.periods, random: &random)
        north = SlowWaves(Self.shift, periods: Self.periods, random: &random)
        up = SlowWaves(Self.shift, periods: Self.periods, random: &random)
    }

    var roundSeconds: Double { 0 }

    var roundMetres: Double { 0 }

    func placement(at seconds: Double) -> Placement {
        let time = Jet.time(seconds)
        let awake = head.awake(time)
        let (yaw, pitch, roll) = head.angles(at: seconds, stillness: Jet(1))
        return Placement(
            east: awake * east.value(time), north: awake * north.value(time),
            up: awake * up.value(time) + Self.eyeHeight,
            attitude: Attitude(heading: yaw + heading, pitch: pitch, roll: roll), wayMetres: 0)
    }
}
