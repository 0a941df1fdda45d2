import Estimation
import EstimatorFixtures
import Geometry
import Glibc
import Model
import Engine
import Testing

@Suite("Turn-on bias of the gyroscope")
struct TurnOnBiasTests {
    /// Biases of 5 °/s, as data sheets allow them. Frame: body, y about up. Unit: rad/s.
    private static let biases = [
        Vector3(0.05, 0.05, 0.05), Vector3(0, 0.087, 0), Vector3(-0.087, 0, 0), Vector3(0.06, -0.05, -0.04),
    ]

    /// Poses of a walk with fixes that a gyroscope measures which is off, from the switching on.
    private func poses(_ walk: Walk, bias: Vector3) -> [PoseEstimate] {
        Walk.poses(
            walk.measurements().map { measurement in
                guard case .angularRate(var sample) = measurement else { return measurement }
                sample.rate += bias
                return .angularRate(sample)
            })
    }

    private func error(_ pose: PoseEstimate, _ walk: Walk) -> Rotation3 {
        pose.rotationENUFromBody * walk.truth(pose.seconds).rotationENUFromBody.inverse
    }

    @Test("leaves a board level that is switched on while it moves", arguments: biases, [true, false])
    func level(bias: Vector3, hasMagnetometer: Bool) {
        let walk = Walk(seconds: 60, hasMagnetometer: hasMagnetometer)
        let late = poses(walk, bias: bias).filter { $0.seconds > 5 }
        #expect(late.count > 5000)
        let up = Vector3(0, 0, 1)
        let tilts = late.map { Angle.degrees(radians: acos(min(1, (error($0, walk) * up).dot(up)))) }
        #expect(tilts.allSatisfy { $0 < 5 })
        #expect(tilts.suffix(1000).allSatisfy { $0 < 1.5 })
    }

    @Test("leaves no heading confidently wrong, from the second second on", arguments: biases, [true, false])
    func heading(bias: Vector3, hasMagnetometer: Bool) throws {
        let walk = Walk(seconds: 60, hasMagnetometer: hasMagnetometer, pace: 2.5)
        let known = poses(walk, bias: bias).filter { $0.seconds > 2 && $0.accuracy.yaw != nil }
        #expect(known.count > 3000)
        let within = known.filter { abs(error($0, walk).yawAboutZ) < 3 * ($0.accuracy.yaw ?? 0) }
        // Without a compass the hypotheses carry a part of the error that they were started with.
        #expect(Double(within.count) > (hasMagnetometer ? 0.98 : 0.9) * Double(known.count))
        #expect(abs(error(try #require(known.last), walk).yawAboutZ) < Angle.radians(degrees: 6))
    }
}
