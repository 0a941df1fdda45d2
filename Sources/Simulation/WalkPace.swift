/// How far the walker has come by when: stretches at a steady pace, with soft starts and stops, and pauses between them.
///
/// After an opening pause one round of stretches repeats for ever.
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

    /// Seconds in which a walker comes from rest to full speed, and from full speed to rest.
    static let rampSeconds = 1.6

    struct Progress {
        /// Along the path since the start. Unit: metres.
        var distance: Jet
        /// Unit: m/s.
        var speed: Jet
    }

    private let opening: Double
    private let stretches: [Stretch]
    /// Of one round. Unit: metres.
    private let roundLength: Double
    /// Of one round. Unit: seconds.
    let roundSeconds: Double

    /// Needs stretches long enough for both ramps.
    init(opening: Double, round stretches: [Stretch]) {
        precondition(!stretches.isEmpty)
        for stretch in stretches {
            precondition(stretch.length > stretch.speed * Self.rampSeconds, "a stretch is too short for its ramps")
        }
        self.opening = opening
        self.stretches = stretches
        roundLength = stretches.reduce(0) { $0 + $1.length }
        roundSeconds = stretches.reduce(0) { $0 + Self.walkingSeconds($1) + $1.pause }
    }

    func progress(at seconds: Double) -> Progress {
        guard seconds > opening else { return Progress(distance: Jet(0), speed: Jet(0)) }
        let rounds = ((seconds - opening) / roundSeconds).rounded(.down)
        var start = opening + rounds * roundSeconds
        var covered = rounds * roundLength
        for stretch in stretches {
            let walking = Self.walkingSeconds(stretch)
            if seconds < start + walking {
                return Self.progress(in: stretch, since: start, walking: walking, seconds: seconds, covered: covered)
            }
            covered += stretch.length
            if seconds < start + walking + stretch.pause { break }
            start += walking + stretch.pause
        }
        return Progress(distance: Jet(covered), speed: Jet(0))
    }

    private static func progress(
        in stretch: Stretch, since start: Double, walking: Double, seconds: Double, covered: Double
    ) -> Progress {
        // v·(S(t/T) − S((t − t₁)/T)), with t₁ when the walker begins to slow down.
        let rise = (1 / rampSeconds) * (Jet.time(seconds) - start)
        let fall = (1 / rampSeconds) * (Jet.time(seconds) - (start + walking - rampSeconds))
        return Progress(
            distance: stretch.speed * rampSeconds * (rise.smoothStepIntegral - fall.smoothStepIntegral) + covered,
            speed: stretch.speed * (rise.smoothStep - fall.smoothStep))
    }

    /// Each ramp covers half of what full speed would.
    private static func walkingSeconds(_ stretch: Stretch) -> Double {
        stretch.length / stretch.speed + rampSeconds
    }
}
