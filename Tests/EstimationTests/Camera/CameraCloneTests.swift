import Estimation
import EstimatorFixtures
import Geometry
import Testing

/// The frame of a camera without errors of its own holds the pose at which it was placed.
///
/// Source of the reference: Roumeliotis and Burdick, "Stochastic cloning: a generalized framework for processing
/// relative state measurements", ICRA 2002.
@Suite("A camera's frame against stochastic cloning")
struct CameraCloneTests {
    private static let noise = (position: 0.006, attitude: 5e-3)

    /// Odometry that neither drifts nor has a scale, a mount or a delay.
    private static let settings: EstimatorSettings = {
        var settings = EstimatorSettings()
        settings.camera.positionNoise = noise.position
        settings.camera.attitudeNoise = noise.attitude
        settings.camera.scaleStandardDeviation = 0
        settings.camera.mountStandardDeviation = 0
        settings.camera.delayStandardDeviation = 0
        return settings
    }()

    /// Errors of the state, of the cloned position and of the cloned yaw.
    private typealias Cloned = Matrix<36, 36>

    @Test("a relative pose corrects as with a state that holds both its ends", arguments: UInt64(1)...5)
    func clone(seed: UInt64) throws {
        var random = Seeded(seed)
        var filter = Fixture.filter(&random, settings: Self.settings)
        filter.covariance = Fixture.covariance(&random)
        let first = filter.state
        let prior = cloned(filter.covariance)
        _ = filter.apply(CameraFixture.pose(first.rotationENUFromBody, first.position, at: first.time))

        // The wearer moves, by dead reckoning of a way that depends on some states.
        var displacement = Jacobian<2>()
        for i in 0..<2 {
            for j in 0..<ErrorState.count { displacement[i, j] = 0.1 * random.gaussian() }
        }
        filter.displace(by: displacement, noise: 0.04 * .diagonalOnes)
        filter.state.position += Vector3(1.1, -0.7, 0.2)
        let predicted = filter.state
        let measured = (turn: random.vector(0.001), displacement: random.vector(0.01))
        let pose = CameraFixture.pose(
            Rotation3.exp(measured.turn) * first.rotationENUFromBody, predicted.position + measured.displacement,
            at: Fixture.time(0.5))
        let model = try #require(filter.cameraModel(pose))
        filter.apply(model.update, camera: model.own)

        let moved = displaced(prior, by: displacement, noise: 0.04)
        let (error, covariance) = try corrected(moved, measured, displacement: predicted.position - first.position)
        let change = Fixture.difference(filter.state, predicted)
        let turned = Vector3(error[0], error[1], error[2])
        let reset = Matrix<3, 3>.identity + .skew(turned * 0.5)
        var whole = Cloned.diagonalOnes
        whole.setBlock(0, 0, turned.squaredNorm > 1e-8 ? reset : .identity)
        let expected = whole * covariance * whole.transpose
        for i in 0..<ErrorState.count {
            #expect(abs(change[i] - error[i]) < 1e-9, "state \(i)")
            for j in 0..<ErrorState.count { #expect(abs(filter.covariance[i, j] - expected[i, j]) < 1e-9) }
        }
    }

    private func cloned(_ covariance: Covariance) -> Cloned {
        let copies = [ErrorState.position, ErrorState.position + 1, ErrorState.position + 2, ErrorState.yaw]
        let source = Array(0..<ErrorState.count) + copies
        var result = Cloned()
        for i in 0..<36 {
            for j in 0..<36 { result[i, j] = covariance[source[i], source[j]] }
        }
        return result
    }

    private func displaced(_ prior: Cloned, by displacement: Jacobian<2>, noise: Double) -> Cloned {
        var (transition, added) = (Cloned.diagonalOnes, Cloned())
        for i in 0..<2 {
            let row = ErrorState.position + i
            for j in 0..<ErrorState.count { transition[row, j] += displacement[i, j] }
            added[row, row] = noise
        }
        return transition * prior * transition.transpose + added
    }

    /// Update by the rotation and the way between both poses, each of which has the noise of the camera.
    private func corrected(
        _ prior: Cloned, _ measured: (turn: Vector3, displacement: Vector3), displacement: Vector3
    ) throws -> (error: [Double], covariance: Cloned) {
        let cross = Vector3(0, 0, 1).cross(displacement)
        var (h, noise, r) = (Matrix<6, 36>(), Matrix<6, 6>(), Matrix<6, 1>())
        let clone = ErrorState.count
        for i in 0..<3 {
            h[i, ErrorState.position + i] = 1
            h[i, clone + i] = -1
            h[3 + i, ErrorState.attitude + i] = 1
            noise[i, i] = 2 * Self.noise.position * Self.noise.position
            noise[3 + i, 3 + i] = Self.noise.attitude * Self.noise.attitude
        }
        // The frame has the yaw of the first pose: its error turns the way.
        let byYaw = [-cross.x, -cross.y, 0, 0, 0, -1]
        for i in 0..<6 {
            h[i, clone + 3] = byYaw[i]
            for j in 0..<6 { noise[i, j] += byYaw[i] * byYaw[j] * Self.noise.attitude * Self.noise.attitude }
        }
        let innovation =
            [measured.displacement.x, measured.displacement.y, measured.displacement.z]
            + [measured.turn.x, measured.turn.y, measured.turn.z]
        for i in 0..<6 { r[i, 0] = innovation[i] }
        let shared = prior * h.transpose
        let gain = try #require(Cholesky(h * shared + noise)).solve(shared.transpose).transpose
        let error = gain * r
        return ((0..<ErrorState.count).map { error[$0, 0] }, prior - gain * shared.transpose)
    }
}
