import Geometry
import Model
import Simulation

/// A simulated walk with every aid, held in memory: a 200 Hz inertial unit, a 50 Hz magnetometer, a 10 Hz barometer and
/// a receiver, by default of 1 Hz, whose fixes arrive 0.3 s after their epoch.
struct RecordedWalk {
    private(set) var measurements: [Measurement] = []
    private(set) var inertialCount = 0
    private(set) var fixCount = 0

    /// Unit: seconds.
    static let fixDelay = 0.3

    /// Good odometry at 60 Hz, 60 to 90 ms late.
    static var camera: SensorErrors.Camera {
        var camera = SensorErrors.Camera.typical
        camera.rate = 60
        return camera
    }

    /// Nil where the magnetic model does not reach the walk's place and time.
    ///
    /// - Parameters:
    ///   - camera: errors of a camera on the board; nil is without.
    ///   - fixRate: rate of the receiver. Unit: Hz.
    init?(seconds: Double, camera: SensorErrors.Camera? = nil, fixRate: Int = 1) {
        var settings = CityWalkSettings(seed: 1)
        settings.camera = camera
        settings.fixRate = fixRate
        settings.errors.gnss.delaySeconds = Self.fixDelay...Self.fixDelay
        let start = BootTime(nanoseconds: 1_000_000_000_000)
        guard
            var walk = CityWalk(settings: settings, start: start, magneticModel: WorldMagneticModel.wmm2025)
        else { return nil }
        while true {
            let next = walk.next()
            guard next.arrival.seconds(since: start) < seconds else { break }
            if case .angularRate = next { inertialCount += 1 }
            if case .fix = next { fixCount += 1 }
            measurements.append(next)
        }
    }

    /// The first measurement that arrives this many seconds after the time, by default that of the first measurement.
    func index(seconds: Double, after time: BootTime? = nil) -> Int {
        let start = time ?? measurements[0].arrival
        return measurements.firstIndex { $0.arrival.seconds(since: start) >= seconds } ?? measurements.count
    }

    /// Rates, forces and fields as rows of nine at each inertial sample, the last field held: what another filter
    /// takes.
    ///
    /// Units: rad/s, m/s², microtesla.
    var rows: [Double] {
        var rows: [Double] = []
        var force = Vector3.zero
        var field = Vector3(20, 0, -40)
        for measurement in measurements {
            switch measurement {
            case .specificForce(let sample): force = sample.force
            case .magneticField(let sample): field = sample.field
            case .angularRate(let sample):
                for vector in [sample.rate, force, field] { rows += [vector.x, vector.y, vector.z] }
            case .pressure, .fix, .aid, .clock, .calibration: break
            }
        }
        return rows
    }
}
