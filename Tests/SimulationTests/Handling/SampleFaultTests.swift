import BoardHandling
import Geometry
import Model
import Simulation
import Testing

@Suite("Handled board: faults of its samples")
struct SampleFaultTests {
    static let board = HandledBoard(.turning(maximumTilt: 1, seconds: 10), errors: .typical(seed: 1))
    static let samples = board.measurements()

    private func forces(_ fault: SampleFault) -> [(seconds: Double, force: Vector3)] {
        Self.samples.with(fault, start: Self.board.start).compactMap { measurement in
            guard case .specificForce(let sample) = measurement else { return nil }
            return (sample.time.seconds(since: Self.board.start), sample.force)
        }
    }

    @Test("a silent sensor is silent from then on, the others go on")
    func silent() {
        let fault = SampleFault.silent(.accelerometer, from: 4)
        #expect(forces(fault).count > 700 && forces(fault).allSatisfy { $0.seconds < 4 })
        let left = Self.samples.with(fault, start: Self.board.start)
        #expect(Self.samples.count - left.count == 1200 + 1)
    }

    @Test("a gap has no samples of any sensor")
    func gap() {
        let left = Self.samples.with(.gap(from: 2, seconds: 1), start: Self.board.start)
        #expect(Self.samples.count - left.count == 2 * 200 + 50)
    }

    @Test("no numbers on one axis, for a tenth of a second")
    func notFinite() {
        let broken = forces(.notFinite(.accelerometer, axis: 1, at: 3)).filter { !$0.force.isFinite }
        #expect(broken.count == 20)
        #expect(broken.allSatisfy { $0.force.y.isNaN && $0.force.x.isFinite && $0.force.z.isFinite })
    }

    @Test("a stuck axis keeps its value, the others do not")
    func stuck() {
        let after = forces(.stuck(.accelerometer, axis: 2, from: 5)).filter { $0.seconds >= 5 }
        #expect(Set(after.map(\.force.z)).count == 1)
        #expect(Set(after.map(\.force.x)).count > 100)
    }

    @Test("clipped and scaled values")
    func values() {
        #expect(forces(.clipped(.accelerometer, range: 5)).map(\.force.y).max() == 5)
        let scaled = forces(.scaled(.accelerometer, factor: 0.5))
        let plain = forces(.gap(from: 99, seconds: 1))
        #expect(scaled.count == plain.count && plain.count > 1900)
        #expect(zip(scaled, plain).allSatisfy { $0.force == $1.force * 0.5 })
    }
}
