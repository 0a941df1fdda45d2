import Geometry
import Model
import WaymarkInterface

/// Covariance of six numbers, the first three independent of the last three.
///
/// A message contains its upper right triangle, row by row. A first element of NaN marks the covariance as unknown. All
/// other elements are then NaN too, because some programs check those instead.
package struct MAVLinkCovariance: Hashable, Sendable {
    /// Covariance of the first three numbers.
    package let first: Matrix<3, 3>
    /// Variance of each of the last three numbers, which are uncorrelated.
    package let last: Double

    static let unknown = MAVLinkCovariance(first: Matrix(), last: .nan)

    func write(into frame: inout MAVLinkEncoder) {
        for row in 0..<6 {
            for column in row..<6 { frame.append(self[row, column]) }
        }
    }

    private subscript(row: Int, column: Int) -> Double {
        if last.isNaN { return .nan }
        if column < 3 { return first[row, column] }
        return row == column ? last : 0
    }
}

extension MAVLinkCovariance {
    /// Creates the covariance of position and orientation, in a frame with z down.
    ///
    /// Poses report the accuracy of the yaw only, so the tilt gets the variance of the yaw, although gravity makes it
    /// more accurate.
    init(poseOf accuracy: PoseInterface.Accuracy) {
        guard let horizontal = accuracy.horizontalAccuracy, let vertical = accuracy.verticalAccuracy,
            let yaw = accuracy.orientationYawAccuracy
        else {
            self = .unknown
            return
        }
        let deviation = yaw * .pi / 180
        self.init(first: Self.diagonal(horizontal, vertical), last: deviation * deviation)
    }

    /// Creates the covariance of velocity and angular velocity, in body axes.
    ///
    /// - Parameter rotation: rotation to the body from a frame with z down, in which the accuracies are given.
    init(velocityOf accuracy: PoseInterface.Accuracy, by rotation: Rotation3) {
        guard let horizontal = accuracy.horizontalVelocityAccuracy, let vertical = accuracy.verticalVelocityAccuracy,
            let angular = accuracy.angularVelocityAccuracy
        else {
            self = .unknown
            return
        }
        let (matrix, deviation) = (rotation.matrix, angular / PoseAccuracy.sphere68)
        self.init(
            first: matrix * Self.diagonal(horizontal, vertical) * matrix.transpose, last: deviation * deviation)
    }

    /// - Parameters:
    ///   - horizontal: 68 % radius.
    ///   - vertical: 68 % half-width.
    private static func diagonal(_ horizontal: Double, _ vertical: Double) -> Matrix<3, 3> {
        let axis = horizontal / PoseAccuracy.radius68
        return Matrix(
            Vector3(axis * axis, 0, 0), Vector3(0, axis * axis, 0), Vector3(0, 0, vertical * vertical))
    }
}
