import Geometry

/// Layout of the vector of a camera's odometry errors. The vector extends the filter's error state while the camera
/// tracks.
///
/// Equation: docs/filter.md (100).
package enum CameraError {
    /// Position of the reference point of the camera's own frame on earth. Frame: ENU. Unit: metres.
    package static let origin = 0
    /// Rotation about up from the camera's own frame to ENU, counter-clockwise. Unit: radians.
    package static let yaw = 3
    /// Natural logarithm of the camera's length scale: reported length divided by true length.
    package static let logScale = 4
    /// Rotation error of the body attitude that the camera reports. Frame: body. Unit: radians.
    package static let mount = 5
    /// Delay of the time stamps relative to the exposures. Unit: seconds.
    package static let delay = 8
    /// Number of errors.
    package static let count = 9

    /// Errors that depend on the placement of the camera's own frame; the others belong to the camera.
    package static let placed = 0..<4
    /// Errors that belong to the camera itself, whatever frame it uses.
    package static let lasting = 4..<count
}

/// Derivative of a measurement with respect to the odometry errors of a camera.
package typealias CameraJacobian<let Rows: Int> = Matrix<Rows, 9>

/// Set of the camera errors that a measurement may correct. Angles are corrected only together with the yaw; scale and
/// delay are corrected only together with the velocity.
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
