import Geometry

import Glibc

/// Path of one walk between two stands, by strapdown integration of specific force and angular rate. At both stands the
/// velocity is zero, and gravity gives the vertical. The misclosure of the integration at the second stand is
/// distributed linearly over the walk (a zero-velocity update with linear smoothing; Skog, Händel, Nilsson, Rantakokko,
/// "Zero-velocity detection – an algorithm evaluation", IEEE Trans. Biomed. Eng. 57(11), 2010, section I). Frame L is
/// local level: the source axes at the start of the walk, rotated to the vertical by the smallest angle.
struct WalkTrack: Sendable {
    /// Rotation from the source axes at the start to L.
    let rotationLFromStart: Rotation3
    /// Path of the walker, the sum of `pieces`. Each piece is in the axes of L, turned by the body's yaw. Unit: metres.
    private(set) var path = Vector3.zero
    /// Pieces of `path`, one for each second. Unit: metres.
    private(set) var pieces: [Vector3] = []
    /// Horizontal displacement in L. Unit: metres.
    private(set) var displacement = Vector3.zero
    /// Length of the path after smoothing over the gait. Unit: metres.
    private(set) var length = 0.0
    /// Range of the body's yaw, evaluated each second. Unit: radians.
    private(set) var turn = 0.0
    /// Largest tilt relative to the start. Unit: radians.
    private(set) var tilt = 0.0
    /// Duration of the walk. Unit: seconds.
    let seconds: Double
    /// Stands before and after, combined.
    let stand: Stand
    /// Angle between gravity before and after the walk. Frame: source. Unit: radians.
    let slip: Double
    /// Standard deviation of the stands' vertical about each horizontal axis. Unit: radians.
    let tiltStandardDeviation: Double
    /// Horizontal velocity that the integration gives at the second stand before it is corrected; nil without a second
    /// stand. Unit: m/s.
    private(set) var misclosure: Vector3?
    /// Angle at the second stand between the integrated vertical and the vertical from gravity. Unit: radians.
    let tiltMisclosure: Double

    /// - Parameters:
    ///   - before: stand before the walk.
    ///   - walk: samples in order of time, from the end of the previous stand to the start of the next one.
    ///   - after: stand after the walk; empty if there is none.
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

