import Geodesy
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
