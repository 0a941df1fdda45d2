import Geometry
import Glibc

/// Plan of a person who handles a board for one calibration. Each step is chosen when the previous one has ended.
struct HandlingPlan: Sendable {
    let kind: HandlingRequest.Kind
    /// The board as it was worn when the wearer stopped.
    private let worn: BoardMotion
    private var random: RandomSource
    private let shape: GaitShape
    private var steps = 0
    /// Duration of the rest in the present pose so far. Unit: seconds.
    private var held = 0.0

    /// How often a person at rest checks the request again. Unit: seconds.
    private static let glance = 0.25
    /// Minimum duration of a pose, in which the calibration detects that the preceding move has ended. Unit: seconds.
    private static let minimumHold = 1.25
    /// Maximum duration of a pose or a stand. Unit: seconds.
    private static let maximumHold = 5.0
    /// Minimum time for which the person stands before a walk. Unit: seconds.
    private static let minimumStand = 3.25
    /// Duration of a move of the board by hand from one pose to another. Unit: seconds.
    private static let moveSeconds = 1.1
    /// Duration of one rotation through the directions. Unit: seconds.
    private static let sweepSeconds = 37.0
    /// Distance of a walk. Unit: metres.
    private static let walkMetres = 12.0

    /// - Parameter worn: the board as it is worn, at rest.
    init(_ kind: HandlingRequest.Kind, worn: BoardMotion, random: RandomSource) {
        self.kind = kind
        self.worn = worn
        self.random = random
        shape = GaitShape(style: WalkStyle(), random: &self.random)
    }

    /// Chooses the next step, which begins at rest.
    mutating func next(_ request: HandlingRequest, from motion: BoardMotion, at seconds: Double) -> HandlingSegment {
        switch kind {
        case .rest: rest(motion, seconds)
        case .poses: pose(request, motion, seconds)
        case .turning: turning(motion, seconds)
        case .walk: walk(request, motion, seconds)
        }
    }

    private mutating func segment(
        _ step: HandlingStep, _ motion: BoardMotion, _ seconds: Double
    ) -> HandlingSegment {
        HandlingSegment(step, begins: seconds, from: motion, shape: shape, random: &random)
    }

    private mutating func still(_ motion: BoardMotion, _ seconds: Double) -> HandlingSegment {
        held += Self.glance
        return segment(.still(seconds: Self.glance), motion, seconds)
    }

    /// Lays the board on its back on a table, and leaves it there.
    private mutating func rest(_ motion: BoardMotion, _ seconds: Double) -> HandlingSegment {
        steps += 1
        guard steps == 1 else { return still(motion, seconds) }
        return segment(.pose(up: Vector3(0, 0, -1), seconds: Self.moveSeconds), motion, seconds)
    }

    /// Holds the board with the requested side up until the next pose is requested. Without a request, one direction
    /// after another over the sphere is up.
    private mutating func pose(
        _ request: HandlingRequest, _ motion: BoardMotion, _ seconds: Double
    ) -> HandlingSegment {
        let isEnough = request.asksForNext ? held >= Self.minimumHold : held >= Self.maximumHold
        guard steps == 0 || isEnough else { return still(motion, seconds) }
        held = 0
        steps += 1
        let up = request.asksForNext ? request.up : nil
        return segment(
            .pose(up: up?.normalized ?? Self.direction(steps), seconds: Self.moveSeconds), motion, seconds)
    }

    /// Directions spread over the sphere. The golden ratio gives their heights, the golden angle their headings.
    private static func direction(_ number: Int) -> Vector3 {
        let ratio = (5.0.squareRoot() - 1) / 2
        let share = Double(number) * ratio
        let height = 1 - 2 * (share - share.rounded(.down))
        let angle = Double(number) * .pi * (3 - 5.0.squareRoot())
        let radius = (1 - height * height).squareRoot()
        return Vector3(radius * sin(angle), height, radius * cos(angle))
    }

