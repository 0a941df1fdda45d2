import Estimation
import EstimatorFixtures
import Geometry
import Testing

/// What the filter does to its covariance must be one operation on the joint covariance with the camera's errors: a
/// cross-covariance that stays behind is information that nothing has shown.
@Suite("Joint covariance of filter and camera")
struct CameraCovarianceTests {
    private static let n = ErrorState.count
    private static let count = ErrorState.count + CameraError.count

    /// A filter of errors that all depend on each other.
    private func filter(_ random: inout Seeded) -> ErrorStateKalmanFilter {
        var filter = CameraFixture.filter(&random)
        var spread = JointCovariance()
        for i in 0..<Self.count {
            for j in 0..<Self.count { spread[i, j] = 0.1 * random.gaussian() }
        }
        filter.joint = spread * spread.transpose
        return filter
    }

    private func expect(
        _ filter: ErrorStateKalmanFilter, is expected: JointCovariance, _ location: SourceLocation = #_sourceLocation
    ) {
        let joint = filter.joint
        var (worst, place) = (0.0, (0, 0))
        for i in 0..<Self.count {
            for j in 0..<Self.count where abs(joint[i, j] - expected[i, j]) > worst {
                (worst, place) = (abs(joint[i, j] - expected[i, j]), (i, j))
            }
        }
        #expect(worst < 1e-9, "at \(place)", sourceLocation: location)
        let slack = 1e-9 * JointCovariance.diagonalOnes
        #expect(Cholesky(joint + slack) != nil, "not positive semidefinite", sourceLocation: location)
    }

    /// A transition of the errors of the filter, with which those of the camera stay as they are.
    private func joint(_ transition: Covariance) -> JointCovariance {
        var joint = JointCovariance.diagonalOnes
        for i in 0..<Self.n {
            for j in 0..<Self.n { joint[i, j] = transition[i, j] }
        }
        return joint
    }

    private func random<let Rows: Int, let Columns: Int>(_ random: inout Seeded) -> Matrix<Rows, Columns> {
        var matrix = Matrix<Rows, Columns>()
        for i in 0..<Rows {
            for j in 0..<Columns { matrix[i, j] = random.gaussian() }
        }
        return matrix
    }

    @Test("is carried by the prediction, with the decay of the slow states", arguments: UInt64(1)...4)
    func prediction(seed: UInt64) {
        var random = Seeded(seed)
        let filter = filter(&random)
        func propagated(_ filter: ErrorStateKalmanFilter) -> ErrorStateKalmanFilter {
            var filter = filter
            for k in 1...20 {
                filter.propagate(
                    to: InertialSample(
                        time: Fixture.time(0.005 * Double(k)), rate: filter.inertial.rate,
                        force: filter.inertial.force))
            }
            filter.propagateCovariance()
            return filter
        }
        var bare = filter
        bare.joint = JointCovariance()
        let noise = propagated(bare).joint
        var transition = Covariance()
        for j in 0..<Self.n {
            bare.joint = JointCovariance()
            bare.covariance[j, j] = 1
            let column = propagated(bare).joint - noise
            for i in 0..<Self.n { transition[i, j] = column[i, j] / column[j, j].squareRoot() }
        }
        #expect(transition[ErrorState.gnssError, ErrorState.gnssError] < 1)
        let whole = joint(transition)
        expect(propagated(filter), is: whole * filter.joint * whole.transpose + noise)
    }

    @Test("is carried by a displacement", arguments: UInt64(1)...4)
    func displacement(seed: UInt64) {
        var random = Seeded(seed)
        var filter = filter(&random)
        let before = filter.joint
        let jacobian: Jacobian<2> = self.random(&random)
        filter.displace(by: jacobian, noise: 0.3 * .diagonalOnes)
        var whole = JointCovariance.diagonalOnes
        var noise = JointCovariance()
        for i in 0..<2 {
            let row = ErrorState.position + i
            for j in 0..<Self.n { whole[row, j] += jacobian[i, j] }
            noise[row, row] = 0.3
        }
        expect(filter, is: whole * before * whole.transpose + noise)
    }

    /// Whether an update with a mask corrects an error of the filter or, behind them, of the camera.
    private func allows(_ mask: GainMask, _ index: Int) -> Bool {
        switch index - Self.n {
        case ..<0: mask.allows(index)
        case CameraError.origin..<CameraError.yaw: true
        case CameraError.logScale, CameraError.delay: mask.allows(ErrorState.velocity)
        default: mask.allows(ErrorState.yaw)
        }
    }

