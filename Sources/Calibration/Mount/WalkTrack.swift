import Geometry

#if canImport(Glibc)
    import Glibc
#endif

/// The way of one walk between two stands, by integration of specific force and angular rate.
///
/// Both stands bind it: velocity is zero, and gravity tells the level. What the integration misses at the second is taken
/// for a drift that grew evenly on the way (a zero-velocity update with linear smoothing; Skog, Händel, Nilsson, Rantakokko,
/// "Zero-velocity detection – an algorithm evaluation", IEEE Trans. Biomed. Eng. 57(11), 2010, section I).
/// Frame L: level, its axes those of the source as it was turned when the walk began, brought to the level.
struct WalkTrack: Sendable {
    /// Rotation into L of the source at the beginning.
    let rotationLFromStart: Rotation3
    /// Way that the walker made, each piece seen in the axes of L as they turn with the body. Unit: metres.
    private(set) var way = Vector3.zero
    /// The same for each second. Unit: metres.
    private(set) var ways: [Vector3] = []
    /// Level displacement in L itself. Unit: metres.
    private(set) var displacement = Vector3.zero
    /// Length of the way, gait smoothed out. Unit: metres.
    private(set) var length = 0.0
    /// From the least to the largest yaw of the body, second by second. Unit: radians.
    private(set) var turn = 0.0
    /// The largest angle between the level at the beginning and later on. Unit: radians.
    private(set) var tilt = 0.0
    /// Of the walk. Unit: seconds.
    let seconds: Double
    /// Before and after.
    let stand: Stand
    /// Between gravity in the stand before and in that after, in the source's axes. Unit: radians.
    let slip: Double
    /// Of the levels before and after, standard deviation about one axis. Unit: radians.
    let levelDeviation: Double
    /// Level velocity that the integration found at the second stand, before it was put right; nil without one.
    private(set) var misclosure: Vector3?
    /// Angle between the level of the integration and of gravity at the second stand. Unit: radians.
    let levelMisclosure: Double

    /// - Parameters:
    ///   - before: the stand out of which the walk begins.
    ///   - walk: in order of time, from the end of the stand before to the beginning of that after.
    ///   - after: that in which it ends; empty where none was seen.
    init?(before: [InertialBlock], walk: [InertialPair], after: [InertialBlock]) {
        let (stood, stopped) = (before.flatMap(\.pairs), after.flatMap(\.pairs))
        guard let first = walk.first, let last = walk.last, last.seconds > first.seconds, !stood.isEmpty else {
            return nil
        }
        seconds = last.seconds - first.seconds
        let (standBefore, standAfter) = (Stand(before), Stand(after))
        slip = after.isEmpty ? 0 : standBefore.angle(to: standAfter)
        var both = standBefore
        both.add(standAfter)
        stand = both

        // Against the attitude of the very first sample.
        let pairs = stood + walk + stopped
        let rotations = Self.turns(pairs, bias: both.rate)
        let walked = stood.count..<stood.count + walk.count
        guard
            let level = StandLevel(pairs: pairs[..<walked.lowerBound], rotations: rotations[..<walked.lowerBound]),
            let levelling = Self.levelling(level.force)
        else { return nil }
        rotationLFromStart = levelling * rotations[walked.lowerBound]
        let end = StandLevel(pairs: pairs[walked.upperBound...], rotations: rotations[walked.upperBound...])
        var drift = Drift(begin: level.seconds, end: end?.seconds ?? last.seconds, gravity: level.force.norm)
        if let end, let up = (levelling * end.force).normalized {
            let axis = up.cross(Vector3(0, 0, 1))
            drift.turn = (axis.normalized ?? .zero) * atan2(axis.norm, up.z)
            drift.gain = end.force.norm - level.force.norm
        }
        levelMisclosure = drift.turn.norm
        let deviation = end?.deviation ?? level.deviation
        levelDeviation = ((level.deviation * level.deviation + deviation * deviation) / 2).squareRoot()
        integrate(pairs[walked], rotations[walked], levelling: levelling, drift: drift, closed: end != nil)
    }

