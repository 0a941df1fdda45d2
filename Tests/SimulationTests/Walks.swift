import Geometry
import Model
import Simulation
import Testing

/// A walk from which a test can read, without the calibration with which it begins.
func makeWalk(
    seed: UInt64 = 1, errors: SensorErrors = .none, start: BootTime = BootTime(nanoseconds: 5_000_000_000),
    change: (inout CityWalkSettings) -> Void = { _ in }
) throws -> CityWalk {
    var settings = CityWalkSettings(seed: seed, errors: errors)
    change(&settings)
    var walk = try #require(CityWalk(settings: settings, start: start, magneticModel: WorldMagneticModel.wmm2025))
    if settings.errors.magnetometer.uncalibratedIron == 0 { _ = walk.next() }
    return walk
}

extension CityWalk {
    /// The next measurements up to a number of seconds after the first.
    mutating func read(seconds: Double) -> [Measurement] {
        var read: [Measurement] = [next()]
        let first = read[0].time
        while read[read.count - 1].arrival.seconds(since: first) < seconds { read.append(next()) }
        return read
    }
}

extension BootTime {
    func later(by seconds: Double) -> BootTime {
        BootTime(nanoseconds: nanoseconds + Int64((seconds * 1e9).rounded()))
    }
}

/// Largest differences of a walk's velocity, acceleration and angular velocity from the central differences of its
/// position, velocity and attitude.
struct DerivativeErrors {
    /// Unit: m/s.
    private(set) var velocity = 0.0
    /// Unit: m/s².
    private(set) var acceleration = 0.0
    /// Unit: rad/s.
    private(set) var angular = 0.0

    /// - Parameters:
    ///   - instants: number of instants, 73.1 ms apart.
    ///   - step: half of the interval of a difference. Unit: seconds.
    init(of walk: CityWalk, from start: BootTime, instants: Int, step: Double) {
        for index in 0..<instants {
            let time = start.later(by: 0.0731 * Double(index))
            let (before, now) = (walk.truth(at: time.later(by: -step)), walk.truth(at: time))
            let after = walk.truth(at: time.later(by: step))
            let derivedVelocity = (after.positionENU - before.positionENU) / (2 * step)
            let derivedAcceleration = (after.velocityENU - before.velocityENU) / (2 * step)
            let turn = (before.rotationENUFromBody.inverse * after.rotationENUFromBody).log / (2 * step)
            velocity = max(velocity, (derivedVelocity - now.velocityENU).norm)
            acceleration = max(acceleration, (derivedAcceleration - now.accelerationENU).norm)
            angular = max(angular, (turn - now.angularVelocityInBody).norm)
        }
    }
}