    private static let masks: [GainMask] = [
        .all, [.position, .gyroBias], [.yaw, .position], [.velocity, .tilt], GainMask.all.subtracting(.yaw), .hardIron,
    ]

    @Test("is reduced by an update as by the dense Joseph form", arguments: UInt64(1)...2, masks)
    func update(seed: UInt64, mask: GainMask) throws {
        for isOfCamera in [true, false] {
            var random = Seeded(seed)
            var filter = filter(&random)
            let before = filter.joint
            let h: Jacobian<3> = self.random(&random)
            let own: CameraJacobian<3> = self.random(&random)
            let noise: Matrix<3, 3> = 0.5 * .diagonalOnes
            // None, so that the error of the attitude is not reset.
            let innovation = Matrix<3, 1>()
            filter.apply(
                Update(innovation: innovation, jacobian: h, noise: noise, mask: mask, gate: nil, cause: .camera),
                camera: isOfCamera ? own : nil)
            var whole = Matrix<3, 41>()
            for i in 0..<3 {
                for j in 0..<Self.n { whole[i, j] = h[i, j] }
                for j in 0..<CameraError.count where isOfCamera { whole[i, Self.n + j] = own[i, j] }
            }
            let cross = before * whole.transpose
            var gain = try #require(Cholesky(whole * cross + noise)).solve(cross.transpose).transpose
            for i in 0..<Self.count where !allows(mask, i) {
                for j in 0..<3 { gain[i, j] = 0 }
            }
            let rest = JointCovariance.diagonalOnes - gain * whole
            expect(filter, is: rest * before * rest.transpose + gain * noise * gain.transpose)
        }
    }

