// A seeded walk as the sensors measure it, and the bits of every number: the same on each processor.
// Compiled by scripts/cross-core, for this machine and for another one.
import Geometry
import Glibc
import Model

/// Evenly spread words and roughly normal deviates by integers and sums alone, which no library rounds otherwise.
struct Deviates {
    var state: UInt64

    mutating func uniform() -> Double {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return Double(state >> 11) * 0x1p-53
    }

    /// Sum of twelve even ones: mean 0, variance 1.
    mutating func normal() -> Double { (0..<12).reduce(-6) { sum, _ in sum + uniform() } }

    mutating func vector(_ standardDeviation: Double) -> Vector3 {
        Vector3(normal() * standardDeviation, normal() * standardDeviation, normal() * standardDeviation)
    }
}

func line(_ time: BootTime, _ values: [Double]) {
    let digits = Array("0123456789abcdef".utf8)
    for word in [UInt64(bitPattern: time.nanoseconds)] + values.map({ $0.bitPattern }) {
        for shift in stride(from: 60, through: 0, by: -4) { putchar(Int32(digits[Int((word >> UInt64(shift)) & 15)])) }
        putchar(32)
    }
    putchar(10)
}

/// A wearer who stands for five seconds and then walks a circle of 20 m radius, the head nodding.
struct Circle {
    static let (radius, speed, gravity, rate) = (20.0, 1.3, 9.8074, 100)
    var noise = Deviates(state: 2026)
    let plane: LocalTangentPlane
    /// East, north, up. Unit: nanotesla.
    let field: Vector3

    /// Speed grows within two seconds. Unit: m/s and m/s².
    func pace(_ t: Double) -> (speed: Double, change: Double) {
        t < 5 ? (0, 0) : t < 7 ? (Self.speed * (t - 5) / 2, Self.speed / 2) : (Self.speed, 0)
    }

    func distance(_ t: Double) -> Double {
        t < 5 ? 0 : t < 7 ? Self.speed * (t - 5) * (t - 5) / 4 : Self.speed * (t - 6)
    }

    /// About the vertical, counterclockwise from east; the sight is along the way.
    func yaw(_ t: Double) -> Double { distance(t) / Self.radius }

    /// East, north, up from body: x right, y up, z backwards.
    func rotation(_ t: Double) -> Rotation3 {
        let ahead = Rotation3.exp(Vector3(0, 0, yaw(t)))
        let upright = Rotation3.exp(Vector3(.pi / 2, 0, 0))
        let nod = Rotation3.exp(Vector3(0.05 * sin(3 * t), 0, 0))
        return ahead * upright * nod
    }

    func position(_ t: Double) -> Vector3 {
        // Sight along north at yaw 0.
        Vector3(Self.radius * (cos(yaw(t)) - 1), Self.radius * sin(yaw(t)), 0)
    }

    func velocity(_ t: Double) -> Vector3 { Vector3(-sin(yaw(t)), cos(yaw(t)), 0) * pace(t).speed }

    func acceleration(_ t: Double) -> Vector3 {
        let (speed, change) = pace(t)
        let ahead = Vector3(-sin(yaw(t)), cos(yaw(t)), 0)
        let inward = Vector3(-cos(yaw(t)), -sin(yaw(t)), 0)
        let bob = t < 5 ? 0 : 1.5 * sin(2 * .pi * 1.8 * t)
        return ahead * change + inward * (speed * speed / Self.radius) + Vector3(0, 0, bob)
    }

    /// All that is measured at one tick, in the order of arrival.
    mutating func measurements(_ tick: Int) -> [Measurement] {
        let t = Double(tick) / Double(Self.rate)
        let time = BootTime(nanoseconds: 1_000_000_000_000 + Int64(tick) * 1_000_000_000 / Int64(Self.rate))
        let bodyFromENU = rotation(t).inverse
        let turn = Vector3(0, 0, pace(t).speed / Self.radius)
        let rate = bodyFromENU * turn + Vector3(0.15 * cos(3 * t), 0, 0) + noise.vector(0.002)
        let force = bodyFromENU * (acceleration(t) + Vector3(0, 0, Self.gravity)) + noise.vector(0.03)
        var taken: [Measurement] = [
            .angularRate(AngularRateSample(time: time, rate: rate)),
            .specificForce(SpecificForceSample(time: time, force: force)),
        ]
        if tick % 2 == 0 {
            let flux = bodyFromENU * field * 1e-3 + noise.vector(0.4)
            taken.append(.magneticField(MagneticSample(time: time, field: flux)))
        }
        if tick % Self.rate == 50 { taken.append(.fix(fix(t, time))) }
        return taken
    }

    private mutating func fix(_ t: Double, _ time: BootTime) -> GNSSFix {
        let moved = velocity(t) + noise.vector(0.1)
        return GNSSFix(
            epoch: time, arrival: time, utcSeconds: 1_782_000_000 + t,
            position: plane.position(ofENU: position(t) + noise.vector(1.5))!, hasHeight: true,
            velocityENU: .init(east: moved.x, north: moved.y, up: moved.z),
            positionSigma: .init(east: 1.5, north: 1.5, up: 3), velocitySigma: 0.15)
    }
}

@main
struct CrossCore {
    static func main() {
        guard let origin = GeodeticPosition(latitudeDegrees: 47.3769, longitudeDegrees: 8.5417, ellipsoidalHeight: 460),
            let field = WorldMagneticModel.wmm2025.field(at: origin, decimalYear: 2026.5)
        else { fatalError("no place to walk at") }
        var circle = Circle(plane: LocalTangentPlane(origin: origin), field: field.fluxDensityENU)
        for tick in 0..<60 * Circle.rate {
            for measurement in circle.measurements(tick) {
                switch measurement {
                case .angularRate(let x): line(x.time, [x.rate.x, x.rate.y, x.rate.z])
                case .magneticField(let x): line(x.time, [x.field.x, x.field.y, x.field.z])
                case .fix(let x):
                    let place = x.position
                    line(x.epoch, [place.latitudeDegrees, place.longitudeDegrees, place.ellipsoidalHeight])
                default: break
                }
            }
        }
    }
}
