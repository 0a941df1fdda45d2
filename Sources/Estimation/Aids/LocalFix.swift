import Geometry
import Measurements

/// A fix brought into the local frame.
package struct LocalFix: Hashable, Sendable {
    package var time: BootTime
    /// Frame: ENU at the origin. Unit: metres. The height counts only with `hasHeight`.
    package var position: Vector3
    package var hasHeight: Bool
    /// Per axis. Unit: metres.
    package var positionDeviation: Vector3
    /// Frame: ENU. Unit: m/s; nil where the receiver gives no horizontal vector.
    package var velocity: Vector3?
    package var hasVerticalVelocity: Bool
    /// Unit: m/s.
    package var velocityDeviation: Double
    /// The lever arm from the inertial sensor. Frame: body. Unit: metres.
    package var antennaInBody: Vector3
    package var site: Site
}
