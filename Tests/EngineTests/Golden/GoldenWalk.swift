import BoardHandling
import EstimatorFixtures
import Geometry
import Model
import Engine
import Simulation
import Testing

/// A simulated walk whose poses are kept in `Tests/Golden`: a change of behaviour shows there as a difference.
struct GoldenWalk: Sendable, CustomTestStringConvertible {
    var name: String
    var walk = CityWalkSettings(seed: 1)
    /// Without fixes. Unit: seconds after the start.
    var outage: ClosedRange<Double>?

    /// Enough for rest, first steps, turns and a stop at a crossing.
    static let seconds = 150.0
    private static let interval = 5.0
    private static let start = BootTime(nanoseconds: 2_000_000_000_000)

    static let all: [GoldenWalk] = [
        GoldenWalk(name: "plain"),
        GoldenWalk(name: "no-magnetometer") {
            $0.walk.seed = 2
            $0.walk.magneticRate = 0
        },
        GoldenWalk(name: "outage-and-disturbance") {
            $0.walk.seed = 3
            $0.outage = 60...90
            $0.walk.errors.magnetometer.disturbance = 15
            $0.walk.errors.magnetometer.quietSeconds = 20...40
        },
        GoldenWalk(name: "25-hertz-and-barometer") {
            $0.walk.seed = 4
            $0.walk.inertialRate = 25
            $0.walk.magneticRate = 25
            $0.walk.pressureRate = 5
        },
    ]

    private init(name: String, change: (inout GoldenWalk) -> Void = { _ in }) {
        self.name = name
        walk.pressureRate = 0
        // The files are from before streets had iron: they hold the estimator's arithmetic, not its performance.
        walk.errors.magnetometer = walk.errors.magnetometer.withoutStreetIronAndTurn
        change(&self)
    }

    var testDescription: String { name }

    /// A row each few seconds.
    func poses() -> [GoldenPose]? {
        guard var simulated = CityWalk(settings: walk, start: Self.start, magneticModel: WorldMagneticModel.wmm2025)
        else { return nil }
        var odometry = Odometry(settings: .calibrated)
        var rows: [GoldenPose] = []
        var next = Self.interval
        while next <= Self.seconds {
            let measurement = simulated.next()
            if case .fix(let fix) = measurement, let outage, outage.contains(seconds(fix.epoch)) { continue }
            odometry.feed(measurement) { event in
                guard let pose = event.pose, seconds(pose.time) >= next else { return }
                rows.append(GoldenPose(pose, seconds: seconds(pose.time), plane: simulated.plane))
                next += Self.interval
            }
        }
        return rows
    }

    private func seconds(_ time: BootTime) -> Double { time.seconds(since: Self.start) }
}
