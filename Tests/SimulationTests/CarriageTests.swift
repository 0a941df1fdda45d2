import BoardHandling
import Geometry
import Glibc
import Model
import Simulation
import Testing

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
        let worst = DerivativeErrors(of: walk, from: Self.start, instants: 2000, step: 2e-4)
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
