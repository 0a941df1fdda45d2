import Geometry

/// Motion of a walk through the streets: path, pace, gait and head.
struct WalkMotion: WearerMotion {
    private let block: CityBlock
    private let pace: WalkPace
    private let head: HeadMotion

    /// A walk round after round.
    init(block: CityBlock, openingSeconds: Double, random: inout RandomSource) {
        self.init(
            block: block, pace: WalkPace(opening: openingSeconds, round: block.stretches(&random)),
            wakes: openingSeconds, random: &random)
    }

    /// A walk at a given pace.
    ///
    /// - Parameter wakes: start of the head motion. Unit: seconds since the start.
    init(block: CityBlock, pace: WalkPace, wakes: Double, random: inout RandomSource) {
        self.block = block
        self.pace = pace
        head = HeadMotion(wakes: wakes, random: &random)
    }

    var roundSeconds: Double { pace.roundSeconds }

    var roundMetres: Double { block.path.length }

    func placement(at seconds: Double) -> Placement {
        let progress = pace.progress(at: seconds)
        let gait = Gait(progress)
        let (east, north, up, course) = place(progress, gait, seconds)
        let (yaw, pitch, roll) = head.angles(at: seconds, stillness: gait.stillness)
        return Placement(
            east: east, north: north, up: up,
            attitude: Attitude(heading: course + yaw + gait.yaw, pitch: pitch + gait.pitch, roll: roll + gait.roll),
            wayMetres: progress.distance.value)
    }

    private func place(_ progress: WalkPace.Progress, _ gait: Gait, _ seconds: Double) -> (Jet, Jet, Jet, Jet) {
        let location = block.path.location(at: progress.distance + block.start)
        let course = location.course
        let (sine, cosine) = (course.sine, course.cosine)
        // The streets rise and fall once a round; a standing body sways by a millimetre.
        let slope = 1.5 * ((2 * .pi / block.path.length) * progress.distance).sine
        let sway = 0.001 * ((2 * .pi * 0.25) * Jet.time(seconds)).sine
        return (
            location.east + gait.along * sine + gait.right * cosine + sway,
            location.north + gait.along * cosine - gait.right * sine,
            slope + gait.up + CityBlock.eyeHeight, course
        )
    }
}
