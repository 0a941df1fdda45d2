import Estimation
import EstimatorFixtures
import Geometry
import Glibc
import Testing

@Suite("Model of a camera's pose")
struct CameraModelTests {
    private static let size = 1e-6
    private static let delay = 0.04

    /// A filter that has moved since the frame was placed, with errors of the camera, and the pose that it predicts:
    /// there the derivatives are taken.
    private func prediction(_ random: inout Seeded) throws -> (filter: ErrorStateKalmanFilter, pose: CameraPose) {
        var filter = CameraFixture.filter(&random)
        let reference = try #require(filter.camera?.pose.position)
        filter.state.position += random.vector(3)
        filter.camera?.mount = random.vector(0.03)
        filter.camera?.delay = Self.delay
        filter.camera?.logScale = 0.05 * random.gaussian()
        let camera = try #require(filter.camera)
        let rate = filter.state.rate(filter.inertial.rate)
        let seen =
            filter.state.position - Self.delay * filter.state.velocity
            + (0.5 * Self.delay * Self.delay) * filter.acceleration
        let level = Rotation3.aboutZ(-camera.yaw)
        let rotation =
            level * filter.state.rotationENUFromBody * Rotation3.exp(rate * -Self.delay) * Rotation3.exp(camera.mount)
        let position = reference + level * ((seen - camera.origin) * exp(camera.logScale))
        return (filter, CameraFixture.pose(rotation, position, at: Fixture.time(0.5)))
    }

    private func innovation(_ filter: ErrorStateKalmanFilter, _ pose: CameraPose) -> Matrix<6, 1> {
        filter.cameraModel(pose)?.update.innovation ?? Matrix()
    }

    @Test("predicts the pose from which it was made", arguments: UInt64(1)...10)
    func zero(seed: UInt64) throws {
        var random = Seeded(seed)
        let (filter, pose) = try prediction(&random)
        let r = innovation(filter, pose)
        for row in 0..<6 { #expect(abs(r[row, 0]) < 1e-12) }
    }

    /// What the model leaves out of the derivative by an error of the filter: the rate and the acceleration within the
    /// delay depend on attitude and sensor errors, and a little on the velocity by the earth's rotation.
    private func neglected(_ index: Int, _ filter: ErrorStateKalmanFilter) -> Double {
        let halfSquare = 0.5 * Self.delay * Self.delay
        switch index {
        case ErrorState.attitude..<(ErrorState.attitude + 3): return halfSquare * 20
        case ErrorState.velocity..<(ErrorState.velocity + 3): return halfSquare * 2e-4
        case ErrorState.gyroBias..<(ErrorState.gyroBias + 3): return 1.01 * Self.delay
        case ErrorState.accelerometerBias..<(ErrorState.accelerometerBias + 3): return halfSquare
        case ErrorState.gyroScale..<(ErrorState.gyroScale + 3): return 1.01 * Self.delay * filter.inertial.rate.norm
        default: return 0
        }
    }

    @Test("has the derivative by the errors of the filter", arguments: UInt64(1)...20)
    func errorState(seed: UInt64) throws {
        var random = Seeded(seed)
        let (filter, pose) = try prediction(&random)
        let jacobian = try #require(filter.cameraModel(pose)).update.jacobian
        for index in 0..<ErrorState.count {
            var (plus, minus) = (filter, filter)
            plus.state.inject(Fixture.error(index, Self.size))
            minus.state.inject(Fixture.error(index, -Self.size))
            let (a, b) = (innovation(plus, pose), innovation(minus, pose))
            for row in 0..<6 {
                // The innovation is measurement less prediction: its derivative is the negative.
                let numeric = (b[row, 0] - a[row, 0]) / (2 * Self.size)
                let tolerance = 1e-7 + neglected(index, filter)
                #expect(abs(numeric - jacobian[row, index]) < tolerance, "row \(row), state \(index)")
            }
        }
    }

    private func disturbed(_ filter: ErrorStateKalmanFilter, _ index: Int, by size: Double) -> ErrorStateKalmanFilter {
        var filter = filter
        func along(_ axis: Int) -> Vector3 {
            Vector3(axis == 0 ? size : 0, axis == 1 ? size : 0, axis == 2 ? size : 0)
        }
        switch index {
        case CameraError.yaw: filter.camera?.yaw += size
        case CameraError.logScale: filter.camera?.logScale += size
        case CameraError.delay: filter.camera?.delay += size
        case ..<CameraError.yaw: filter.camera?.origin += along(index - CameraError.origin)
        default: filter.camera?.mount += along(index - CameraError.mount)
        }
        return filter
    }

    @Test("has the derivative by the errors of the camera", arguments: UInt64(1)...20)
    func camera(seed: UInt64) throws {
        var random = Seeded(seed)
        let (filter, pose) = try prediction(&random)
        let own = try #require(filter.cameraModel(pose)).own
        let rate = filter.state.rate(filter.inertial.rate)
        let mount = try #require(filter.camera).mount
        // The mount counts as if it were small, and turned at the stamp rather than at the exposure.
        let neglected = rate.norm * Self.delay + 0.5 * mount.norm
        for index in 0..<CameraError.count {
            let a = innovation(disturbed(filter, index, by: Self.size), pose)
            let b = innovation(disturbed(filter, index, by: -Self.size), pose)
            let isMount = (CameraError.mount..<CameraError.delay).contains(index)
            for row in 0..<6 {
                let numeric = (b[row, 0] - a[row, 0]) / (2 * Self.size)
                let tolerance = 1e-7 + (isMount ? neglected : 0)
                #expect(abs(numeric - own[row, index]) < tolerance, "row \(row), error \(index)")
            }
        }
    }
}
