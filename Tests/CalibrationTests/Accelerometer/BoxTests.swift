import BoardHandling
import Calibration
import Geometry
import Glibc
import Model
import Simulation
import Testing

@Suite("A box on its faces, and turned about its edges")
struct BoxTests {
    private static let settings = CalibrationSettings(usesFaces: true, faceTurn: 2 * .pi)

    @Test("all elements are found, the rotation of the axes in the box among them")
    func box() throws {
        for seed in 1...5 as ClosedRange<UInt64> {
            let board = Handled.board(.faces(holdSeconds: 2.5, moveSeconds: 2), seed: seed, rate: 100)
            let result = Handled.calibrated(board.measurements(), Self.settings)
            #expect(result.verdict.isAccepted)
            let (force, rate) = (try #require(result.fits.first), try #require(result.fits.dropFirst().first))
            let tilt = Handled.tiltError(force, board.errors.accelerometer, gravity: 9.80665, rotates: true)
            #expect(tilt < 0.03 * .pi / 180)
            let left = rate.correction * board.errors.gyroscope.matrix - .identity
            for row in 0..<3 {
                for column in 0..<3 { #expect(abs(left[row, column]) < 2e-3) }
            }
            // 0.5 °/s of bias, to 0.01 °/s.
            #expect((rate.bias - board.errors.gyroscope.bias).norm < 0.01 * .pi / 180)
        }
    }

    @Test("it ends by itself when all faces and turns were seen")
    func completion() {
        var session = AccelerometerSession(settings: Self.settings)
        for measurement in Handled.board(.faces(holdSeconds: 2.5, moveSeconds: 2), seed: 2).measurements() {
            session.feed(measurement)
        }
        #expect(session.isComplete)
        #expect(session.progress.fraction == 1)
    }

    @Test("a face or a turn that is missing is named")
    func missing() {
        let axes = [Vector3(1, 0, 0), Vector3(0, 1, 0), Vector3(0, 0, 1)]
        let five = Handling.poses(Array(axes.flatMap { [$0, -$0] }.dropLast()), holdSeconds: 2, moveSeconds: 1.5)
        let face = Handled.calibrated(Handled.board(five).measurements(), Self.settings)
        #expect(face.verdict.refusal == .tooFewPoses && face.verdict.reason.contains("−z"))
        let six = Handling.poses(axes.flatMap { [$0, -$0] }, holdSeconds: 2, moveSeconds: 1.5)
        let turn = Handled.calibrated(Handled.board(six).measurements(), Self.settings)
        #expect(turn.verdict.refusal == .tooFewPoses && turn.verdict.reason.contains("turn"))
        var without = Self.settings
        without.faceTurn = nil
        #expect(Handled.calibrated(Handled.board(six).measurements(), without).verdict.isAccepted)
    }
}