        // The rotations are relative to the attitude of the first sample.
        let pairs = stood + walk + stopped
        let rotations = Self.turns(pairs, bias: both.rate)
        let walked = stood.count..<stood.count + walk.count
        guard
            let vertical = StandVertical(
                pairs: pairs[..<walked.lowerBound], rotations: rotations[..<walked.lowerBound]),
            let levelling = Self.levelling(vertical.force)
        else { return nil }
        rotationLFromStart = levelling * rotations[walked.lowerBound]
        let end = StandVertical(pairs: pairs[walked.upperBound...], rotations: rotations[walked.upperBound...])
        var drift = Drift(begin: vertical.seconds, end: end?.seconds ?? last.seconds, gravity: vertical.force.norm)
        if let end, let up = (levelling * end.force).normalized {
            let axis = up.cross(Vector3(0, 0, 1))
            drift.turn = (axis.normalized ?? .zero) * atan2(axis.norm, up.z)
            drift.gain = end.force.norm - vertical.force.norm
        }
        tiltMisclosure = drift.turn.norm
        let standardDeviation = end?.standardDeviation ?? vertical.standardDeviation
        tiltStandardDeviation =
            ((vertical.standardDeviation * vertical.standardDeviation + standardDeviation * standardDeviation) / 2)
            .squareRoot()
        integrate(pairs[walked], rotations[walked], levelling: levelling, drift: drift, closed: end != nil)
    }

    /// Finds the smallest rotation that takes the direction of a force to +z.
    static func levelling(_ force: Vector3) -> Rotation3? {
        guard let up = force.normalized else { return nil }
        // Half-angle formula. For a force along −z, any rotation by 180° about a horizontal axis is right.
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

    /// Drift that grows linearly from the middle of the first stand to the middle of the second.
    private struct Drift {
        var begin: Double
        var end: Double
        var gravity: Double
        /// Rotation vector of the drift at its end. Frame: L. Unit: radians.
        var turn = Vector3.zero
        /// How much the measured magnitude of gravity has changed at the end of the drift. Unit: m/s².
        var gain = 0.0

        func acceleration(_ forceL: Vector3, at seconds: Double) -> Vector3 {
            let share = (seconds - begin) / (end - begin)
            return Rotation3.exp(turn * share) * forceL - Vector3(0, 0, gravity + gain * share)
        }
    }

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
            // For a unit quaternion, x² + y² is (1 − cos θ)/2, where θ is the angle by which the z axis tilts.
            lean = max(lean, turned.x * turned.x + turned.y * turned.y)
            states.append(State(seconds: pair.seconds, turn: Rotation2(nearest: turned), velocity: velocity))
        }
        tilt = 2 * asin(min(1, lean.squareRoot()))
        misclosure = closed ? Vector3(velocity.x, velocity.y, 0) : nil
        sum(states, missed: closed ? velocity : .zero, begin: begin)
    }

    private mutating func sum(_ states: [State], missed: Vector3, begin: Double) {
        var (piece, shift, second, interval) = (Vector3.zero, Vector3.zero, 1.0, 0.0)
        var (least, most) = (Double.infinity, -Double.infinity)
        var turnSum = (cosine: 0.0, sine: 0.0)
        for (before, state) in zip(states, states.dropFirst()) {
            let step = state.seconds - before.seconds
            let velocity = state.velocity - missed * ((state.seconds - begin) / seconds)
            let horizontal = Vector3(velocity.x, velocity.y, 0)
            piece += (state.turn.inverse * horizontal) * step
            shift += horizontal * step
            interval += step
            turnSum.cosine += state.turn.cosine * step
            turnSum.sine += state.turn.sine * step
            guard state.seconds - begin >= second else { continue }
            second += 1
            add(piece, shift)
            // A rotation while the wearer stands does not count.
            if shift.norm > 0.5 * interval {
                let yaw = atan2(turnSum.sine, turnSum.cosine)
                (least, most) = (min(least, yaw), max(most, yaw))
            }
            (piece, shift, interval, turnSum) = (.zero, .zero, 0, (0, 0))
        }
        add(piece, shift)
        turn = max(0, most - least)
    }

    /// Adds the path of one second.
    private mutating func add(_ piece: Vector3, _ shift: Vector3) {
        pieces.append(piece)
        path += piece
        displacement += shift
        length += shift.norm
    }
}

/// Vertical of one stand. Gravity is averaged in axes that the gyroscope holds fixed in space, so that the sway of the
/// body cancels.
struct StandVertical: Hashable, Sendable {
    /// Mean specific force. Frame: target frame of the rotations passed to `init`. Unit: m/s².
    let force: Vector3
    /// Time of the middle of the stand. Unit: seconds.
    let seconds: Double
    /// Standard deviation of the tilt about each axis, from the scatter of the force. Unit: radians.
    let standardDeviation: Double

    /// Nil without samples.
    init?(pairs: ArraySlice<InertialPair>, rotations: ArraySlice<Rotation3>) {
        guard let first = pairs.first, let last = pairs.last else { return nil }
        var (sum, piece, pieces) = (Vector3.zero, Vector3.zero, [Vector3]())
        var (count, begins) = (0.0, first.seconds)
        for (pair, rotation) in zip(pairs, rotations) {
            if pair.seconds - begins >= MountSettings.blockSeconds {
                pieces.append(piece / count)
                (piece, count, begins) = (.zero, 0, pair.seconds)
            }
            let force = rotation * pair.force
            sum += force
            piece += force
            count += 1
        }
        if count > 0 { pieces.append(piece / count) }
        let mean = sum / Double(pairs.count)
        force = mean
        seconds = 0.5 * (first.seconds + last.seconds)
        standardDeviation = Self.standardDeviation(of: pieces, about: mean)
    }

    private static func standardDeviation(of pieces: [Vector3], about mean: Vector3) -> Double {
        guard pieces.count > 1, let up = mean.normalized else { return MountSettings.unknownTilt }
        let squares = pieces.reduce(0) { sum, piece in
            let horizontal = piece - up * piece.dot(up)
            return sum + horizontal.squaredNorm
        }
        // Variance about each axis. The mean has one degree of freedom for every two pieces, because sway correlates
        // neighbouring pieces.
        let pieceVariance = squares / Double(pieces.count - 1) / 2
        let tilt = (pieceVariance / Double(pieces.count) * 2).squareRoot() / mean.norm
        return (tilt * tilt + MountSettings.minimumTilt * MountSettings.minimumTilt).squareRoot()
    }
}
