import Estimation
import EstimatorFixtures
import Geometry
import Glibc
import Model

/// A vehicle on smooth rails: 20 s of rest, then speed and course as given; the board is fixed to it, or turns in it.
struct Drive {
    var seconds = 120.0
    var rate = 100.0
    var seed: UInt64 = 1
    /// Of the second of the drive. Units: m/s, radians counter-clockwise from east.
    var speed: (Double) -> Double = { 15 * min(1, max(0, ($0 - 20) / 10)) }
    var course: (Double) -> Double = { _ in 0.4 }
    /// Rotation of the board about up relative to the vehicle. Unit: radians.
    var turnOfBoard: (Double) -> Double = { _ in 0 }
    var gyroNoise = 1e-4
    var accelerometerNoise = 2e-3
    var gyroBias = Vector3(0.002, -0.001, 0.0015)
    var accelerometerBias = Vector3(0.02, -0.03, 0.01)
    var positionNoise = 1.0
    var velocityNoise = 0.12
    /// What the receiver says of them; nil where it says nothing.
    var reportedPosition: Double? = 1.0
    var reportedVelocity: Double? = 0.12
    var hasVelocity = true
    var fixesPerSecond = 1
    /// Age of the receiver's velocity. Unit: seconds.
    var velocityAge = 0.0
    /// When satellites are seen.
    var isSeen: (Double) -> Bool = { _ in true }
    /// What is wrong with position and velocity at a time. Units: metres, m/s.
    var positionError: (Double) -> Vector3 = { _ in .zero }
    var velocityError: (Double) -> Vector3 = { _ in .zero }

    func velocity(_ t: Double) -> Vector3 { Vector3(cos(course(t)), sin(course(t)), 0) * speed(t) }

    func rotationENUFromBody(_ t: Double) -> Rotation3 {
        Rotation3.aboutZ(course(t) + turnOfBoard(t)) * Rotation3.exp(Vector3(0.02, -0.03, 0))
    }

    /// The measurements in order of arrival, and where the vehicle was at each whole second.
    func journey() -> (measurements: [Measurement], positions: [Vector3]) {
        var random = Seeded(seed)
        let density = rate.squareRoot()
        var measurements: [Measurement] = []
        var positions = [Vector3.zero]
        var position = Vector3.zero
        for k in 1...Int(seconds * rate) {
            let (t, before) = (Double(k) / rate, Double(k - 1) / rate)
            let middle = rotationENUFromBody((t + before) / 2)
            let mean = (velocity(t) + velocity(before)) / 2
            position += mean / rate
            let coriolis = 2 * Walk.site.earthRate.cross(mean)
            let pushed = (velocity(t) - velocity(before)) * rate + coriolis + Vector3(0, 0, Walk.site.gravity)
            let turned = (rotationENUFromBody(before).inverse * rotationENUFromBody(t)).log * rate
            let time = Fixture.time(t)
            let force = middle.inverse * pushed + accelerometerBias + random.vector(accelerometerNoise * density)
            let turn = turned + middle.inverse * Walk.site.earthRate + gyroBias + random.vector(gyroNoise * density)
            measurements.append(.specificForce(SpecificForceSample(time: time, force: force)))
            measurements.append(.angularRate(AngularRateSample(time: time, rate: turn)))
            if k % Int(rate) == 0 { positions.append(position) }
            if k % (Int(rate) / fixesPerSecond) == 0, isSeen(t) { measurements.append(fix(t, position, &random)) }
        }
        return (measurements, positions)
    }

    private func fix(_ t: Double, _ position: Vector3, _ random: inout Seeded) -> Measurement {
        let measured = position + positionError(t) + random.vector(positionNoise)
        let velocity = velocity(t - velocityAge) + velocityError(t) + random.vector(velocityNoise)
        return .fix(
            GNSSFix(
                epoch: Fixture.time(t), arrival: Fixture.time(t), utcSeconds: 1_782_000_000 + t,
                position: Walk.plane.position(ofENU: measured)!, hasHeight: true,
                velocityENU: hasVelocity
                    ? .init(east: velocity.x, north: velocity.y, up: velocity.z)
                    : .init(east: nil, north: nil, up: nil),
                positionSigma: .init(east: reportedPosition, north: reportedPosition, up: reportedPosition),
                velocitySigma: hasVelocity ? reportedVelocity : nil))
    }

    /// What became of the drive, second by second.
    struct Trace {
        /// Horizontal. Unit: metres.
        var error: [Double] = []
        /// How far behind along the way of the vehicle. Unit: metres.
        var lag: [Double] = []
        var accuracy: [Double] = []
        var velocityError: [Double] = []
        var rested: [Bool] = []
        var filter: ErrorStateKalmanFilter?

        func worst(_ seconds: Range<Int>) -> Double { error[seconds].max() ?? .infinity }
    }

    func trace(_ settings: EstimatorSettings = EstimatorSettings()) -> Trace {
        let (measurements, positions) = journey()
        var odometry = Walk.odometry(settings)
        var trace = Trace()
        var rested: BootTime?
        for measurement in measurements {
            odometry.feed(measurement) { event in
                guard let pose = event.pose else { return }
                let second = trace.error.count
                guard pose.seconds >= Double(second) - 1e-6, second < positions.count else { return }
                let here = pose.geodetic.map { Walk.plane.pointENU(of: $0) }
                let error = (here ?? Vector3(1e9, 0, 0)) - positions[second]
                trace.error.append((error.x * error.x + error.y * error.y).squareRoot())
                trace.lag.append(-error.dot(velocity(pose.seconds).normalized ?? .zero))
                trace.accuracy.append(pose.accuracy.horizontal ?? 0)
                trace.velocityError.append(((pose.velocityENU ?? .zero) - velocity(pose.seconds)).norm)
                trace.rested.append(pose.sources.contains(.rest))
            }
            rested = odometry.filter?.restedAt ?? rested
        }
        trace.filter = odometry.filter
        return trace
    }
}
