/// Distance along the path as a function of time. Stretches at constant speed, with smooth starts and stops, alternate
/// with pauses.
///
/// After an opening, one round of stretches repeats endlessly, or the wearer stays at the end of the round.
package struct WalkPace {
    /// One stretch at constant speed and the pause after it.
    struct Stretch: Hashable, Sendable {
        /// Length. Unit: metres.
        var length: Double
        /// Speed. Unit: m/s.
        var speed: Double
        /// Duration of the pause. Unit: seconds.
        var pause: Double
    }

    /// Time in which a walker accelerates to full speed, and in which a walker slows down to rest. Unit: seconds.
    static let walkingRampSeconds = 1.6

    /// Distance and speed at one instant.
    package struct Progress {
        /// Distance along the path since the start. Unit: metres.
        package var distance: Jet
        /// Speed along the path. Unit: m/s.
        package var speed: Jet
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

    /// Makes a pace from its stretches. Each must be long enough for both ramps.
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
        // v·(S(t/T) − S((t − t₁)/T)), where the deceleration starts at t₁.
        let rise = (1 / rampSeconds) * (Jet.time(seconds) - start)
        let fall = (1 / rampSeconds) * (Jet.time(seconds) - (start + moving - rampSeconds))
        return Progress(
            distance: stretch.speed * rampSeconds * (rise.smoothStepIntegral - fall.smoothStepIntegral) + covered,
            speed: stretch.speed * (rise.smoothStep - fall.smoothStep))
    }

    /// Time in which the walker moves along a stretch. A ramp covers half the distance that full speed would cover in
    /// its time.
    private static func movingSeconds(_ stretch: Stretch, _ rampSeconds: Double) -> Double {
        stretch.length / stretch.speed + rampSeconds
    }
}
