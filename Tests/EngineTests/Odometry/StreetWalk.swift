import EstimatorFixtures
import Geometry
import Model
import Engine
import Simulation
import Testing

/// The simulated walk through a city, with what is really so beside the poses.
struct StreetWalk {
    let walk: CityWalk
    let measurements: [Measurement]

    /// - Parameter inertialRate: in Hz, a divisor of the rate at which it is simulated: the sensors deliver means.
    init(
        seed: UInt64 = 1, seconds: Double, inertialRate: Int = 200, simulatedRate: Int = 200,
        change: (inout CityWalkSettings) -> Void = { _ in }
    ) throws {
        var settings = CityWalkSettings(seed: seed)
        settings.inertialRate = simulatedRate
        settings.openingSeconds = 6
        change(&settings)
        var walk = try #require(
            CityWalk(settings: settings, start: Fixture.start, magneticModel: WorldMagneticModel.wmm2025))
        self.walk = walk
        var all: [Measurement] = []
        while (all.last?.arrival.seconds(since: Fixture.start) ?? 0) < seconds { all.append(walk.next()) }
        // The calibrations are those of the test.
        all.removeAll { if case .calibration = $0 { true } else { false } }
        measurements = Self.averaged(all, over: simulatedRate / inertialRate)
    }

    /// What a sensor's own filter makes of a faster one: the mean over the interval before each sample.
    static func averaged(_ measurements: [Measurement], over count: Int) -> [Measurement] {
        guard count > 1 else { return measurements }
        var (rates, forces) = ((Vector3.zero, 0), (Vector3.zero, 0))
        return measurements.compactMap { measurement in
            switch measurement {
            case .angularRate(let sample):
                rates = (rates.0 + sample.rate, rates.1 + 1)
                guard rates.1 == count else { return nil }
                defer { rates = (.zero, 0) }
                return .angularRate(AngularRateSample(time: sample.time, rate: rates.0 / Double(count)))
            case .specificForce(let sample):
                forces = (forces.0 + sample.force, forces.1 + 1)
                guard forces.1 == count else { return nil }
                defer { forces = (.zero, 0) }
                return .specificForce(SpecificForceSample(time: sample.time, force: forces.0 / Double(count)))
            default: return measurement
            }
        }
    }

    static func poses(_ measurements: [Measurement]) -> [PoseEstimate] {
        var odometry = Odometry(settings: .calibrated)
        var poses: [PoseEstimate] = []
        for measurement in measurements { odometry.feed(measurement) { if let pose = $0.pose { poses.append(pose) } } }
        return poses
    }

    /// Root mean squares against the truth. Units: radians, radians, metres.
    struct Errors: CustomStringConvertible {
        var yaw = 0.0
        var tilt = 0.0
        var horizontal = 0.0
        var vertical = 0.0

        var description: String {
            let angles = [yaw, tilt].map { ($0 * 180 / .pi * 1000).rounded() / 1000 }
            let lengths = [horizontal, vertical].map { ($0 * 1000).rounded() / 1000 }
            return "yaw \(angles[0])°, tilt \(angles[1])°, horizontal \(lengths[0]) m, vertical \(lengths[1]) m"
        }
    }

    /// - Parameter mount: body from the axes in which the sensors measured.
    func errors(_ poses: [PoseEstimate], from start: Double, mount: Rotation3 = .identity) throws -> Errors {
        var errors = Errors()
        var count = 0.0
        for (index, pose) in poses.enumerated() where pose.seconds > start && index % 5 == 0 {
            let truth = walk.truth(at: pose.time)
            let turn = (pose.rotationENUFromBody * mount.inverse * truth.rotationENUFromBody.inverse).log
            let offset = walk.plane.pointENU(of: try #require(pose.geodetic)) - truth.positionENU
            errors.yaw += turn.z * turn.z
            errors.tilt += turn.x * turn.x + turn.y * turn.y
            errors.horizontal += offset.x * offset.x + offset.y * offset.y
            errors.vertical += offset.z * offset.z
            count += 1
        }
        #expect(count > 0)
        return Errors(
            yaw: (errors.yaw / count).squareRoot(), tilt: (errors.tilt / count).squareRoot(),
            horizontal: (errors.horizontal / count).squareRoot(), vertical: (errors.vertical / count).squareRoot())
    }
}
