import Estimation
import EstimatorFixtures
import Geometry
import Model

/// Poses of a camera, and filters that follow it.
enum CameraFixture {
    static let source = SourceName("camera")!

    /// Pose of the board. Frame: the camera's own, z up.
    static func pose(
        _ rotationLevelFromBody: Rotation3, _ position: Vector3, at time: BootTime, reset: UInt32 = 0
    ) -> CameraPose {
        let none = OdometryPose(position: .zero, rotationOwnFromBody: .identity, reset: reset, tracking: 1)
        var pose = CameraPose(none, source: source, time: time)
        pose.rotationLevelFromBody = rotationLevelFromBody
        pose.position = position
        return pose
    }

    /// A filter at a random state, whose camera has a frame that is turned and shifted against ENU.
    static func filter(
        _ random: inout Seeded, settings: EstimatorSettings = EstimatorSettings()
    ) -> ErrorStateKalmanFilter {
        var filter = Fixture.filter(&random, settings: settings)
        let turn = Rotation3.aboutZ(random.gaussian())
        let position = turn * filter.state.position + random.vector(5)
        _ = filter.apply(pose(turn * filter.state.rotationENUFromBody, position, at: filter.state.time))
        return filter
    }
}

/// Covariance of the errors of the filter and, behind them, of those of the camera.
typealias JointCovariance = Matrix<41, 41>

extension ErrorStateKalmanFilter {
    var joint: JointCovariance {
        get {
            var joint = JointCovariance()
            let n = ErrorState.count
            for i in 0..<n {
                for j in 0..<n { joint[i, j] = covariance[i, j] }
            }
            guard let camera else { return joint }
            for i in 0..<CameraError.count {
                for j in 0..<CameraError.count { joint[n + i, n + j] = camera.covariance[i, j] }
                for j in 0..<n {
                    joint[n + i, j] = camera.cross[i, j]
                    joint[j, n + i] = camera.cross[i, j]
                }
            }
            return joint
        }
        set {
            let n = ErrorState.count
            for i in 0..<n {
                for j in 0..<n { covariance[i, j] = newValue[i, j] }
            }
            for i in 0..<CameraError.count {
                for j in 0..<CameraError.count { camera?.covariance[i, j] = newValue[n + i, n + j] }
                for j in 0..<n { camera?.cross[i, j] = newValue[n + i, j] }
            }
        }
    }
}
