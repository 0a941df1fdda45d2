import EstimatorFixtures
import Geometry
import Glibc
import Model

/// A wearer on the stairs: the body looks around, moves only up and down, and measures the air pressure.
struct Climb {
    /// A flight of stairs: time of its middle, duration and rise. Units: seconds, metres.
    struct Flight {
        var middle: Double
        var seconds: Double
        var rise: Double
    }

    var seconds = 150.0
    var flights = [Flight(middle: 85, seconds: 8, rise: 3), Flight(middle: 120, seconds: 8, rise: -3)]
    /// Fixes come up to here. Unit: seconds.
    var fixesUntil = 60.0
    var rate = 100
    var pressureRate = 10
    var seed: UInt64 = 1
    /// Units: metres per axis, hectopascal.
    var positionNoise = 1.0
    var pressureNoise = 0.02
    /// What the weather and the doors add. Unit: hectopascal.
    var air: (Double) -> Double = { _ in 0 }

    /// Above the ground at a time, and its second derivative. Units: metres, m/s².
    func height(_ t: Double) -> (value: Double, acceleration: Double) {
        var (value, acceleration) = (0.0, 0.0)
        for flight in flights {
            // tanh: 96 % of the rise lie within the flight's time.
            let scale = flight.seconds / 4
            let x = tanh((t - flight.middle) / scale)
            value += flight.rise * (1 + x) / 2
            acceleration -= flight.rise * x * (1 - x * x) / (scale * scale)
        }
        return (value, acceleration)
    }

    private func attitude(_ t: Double) -> Rotation3 {
        Rotation3.aboutZ(0.7 * sin(0.8 * t)) * Rotation3.exp(Vector3(.pi / 2 + 0.1 * sin(1.3 * t), 0, 0))
    }

    /// By the inverse of the standard atmosphere.
    static func pressure(height: Double) -> Double { 1013.25 * pow(1 - height / 44_330.77, 5.255_88) }

    func measurements() -> [Measurement] {
        var random = Seeded(seed)
        let site = Walk.site
        let bias = random.vector(0.03)
        let density = Double(rate).squareRoot()
        var all: [Measurement] = []
        for k in 0..<Int(seconds * Double(rate)) {
            let t = Double(k) / Double(rate)
            let middle = t - 0.5 / Double(rate)
            let time = Fixture.time(t)
            let turn = (attitude(t - 1 / Double(rate)).inverse * attitude(t)).log * Double(rate)
            let earth = attitude(middle).inverse * site.earthRate
            let force = attitude(middle).inverse * Vector3(0, 0, site.gravity + height(middle).acceleration)
            all.append(
                .specificForce(
                    SpecificForceSample(time: time, force: force + bias + random.vector(0.01 * density))))
            all.append(
                .angularRate(AngularRateSample(time: time, rate: turn + earth + random.vector(2e-4 * density))))
            if k % (rate / pressureRate) == 3 {
                let value = Self.pressure(height: 420 + height(t).value) + air(t) + pressureNoise * random.gaussian()
                all.append(.pressure(PressureSample(time: time, pressureHectopascal: value)))
            }
            if k % rate == rate / 2, t < fixesUntil { all.append(.fix(fix(t, &random))) }
        }
        return all
    }

    private func fix(_ t: Double, _ random: inout Seeded) -> GNSSFix {
        let point = Vector3(0, 0, height(t).value) + random.vector(positionNoise)
        let velocity = random.vector(0.1)
        return GNSSFix(
            epoch: Fixture.time(t), arrival: Fixture.time(t), utcSeconds: 1_782_000_000 + t,
            position: Walk.plane.position(ofENU: point)!, hasHeight: true,
            velocityENU: .init(east: velocity.x, north: velocity.y, up: nil),
            positionSigma: .init(east: positionNoise, north: positionNoise, up: positionNoise), velocitySigma: 0.1)
    }

    /// Errors of the height against the truth, with the poses' times. Unit: metres.
    func errors(_ poses: [PoseEstimate]) -> [(time: Double, error: Double, accuracy: Double)] {
        poses.compactMap {
            guard let place = $0.geodetic, let accuracy = $0.accuracy.vertical else { return nil }
            return ($0.seconds, place.ellipsoidalHeight - 420 - height($0.seconds).value, accuracy)
        }
    }
}
