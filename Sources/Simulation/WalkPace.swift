/// How far the wearer has come by when: stretches at a steady pace, with soft starts and stops, and pauses between them.
///
/// After an opening pause one round of stretches repeats for ever, or the wearer stays at its end.
struct WalkPace {
    /// One stretch and the pause after it.
    struct Stretch: Hashable, Sendable {
        /// Unit: metres.
        var length: Double
        /// Unit: m/s.
        var speed: Double
        /// Unit: seconds.
        var pause: Double
    }

    /// Duration of a walker's start from rest to full speed, and of the stop from full speed to rest. Unit: seconds.
    static let walkingRampSeconds = 1.6

    struct Progress {
        /// Along the path since the start. Unit: metres.
        var distance: Jet
        /// Unit: m/s.
        var speed: Jet
    }

    private let opening: Double
    private let stretches: [Stretch]
    /// Duration of each start and of each stop. Unit: seconds.
    private let rampSeconds: Double
    private let repeats: Bool
    /// Length of one round. Unit: metres.
    private let roundLength: Double
    /// Duration of one round. Unit: seconds.
    let roundSeconds: Double

    /// Needs stretches long enough for both ramps.
    init(
        opening: Double, round stretches: [Stretch], rampSeconds: Double = walkingRampSeconds, repeats: Bool = true
    ) {
        precondition(!stretches.isEmpty)
        for stretch in stretches {
            precondition(stretch.length > stretch.speed * rampSeconds, "a stretch is too short for its ramps")
        }
        self.opening = opening
        self.stretches = stretches
        self.rampSeconds = rampSeconds
        self.repeats = repeats
        roundLength = stretches.reduce(0) { $0 + $1.length }
        roundSeconds = stretches.reduce(0) { $0 + Self.movingSeconds($1, rampSeconds) + $1.pause }
    }

    func progress(at seconds: Double) -> Progress {
        guard seconds > opening else { return Progress(distance: Jet(0), speed: Jet(0)) }
        let rounds = repeats ? ((seconds - opening) / roundSeconds).rounded(.down) : 0
        var start = opening + rounds * roundSeconds
        var covered = rounds * roundLength
        for stretch in stretches {
            let moving = Self.movingSeconds(stretch, rampSeconds)
            if seconds < start + moving {
                return progress(in: stretch, since: start, moving: moving, seconds: seconds, covered: covered)
            }
            covered += stretch.length
            if seconds < start + moving + stretch.pause { break }
            start += moving + stretch.pause
        }
        return Progress(distance: Jet(covered), speed: Jet(0))
    }

    private func progress(
        in stretch: Stretch, since start: Double, moving: Double, seconds: Double, covered: Double
    ) -> Progress {
        // v·(S(t/T) − S((t − t₁)/T)), with t₁ when the wearer begins to slow down.
        let rise = (1 / rampSeconds) * (Jet.time(seconds) - start)
        let fall = (1 / rampSeconds) * (Jet.time(seconds) - (start + moving - rampSeconds))
        return Progress(
            distance: stretch.speed * rampSeconds * (rise.smoothStepIntegral - fall.smoothStepIntegral) + covered,
            speed: stretch.speed * (rise.smoothStep - fall.smoothStep))
    }

    /// Each ramp covers half of what full speed would.
    private static func movingSeconds(_ stretch: Stretch, _ rampSeconds: Double) -> Double {
        stretch.length / stretch.speed + rampSeconds
    }
}