    @Test("gives the camera its part of a correction", arguments: UInt64(1)...4)
    func correction(seed: UInt64) throws {
        var random = Seeded(seed)
        var filter = filter(&random)
        let (before, state, camera) = (filter.joint, filter.state, try #require(filter.camera))
        var h = Jacobian<1>()
        h[0, ErrorState.position] = 1
        filter.apply(
            Update(
                innovation: 0.3 * .diagonalOnes, jacobian: h, noise: .diagonalOnes, mask: .all, gate: nil,
                cause: .gnssPosition))
        let column = ErrorState.position
        let sum = before[column, column] + 1
        expect(try #require(filter.camera), less: camera) { before[Self.n + $0, column] / sum * 0.3 }
        // The error of the attitude counts from the corrected attitude.
        let turn = Fixture.difference(filter.state, state)
        var whole = JointCovariance.diagonalOnes
        whole.setBlock(0, 0, .identity + .skew(Vector3(turn[0], turn[1], turn[2]) * 0.5))
        var reduced = before
        for i in 0..<Self.count {
            for j in 0..<Self.count { reduced[i, j] -= before[i, column] * before[j, column] / sum }
        }
        expect(filter, is: whole * reduced * whole.transpose)
    }

    private func expect(_ camera: CameraFrame, less before: CameraFrame, is change: (Int) -> Double) {
        let (origin, mount) = (camera.origin - before.origin, camera.mount - before.mount)
        let changes = [
            origin.x, origin.y, origin.z, camera.yaw - before.yaw, camera.logScale - before.logScale, mount.x, mount.y,
            mount.z, camera.delay - before.delay,
        ]
        for i in 0..<CameraError.count { #expect(abs(changes[i] - change(i)) < 1e-9, "error \(i)") }
    }

    /// Error of the camera's frame that the filter's position or yaw shares.
    private func shared(_ index: Int) -> Int? {
        switch index {
        case ErrorState.position..<(ErrorState.position + 3): Self.n + CameraError.origin + index - ErrorState.position
        case ErrorState.yaw: Self.n + CameraError.yaw
        default: nil
        }
    }

    @Test("is scaled with a state", arguments: [ErrorState.position + 1, ErrorState.yaw, ErrorState.gnssError])
    func scale(index: Int) {
        var random = Seeded(3)
        var filter = filter(&random)
        let before = filter.joint
        filter.scale(index, by: 1.7)
        var whole = JointCovariance.diagonalOnes
        whole[index, index] = 1.7
        if let own = shared(index) { whole[own, own] = 1.7 }
        expect(filter, is: whole * before * whole)
    }

    @Test(
        "is widened with a state: the frame lies on earth as the wearer does",
        arguments: [ErrorState.position, ErrorState.attitude, ErrorState.velocity])
    func widen(offset: Int) {
        var random = Seeded(4)
        var filter = filter(&random)
        var expected = filter.joint
        filter.widen(offset, count: 3, by: 0.8)
        for index in offset..<(offset + 3) {
            expected[index, index] += 0.8
            guard let own = shared(index) else { continue }
            expected[own, own] += 0.8
            expected[own, index] += 0.8
            expected[index, own] += 0.8
        }
        expect(filter, is: expected)
    }

    @Test("is widened with a state of which the yaw has a share, and the frame's yaw the same")
    func widenShared() {
        var random = Seeded(5)
        var filter = filter(&random)
        var expected = filter.joint
        let (offset, yaw, own) = (ErrorState.magneticOffset, ErrorState.yaw, Self.n + CameraError.yaw)
        filter.widen(offset, by: 0.8, with: yaw, share: -0.6)
        let error = [offset: 1.0, yaw: -0.6, own: -0.6]
        for (i, a) in error {
            for (j, b) in error { expected[i, j] += 0.8 * a * b }
        }
        expect(filter, is: expected)
    }

    @Test("is turned with a vector of the state", arguments: [ErrorState.attitude, ErrorState.hardIron])
    func turn(offset: Int) {
        var random = Seeded(6)
        var filter = filter(&random)
        let before = filter.joint
        let block: Matrix<3, 3> = self.random(&random)
        filter.turnCovariance(offset, by: block)
        var whole = JointCovariance.diagonalOnes
        whole.setBlock(offset, offset, block)
        expect(filter, is: whole * before * whole.transpose)
    }

    @Test("follows the replacement of a vector of the state", arguments: UInt64(1)...4)
    func replace(seed: UInt64) throws {
        var random = Seeded(seed)
        var filter = filter(&random)
        let (before, camera) = (filter.joint, try #require(filter.camera))
        let offset = ErrorState.hardIron
        let new: Matrix<3, 3> = 0.01 * .diagonalOnes
        let step = Vector3(0.1, -0.2, 0.3)
        filter.replace(offset, by: filter.state.hardIron + step, instead: filter.state.hardIron, covariance: new)
        let old = before.block(offset, offset)
        var cross = Matrix<3, 41>()
        for i in 0..<3 {
            for j in 0..<Self.count { cross[i, j] = before[offset + i, j] }
        }
        let gain = try #require(Cholesky(old)).solve(cross)
        expect(filter, is: before + gain.transpose * (new - old) * gain)
        expect(try #require(filter.camera), less: camera) {
            let own = Self.n + $0
            return step.x * gain[0, own] + step.y * gain[1, own] + step.z * gain[2, own]
        }
    }

    @Test("follows a measurement of one state and its removal", arguments: UInt64(1)...4)
    func fuse(seed: UInt64) throws {
        var random = Seeded(seed)
        var filter = filter(&random)
        let (before, camera) = (filter.joint, try #require(filter.camera))
        let index = ErrorState.gyroBias + 1
        filter.fuse(index, 0.02, variance: 0.4, cause: .rest)
        var expected = before
        let sum = before[index, index] + 0.4
        for i in 0..<Self.count {
            for j in 0..<Self.count { expected[i, j] -= before[i, index] * before[j, index] / sum }
        }
        expect(filter, is: expected)
        expect(try #require(filter.camera), less: camera) { before[Self.n + $0, index] / sum * 0.02 }
        filter.fuse(index, 0, variance: -0.4, cause: .rest)
        expect(filter, is: before)
    }

    @Test(
        "forgets the place of the frame with that of the wearer, and nothing of the camera otherwise",
        arguments: [ErrorState.position, ErrorState.yaw, ErrorState.velocity])
    func reset(offset: Int) {
        var random = Seeded(8)
        var filter = filter(&random)
        var expected = filter.joint
        let count = offset == ErrorState.yaw ? 1 : 3
        filter.resetCovariance(offset, count: count, variance: 2)
        let placed = shared(offset) == nil ? [] : CameraError.placed.map { Self.n + $0 }
        for i in Array(offset..<(offset + count)) + placed {
            for j in 0..<Self.count {
                expected[i, j] = 0
                expected[j, i] = 0
            }
            if i < Self.n { expected[i, i] = 2 }
        }
        expect(filter, is: expected)
        #expect(filter.camera?.isPlaced == placed.isEmpty)
    }
}
