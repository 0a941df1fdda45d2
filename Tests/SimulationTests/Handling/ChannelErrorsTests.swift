import BoardHandling
import Geometry
import Model
import Simulation
import Testing

@Suite("Handled board: errors of its sensors")
struct ChannelErrorsTests {
    @Test("the correction and the bias put measured values right", arguments: 1...5 as ClosedRange<UInt64>)
    func correction(seed: UInt64) {
        let errors = HandledErrors.typical(seed: seed)
        for sensor in [errors.gyroscope, errors.accelerometer, errors.magnetometer] {
            let truth = Vector3(1, -2, 3)
            let measured = sensor.matrix * truth + sensor.bias
            #expect((sensor.correction * (measured - sensor.bias) - truth).norm < 1e-12)
        }
    }

    @Test("samples are the truth with matrix, bias and mount, and nothing else without noise")
    func readings() {
        let drawn = HandledErrors.typical(seed: 4)
        let errors = HandledErrors(
            accelerometer: ChannelErrors(matrix: drawn.accelerometer.matrix, bias: drawn.accelerometer.bias))
        var board = HandledBoard(.turning(maximumTilt: 1, seconds: 5), errors: errors, seed: 4)
        board.mount = Rotation3.about(Vector3(1, 2, 3), by: 0.7)
        var count = 0
        for case .specificForce(let sample) in board.measurements() {
            let truth = board.truth(at: sample.time.seconds(since: board.start))
            let put = board.mount * (errors.accelerometer.correction * (sample.force - errors.accelerometer.bias))
            #expect((put - truth.specificForce).norm < 1e-9)
            count += 1
        }
        #expect(count == 1001)
    }

    @Test("white noise has its density, the bias walks as far as it should, flicker has its floor")
    func noise() {
        func standardDeviation(of errors: ChannelErrors, cluster: Int) -> Double {
            var board = HandledBoard(.still(seconds: 4000), errors: HandledErrors(gyroscope: errors), seed: 9)
            board.inertialRate = 10
            board.magneticRate = 0
            let rates = board.measurements().compactMap { measurement -> Vector3? in
                if case .angularRate(let sample) = measurement { sample.rate } else { nil }
            }
            let means = stride(from: 0, to: rates.count - cluster, by: cluster).map { first in
                rates[first..<first + cluster].reduce(Vector3.zero, +) / Double(cluster)
            }
            let squares = zip(means, means.dropFirst()).map { ($1 - $0).squaredNorm / 6 }
            return (squares.reduce(0, +) / Double(squares.count)).squareRoot()
        }
        // Allan's deviation of white noise is N/√τ: 1200 differences, three axes.
        #expect(abs(standardDeviation(of: ChannelErrors(noiseDensity: 0.01), cluster: 10) / 0.01 - 1) < 0.05)
        // Of a walk K·√(τ/3), over 20 s: 200 clusters.
        let walk = standardDeviation(of: ChannelErrors(biasWalk: 0.01), cluster: 200)
        #expect(abs(walk / (0.01 * (20.0 / 3).squareRoot()) - 1) < 0.15)
        // Of flicker 0.664·B at any time within its span.
        for cluster in [20, 100, 400] {
            let flicker = standardDeviation(of: ChannelErrors(biasInstability: 0.01), cluster: cluster)
            #expect(abs(flicker / 0.00664 - 1) < 0.2)
        }
    }

    @Test("values are rounded to the quantum and end at the range")
    func converter() {
        let errors = HandledErrors(
            accelerometer: ChannelErrors(noiseDensity: 0.1, quantum: 0.25, range: 9.75))
        let board = HandledBoard(.still(seconds: 5), errors: errors)
        var values = Set<Double>()
        for case .specificForce(let sample) in board.measurements() { values.insert(sample.force.y) }
        #expect(values.max() == 9.75)
        #expect(values.allSatisfy { ($0 * 4).rounded() == $0 * 4 })
    }

    @Test("the same seed gives the same samples, another seed others")
    func seeds() {
        func read(_ seed: UInt64) -> [Measurement] {
            HandledBoard(
                .straightWalks(standSeconds: 2, metres: 5), errors: .typical(seed: seed), seed: seed, tremor: 0.01
            ).measurements()
        }
        #expect(read(1) == read(1))
        #expect(read(1) != read(2))
    }
}
