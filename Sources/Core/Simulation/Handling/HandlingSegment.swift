import Geometry
import Glibc

/// One action with a board. It begins in the pose in which the previous action ended.
package enum HandlingStep: Hashable, Sendable {
    case still(seconds: Double)
    /// Rotation to a pose with a random heading in which a given direction of the body is up.
    case pose(up: Vector3, seconds: Double)
    /// Rotation about an axis of the body.
    case turn(axis: Vector3, angle: Double, seconds: Double)
    case sweep(maximumTilt: Double, seconds: Double)
    case nod(angle: Double, period: Double, seconds: Double)
    case walk(metres: Double, style: WalkStyle)
}

/// One action, with the random parameters that were drawn for it.
package struct HandlingSegment: Sendable {
    /// Time from the first sample to the start of the action. Unit: seconds.
    package let begins: Double
    let seconds: Double
    private let start: BoardMotion
    private let kind: Kind

    private enum Kind: Sendable {
        case still
        /// Rotation vector in body axes. Unit: radians.
        case turn(Vector3)
        case sweep(SphereSweep)
        case nod(angle: Double, period: Double)
        case walk(StraightWalk)
        /// Rotation vector in body axes, and displacement in ENU. Units: radians, metres.
        case carry(turn: Vector3, displacement: Vector3)
    }

    package init(
        _ step: HandlingStep, begins: Double, from start: BoardMotion, shape: GaitShape, random: inout RandomSource
    ) {
        self.begins = begins
        self.start = start
        switch step {
        case .still(let seconds):
            self.seconds = seconds
            kind = .still
        case .pose(let up, let seconds):
            self.seconds = seconds
            kind = .turn((start.rotationENUFromBody.inverse * Self.pose(up: up, random: &random)).log)
        case .turn(let axis, let angle, let seconds):
            self.seconds = seconds
            kind = .turn((axis.normalized ?? .zero) * angle)
        case .sweep(let maximumTilt, let seconds):
            self.seconds = seconds
            kind = .sweep(SphereSweep(maximumTilt: maximumTilt, seconds: seconds, random: &random))
        case .nod(let angle, let period, let seconds):
            self.seconds = seconds
            kind = .nod(angle: angle, period: period)
        case .walk(let metres, let style):
            let walk = StraightWalk(metres: metres, style: style, shape: shape, random: &random)
            seconds = walk.seconds
            kind = .walk(walk)
        }
    }

    /// Carries the board from a pose at rest to another pose.
    init(carrying start: BoardMotion, to end: BoardMotion, begins: Double, seconds: Double) {
        self.begins = begins
        self.start = start
        self.seconds = seconds
        let turn = (start.rotationENUFromBody.inverse * end.rotationENUFromBody).log
        kind = .carry(turn: turn, displacement: end.position - start.position)
    }

    /// Whether the board lies or is held still.
    var isStill: Bool { if case .still = kind { true } else { false } }

    package var ends: Double { begins + seconds }

    /// Pose in which this segment ends and the next one starts.
    package var end: BoardMotion {
        let last = motion(at: ends)
        return BoardMotion(rotationENUFromBody: last.rotationENUFromBody, position: last.position)
    }

    /// Motion at a time after the first sample. Unit: seconds.
    package func motion(at time: Double) -> BoardMotion {
        let since = min(seconds, max(0, time - begins))
        let share = (1 / max(seconds, .leastNormalMagnitude)) * Jet.time(since)
        switch kind {
        case .still: return start
        case .turn(let vector):
            guard let axis = vector.normalized else { return start }
            return start.turned(about: axis, by: vector.norm * share.smoothStep)
        case .sweep(let sweep): return sweep.motion(from: start, at: since)
        case .nod(let angle, let period):
            // The amplitude fades in and out, so that the motion begins and ends at rest.
            let rise = (6 * share).smoothStep - (6 * share - 5).smoothStep
            let nod = angle * (rise * ((2 * .pi / period) * Jet.time(since)).sine)
            return start.turned(about: Vector3(1, 0, 0), by: nod)
        case .walk(let walk): return walk.motion(from: start, at: since)
        case .carry(let turn, let displacement):
            let step = share.smoothStep
            let moved = start.moved(
                east: displacement.x * step, north: displacement.y * step, up: displacement.z * step)
            return turn.normalized.map { moved.turned(about: $0, by: turn.norm * step) } ?? moved
        }
    }

    /// Makes a random rotation that turns a direction of the body up.
    private static func pose(up: Vector3, random: inout RandomSource) -> Rotation3 {
        let direction = up.normalized ?? Vector3(0, 1, 0)
        let vertical = Vector3(0, 0, 1)
        let axis = direction.cross(vertical)
        let tilt =
            axis.normalized.map { Rotation3.about($0, by: atan2(axis.norm, direction.dot(vertical))) }
            ?? (direction.z > 0 ? .identity : Rotation3.about(Vector3(1, 0, 0), by: .pi))
        return Rotation3.about(vertical, by: random.uniform(in: 0...(2 * .pi))) * tilt
    }
}
