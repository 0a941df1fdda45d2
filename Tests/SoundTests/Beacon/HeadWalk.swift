import Sound
import Geometry
import Glibc

/// A wearer who walks and looks around, from a seed: the yaw wanders all around, the head nods a little.
struct HeadWalk {
    private let yaw: [(amplitude: Double, rate: Double, phase: Double)]
    private let drift: Double
    private let begin: Double

    /// Measured at once: what is tested is the way from the pose to the ear.
    init(seed: UInt64) {
        var random = RandomSource(seed: seed)
        begin = random.uniform(in: -Double.pi...Double.pi)
        drift = random.uniform(in: -0.6...0.6)
        // Up to 60 degrees a second together.
        yaw = (0..<3).map { _ in
            (random.uniform(in: 0.1...0.4), random.uniform(in: 0.3...0.8), random.uniform(in: 0...(2 * .pi)))
        }
    }

    /// - Parameter time: Unit: nanoseconds.
    func pose(at time: Int64) -> BeaconPose {
        let seconds = Double(time) * 1e-9
        let turn = yaw.reduce(begin + drift * seconds) { $0 + $1.amplitude * sin($1.rate * seconds + $1.phase) }
        let nod = Rotation3.about(Vector3(1, 0, 0), by: 0.08 * sin(1.1 * seconds))
        let rotation = Rotation3.about(Vector3(0, 1, 0), by: turn) * nod
        return BeaconPose(
            measuredAt: time, generation: 1, position: Vector3(0.5 * seconds, 1.6, 0.2 * sin(seconds)),
            rotationSceneFromBody: rotation, yawStandardDeviation: 0.01)
    }
}