    /// Rotates the board from a horizontal pose through all directions, again and again.
    private mutating func turning(_ motion: BoardMotion, _ seconds: Double) -> HandlingSegment {
        steps += 1
        guard steps > 1 else { return carry(motion, to: worn.level, seconds) }
        return segment(.sweep(maximumTilt: .pi, seconds: Self.sweepSeconds), motion, seconds)
    }

    /// Stands, then walks. Further walks go back and forth between the two ends of the first one.
    private mutating func walk(
        _ request: HandlingRequest, _ motion: BoardMotion, _ seconds: Double
    ) -> HandlingSegment {
        if steps == 0 {
            steps = 1
            var level = worn.level
            level.position = motion.position
            return carry(motion, to: level, seconds)
        }
        let isAsked = request.asksForNext && held >= Self.minimumStand
        guard isAsked || held >= Self.maximumHold else { return still(motion, seconds) }
        held = 0
        steps += 1
        // Walk, turn, walk, turn.
        let isWalk = steps.isMultiple(of: 2)
        return segment(
            isWalk
                ? .walk(metres: Self.walkMetres, style: WalkStyle())
                : .turn(axis: Vector3(0, 1, 0), angle: .pi, seconds: 2.5), motion, seconds)
    }

    private func carry(_ motion: BoardMotion, to end: BoardMotion, _ seconds: Double) -> HandlingSegment {
        HandlingSegment(carrying: motion, to: end, begins: seconds, seconds: motion.carrySeconds(to: end))
    }

    // MARK: - The way back

    /// Distance above which the person walks. A shorter distance takes a single step. Unit: metres.
    private static let minimumWalk = 3.0

    /// Chooses the next step on the way back to the position and attitude in which the board was worn. It is nil once
    /// the board is there.
    static func wayBack(
        from motion: BoardMotion, to worn: BoardMotion, at seconds: Double, random: inout RandomSource
    ) -> HandlingSegment? {
        let displacement = worn.position - motion.position
        let distance = Vector3(displacement.x, displacement.y, 0).norm
        let turn = (motion.rotationENUFromBody.inverse * worn.rotationENUFromBody).log.norm
        if distance > minimumWalk {
            let facing = BoardMotion(rotationENUFromBody: .level(towards: displacement), position: motion.position)
            let apart = (motion.rotationENUFromBody.inverse * facing.rotationENUFromBody).log.norm
            if apart > 0.05 {
                return HandlingSegment(
                    carrying: motion, to: facing, begins: seconds, seconds: motion.carrySeconds(to: facing))
            }
            return HandlingSegment(
                .walk(metres: distance, style: WalkStyle()), begins: seconds, from: motion, shape: .usual,
                random: &random)
        }
        guard displacement.norm > 1e-9 || turn > 1e-9 else { return nil }
        return HandlingSegment(carrying: motion, to: worn, begins: seconds, seconds: motion.carrySeconds(to: worn))
    }
}

extension BoardMotion {
    /// Time that a move to another pose takes at the usual pace of a hand or a step. Unit: seconds.
    fileprivate func carrySeconds(to end: BoardMotion) -> Double {
        let turn = (rotationENUFromBody.inverse * end.rotationENUFromBody).log.norm
        return max(1.1, turn / 2, (end.position - position).norm / 0.7)
    }

    /// This board at rest and upright, at the same position, with the same line of sight over the ground.
    fileprivate var level: BoardMotion {
        BoardMotion(
            rotationENUFromBody: .level(towards: rotationENUFromBody * Vector3(0, 0, -1)), position: position)
    }
}

extension Rotation3 {
    /// Upright attitude whose line of sight (body −z) points in a direction over the ground. Frame: ENU from body.
    fileprivate static func level(towards direction: Vector3) -> Rotation3 {
        Attitude(heading: Jet(atan2(direction.x, direction.y)), pitch: Jet(0), roll: Jet(0)).rotationENUFromBody
    }
}
