import Geometry

/// Interruption of a walk for calibrations. The wearer slows down and stops, and takes the board off. The board is
/// handled as a calibration requests, and worn again where the walk was interrupted. Then the walk continues.
///
/// Pure. The walk's own time stands still during an interruption, so that the walk is unchanged afterwards. Decisions
/// are kept for a few seconds, because fixes arrive after their epochs.
struct WalkInterruption: Sendable {
    /// State of the board at one instant. It is worn at a given time of the walk, or it is handled while that time
    /// stands still.
    enum State {
        case worn(Jet)
        case handled(BoardMotion, walkSeconds: Double)

        /// Time of the walk. Unit: seconds.
        var walkSeconds: Double {
            switch self {
            case .worn(let time): time.value
            case .handled(_, let seconds): seconds
            }
        }

        /// Pace of the walk, from 0 to 1.
        var pace: Double { if case .worn(let time) = self { time.first } else { 0 } }
    }

    /// Present request; nil to walk on.
    var request: HandlingRequest?

    private enum Piece: Sendable {
        /// The wearer walks on, and speeds up during the first `startSeconds`. The walk's own time is `from` at the
        /// beginning.
        case walking(from: Double, startSeconds: Double)
        /// The wearer slows down to rest. The walk's own time is `from` when the stop begins.
        case stopping(from: Double, seconds: Double)
        case handled(HandlingSegment)
        /// The hand slows down to rest during a segment. It begins to slow down at the time `from`.
        case easing(HandlingSegment, from: Double)
    }

    private struct Timed: Sendable {
        var begins: Double
        var piece: Piece
    }

    private var pieces = [Timed(begins: -.infinity, piece: .walking(from: -.infinity, startSeconds: 0))]
    private var plan: HandlingPlan?
    private var worn = BoardMotion(rotationENUFromBody: .identity)
    private var wornSeconds = 0.0
    private var random: RandomSource

    /// Time in which the wearer speeds up after an interruption, and the shortest time in which the wearer stops. Unit:
    /// seconds.
    private static let pauseSeconds = 1.5
    /// Deceleration of a wearer who stops from a higher speed, for example in a bus. Unit: m/s².
    private static let deceleration = 1.0
    /// Time in which the hand slows down to rest. Unit: seconds.
    private static let easeSeconds = 0.6
    /// Time for which pieces are kept. It is longer than the delay of a fix. Unit: seconds.
    private static let memory = 5.0

    init(random: RandomSource) { self.random = random }

    /// State at a time, which may precede the last decision by a few seconds. Unit: seconds since the start of the
    /// walk.
    func state(at seconds: Double) -> State {
        let timed = pieces.last { $0.begins <= seconds } ?? pieces[0]
        let since = Jet.time(seconds - timed.begins)
        switch timed.piece {
        case .walking(_, 0): return .worn(Jet.time(seconds))
        case .walking(let from, let ramp):
            return .worn(ramp * ((1 / ramp) * since).smoothStepIntegral + from)
        case .stopping(let from, let ramp):
            return .worn(since - ramp * ((1 / ramp) * since).smoothStepIntegral + from)
        case .handled(let segment):
            return .handled(segment.motion(at: seconds), walkSeconds: wornSeconds)
        case .easing(let segment, let from):
            let time = Self.easing(since, from: from)
            return .handled(segment.motion(at: time.value).paced(by: time), walkSeconds: wornSeconds)
        }
    }

    private static func easing(_ since: Jet, from: Double) -> Jet {
        let stopped = min(since.value, easeSeconds)
        let time = Jet(stopped, first: since.value < easeSeconds ? 1 : 0)
        return time - easeSeconds * ((1 / easeSeconds) * time).smoothStepIntegral + from
    }

    /// Decides the next piece; called with increasing times, each time before `state(at:)`.
    ///
    /// - Parameter wearing: returns the motion of the worn board, and its speed, at a time of the walk.
    mutating func advance(to now: Double, wearing: (Double) -> (board: BoardMotion, speed: Double)) {
        guard let last = pieces.last else { return }
        switch last.piece {
        case .walking(_, let ramp):
            guard request != nil, now - last.begins >= ramp else { return }
            let time = state(at: now).walkSeconds
            let seconds = max(Self.pauseSeconds, wearing(time).speed / Self.deceleration)
            append(.stopping(from: time, seconds: seconds), at: now)
        case .stopping(_, let seconds):
            guard now - last.begins >= seconds else { return }
            wornSeconds = state(at: last.begins + seconds).walkSeconds
            worn = wearing(wornSeconds).board
            decide(at: now, from: worn)
        case .handled(let segment):
            if now >= segment.ends {
                decide(at: now, from: segment.end)
            } else if request?.kind != plan?.kind {
                if segment.isStill { return decide(at: now, from: segment.end) }
                append(.easing(segment, from: now), at: now)
            }
        case .easing(let segment, let from):
            guard now - last.begins >= Self.easeSeconds else { return }
            let rest = segment.motion(at: Self.easing(Jet.time(Self.easeSeconds), from: from).value)
            decide(at: now, from: BoardMotion(rotationENUFromBody: rest.rotationENUFromBody, position: rest.position))
        }
    }

    /// Decides the next piece, which begins at rest.
    private mutating func decide(at now: Double, from motion: BoardMotion) {
        guard let request else {
            plan = nil
            if let step = HandlingPlan.wayBack(from: motion, to: worn, at: now, random: &random) {
                append(.handled(step), at: now)
            } else {
                append(.walking(from: wornSeconds, startSeconds: Self.pauseSeconds), at: now)
            }
            return
        }
        if plan?.kind != request.kind {
            plan = HandlingPlan(request.kind, worn: worn, random: RandomSource(seed: random.next(), stream: 35))
        }
        if let step = plan?.next(request, from: motion, at: now) { append(.handled(step), at: now) }
    }

    private mutating func append(_ piece: Piece, at now: Double) {
        if let oldest = pieces.lastIndex(where: { $0.begins < now - Self.memory }) { pieces.removeFirst(oldest) }
        pieces.append(Timed(begins: now, piece: piece))
    }
}
