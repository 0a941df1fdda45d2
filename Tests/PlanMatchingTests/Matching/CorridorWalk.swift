import Geometry
import PlanMatching

/// Walk around a loop of corridors, with the errors of dead reckoning in it.
struct CorridorWalk {
    /// Published ways, one a step. Unit: metres.
    private(set) var displacements: [Vector2] = []
    /// True positions after each. Unit: metres.
    private(set) var truth: [Vector2] = []
    /// Rotation of the true way from the published one at the end. Unit: radians, counter-clockwise.
    private(set) var lastTurn: Double
    /// Correction of the published direction halfway, as it is given beside the ways. Unit: radians, counter-clockwise.
    private var correction: Double

    static let start = Vector2(-18, -11)

    /// - Parameters:
    ///   - turn: the same rotation at the start; it walks by 1° a step. Unit: radians, counter-clockwise.
    ///   - correction: rotation of the published direction halfway. Unit: radians, counter-clockwise.
    init(turn: Double, scale: Double, seed: UInt64, correction: Double = 0) {
        self.correction = correction
        var random = RandomSource(seed: seed)
        let corners = [Vector2(18, -11), Vector2(18, 11), Vector2(-18, 11), Vector2(-18, -11), Vector2(0, -11)]
        var (here, error) = (Self.start, -turn)
        lastTurn = turn
        for corner in corners {
            let displacement = corner - here
            let steps = Int(displacement.norm / 0.7)
            for _ in 0..<steps {
                let step = (1 / Double(steps)) * displacement
                here = here + step
                error += 0.02 * random.normal()
                let noise = Vector2(0.03 * random.normal(), 0.03 * random.normal())
                displacements.append((1 / scale) * (Rotation2(yaw: error) * step) + noise)
                truth.append(here)
            }
        }
        for index in displacements.indices.dropFirst(displacements.count / 2) {
            displacements[index] = Rotation2(yaw: correction) * displacements[index]
        }
        lastTurn = -error - correction
    }

    /// Gives no correction beside the ways.
    mutating func forgetCorrection() { correction = 0 }

    /// Corridors of 3 m around a block of rooms.
    static func level() throws -> DrawnLevel {
        var level = try DrawnLevel()
        level.add(
            .floor,
            area: [
                DrawnLevel.rectangle(Vector2(-19.5, -12.5), Vector2(19.5, 12.5)),
                DrawnLevel.rectangle(Vector2(-16.5, -9.5), Vector2(16.5, 9.5)),
            ])
        for column in 0..<11 {
            let west = Double(column) * 3 - 16.5
            level.add(.room, area: [DrawnLevel.rectangle(Vector2(west, -9.5), Vector2(west + 3, 0))])
            level.add(.room, area: [DrawnLevel.rectangle(Vector2(west, 0), Vector2(west + 3, 9.5))])
        }
        return level
    }

    /// Result of following the walk on a plan from a known place, and error without the plan. Unit: metres.
    ///
    /// - Parameter steps: number of steps that are followed; all by default.
    func followed(
        on level: DrawnLevel, settings: PlanMatchingSettings = PlanMatchingSettings(), steps: Int = .max
    ) -> (match: PlanMatch, error: Double, unaided: Double)? {
        let matcher = PlanMatcher(
            PlanLibrary([level.plan]), on: level.plane, position: Self.start, deviation: Vector2(0.7, 0.7),
            settings: settings)
        guard var matcher else { return nil }
        var (last, error, reckoned) = (PlanMatch?.none, 0.0, Self.start)
        for (index, (displacement, place)) in zip(displacements, truth).enumerated().prefix(steps) {
            reckoned = reckoned + displacement
            guard let match = matcher.walk(displacement, correction: index == displacements.count / 2 ? correction : 0)
            else { continue }
            last = match
            error = (match.position - place).norm
        }
        guard let last, let end = truth.prefix(steps).last else { return nil }
        return (last, error, (reckoned - end).norm)
    }
}
