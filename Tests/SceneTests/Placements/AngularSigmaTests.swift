import Geometry
import Glibc
import Scene
import Testing

@Suite("Angular accuracy of placements")
struct AngularSigmaTests {
    @Test("far away it is the yaw's, near by the position's, at hand anything")
    func limits() throws {
        func sigma(_ distance: Double) throws -> Double {
            try #require(AngularSigma.radians(yawStandardDeviation: 0.05, horizontalAccuracy: 4.53, distance: distance))
        }
        // 4.53 m of 68 % are 3 m along each axis.
        #expect(abs(try sigma(100) - hypot(0.05, 0.03)) < 1e-12)
        #expect(abs(try sigma(1e6) - 0.05) < 1e-9)
        #expect(try sigma(0) == .pi && sigma(0.1) == .pi)
    }

    @Test("what is not known makes the whole unknown")
    func unknown() {
        #expect(AngularSigma.radians(yawStandardDeviation: nil, horizontalAccuracy: 4, distance: 50) == nil)
        #expect(AngularSigma.radians(yawStandardDeviation: 0.1, horizontalAccuracy: nil, distance: 50) == nil)
        #expect(AngularSigma.radians(yawStandardDeviation: 0.1, horizontalAccuracy: 0, distance: 0) == 0.1)
    }

    @Test("is the deviation of drawn directions")
    func drawn() throws {
        var draws = Draws(state: 68)
        func normal() -> Double { (0..<12).reduce(-6) { sum, _ in sum + draws.number(0...1) } }
        let count = 20_000
        var squares = 0.0
        for _ in 0..<count {
            let (east, north) = (2 * normal(), 60 + 2 * normal())
            let error = atan2(east, north) + 0.03 * normal()
            squares += error * error
        }
        // 2 m along each axis are 3.02 m of 68 %.
        let sigma = try #require(
            AngularSigma.radians(yawStandardDeviation: 0.03, horizontalAccuracy: 3.02, distance: 60))
        // The figure of 20 000 draws is good to 0.5 %; the tangent adds 0.2 %.
        #expect(abs((squares / Double(count)).squareRoot() / sigma - 1) < 0.02)
    }
}
