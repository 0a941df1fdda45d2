import Geometry

/// Motion of the simulated wearer.
public enum CityMotion: String, CaseIterable, Hashable, Sendable {
    /// Walks round after round through the streets, with pauses.
    case walk
    /// Sits and looks around.
    case sit
    /// Walks to a bus stop, then rides a bus round after round.
    case ride
}

/// A motion as a function of time, with exact derivatives.
protocol WearerMotion: Sendable {
    /// Duration of one round, without the opening; 0 without rounds. Unit: seconds.
    var roundSeconds: Double { get }
    /// Length of one round; 0 without rounds. Unit: metres.
    var roundMetres: Double { get }

    /// Placement of the board at a time since the start. Before the start, the wearer is at rest. Unit: seconds.
    func placement(at seconds: Double) -> BoardPlacement
}

extension CityMotion {
    /// Makes the motion, with random parameters.
    func motion(
        in block: CityBlock, openingSeconds: Double, wearing: CityWalkSettings.Wearing, random: inout RandomSource
    ) -> any WearerMotion {
        switch self {
        case .walk where wearing != CityWalkSettings.Wearing():
            CarriedMotion(block: block, openingSeconds: openingSeconds, wearing: wearing, random: &random)
        case .walk: WalkMotion(block: block, openingSeconds: openingSeconds, random: &random)
        case .sit: SitMotion(openingSeconds: openingSeconds, random: &random)
        case .ride: RideMotion(block: block, openingSeconds: openingSeconds, random: &random)
        }
    }
}

/// Motion of a walk through the streets: path, pace, gait and head.
struct WalkMotion: WearerMotion {
    private let block: CityBlock
    private let pace: WalkPace
    private let head: HeadMotion

    /// Makes a walk round after round.
    init(block: CityBlock, openingSeconds: Double, random: inout RandomSource) {
        self.init(
            block: block, pace: WalkPace(opening: openingSeconds, round: block.stretches(&random)),
            wakes: openingSeconds, random: &random)
    }

    /// Makes a walk at a given pace.
    ///
    /// - Parameter wakes: time at which the head begins to move. Unit: seconds since the start.
    init(block: CityBlock, pace: WalkPace, wakes: Double, random: inout RandomSource) {
        self.block = block
        self.pace = pace
        head = HeadMotion(wakes: wakes, random: &random)
    }

    var roundSeconds: Double { pace.roundSeconds }

    var roundMetres: Double { block.path.length }

    func placement(at seconds: Double) -> BoardPlacement {
        let progress = pace.progress(at: seconds)
        let gait = Gait(progress)
        let (east, north, up, course) = place(progress, gait, seconds)
        let (yaw, pitch, roll) = head.angles(at: seconds, stillness: gait.stillness)
        return BoardPlacement(
            east: east, north: north, up: up,
            attitude: Attitude(heading: course + yaw + gait.yaw, pitch: pitch + gait.pitch, roll: roll + gait.roll),
            pathMetres: progress.distance.value)
    }

    private func place(_ progress: WalkPace.Progress, _ gait: Gait, _ seconds: Double) -> (Jet, Jet, Jet, Jet) {
        let location = block.path.location(at: progress.distance + block.start)
        let course = location.course
        let (sine, cosine) = (course.sine, course.cosine)
        // The streets rise and fall once a round. A body that stands still sways by a millimetre.
        let slope = 1.5 * ((2 * .pi / block.path.length) * progress.distance).sine
        let sway = 0.001 * ((2 * .pi * 0.25) * Jet.time(seconds)).sine
        return (
            location.east + gait.along * sine + gait.right * cosine + sway,
            location.north + gait.along * cosine - gait.right * sine,
            slope + gait.up + CityBlock.eyeHeight, course
        )
    }
}

/// Motion of a sitting wearer, whose head looks around and moves by centimetres.
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

    /// Makes a motion with a random heading, at rest during the opening. Unit: seconds.
    init(openingSeconds: Double, random: inout RandomSource) {
        heading = random.uniform(in: 0...(2 * .pi))
        head = HeadMotion(wakes: openingSeconds, random: &random)
        east = SlowWaves(Self.shift, periods: Self.periods, random: &random)
        north = SlowWaves(Self.shift, periods: Self.periods, random: &random)
        up = SlowWaves(Self.shift, periods: Self.periods, random: &random)
    }

    var roundSeconds: Double { 0 }

    var roundMetres: Double { 0 }

    func placement(at seconds: Double) -> BoardPlacement {
        let time = Jet.time(seconds)
        let awake = head.awake(time)
        let (yaw, pitch, roll) = head.angles(at: seconds, stillness: Jet(1))
        return BoardPlacement(
            east: awake * east.value(time), north: awake * north.value(time),
            up: awake * up.value(time) + Self.eyeHeight,
            attitude: Attitude(heading: yaw + heading, pitch: pitch, roll: roll), pathMetres: 0)
    }
}
