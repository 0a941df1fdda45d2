import Geometry

/// Layout of the errors of a camera's odometry, which accompany the error state of the filter while a camera tracks.
///
/// Equation: docs/filter.md (100).
package enum CameraError {
    /// Place on earth of the reference point in the camera's own frame. Frame: ENU. Unit: metres.
    package static let origin = 0
    /// Rotation about up to ENU from the own frame, counter-clockwise. Unit: radians.
    package static let yaw = 3
    /// Natural logarithm of the ratio of the camera's lengths to true ones.
    package static let logScale = 4
    /// Rotation by which the camera reports the body askew. Frame: body. Unit: radians.
    package static let mount = 5
    /// Time by which the stamps are later than the exposures. Unit: seconds.
    package static let delay = 8
    /// Number of errors.
    package static let count = 9

    /// Errors that depend on where the own frame lies; the others belong to the camera.
    package static let placed = 0..<4
    /// Errors that belong to the camera, whatever frame it reports in.
    package static let lasting = 4..<count
}

/// Derivative of a measurement by the errors of a camera's odometry.
package typealias CameraJacobian<let Rows: Int> = Matrix<Rows, 9>

/// Set of the errors of the odometry that a measurement may correct: those that turn the wearer only with the yaw, and
/// those of its lengths only with the velocity.
struct CameraMask {
    private let bits: UInt16

    init(_ mask: GainMask) {
        var bits: UInt16 = 0b0_0000_0111
        if mask.allows(ErrorState.yaw) { bits |= 0b0_1110_1000 }
        if mask.allows(ErrorState.velocity) { bits |= 0b1_0001_0000 }
        self.bits = bits
    }

    @inline(__always)
    func allows(_ index: Int) -> Bool { bits >> UInt16(index) & 1 == 1 }
}