    /// The turn that brings the direction of a force up along z with the least angle.
    static func levelling(_ force: Vector3) -> Rotation3? {
        guard let up = force.normalized else { return nil }
        // Half of the way to z; from −z any half-turn about a level axis will do.
        return Rotation3(w: 1 + up.z, x: up.y, y: -up.x, z: 0) ?? Rotation3(w: 0, x: 1, y: 0, z: 0)
    }

    private static func turns(_ pairs: [InertialPair], bias: Vector3) -> [Rotation3] {
        var rotation = Rotation3.identity
        var rotations = [rotation]
        rotations.reserveCapacity(pairs.count)
        for (before, pair) in zip(pairs, pairs.dropFirst()) {
            let rate = 0.5 * (before.rate + pair.rate) - bias
            rotation = rotation * Rotation3.exp(rate * (pair.seconds - before.seconds))
            rotations.append(rotation)
        }
        return rotations
    }

    /// What grew evenly from the middle of one stand to that of the other.
    private struct Drift {
        var begin: Double
        var end: Double
        var gravity: Double
        /// Frame: L. Unit: radians.
        var turn = Vector3.zero
        /// Of gravity. Unit: m/s².
        var gain = 0.0

        func acceleration(_ forceL: Vector3, at seconds: Double) -> Vector3 {
            let share = (seconds - begin) / (end - begin)
            return Rotation3.exp(turn * share) * forceL - Vector3(0, 0, gravity + gain * share)
        }
    }

    /// Velocity and attitude at one instant.
    private struct State {
        var seconds: Double
        var turn: Rotation2
        var velocity: Vector3
    }

    private mutating func integrate(
        _ pairs: ArraySlice<InertialPair>, _ rotations: ArraySlice<Rotation3>, levelling: Rotation3, drift: Drift,
        closed: Bool
    ) {
        let begin = pairs[pairs.startIndex].seconds
        let startInverse = rotationLFromStart.inverse
        var (velocity, lean) = (Vector3.zero, 0.0)
        var states: [State] = []
        states.reserveCapacity(pairs.count)
        var last: (seconds: Double, acceleration: Vector3)?
        for (pair, rotation) in zip(pairs, rotations) {
            let rotationL = levelling * rotation
            let next = drift.acceleration(rotationL * pair.force, at: pair.seconds)
            if let last { velocity += (0.5 * (pair.seconds - last.seconds)) * (last.acceleration + next) }
            last = (pair.seconds, next)
            let turned = rotationL * startInverse
            // (1 − cos)/2 of the angle between z and z turned.
            lean = max(lean, turned.x * turned.x + turned.y * turned.y)
            states.append(State(seconds: pair.seconds, turn: Rotation2(nearest: turned), velocity: velocity))
        }
        tilt = 2 * asin(min(1, lean.squareRoot()))
        misclosure = closed ? Vector3(velocity.x, velocity.y, 0) : nil
        sum(states, missed: closed ? velocity : .zero, begin: begin)
    }

    private mutating func sum(_ states: [State], missed: Vector3, begin: Double) {
        var (piece, level, second, interval) = (Vector3.zero, Vector3.zero, 1.0, 0.0)
        var (least, most) = (Double.infinity, -Double.infinity)
        var turnSum = (cosine: 0.0, sine: 0.0)
        for (before, state) in zip(states, states.dropFirst()) {
            let step = state.seconds - before.seconds
            let velocity = state.velocity - missed * ((state.seconds - begin) / seconds)
            let flat = Vector3(velocity.x, velocity.y, 0)
            piece += (state.turn.inverse * flat) * step
            level += flat * step
            interval += step
            turnSum.cosine += state.turn.cosine * step
            turnSum.sine += state.turn.sine * step
            guard state.seconds - begin >= second else { continue }
            second += 1
            add(piece, level)
            // Where one stands, turning is no fault of the walk.
            if level.norm > 0.5 * interval {
                let yaw = atan2(turnSum.sine, turnSum.cosine)
                (least, most) = (min(least, yaw), max(most, yaw))
            }
            (piece, level, interval, turnSum) = (.zero, .zero, 0, (0, 0))
        }
        add(piece, level)
        turn = max(0, most - least)
    }

    /// What was made in one second.
    private mutating func add(_ piece: Vector3, _ level: Vector3) {
        ways.append(piece)
        way += piece
        displacement += level
        length += level.norm
    }
}
