import BoardHandling
import Geometry
import Glibc
import Model
import Simulation
import Testing

@Suite("City walk: errors of the receiver")
struct GNSSErrorTests {
    private struct FixError {
        /// Frame: ENU. Units: metres, m/s.
        var position: Vector3
        var velocityEast: Double
        var positionSigma: Vector3
        var velocitySigma: Double
    }

    /// Half an hour of fixes for each of some walks.
    private func errors(_ gnss: SensorErrors.GNSS, seeds: Range<UInt64> = 0..<12) throws -> [[FixError]] {
        var errors = SensorErrors.typical
        errors.gnss = gnss
        return try seeds.map { seed in
            var walk = try makeWalk(seed: seed, errors: errors) {
                $0.inertialRate = 1
                $0.magneticRate = 0
                $0.pressureRate = 0
            }
            return try walk.read(seconds: 1800).compactMap { measurement in
                guard case .fix(let fix) = measurement else { return nil }
                let truth = walk.truth(at: fix.epoch)
                let sigma = fix.positionSigma
                return FixError(
                    position: walk.plane.pointENU(of: fix.position) - truth.positionENU,
                    velocityEast: try #require(fix.velocityENU.east) - truth.velocityENU.x,
                    positionSigma: Vector3(
                        try #require(sigma.east), try #require(sigma.north), try #require(sigma.up)),
                    velocitySigma: try #require(fix.velocitySigma))
            }
        }
    }

    /// Mean squares of the errors over what is reported, east, north and up, and of the velocity.
    private func squares(_ errors: [[FixError]]) -> (position: [Double], velocity: Double) {
        let all = errors.joined()
        let count = Double(all.count)
        func mean(_ ratio: (FixError) -> Double) -> Double { all.reduce(0) { $0 + ratio($1) * ratio($1) } / count }
        return (
            [
                mean { $0.position.x / $0.positionSigma.x }, mean { $0.position.y / $0.positionSigma.y },
                mean { $0.position.z / $0.positionSigma.z },
            ], mean { $0.velocityEast / $0.velocitySigma }
        )
    }

    /// Correlation of errors some seconds apart.
    private func correlation(_ errors: [[FixError]], seconds: Int, of part: (FixError) -> Double) -> Double {
        var (product, square) = (0.0, 0.0)
        for walk in errors {
            for (a, b) in zip(walk, walk.dropFirst(seconds)) {
                product += part(a) * part(b)
                square += part(a) * part(a)
            }
        }
        return product / square
    }

    @Test("typical errors are as large as the receiver says")
    func typical() throws {
        let squares = squares(try errors(.typical))
        // The drift forgets in 60 s, so that 6 h hold about 180 independent errors: √(2/180) = 11 %; three of them.
        for square in squares.position { #expect(abs(square - 1) < 0.33) }
        #expect(abs(squares.velocity - 1) < 0.1)
    }

    @Test("errors may be two or three times as large as reported; the velocity's are not", arguments: [2.0, 3])
    func understated(factor: Double) throws {
        let errors = try errors(.understated(by: factor))
        let squares = squares(errors)
        for square in squares.position { #expect(abs(square / (factor * factor) - 1) < 0.33) }
        #expect(abs(squares.velocity - 1) < 0.1)
        let typical = SensorErrors.GNSS.typical
        let reported = (typical.positionDrift.x * typical.positionDrift.x + 1).squareRoot()
        #expect(abs(errors[0][0].positionSigma.x - reported) < 1e-9, "what is reported is typical")
    }

    @Test("errors may last for 300 s instead of 60")
    func longLasting() throws {
        let (short, long) = (try errors(.typical), try errors(.longLasting, seeds: 0..<40))
        // The drift's share of the variance is 2.6²/(2.6² + 1) = 0.87; a minute leaves 1/e of it, or exp(−1/5).
        #expect(abs(correlation(short, seconds: 60) { $0.position.x } - 0.87 * exp(-1)) < 0.2)
        #expect(abs(correlation(long, seconds: 60) { $0.position.x } - 0.87 * exp(-0.2)) < 0.12)
        // 40 walks of 1800 s hold about 120 independent errors: 13 %; three of them.
        for square in squares(long).position { #expect(abs(square - 1) < 0.39) }
    }

    @Test("velocities may wander for a minute, reported as if they did not")
    func wanderingVelocity() throws {
        let (typical, wandering) = (try errors(.typical), try errors(.wanderingVelocity))
        #expect(abs(wandering[0][0].velocitySigma - typical[0][0].velocitySigma) < 1e-12)
        // (0.12² + 0.12²)/(0.05² + 0.12²) = 1.70, half of it the drift.
        #expect(abs(squares(wandering).velocity - 1.70) < 0.4)
        #expect(abs(correlation(wandering, seconds: 20) { $0.velocityEast } - 0.5 * exp(-1.0 / 3)) < 0.15)
        #expect(abs(correlation(typical, seconds: 20) { $0.velocityEast }) < 0.1)
    }
}
