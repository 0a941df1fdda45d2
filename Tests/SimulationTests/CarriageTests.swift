import Geometry
import Model
import Simulation
import Testing

#if canImport(Glibc)
    import Glibc
#endif

@Suite("Carried boards: truth")
struct CarriageTests {
    private static let start = BootTime(nanoseconds: 5_000_000_000)

    private func walk(_ carriage: Carriage, _ orientation: Rotation3, seed: UInt64 = 1) throws -> CityWalk {
        try makeWalk {
            $0.seed = seed
            $0.wearing = .init(carriage, orientation)
        }
    }

    @Test(
        "velocity, acceleration and angular velocity are the derivatives of position and attitude",
        arguments: Carriage.allCases)
    func derivatives(carriage: Carriage) throws {
        let walk = try walk(carriage, .randomBoardOrientation(seed: 3))
        let step = 2e-4
        var worst = (velocity: 0.0, acceleration: 0.0, angular: 0.0)
        for index in 0..<2000 {
            let time = Self.start.later(by: 0.0731 * Double(index))
            let now = walk.truth(at: time)
            let before = walk.truth(at: time.later(by: -step))
            let after = walk.truth(at: time.later(by: step))
            let velocity = (after.positionENU - before.positionENU) / (2 * step)
            let acceleration = (after.velocityENU - before.velocityENU) / (2 * step)
            let turn = (before.rotationENUFromBody.inverse * after.rotationENUFromBody).log / (2 * step)
            worst.velocity = max(worst.velocity, (velocity - now.velocityENU).norm)
            worst.acceleration = max(worst.acceleration, (acceleration - now.accelerationENU).norm)
            worst.angular = max(worst.angular, (turn - now.angularVelocityInBody).norm)
        }
        // Central differences err by h²/6 of the third derivative; a heel shakes with up to 10 m/s² at 80 rad/s.
        #expect(worst.velocity < 5e-5)
        #expect(worst.acceleration < 2e-3)
        #expect(worst.angular < 2e-5)
    }

    @Test("a thigh swings by 30° to 65°, once a stride", arguments: UInt64(1)...4)
    func thigh(seed: UInt64) throws {
        let walk = try walk(.trousers, .identity, seed: seed)
        // On the first street, at a full pace.
        let (from, to) = (24.0, 34.0)
        var angles: [Double] = []
        for k in 0..<1000 {
            let up = walk.truth(at: Self.start.later(by: from + 0.01 * Double(k))).rotationENUFromBody
            // The lower end of the thigh, body −y, forwards of the vertical.
            angles.append(atan2((up * Vector3(0, 0, 1)).z, (up * Vector3(0, 1, 0)).z))
        }
        let range = (try #require(angles.max()) - (try #require(angles.min()))) * 180 / .pi
        #expect(range > 30 && range < 65)
        let mean = angles.reduce(0, +) / Double(angles.count)
        let crossings = zip(angles, angles.dropFirst()).count { $0 <= mean && $1 > mean }
        let strides =
            (try #require(walk.steps(at: Self.start.later(by: to)))
                - (try #require(
                    walk.steps(at: Self.start.later(by: from)))))
            / 2
        #expect(abs(Double(crossings) - strides) <= 1)
    }
}
