import Estimation
import Geometry
import Glibc
import Model
import Engine

/// An analytic walk with exact truth: a course that swings, a speed that breathes, a head that looks about.
///
/// Position, velocity and acceleration are closed formulas; the angular rate is the derivative of the attitude.
package struct Walk {
    package var seconds: Double
    package var rate: Double
    package var seed: UInt64
    /// Standard deviations of the sensors' errors; the filter's own assumptions by default.
    package var gyroNoise = 2e-4
    package var accelerometerNoise = 0.01
    package var gyroBias = 0.002
    package var accelerometerBias = 0.02
    package var positionNoise = 1.0
    package var velocityNoise: Double
    package var fieldNoise = 0.3
    package var hasMagnetometer: Bool
    /// How much faster than a stroll.
    package var pace: Double
    /// How much later than its epoch a fix arrives. Unit: seconds.
    package var delay: Double
    /// Unit: Hz.
    package var fixRate = 1

    package struct Truth {
        package var rotationENUFromBody: Rotation3
        package var velocity: Vector3
        package var position: Vector3
        package var acceleration: Vector3
    }

    package init(
        seconds: Double = 60, rate: Double = 100, seed: UInt64 = 1, velocityNoise: Double = 0.15,
        hasMagnetometer: Bool = true, pace: Double = 1, delay: Double = 0
    ) {
        self.seconds = seconds
        self.rate = rate
        self.seed = seed
        self.velocityNoise = velocityNoise
        self.hasMagnetometer = hasMagnetometer
        self.pace = pace
        self.delay = delay
    }

    package static let plane = LocalTangentPlane(origin: Fixture.zurich)
    package static let site = Site(position: Fixture.zurich, field: Fixture.field)

    /// p = (A·sin(at), B·sin(bt), 0): a Lissajous figure of walking speed.
    package func truth(_ t: Double) -> Truth {
        let (a, b, sizeA, sizeB) = (0.11 * pace, 0.17 * pace, 12.0, 8.0)
        let position = Vector3(sizeA * sin(a * t), sizeB * sin(b * t), 0.2 * sin(0.3 * t))
        let velocity = Vector3(sizeA * a * cos(a * t), sizeB * b * cos(b * t), 0.06 * cos(0.3 * t))
        let acceleration = Vector3(-sizeA * a * a * sin(a * t), -sizeB * b * b * sin(b * t), -0.018 * sin(0.3 * t))
        let yaw = 0.4 * t + 0.6 * sin(0.5 * t)
        let tilt = Rotation3.exp(Vector3(.pi / 2 + 0.1 * sin(0.7 * t), 0.05 * sin(1.1 * t), 0))
        return Truth(
            rotationENUFromBody: Rotation3.aboutZ(yaw) * tilt, velocity: velocity, position: position,
            acceleration: acceleration)
    }

    /// Mean body rate over the interval before, by the turn, the earth's rotation added.
    package func angularRate(_ t: Double) -> Vector3 {
        let turn = (truth(t - 1 / rate).rotationENUFromBody.inverse * truth(t).rotationENUFromBody).log
        return turn * rate + truth(t - 0.5 / rate).rotationENUFromBody.inverse * Self.site.earthRate
    }

    /// Of the middle of the interval before, which is its mean to the second order.
    package func force(_ t: Double) -> Vector3 {
        let now = truth(t - 0.5 / rate)
        let gravity = Vector3(0, 0, Self.site.gravity)
        let coriolis = 2 * Self.site.earthRate.cross(now.velocity)
        return now.rotationENUFromBody.inverse * (now.acceleration + coriolis + gravity)
    }

    package func fix(_ t: Double, _ random: inout Seeded) -> GNSSFix {
        let now = truth(t)
        let position = now.position + random.vector(positionNoise)
        let velocity = now.velocity + random.vector(velocityNoise)
        return GNSSFix(
            epoch: Fixture.time(t), arrival: Fixture.time(t + delay), utcSeconds: 1_782_000_000 + t,
            position: Self.plane.position(ofENU: position)!, hasHeight: true,
            velocityENU: .init(east: velocity.x, north: velocity.y, up: velocity.z),
            positionSigma: .init(east: positionNoise, north: positionNoise, up: positionNoise),
            velocitySigma: velocityNoise)
    }

    /// In order of arrival.
    package func measurements() -> [Measurement] {
        var random = Seeded(seed)
        let (gyro, accelerometer) = (random.vector(gyroBias), random.vector(accelerometerBias))
        let density = rate.squareRoot()
        var timed: [(Double, Measurement)] = []
        for k in 0..<Int(seconds * rate) {
            let t = Double(k) / rate
            let time = Fixture.time(t)
            let measured = force(t) + accelerometer + random.vector(accelerometerNoise * density)
            let turned = angularRate(t) + gyro + random.vector(gyroNoise * density)
            timed.append((t, .specificForce(SpecificForceSample(time: time, force: measured))))
            timed.append((t, .angularRate(AngularRateSample(time: time, rate: turned))))
            if hasMagnetometer, k % 4 == 0 {
                let field = truth(t).rotationENUFromBody.inverse * (Fixture.field.fluxDensityENU / 1000)
                let sample = MagneticSample(time: time, field: field + random.vector(fieldNoise))
                timed.append((t, .magneticField(sample)))
            }
            let fixTicks = Int(rate) / fixRate
            if k % fixTicks == fixTicks / 2 { timed.append((t + delay, .fix(fix(t + 0.0013, &random)))) }
        }
        return timed.enumerated().sorted { ($0.element.0, $0.offset) < ($1.element.0, $1.offset) }.map { $0.element.1 }
    }

    package static func odometry(_ settings: EstimatorSettings = .calibrated) -> Odometry {
        Odometry(settings: settings, magneticModel: Fixture.UniformField())
    }

    package static func poses(_ measurements: [Measurement], _ settings: EstimatorSettings = .calibrated)
        -> [PoseEstimate]
    {
        var odometry = odometry(settings)
        var poses: [PoseEstimate] = []
        for measurement in measurements { odometry.feed(measurement) { if let pose = $0.pose { poses.append(pose) } } }
        return poses
    }
}

extension PoseEstimate {
    /// Seconds since the start of the fixture.
    package var seconds: Double { time.seconds(since: Fixture.start) }
}
