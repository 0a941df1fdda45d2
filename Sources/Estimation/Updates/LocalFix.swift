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

    package init(
        time: BootTime, position: Vector3, hasHeight: Bool, positionDeviation: Vector3, velocity: Vector3?,
        hasVerticalVelocity: Bool, velocityDeviation: Double, antennaInBody: Vector3, site: Site
    ) {
        self.time = time
        self.position = position
        self.hasHeight = hasHeight
        self.positionDeviation = positionDeviation
        self.velocity = velocity
        self.hasVerticalVelocity = hasVerticalVelocity
        self.velocityDeviation = velocityDeviation
        self.antennaInBody = antennaInBody
        self.site = site
    }
}
